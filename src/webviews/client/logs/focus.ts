import { getFocusedElement, getRoot } from '../dom.ts';

/**
 * Runs `render`, which replaces controls, and restores the keyboard focus: to the control with the same `data-name` or
 * title, or to the chip at the same position.
 */
export function keepFocus(render: () => void): void {
  const focused = getFocusedElement();
  const name = focused?.dataset['name'] ?? focused?.title ?? '';
  const chips = focused?.closest('.chips')?.getElementsByTagName('button');
  const index = chips === undefined ? -1 : [...chips].findIndex((chip) => chip === focused);
  render();
  if (name === '' || document.activeElement !== document.body) return;
  const same = CSS.escape(name);
  const found = getRoot().querySelector<HTMLElement>(`[data-name="${same}"], [title="${same}"]`);
  (found ?? chips?.item(Math.min(index, chips.length - 1)))?.focus();
}
