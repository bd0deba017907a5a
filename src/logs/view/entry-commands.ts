import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../../commands/context.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import { formatError } from '../../model/text/error-message.ts';
import { formatOutcome } from '../../model/runs/run-record.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { formatActionFile, formatReproduction } from './action-file.ts';
import { formatRow, getParamsObjectId, type LogEntry } from '../entry.ts';
import { readRunRecords } from '../history/runs.ts';
import type { FailureInbox } from '../inbox.ts';
import { getFailureGroup } from '../../webviews/protocol/failure-groups.ts';
import { exportEntries } from './export-entries.ts';
import type { FailureReasons } from './failure-reasons.ts';
import type { LogReader } from './log-reader.ts';
import type { LogsModel } from './logs-model.ts';
import { formatFailureReport } from './failure-report.ts';
import { requireSession } from '../../model/session/require-session.ts';

interface EntryCommandsContext {
  readonly model: LogsModel;
  readonly reader: LogReader;
  readonly reasons: FailureReasons;
  readonly inbox: FailureInbox;
}

/** The commands of an entry: open, copy, compare, report, export. Their promises reject with Error. */
export class EntryCommands {
  readonly #features: FeatureContext;
  readonly #services: Services;
  readonly #context: EntryCommandsContext;

  constructor(features: FeatureContext, services: Services, context: EntryCommandsContext) {
    this.#features = features;
    this.#services = services;
    this.#context = context;
  }

  #getEntry(key: string): LogEntry {
    const entry = this.#context.model.getEntry(key);
    if (entry === undefined) throw new Error(l10n.t('the action log is no longer loaded'));
    return entry;
  }

  async openDocument(key: string): Promise<void> {
    const { id, row } = this.#getEntry(key);
    await this.#features.run('openResource', { connection: row.connection, kind: 'action-logs', id });
  }

  async createActionFile(key: string): Promise<void> {
    const entry = this.#getEntry(key);
    const text = formatActionFile(await this.#context.reader.readFullRaw(entry));
    await this.#openNewFile(text, entry.row.action, 'action');
  }

  /** Opens a suite that repeats a failed action and expects its failure, as an unsaved file. */
  async reproduce(key: string): Promise<void> {
    const entry = this.#getEntry(key);
    const row = this.#context.reasons.withReason(entry.row);
    const text = formatReproduction(await this.#context.reader.readFullRaw(entry), row);
    await this.#openNewFile(text, `reproduce-${entry.row.action}`, 'actions');
  }

  /** Marks the group of a failure as known on the connections of the view, or no longer. */
  markKnown(key: string, isKnown: boolean): void {
    const { model, reasons, inbox } = this.#context;
    const { row } = this.#getEntry(key);
    inbox.setKnown(model.state.filters.connections, getFailureGroup(reasons.withReason(row)), isKnown);
  }

  /** Opens an unsaved file with a text. Rejects with Error without one. */
  async #openNewFile(text: string | undefined, name: string, kind: 'action' | 'actions'): Promise<void> {
    if (text === undefined) throw new Error(l10n.t('the log does not specify an action'));
    const document = await vscode.workspace.openTextDocument(await findUnusedUri(name, kind));
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
          ? JSON.stringify(await this.#context.reader.readFullRaw(entry), null, 2)
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
    return exportEntries(this.#services, entries, (entry, signal) => this.#context.reader.readRaw(entry, signal));
  }

  /** Opens a failure report as an unsaved Markdown document. */
  async report(key: string): Promise<void> {
    const entry = this.#getEntry(key);
    const row = this.#context.reasons.withReason(entry.row);
    const session = requireSession(this.#services.sessions, row.connection);
    const format = (value: JsonObject | string): string =>
      typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const batch = row.batch === '' ? '' : format(await this.#context.reader.readBatch(session, row.batch));
    const raw = await this.#context.reader
      .readFullRaw(entry)
      .catch((error: unknown) => formatError(l10n.t('Read action log'), error));
    const first = row.objects[0] ?? getParamsObjectId(raw);
    const object =
      first === undefined
        ? ''
        : await session.client.read('objects', [first]).then(
            (read) => read.text,
            (error: unknown) => formatError(l10n.t('Read object'), error),
          );
    const run = (await readRunRecords(this.#services.context)).find(
      ({ connection, actionId, logId }) => connection === row.connection && [actionId, logId].includes(row.id),
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

/** An untitled URI for a new action file or suite in the workspace, whose name is not in use. */
async function findUnusedUri(action: string, kind: 'action' | 'actions'): Promise<vscode.Uri> {
  const name = action.replace(/[^\w-]/g, '') || 'action';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const openPaths = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}.${kind}.json`);
    const exists = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!exists && !openPaths.has(uri.path)) return uri.with({ scheme: 'untitled' });
  }
}
