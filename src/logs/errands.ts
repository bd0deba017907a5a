/** What a person does with an entry of a view: open, copy, compare, report, export; each tells what went wrong. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import type { LogRow, ViewState } from '../webviews/protocol-logs.ts';
import { actionText } from './action-text.ts';
import { objectInParams, rowText, type LogEntry } from './entry.ts';
import { failureReport, rawOf, type Step } from './history.ts';
import { keptRuns } from './runs.ts';
import { saveEntries } from './save.ts';
import { seenStates } from './seen-states.ts';
import { stateUri } from './state-text.ts';

export interface Around {
  readonly entryOf: (key: string) => LogEntry | undefined;
  readonly state: () => ViewState;
  readonly historyStep: (key: string) => Step | undefined;
  /** a row with the best reason that is known */
  readonly shown: (row: LogRow) => LogRow;
}

export class Errands {
  readonly #entry: Entry;
  readonly #services: Services;
  readonly #around: Around;
  /** of one identity each */
  readonly #batches = new WeakMap<Session, Map<string, { readonly at: number; readonly batch: JsonObject }>>();

  constructor(entry: Entry, services: Services, around: Around) {
    this.#entry = entry;
    this.#services = services;
    this.#around = around;
  }

  /** A click is a person's own: what fails is told. */
  tell(what: string, work: () => unknown): void {
    void (async () => {
      try {
        await work();
      } catch (error) {
        if (isCancelled(error) || (error instanceof Error && error.name === 'AbortError')) return;
        const text = errorText(what, error);
        this.#services.log.error(text);
        await this.#services.ui.error(text);
      }
    })();
  }

  async readRaw(
    { id, row }: { readonly id: string; readonly row: Pick<LogRow, 'connection'> },
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { item } = await this.#session(row.connection).client.read(
      'action-logs',
      [id],
      signal === undefined ? {} : { signal },
    );
    return item.raw;
  }

  /** The raw batch, or why it cannot be shown. One that is settled is not read again. */
  async readBatch(session: Session, id: string): Promise<JsonObject | string> {
    const batches = this.#batches.get(session) ?? new Map<string, { at: number; batch: JsonObject }>();
    this.#batches.set(session, batches);
    const known = batches.get(id);
    if (known !== undefined && (known.batch['status'] === 'completed' || Date.now() - known.at < 5000))
      return known.batch;
    try {
      const { item } = await session.client.read('batches', [id], { signal: session.ended });
      if (!isObject(item.raw)) return 'The batch could not be read: the answer is no object';
      if (batches.size >= 100) batches.clear();
      batches.set(id, { at: Date.now(), batch: item.raw });
      return item.raw;
    } catch (error) {
      return plainText(errorText('Read batch', error), 400);
    }
  }

  #session(connection: string): Session {
    const session = this.#services.sessions.get(connection);
    if (session === undefined) throw new Error(`there is no connection “${connection}” now`);
    return session;
  }

  #found(key: string): LogEntry {
    const entry = this.#around.entryOf(key);
    if (entry === undefined) throw new Error('the entry is no longer loaded');
    return entry;
  }

  /** As it is held, or read again where it was too long. */
  async #rawOf(entry: LogEntry): Promise<unknown> {
    return rawOf(entry) ?? (await this.readRaw(entry));
  }

  async openDocument(key: string): Promise<void> {
    const { id, row } = this.#found(key);
    await this.#entry.run('openResource', { connection: row.connection, kind: 'action-logs', id });
  }

  async newAction(key: string): Promise<void> {
    const entry = this.#found(key);
    const text = actionText(await this.#rawOf(entry));
    if (text === undefined) throw new Error('the log names no action');
    const document = await vscode.workspace.openTextDocument(await freeUri(entry.row.action));
    if (document.getText() === '') {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), this.#services.redact(text));
      await vscode.workspace.applyEdit(edit);
    }
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async showInTree(key: string): Promise<void> {
    const { id, row } = this.#found(key);
    await this.#entry.run('reveal', { connection: row.connection, kind: 'action-logs', id });
  }

  async copy(key: string, what: 'id' | 'json' | 'row'): Promise<void> {
    const entry = this.#found(key);
    const { row } = entry;
    const text =
      what === 'id' ? entry.id : what === 'json' ? JSON.stringify(await this.#rawOf(entry), null, 2) : rowText(row);
    await vscode.env.clipboard.writeText(this.#services.redact(text));
    vscode.window.setStatusBarMessage(
      `$(check) Copied ${what === 'id' ? plainText(text, 60) : what === 'json' ? 'JSON' : 'row'}`,
      2500,
    );
  }

  save(entries: readonly LogEntry[]): Promise<vscode.Uri | undefined> {
    return saveEntries(this.#services, entries, (entry, signal) => this.readRaw(entry, signal));
  }

  /** The object before and after a step, as the extension saw it. */
  async diff(key: string): Promise<void> {
    const step = this.#around.historyStep(key);
    const { filters } = this.#around.state();
    const [connection = ''] = filters.connections;
    const { object = '' } = filters;
    if (step === undefined) throw new Error('the step is no longer shown');
    const { prev, next } = step;
    const states = await seenStates(this.#services, connection, object);
    if (states(prev) === undefined) throw new Error('no snapshot of the state before');
    if (states(next) === undefined) throw new Error('no snapshot of the state after');
    const { row } = step.entry;
    await vscode.commands.executeCommand(
      'vscode.diff',
      stateUri(connection, object, prev),
      stateUri(connection, object, next),
      `${plainText(object, 40)}: before ↔ after ${row.alias || row.action}`,
      { preview: true },
    );
  }

  /** A Markdown document, not saved: a person reads it before it leaves. */
  async report(key: string): Promise<void> {
    const entry = this.#found(key);
    const row = this.#around.shown(entry.row);
    const session = this.#session(row.connection);
    const text = (value: JsonObject | string): string =>
      typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const batch = row.batch === '' ? '' : text(await this.readBatch(session, row.batch));
    const raw = await this.#rawOf(entry).catch((error: unknown) => errorText('Read action log', error));
    const first = row.objects[0] ?? objectInParams(raw);
    const object =
      first === undefined
        ? ''
        : await session.client.read('objects', [first]).then(
            (read) => read.text,
            (error: unknown) => errorText('Read object', error),
          );
    const run = (await keptRuns(this.#services.context)).find(({ actionId, logId }) =>
      [actionId, logId].includes(row.id),
    );
    const content = this.#services.redact(
      failureReport({
        row,
        raw,
        connection: row.connection,
        environment: session.profile.environment ?? '',
        batch,
        object,
        run:
          run === undefined
            ? ''
            : `${run.name}, started ${new Date(run.started).toISOString()}, ${run.outcome ?? 'not ended'}`,
      }),
    );
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
  }
}

/** Named as an action file, not saved, to be saved beside the others; none that is open or there. */
async function freeUri(action: string): Promise<vscode.Uri> {
  const name = action.replace(/[^\w-]/g, '') || 'action';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}.action.json`);
    const there = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!there && !taken.has(uri.path)) return uri.with({ scheme: 'untitled' });
  }
}
