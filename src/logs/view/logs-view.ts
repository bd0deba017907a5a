import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../../model/clock.ts';
import type { FeatureContext, Services } from '../../commands/context.ts';
import { createTitleLookup } from '../../cache/title-lookup.ts';
import { openWebview, type WebviewContainer, type WebviewHost } from '../../webviews/webview-host.ts';
import {
  logsProtocol,
  type LogDetails,
  type FeedState,
  type LogRow,
  type ShownTemplate,
  type ViewState,
} from '../../webviews/protocol/logs.ts';
import { addRowNames } from './add-row-names.ts';
import { formatFilterLabels } from './choose-filter.ts';
import { DetailsController } from './details-controller.ts';
import { endDrillDown } from './drill-down.ts';
import { parseEntry, type LogEntry } from '../entry.ts';
import { EntryCommands } from './entry-commands.ts';
import { LogBuffer } from '../stream/buffer.ts';
import { Feed } from '../stream/feed.ts';
import { LogReader } from './log-reader.ts';
import { LogsModel } from './logs-model.ts';
import { followActiveConnection, isNarrowed, unpin } from './follow-active.ts';
import { createMessageHandlers, MESSAGE_OPERATIONS, type ViewActions } from './message-handlers.ts';
import { isSameFilters } from '../stream/query.ts';
import { FailureReasons } from './failure-reasons.ts';
import { getActiveFilters, showsFailures } from './failures-mode.ts';
import { RowBatcher } from './row-batcher.ts';
import { TemplateNames } from './template-names.ts';
import type { ViewTitle } from './view-title.ts';
import { readLabelledRuns } from '../history/runs.ts';
import type { FailureInbox } from '../inbox.ts';

interface LogsViewOptions {
  readonly features: FeatureContext;
  readonly services: Services;
  readonly container: WebviewContainer;
  /** in an editor tab, not in the panel */
  readonly tab: boolean;
  readonly state: ViewState;
  readonly inbox: FailureInbox;
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
export class LogsView implements ViewActions {
  readonly #options: LogsViewOptions;
  readonly #model: LogsModel;
  /** Handlers of the webview's messages. */
  readonly handlers: ReturnType<typeof createMessageHandlers>;
  readonly #host: WebviewHost<typeof logsProtocol.toView>;
  readonly #rows: RowBatcher;
  readonly #reasons: FailureReasons;
  readonly #templateNames: TemplateNames;
  readonly #details: DetailsController;
  #focus: 'grid' | 'find' | undefined;
  /** the user sees all failures of the connections */
  #isLooking = false;

  /** Each part gets those that exist before it; what the webview and the timers call is connected at the end. */
  constructor(options: LogsViewOptions) {
    this.#options = options;
    const { features, services, container, inbox } = options;
    const host = openWebview(logsProtocol, {
      container,
      extensionUri: services.context.extensionUri,
      log: services.log,
      ui: services.ui,
      bundle: 'logs',
      title: l10n.t('Action Logs'),
    });
    this.#host = host;
    const reader = new LogReader(services);
    const reasons = new FailureReasons({
      runs: () => readLabelledRuns(services.context),
      readBatch: async (connection, id) => {
        const session = services.sessions.get(connection);
        if (session === undefined || session.signedOutReason !== undefined) return '';
        return reader.readBatch(session, id);
      },
      now: () => performance.now(),
    });
    this.#reasons = reasons;
    this.#templateNames = new TemplateNames({
      getTitle: ({ connection, id }) => createTitleLookup(services, [connection])('templates', id),
      read: async ({ connection, id }) => {
        const session = services.sessions.get(connection);
        if (session?.signedOutReason === undefined)
          await session?.client.read('templates', [id], { signal: session.ended });
      },
    });
    const bufferSize = (): number => readSetting('bufferSize', 10_000);
    const buffer = new LogBuffer(bufferSize());
    const rows = new RowBatcher(buffer, (row) => addRowNames(services, inbox.mark(reasons.withReason(row))));
    this.#rows = rows;
    const feed = new Feed({
      getSession: (name) => services.sessions.get(name),
      clock: systemClock,
      interval: () => Math.max(1, readSetting('refreshInterval', 3)) * 1000,
      buffer,
      bufferSize,
      started: options.started,
      changed: (change) => rows.add(change),
      stateChanged: () => rows.schedule(),
    });
    const state = followActiveConnection(options.state, services.sessions.active?.profile.name);
    const model = new LogsModel(state, feed);
    this.#model = model;
    const details = new DetailsController({ services, model, reader, reasons, host });
    this.#details = details;
    const commands = new EntryCommands(features, services, { model, reader, reasons, inbox });
    this.handlers = createMessageHandlers(features, services, { model, commands }, this);
    rows.onElapsed = () => this.#flush();
    host.serve({
      postState: () => this.#postAll(),
      handlers: this.handlers,
      operations: MESSAGE_OPERATIONS,
      onDidChangeVisibility: (visible) => {
        feed.setVisible(visible);
        this.#updateLooking();
      },
    });
    for (const disposable of [
      { dispose: () => this.dispose() },
      services.sessions.onDidChange(() => this.#sessionsChanged()),
      services.labels.onDidChange(() => this.#postAll()),
      inbox.onDidChange(() => {
        this.#postAll();
        this.#updateBadge();
      }),
      services.failedLogs.onDidChange(() => this.#updateBadge()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('smartObjects.logs.bufferSize')) feed.updateLimit();
        if (change.affectsConfiguration('smartObjects.logs.refreshInterval')) feed.intervalChanged();
      }),
    ])
      host.register(disposable);
    // The names of filtered resources may be known from earlier windows.
    void services.knownIds.load().then(() => this.#rows.schedule());
    this.#restart();
    this.#updateLooking();
  }

  get state(): ViewState {
    return this.#model.state;
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
    return this.#model.feed.state;
  }

  /** Details last posted to the webview. */
  get details(): LogDetails | undefined {
    return this.#details.details;
  }

  /** Loaded entries, oldest first. */
  get entries(): readonly LogEntry[] {
    return this.#model.entries;
  }

  /** Shows a state. `focus`: what gets the keyboard focus. */
  show(state: ViewState, focus: 'grid' | 'find' = 'grid'): void {
    const before = this.#model.state;
    this.#model.state = state;
    this.#focus = focus;
    const isSameFeed = showsFailures(before) === showsFailures(state) && isSameFilters(before.filters, state.filters);
    // What was seen is what was loaded before.
    this.#updateLooking(!isSameFeed);
    if (!isSameFeed) this.#restart();
    this.#postAll();
    this.#options.changed(state);
  }

  /** Stores what the user saw of the failures once they are no longer shown; `ended`: others are shown from now on. */
  #updateLooking(ended = false): void {
    const { state } = this.#model;
    const isAll = state.filters.range === 'latest' && !isNarrowed(state.filters);
    const isLooking = this.#host.visible && showsFailures(state) && isAll;
    const hasLooked = this.#isLooking && (ended || !isLooking);
    this.#isLooking = isLooking;
    if (hasLooked) this.#options.inbox.look(this.entries.map(({ row }) => row));
    this.#updateBadge();
  }

  /** Number of new failures that anything in this window read, unless they are shown. */
  get newFailures(): number {
    const { services, inbox } = this.#options;
    if (this.#isLooking) return 0;
    return services.failedLogs.all.filter(({ connection, raw }) => {
      const entry = parseEntry(connection, raw, 0);
      return entry !== undefined && inbox.mark(this.#reasons.withReason(entry.row)).isNew === true;
    }).length;
  }

  #updateBadge(): void {
    // VS Code throws for the badge of a view that it has disposed of, as it does when the view is moved.
    if (!this.#host.disposed) this.#options.title?.setBadge(this.newFailures);
  }

  /** Starts following. */
  #restart(): void {
    const { feed, state } = this.#model;
    feed.setVisible(false);
    const failures = showsFailures(state);
    feed.follow(failures ? { ...state.filters, status: 'failed' } : state.filters, failures);
    feed.setVisible(this.#host.visible);
  }

  setState(change: Partial<ViewState>): void {
    const before = this.#model.state.filters.connections;
    const hasOtherConnections = String(change.filters?.connections ?? before) !== String(before);
    const withoutBrush = change.filters !== undefined && { brush: undefined };
    const following = hasOtherConnections && { following: false };
    this.show(endDrillDown({ ...this.#model.state, ...following, ...withoutBrush, ...change }));
  }

  #flush(): void {
    if (!this.#host.ready) {
      this.#rows.cancel();
      return;
    }
    const ids = this.#rows.post((message) => this.#host.post('rows', message));
    this.#postState();
    this.#updateShownReasons();
    const { selected } = this.#model.state;
    if (selected !== undefined && ids.has(selected)) void this.#details.show();
    else this.#details.refresh();
  }

  async nameTemplates(templates: readonly ShownTemplate[]): Promise<void> {
    const named = await this.#templateNames.find(templates, () => this.#host.visible);
    const isNamed = ({ connection, templates: ids = [] }: LogRow): boolean =>
      named.some((template) => template.connection === connection && ids.includes(template.id));
    const rows = named.length === 0 ? [] : this.entries.filter(({ row }) => isNamed(row));
    if (rows.length > 0) this.#rows.refresh(rows.map(({ key }) => key));
  }

  #updateShownReasons(): void {
    const wanted = (): boolean => showsFailures(this.#model.state) && this.#host.visible && !this.#model.feed.paused;
    if (!wanted()) return;
    const { selected } = this.#model;
    const rows = [...this.entries, ...(selected === undefined ? [] : [selected])].map(({ row }) => row);
    void this.#updateReasons(rows, wanted);
  }

  async #updateReasons(rows: readonly LogRow[], wanted: () => boolean): Promise<void> {
    const changed = await this.#reasons.update(rows, wanted);
    if (changed.length === 0) return;
    this.#rows.refresh(changed);
    this.#updateBadge();
    if (changed.includes(this.#model.selected?.key ?? '')) void this.#details.show();
  }

  #postAll(): void {
    this.#rows.reset();
    this.#flush();
    void this.#details.show();
    if (this.#focus !== undefined && this.#host.post('focus', { what: this.#focus })) this.#focus = undefined;
  }

  /** Shows the search, filters and histogram, with the focus in the search. */
  find(): void {
    this.#options.title?.setExpanded(true);
    this.show(this.#model.state, 'find');
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
    const { from } = this.#model.feed;
    title?.update(this.#model.state.mode, this.#model.feed.paused);
    this.#host.post('state', {
      view: this.#model.state,
      connections: sessions.all.map(({ profile, heading }) => ({
        name: profile.name,
        heading,
        production: profile.environment === 'production',
      })),
      organizations: sessions.all.flatMap(({ profile, organizations }) =>
        organizations.slice(0, 50).map(({ id, label }) => ({ id, label: label ?? id, connection: profile.name })),
      ),
      feed: this.#model.feed.state,
      labels: formatFilterLabels(services, getActiveFilters(this.#model.state)),
      ...(from !== undefined && { from }),
      tab: this.#options.tab,
      expanded: title?.expanded ?? true,
    });
  }

  #sessionsChanged(): void {
    const next = followActiveConnection(this.#model.state, this.#options.services.sessions.active?.profile.name);
    if (next !== this.#model.state) {
      this.show(next);
      return;
    }
    this.#model.feed.sessionsChanged();
    this.#rows.schedule();
  }

  select(entry: LogEntry | undefined): void {
    const { selected: _selected, selectedConnection: _connection, ...rest } = this.#model.state;
    this.#model.state =
      entry === undefined ? rest : { ...rest, selected: entry.id, selectedConnection: entry.row.connection };
    this.#options.changed(this.#model.state);
    // The webview stores the posted state for a reload.
    this.#rows.schedule();
    void this.#details.show();
    if (entry !== undefined) void this.#updateReasons([entry.row], () => this.#host.visible);
  }

  saveState(change: Partial<ViewState>): void {
    this.#model.state = endDrillDown({ ...this.#model.state, ...change });
    this.#options.changed(this.#model.state);
    this.#rows.schedule();
  }

  setSummary(text: string): void {
    this.#options.title?.setSummary(text);
  }

  pin(pinned: boolean): void {
    const active = this.#options.services.sessions.active?.profile.name;
    this.show(pinned ? { ...this.state, following: false } : unpin(this.state, active));
  }

  openTab(): void {
    // A tab keeps its connection when another becomes active.
    this.#options.openTab({ ...this.state, following: false });
  }

  copyLink(): Promise<unknown> {
    return this.#options.copyLink(this.state);
  }

  dispose(): void {
    this.#updateLooking(true);
    this.#rows.cancel();
    this.#model.feed.dispose();
  }
}

function readSetting(name: string, fallback: number): number {
  const value: unknown = vscode.workspace.getConfiguration('smartObjects.logs').get(name);
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}
