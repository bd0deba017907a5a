/** Moments, numbers and statuses as the view writes them, and the pictures that stand for a status. */
import clock from '@vscode/codicons/src/icons/watch.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import { icon } from '../icons.ts';
import { toneOf, type Tone } from './histogram.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `10:00:05.123`, with the date where it is not today. By hand: the table writes it for each row that scrolls by. */
export function timeText(time: number, exact = true): string {
  const date = new Date(time);
  const clockPart = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const whole = exact ? `${clockPart}.${String(date.getMilliseconds()).padStart(3, '0')}` : clockPart;
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return whole;
  const year = date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}${year} ${whole}`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** The middle goes: ends tell hashes apart. */
export function shortened(text: string, most = 18): string {
  return text.length <= most ? text : `${text.slice(0, most - 7)}…${text.slice(-6)}`;
}

const PICTURES: Readonly<Record<Tone, string>> = { completed: pass, failed: error, pending: clock, other: question };
const made = new Map<Tone, SVGElement>();

/** Cloned, since each row has one. */
export function statusPicture(status: string): Node {
  const tone = toneOf(status);
  let picture = made.get(tone);
  if (picture === undefined) made.set(tone, (picture = icon(PICTURES[tone])));
  return picture.cloneNode(true);
}
