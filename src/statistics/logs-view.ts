import type { CommandArguments } from '../commands/ids.ts';
import type { SeriesState } from '../webviews/protocol/statistics.ts';
import type { SeriesResult } from './series-state.ts';
import { getIntervalEnd, getPeriodBefore } from './time-windows.ts';

interface PointOfSeries {
  readonly connection: string;
  readonly series: SeriesState['id'];
  /** start of the interval in milliseconds since the epoch */
  readonly start: number;
  /** of the period before */
  readonly isBefore: boolean;
  /** an action or a template's id; empty: all */
  readonly key: string;
  readonly read: SeriesResult;
}

/**
 * Returns the action logs that a point was counted from, as the argument of Show Action Logs: those of its interval,
 * within the period that was read. Logs have no filter by action, so their text is searched for it; created objects lead
 * to the mints, since logs do not name templates.
 */
export function createLogsView({
  connection,
  series,
  start,
  isBefore,
  key,
  read,
}: PointOfSeries): NonNullable<CommandArguments['showActionLogs'][0]> {
  const { step, window, before, now, readAt } = read;
  const end =
    (step === undefined
      ? findNextTime([...(before?.points ?? []), ...now.points], start)
      : getIntervalEnd(start, step)) ?? readAt;
  const period = isBefore && window !== undefined ? getPeriodBefore(window, step) : window;
  // A platform may send points outside of the period.
  const isInside = period !== undefined && end > period.from && start < period.until;
  const action = series === 'creations' ? 'mint' : key;
  return {
    mode: 'logs',
    filters: {
      connections: [connection],
      organizations: [],
      range: 'between',
      from: Math.round(Math.max(start, isInside ? period.from : start, 0)),
      to: Math.round(Math.min(end, isInside ? period.until : end, readAt)),
    },
    text: formatSearch(action),
    following: false,
  };
}

/** The time of the next point, if the length of an interval is unknown. */
function findNextTime(points: SeriesResult['now']['points'], start: number): number | undefined {
  const later = points.flatMap(({ when }) => (when !== undefined && when > start ? [when] : []));
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Formats a key as a search text: one term, also with spaces. */
function formatSearch(key: string): string {
  const term = key.replaceAll('"', ' ').trim().slice(0, 190);
  return /\s/.test(term) ? `"${term}"` : term;
}
