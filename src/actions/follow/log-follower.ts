import type { Clock } from '../../model/clock.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { getLogIds } from '../../platform/resources/action-log-fields.ts';
import { FollowedPost, type FollowTarget } from './followed-post.ts';
import { getSignatureDigest, MAX_CLOCK_SKEW } from './match-action-log.ts';
import { SEARCH_DURATION, type FollowLimits } from './snapshot.ts';

/** Pages of action logs of one pass. */
const MAX_PAGES = 50;
/** Milliseconds by which the times of logs are earlier than those of requests at most, if clocks agree. */
const CLOCK_SLACK = 60_000;
/** Milliseconds from a request to its log. */
const MAX_DELAY = 15 * 60_000;
/** POSTs whose log is read by its id in one pass, if the list does not show it. */
const MAX_SINGLE_READS = 20;
/** Ledger batches that are read in one pass, and at once. */
const MAX_BATCH_READS = 60;
const MAX_CONCURRENT = 6;
/** Part of the time that passes over a list may take. */
const MAX_LOAD = 0.2;

/** A period of time by the clock of the platform. */
interface Period {
  readonly gte: Date;
  readonly lte?: Date;
}

/** A filter of the action logs. */
interface LogQuery {
  readonly action_id?: string;
  readonly id?: string;
  readonly limit?: number;
  readonly order?: 'descending';
  readonly when_created?: Period;
}

/** The reads of following; all reject with PlatformError. */
export interface FollowReader {
  /** the raw action logs that match a filter */
  logs(query: LogQuery, signal: AbortSignal): Promise<readonly unknown[]>;
  /** pages of the action logs of a period, newest first; absent: for a single POST, which is read by its id */
  logPages?(period: Period, signal: AbortSignal): AsyncIterable<readonly unknown[]>;
  batch(id: string, signal: AbortSignal): Promise<unknown>;
  /** milliseconds that the clock of the platform is ahead, by its last response */
  clockAhead?(): number;
}

interface FollowerOptions {
  readonly reads: FollowReader;
  readonly time: Clock;
  readonly limits: FollowLimits;
  /** milliseconds to search for a log */
  readonly searchDuration?: number | undefined;
  /** true for the id of a log or an action of another POST */
  readonly isKnown?: (id: string) => boolean;
  /** false for the digest of a signature that several POSTs have; default true for all */
  readonly isOwnSignature?: (digest: string) => boolean;
}

/**
 * Follows POSTs to their decided action logs and ledger batches, and searches for the logs of those whose response names
 * none. With pages of logs it reads lists for all of them together; a single POST is read by its id. Sends only reads.
 */
export class LogFollower {
  readonly #options: FollowerOptions;
  readonly #posts = new Set<FollowedPost>();
  readonly #stop = new AbortController();
  #watching: Promise<void> | undefined;
  /** in turn, for the reads of single logs */
  #nextSingle = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Follows a POST from now on; does nothing after `stop`. */
  follow(target: FollowTarget): void {
    if (this.#stop.signal.aborted) return;
    const { time, searchDuration = SEARCH_DURATION } = this.#options;
    this.#posts.add(new FollowedPost(target, time, searchDuration));
    this.#start();
  }

  /** Resolves when nothing is left to follow, or when stopped. */
  async waitUntilIdle(): Promise<void> {
    while (this.#watching !== undefined) await this.#watching;
  }

  /** Reads no more. Resolves when the last read has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.waitUntilIdle();
  }

  get #isSingle(): boolean {
    return this.#options.reads.logPages === undefined;
  }

  #isDone(): boolean {
    return this.#posts.size === 0 || this.#stop.signal.aborted;
  }

  #start(): void {
    this.#watching ??= this.#watch().finally(() => {
      this.#watching = undefined;
      // A POST may have been added since the last look.
      if (!this.#isDone()) this.#start();
    });
  }

  async #watch(): Promise<void> {
    const { time, limits } = this.#options;
    let wait = limits.initialInterval;
    while (!this.#isDone()) {
      const start = time.now();
      const hasChanged = await this.#pass(start);
      if (this.#isDone()) return;
      // A change shortens the interval, none lengthens it.
      wait = hasChanged ? limits.initialInterval : Math.min(limits.maxInterval, wait * 1.6);
      const load = this.#isSingle ? 0 : (time.now() - start) * (1 / MAX_LOAD - 1);
      const due = [...this.#posts].reduce((least, { deadline }) => Math.min(least, deadline), Infinity) - time.now();
      const sleep = Math.max(Math.min(wait, due), Math.min(load, limits.maxInterval), 0);
      await time.sleep(sleep, this.#stop.signal).catch(() => undefined);
    }
  }

  /** One look at the logs and ledger batches. Resolves with true if a state changed. */
  async #pass(start: number): Promise<boolean> {
    const posts = [...this.#posts];
    const before = posts.map(({ snapshot }) => snapshot);
    for (const post of posts) post.error = undefined;
    try {
      await this.#readLogs(
        posts.filter(({ needsLog }) => needsLog),
        start,
      );
      await this.#readBatches(posts);
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      throw error;
    }
    for (const post of posts) {
      post.checkTime();
      if (post.isFinished) this.#posts.delete(post);
    }
    return posts.some(({ snapshot }, index) => snapshot !== before[index]);
  }

  async #readLogs(posts: readonly FollowedPost[], start: number): Promise<void> {
    const { time, limits } = this.#options;
    if (this.#isSingle) {
      for (const post of posts)
        if (!(await this.#readById(post)) && post.needsList()) await this.#readList([post], start);
      return;
    }
    await this.#readList(posts, start);
    // A deployment may list logs in another order, refuse the filters of lists, or not list them at all.
    const unlisted = posts.filter(
      ({ id, needsLog, isListed, started }) =>
        id !== undefined && needsLog && !isListed && time.now() - started >= 8 * limits.initialInterval,
    );
    for (let count = 0; count < Math.min(unlisted.length, MAX_SINGLE_READS); count++) {
      const post = unlisted[this.#nextSingle++ % unlisted.length];
      if (post !== undefined) await this.#readById(post);
    }
  }

  /** Resolves with true if its log was found. */
  async #readById(post: FollowedPost): Promise<boolean> {
    const { id } = post;
    if (id === undefined) return false;
    const { signal } = this.#stop;
    const responses: (readonly JsonObject[])[] = [];
    for (const by of post.filters) {
      try {
        const logs = (await this.#options.reads.logs({ [by]: id }, signal)).filter(isObject);
        post.error = undefined;
        responses.push(logs);
        // A server may ignore an unknown filter, so the log must name the id.
        const named = logs.filter((log) => getLogIds(log).includes(id));
        if (named.length === 0) continue;
        post.filters = [by];
        post.addNamed(named, this.#getSentAt(post));
        return true;
      } catch (error) {
        signal.throwIfAborted();
        // A deployment may refuse one of the two filters.
        if (responses.length === 0) post.error ??= error;
      }
    }
    return false;
  }

  /** Reads the list of logs, and compares it with the POSTs that are searched for. `start`: of the pass. */
  async #readList(posts: readonly FollowedPost[], start: number): Promise<void> {
    if (posts.length === 0) return;
    const compared = posts.filter(({ isCompared }) => isCompared);
    let isComplete = false;
    try {
      isComplete = await this.#readPages(posts, compared);
      for (const post of posts) post.error = undefined;
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      for (const post of posts) post.error ??= error;
    }
    for (const post of compared) post.endList(start, isComplete, this.#isSingle);
  }

  /** Reads back to the first POST. Resolves with false if the list was too long to be read to its end. */
  async #readPages(posts: readonly FollowedPost[], compared: readonly FollowedPost[]): Promise<boolean> {
    const { since, ...period } = this.#getPeriod(posts, compared.length > 0);
    const pending = new Map(posts.flatMap((post) => (post.id === undefined ? [] : [[post.id, post]])));
    let pages = 0;
    for await (const page of this.#listPages(period)) {
      const logs = page.filter(isObject);
      const named = Map.groupBy(logs, (log) =>
        getLogIds(log)
          .map((id) => pending.get(id))
          .find((post) => post !== undefined),
      );
      for (const [post, own] of named) {
        if (post === undefined) {
          for (const log of own) this.#compare(log, compared);
          continue;
        }
        if (post.id !== undefined) pending.delete(post.id);
        post.isListed = true;
        post.addNamed(own, this.#getSentAt(post));
      }
      for (const post of compared) post.endPage();
      if (pending.size === 0 && compared.every(({ isCompared }) => !isCompared)) return true;
      if (isOlder(logs, period.gte)) return true;
      if (++pages >= MAX_PAGES) return isOlder(logs, since);
    }
    return true;
  }

  async *#listPages(period: Period): AsyncIterable<readonly unknown[]> {
    const { reads } = this.#options;
    const { signal } = this.#stop;
    if (reads.logPages !== undefined) yield* reads.logPages(period, signal);
    else yield await reads.logs({ limit: 50, order: 'descending', when_created: period }, signal);
  }

  /** When the logs of POSTs were created; without an end if that may be yet to come. `isCompared`: clocks may differ, too. */
  #getPeriod(posts: readonly FollowedPost[], isCompared: boolean): Period & { readonly since: Date } {
    const now = this.#options.time.now();
    const ahead = this.#options.reads.clockAhead?.() ?? 0;
    let [first, last] = [now, 0];
    for (const { target } of posts) [first, last] = [Math.min(first, target.sentAt), Math.max(last, target.sentAt)];
    const since = first + ahead - CLOCK_SLACK;
    const gte = new Date(isCompared || this.#isSingle ? since - MAX_CLOCK_SKEW : since);
    const isPast = last + MAX_DELAY < now;
    return { since: new Date(since), gte, ...(isPast && { lte: new Date(last + ahead + MAX_DELAY) }) };
  }

  /** When a POST was sent, milliseconds by the clock of the platform. */
  #getSentAt({ target }: FollowedPost): number {
    return target.sentAt + (this.#options.reads.clockAhead?.() ?? 0);
  }

  /** Compares a log that no response named. */
  #compare(log: JsonObject, posts: readonly FollowedPost[]): void {
    const { isKnown, isOwnSignature } = this.#options;
    const ids = getLogIds(log);
    const [id] = ids;
    if (id === undefined || posts.length === 0 || ids.some((one) => isKnown?.(one) === true)) return;
    const digest = getSignatureDigest(log['signature']);
    const isProof = digest !== undefined && isOwnSignature?.(digest) !== false;
    for (const post of posts) post.compare(log, id, this.#getSentAt(post), isProof && digest === post.target.signature);
  }

  /** Reads each ledger batch once, or as many as a pass may. */
  async #readBatches(posts: readonly FollowedPost[]): Promise<void> {
    const open = posts.filter(({ batchId, isFinished }) => batchId !== undefined && !isFinished);
    const due = [...Map.groupBy(open, ({ batchId = '' }) => batchId)].slice(0, MAX_BATCH_READS).values();
    const readInTurn = async (): Promise<void> => {
      for (const [id, group] of due) {
        const { batch, error } = await this.#options.reads.batch(id, this.#stop.signal).then(
          (read) => ({ batch: isObject(read) ? read : undefined, error: undefined }),
          (reason: unknown) => ({ batch: undefined, error: reason }),
        );
        this.#stop.signal.throwIfAborted();
        for (const post of group) {
          post.addBatch(batch, error);
          // To the end of the queue.
          if (this.#posts.delete(post)) this.#posts.add(post);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, open.length) }, readInTurn));
  }
}

/** True for a page whose last log is from before a time, if the newest logs come first. */
function isOlder(logs: readonly JsonObject[], since: Date): boolean {
  const [first, last] = [logs[0], logs.at(-1)].map((log) => Date.parse(String(log?.['when_created'])));
  return first !== undefined && last !== undefined && last < since.getTime() && first >= last;
}
