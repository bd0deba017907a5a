/** Moments, numbers and statuses as the view writes them, and the pictures that stand for a status. */
import clock from '@vscode/codicons/src/icons/clockface.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import { icon } from '../icons.ts';
import { h, type Child } from '../kit.ts';
import { toneOf, type Tone } from './histogram.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Written {
  /** empty for today */
  readonly date: string;
  readonly clock: string;
  readonly rest: string;
}

/** By hand: the table writes it for each row that scrolls by. */
function written(time: number): Written {
  const date = new Date(time);
  const now = new Date();
  const year = date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`;
  const today = year === '' && date.getDate() === now.getDate() && date.getMonth() === now.getMonth();
  return {
    date: today ? '' : `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}${year} `,
    clock: `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`,
    rest: `.${String(date.getMilliseconds()).padStart(3, '0')}`,
  };
}

/** `10:00:05.123`, with the date where it is not today. */
export function timeText(time: number, exact = true): string {
  const { date, clock, rest } = written(time);
  return date + clock + (exact ? rest : '');
}

/** As `timeText`, with the milliseconds apart: they go where it is narrow. */
export function timeParts(row: { readonly time: number; readonly timeless?: true }): readonly Child[] {
  if (row.timeless === true) return ['no time'];
  const { date, clock, rest } = written(row.time);
  return [date + clock, h('span', { class: 'rest' }, rest)];
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
