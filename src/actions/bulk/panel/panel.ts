/** The panel of a batch: rows, check, progress and results. */
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { getTitleOrId } from '../../../cache/title-lookup.ts';
import type { Services } from '../../../commands/context.ts';
import { getErrorMessage } from '../../../model/text/error-message.ts';
import type { Session } from '../../../model/session/session.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import {
  bulkProtocol,
  MAX_TEXT_LENGTH,
  type BulkRow,
  type BulkState,
  type RowFilter,
} from '../../../webviews/protocol/bulk.ts';
import { createWebviewHost, type WebviewHost } from '../../../webviews/webview-host.ts';
import { formatBatchNotice, formatBatchProgress, formatBatchSummary } from './format-batch.ts';
import type { BatchContext, PanelBatch } from './panel-batch.ts';
import { confirmSettling, exportResults, openRowLink, pickDecision } from './panel-commands.ts';

interface BulkPanelOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly batch: PanelBatch;
  /** what the batch needs of a session */
  readonly createContext: (session: Session) => BatchContext;
  /** asks before rows are sent; resolves with the session to use, `undefined` if the user declined */
  readonly confirm: (session: Session) => Promise<Session | undefined>;
  readonly dryRun: (number: number, signal: AbortSignal) => Promise<{ readonly title: string; readonly text: string }>;
  /** opens a panel with the refused and failed rows */
  readonly runFailed: () => Promise<void>;
}

/** One panel. It posts the whole state, and of the rows only those that the view shows. */
export class BulkPanel {
  readonly #options: BulkPanelOptions;
  readonly #host: WebviewHost<(typeof bulkProtocol)['toView']>;
  #filter: RowFilter = 'all';
  #numbers: readonly number[] = [];
  #version = 0;
  #shown = { from: 0, count: 0 };
  #session: Session | undefined;
  #isConfirming = false;

  constructor(options: BulkPanelOptions) {
    this.#options = options;
    const { services, panel, batch } = options;
    const { context, log, ui, sessions } = services;
    panel.iconPath = new vscode.ThemeIcon('run-all');
    this.#host = createWebviewHost(bulkProtocol, {
      container: panel,
      extensionUri: context.extensionUri,
      log,
      ui,
      bundle: 'bulk',
      title: panel.title,
      postState: () => this.#postState(),
      handlers: {
        showRows: async ({ from, count, version }) => {
          if (version !== this.#version) return;
          this.#shown = { from, count };
          await this.#postRows();
        },
        filter: ({ filter }) => {
          this.#filter = filter;
          this.#select();
          this.#postState();
        },
        setType: async ({ column, type }) => {
          if (this.#isConfirming) return;
          await batch.setType(column, type);
          await this.reload();
        },
        setPace: ({ concurrency, rate }) => batch.setPacing({ concurrency, ...(rate !== undefined && { rate }) }),
        run: () => this.#run(),
        reload: () => this.load(),
        pause: () => batch.pause(),
        continue: () => batch.continue(),
        stop: () => batch.stop(),
        runFailed: options.runFailed,
        settle: ({ number }) => this.#settle(number),
        export: () => exportResults(services, batch),
        dryRun: async ({ number }) => {
          const { title, text } = await options.dryRun(number, this.#host.disposeSignal);
          this.#host.post('dryRun', { title: toPlainText(title, MAX_TEXT_LENGTH), text });
        },
        openLink: ({ number, link }) => openRowLink(services, batch, number, link),
      },
      operations: {
        showRows: l10n.t('Read rows'),
        run: l10n.t('Run the batch'),
        runFailed: l10n.t('Run failed rows again'),
        settle: l10n.t('Settle unknown rows'),
        export: l10n.t('Export results'),
        dryRun: l10n.t('Preview row'),
        setPace: l10n.t('Change the rate'),
        setType: l10n.t('Change the type of a column'),
      },
    });
    this.#host.register(sessions.onDidChange(() => this.#handleSessionChange()));
  }

  /** Reads and checks the rows, or opens the journal. Never rejects. */
  async load(): Promise<void> {
    const { batch, createContext } = this.#options;
    this.#session = this.#findSession();
    await batch.load(this.#session === undefined ? undefined : createContext(this.#session));
  }

  /** Reads and checks again after a change of the action or the data; not once rows were sent. */
  async reload(): Promise<void> {
    if (this.#options.batch.isUnsent && !this.#isConfirming) await this.load();
  }

  /** To be called with each change of the batch. */
  handleChange(rows: ReadonlySet<number> | undefined): void {
    const isSelected = this.#select();
    if (rows === undefined || isSelected) this.#postState();
    if (isSelected) return;
    void this.#postRows(rows).catch((error: unknown) =>
      this.#options.services.log.error(`Rows of a batch: ${getErrorMessage(error)}`),
    );
  }

  /** The session of the identity that the batch was opened with. */
  #findSession(): Session | undefined {
    const { batch, services } = this.#options;
    return services.sessions.getIdentity(batch.stored.connection, batch.stored.identity);
  }

  #handleSessionChange(): void {
    const { batch } = this.#options;
    const now = this.#findSession();
    if (now === this.#session || this.#isConfirming) return;
    // Nothing is sent with a credential that the user gave up.
    if (!batch.isUnsent) void batch.stop();
    else void this.load();
    this.#session = now;
  }

  #requireSession(): Session {
    const session = this.#findSession();
    if (session !== undefined) return session;
    const name = toPlainText(this.#options.batch.stored.connection, 64);
    throw new Error(l10n.t('The connection “{0}” does not exist', name));
  }

  /** Settles a row as the user chooses, or all with exactly one possible log after confirmation. */
  async #settle(number: number | undefined): Promise<void> {
    const { batch, services, createContext } = this.#options;
    if (this.#isConfirming) return;
    const context = createContext(this.#requireSession());
    this.#isConfirming = true;
    try {
      const decisions =
        number === undefined
          ? await this.#ask(confirmSettling(services.ui, batch))
          : await this.#ask(pickDecision(services.ui, batch, number, context.platform, this.#host.disposeSignal));
      if (decisions === undefined) return;
      await batch.settle(context, decisions, this.#host.disposeSignal);
    } finally {
      this.#isConfirming = false;
    }
  }

  /**
   * Resolves as the dialog does, with the focus back in the page: VS Code returns it only to the frame around the page.
   * Rejects with Error for an answer after the panel was closed: rows are sent only while they can be seen and stopped.
   */
  async #ask<T>(dialog: Promise<T | undefined>): Promise<T | undefined> {
    try {
      const answer = await dialog;
      if (answer !== undefined && this.#host.disposeSignal.aborted)
        throw new Error(l10n.t('The panel was closed. Nothing was sent'));
      return answer;
    } finally {
      if (!this.#host.disposeSignal.aborted) this.#options.panel.reveal();
    }
  }

  async #run(): Promise<void> {
    const { batch, confirm, createContext } = this.#options;
    if (!batch.canRun || this.#isConfirming) return;
    const session = this.#requireSession();
    this.#isConfirming = true;
    try {
      // Following and looking up only read.
      const confirmed = batch.sendable === 0 ? session : await this.#ask(confirm(session));
      if (confirmed === undefined) return;
      this.#session = confirmed;
      const confirmMore = async (): Promise<boolean> => (await this.#ask(confirm(confirmed))) === confirmed;
      await batch.run(createContext(confirmed), confirmMore, this.#host.disposeSignal);
    } finally {
      this.#isConfirming = false;
      // The change waited for the answer.
      if (batch.isActionChanged) await this.reload();
    }
  }

  /** Applies the filter; returns whether other rows are at the known positions now. */
  #select(): boolean {
    const numbers = this.#options.batch.select(this.#filter);
    const before = this.#numbers;
    if (numbers.length === before.length && numbers.every((number, position) => number === before[position]))
      return false;
    this.#numbers = numbers;
    this.#version++;
    return true;
  }

  #postState(): void {
    const { batch } = this.#options;
    const { stored } = batch;
    const { pacing } = stored;
    const session = this.#findSession();
    const state: BulkState = {
      title: toPlainText(l10n.t('{0}: {1}', stored.action.name, stored.data.name), MAX_TEXT_LENGTH),
      summary: toPlainText(formatBatchSummary(batch, session?.heading ?? stored.connection), MAX_TEXT_LENGTH),
      phase: batch.phase,
      progress: toPlainText(formatBatchProgress(batch), MAX_TEXT_LENGTH),
      notice: formatBatchNotice(batch),
      columns: [...batch.input.columns],
      canChangeTypes: batch.canChangeTypes,
      counts: batch.countRows(),
      filter: this.#filter,
      matching: this.#numbers.length,
      sendable: batch.sendable,
      canRun: batch.canRun,
      settleable: batch.onlyLogs.size,
      canReload: batch.problem !== undefined,
      ...pacing,
      batch: stored.id,
      version: this.#version,
    };
    this.#host.post('state', state);
  }

  /** Posts the rows that the view shows, or those of them that are in `changed`. */
  async #postRows(changed?: ReadonlySet<number>): Promise<void> {
    const version = this.#version;
    const { from, count } = this.#shown;
    const shown = this.#numbers
      .slice(from, from + count)
      .map((number, index) => ({ position: from + index, number }))
      .filter(({ number }) => changed?.has(number) !== false);
    if (shown.length === 0) return;
    const rows = await this.#options.batch.readRows(shown.map(({ number }) => number));
    if (version !== this.#version) return;
    this.#host.post('rows', {
      version,
      rows: rows.flatMap((row, index) => {
        const position = shown[index]?.position;
        return position === undefined ? [] : [{ position, row: this.#addName(row) }];
      }),
    });
  }

  #addName(row: BulkRow): BulkRow {
    const { services, batch } = this.#options;
    const name = getTitleOrId(services, { connection: batch.stored.connection, kind: 'objects', id: row.object });
    return name === row.object ? row : { ...row, objectName: name };
  }
}
