import * as l10n from '@vscode/l10n';
import clock from '@vscode/codicons/src/icons/clockface.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import { createIcon } from '../icons.ts';
import { h, type Child } from '../dom.ts';
import { getTone, type Tone } from './header/histogram.ts';
import { splitTime } from './time.ts';
import { getOrAdd } from '../../../platform/get-or-add.ts';

/** Renders the time of a row; the milliseconds have an element of their own, hidden in narrow views. */
export function renderTime(row: { readonly time: number; readonly withoutTime?: true }): readonly Child[] {
  if (row.withoutTime === true) return [l10n.t('No time')];
  const [before, milliseconds, after] = splitTime(row.time);
  return [before, h('span', { class: 'milliseconds' }, milliseconds), after];
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
  const icon = getOrAdd(iconCache, tone, () => createIcon(STATUS_ICONS[tone]));
  return icon.cloneNode(true);
}
