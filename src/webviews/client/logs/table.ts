/** The table: a real grid with the keyboard of one, whose page holds the visible rows alone. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { fill, h } from '../kit.ts';
import { toneOf } from './histogram.ts';
import type { Loaded } from './model.ts';
import { partsOf, type Needle } from './search.ts';
import { shortened, statusPicture, timeParts } from './words.ts';

/** Pixels; base.css's type fits. */
export const ROW = 24;
const OVERSCAN = 8;

export interface TableActions {
  /** `go`: the details get the keyboard */
  readonly select: (row: Loaded | undefined, go: boolean) => void;
  readonly copy: (row: Loaded, what: 'id' | 'row') => void;
  /** the last rows are near */
  readonly nearEnd: () => void;
  readonly moved: () => void;
}

interface Column {
  readonly name: string;
  readonly label: string;
  readonly text: (one: Loaded) => string;
  readonly title?: (one: Loaded) => string;
}

const COLUMNS: readonly Column[] = [
  {
    name: 'time',
    label: 'Time',
    text: () => '',
    title: ({ row }) => (row.timeless === true ? 'The server sent no readable time' : new Date(row.time).toISOString()),
  },
  { name: 'status', label: 'Status', text: ({ row }) => (row.status === '' ? 'not said' : row.status) },
  {
    name: 'action',
    label: 'Action',
    text: ({ row }) => {
      const name =
        row.alias === ''
          ? row.action
          : row.action === '' || row.action === row.alias
            ? row.alias
            : `${row.alias} (${row.action})`;
      return row.message === '' ? name : `${name} — ${row.message}`;
    },
  },
  { name: 'signer', label: 'Signer', text: ({ row }) => row.signer },
  {
    name: 'objects',
    label: 'Objects',
    text: ({ row }) => {
      const [first = ''] = row.objects;
      return row.objectCount > 1 ? `${shortened(first)} +${row.objectCount - 1}` : first;
    },
    title: ({ row }) => row.objects.join('\n') + (row.objectCount > row.objects.length ? '\n…' : ''),
  },
  { name: 'fee', label: 'Fee', text: ({ row }) => row.fee },
  { name: 'batch', label: 'Batch', text: ({ row }) => row.batch },
  { name: 'connection', label: 'Connection', text: ({ row }) => row.connection },
];

interface Drawn {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  one: Loaded | undefined;
  needle: Needle | undefined;
}

export class Table {
  readonly element: HTMLElement;
  readonly #body = h('div', { role: 'rowgroup', class: 'body' });
  readonly #actions: TableActions;
  readonly #virtual: Virtualizer<HTMLElement, HTMLElement>;
  readonly #drawn = new Map<number, Drawn>();
  readonly #spare: Drawn[] = [];
  #rows: readonly Loaded[] = [];
  #needle: Needle = { empty: true, words: [], matches: () => true };
  #selected: string | undefined;
  #frame = 0;
  /** pixels, before the last resize */
  #height = 0;

  constructor(actions: TableActions) {
    this.#actions = actions;
    const head = h(
      'div',
      { role: 'rowgroup', class: 'head' },
      h(
        'div',
        { role: 'row', 'aria-rowindex': 1, class: 'row' },
        ...COLUMNS.map(({ name, label }, index) =>
          h('div', { role: 'columnheader', 'aria-colindex': index + 1, class: `cell ${name}` }, label),
        ),
      ),
    );
    this.element = h(
      'div',
      {
        role: 'grid',
        class: 'grid',
        tabindex: 0,
        'aria-label': 'Action logs, newest first',
        'aria-colcount': COLUMNS.length,
        'aria-rowcount': 1,
        'data-name': 'grid',
        on: {
          keydown: (event) => {
            this.#key(event);
          },
          click: (event) => {
            const at = this.#indexOf(event.target);
            if (at >= 0) this.#select(at, false);
          },
          dblclick: (event) => {
            const at = this.#indexOf(event.target);
            if (at >= 0) this.#select(at, true);
          },
        },
      },
      head,
      this.#body,
    );
    this.#virtual = new Virtualizer({
      count: 0,
      getScrollElement: () => this.element,
      estimateSize: () => ROW,
      scrollMargin: ROW,
      scrollPaddingStart: ROW,
      overscan: OVERSCAN,
      getItemKey: (index) => index,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => {
        this.#draw();
      },
    });
  }

  /** Once the element is in the page. */
  mount(): void {
    this.#virtual._didMount();
    this.#virtual._willUpdate();
    new ResizeObserver(() => {
      this.#resized();
    }).observe(this.element);
  }

  /** Details that open below the table do not cover the row they are about. */
  #resized(): void {
    const before = this.#height;
    this.#height = this.element.clientHeight;
    if (this.#height >= before || this.#selected === undefined) return;
    const at = this.#rows.findIndex(({ key }) => key === this.#selected);
    const top = at * ROW - this.element.scrollTop;
    if (at >= 0 && top >= 0 && top < before) this.#virtual.scrollToIndex(at, { align: 'auto' });
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  /** Rows in the page. */
  get drawn(): number {
    return this.#drawn.size;
  }

  /** What stood at the top of the window stays there, unless it was the very top: there the new ones come into view. */
  show(rows: readonly Loaded[], needle: Needle, connections: boolean): void {
    const { scrollTop } = this.element;
    const anchorAt = Math.floor(scrollTop / ROW);
    const anchor = scrollTop > 0 ? this.#rows[anchorAt] : undefined;
    this.#rows = rows;
    this.#needle = needle;
    this.element.classList.toggle('several', connections);
    this.element.setAttribute('aria-rowcount', String(rows.length + 1));
    this.#body.style.height = `${rows.length * ROW}px`;
    this.#virtual.setOptions({ ...this.#virtual.options, count: rows.length });
    if (anchor !== undefined && rows[anchorAt] !== anchor) {
      const now = this.#find(anchor);
      if (now >= 0) this.element.scrollTop = scrollTop + (now - anchorAt) * ROW;
    }
    this.#virtual._willUpdate();
    this.#draw();
  }

  #find(one: Loaded): number {
    const at = this.#placeOf(one);
    return this.#rows[at]?.key === one.key ? at : -1;
  }

  /** Newest first: a search by halves, as in the order of the rows. */
  #placeOf(one: { readonly time: number; readonly id: string }): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#rows[middle];
      if (other !== undefined && (other.time > one.time || (other.time === one.time && other.id > one.id)))
        low = middle + 1;
      else high = middle;
    }
    return low;
  }

  choose(key: string | undefined, reveal = false): void {
    this.#selected = key;
    if (reveal && key !== undefined) {
      const at = this.#rows.findIndex((one) => one.key === key);
      if (at >= 0) this.#virtual.scrollToIndex(at, { align: 'center' });
    }
    this.#draw();
  }

  /** The entry at the top; `undefined` at the very top, where new ones come into view. */
  get topPlace(): { readonly time: number; readonly id: string } | undefined {
    // Not the element's own: asking it would lay out the page in the middle of a frame.
    const top = this.#virtual.scrollOffset ?? 0;
    const one = top < ROW / 2 ? undefined : this.#rows[Math.round(top / ROW)];
    return one && { time: one.time, id: one.id };
  }

  /** Scrolls to an entry, or as far as there is: `exact`, to one `near` it, or to the `end`. */
  goTo(place: { readonly time: number; readonly id: string }): 'exact' | 'near' | 'end' {
    const at = this.#placeOf(place);
    this.element.scrollTop = at * ROW;
    const one = this.#rows[at];
    return one === undefined ? 'end' : one.id === place.id ? 'exact' : 'near';
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const items = this.#virtual.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, drawn] of this.#drawn) {
      if (wanted.has(index)) continue;
      this.#drawn.delete(index);
      this.#spare.push(drawn);
    }
    let active: string | undefined;
    for (const { index, start } of items) {
      const one = this.#rows[index];
      if (one === undefined) continue;
      const drawn = this.#drawn.get(index) ?? this.#spare.pop() ?? this.#make();
      this.#drawn.set(index, drawn);
      this.#fill(drawn, one);
      const { element } = drawn;
      element.style.transform = `translateY(${start - ROW}px)`;
      const selected = one.key === this.#selected;
      if (element.getAttribute('aria-rowindex') !== String(index + 2)) {
        element.setAttribute('aria-rowindex', String(index + 2));
        element.dataset['index'] = String(index);
        element.id = `row-${index}`;
      }
      element.setAttribute('aria-selected', String(selected));
      if (selected) active = element.id;
    }
    for (const { element } of this.#spare) element.remove();
    this.#spare.length = Math.min(this.#spare.length, 40);
    this.#order(items.map(({ index }) => index));
    if (active === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', active);
    const last = items.at(-1)?.index ?? 0;
    this.#actions.moved();
    if (last >= this.#rows.length - 1 - OVERSCAN) this.#actions.nearEnd();
  }

  /** In the page as on the screen, for whoever reads it aloud. */
  #order(indexes: readonly number[]): void {
    let place = this.#body.firstChild;
    for (const index of indexes) {
      const element = this.#drawn.get(index)?.element;
      if (element === undefined) continue;
      if (element === place) place = place.nextSibling;
      else this.#body.insertBefore(element, place);
    }
  }

  #make(): Drawn {
    const cells = COLUMNS.map(({ name }, index) =>
      h('div', { role: 'gridcell', 'aria-colindex': index + 1, class: `cell ${name}` }),
    );
    return { element: h('div', { role: 'row', class: 'row' }, ...cells), cells, one: undefined, needle: undefined };
  }

  #fill(drawn: Drawn, one: Loaded): void {
    if (drawn.one === one && drawn.needle === this.#needle) return;
    drawn.one = one;
    drawn.needle = this.#needle;
    drawn.element.dataset['tone'] = toneOf(one.row.status);
    drawn.element.dataset['key'] = one.key;
    COLUMNS.forEach(({ name, text, title }, index) => {
      const cell = drawn.cells[index];
      if (cell === undefined) return;
      const shown = text(one);
      const parts = this.#needle.empty
        ? [shown]
        : partsOf(shown, this.#needle).map(({ text, hit }) => (hit ? h('mark', {}, text) : text));
      if (name === 'time') fill(cell, ...timeParts(one.row));
      else if (name === 'status') fill(cell, statusPicture(one.row.status), h('span', {}, ...parts));
      else if (this.#needle.empty) cell.textContent = shown;
      else fill(cell, ...parts);
      cell.title = title?.(one) ?? shown;
    });
  }

  #indexOf(target: EventTarget | null): number {
    const row = target instanceof Element ? target.closest<HTMLElement>('.body > .row') : null;
    const index = row?.dataset['index'];
    return index === undefined ? -1 : Number(index);
  }

  #select(index: number, go: boolean): void {
    const at = Math.max(0, Math.min(this.#rows.length - 1, index));
    const one = this.#rows[at];
    if (one === undefined) return;
    this.#selected = one.key;
    this.#virtual.scrollToIndex(at, { align: 'auto' });
    this.#draw();
    this.#actions.select(one, go);
  }

  #key(event: KeyboardEvent): void {
    const now = this.#rows.findIndex(({ key }) => key === this.#selected);
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 2);
    const one = this.#rows[now];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c') {
      // Marked text is copied as text.
      if (one !== undefined && getSelection()?.isCollapsed !== false)
        this.#actions.copy(one, event.shiftKey ? 'row' : 'id');
      return;
    }
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowUp: Math.max(0, now - 1),
      PageDown: now + page,
      PageUp: Math.max(0, now - page),
      Home: 0,
      End: this.#rows.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) this.#select(to, false);
    else if (event.key === 'Enter' || event.key === ' ') this.#select(Math.max(0, now), true);
    else if (event.key === 'Escape') this.#actions.select(undefined, false);
    else return;
    event.preventDefault();
  }
}
