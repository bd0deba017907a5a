/** Moments, numbers and statuses as the view writes them, and the pictures that stand for a status. */
import clock from '@vscode/codicons/src/icons/clockface.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import { momentText } from '../../../ui/times.ts';
import { icon } from '../icons.ts';
import { h, type Child } from '../kit.ts';
import { toneOf, type Tone } from './histogram.ts';

/** `10:00:05.123`, with the date where it is not today. */
export function timeText(time: number, exact = true): string {
  return momentText(time) + (exact ? rest(time) : '');
}

function rest(time: number): string {
  return `.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}

/** As `timeText`, with the milliseconds apart: they go where it is narrow. */
export function timeParts(row: { readonly time: number; readonly timeless?: true }): readonly Child[] {
  return row.timeless === true ? ['no time'] : [momentText(row.time), h('span', { class: 'rest' }, rest(row.time))];
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
