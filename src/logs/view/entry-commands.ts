import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { formatError } from '../../model/text/error-message.ts';
import { formatOutcome } from '../../model/runs/run-record.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { LogRow, ViewState } from '../../webviews/protocol/logs.ts';
import { formatActionFile } from './action-file.ts';
import { formatRow, getParamsObjectId, parseRaw, type LogEntry } from '../entry.ts';
import type { Step } from '../history/chain.ts';
import { readRunRecords } from '../history/runs.ts';
import { exportEntries } from './export-entries.ts';
import { formatFailureReport } from './failure-report.ts';
import { openStateDiff } from '../history/state-diff.ts';
import { requireSession } from '../../model/session/require-session.ts';

interface EntryCommandsContext {
  readonly getEntry: (key: string) => LogEntry | undefined;
  readonly state: () => ViewState;
  /** Returns the step of the shown history with a log's key. */
  readonly getHistoryStep: (key: string) => Step | undefined;
  /** Returns a row with the best known reason. */
  readonly withReason: (row: LogRow) => LogRow;
}

/** The commands of an entry: open, copy, compare, report, export. Their promises reject with Error. */
export class EntryCommands {
  readonly #features: FeatureContext;
  readonly #services: Services;
  readonly #context: EntryCommandsContext;
  /** batches by id; a session belongs to one identity */
  readonly #batches = new WeakMap<Session, Map<string, { readonly at: number; readonly batch: JsonObject }>>();

  constructor(features: FeatureContext, services: Services, context: EntryCommandsContext) {
    this.#features = features;
    this.#services = services;
    this.#context = context;
  }

  /** Reads an entry by its id. Rejects with PlatformError. */
  async readRaw(
    { id, row }: { readonly id: string; readonly row: Pick<LogRow, 'connection'> },
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { item } = await requireSession(this.#services.sessions, row.connection).client.read(
      'action-logs',
      [id],
      signal === undefined ? {} : { signal },
    );
    return item.raw;
  }

  /** Reads a batch, once if it is completed. Resolves to a message if that fails. Never rejects. */
  async readBatch(session: Session, id: string): Promise<JsonObject | string> {
    const batches = this.#batches.get(session) ?? new Map<string, { at: number; batch: JsonObject }>();
    this.#batches.set(session, batches);
    const known = batches.get(id);
    if (known !== undefined && (readStatus(known.batch) === 'completed' || Date.now() - known.at < 5000))
      return known.batch;
    try {
      const { item } = await session.client.read('batches', [id], { signal: session.ended });
      if (!isObject(item.raw)) return l10n.t('Could not read the batch: the response is not an object.');
      if (batches.size >= 100) batches.clear();
      batches.set(id, { at: Date.now(), batch: item.raw });
      return item.raw;
    } catch (error) {
      return toPlainText(formatError(l10n.t('Read batch'), error), 400);
    }
  }

  #getEntry(key: string): LogEntry {
    const entry = this.#context.getEntry(key);
    if (entry === undefined) throw new Error(l10n.t('the action log is no longer loaded'));
    return entry;
  }

  /** The stored JSON, or read again if it was dropped. */
  async #readFullRaw(entry: LogEntry): Promise<unknown> {
    return parseRaw(entry) ?? (await this.readRaw(entry));
  }

  async openDocument(key: string): Promise<void> {
    const { id, row } = this.#getEntry(key);
    await this.#features.run('openResource', { connection: row.connection, kind: 'action-logs', id });
  }

  async createActionFile(key: string): Promise<void> {
    const entry = this.#getEntry(key);
    const text = formatActionFile(await this.#readFullRaw(entry));
    if (text === undefined) throw new Error(l10n.t('the log does not specify an action'));
    const document = await vscode.workspace.openTextDocument(await findUnusedUri(entry.row.action));
    if (document.getText() === '') {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), this.#services.redact(text));
      await vscode.workspace.applyEdit(edit);
    }
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async showInTree(key: string): Promise<void> {
    const { id, row } = this.#getEntry(key);
    await this.#features.run('reveal', { connection: row.connection, kind: 'action-logs', id });
  }

  async copy(key: string, what: 'id' | 'json' | 'row'): Promise<void> {
    const entry = this.#getEntry(key);
    const { row } = entry;
    const text =
      what === 'id'
        ? entry.id
        : what === 'json'
          ? JSON.stringify(await this.#readFullRaw(entry), null, 2)
          : formatRow(row);
    await vscode.env.clipboard.writeText(this.#services.redact(text));
    vscode.window.setStatusBarMessage(
      what === 'id'
        ? l10n.t('$(check) Copied {0}', toPlainText(text, 60))
        : what === 'json'
          ? l10n.t('$(check) Copied the JSON')
          : l10n.t('$(check) Copied the row'),
      2500,
    );
  }

  exportEntries(entries: readonly LogEntry[]): Promise<vscode.Uri | undefined> {
    return exportEntries(this.#services, entries, (entry, signal) => this.readRaw(entry, signal));
  }

  /** Compares the snapshots of the object before and after a step. */
  async diff(key: string): Promise<void> {
    const step = this.#context.getHistoryStep(key);
    const { filters } = this.#context.state();
    const [connection = ''] = filters.connections;
    if (step === undefined) throw new Error(l10n.t('the log is no longer shown'));
    await openStateDiff(this.#services, connection, filters.object ?? '', step);
  }

  /** Opens a failure report as an unsaved Markdown document. */
  async report(key: string): Promise<void> {
    const entry = this.#getEntry(key);
    const row = this.#context.withReason(entry.row);
    const session = requireSession(this.#services.sessions, row.connection);
    const format = (value: JsonObject | string): string =>
      typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const batch = row.batch === '' ? '' : format(await this.readBatch(session, row.batch));
    const raw = await this.#readFullRaw(entry).catch((error: unknown) => formatError(l10n.t('Read action log'), error));
    const first = row.objects[0] ?? getParamsObjectId(raw);
    const object =
      first === undefined
        ? ''
        : await session.client.read('objects', [first]).then(
            (read) => read.text,
            (error: unknown) => formatError(l10n.t('Read object'), error),
          );
    const run = (await readRunRecords(this.#services.context)).find(({ actionId, logId }) =>
      [actionId, logId].includes(row.id),
    );
    const content = this.#services.redact(
      formatFailureReport({
        row,
        raw,
        connection: row.connection,
        environment: session.profile.environment ?? '',
        batch,
        object,
        run:
          run === undefined
            ? ''
            : l10n.t(
                '{0}, started {1}, {2}',
                run.name,
                new Date(run.started).toISOString(),
                run.outcome === undefined ? l10n.t('in progress') : formatOutcome(run),
              ),
      }),
    );
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
  }
}

/** An untitled URI for a new action file in the workspace, whose name is not in use. */
async function findUnusedUri(action: string): Promise<vscode.Uri> {
  const name = action.replace(/[^\w-]/g, '') || 'action';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const openPaths = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}.action.json`);
    const exists = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!exists && !openPaths.has(uri.path)) return uri.with({ scheme: 'untitled' });
  }
}
