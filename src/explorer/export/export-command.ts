/** Export…: prompts for format and file, streams the list into it, and resumes interrupted exports. */
import fs from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { DEFAULT_IDENTITY, type Session } from '../../model/session/session.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { formatError, isCancelled } from '../../model/text/error-message.ts';
import { ProgressThrottle } from '../progress-throttle.ts';
import type { ListNode } from '../tree/nodes.ts';
import { resolveFilter } from '../filter/filter.ts';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { toOneLine, toQuickPickText } from '../format.ts';
import type { Tree } from '../tree/tree.ts';
import { PendingExports, type PendingExport } from './pending-exports.ts';
import { savePartial } from '../../ui/save-file.ts';
import { createPartial, reopenPartial } from '../../model/files/write-file.ts';
import { formatExported, getFileName, getPartialPath, notifyExported, pickExportTarget } from './export-target.ts';
import { runExport, NO_PROGRESS } from './run-export.ts';

/**
 * Exports a list, or resumes an export of it. Failures are shown with Resume and Discard. Rejects if the memento
 * cannot be written.
 */
export async function exportList(tree: Tree, services: Services, list: ListNode | undefined): Promise<void> {
  const session = list === undefined ? undefined : tree.session(list);
  const definition = list === undefined ? undefined : tree.definitions[list.kind];
  if (list === undefined || session === undefined || definition === undefined) return;
  const exports = new PendingExports(services.context.workspaceState);
  const pending = await chooseExport(services, exports, session, list, definition);
  if (pending !== undefined) await runPendingExport(services, exports, session, definition, pending);
}

/** An export that has no file yet. */
type PlannedExport = Omit<PendingExport, 'partial' | 'reached'>;

/** Offers interrupted exports of this list before a new one. */
async function chooseExport(
  services: Services,
  exports: PendingExports,
  session: Session,
  list: ListNode,
  definition: ResourceDefinition,
): Promise<PendingExport | PlannedExport | undefined> {
  const { name, baseUrl } = session.profile;
  const stopped = exports.all.filter(
    ({ connection, identity = DEFAULT_IDENTITY, ...each }) =>
      connection === name &&
      identity === (session.identityName ?? DEFAULT_IDENTITY) &&
      each.baseUrl === baseUrl &&
      each.kind === list.kind,
  );
  if (stopped.length > 0) {
    const chosen = await services.ui.pick<vscode.QuickPickItem & { readonly pending?: PendingExport }>(
      [
        ...stopped.map((pending) => ({
          label: l10n.t('Resume {0}', toQuickPickText(getFileName(pending.target))),
          description: l10n.t('{0} so far', formatNumber(pending.reached.count)),
          detail: toQuickPickText(pending.label),
          pending,
        })),
        { label: l10n.t('New Export…') },
      ],
      { title: l10n.t('Export {0}', list.label) },
    );
    if (chosen === undefined || chosen.pending !== undefined) return chosen?.pending;
  }
  return newExport(services, session, list, definition);
}

async function newExport(
  { ui }: Services,
  session: Session,
  list: ListNode,
  definition: ResourceDefinition,
): Promise<PlannedExport | undefined> {
  const chosen = await pickExportTarget(ui, list.label, session, definition);
  if (chosen === undefined) return undefined;
  const now = Date.now();
  const query = {
    ...resolveFilter(list.fixed, now),
    ...resolveFilter(list.filter, now),
  };
  const { profile, identityName: identity } = session;
  const { name, baseUrl } = profile;
  const where = list.parent?.type === 'scope' ? `${list.parent.label} › ${list.label}` : list.label;
  return {
    connection: name,
    ...(identity !== undefined && { identity }),
    baseUrl,
    kind: definition.kind,
    label: toOneLine(where),
    query,
    format: chosen.format,
    target: chosen.target.toString(),
  };
}

/** Opens the partial file of an interrupted export; if it was replaced, creates a new one and starts over. */
async function openPartial(
  planned: PendingExport | PlannedExport,
  storage: vscode.Uri,
): Promise<{ readonly file: fs.FileHandle; readonly pending: PendingExport }> {
  if ('partial' in planned) {
    const file = await reopenPartial(planned.partial, planned.reached.bytes);
    if (file !== undefined) return { file, pending: planned };
  }
  const { file, ...partial } = await createPartial(
    await getPartialPath(vscode.Uri.parse(planned.target, true), storage),
  );
  return { file, pending: { ...planned, partial, reached: NO_PROGRESS } };
}

async function runPendingExport(
  services: Services,
  exports: PendingExports,
  session: Session,
  definition: ResourceDefinition,
  planned: PendingExport | PlannedExport,
): Promise<void> {
  const { ui, log, context } = services;
  const { file, pending } = await openPartial(planned, context.globalStorageUri);
  let { reached: progress } = pending;
  const throttle = new ProgressThrottle(0);
  try {
    const title = l10n.t('Exporting {0} to {1}', pending.label, getFileName(pending.target));
    const count = await ui.progress(title, async (stop, report) => {
      report(l10n.t('{0} so far', formatNumber(progress.count)));
      let savedAt = Date.now();
      return runExport({
        definition,
        format: pending.format,
        query: pending.query,
        pages: (resourceDefinition, query, signal, from) =>
          session.client.listPagesFor(
            resourceDefinition,
            query,
            { signal, bulk: true, largest: true, distinct: true },
            from,
          ),
        file,
        from: progress,
        signal: AbortSignal.any([stop, session.ended]),
        onProgress: (now) => {
          progress = now;
          if (throttle.shouldReport(Date.now())) report(l10n.t('{0} so far', formatNumber(now.count)));
          // Limits what is read again after a crash.
          if (Date.now() - savedAt < 2000) return;
          savedAt = Date.now();
          void exports.save({ ...pending, reached: progress });
        },
      });
    });
    await savePartial(pending.partial.path, vscode.Uri.parse(pending.target, true));
    await exports.delete(pending);
    notifyExported(services, pending.target, formatExported(count, pending.target));
  } catch (error) {
    const stopped = { ...pending, reached: progress };
    await exports.save(stopped);
    const stored = pluralize(
      progress.count,
      l10n.t('{0} item is stored in {1}.|{0} items are stored in {1}.'),
      path.basename(pending.partial.path),
    );
    const cancelled = isCancelled(error) || (error instanceof Error && error.name === 'AbortError');
    const reason = cancelled ? l10n.t('Export stopped.') : formatError(l10n.t('Export {0}', pending.label), error);
    if (!cancelled) log.error(reason);
    const notify = (text: string, ...buttons: string[]): Promise<string | undefined> =>
      cancelled ? ui.info(text, ...buttons) : ui.error(text, ...buttons);
    // Not awaited: the notification may stay open, and the export has ended.
    const resume = l10n.t('Resume');
    const discardFile = l10n.t('Discard');
    void notify(`${reason} ${stored}`, resume, discardFile).then((button) => {
      if (button === resume)
        void vscode.commands.executeCommand('smartObjects.exportCollection', resumeArgument(stopped));
      if (button === discardFile) void discard(exports, stopped);
    });
  }
}

async function discard(exports: PendingExports, pending: PendingExport): Promise<void> {
  await exports.delete(pending);
  await fs.rm(pending.partial.path, { force: true });
}

/** Command argument of Resume. */
interface ResumeArgument {
  readonly resume: string;
}

function resumeArgument({ target }: PendingExport): ResumeArgument {
  return { resume: target };
}

/** Resumes the export to that target URI. Rejects with Error if there is none, or its connection or identity has changed. */
export async function resumeExport(tree: Tree, services: Services, target: string): Promise<void> {
  const exports = new PendingExports(services.context.workspaceState);
  const pending = exports.all.find((each) => each.target === target);
  if (pending === undefined) throw new Error(l10n.t('The export to resume was not found'));
  const session = services.sessions.getIdentity(pending.connection, pending.identity);
  const definition = tree.definitions[pending.kind];
  if (session === undefined || definition === undefined || session.profile.baseUrl !== pending.baseUrl)
    throw new Error(
      l10n.t('The connection {0} has changed since the export was started', toOneLine(pending.connection)),
    );
  await runPendingExport(services, exports, session, definition, pending);
}
