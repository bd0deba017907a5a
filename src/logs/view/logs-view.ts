import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../../commands/context.ts';
import { createWebviewHost, type WebviewContainer, type WebviewHost } from '../../webviews/webview-host.ts';
import {
  logsProtocol,
  type LogDetails,
  type FeedState,
  type ObjectHistory,
  type ViewState,
} from '../../webviews/protocol/logs.ts';
import { addRowNames, addSignerLabel } from './add-row-names.ts';
import { formatFilterLabels } from './choose-filter.ts';
import { DetailsController } from './details-controller.ts';
import { endDrillDown } from './drill-down.ts';
import { getEntryKey, type LogEntry } from '../entry.ts';
import { EntryCommands } from './entry-commands.ts';
import { Feed } from '../stream/feed.ts';
import { followActiveConnection, unpin } from './follow-active.ts';
import { createMessageHandlers, MESSAGE_OPERATIONS } from './message-handlers.ts';
import { HistoryController } from '../history/history-controller.ts';
import { isSameFilters } from '../stream/query.ts';
import { systemClock } from '../stream/clock.ts';
import { FailureReasons } from './failure-reasons.ts';
import { getActiveFilters, showsFailures } from './failures-mode.ts';
import { RowBatcher } from './row-batcher.ts';
import type { ViewTitle } from './view-title.ts';
import { readRunRecords } from '../history/runs.ts';

interface LogsViewOptions {
  readonly features: FeatureContext;
  readonly services: Services;
  readonly container: WebviewContainer;
  /** in an editor tab, not in the panel */
  readonly tab: boolean;
  readonly state: ViewState;
  /** when this window was opened: milliseconds since the epoch */
  readonly started: number;
  readonly openTab: (state: ViewState) => void;
  readonly copyLink: (state: ViewState) => Promise<unknown>;
  /** the title of the panel's view; a tab has its controls in the page */
  readonly title?: ViewTitle;
  /** Called when the state changes, to store it. */
  readonly changed: (state: ViewState) => void;
}

/** One view of the logs, in the panel or an editor tab: holds its state and feed, and posts them to the webview. */
export class LogsView {
  readonly #options: LogsViewOptions;
  readonly #feed: Feed;
  /** Handlers of the webview's messages. */
  readonly handlers: ReturnType<typeof createMessageHandlers>;
  readonly #host: WebviewHost<typeof logsProtocol.toView>;
  readonly #commands: EntryCommands;
  readonly #rows: RowBatcher;
  readonly #reasons: FailureReasons;
  readonly #history: HistoryController;
  readonly #details: DetailsController;
  #state: ViewState;
  #focus: 'grid' | 'find' | undefined;

  constructor(options: LogsViewOptions) {
    this.#options = options;
    const { services, container } = options;
    this.#state = followActiveConnection(options.state, services.sessions.active?.profile.name);
    const readSetting = (name: string, fallback: number): number => {
      const value: unknown = vscode.workspace.getConfiguration('smartObjects.logs').get(name);
      return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
    };
    this.#feed = new Feed({
      getSession: (name) => services.sessions.get(name),
      clock: systemClock,
      interval: () => Math.max(1, readSetting('refreshInterval', 3)) * 1000,
      bufferSize: () => readSetting('bufferSize', 10_000),
      started: options.started,
      changed: (change) => {
        this.#rows.add(change);
      },
      stateChanged: () => {
        this.#rows.schedule();
      },
    });
    this.#rows = new RowBatcher(
      this.#feed.buffer,
      () => {
        this.#flush();
      },
      (row) => addRowNames(services, this.#reasons.withReason(row)),
    );
    this.#history = new HistoryController({
      services,
      post: (history) =>
        this.#host.post('history', {
          ...history,
          steps: history.steps.map((step) => addSignerLabel(services.labels, step)),
        }),
      changed: () => void this.#details.show(),
    });
    this.#commands = new EntryCommands(options.features, services, {
      getEntry: (key) => this.#getEntry(key),
      state: () => this.#state,
      getHistoryStep: (key) => this.#history.getStep(key),
      withReason: (row) => this.#reasons.withReason(row),
    });
    this.#reasons = new FailureReasons({
      runs: () => readRunRecords(services.context),
      readBatch: async (connection, id) => {
        const session = services.sessions.get(connection);
        if (session === undefined || session.signedOutReason !== undefined || !this.#host.visible) return '';
        return this.#commands.readBatch(session, id);
      },
      now: Date.now,
      changed: (keys) => {
        this.#rows.refresh(keys);
        if (this.#selected !== undefined && keys.includes(this.#selected.key)) void this.#details.show();
      },
    });
    this.#details = new DetailsController({
      services,
      withReason: (row) => this.#reasons.withReason(row),
      commands: this.#commands,
      getSelected: () => this.#selected,
      getMissing: () => {
        const { selected: id } = this.#state;
        const connections = this.#selectedConnections;
        const { phase, readingOlder } = this.#feed.state;
        const reading = readingOlder || (phase !== 'live' && phase !== 'idle' && phase !== 'ended');
        return id === undefined || reading || this.#selected !== undefined ? undefined : { id, connections };
      },
      visible: () => this.#host.visible,
      post: (details) => this.#host.post('details', details),
    });
    this.handlers = createMessageHandlers(options.features, services, this.#commands, {
      feed: this.#feed,
      getState: () => this.#state,
      getEntries: () => this.entries,
      getEntry: (key) => this.#getEntry(key),
      getExternalUrl: (index) => this.#details.getExternalUrl(index),
      setState: (change) => {
        this.#updateState(change);
      },
      saveState: (change) => {
        this.#saveState(change);
      },
      select: (entry) => {
        this.#select(entry);
      },
      readHistory: () => void this.#history.read(this.#state.filters),
      find: () => {
        this.find();
      },
      setSummary: (text) => options.title?.setSummary(text),
      pin: (pinned) => {
        const active = services.sessions.active?.profile.name;
        this.show(pinned ? { ...this.#state, following: false } : unpin(this.#state, active));
      },
      openTab: () => {
        // A tab keeps its connection when another becomes active.
        options.openTab({ ...this.#state, following: false });
      },
      copyLink: () => options.copyLink(this.#state),
    });
    this.#host = createWebviewHost(logsProtocol, {
      container,
      extensionUri: services.context.extensionUri,
      log: services.log,
      ui: services.ui,
      bundle: 'logs',
      title: l10n.t('Action Logs'),
      postState: () => {
        this.#postAll();
      },
      handlers: this.handlers,
      operations: MESSAGE_OPERATIONS,
      onDidChangeVisibility: (visible) => {
        this.#feed.setVisible(visible && this.#state.mode !== 'history');
        if (!visible) this.#history.stop();
      },
    });
    this.#host.register({
      dispose: () => {
        this.dispose();
      },
    });
    this.#host.register(
      services.sessions.onDidChange(() => {
        this.#sessionsChanged();
      }),
    );
    this.#host.register(
      services.labels.onDidChange(() => {
        this.#postAll();
      }),
    );
    this.#host.register(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('smartObjects.logs.bufferSize')) this.#feed.updateLimit();
        if (change.affectsConfiguration('smartObjects.logs.refreshInterval')) this.#feed.intervalChanged();
      }),
    );
    // The names of filtered resources may be known from earlier windows.
    void services.knownIds.load().then(() => {
      this.#rows.schedule();
    });
    this.#restart();
  }

  get state(): ViewState {
    return this.#state;
  }

  /** An editor tab, not the panel's view. */
  get tab(): boolean {
    return this.#options.tab;
  }

  get visible(): boolean {
    return this.#host.visible;
  }

  /** State of the feed as posted to the webview. */
  get feed(): FeedState {
    return this.#feed.state;
  }

  get history(): ObjectHistory | undefined {
    return this.#history.history;
  }

  /** Details last posted to the webview. */
  get details(): LogDetails | undefined {
    return this.#details.details;
  }

  /** Loaded entries, oldest first. */
  get entries(): readonly LogEntry[] {
    return this.#feed.buffer.list;
  }

  /** Shows a state. `focus`: what gets the keyboard focus. */
  show(state: ViewState, focus: 'grid' | 'find' = 'grid'): void {
    const before = this.#state;
    this.#state = state;
    this.#focus = focus;
    const isSameFeed =
      (before.mode === 'history') === (state.mode === 'history') &&
      showsFailures(before) === showsFailures(state) &&
      isSameFilters(before.filters, state.filters);
    if (!isSameFeed) this.#restart();
    this.#postAll();
    this.#options.changed(state);
  }

  /** Starts following, or reads the history. */
  #restart(): void {
    this.#history.clear();
    const history = this.#state.mode === 'history';
    this.#feed.setVisible(false);
    const { filters } = this.#state;
    const failures = showsFailures(this.#state);
    if (!history) this.#feed.follow(failures ? { ...filters, status: 'failed' } : filters, failures);
    else if (this.#host.visible) void this.#history.read(this.#state.filters);
    this.#feed.setVisible(this.#host.visible && !history);
  }

  #updateState(change: Partial<ViewState>): void {
    const before = this.#state.filters.connections;
    const hasOtherConnections = String(change.filters?.connections ?? before) !== String(before);
    const withoutBrush = change.filters !== undefined && { brush: undefined };
    const following = hasOtherConnections && { following: false };
    this.show(endDrillDown({ ...this.#state, ...following, ...withoutBrush, ...change }));
  }

  #flush(): void {
    if (!this.#host.ready) {
      this.#rows.cancel();
      return;
    }
    const ids = this.#rows.post((message) => this.#host.post('rows', message));
    this.#postState();
    this.#updateReasons();
    const { selected } = this.#state;
    if (selected !== undefined && ids.has(selected)) void this.#details.show();
    else this.#details.refresh();
  }

  #updateReasons(): void {
    const wanted = (): boolean => showsFailures(this.#state) && this.#host.visible && !this.#feed.paused;
    if (!wanted()) return;
    const selected = this.#selected;
    const rows = [...this.entries, ...(selected === undefined ? [] : [selected])].map(({ row }) => row);
    void this.#reasons.update(rows, wanted);
  }

  #postAll(): void {
    this.#rows.reset();
    this.#flush();
    void this.#details.show();
    if (this.#state.mode === 'history') this.#history.show(this.#state.filters);
    if (this.#focus !== undefined && this.#host.post('focus', { what: this.#focus })) this.#focus = undefined;
  }

  /** Shows the search, filters and histogram, with the focus in the search. */
  find(): void {
    this.#options.title?.setExpanded(true);
    this.show(this.#state, 'find');
  }

  /** Shows or hides the search, filters and histogram. */
  setExpanded(expanded: boolean): void {
    this.#options.title?.setExpanded(expanded);
    this.#postState();
  }

  /** Exports the shown entries; all loaded ones if the page cannot say which it shows. */
  export(): void {
    if (!this.#host.post('requestExport', {})) this.handlers.export({});
  }

  #postState(): void {
    const { services, title } = this.#options;
    const { sessions } = services;
    const { from } = this.#feed;
    title?.update(this.#state.mode, this.#feed.paused);
    this.#host.post('state', {
      view: this.#state,
      connections: sessions.all.map(({ profile, heading }) => ({
        name: profile.name,
        heading,
        production: profile.environment === 'production',
      })),
      organizations: sessions.all.flatMap(({ profile, organizations }) =>
        organizations.slice(0, 50).map(({ id, label }) => ({ id, label: label ?? id, connection: profile.name })),
      ),
      feed: this.#feed.state,
      labels: formatFilterLabels(services, getActiveFilters(this.#state)),
      ...(from !== undefined && { from }),
      tab: this.#options.tab,
      expanded: title?.expanded ?? true,
    });
  }

  #getEntry(key: string): LogEntry | undefined {
    const { fetchedEntry } = this.#details;
    return (
      this.#feed.buffer.get(key) ??
      this.#history.getEntry(key) ??
      (fetchedEntry?.key === key ? fetchedEntry : undefined)
    );
  }

  /** Connections that may have the selected entry: a link need not name it. */
  get #selectedConnections(): readonly string[] {
    const { selectedConnection: connection, filters } = this.#state;
    return connection === undefined ? filters.connections : filters.connections.filter((name) => name === connection);
  }

  get #selected(): LogEntry | undefined {
    const { selected } = this.#state;
    if (selected === undefined) return undefined;
    const candidates = this.#selectedConnections.map((name) => this.#getEntry(getEntryKey(name, selected)));
    return candidates.find((entry) => entry !== undefined);
  }

  #sessionsChanged(): void {
    const next = followActiveConnection(this.#state, this.#options.services.sessions.active?.profile.name);
    if (next !== this.#state) {
      this.show(next);
      return;
    }
    if (this.#state.mode === 'history') {
      if (this.#host.visible) void this.#history.read(this.#state.filters);
      else this.#history.clear();
    } else this.#feed.sessionsChanged();
    this.#rows.schedule();
  }

  #select(entry: LogEntry | undefined): void {
    const { selected: _selected, selectedConnection: _connection, ...rest } = this.#state;
    this.#state =
      entry === undefined ? rest : { ...rest, selected: entry.id, selectedConnection: entry.row.connection };
    this.#options.changed(this.#state);
    // The webview stores the posted state for a reload.
    this.#rows.schedule();
    void this.#details.show();
    if (entry !== undefined) void this.#reasons.update([entry.row]);
  }

  #saveState(change: Partial<ViewState>): void {
    this.#state = endDrillDown({ ...this.#state, ...change });
    this.#options.changed(this.#state);
    this.#rows.schedule();
  }

  dispose(): void {
    this.#rows.cancel();
    this.#history.stop();
    this.#feed.dispose();
  }
}
