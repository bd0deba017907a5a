/** Controls are made anew whenever they change: the one that had the keyboard gets it back. */
import { root } from '../kit.ts';

/** Told by `data-name` or title. */
export function keepingFocus(work: () => void): void {
  const { activeElement } = document;
  const name = activeElement instanceof HTMLElement ? (activeElement.dataset['name'] ?? activeElement.title) : '';
  work();
  if (name === '' || document.activeElement !== document.body) return;
  const same = CSS.escape(name);
  root().querySelector<HTMLElement>(`[data-name="${same}"], [title="${same}"]`)?.focus();
}
