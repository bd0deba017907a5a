import * as l10n from '@vscode/l10n';
import type { PlatformClient } from '../platform/client.ts';
import { hasErrorCode } from '../platform/errors.ts';
import { isObject } from '../platform/json/json.ts';
import type { DateRange } from '../platform/operation.ts';
import type { StatisticsSeries } from '../platform/resources/statistics.ts';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import { chooseInterval, type Controls } from '../webviews/protocol/statistics.ts';
import { readSeries, type Point, type SeriesPointsResult } from './read-points.ts';
import type { SeriesResult } from './series-state.ts';
import { getPeriodBefore, parseDuration, getWindow, type Window } from './time-windows.ts';

/** Requests for one series and one period. */
const MAX_REQUESTS = 60;

/** Later times are treated as missing: milliseconds since the epoch. */
const MAX_TIME = Date.UTC(9999);

interface SeriesRequest {
  readonly client: PlatformClient;
  readonly series: StatisticsSeries;
  readonly controls: Controls;
  /** milliseconds since the epoch */
  readonly now: number;
  readonly signal: AbortSignal;
  /** called at each request */
  readonly onRequest: () => void;
  readonly maxRequests?: number;
}

/** The time parameters of a query. */
interface Range {
  readonly time_range?: string;
  readonly when_created?: DateRange;
}
/** The contract's maximum. */
const MAX_POINTS = 100;

/** Reads a series with the options of the controls, and the period before if requested. Rejects with PlatformError. */
export async function querySeries(request: SeriesRequest): Promise<SeriesResult> {
  const { controls, now } = request;
  const window = getWindow(controls, now);
  if (controls.interval !== '' || window === undefined) return readInterval(request, window);
  const { word } = chooseInterval(window.until - window.from);
  const readBy = (interval: string): Promise<SeriesResult> =>
    readInterval({ ...request, controls: { ...controls, interval } }, window);
  return readBy(word).catch((error: unknown) => {
    // The contract does not list the intervals; platforms without minutes have hours.
    if (word === 'minute' && hasErrorCode(error, 'badRequest')) return readBy('hour');
    throw error;
  });
}

async function readInterval(request: SeriesRequest, window: Window | undefined): Promise<SeriesResult> {
  const { controls, now } = request;
  const { interval } = controls;
  const step = parseDuration(interval);
  const readPeriod = (range: Window | undefined, first: Range): Promise<SeriesPointsResult> =>
    readSeries({
      read: (part) => readPoints(request, part === undefined ? first : getDates(part)),
      window: range,
      step,
      maxRequests: request.maxRequests ?? MAX_REQUESTS,
    });
  const earlier = window === undefined || !controls.compare ? undefined : getPeriodBefore(window, step);
  const [current, previous] = await Promise.all([
    readPeriod(window, getFirstRange(controls, window)),
    earlier === undefined
      ? {}
      : readPeriod(earlier, getDates(earlier)).then(
          (before) => ({ before }),
          (error: unknown) => {
            // This period is shown without the one before.
            if (isCancelled(error)) throw error;
            return { beforeError: formatError(l10n.t('Read previous period'), error) };
          },
        ),
  ]);
  return { now: current, ...previous, window, interval, step, readAt: now };
}

/**
 * The range of the first request: dates, so that it and its parts cover the same time. A time range that is not a
 * length is sent as typed, since the platform may know it.
 */
function getFirstRange({ timeRange, from, until }: Controls, window: Window | undefined): Range {
  if (window !== undefined) {
    const { gte, lt } = getDates(window).when_created;
    return { when_created: { gte, ...(until !== '' && { lt }) } };
  }
  const dates = { ...(from !== '' && { gte: from }), ...(until !== '' && { lt: until }) };
  return {
    ...(timeRange !== '' && { time_range: timeRange }),
    ...(Object.keys(dates).length > 0 && { when_created: dates }),
  };
}

function getDates({ from, until }: Window) {
  return { when_created: { gte: new Date(from).toISOString(), lt: new Date(until).toISOString() } };
}

async function readPoints(request: SeriesRequest, range: Range): Promise<readonly Point[]> {
  const { controls, onRequest } = request;
  onRequest();
  const { client, series, signal } = request;
  const { interval, signer, action, template } = controls;
  const query = {
    ...range,
    limit: MAX_POINTS,
    ...(interval !== '' && { interval }),
    ...(signer !== '' && { signer }),
  };
  const page = await (series.id === 'creations'
    ? client.statistics(series, { ...query, ...(template !== '' && { template_id: template }) }, { signal })
    : client.statistics(series, { ...query, ...(action !== '' && { action_name: action }) }, { signal }));
  return page.items.map(({ view, raw }) => {
    const when = view?.when === undefined ? NaN : Date.parse(view.when);
    return {
      id: view?.id,
      key: view?.key,
      when: Math.abs(when) < MAX_TIME ? when : undefined,
      value: view?.[series.value] ?? readRawValue(raw, series.value),
    };
  });
}

/** Reads a value whose type differs from the contract: a count as text, or a fee as a number. */
function readRawValue(raw: unknown, name: string): unknown {
  const value = isObject(raw) ? raw[name] : undefined;
  return JSON.isRawJSON(value) ? value.rawJSON : value;
}
