/** Dates and times of the action logs, all in the date style of the user's locale and zone. */

import * as l10n from '@vscode/l10n';
import { CLOCK, DAY, getDateTimeFormat, getTimestampOptions, YEAR } from '../../../model/text/time-format.ts';

const MILLISECONDS = { fractionalSecondDigits: 3 } as const;

/** Formats milliseconds since the epoch as `Nov 16, 10:00:05 AM`, without the date if it is today. `exact`: with milliseconds. */
export function formatTime(time: number | undefined, exact = false, now = Date.now()): string {
  if (time === undefined) return l10n.t('No time');
  const options = getTimestampOptions(time, now);
  return getDateTimeFormat(exact ? { ...options, ...MILLISECONDS } : options).format(time);
}

/** Formats a tick of a time axis as precisely as `step`, the milliseconds between ticks; `isDated`: with its date. */
export function formatTick(time: number, step: number, isDated: boolean): string {
  if (step >= 86_400_000) return getDateTimeFormat(step >= 31 * 86_400_000 ? { ...YEAR, ...DAY } : DAY).format(time);
  const { hour, minute, second } = CLOCK;
  const clock = step >= 60_000 ? { hour, minute } : { hour, minute, second, ...(step < 1000 && MILLISECONDS) };
  return getDateTimeFormat(isDated ? { ...DAY, ...clock } : clock).format(time);
}

/** As `formatTime`, in three parts of which the second is the milliseconds with their separator. */
export function splitTime(time: number, now = Date.now()): readonly [string, string, string] {
  const parts = getDateTimeFormat({ ...getTimestampOptions(time, now), ...MILLISECONDS })
    .formatToParts(time)
    .map(({ type, value }) => ({ value, isFraction: type === 'fractionalSecond' }));
  const at = parts.findIndex(({ isFraction }) => isFraction);
  const join = (from: number, to?: number): string =>
    parts
      .slice(from, to)
      .map(({ value }) => value)
      .join('');
  return [join(0, at - 1), join(at - 1, at + 1), join(at + 1)];
}

/** Formats milliseconds since the epoch with weekday, year, milliseconds and zone. */
export function formatFullTime(time: number): string {
  const options = { weekday: 'short', ...YEAR, ...DAY, ...CLOCK, ...MILLISECONDS, timeZoneName: 'short' } as const;
  return getDateTimeFormat(options).format(time);
}
