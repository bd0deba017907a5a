/** Controls are made anew whenever they change: the one that had the keyboard gets it back. */
import { root } from '../kit.ts';

/** Told by `data-name` or title; of chips, where one has gone, the one in its place. */
export function keepingFocus(work: () => void): void {
  const { activeElement } = document;
  const name = activeElement instanceof HTMLElement ? (activeElement.dataset['name'] ?? activeElement.title) : '';
  const chips = activeElement?.closest('.chips')?.getElementsByTagName('button');
  const place = chips === undefined ? -1 : [...chips].findIndex((one) => one === activeElement);
  work();
  if (name === '' || document.activeElement !== document.body) return;
  const same = CSS.escape(name);
  const found = root().querySelector<HTMLElement>(`[data-name="${same}"], [title="${same}"]`);
  (found ?? chips?.item(Math.min(place, chips.length - 1)))?.focus();
}
