import type { CommandArguments } from '../commands/ids.ts';
import type { MessageBody } from '../webviews/protocol/index.ts';
import type { statisticsProtocol } from '../webviews/protocol/statistics.ts';
import type { SeriesResult } from './series-state.ts';
import { getIntervalEnd, getPeriodBefore } from './time-windows.ts';

/**
 * Returns the action logs that a point was counted from, as the argument of Show Action Logs: those of its interval,
 * within the period that was read. Logs have no filter by action, so their text is searched for it; created objects lead
 * to the mints, since logs do not name templates.
 */
export function createLogsView(
  connection: string,
  { series, time, isBefore, key = '' }: MessageBody<typeof statisticsProtocol.toHost, 'showLogs'>,
  { step, window, readAt }: SeriesResult,
): NonNullable<CommandArguments['showActionLogs'][0]> {
  const start = time * 1000;
  const end = step === undefined ? readAt : getIntervalEnd(start, step);
  const period = isBefore && window !== undefined ? getPeriodBefore(window, step) : window;
  // A platform may send points outside of the period.
  const isInside = period !== undefined && end > period.from && start < period.until;
  return {
    mode: 'logs',
    filters: {
      connections: [connection],
      organizations: [],
      range: 'between',
      from: Math.round(Math.max(start, isInside ? period.from : start, 0)),
      to: Math.round(Math.min(end, isInside ? period.until : end, readAt)),
    },
    text: formatSearch(series === 'creations' ? 'mint' : key),
    following: false,
  };
}

/** Formats a key as a search text: one term, also with spaces. */
function formatSearch(key: string): string {
  const term = key.replaceAll('"', ' ').trim().slice(0, 190);
  return /\s/.test(term) ? `"${term}"` : term;
}
