/** The three time series, counted from the action logs and objects of the sandbox. */
import { isObject, toText } from '../../platform/json/json.ts';
import type { Operation } from '../../platform/operation.ts';
import { ALL_TIME, findFirstIndex, isWithin, type TimeRange } from '../generation/collection.ts';
import { catalogue } from '../data/template-catalogue.ts';
import { DAY, HOUR, formatIso } from '../generation/generated-source.ts';
import { countObjectsBelow } from '../data/templates.ts';
import { badRequest } from '../http/errors.ts';
import { ok, type RouteResponse, type RouteRequest } from '../http/responses.ts';
import { readLimit, readSpan } from './list-query.ts';
import type { World } from '../world.ts';

type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month';
const INTERVALS: readonly string[] = ['minute', 'hour', 'day', 'week', 'month'] satisfies Interval[];
const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY, y: 365 * DAY };
const DEFAULT_RANGE = 30 * DAY;
/** 1970 began on a Thursday; weeks begin on Mondays. */
const MONDAY = 4 * DAY;

/** The start, in UTC, of the interval of `moment` (milliseconds since 1970). */
export function floorTo(interval: Interval, moment: number): number {
  if (interval === 'minute') return Math.floor(moment / MINUTE) * MINUTE;
  if (interval === 'hour') return Math.floor(moment / HOUR) * HOUR;
  if (interval === 'day') return Math.floor(moment / DAY) * DAY;
  if (interval === 'week') return Math.floor((moment - MONDAY) / (7 * DAY)) * 7 * DAY + MONDAY;
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function getNextStart(interval: Interval, start: number): number {
  if (interval === 'minute') return start + MINUTE;
  if (interval === 'hour') return start + HOUR;
  if (interval === 'day') return start + DAY;
  if (interval === 'week') return start + 7 * DAY;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Adds decimals exactly. */
export function addDecimals(a: string, b: string): string {
  const places = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string): bigint => {
    const [integer = '0', fraction = ''] = text.split('.');
    return BigInt(integer + fraction.padEnd(places, '0'));
  };
  const digits = String(scaled(a) + scaled(b)).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

interface Window {
  readonly interval: Interval;
  readonly span: TimeRange;
  readonly limit: number;
}

function readWindow(operation: Operation, query: URLSearchParams, now: number): Window {
  const { limit: parameter } = operation.query;
  const limit = readLimit(query, parameter?.type === 'limit' ? parameter.max : undefined);
  const interval = query.get('interval') ?? 'day';
  if (!isInterval(interval)) throw badRequest(`interval: one of ${INTERVALS.join(', ')}`, { field: 'interval' });
  const dates = readSpan(query, 'when_created');
  const range = query.get('time_range');
  const parts = range === null ? undefined : /^(\d{1,4})([mhdwy])$/.exec(range);
  if (parts === null) throw badRequest('time_range: such as 24h, 7d or 30d', { field: 'time_range' });
  // Without any bound, the last thirty days.
  const duration =
    parts === undefined
      ? dates === undefined
        ? DEFAULT_RANGE
        : undefined
      : Number(parts[1]) * (UNITS[parts[2] ?? ''] ?? DAY);
  const { from, to } = dates ?? ALL_TIME;
  return {
    interval,
    limit,
    span: { from: Math.max(from, duration === undefined ? -Infinity : now - duration), to: Math.min(to, now) },
  };
}

function isInterval(text: string): text is Interval {
  return INTERVALS.includes(text);
}

interface Point {
  readonly id: string;
  readonly key: string;
  readonly when: string;
  count: number;
  fee: string;
}

/** Points by interval and key, without empty ones. */
class PointMap {
  readonly #points = new Map<string, Point>();
  readonly #interval: Interval;

  constructor(interval: Interval) {
    this.#interval = interval;
  }

  add(moment: number, key: string, count: number, fee = '0'): void {
    const when = formatIso(floorTo(this.#interval, moment));
    const id = `${when}/${key}`;
    const point = this.#points.get(id) ?? { id, key, when, count: 0, fee: '0' };
    point.count += count;
    point.fee = addDecimals(point.fee, fee);
    this.#points.set(id, point);
  }

  /** The last `limit` points in order of time. */
  last(limit: number): Point[] {
    return [...this.#points.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-limit);
  }
}

/** Handles a request for one of the three series. */
export function handleStatistics(
  world: World,
  series: 'executions' | 'fees' | 'creations',
  operation: Operation,
  call: RouteRequest,
): RouteResponse {
  const { query } = call;
  const window = readWindow(operation, query, world.clock.now());
  const points = new PointMap(window.interval);
  const signers = findSigners(world, query.get('signer') ?? '');
  if (series === 'creations') countObjects(world, window, points, query.get('template_id') ?? '', signers);
  else countLogs(world, window, points, query.get('action_name') ?? '', signers);
  const data = points.last(window.limit).map(({ id, key, when, count, fee }) => ({
    id,
    key,
    when,
    ...(series === 'fees' ? { fee } : { count }),
  }));
  return ok({ data });
}

/** The addresses of the wallets with a nickname; undefined: of all. */
function findSigners(world: World, nickname: string): ReadonlySet<unknown> | undefined {
  if (nickname === '') return undefined;
  const wallets = [...world.collection('wallets').walk('asc', ALL_TIME)].map((entry) => entry.item());
  const named = wallets.filter((wallet) => toText(wallet['nickname']).toLowerCase() === nickname.toLowerCase());
  return new Set(named.map(({ account }) => (isObject(account) ? account['address'] : undefined)));
}

function countLogs(
  world: World,
  { span }: Window,
  points: PointMap,
  action: string,
  signers: ReadonlySet<unknown> | undefined,
): void {
  for (const entry of world.collection('action-logs').walk('asc', span)) {
    const name = toText(entry.get('action') ?? entry.get('action_name') ?? 'unknown');
    if ((action !== '' && name !== action) || signers?.has(entry.get('signer')) === false) continue;
    points.add(entry.created, name, 1, toText(entry.get('fee') ?? '0'));
  }
}

/** Counts generated objects by arithmetic. They have no signer, so a filter by signer counts only live mints. */
function countObjects(
  world: World,
  { interval, span }: Window,
  points: PointMap,
  template: string,
  signers: ReadonlySet<unknown> | undefined,
): void {
  const { source } = world.objects;
  const plan = template === '' ? undefined : (world.templates.findPlan(template)?.index ?? -1);
  let low = findFirstIndex(source.size, (index) => source.createdAt(index) >= span.from);
  const end = findFirstIndex(source.size, (index) => source.createdAt(index) > span.to);
  while (signers === undefined && low < end) {
    const start = floorTo(interval, source.createdAt(low));
    const until = getNextStart(interval, start);
    const high = Math.min(
      end,
      findFirstIndex(source.size, (index) => source.createdAt(index) >= until),
    );
    for (const index of catalogue.keys()) {
      const count =
        plan === undefined || plan === index ? countObjectsBelow(index, high) - countObjectsBelow(index, low) : 0;
      if (count > 0) points.add(start, world.templates.source.idAt(index), count);
    }
    low = high;
  }
  for (const { when, template: index, signer } of world.mints) {
    if (!isWithin(when, span) || (plan !== undefined && plan !== index)) continue;
    if (signers?.has(signer) !== false) points.add(when, world.templates.idAt(index), 1);
  }
}
