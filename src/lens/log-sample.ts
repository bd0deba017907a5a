/** What the newest action logs of a connection say about an action or a template. */
import type Big from 'big.js';
import type { CallOptions, PlatformClient } from '../platform/client.ts';
import { isObject } from '../platform/json/json.ts';
import { formatFee, readActionName, readAffectedObjects, readStatus } from '../platform/resources/action-log-fields.ts';
import { areNewestFirst } from '../model/newest-first.ts';
import { parseDateTime } from '../model/text/time-format.ts';
import { parseAmount } from '../statistics/amounts.ts';
import type { Mark } from './find-marks.ts';

/** Logs in one response: the contract's maximum. */
const SAMPLE_SIZE = 100;

export interface SampledLog {
  readonly action: string;
  readonly templates: readonly string[];
  /** milliseconds since the epoch */
  readonly time: number | undefined;
  readonly failed: boolean;
  /** as text, with its unit */
  readonly fee: string;
}

/** What is known of one action or template. */
export interface LogSummary {
  /** logs that it was computed from, among all that were read */
  readonly count: number;
  readonly sampled: number;
  /** share of failed logs; of an action only, since a failed log need not name a template */
  readonly failed?: number;
  /** absent unless all logs have a fee, in one unit */
  readonly medianFee?: { readonly value: Big; readonly unit: string };
  /** milliseconds since the epoch */
  readonly last: number | undefined;
}

/**
 * Reads the newest action logs with one request. Resolves to `undefined` if the platform sent others, since it does not
 * know the order that was requested. Rejects with PlatformError.
 */
export async function readSample(
  client: PlatformClient,
  options: CallOptions,
): Promise<readonly SampledLog[] | undefined> {
  const query = { limit: SAMPLE_SIZE, order: 'descending', sortBy: 'when_created' } as const;
  const { items, next } = await client.listPage('action-logs', query, { ...options, bulk: true });
  const logs = items.flatMap(({ raw, view }): readonly SampledLog[] => {
    if (!isObject(raw)) return [];
    return [
      {
        action: readActionName(raw) ?? '',
        templates: readAffectedObjects(raw).map(({ templateId }) => templateId),
        time: parseDateTime(view?.when_created ?? ''),
        failed: readStatus(raw) === 'failed',
        fee: formatFee(raw),
      },
    ];
  });
  const times = logs.flatMap(({ time }) => time ?? []);
  return next === undefined || (times.length > 0 && areNewestFirst(times)) ? logs : undefined;
}

/** Summarizes the logs of a mark; `undefined` if there is none. */
export function summarizeLogs(logs: readonly SampledLog[], { kind, name }: Mark): LogSummary | undefined {
  const own = logs.filter((log) => (kind === 'action' ? log.action === name : log.templates.includes(name)));
  if (own.length === 0) return undefined;
  const last = Math.max(...own.map(({ time }) => time ?? -Infinity));
  const medianFee = getMedian(own.map(({ fee }) => fee));
  return {
    count: own.length,
    sampled: logs.length,
    ...(kind === 'action' && { failed: own.filter(({ failed }) => failed).length / own.length }),
    ...(medianFee !== undefined && { medianFee }),
    last: last === -Infinity ? undefined : last,
  };
}

function getMedian(fees: readonly string[]): LogSummary['medianFee'] {
  const amounts = fees.map(parseAmount).filter((amount) => amount !== undefined);
  const unit = amounts[0]?.unit ?? '';
  if (amounts.length < fees.length || amounts.some((amount) => amount.unit !== unit)) return undefined;
  const values = amounts.map(({ value }) => value).sort((a, b) => a.cmp(b));
  const [low, high] = [values[(values.length - 1) >> 1], values[values.length >> 1]];
  return low === undefined || high === undefined ? undefined : { value: low.plus(high).div(2), unit };
}
