/** Export…: asks for format and file, streams the list into it, and goes on later with what stopped half way. */
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../commands/entry.ts';
import type { Session } from '../../connections/types.ts';
import { pluralOf, type ResourceRow } from '../../platform/resource.ts';
import { errorText, isCancelled } from '../../ui/error-text.ts';
import { GrowingSteps } from '../growing.ts';
import type { ListNode } from '../nodes.ts';
import { queryOf } from '../query.ts';
import { countText, oneLine, pickText } from '../text.ts';
import type { Tree } from '../tree.ts';
import type { Format } from '../../platform/export/format.ts';
import { PendingExports, type Pending } from './pending.ts';
import { createPartial, reopenPartial } from './partial.ts';
import { runExport, START } from './run.ts';

const choices: readonly (vscode.QuickPickItem & { readonly format: Format })[] = [
  { label: 'NDJSON', description: 'one JSON a line', detail: 'For scripts, jq and databases', format: 'ndjson' },
  { label: 'JSON', description: 'one array', detail: 'The server’s own items', format: 'json' },
  { label: 'CSV', description: 'a table', detail: 'For spreadsheets; nested data as JSON in a cell', format: 'csv' },
];

/** Bytes that VS Code opens without a question. */
const EDITABLE = 20_000_000;

export async function exportList(tree: Tree, services: Services, list: ListNode | undefined): Promise<void> {
  const session = list === undefined ? undefined : tree.session(list);
  const row = list === undefined ? undefined : tree.rows[list.kind];
  if (list === undefined || session === undefined || row === undefined) return;
  const exports = new PendingExports(services.context.workspaceState);
  const pending = await chooseExport(services, exports, session, list, row);
  if (pending !== undefined) await exportPending(services, exports, session, row, pending);
}

/** An export before anything of it is written. */
type Planned = Omit<Pending, 'partial' | 'reached'>;

/** One that stopped before, or a new one. */
async function chooseExport(
  services: Services,
  exports: PendingExports,
  session: Session,
  list: ListNode,
  row: ResourceRow,
): Promise<Pending | Planned | undefined> {
  const { name, baseUrl } = session.profile;
  const stopped = exports.all.filter(
    (each) => each.connection === name && each.baseUrl === baseUrl && each.kind === list.kind,
  );
  if (stopped.length > 0) {
    const chosen = await services.ui.pick<vscode.QuickPickItem & { readonly pending?: Pending }>(
      [
        ...stopped.map((pending) => ({
          label: `Resume ${pickText(nameOf(pending))}`,
          description: `${countText(pending.reached.count)} so far`,
          detail: pickText(pending.label),
          pending,
        })),
        { label: 'New Export…' },
      ],
      { title: `Export ${list.label}` },
    );
    if (chosen === undefined || chosen.pending !== undefined) return chosen?.pending;
  }
  return newExport(services, session, list, row);
}

async function newExport(
  { ui }: Services,
  session: Session,
  list: ListNode,
  row: ResourceRow,
): Promise<Planned | undefined> {
  const chosen = await ui.pick(choices, { title: `Export ${list.label}`, placeHolder: 'Format' });
  if (chosen === undefined) return undefined;
  const { format } = chosen;
  const day = new Date().toISOString().slice(0, 10);
  const folder =
    vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env['HOME'] ?? path.resolve('.'));
  const target = await ui.saveAs({
    title: `Export ${list.label} of ${session.heading}`,
    saveLabel: 'Export',
    defaultUri: vscode.Uri.joinPath(folder, `${row.kind}-${day}.${format}`),
    filters: { [chosen.label]: [format] },
  });
  if (target === undefined) return undefined;
  const now = Date.now();
  const largest = row.list?.operation.query['limit'];
  const limit = session.profile.pageSize ?? (largest?.type === 'limit' ? largest.max : undefined);
  const query = { ...queryOf(list.fixed, now), ...queryOf(list.filter, now), ...(limit !== undefined && { limit }) };
  const { name, baseUrl } = session.profile;
  const where = list.parent?.type === 'scope' ? `${list.parent.label} › ${list.label}` : list.label;
  return {
    connection: name,
    baseUrl,
    kind: row.kind,
    label: oneLine(where),
    format,
    query,
    target: target.toString(),
  };
}

/** The file of an export that stopped, where it is still the one that was written; else a new one, and all is read again. */
async function openPartial(
  planned: Pending | Planned,
  storage: vscode.Uri,
): Promise<{ readonly file: fs.FileHandle; readonly pending: Pending }> {
  if ('partial' in planned) {
    const file = await reopenPartial(planned.partial, planned.reached.bytes);
    if (file !== undefined) return { file, pending: planned };
  }
  const { file, ...partial } = await createPartial(await besideOf(vscode.Uri.parse(planned.target, true), storage));
  return { file, pending: { ...planned, partial, reached: START } };
}

/** Beside the file where that is a real one; else in our own folder, to be copied at the end. */
async function besideOf(target: vscode.Uri, storage: vscode.Uri): Promise<string> {
  if (target.scheme === 'file') return target.fsPath;
  await fs.mkdir(storage.fsPath, { recursive: true });
  return path.join(storage.fsPath, 'export');
}

async function exportPending(
  services: Services,
  exports: PendingExports,
  session: Session,
  row: ResourceRow,
  planned: Pending | Planned,
): Promise<void> {
  const { ui, log, context } = services;
  const things = pluralOf(row);
  const { file, pending } = await openPartial(planned, context.globalStorageUri);
  let { reached } = pending;
  const steps = new GrowingSteps(0);
  try {
    const exporting = ui.progress(`Export ${things} to ${nameOf(pending)}`, async (stop, say) => {
      say(`${countText(reached.count)} so far`);
      let savedAt = Date.now();
      return runExport({
        row,
        format: pending.format,
        query: pending.query,
        pages: (of, query, signal, from) => session.client.pagesOf(of, query, { signal, passing: true }, from),
        file,
        from: reached,
        signal: AbortSignal.any([stop, session.ended]),
        reached: (now) => {
          reached = now;
          if (steps.isSayable(Date.now())) say(`${countText(now.count)} so far`);
          // Should the window die, little is read again.
          if (Date.now() - savedAt < 2000) return;
          savedAt = Date.now();
          void exports.keep({ ...pending, reached });
        },
      });
    });
    const count = await exporting.finally(() => file.close());
    await finish(pending);
    await exports.drop(pending);
    done(services, pending, `Exported ${countText(count)} ${things} to ${nameOf(pending)}.`);
  } catch (error) {
    const stopped = { ...pending, reached };
    await exports.keep(stopped);
    const kept = `${countText(reached.count)} ${things} are kept in ${path.basename(pending.partial.path)}`;
    const cancelled = isCancelled(error) || (error instanceof Error && error.name === 'AbortError');
    const reason = cancelled ? 'Export stopped.' : errorText(`Export ${things}`, error);
    if (!cancelled) log.error(reason);
    const tell = (text: string, ...buttons: string[]): Promise<string | undefined> =>
      cancelled ? ui.info(text, ...buttons) : ui.error(text, ...buttons);
    // Not awaited: the notification may stand for long, and the export is over.
    void tell(`${reason} ${kept}.`, 'Resume', 'Discard').then((button) => {
      if (button === 'Resume')
        void vscode.commands.executeCommand('smartObjects.exportCollection', resumeArgument(stopped));
      if (button === 'Discard') void discard(exports, stopped);
    });
  }
}

async function finish({ target, partial }: Pending): Promise<void> {
  const uri = vscode.Uri.parse(target, true);
  if (uri.scheme === 'file') {
    await fs.rename(partial.path, uri.fsPath);
    return;
  }
  await vscode.workspace.fs.copy(vscode.Uri.file(partial.path), uri, { overwrite: true });
  await fs.rm(partial.path, { force: true });
}

async function discard(exports: PendingExports, pending: Pending): Promise<void> {
  await exports.drop(pending);
  await fs.rm(pending.partial.path, { force: true });
}

function done({ ui }: Services, { target }: Pending, text: string): void {
  const open = 'Open File';
  void ui.info(text, open).then((button) => {
    if (button === open) void openExported(vscode.Uri.parse(target, true)).catch(failed);
  });
  const failed = (error: unknown): void => {
    void ui.error(errorText(`Open ${nameOf({ target })}`, error));
  };
}

async function openExported(uri: vscode.Uri): Promise<void> {
  const { size } = await vscode.workspace.fs.stat(uri);
  // What is too large for an editor is for another program; a browser and a remote window have none beside them.
  const { remoteName, uiKind } = vscode.env;
  const isHere = uri.scheme === 'file' && remoteName === undefined && uiKind === vscode.UIKind.Desktop;
  await vscode.commands.executeCommand(size > EDITABLE && isHere ? 'revealFileInOS' : 'vscode.open', uri);
}

function nameOf({ target }: Pick<Pending, 'target'>): string {
  return oneLine(path.posix.basename(vscode.Uri.parse(target, true).path));
}

/** What Resume hands to the command. */
export interface ResumeArgument {
  readonly resume: string;
}

function resumeArgument({ target }: Pending): ResumeArgument {
  return { resume: target };
}

/** Goes on with the export to that file, from the start of what is missing. */
export async function resumeExport(tree: Tree, services: Services, target: string): Promise<void> {
  const exports = new PendingExports(services.context.workspaceState);
  const pending = exports.all.find((each) => each.target === target);
  if (pending === undefined) throw new Error('There is no such export to resume');
  const session = services.sessions.get(pending.connection);
  const row = tree.rows[pending.kind];
  if (session === undefined || row === undefined || session.profile.baseUrl !== pending.baseUrl)
    throw new Error(`The connection ${oneLine(pending.connection)} is not the one that the export began on`);
  await exportPending(services, exports, session, row, pending);
}
