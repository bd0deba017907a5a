import * as l10n from '@vscode/l10n';
import type { TimerClock } from '../../model/clock.ts';
import { formatList, formatPair } from '../../platform/text/localization.ts';
import { formatSessionProblem, formatSignedOut } from '../../model/text/heading.ts';
import type { Session } from '../../model/session/session.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import { actionLogs } from '../../platform/resources/action-logs.ts';
import { formatError } from '../../model/text/error-message.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { FeedState, Filters } from '../../webviews/protocol/logs.ts';
import type { BufferChange, LogBuffer } from './buffer.ts';
import { getBounds, getDateResolution, getStreams, type Stream } from './query.ts';
import { Tail } from './tail.ts';

interface FeedOptions {
  readonly getSession: (connection: string) => Session | undefined;
  readonly clock: TimerClock;
  /** milliseconds between two polls */
  readonly interval: () => number;
  readonly buffer: LogBuffer;
  /** entries that the buffer may hold */
  readonly bufferSize: () => number;
  /** when this window was opened: milliseconds since the epoch */
  readonly started: number;
  readonly changed: (change: BufferChange | 'reset') => void;
  readonly stateChanged: () => void;
}

interface FollowedStream {
  readonly stream: Stream;
  readonly session: Session;
  readonly tail: Tail;
}

interface UnavailableConnection {
  readonly connection: string;
  readonly reason: string;
  readonly signIn: boolean;
  /** when it stopped being followed */
  readonly since?: number;
}

/** Follows everything a view shows: a tail for each stream, one buffer and one state for all. */
export class Feed {
  readonly buffer: LogBuffer;
  readonly #options: FeedOptions;
  #filters: Filters | undefined;
  #followed: readonly FollowedStream[] = [];
  /** requested connections that cannot be followed, with the reason */
  #unavailable: readonly UnavailableConnection[] = [];
  #running: AbortController | undefined;
  #visible = false;
  #paused = false;
  #from: number | undefined;
  /** reads all entries of the range, not the newest ones only */
  #readsAll = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.buffer = options.buffer;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Start of the range, in milliseconds since the epoch. */
  get from(): number | undefined {
    return this.#from;
  }

  /** Starts over with other filters or another identity. `all`: reads the whole range, as far as the buffer holds it. */
  follow(filters: Filters, all = this.#readsAll): void {
    this.#filters = filters;
    this.#readsAll = all;
    this.buffer.clear();
    this.#followed = [];
    this.#unavailable = [];
    this.#options.changed('reset');
    this.#followConnections(filters, filters.connections);
  }

  /** Restarts some connections; the others continue. */
  #restart(filters: Filters, names: readonly string[]): void {
    const isOther = ({ connection }: { readonly connection: string }): boolean => !names.includes(connection);
    this.#followed = this.#followed.filter(({ stream }) => isOther(stream));
    this.#unavailable = this.#unavailable.filter(isOther);
    const keys = this.buffer.list.filter(({ row }) => !isOther(row)).map(({ key }) => key);
    this.#options.changed(this.buffer.remove(keys));
    this.#followConnections(filters, names);
  }

  #followConnections(filters: Filters, names: readonly string[]): void {
    const { getSession, clock, started } = this.#options;
    this.#stop();
    const { from, to } = getBounds(filters, clock.now(), started);
    this.#from = from;
    const streams = getStreams(
      filters,
      (connection, id) => getSession(connection)?.organizations.some((organization) => organization.id === id) === true,
    ).filter(({ connection }) => names.includes(connection));
    this.#followed = [...this.#followed, ...streams.flatMap((stream) => this.#followStream(stream, from, to) ?? [])];
    this.#update();
  }

  /** Requests are sent only while the view is visible. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#update();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#stop();
    this.#update();
  }

  /** Reads again all that is loaded, also while paused. */
  refresh(): void {
    this.sessionsChanged();
    for (const { tail } of this.#followed) tail.refresh();
    if (this.#paused && this.#visible) this.#start((tail, signal) => tail.poll(signal));
  }

  /** Reads about `count` older entries of each stream. */
  readOlder(count: number): void {
    if (this.buffer.full) return;
    for (const { tail } of this.#followed) tail.readOlder(count);
  }

  /** Applies a changed interval at once, except to streams that back off. */
  intervalChanged(): void {
    for (const { tail } of this.#followed) if (tail.failure === undefined) tail.pollNow();
  }

  /** Applies a changed buffer size. A larger one starts over if entries were dropped. */
  updateLimit(): void {
    const { limit, dropped } = this.buffer;
    const change = this.buffer.setLimit(this.#options.bufferSize());
    if (this.buffer.limit > limit && dropped > 0 && this.#filters !== undefined) this.follow(this.#filters);
    else if (change.removed.length > 0) this.#options.changed(change);
    this.#options.stateChanged();
  }

  /** Restarts connections with a new session. Entries of a session that ended stay, marked as stale. */
  sessionsChanged(): void {
    const filters = this.#filters;
    if (filters === undefined) return;
    const restarted = filters.connections.filter((name) => {
      const session = this.#options.getSession(name);
      const before = this.#followed.find(({ stream }) => stream.connection === name)?.session;
      return session !== before && session !== undefined && session.signedOutReason === undefined;
    });
    if (restarted.length > 0) {
      // The buffer would not add dropped entries again, so everything is read from the start.
      if (restarted.length === filters.connections.length || this.buffer.dropped > 0) this.follow(filters);
      else this.#restart(filters, restarted);
      return;
    }
    const ended = this.#followed.filter(
      ({ session }) => session.ended.aborted || session.signedOutReason !== undefined,
    );
    if (ended.length === 0) return;
    this.#stop();
    this.#followed = this.#followed.filter((followed) => !ended.includes(followed));
    const names = new Set(ended.map(({ stream }) => stream.connection));
    const since = this.#options.clock.now();
    this.#unavailable = [
      ...this.#unavailable,
      ...[...names].map((name) => ({ ...this.#describeUnavailable(name), since })),
    ];
    this.#update();
  }

  get state(): FeedState {
    const tails = this.#followed.map(({ tail }) => tail);
    const stale = this.#followed.flatMap(({ stream, session, tail: { failure } }) =>
      failure === undefined ? [] : { connection: stream.connection, session, ...failure },
    );
    const readable = tails.filter(({ failure }) => failure === undefined);
    const since = Math.min(
      ...stale.map((connection) => connection.since),
      ...this.#unavailable.map((connection) => connection.since ?? Infinity),
    );
    const reasons = [
      ...this.#unavailable.map(({ reason }) => reason),
      ...stale.map(({ connection, error }) => formatError(l10n.t('Read action logs of {0}', connection), error)),
    ];
    const signIn =
      this.#unavailable.find(({ signIn }) => signIn)?.connection ??
      stale.find(({ error }) => hasErrorCode(error, 'unauthenticated'))?.connection;
    const endless = this.#followed.filter(({ tail }) => tail.reader.endless).map(({ stream }) => stream.connection);
    const reached = tails.map(({ reader }) => reader.reached).filter((time) => time !== undefined);
    return {
      phase: this.#getPhase(readable.map(({ phase }) => phase)),
      paused: this.#paused,
      stale: [
        ...new Set([
          ...this.#unavailable.map(({ connection, signIn }) =>
            signIn ? l10n.t('{0}: not signed in', connection) : l10n.t('{0}: does not exist', connection),
          ),
          ...stale.map(({ connection, session, error }) =>
            hasErrorCode(error, 'unauthenticated')
              ? formatPair(connection, formatSessionProblem(session) ?? l10n.t('not signed in'))
              : l10n.t('{0}: not up to date', connection),
          ),
        ]),
      ],
      ...(reasons.length > 0 && { reason: toPlainText([...new Set(reasons)].join(' '), 1000) }),
      ...(Number.isFinite(since) && { since }),
      ...(signIn !== undefined && { signIn }),
      loaded: this.buffer.size,
      limit: this.buffer.limit,
      dropped: this.buffer.dropped,
      // The latest time of all streams: only from there on all have been read.
      ...(reached.length > 0 && reached.length === tails.length && { readBackTo: Math.max(...reached) }),
      complete: readable.length > 0 && readable.every(({ reader }) => reader.complete),
      ...(endless.length > 0 && { note: formatEndlessNote([...new Set(endless)]) }),
      readingOlder: readable.some(({ reader }) => reader.olderWanted > 0) && !this.buffer.full,
      unreadable: tails.reduce((sum, { reader }) => sum + reader.unreadable, 0),
    };
  }

  /** Phase of the readable streams. */
  #getPhase(phases: readonly FeedState['phase'][]): FeedState['phase'] {
    if (phases.length === 0) return this.#unavailable.length + this.#followed.length > 0 ? 'stale' : 'off';
    if (this.#paused) return 'paused';
    for (const phase of ['waiting', 'reading', 'live', 'idle'] as const) if (phases.includes(phase)) return phase;
    return 'ended';
  }

  #followStream(stream: Stream, from: number | undefined, to: number | undefined): FollowedStream | undefined {
    const { connection, query } = stream;
    const { getSession, clock, interval, changed, stateChanged } = this.#options;
    const session = getSession(connection);
    if (session === undefined || session.signedOutReason !== undefined) {
      if (!this.#unavailable.some((known) => known.connection === connection))
        this.#unavailable = [...this.#unavailable, this.#describeUnavailable(connection)];
      return undefined;
    }
    const { queryFormat, pageSize } = session.profile;
    const tail = new Tail({
      connection,
      read: (pageQuery, { signal }) => session.client.listPageFor(actionLogs, pageQuery, { signal }),
      query,
      pageSize: pageSize ?? 100,
      dateResolution: getDateResolution(queryFormat.dateFormat),
      clock,
      // The client measures the offset to this machine's clock, not to the injected one.
      serverNow: () => Date.now() + session.client.clockAhead,
      get interval() {
        return interval();
      },
      from,
      to,
      buffer: this.buffer,
      changed: (change) => {
        if (change !== undefined) changed(change);
        this.#advanceRange(clock.now());
        stateChanged();
      },
    });
    if (this.#readsAll) tail.readOlder(Infinity);
    return { stream, session, tail };
  }

  /** Moves the start of relative ranges with the clock: the last hour, and today at midnight. */
  #advanceRange(now: number): void {
    if (this.#filters === undefined || this.#from === undefined) return;
    const { from = this.#from } = getBounds(this.#filters, now, this.#options.started);
    if (from <= this.#from) return;
    this.#from = from;
    const change = this.buffer.removeBefore(from);
    if (change.removed.length > 0) this.#options.changed(change);
  }

  #describeUnavailable(connection: string): UnavailableConnection {
    const session = this.#options.getSession(connection);
    const reason =
      session === undefined
        ? l10n.t('The connection “{0}” does not exist.', toPlainText(connection, 64))
        : formatSignedOut(session);
    return { connection, reason, signIn: session !== undefined };
  }

  #update(): void {
    const shouldRun = this.#visible && !this.#paused;
    if (!shouldRun) this.#stop();
    else if (this.#running === undefined && this.#followed.length > 0) this.#start((tail, signal) => tail.run(signal));
    this.#options.stateChanged();
  }

  #start(run: (tail: Tail, signal: AbortSignal) => Promise<unknown>): void {
    this.#stop();
    const { signal } = (this.#running = new AbortController());
    for (const { tail, session } of this.#followed) void run(tail, AbortSignal.any([signal, session.ended]));
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  dispose(): void {
    this.#visible = false;
    this.#stop();
  }
}

function formatEndlessNote(connections: readonly string[]): string {
  const names = formatList(connections.map((name) => toPlainText(name, 64)));
  return l10n.t('Stopped loading the action logs of {0} because several pages contained nothing new.', names);
}
