/** Copy as JSON, Copy as cURL and Open in Console. Copied text is masked; links come from the connection's settings. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { AnyQuery, DateRange } from '../../platform/operation.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getDefinition } from '../../platform/registry.ts';
import { resolveRelativeDate } from '../../model/text/time-format.ts';
import { analyse } from '../links/json-analysis.ts';
import {
  parseConnection,
  parseOrganization,
  parseResource,
  parseSelection,
} from '../../model/resources/parse-argument.ts';
import { pickResource } from '../lookup/pick-resource.ts';
import { listCredentialVariables } from '../../connections/session/session-curl.ts';
import { createListCurl, createResourceCurl } from './resource-curl.ts';
import { readOrOfferSignIn, getTargetResource, type DocumentsContext } from '../context.ts';
import { getExternalLinks, type ExternalLink } from '../links/link-targets.ts';
import { requireSession } from '../../model/session/require-session.ts';

/** Rows that are copied together; longer lists are exported. */
const MAX_COPIED = 100;

/** Copies the JSON; for several selected rows, as an array. Rejects with PlatformError or Error. */
export async function copyJson(
  context: DocumentsContext,
  argument: unknown,
  selection: unknown,
): Promise<string | undefined> {
  const selected = parseSelection(selection).flatMap((item) => parseResource(item) ?? []);
  if (selected.length > 1) return copyJsonArray(context, selected);
  const resource = getTargetResource(context, argument) ?? (await pickResource(context, l10n.t('Copy as JSON')));
  const shownDocument = resource === undefined ? undefined : await readOrOfferSignIn(context, resource);
  if (shownDocument === undefined) return undefined;
  await vscode.env.clipboard.writeText(shownDocument.text);
  vscode.window.setStatusBarMessage(`$(check) ${l10n.t('Copied the JSON')}`, 2500);
  return shownDocument.text;
}

async function copyJsonArray(
  context: DocumentsContext,
  resources: readonly ResourceArgument[],
): Promise<string | undefined> {
  if (resources.length > MAX_COPIED)
    throw new Error(
      l10n.t('You can copy up to {0} rows. To get more, use Export… on the list', formatNumber(MAX_COPIED)),
    );
  const texts: string[] = [];
  await context.services.ui.progress(l10n.t('Copy as JSON'), async (signal, report) => {
    for (const resource of resources) {
      report(l10n.t('{0} of {1}', formatNumber(texts.length + 1), formatNumber(resources.length)));
      const shownDocument = signal.aborted ? undefined : await readOrOfferSignIn(context, resource);
      if (shownDocument === undefined || signal.aborted) return;
      texts.push(shownDocument.text);
    }
  });
  if (texts.length < resources.length) return undefined;
  // Joined as text, so that large integers keep their digits.
  const text = `[\n  ${texts.map((each) => each.trimEnd().replaceAll('\n', '\n  ')).join(',\n  ')}\n]`;
  await vscode.env.clipboard.writeText(text);
  const message = pluralize(texts.length, l10n.t('Copied the JSON of {0} resource|Copied the JSON of {0} resources'));
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 2500);
  return text;
}

/**
 * Copies the request of a resource, or of a list's row, as a cURL command. Rejects with Error for an unknown
 * connection.
 */
export async function copyCurl(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const command = createRowCurl(context, argument) ?? (await createTargetCurl(context, argument));
  if (command === undefined) return undefined;
  await vscode.env.clipboard.writeText(command);
  const variables = listCredentialVariables(command);
  const message =
    variables === ''
      ? l10n.t('Copied the cURL command')
      : l10n.t('Copied the cURL command. Set {0} in the shell', variables);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 5000);
  return command;
}

async function createTargetCurl(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const resource = getTargetResource(context, argument) ?? (await pickResource(context, l10n.t('Copy as cURL')));
  const definition = resource === undefined ? undefined : getDefinition(resource.kind);
  if (resource === undefined || definition === undefined) return undefined;
  return createResourceCurl(requireSession(context.services.sessions, resource.connection), definition, resource.id);
}

function createRowCurl(context: DocumentsContext, argument: unknown): string | undefined {
  const connection = parseConnection(argument);
  if (
    connection === undefined ||
    getTargetResource(context, argument) !== undefined ||
    typeof argument !== 'object' ||
    argument === null
  )
    return undefined;
  const field = (name: string): unknown => Reflect.get(argument, name);
  const definition = getDefinition(String(field('kind')));
  if (definition?.list === undefined) return undefined;
  const organization = field('organization');
  const known = definition.list.operation.query;
  const query: Record<string, AnyQuery[string]> = {
    ...parseQuery(field('fixed')),
    ...parseQuery(field('filter')),
    ...(typeof organization === 'string' && 'org_id' in known && { org_id: organization }),
  };
  return createListCurl(requireSession(context.services.sessions, connection), definition, query);
}

/** Reads the query of a list's row. */
function parseQuery(query: unknown): Record<string, AnyQuery[string]> {
  if (typeof query !== 'object' || query === null) return {};
  const parsed: Record<string, AnyQuery[string]> = {};
  for (const [name, value] of Object.entries(query) as readonly [string, unknown][]) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') parsed[name] = value;
    else if (typeof value === 'object' && value !== null) parsed[name] = parseDates(value);
  }
  return parsed;
}

function parseDates(value: object): DateRange {
  const now = Date.now();
  const dates: Record<string, string> = {};
  for (const bound of ['gt', 'gte', 'lt', 'lte'] as const) {
    const at: unknown = Reflect.get(value, bound);
    if (typeof at === 'string') dates[bound] = resolveRelativeDate(at, now);
  }
  return dates;
}

/**
 * Opens the resource by the connection's link templates; if none fits, offers the settings. Rejects with PlatformError
 * or Error.
 */
export async function openExternal(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const resource = getTargetResource(context, argument) ?? (await pickResource(context, l10n.t('Open in Console')));
  if (resource === undefined) return undefined;
  const { ui } = context.services;
  const session = requireSession(context.services.sessions, resource.connection);
  const definition = getDefinition(resource.kind);
  // Read only if a template could open a hash or address in the JSON.
  const hasTemplate = Object.values(definition?.links ?? {}).some((kind) => session.profile.links[kind] !== undefined);
  const shownDocument = hasTemplate ? await readOrOfferSignIn(context, resource) : undefined;
  const marks = shownDocument === undefined ? [] : analyse(shownDocument.text, definition).marks;
  const links = getExternalLinks(session, resource, marks);
  if (links.length === 0) {
    const settings = l10n.t('Edit Connections');
    const choice = ui.info(
      l10n.t(
        '{0} has no link template for this resource. Add one under “links” in the settings of the connection.',
        session.profile.name,
      ),
      settings,
    );
    void choice.then((chosen) => (chosen === settings ? context.features.run('editConnections') : undefined));
    return undefined;
  }
  const [only, ...more] = links;
  const link =
    more.length === 0 ? only : (await ui.pick(links.map(createLinkChoice), { title: l10n.t('Open in Console') }))?.link;
  if (link === undefined) return undefined;
  await ui.openExternal(link.url);
  return link.url;
}

function createLinkChoice(link: ExternalLink): vscode.QuickPickItem & { readonly link: ExternalLink } {
  return { label: link.field ?? 'id', description: link.by, detail: link.url, link };
}

/** Copies the id; for several selected rows, one id per line. Rejects with Error. */
export async function copyId(
  context: DocumentsContext,
  argument: unknown,
  selection: unknown,
): Promise<string | undefined> {
  const selected = parseSelection(selection).flatMap((selectedItem) => getCopyableId(selectedItem) ?? []);
  if (selected.length > 1)
    return copyText(selected.join('\n'), pluralize(selected.length, l10n.t('Copied {0} ID|Copied {0} IDs')));
  const target = getTargetResource(context, argument);
  const id = getCopyableId(target ?? argument) ?? getCopyableId(await pickResource(context, l10n.t('Copy ID')));
  return id === undefined ? undefined : copyText(id, l10n.t('Copied {0}', toPlainText(id, 60)));
}

function getCopyableId(argument: unknown): string | undefined {
  const resource = parseResource(argument);
  if (resource === undefined) return parseOrganization(argument);
  return splitResourceId(resource.kind, resource.id).at(-1);
}

async function copyText(text: string, message: string): Promise<string> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 2500);
  return text;
}
