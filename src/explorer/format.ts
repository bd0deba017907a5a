/** Formats server text, times and counts for tree rows and quick picks. */
import { toPlainText } from '../platform/text/plain-text.ts';
import {
  formatClockTime,
  formatLocalTime as formatFullTime,
  parseDateTime,
  formatRelativeTime as formatDistance,
} from '../model/text/time-format.ts';
import { escapeIcons } from '../ui/escape-icons.ts';

/** Maximum length of a label, in characters. */
const MAX_LABEL_LENGTH = 80;

/** Collapses white space and cuts the text to `maxLength` characters. */
export function toOneLine(text: string, maxLength = MAX_LABEL_LENGTH): string {
  return toPlainText(text.slice(0, maxLength * 8).replace(/\s+/g, ' '), maxLength);
}

/** As `toOneLine`; also escapes `$(name)`, which quick picks show as an icon. */
export function toQuickPickText(text: string, maxLength = MAX_LABEL_LENGTH): string {
  return escapeIcons(toOneLine(text, maxLength));
}

/** Formats an ISO 8601 time as `5 minutes ago`; any other text is returned cut to one line. */
export function formatRelativeTime(when: string, now: number): string {
  const time = parseDateTime(when);
  return time === undefined ? toOneLine(when, 30) : formatDistance(time, now);
}

/** Formats ISO 8601 or milliseconds since the epoch as local time with its zone. */
export function formatLocalTime(when: number | string): string {
  const time = typeof when === 'number' ? when : parseDateTime(when);
  return time === undefined ? toOneLine(String(when), 40) : formatFullTime(time);
}

/** Formats milliseconds since the epoch as `02:05:09 PM`, with the date and zone if it is not today. */
export function formatTimeOrDate(time: number, now: number): string {
  return new Date(time).toDateString() === new Date(now).toDateString() ? formatClockTime(time) : formatFullTime(time);
}
