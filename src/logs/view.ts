/** One view of the logs, in the panel or an editor tab: its state, its feed, and what its page is told. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import { hostView, type Container, type ViewHost } from '../webviews/panel.ts';
import { logsProtocol, type Details, type FeedState, type History, type ViewState } from '../webviews/protocol-logs.ts';
import { DetailsSide } from './details-side.ts';
import { keyOf, type LogEntry } from './entry.ts';
import { Errands } from './errands.ts';
import { Feed } from './feed.ts';
import { followed, unpinned } from './following.ts';
import { handlersOf } from './handlers.ts';
import { HistorySide } from './history-side.ts';
import { sameFilters } from './query.ts';
import { Reasons } from './reasons.ts';
import { RowsOut } from './rows-out.ts';
import { keptRuns } from './runs.ts';

export interface ViewParts {
  readonly entry: Entry;
  readonly services: Services;
  readonly container: Container;
  readonly tab: boolean;
  readonly state: ViewState;
  readonly started: number;
  readonly openTab: (state: ViewState) => void;
  readonly copyLink: (state: ViewState) => Promise<unknown>;
  /** the state is another: keep it */
  readonly changed: (state: ViewState) => void;
}

export class LogsView {
  readonly #parts: ViewParts;
  readonly #feed: Feed;
  /** What its page can make it do. */
  readonly handlers: ReturnType<typeof handlersOf>;
  readonly #host: ViewHost<typeof logsProtocol.toView>;
  readonly #errands: Errands;
  readonly #rows: RowsOut;
  readonly #reasons: Reasons;
  readonly #history: HistorySide;
  readonly #details: DetailsSide;
  #state: ViewState;
  #focus: 'grid' | 'find' | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    const { services, container } = parts;
    this.#state = followed(parts.state, services.sessions.active?.profile.name);
    const setting = (name: string, fallback: number): number => {
      const value: unknown = vscode.workspace.getConfiguration('smartObjects.logs').get(name);
      return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
    };
    this.#feed = new Feed({
      session: (name) => services.sessions.get(name),
      clock: { now: Date.now, sleep, after },
      interval: () => Math.max(1, setting('refreshInterval', 3)) * 1000,
      bufferSize: () => setting('bufferSize', 10_000),
      started: parts.started,
      changed: (change) => {
        this.#rows.take(change);
      },
      stateChanged: () => {
        this.#rows.later();
      },
    });
    this.#rows = new RowsOut(
      this.#feed.buffer,
      () => {
        this.#flush();
      },
      (row) => this.#reasons.withReason(row),
    );
    this.#history = new HistorySide({
      services,
      post: (history) => this.#host.post('history', history),
      changed: () => void this.#details.show(),
    });
    this.#errands = new Errands(parts.entry, services, {
      entryOf: (key) => this.#entryOf(key),
      state: () => this.#state,
      historyStep: (key) => this.#history.stepOf(key),
      shown: (row) => this.#reasons.withReason(row),
    });
    this.#reasons = new Reasons({
      runs: () => keptRuns(services.context),
      readBatch: async (connection, id) => {
        const session = services.sessions.get(connection);
        if (session === undefined || session.signedOutBecause !== undefined || !this.#host.visible) return '';
        return this.#errands.readBatch(session, id);
      },
      now: Date.now,
      changed: (keys) => {
        this.#rows.again(keys);
        if (this.#selected !== undefined && keys.includes(this.#selected.key)) void this.#details.show();
      },
    });
    this.#details = new DetailsSide({
      services,
      shown: (row) => this.#reasons.withReason(row),
      errands: this.#errands,
      chosen: () => this.#selected,
      missing: () => {
        const { selected: id } = this.#state;
        const connections = this.#selectable;
        const { phase, older } = this.#feed.state;
        const reading = older || (phase !== 'live' && phase !== 'idle' && phase !== 'ended');
        return id === undefined || reading || this.#selected !== undefined ? undefined : { id, connections };
      },
      visible: () => this.#host.visible,
      post: (details) => this.#host.post('details', details),
    });
    this.handlers = handlersOf(parts.entry, services, this.#errands, {
      feed: this.#feed,
      state: () => this.#state,
      held: () => this.held,
      entryOf: (key) => this.#entryOf(key),
      outside: (index) => this.#details.outside(index),
      set: (change) => {
        this.#set(change);
      },
      keep: (change) => {
        this.#keep(change);
      },
      select: (entry) => {
        this.#select(entry);
      },
      readHistory: () => void this.#history.read(this.#state.filters),
      pin: (pinned) => {
        const active = services.sessions.active?.profile.name;
        this.show(pinned ? { ...this.#state, following: false } : unpinned(this.#state, active));
      },
      openTab: () => {
        // A tab stays with what it was opened for.
        parts.openTab({ ...this.#state, following: false });
      },
      copyLink: () => parts.copyLink(this.#state),
    });
    this.#host = hostView(logsProtocol, {
      container,
      extensionUri: services.context.extensionUri,
      log: services.log,
      bundle: 'logs',
      title: 'Action Logs',
      show: () => {
        this.#show();
      },
      handlers: this.handlers,
      onVisible: (visible) => {
        this.#feed.setVisible(visible && this.#state.mode !== 'history');
        if (!visible) this.#history.stop();
      },
    });
    this.#host.own({
      dispose: () => {
        this.dispose();
      },
    });
    this.#host.own(
      services.sessions.onDidChange(() => {
        this.#sessionsChanged();
      }),
    );
    this.#host.own(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('smartObjects.logs.bufferSize')) this.#feed.setLimit();
        if (change.affectsConfiguration('smartObjects.logs.refreshInterval')) this.#feed.intervalChanged();
      }),
    );
    this.#start();
  }

  get state(): ViewState {
    return this.#state;
  }

  /** An editor tab, not the panel's view. */
  get tab(): boolean {
    return this.#parts.tab;
  }

  get visible(): boolean {
    return this.#host.visible;
  }

  /** What its page is told of the feed. */
  get feed(): FeedState {
    return this.#feed.state;
  }

  get history(): History | undefined {
    return this.#history.history;
  }

  /** What the page was last told of the chosen entry. */
  get details(): Details | undefined {
    return this.#details.shown;
  }

  /** Entries that are held. */
  get held(): readonly LogEntry[] {
    return this.#feed.buffer.list;
  }

  show(state: ViewState, focus: 'grid' | 'find' = 'grid'): void {
    const before = this.#state;
    this.#state = state;
    this.#focus = focus;
    if (before.mode !== state.mode || !sameFilters(before.filters, state.filters)) this.#start();
    this.#show();
    this.#parts.changed(state);
  }

  /** Follows, or reads the history. */
  #start(): void {
    this.#history.forget();
    const history = this.#state.mode === 'history';
    this.#feed.setVisible(false);
    if (!history) this.#feed.follow(this.#state.filters);
    else if (this.#host.visible) void this.#history.read(this.#state.filters);
    this.#feed.setVisible(this.#host.visible && !history);
  }

  #set(change: Partial<ViewState>): void {
    const before = this.#state.filters.connections;
    const chosen = String(change.filters?.connections ?? before) !== String(before);
    const other = change.filters !== undefined && { brush: undefined };
    this.show({ ...this.#state, ...(chosen && { following: false }), ...other, ...change });
  }

  #flush(): void {
    if (!this.#host.ready) {
      this.#rows.stop();
      return;
    }
    const ids = this.#rows.post((message) => this.#host.post('rows', message));
    this.#postState();
    if (this.#state.mode === 'failures' && this.#host.visible) void this.#reasons.look(this.held.map(({ row }) => row));
    const { selected } = this.#state;
    if (selected !== undefined && ids.has(selected)) void this.#details.show();
    else this.#details.refresh();
  }

  #show(): void {
    this.#rows.reset();
    this.#flush();
    void this.#details.show();
    if (this.#state.mode === 'history') this.#history.show(this.#state.filters);
    if (this.#focus !== undefined && this.#host.post('focus', { what: this.#focus })) this.#focus = undefined;
  }

  #postState(): void {
    const { sessions } = this.#parts.services;
    const { from } = this.#feed;
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
      ...(from !== undefined && { from }),
      tab: this.#parts.tab,
    });
  }

  #entryOf(key: string): LogEntry | undefined {
    const { found } = this.#details;
    return this.#feed.buffer.get(key) ?? this.#history.entryOf(key) ?? (found?.key === key ? found : undefined);
  }

  /** Where the chosen entry may be; a link need not say. */
  get #selectable(): readonly string[] {
    const { selectedConnection: one, filters } = this.#state;
    return one === undefined ? filters.connections : filters.connections.filter((name) => name === one);
  }

  get #selected(): LogEntry | undefined {
    const { selected } = this.#state;
    if (selected === undefined) return undefined;
    const held = this.#selectable.map((name) => this.#entryOf(keyOf(name, selected)));
    return held.find((entry) => entry !== undefined);
  }

  #sessionsChanged(): void {
    const next = followed(this.#state, this.#parts.services.sessions.active?.profile.name);
    if (next !== this.#state) {
      this.show(next);
      return;
    }
    if (this.#state.mode === 'history') {
      if (this.#host.visible) void this.#history.read(this.#state.filters);
      else this.#history.forget();
    } else this.#feed.sessionsChanged();
    this.#rows.later();
  }

  #select(entry: LogEntry | undefined): void {
    const { selected: _selected, selectedConnection: _connection, ...rest } = this.#state;
    this.#state =
      entry === undefined ? rest : { ...rest, selected: entry.id, selectedConnection: entry.row.connection };
    this.#parts.changed(this.#state);
    // The page keeps for a reload what it was told.
    this.#rows.later();
    void this.#details.show();
    if (entry !== undefined) void this.#reasons.look([entry.row]);
  }

  #keep(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change };
    this.#parts.changed(this.#state);
    this.#rows.later();
  }

  dispose(): void {
    this.#rows.stop();
    this.#history.stop();
    this.#feed.dispose();
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(new Error('woken'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => {
    clearTimeout(timer);
  };
}
