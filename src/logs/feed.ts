/** Pure: all that a view follows: a tail for each stream, one bounded buffer, and one state in words for all of them. */
import { headingOf } from '../connections/heading.ts';
import type { Session } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';
import { actionLogs } from '../platform/resources/action-logs.ts';
import { errorText } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import type { FeedState, Filters } from '../webviews/protocol-logs.ts';
import { LogBuffer, type Change } from './buffer.ts';
import { keyOf } from './entry.ts';
import { boundsOf, grainOf, streamsOf, type Stream } from './query.ts';
import { Tail, type TailClock } from './tail.ts';

export interface FeedOptions {
  readonly session: (connection: string) => Session | undefined;
  readonly clock: TailClock;
  /** milliseconds */
  readonly interval: () => number;
  readonly bufferSize: () => number;
  /** when this window began, for the preset */
  readonly started: number;
  readonly changed: (change: Change | 'reset') => void;
  readonly stateChanged: () => void;
}

interface Followed {
  readonly stream: Stream;
  readonly session: Session;
  readonly tail: Tail;
}

interface Absent {
  readonly connection: string;
  readonly reason: string;
  readonly signIn: boolean;
  /** when it went, where it was followed before */
  readonly since?: number;
}

export class Feed {
  readonly buffer: LogBuffer;
  readonly #options: FeedOptions;
  #filters: Filters | undefined;
  #followed: readonly Followed[] = [];
  /** connections that are asked for and cannot be followed, each with the reason */
  #absent: readonly Absent[] = [];
  #running: AbortController | undefined;
  #visible = false;
  #paused = false;
  #from: number | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.buffer = new LogBuffer(options.bufferSize());
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Where the preset begins, in milliseconds since the epoch. */
  get from(): number | undefined {
    return this.#from;
  }

  /** Everything anew, for other filters or another identity. */
  follow(filters: Filters): void {
    this.#filters = filters;
    this.#stop();
    this.buffer.clear();
    this.#absent = [];
    const { from, to } = boundsOf(filters, this.#options.clock.now(), this.#options.started);
    this.#from = from;
    this.#followed = this.#streams(filters).flatMap((stream) => this.#followedOf(stream, from, to) ?? []);
    this.#options.changed('reset');
    this.#update();
  }

  #streams(filters: Filters): readonly Stream[] {
    return streamsOf(
      filters,
      (connection, id) => this.#options.session(connection)?.organizations.some((one) => one.id === id) === true,
    );
  }

  /** One connection anew, beside the others, which go on. */
  #renew(filters: Filters, names: readonly string[]): void {
    this.#stop();
    const isNew = ({ connection }: { readonly connection: string }): boolean => names.includes(connection);
    const gone = this.buffer.list.filter(({ row }) => isNew(row)).map(({ key }) => key);
    this.#absent = this.#absent.filter((one) => !isNew(one));
    const { from, to } = boundsOf(filters, this.#options.clock.now(), this.#options.started);
    this.#followed = [
      ...this.#followed.filter(({ stream }) => !isNew(stream)),
      ...this.#streams(filters)
        .filter(isNew)
        .flatMap((stream) => this.#followedOf(stream, from, to) ?? []),
    ];
    this.#options.changed(this.buffer.remove(gone));
    this.#update();
  }

  /** Nothing is asked for while nobody looks. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#update();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#stop();
    this.#update();
  }

  retry(): void {
    // What is held goes only for a session that can read it anew.
    this.sessionsChanged();
    if (this.#paused && this.#visible) this.#start((tail, signal) => tail.look(signal));
    for (const { tail } of this.#followed) tail.hurry();
  }

  older(count: number): void {
    if (this.buffer.full) return;
    for (const { tail } of this.#followed) tail.older(count);
  }

  /** Another interval counts at once; a platform that fails is not pressed. */
  intervalChanged(): void {
    for (const { tail } of this.#followed) if (tail.state.failure === undefined) tail.hurry();
  }

  setLimit(): void {
    const { dropped, list } = this.buffer;
    const change = this.buffer.setLimit(this.#options.bufferSize());
    if (change.removed.length > 0) this.#options.changed(change);
    const [oldest] = list;
    if (dropped > 0 && this.buffer.dropped === 0 && oldest !== undefined)
      for (const { tail } of this.#followed) tail.again(oldest.time);
    this.#options.stateChanged();
  }

  /** Another identity sees other entries; without one, what is held is of the past and stays. */
  sessionsChanged(): void {
    const filters = this.#filters;
    if (filters === undefined) return;
    const others = filters.connections.filter((name) => {
      const session = this.#options.session(name);
      const before = this.#followed.find(({ stream }) => stream.connection === name)?.session;
      return session !== before && session !== undefined && session.signedOutBecause === undefined;
    });
    if (others.length > 0) {
      // What went because of the limit would not be taken back.
      if (others.length === filters.connections.length || this.buffer.dropped > 0) this.follow(filters);
      else this.#renew(filters, others);
      return;
    }
    const ended = this.#followed.filter(
      ({ session }) => session.ended.aborted || session.signedOutBecause !== undefined,
    );
    if (ended.length === 0) return;
    this.#stop();
    this.#followed = this.#followed.filter((one) => !ended.includes(one));
    const names = new Set(ended.map(({ stream }) => stream.connection));
    const since = this.#options.clock.now();
    this.#absent = [...this.#absent, ...[...names].map((name) => ({ ...this.#absence(name), since }))];
    this.#update();
  }

  get state(): FeedState {
    const tails = this.#followed.map(({ stream, tail }) => ({ stream, state: tail.state }));
    const stale = tails.filter(({ state }) => state.failure !== undefined);
    const able = tails.filter((one) => !stale.includes(one)).map(({ state }) => state);
    const since = Math.min(
      ...stale.map(({ state }) => state.failure?.since ?? Infinity),
      ...this.#absent.map((one) => one.since ?? Infinity),
    );
    const reasons = [
      ...this.#absent.map(({ reason }) => reason),
      ...stale.map(({ stream, state }) => errorText(`Read action logs of ${stream.connection}`, state.failure?.error)),
    ];
    const signIn =
      this.#absent.find((one) => one.signIn)?.connection ??
      stale.find(({ state }) => isUnauthenticated(state.failure?.error))?.stream.connection;
    const endless = tails.flatMap(({ stream, state }) => (state.endless ? [stream.connection] : []));
    const reached = tails.map(({ state }) => state.reached).filter((time) => time !== undefined);
    return {
      phase: this.#phase(able.map(({ phase }) => phase)),
      paused: this.#paused,
      stale: [
        ...new Set([
          ...this.#absent.map(({ connection, signIn }) => `${connection} ${signIn ? 'not signed in' : 'missing'}`),
          ...stale.map(
            ({ stream, state }) =>
              `${stream.connection} ${isUnauthenticated(state.failure?.error) ? 'not signed in' : 'stale'}`,
          ),
        ]),
      ],
      ...(reasons.length > 0 && { reason: plainText([...new Set(reasons)].join(' '), 1000) }),
      ...(Number.isFinite(since) && { since }),
      ...(signIn !== undefined && { signIn }),
      held: this.buffer.size,
      limit: this.buffer.limit,
      dropped: this.buffer.dropped,
      // Only what every stream has read is certain.
      ...(reached.length > 0 && reached.length === tails.length && { reached: Math.max(...reached) }),
      complete: able.length > 0 && able.every(({ complete }) => complete),
      ...(endless.length > 0 && { note: endlessText([...new Set(endless)]) }),
      older: able.some(({ older }) => older) && !this.buffer.full,
      unreadable: tails.reduce((sum, { state }) => sum + state.unreadable, 0),
    };
  }

  /** Of those that can be read. */
  #phase(phases: readonly FeedState['phase'][]): FeedState['phase'] {
    if (phases.length === 0) return this.#absent.length + this.#followed.length > 0 ? 'stale' : 'off';
    if (this.#paused) return 'paused';
    for (const phase of ['waiting', 'reading', 'live', 'idle'] as const) if (phases.includes(phase)) return phase;
    return 'ended';
  }

  #followedOf(stream: Stream, from: number | undefined, to: number | undefined): Followed | undefined {
    const { connection, query } = stream;
    const { session: sessionOf, clock, interval, changed, stateChanged } = this.#options;
    const session = sessionOf(connection);
    if (session === undefined || session.signedOutBecause !== undefined) {
      if (!this.#absent.some((one) => one.connection === connection))
        this.#absent = [...this.#absent, this.#absence(connection)];
      return undefined;
    }
    const { words, pageSize } = session.profile;
    const tail = new Tail({
      connection,
      read: (asked, { signal }) => session.client.pageOf(actionLogs, asked, { signal }),
      query,
      pageSize: pageSize ?? 100,
      grain: grainOf(words.dateFormat),
      clock,
      // The client measures against this machine's clock.
      serverNow: () => Date.now() + session.client.clockAhead,
      get interval() {
        return interval();
      },
      from,
      to,
      held: this.buffer,
      take: (entries) => {
        if (session.ended.aborted) return 0;
        const change = this.buffer.take(entries);
        if (change.changed.length > 0 || change.removed.length > 0) changed(change);
        return change.added;
      },
      gone: (ids) => {
        changed(this.buffer.remove(ids.map((id) => keyOf(connection, id))));
      },
      changed: () => {
        this.#move(clock.now());
        stateChanged();
      },
    });
    return { stream, session, tail };
  }

  /** The last hour is that of now, not of when it was chosen, and today ends at midnight. */
  #move(now: number): void {
    if (this.#filters === undefined || this.#from === undefined) return;
    const { from = this.#from } = boundsOf(this.#filters, now, this.#options.started);
    if (from <= this.#from) return;
    this.#from = from;
    const change = this.buffer.leave(from);
    if (change.removed.length > 0) this.#options.changed(change);
  }

  #absence(connection: string): Absent {
    const session = this.#options.session(connection);
    const reason =
      session === undefined ? `There is no connection “${plainText(connection, 64)}” now.` : signedOutText(session);
    return { connection, reason, signIn: session !== undefined };
  }

  #update(): void {
    const wanted = this.#visible && !this.#paused;
    if (!wanted) this.#stop();
    else if (this.#running === undefined && this.#followed.length > 0) this.#start((tail, signal) => tail.run(signal));
    this.#options.stateChanged();
  }

  #start(work: (tail: Tail, signal: AbortSignal) => Promise<unknown>): void {
    this.#stop();
    const { signal } = (this.#running = new AbortController());
    for (const { tail, session } of this.#followed) void work(tail, AbortSignal.any([signal, session.ended]));
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

/** `Not signed in to PRODUCTION · Live.`, and why where there is more to it. */
function signedOutText({ profile, signedOutBecause = '' }: Session): string {
  const why = /^not signed in\.?$/i.test(signedOutBecause) ? '' : signedOutBecause.replace(/\.?$/, '.');
  return `Not signed in to ${plainText(headingOf(profile, undefined), 200)}. ${why === '.' ? '' : why}`.trim();
}

function endlessText(connections: readonly string[]): string {
  const names = connections.map((name) => plainText(name, 64)).join(', ');
  return `The list of action logs of ${names} does not end: reading stopped after pages that brought nothing new.`;
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'unauthenticated';
}
