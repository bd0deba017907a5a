import clock from '@vscode/codicons/src/icons/clockface.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import { formatTimestamp } from '../../../model/time-format.ts';
import { createIcon } from '../icons.ts';
import { h, type Child } from '../dom.ts';
import { getTone, type Tone } from './header/histogram.ts';

/** Formats milliseconds since the epoch as `10:00:05.123`, with the date if it is not today. */
export function formatTime(time: number, exact = true): string {
  return formatTimestamp(time) + (exact ? formatMilliseconds(time) : '');
}

function formatMilliseconds(time: number): string {
  return `.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}

/** Renders the time of a row; the milliseconds have an element of their own, hidden in narrow views. */
export function renderTime(row: { readonly time: number; readonly withoutTime?: true }): readonly Child[] {
  return row.withoutTime === true
    ? ['no time']
    : [formatTimestamp(row.time), h('span', { class: 'milliseconds' }, formatMilliseconds(row.time))];
}

/** `12,345` */
export function formatCount(value: number): string {
  return value.toLocaleString('en');
}

/** Shortens a text in the middle: the ends distinguish hashes. */
export function shorten(text: string, maxLength = 18): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 7)}…${text.slice(-6)}`;
}

const STATUS_ICONS: Readonly<Record<Tone, string>> = {
  completed: pass,
  failed: error,
  pending: clock,
  other: question,
};
const iconCache = new Map<Tone, SVGElement>();

/** Creates the icon of a status. */
export function createStatusIcon(status: string): Node {
  const tone = getTone(status);
  let icon = iconCache.get(tone);
  if (icon === undefined) iconCache.set(tone, (icon = createIcon(STATUS_ICONS[tone])));
  return icon.cloneNode(true);
}
