/** One view of the logs, in the panel or an editor tab: its state, its feed, and what its page is told. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import { isObject } from '../platform/json.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { hostView, type Container, type ViewHost } from '../webviews/panel.ts';
import {
  logsProtocol,
  SLICE,
  type FeedState,
  type History,
  type LogRow,
  type ViewState,
} from '../webviews/protocol-logs.ts';
import type { Change } from './buffer.ts';
import { detailsOf } from './details.ts';
import { keyOf, type LogEntry } from './entry.ts';
import { Errands } from './errands.ts';
import { Feed } from './feed.ts';
import { handlersOf } from './handlers.ts';
import { rawOf } from './history.ts';
import { readHistory, type ReadHistory } from './object-history.ts';
import { sameFilters } from './query.ts';

export interface ViewParts {
  readonly entry: Entry;
  readonly services: Services;
  readonly container: Container;
  readonly tab: boolean;
  readonly state: ViewState;
  readonly started: number;
  readonly openTab: (state: ViewState) => void;
  /** the state is another: keep it */
  readonly changed: (state: ViewState) => void;
  /** a state that was seen, by its root, from elsewhere than the session */
  readonly snapshot: (connection: string, object: string, root: string) => unknown;
}

/** Milliseconds that rows are gathered for before they are posted. */
const GATHER = 100;

export class LogsView {
  readonly #parts: ViewParts;
  readonly #feed: Feed;
  readonly #host: ViewHost<typeof logsProtocol.toView>;
  readonly #errands: Errands;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #state: ViewState;
  #reset = true;
  #timer: NodeJS.Timeout | undefined;
  #history: ReadHistory | undefined;
  #loading = new AbortController();
  #outside: readonly string[] = [];
  #focus: 'grid' | 'find' | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    this.#state = parts.state;
    const { services, container } = parts;
    const setting = (name: string, fallback: number): number => {
      const value: unknown = vscode.workspace.getConfiguration('smartObjects.logs').get(name);
      return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
    };
    this.#feed = new Feed({
      session: (name) => services.sessions.get(name),
      clock: { now: Date.now, sleep },
      interval: () => Math.max(1, setting('refreshInterval', 3)) * 1000,
      bufferSize: () => setting('bufferSize', 10_000),
      started: parts.started,
      changed: (change) => {
        this.#take(change);
      },
      stateChanged: () => {
        this.#later();
      },
    });
    this.#errands = new Errands(parts.entry, services, {
      entryOf: (key) => this.#entryOf(key),
      state: () => this.#state,
      historyStep: (key) => this.#history?.steps.find(({ entry }) => entry.key === key),
      snapshot: (connection, object, root) => this.#snapshot(connection, object, root),
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
      handlers: handlersOf(parts.entry, services, this.#errands, {
        feed: this.#feed,
        state: () => this.#state,
        held: () => this.held,
        entryOf: (key) => this.#entryOf(key),
        outside: (index) => this.#outside[index],
        set: (change) => {
          this.#set(change);
        },
        keep: (change) => {
          this.#keep(change);
        },
        select: (entry) => {
          this.#select(entry);
        },
        readHistory: () => void this.#readHistory(),
        openTab: () => {
          parts.openTab(this.#state);
        },
      }),
      onVisible: (visible) => {
        this.#feed.setVisible(visible && this.#state.mode !== 'history');
        if (!visible) this.#loading.abort();
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
      }),
    );
    this.#start();
  }

  get state(): ViewState {
    return this.#state;
  }

  get visible(): boolean {
    return this.#host.visible;
  }

  /** What its page is told of the feed. */
  get feed(): FeedState {
    return this.#feed.state;
  }

  get history(): History | undefined {
    return this.#history?.history;
  }

  /** Entries that are held. For tests. */
  get held(): readonly LogEntry[] {
    return this.#feed.buffer.list;
  }

  save(entries: readonly LogEntry[]): Promise<vscode.Uri | undefined> {
    return this.#errands.save(entries);
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
    this.#loading.abort();
    this.#history = undefined;
    const history = this.#state.mode === 'history';
    this.#feed.setVisible(false);
    if (history) void this.#readHistory();
    else this.#feed.follow(this.#state.filters);
    this.#feed.setVisible(this.#host.visible && !history);
  }

  #set(change: Partial<ViewState>): void {
    this.show({ ...this.#state, ...change });
  }

  #take(change: Change | 'reset'): void {
    if (change === 'reset') {
      this.#reset = true;
      this.#changed.clear();
      this.#removed.clear();
    } else {
      for (const { key } of change.changed) {
        this.#changed.add(key);
        this.#removed.delete(key);
      }
      for (const key of change.removed) {
        this.#removed.add(key);
        this.#changed.delete(key);
      }
    }
    this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, GATHER);
  }

  #flush(): void {
    if (!this.#host.ready) return;
    const { buffer } = this.#feed;
    const rows: LogRow[] = this.#reset
      ? buffer.list.map(({ row }) => row)
      : [...this.#changed].flatMap((key) => buffer.get(key)?.row ?? []);
    const removed = this.#reset ? [] : [...this.#removed];
    const reset = this.#reset;
    this.#reset = false;
    this.#changed.clear();
    this.#removed.clear();
    for (let at = 0; at < Math.max(1, rows.length); at += SLICE) {
      const slice = rows.slice(at, at + SLICE);
      if (slice.length > 0 || removed.length > 0 || reset)
        this.#host.post('rows', { reset: reset && at === 0, rows: slice, removed: at === 0 ? removed : [] });
    }
    this.#postState();
    const { selected } = this.#state;
    if (selected !== undefined && rows.some(({ id }) => id === selected)) this.#showDetails();
  }

  #show(): void {
    this.#reset = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flush();
    this.#showDetails();
    if (this.#state.mode === 'history') {
      if (this.#history === undefined && this.#loading.signal.aborted) void this.#readHistory();
      else if (this.#history !== undefined) this.#host.post('history', this.#history.history);
    }
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
      organizations: sessions.all.flatMap(({ organizations }) =>
        organizations.slice(0, 50).map(({ id, label }) => ({ id, label: label ?? id })),
      ),
      feed: this.#feed.state,
      ...(from !== undefined && { from }),
      tab: this.#parts.tab,
    });
  }

  #entryOf(key: string): LogEntry | undefined {
    return this.#feed.buffer.get(key) ?? this.#history?.entries.find((entry) => entry.key === key);
  }

  get #selected(): LogEntry | undefined {
    const { selected, filters } = this.#state;
    if (selected === undefined) return undefined;
    return filters.connections.map((name) => this.#entryOf(keyOf(name, selected))).find((entry) => entry !== undefined);
  }

  #showDetails(): void {
    const entry = this.#selected;
    if (entry !== undefined) void this.#postDetails(entry);
  }

  /** What is held at once; its batch, and a JSON that is not held, when they have been read. */
  async #postDetails(entry: LogEntry): Promise<void> {
    const { key, row } = entry;
    const session = this.#parts.services.sessions.get(row.connection);
    const post = (raw: unknown, batch: Parameters<typeof detailsOf>[0]['batch'], busy: boolean): void => {
      if (this.#selected?.key !== key || !isObject(raw)) return;
      const links = session?.profile.links ?? {};
      const page = detailsOf({ key, raw, connection: row.connection, batch, links, busy });
      this.#outside = page.outside;
      this.#host.post('details', page.details);
    };
    const held = rawOf(entry);
    const batchId = row.batch;
    post(held ?? { id: row.id, status: row.status }, undefined, session !== undefined && batchId !== '');
    if (session === undefined || session.signedOutBecause !== undefined || !this.#host.visible) return;
    const raw = held ?? (await this.#errands.readRaw(entry).catch(() => undefined));
    const batch = batchId === '' ? undefined : await this.#errands.readBatch(session, batchId);
    post(raw ?? { id: row.id, status: row.status }, batch, false);
  }

  #snapshot(connection: string, object: string, root: string): unknown {
    return (
      this.#parts.services.sessions.get(connection)?.states.get(object, root) ??
      this.#parts.snapshot(connection, object, root)
    );
  }

  async #readHistory(): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    const { object = '', connections } = this.#state.filters;
    const connection = connections[0] ?? '';
    const session = this.#parts.services.sessions.get(connection);
    const base = { connection, object, title: object, steps: [], verdict: '', tone: 'unknown' as const };
    this.#host.post('history', { ...(this.#history?.history ?? base), busy: true });
    try {
      if (session === undefined) throw new Error(`there is no connection “${connection}” now`);
      if (session.signedOutBecause !== undefined) throw new Error(`not signed in: ${session.signedOutBecause}`);
      const read = await readHistory(
        session,
        object,
        (id, root) => this.#snapshot(connection, id, root),
        AbortSignal.any([signal, session.ended]),
      );
      if (signal.aborted) return;
      this.#history = read;
      this.#host.post('history', read.history);
      this.#showDetails();
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const problem = errorText('Read history of object', error);
      this.#host.post('history', { ...(this.#history?.history ?? base), busy: false, problem });
    }
  }

  #sessionsChanged(): void {
    if (this.#state.filters.connections.length === 0) {
      const name = this.#parts.services.sessions.active?.profile.name;
      if (name !== undefined) {
        this.#set({ filters: { ...this.#state.filters, connections: [name] } });
        return;
      }
    }
    if (this.#state.mode === 'history') {
      if (this.#host.visible) void this.#readHistory();
    } else this.#feed.sessionsChanged();
    this.#later();
  }

  #select(entry: LogEntry | undefined): void {
    const { selected: _selected, ...rest } = this.#state;
    this.#state = entry === undefined ? rest : { ...rest, selected: entry.id };
    this.#parts.changed(this.#state);
    this.#showDetails();
  }

  #keep(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change };
    this.#parts.changed(this.#state);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#loading.abort();
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
