/** Reads what lenses show, one request for each series, and keeps it for a while. */
import Big from 'big.js';
import { hasPassed } from '../model/has-passed.ts';
import type { Session } from '../model/session/session.ts';
import type { CallOptions } from '../platform/client.ts';
import { hasErrorCode } from '../platform/errors.ts';
import { statisticsSeries } from '../platform/resources/statistics.ts';
import { parseAmount } from '../statistics/amounts.ts';
import { querySeries } from '../statistics/query-series.ts';
import { DEFAULT_CONTROLS } from '../webviews/protocol/statistics.ts';
import type { Mark } from './find-marks.ts';
import { readSample, summarizeLogs, type LogSummary, type SampledLog } from './log-sample.ts';
import { getOrAdd } from '../platform/get-or-add.ts';

interface LensDataOptions {
  /** milliseconds since the epoch */
  readonly now: () => number;
  /** milliseconds after which a series is read again */
  readonly maxAge: number;
  /** Whether requests may be sent now. */
  readonly isActive: () => boolean;
  /** Called when something was read. */
  readonly onDidRead: () => void;
}

interface Reading<T> {
  readonly value?: T;
  readonly error?: unknown;
  /** milliseconds since the epoch; when reading began if `busy` */
  readonly at: number;
  readonly busy: boolean;
}

/** On which connections a template exists. */
export interface Presence {
  readonly found: readonly Session[];
  readonly missing: readonly Session[];
  /** signed out, or the request failed */
  readonly unread: readonly Session[];
}

/** What is known of a mark. */
export interface LensFacts {
  readonly session: Session;
  readonly mark: Mark;
  /** executions, or created objects, of `PERIOD`; absent if it was not read completely */
  readonly count?: Big;
  readonly logs?: LogSummary | undefined;
  /** of a template, once all connections were asked */
  readonly presence?: Presence;
  /** why something is missing */
  readonly error?: unknown;
  /** something is still being read for the first time */
  readonly busy: boolean;
}

/** Time that counts are of. Read in weeks: few points, so that a platform does not truncate them. */
const [PERIOD, INTERVAL] = ['30d', 'week'];

/** Values of one kind by session and key. */
class SeriesCache<T> {
  readonly #options: LensDataOptions;
  readonly #maxAge: number;
  readonly #readings = new WeakMap<Session, Map<string, Reading<T>>>();

  constructor(options: LensDataOptions, maxAge = options.maxAge) {
    this.#options = options;
    this.#maxAge = maxAge;
  }

  /** Returns what is known, and reads it if that is too old. */
  get(session: Session, key: string, stop: AbortSignal, read: (options: CallOptions) => Promise<T>): Reading<T> {
    const { now, isActive, onDidRead } = this.#options;
    const readings = getOrAdd(this.#readings, session, () => new Map<string, Reading<T>>());
    const known = readings.get(key);
    const isDue = known === undefined || (!known.busy && hasPassed(this.#maxAge, known.at, now()));
    if (!isDue || !isActive()) return known ?? { at: now(), busy: true };
    const reading = { ...known, at: now(), busy: true };
    readings.set(key, reading);
    const finish = (result: Pick<Reading<T>, 'value' | 'error'>): void => {
      readings.set(key, { ...result, at: reading.at, busy: false });
      if (!stop.aborted) onDidRead();
    };
    read({ signal: AbortSignal.any([session.ended, stop]) }).then(
      (value) => finish({ value }),
      (error: unknown) => {
        // What was read before is shown with its time.
        finish({ ...known, error });
      },
    );
    return reading;
  }
}

/** What lenses show, read on demand. */
export class LensData {
  readonly #stop = new AbortController();
  readonly #counts: SeriesCache<Big | undefined>;
  readonly #logs: SeriesCache<readonly SampledLog[] | undefined>;
  readonly #templates: SeriesCache<boolean>;

  constructor(options: LensDataOptions) {
    this.#counts = new SeriesCache(options);
    this.#logs = new SeriesCache(options);
    // Templates come and go less often than logs.
    this.#templates = new SeriesCache(options, 10 * options.maxAge);
  }

  /**
   * Returns what is known of a mark on a connection, and reads what is missing or too old. `all`: connections on which a
   * template may exist.
   */
  get(session: Session, mark: Mark, all: readonly Session[]): LensFacts {
    const signal = this.#stop.signal;
    const others = mark.kind === 'action' ? [] : all.filter((other) => other.signedOutReason === undefined);
    const templates = others.map(
      (other) => [other, this.#templates.get(other, mark.name, signal, (to) => exists(other, mark.name, to))] as const,
    );
    const own = templates.find(([other]) => other === session)?.[1];
    // Nothing is counted for a template that is not there.
    const isCounted = mark.kind === 'action' || own?.value === true;
    const count = isCounted
      ? this.#counts.get(session, `${mark.kind} ${mark.name}`, signal, (to) => readCount(session, mark, to))
      : undefined;
    const logs = isCounted
      ? this.#logs.get(session, '', signal, (options) => readSample(session.client, options))
      : undefined;
    const readings = [...templates.map(([, reading]) => reading), count, logs];
    const busy = readings.some((one) => one?.busy === true && one.value === undefined && one.error === undefined);
    const error = count?.error ?? logs?.error ?? own?.error;
    return {
      session,
      mark,
      busy,
      ...(count?.value !== undefined && { count: count.value }),
      ...(logs?.value !== undefined && { logs: summarizeLogs(logs.value, mark) }),
      ...(error !== undefined && { error }),
      ...(mark.kind === 'template' && !busy && { presence: getPresence(all, new Map(templates)) }),
    };
  }

  /** Stops reading. */
  dispose(): void {
    this.#stop.abort();
  }
}

function getPresence(all: readonly Session[], readings: ReadonlyMap<Session, Reading<boolean>>): Presence {
  const select = (value: boolean | undefined): readonly Session[] =>
    all.filter((session) => readings.get(session)?.value === value);
  return { found: select(true), missing: select(false), unread: select(undefined) };
}

async function exists({ client }: Session, id: string, options: CallOptions): Promise<boolean> {
  try {
    await client.read('templates', [id], options);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'notFound')) return false;
    throw error;
  }
}

/** Reads how often an action was executed, or how many objects were created; `undefined` if points may be missing. */
async function readCount({ client }: Session, { kind, name }: Mark, { signal }: CallOptions): Promise<Big | undefined> {
  const [executions, , creations] = statisticsSeries;
  const { now } = await querySeries({
    client,
    series: kind === 'action' ? executions : creations,
    controls: {
      ...DEFAULT_CONTROLS,
      timeRange: PERIOD,
      interval: INTERVAL,
      compare: false,
      ...(kind === 'action' ? { action: name } : { template: name }),
    },
    now: Date.now(),
    signal: signal ?? new AbortController().signal,
    onRequest: () => undefined,
    maxRequests: 1,
  });
  const amounts = now.points.map(({ value }) => parseAmount(value)?.value);
  if (now.truncated !== undefined || amounts.includes(undefined)) return undefined;
  return amounts.reduce<Big>((sum, amount) => sum.plus(amount ?? 0), new Big(0));
}
