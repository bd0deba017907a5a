import { h } from './dom.ts';

/** Pixels; that of `.line` in virtual-rows.css. */
export const ROW_HEIGHT = 24;

/** The rows of a grid in the DOM: those in view, and some around them. Rows with the same content keep their elements. */
export class VirtualRows<Content extends object> {
  readonly element = h('div', { class: 'body', role: 'rowgroup' });
  readonly #renderRow: (index: number, content: Content) => HTMLElement;
  readonly #lines = new Map<number, { readonly content: Content; readonly element: HTMLElement }>();

  constructor(renderRow: (index: number, content: Content) => HTMLElement) {
    this.#renderRow = renderRow;
  }

  /** Shows the rows from `first` to before `last`. Contents are compared by the values of their properties. */
  render(first: number, last: number, getContent: (index: number) => Content): void {
    for (const [index, { element }] of this.#lines) {
      if (index >= first && index < last) continue;
      element.remove();
      this.#lines.delete(index);
    }
    let next = this.element.firstChild;
    for (let index = first; index < last; index++) {
      const content = getContent(index);
      const line = this.#lines.get(index);
      if (line !== undefined && isEqual(line.content, content)) {
        next = line.element.nextSibling;
        continue;
      }
      const element = this.#renderRow(index, content);
      if (line === undefined) this.element.insertBefore(element, next);
      else {
        line.element.replaceWith(element);
        next = element.nextSibling;
      }
      this.#lines.set(index, { content, element });
    }
  }
}

function isEqual(one: object, other: object): boolean {
  const others = Object.values(other);
  return Object.values(one).every((value, index) => value === others[index]);
}

/** Formats the id of a cell's element. */
export function formatCellId(row: number, column: number): string {
  return `cell-${String(row)}-${String(column)}`;
}

/** Returns the row and column of an element within the body. */
export function findCell(target: EventTarget | null): { readonly row: number; readonly column: number } | undefined {
  const id = target instanceof Element ? target.closest('[role=gridcell]')?.id : undefined;
  const [, row, column] = /^cell-(\d+)-(\d+)$/.exec(id ?? '') ?? [];
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}
