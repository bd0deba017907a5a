/** Asks the platform for one series as the controls say, window by window (pure). */
import type { PlatformClient } from '../platform/client.ts';
import { isObject } from '../platform/json.ts';
import type { DateRange } from '../platform/operation.ts';
import type { Series } from '../platform/resources/statistics.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import type { Controls } from '../webviews/protocol-statistics.ts';
import { MOST_POINTS, readSeries, type Point, type Reading } from './read.ts';
import type { SeriesRead } from './series.ts';
import { before, lengthOf, windowOf, type Window } from './windows.ts';

/** Of one series and one period. */
export const MAX_REQUESTS = 60;

/** A moment far outside of the calendar is no time. */
const LATEST = Date.UTC(9999);

export interface Asked {
  readonly client: PlatformClient;
  readonly series: Series;
  readonly controls: Controls;
  readonly now: number;
  readonly signal: AbortSignal;
  /** called at each request */
  readonly requested: () => void;
  readonly maxRequests?: number;
}

/** The part of a query that says when. */
interface Range {
  readonly time_range?: string;
  readonly when_created?: DateRange;
}
/** What all three series take. */
type Query = Range & { readonly limit: number; readonly interval?: string; readonly signer?: string };

/** Throws PlatformError. */
export async function readAsked(asked: Asked): Promise<SeriesRead> {
  const { controls, now } = asked;
  const window = windowOf(controls, now);
  const step = lengthOf(controls.interval);
  const period = (of: Window | undefined, first: Range): Promise<Reading> =>
    readSeries({
      // A small limit is for a first look; what it leaves out is not read in as small parts.
      read: (part, limit) => points(asked, part === undefined ? first : datesOf(part), limit),
      window: of,
      limit: controls.limit === 0 ? MOST_POINTS : controls.limit,
      step,
      maxRequests: asked.maxRequests ?? MAX_REQUESTS,
    });
  const earlier = window === undefined || !controls.compare ? undefined : before(window, step);
  const [current, previous] = await Promise.all([
    period(window, firstQuery(controls, window)),
    earlier === undefined
      ? {}
      : period(earlier, datesOf(earlier)).then(
          (before) => ({ before }),
          (error: unknown) => {
            // This period stands without the one before.
            if (isCancelled(error)) throw error;
            return { beforeFailed: errorText('Read the period before', error) };
          },
        ),
  ]);
  return { now: current, ...previous, window, step, at: now };
}

/**
 * The range in the person's own words: the platform may know more of them than we do. Dates go before them, so that the
 * whole and its parts ask for the same.
 */
function firstQuery({ timeRange, from, until }: Controls, window: Window | undefined): Range {
  if (window !== undefined && (from !== '' || until !== '')) {
    const { gte, lt } = datesOf(window).when_created;
    return { when_created: { gte, ...(until !== '' && { lt }) } };
  }
  const dates = { ...(from !== '' && { gte: from }), ...(until !== '' && { lt: until }) };
  return {
    ...(timeRange !== '' && { time_range: timeRange }),
    ...(Object.keys(dates).length > 0 && { when_created: dates }),
  };
}

function datesOf({ from, until }: Window) {
  return { when_created: { gte: new Date(from).toISOString(), lt: new Date(until).toISOString() } };
}

async function points(asked: Asked, range: Range, limit: number): Promise<readonly Point[]> {
  const { controls, requested } = asked;
  requested();
  const { interval, signer } = controls;
  const page = await ask(asked, {
    ...range,
    limit,
    ...(interval !== '' && { interval }),
    ...(signer !== '' && { signer }),
  });
  return page.items.map(({ view, raw }) => {
    const when = view?.when === undefined ? NaN : Date.parse(view.when);
    return {
      id: view?.id,
      key: view?.key,
      when: Math.abs(when) < LATEST ? when : undefined,
      value: view?.[asked.series.value] ?? rawOf(raw, asked.series.value),
    };
  });
}

/** Some write a count as text, as int64 often is, or a fee as a number. */
function rawOf(raw: unknown, name: string): unknown {
  const value = isObject(raw) ? raw[name] : undefined;
  return JSON.isRawJSON(value) ? value.rawJSON : value;
}

/** Each series with the filter that it alone has. */
function ask({ client, series, controls, signal }: Asked, query: Query): ReturnType<PlatformClient['statistics']> {
  const { action, template } = controls;
  switch (series.id) {
    case 'executions':
      return client.statistics(series, { ...query, ...(action !== '' && { action_name: action }) }, { signal });
    case 'fees':
      return client.statistics(series, { ...query, ...(action !== '' && { action_name: action }) }, { signal });
    case 'creations':
      return client.statistics(series, { ...query, ...(template !== '' && { template_id: template }) }, { signal });
  }
}
