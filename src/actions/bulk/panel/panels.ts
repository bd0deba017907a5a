import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Services } from '../../../commands/context.ts';
import { getErrorMessage } from '../../../model/text/error-message.ts';
import { collectLogIds } from '../../../model/runs/run-record.ts';
import type { Session } from '../../../model/session/session.ts';
import { resolveWorkspaceFile } from '../../../model/files/read-workspace-file.ts';
import { formatPair, pluralize } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import { isObject } from '../../../platform/json/json.ts';
import { MAX_CONCURRENCY, MAX_DRY_RUN_LENGTH, MAX_RATE } from '../../../webviews/protocol/bulk.ts';
import type { ActionsContext } from '../../context.ts';
import type { ActionSource } from '../../file/action-source.ts';
import { getActionName } from '../../file/file-names.ts';
import { createWorkspaceVariables } from '../../variables/workspace-variables.ts';
import { formatPreview, formatTimeText } from '../../preview/format-preview.ts';
import { readPreview } from '../../preview/read-preview.ts';
import { confirmRuns, getSignerCommand } from '../../run/confirm/confirm-runs.ts';
import { prepare } from '../../run/prepare.ts';
import { createBatchPlatform } from '../batch-platform.ts';
import type { BatchData, RowCounts } from '../batch.ts';
import { formatRows, openDataFile } from '../data/open-data.ts';
import { formatBatchEffects, formatCounts, formatProblems } from './format-batch.ts';
import { BulkPanel } from './panel.ts';
import { PanelBatch, type BatchContext } from './panel-batch.ts';
import type { Selection } from './panel-selection.ts';
import { BatchStorage, type StoredBatch } from './panel-storage.ts';
import { RowVariables } from '../rows/row-variables.ts';
import { MAY_HAVE_OPEN_BATCHES, VIEW_TYPE } from './state-keys.ts';
import { watchSources } from './watch-sources.ts';
import { getOrAdd } from '../../../platform/get-or-add.ts';

const DEFAULT_CONCURRENCY = 2;
/** Milliseconds in which objects that rows touched are reported together. */
const TOUCH_DELAY = 2_000;
/** Rows that a panel holds. */
const MAX_ROWS = 50_000;

interface BulkPanelsOptions extends ActionsContext {
  /** called with the ids of objects that rows made or changed */
  readonly onTouch: (connection: string, ids: readonly string[]) => void;
  /** path of the storage of the workspace */
  readonly storage: string;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly view: BulkPanel;
  readonly batch: PanelBatch;
}

/** The panels of batches, one a batch. */
export class BulkPanels {
  readonly #options: BulkPanelsOptions;
  readonly #services: Services;
  readonly #storage: BatchStorage;
  readonly #open = new Map<string, OpenPanel>();
  readonly #contexts = new WeakMap<Session, BatchContext['platform']>();
  /** by connection: ids that are not reported yet */
  readonly #touched = new Map<string, Set<string>>();
  #touchTimer: NodeJS.Timeout | undefined;

  constructor(options: BulkPanelsOptions) {
    this.#options = options;
    this.#services = options.services;
    this.#storage = new BatchStorage(options.storage);
  }

  /** Opens a new batch of an action and a data file of the workspace. Rejects with the file-system error. */
  async openFile(source: ActionSource, data: vscode.Uri, session: Session): Promise<void> {
    const stored = this.#createStored(source, { name: getBaseName(data), uri: data.toString() }, session);
    await this.#storage.save(stored);
    await this.#show(stored);
  }

  /** Opens a new batch of an action and selected resources; `isBeside`: beside the action file. Rejects with the file-system error. */
  async openSelection(source: ActionSource, selection: Selection, session: Session, isBeside: boolean): Promise<void> {
    const stored = this.#createStored(source, { name: selection.name }, session);
    await this.#storage.save(stored, formatRows(selection.columns, selection.rows));
    await this.#show(stored, isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
  }

  /** Fills a panel after a reload of the window. Rejects with Error if its batch is no longer stored. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = isObject(state) ? state['batch'] : undefined;
    const stored = await this.#storage.read(typeof id === 'string' ? id : '');
    if (this.#open.has(stored.id)) panel.dispose();
    else await this.#fill(panel, stored);
  }

  /** Offers to show the batches that an earlier window left unfinished, unless a tab of theirs is restored. Never rejects. */
  async offerInterrupted(): Promise<void> {
    const unfinished = (await this.#storage.list()).filter(
      ({ stored, journal }) => journal?.isUnfinished === true && stored.isDismissed !== true,
    );
    if (unfinished.length === 0) await this.#services.context.workspaceState.update(MAY_HAVE_OPEN_BATCHES, undefined);
    // A tab that is restored shows its batch by itself, once it is selected.
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const restored = new Set(
      tabs.flatMap(({ input, label }) =>
        input instanceof vscode.TabInputWebview && input.viewType.endsWith(VIEW_TYPE) ? [label] : [],
      ),
    );
    for (const { stored, journal } of unfinished)
      if (journal !== undefined && !this.#open.has(stored.id) && !restored.has(getTitle(stored)))
        void this.#offer(stored, journal.counts, journal.isOpen);
  }

  /** Never rejects. */
  async #offer(stored: StoredBatch, counts: RowCounts, isLocked = false): Promise<void> {
    const show = l10n.t('Show');
    const dismiss = l10n.t('Don’t Offer Again');
    const name = toPlainText(`${stored.action.name}, ${stored.data.name}`, 160);
    const { sending, unknown } = counts;
    const rows = `${formatCounts(isLocked ? counts : { ...counts, sending: 0, unknown: unknown + sending })}.`;
    // The lock may be left over: opening it says which file that is.
    const text = isLocked
      ? l10n.t('A batch is unfinished, and may be running in another window: {0}. {1}', name, rows)
      : l10n.t('A batch was interrupted: {0}. {1} It can be resumed.', name, rows);
    try {
      const chosen = await this.#services.ui.warn(text, show, dismiss);
      if (this.#open.has(stored.id)) return;
      if (chosen === show) await this.#show(stored);
      else if (chosen === dismiss) await this.#storage.dismiss(stored.id);
    } catch (error) {
      this.#services.log.error(`${text} ${getErrorMessage(error)}`);
    }
  }

  /** Number of stored batches of a connection. */
  async count(connection: string): Promise<number> {
    return (await this.#storage.list()).filter(({ stored }) => stored.connection === connection).length;
  }

  /** Deletes the stored batches of a connection, and closes their panels. Rejects with the file-system error. */
  async delete(connection: string): Promise<void> {
    for (const { stored } of await this.#storage.list()) {
      if (stored.connection !== connection) continue;
      const open = this.#open.get(stored.id);
      await open?.batch.close();
      open?.panel.dispose();
      await this.#storage.delete(stored.id);
    }
  }

  /** Closes the journals: the next window resumes them. */
  dispose(): void {
    clearTimeout(this.#touchTimer);
    for (const { batch } of this.#open.values()) void batch.close();
  }

  /** Reports touched objects in turn: the rows of a batch are decided many times a second. */
  #touch(connection: string, ids: readonly string[]): void {
    const pending = this.#touched.get(connection) ?? new Set(ids);
    for (const id of ids) pending.add(id);
    this.#touched.set(connection, pending);
    this.#touchTimer ??= setTimeout(() => {
      this.#touchTimer = undefined;
      const all = [...this.#touched];
      this.#touched.clear();
      for (const [name, touched] of all) this.#options.onTouch(name, [...touched]);
    }, TOUCH_DELAY);
  }

  #createStored(source: ActionSource, data: StoredBatch['data'], session: Session): StoredBatch {
    const { name, uri, text } = source;
    return {
      id: this.#storage.createId(),
      action: { name, text, ...(uri !== undefined && { uri: uri.toString() }) },
      data,
      connection: session.profile.name,
      ...(session.identityName !== undefined && { identity: session.identityName }),
      pacing: readPacing(),
    };
  }

  async #show(stored: StoredBatch, column = vscode.ViewColumn.Active): Promise<void> {
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, getTitle(stored), column);
    await this.#fill(panel, stored);
    await this.#storage
      .prune(new Set(this.#open.keys()))
      .catch((error: unknown) => this.#services.log.error(`Clean-up of batches: ${getErrorMessage(error)}`));
  }

  /** Resolves once the rows are read and checked. */
  async #fill(panel: vscode.WebviewPanel, stored: StoredBatch): Promise<void> {
    const services = this.#services;
    const batch = new PanelBatch({
      storage: this.#storage,
      stored,
      labels: services.labels,
      openData: (signal) => this.#openData(stored, signal),
      withFormer: (former, use) => this.#withFormer(former, use),
      onDidChange: (rows) => view.handleChange(rows),
      onTouch: (ids) => this.#touch(stored.connection, ids),
    });
    const view: BulkPanel = new BulkPanel({
      services,
      panel,
      batch,
      createContext: (session) => this.#createContext(session, getSource(batch.stored)),
      confirm: (session) => this.#confirm(batch, session),
      dryRun: (number, signal) => this.#dryRun(batch, number, signal),
      runFailed: () => this.#runFailed(batch),
    });
    this.#open.set(stored.id, { panel, view, batch });
    const reload = async (text: string | undefined): Promise<void> => {
      if (text !== undefined) await batch.setActionText(text);
      await view.reload();
    };
    const watcher = watchSources(batch.stored, (text) => {
      reload(text).catch((error: unknown) => services.log.error(`Check of a batch: ${getErrorMessage(error)}`));
    });
    panel.onDidDispose(() => {
      watcher.dispose();
      this.#open.delete(stored.id);
      void this.#closeBatch(batch);
    });
    await view.load();
  }

  /** The rows under way end, as after Stop; the rest can be resumed. */
  async #closeBatch(batch: PanelBatch): Promise<void> {
    const { phase } = batch;
    const isUnfinished = phase === 'running' || phase === 'paused' || phase === 'stopping' || phase === 'stopped';
    await batch.stop();
    const counts = batch.batch?.totals.counts;
    await batch.close();
    if (isUnfinished && counts !== undefined && counts.notSent > 0) await this.#offer(batch.stored, counts);
  }

  async #openData({ id, data }: StoredBatch, signal: AbortSignal): Promise<BatchData> {
    const { name, uri } = data;
    if (uri === undefined) return openDataFile({ path: this.#storage.getData(id), name, signal, maxRows: MAX_ROWS });
    const file = vscode.Uri.parse(uri);
    const folder = vscode.workspace.getWorkspaceFolder(file);
    const label = toPlainText(name, 100);
    if (folder?.uri.scheme !== 'file' || file.scheme !== 'file')
      throw new Error(l10n.t('{0}: data is read only from open folders on disk', label));
    const real = await resolveWorkspaceFile(
      folder.uri.fsPath,
      undefined,
      path.relative(folder.uri.fsPath, file.fsPath),
      {
        label,
        missing: l10n.t('The file {0} no longer exists', label),
      },
    );
    return openDataFile({ path: real, name, signal, maxRows: MAX_ROWS });
  }

  #createContext(session: Session, source: ActionSource): BatchContext {
    const { store, liveData } = this.#options;
    const { name, baseUrl, environment } = session.profile;
    const live = liveData.get(session);
    const platform = getOrAdd(this.#contexts, session, () => createBatchPlatform(session.client));
    return {
      connection: { name, baseUrl, ...(environment !== undefined && { environment }) },
      platform,
      variables: createWorkspaceVariables(this.#services, store, source, session),
      getSigner: getSignerCommand,
      secrets: this.#services.knownSecrets(),
      knownLogs: () => collectLogIds(store.all.filter(({ origin }) => origin === new URL(baseUrl).origin)),
      getName: (id) => live.getName(id),
      ...(session.signedOutReason === undefined && { live: live.preflight }),
    };
  }

  async #confirm(batch: PanelBatch, session: Session): Promise<Session | undefined> {
    const prepared = prepare(getSource(batch.stored));
    await this.#options.store.load();
    // Another panel may have sent them since the check.
    await batch.checkSentBefore();
    if (!(await this.#chooseRows(batch))) return undefined;
    const effect = formatBatchEffects(batch);
    const [confirmed] =
      (await confirmRuns({ services: this.#services }, [prepared], session, { isExplicit: false }, effect)) ?? [];
    if (confirmed === undefined) batch.skip([]);
    else await this.#services.context.workspaceState.update(MAY_HAVE_OPEN_BATCHES, true);
    return confirmed;
  }

  /** Offers to skip the rows with known problems, those with errors in any case. Resolves with false if cancelled. */
  async #chooseRows(batch: PanelBatch): Promise<boolean> {
    batch.skip([]);
    const { problemRows, errorRows, sendable } = batch;
    const rest = sendable + errorRows.length - problemRows.length;
    if (problemRows.length === 0 || !batch.canSkip || (rest === 0 && errorRows.length === 0)) return true;
    const skip = pluralize(problemRows.length, l10n.t('Skip {0} Row with Problems|Skip {0} Rows with Problems'));
    const all =
      errorRows.length === 0
        ? l10n.t('Run All Rows')
        : pluralize(errorRows.length, l10n.t('Skip Only {0} Row with Errors|Skip Only {0} Rows with Errors'));
    const isSame = problemRows.length === errorRows.length;
    const [summary, ...lines] = formatProblems(batch);
    const chosen = await this.#services.ui.choose(
      { message: formatPair(toPlainText(batch.stored.action.name, 80), summary), detail: lines.join('\n') },
      [...(rest > 0 ? [skip] : []), ...(isSame ? [] : [all])],
    );
    if (chosen !== undefined) batch.skip(chosen === skip ? problemRows : errorRows);
    return chosen !== undefined;
  }

  async #dryRun(
    batch: PanelBatch,
    number: number,
    signal: AbortSignal,
  ): Promise<{ readonly title: string; readonly text: string }> {
    const { input, stored } = batch;
    const row = input.data?.rows[number - 1];
    if (row === undefined) throw new Error(l10n.t('The data has no row {0}', number));
    const session = this.#services.sessions.getIdentity(stored.connection, stored.identity);
    const source = getSource(stored);
    const preview = await readPreview(this.#options, source, session, signal, (others) =>
      new RowVariables(input.file, input.data ?? { columns: [] }, others).forRow(row),
    );
    const findings = input.getFindings(number).map(({ message }) => `- ${message}.`);
    const text = [
      ...(findings.length === 0 ? [] : [...findings, '']),
      formatPreview(preview, { formatTime: formatTimeText }),
    ].join('\n');
    return { title: l10n.t('Preview of row {0}', number), text: text.slice(0, MAX_DRY_RUN_LENGTH) };
  }

  async #runFailed(batch: PanelBatch): Promise<void> {
    const { stored } = batch;
    const unsent = [...this.#open.values()].find(
      (open) => open.batch.stored.former === stored.id && open.batch.isUnsent,
    );
    if (unsent !== undefined) {
      unsent.panel.reveal();
      return;
    }
    const { uri } = stored.action;
    const document = uri === undefined ? undefined : await openDocument(vscode.Uri.parse(uri));
    const next: StoredBatch = {
      ...stored,
      id: this.#storage.createId(),
      // Its failures may have been corrected in the file since.
      action: { ...stored.action, text: document?.getText() ?? stored.action.text },
      former: stored.id,
    };
    await this.#storage.save(next);
    if (stored.data.uri === undefined) await this.#storage.copyData(stored.id, next.id);
    await this.#show(next);
  }

  /** A batch that was opened and not resumed gives its journal up for as long as another one needs it. */
  async #withFormer<T>(id: string, use: () => Promise<T>): Promise<T> {
    const former = this.#open.get(id);
    if (former?.batch.batch?.totals.status !== 'ready') return use();
    await former.batch.close();
    try {
      return await use();
    } finally {
      void former.view.load();
    }
  }
}

function getSource({ action: { name, uri, text } }: StoredBatch): ActionSource {
  return { name, text, ...(uri !== undefined && { uri: vscode.Uri.parse(uri) }) };
}

function getTitle({ action, data }: StoredBatch): string {
  return toPlainText(formatPair(action.name, data.name), 60);
}

function getBaseName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? getActionName(uri.path);
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
}

/** The pace that a new batch starts with; a wrong value counts as unset. */
function readPacing(): StoredBatch['pacing'] {
  const settings = vscode.workspace.getConfiguration('smartObjects');
  const concurrency: unknown = settings.get('bulk.concurrency');
  const rate: unknown = settings.get('bulk.rate');
  const isWhole = typeof concurrency === 'number' && Number.isInteger(concurrency);
  return {
    concurrency: isWhole ? Math.max(1, Math.min(MAX_CONCURRENCY, concurrency)) : DEFAULT_CONCURRENCY,
    ...(typeof rate === 'number' && rate > 0 && { rate: Math.min(MAX_RATE, rate) }),
  };
}
