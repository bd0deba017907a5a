/** Copy as JSON, Copy as cURL and Open in Console: what leaves the editor is masked, and a link is one of the settings'. */
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import type { AnyQuery, DateRange } from '../platform/operation.ts';
import { dateOf } from '../ui/times.ts';
import { analyse } from './analysis.ts';
import { connectionFrom, resourceFrom, selectedFrom } from './argument.ts';
import { chooseResource } from './choose.ts';
import { variablesOf } from '../connections/curl.ts';
import { curlOfList, curlOfResource } from './curl.ts';
import { readOrOfferSignIn, targetOf, type Desk } from './desk.ts';
import { rowOf } from './lookup.ts';
import { outsideOfResource, type Outside } from './way.ts';

/** Rows that are read to be copied together; a whole list is exported. */
const MOST_COPIED = 100;

/** Of several selected rows, a JSON array. */
export async function copyJson(desk: Desk, argument: unknown, selection: unknown): Promise<string | undefined> {
  const selected = selectedFrom(selection).flatMap((one) => resourceFrom(one) ?? []);
  if (selected.length > 1) return copyArray(desk, selected);
  const resource = targetOf(argument) ?? (await chooseResource(desk, 'Copy as JSON'));
  const shown = resource === undefined ? undefined : await readOrOfferSignIn(desk, resource);
  if (shown === undefined) return undefined;
  await vscode.env.clipboard.writeText(shown.text);
  vscode.window.setStatusBarMessage(`$(check) Copied the JSON of the ${shown.row.singular}`, 2500);
  return shown.text;
}

async function copyArray(desk: Desk, resources: readonly ResourceArgument[]): Promise<string | undefined> {
  if (resources.length > MOST_COPIED)
    throw new Error(`At most ${String(MOST_COPIED)} rows are copied at once. Use Export… on the list for more`);
  const texts: string[] = [];
  await desk.services.ui.progress('Copy as JSON', async (signal, say) => {
    for (const resource of resources) {
      say(`${String(texts.length + 1)} of ${String(resources.length)}`);
      const shown = signal.aborted ? undefined : await readOrOfferSignIn(desk, resource);
      if (shown === undefined || signal.aborted) return;
      texts.push(shown.text);
    }
  });
  if (texts.length < resources.length) return undefined;
  // The server's own digits: the texts are joined, not parsed.
  const text = `[\n  ${texts.map((each) => each.trimEnd().replaceAll('\n', '\n  ')).join(',\n  ')}\n]`;
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) Copied the JSON of ${String(texts.length)} resources`, 2500);
  return text;
}

/** Of a resource, or of the list that a tree row stands for. */
export async function copyCurl(desk: Desk, argument: unknown): Promise<string | undefined> {
  const command = curlOfRow(desk, argument) ?? (await curlOfTarget(desk, argument));
  if (command === undefined) return undefined;
  await vscode.env.clipboard.writeText(command);
  vscode.window.setStatusBarMessage(`$(check) Copied; the shell fills in ${variablesOf(command)}`, 5000);
  return command;
}

async function curlOfTarget(desk: Desk, argument: unknown): Promise<string | undefined> {
  const resource = targetOf(argument) ?? (await chooseResource(desk, 'Copy as cURL'));
  const row = resource === undefined ? undefined : rowOf(resource.kind);
  if (resource === undefined || row === undefined) return undefined;
  return curlOfResource(sessionOf(desk, resource.connection), row, resource.id);
}

function curlOfRow(desk: Desk, argument: unknown): string | undefined {
  const connection = connectionFrom(argument);
  if (connection === undefined || targetOf(argument) !== undefined || typeof argument !== 'object' || argument === null)
    return undefined;
  const field = (name: string): unknown => Reflect.get(argument, name);
  const row = rowOf(String(field('kind')));
  if (row?.list === undefined) return undefined;
  const organization = field('organization');
  const known = row.list.operation.query;
  const query: Record<string, AnyQuery[string]> = {
    ...queryOf(field('fixed')),
    ...queryOf(field('filter')),
    ...(typeof organization === 'string' && 'org_id' in known && { org_id: organization }),
  };
  return curlOfList(sessionOf(desk, connection), row, query);
}

/** What a row of the tree asks its list for. */
function queryOf(query: unknown): Record<string, AnyQuery[string]> {
  if (typeof query !== 'object' || query === null) return {};
  const kept: Record<string, AnyQuery[string]> = {};
  for (const [name, value] of Object.entries(query) as readonly [string, unknown][]) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
    else if (typeof value === 'object' && value !== null) kept[name] = datesOf(value);
  }
  return kept;
}

function datesOf(value: object): DateRange {
  const now = Date.now();
  const dates: Record<string, string> = {};
  for (const bound of ['gt', 'gte', 'lt', 'lte'] as const) {
    const at: unknown = Reflect.get(value, bound);
    if (typeof at === 'string') dates[bound] = dateOf(at, now);
  }
  return dates;
}

function sessionOf(desk: Desk, connection: string): NonNullable<ReturnType<Desk['services']['sessions']['get']>> {
  const session = desk.services.sessions.get(connection);
  if (session === undefined) throw new Error(`There is no connection “${connection}” now`);
  return session;
}

/** By the connection's link templates. Says so where none fits, with a way to the settings. */
export async function openExternal(desk: Desk, argument: unknown): Promise<string | undefined> {
  const resource = targetOf(argument) ?? (await chooseResource(desk, 'Open in Console'));
  if (resource === undefined) return undefined;
  const { ui } = desk.services;
  const session = sessionOf(desk, resource.connection);
  const row = rowOf(resource.kind);
  // Hashes and addresses stand in the JSON: it is read where a template could open one.
  const wanted = Object.values(row?.links ?? {}).some((kind) => session.profile.links[kind] !== undefined);
  const shown = wanted ? await readOrOfferSignIn(desk, resource) : undefined;
  const marks = shown === undefined ? [] : analyse(shown.text, row).marks;
  const ways = outsideOfResource(session, resource, marks);
  if (ways.length === 0) {
    const settings = 'Edit Connections';
    const what = row?.singular ?? 'resource';
    const said = ui.info(
      `${session.profile.name} has no link template that opens this ${what}. Add one under “links” of the connection.`,
      settings,
    );
    void said.then((chosen) => (chosen === settings ? desk.entry.run('editConnections') : undefined));
    return undefined;
  }
  const [only, ...more] = ways;
  const way = more.length === 0 ? only : (await ui.pick(ways.map(choice), { title: 'Open in Console' }))?.way;
  if (way === undefined) return undefined;
  await ui.browse(way.url);
  return way.url;
}

function choice(way: Outside): vscode.QuickPickItem & { readonly way: Outside } {
  return { label: way.field ?? 'id', description: way.by, detail: way.url, way };
}
