import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../../platform/text/localization.ts';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { formatLabelled } from '../../../../model/text/labels.ts';
import { getResourceContext, replaceChildren, h } from '../../dom.ts';
import { getTone } from '../header/histogram.ts';
import type { LoadedRow } from './rows-model.ts';
import { splitMatches, type SearchQuery } from './search.ts';
import { shorten, createStatusIcon, renderTime } from '../format.ts';
import { formatStatus } from '../../../../model/text/status.ts';

const OVERSCAN = 8;

interface TableActions {
  readonly select: (row: LoadedRow | undefined, focusDetails: boolean) => void;
  readonly copy: (row: LoadedRow, what: 'id' | 'row') => void;
  /** called when the last rows come into view */
  readonly nearEnd: () => void;
  readonly scrolled: () => void;
}

interface Column {
  readonly name: string;
  readonly label: string;
  readonly text: (one: LoadedRow) => string;
  readonly title?: (one: LoadedRow) => string;
}

const COLUMNS: readonly Column[] = [
  {
    name: 'time',
    label: l10n.t('Time'),
    text: () => '',
    title: ({ row }) =>
      row.withoutTime === true ? l10n.t('The response contains no valid time') : new Date(row.time).toISOString(),
  },
  {
    name: 'status',
    label: l10n.t('Status'),
    text: ({ row }) => (row.status === '' ? l10n.t('Unknown') : formatStatus(row.status)),
  },
  {
    name: 'action',
    label: l10n.t('Action'),
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
  { name: 'signer', label: l10n.t('Signer'), text: ({ row }) => formatLabelled(row.signer, row.signerLabel) },
  {
    name: 'objects',
    label: l10n.t('Objects'),
    text: ({ row }) => {
      const [id = ''] = row.objects;
      const first = row.objectName ?? (row.objectCount > 1 ? shorten(id) : id);
      return row.objectCount > 1 ? `${first} +${formatNumber(row.objectCount - 1)}` : first;
    },
    title: ({ row }) => row.objects.join('\n') + (row.objectCount > row.objects.length ? '\n…' : ''),
  },
  { name: 'fee', label: l10n.t('Fee'), text: ({ row }) => row.fee },
  { name: 'batch', label: l10n.t('Batch'), text: ({ row }) => row.batch },
  { name: 'connection', label: l10n.t('Connection'), text: ({ row }) => row.connection },
];

/** Width in which the icon and the longest of the known statuses fit in any language. */
const STATUS_WIDTH = `max(7.5em, ${String(Math.max(...['pending', 'completed', 'failed'].map((status) => formatStatus(status).length)))}ch + 22px)`;

interface RenderedRow {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  row: LoadedRow | undefined;
  search: SearchQuery | undefined;
}

/** A grid that renders only the visible rows, with keyboard navigation. */
export class Table {
  readonly element: HTMLElement;
  readonly #body = h('div', { role: 'rowgroup', class: 'body' });
  readonly #actions: TableActions;
  readonly #virtual: Virtualizer<HTMLElement, HTMLElement>;
  readonly #rendered = new Map<number, RenderedRow>();
  readonly #recycled: RenderedRow[] = [];
  #rows: readonly LoadedRow[] = [];
  #search: SearchQuery = { empty: true, terms: [], matches: () => true };
  #selected: string | undefined;
  #frame = 0;
  /** pixels, before the last resize */
  #height = 0;
  /** pixels */
  #rowHeight = 24;

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
        'aria-label': l10n.t('Action logs, newest first'),
        'aria-colcount': COLUMNS.length,
        'aria-rowcount': 1,
        'data-name': 'grid',
        on: {
          keydown: (event) => {
            this.#onKeydown(event);
          },
          click: (event) => {
            const at = this.#indexOf(event.target);
            if (at >= 0) this.#selectIndex(at, false);
          },
          dblclick: (event) => {
            const at = this.#indexOf(event.target);
            if (at >= 0) this.#selectIndex(at, true);
          },
        },
      },
      head,
      this.#body,
    );
    this.element.style.setProperty('--status', STATUS_WIDTH);
    this.#virtual = new Virtualizer({
      count: 0,
      getScrollElement: () => this.element,
      estimateSize: () => this.#rowHeight,
      scrollMargin: this.#rowHeight,
      scrollPaddingStart: this.#rowHeight,
      overscan: OVERSCAN,
      getItemKey: (index) => index,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => {
        this.#scheduleRender();
      },
    });
  }

  /** Starts observing the element, which must be in the document. */
  mount(): void {
    this.#virtual._didMount();
    this.#virtual._willUpdate();
    new ResizeObserver(() => {
      this.#onResize();
    }).observe(this.element);
  }

  /** Sets the height of the rows and of the head, in pixels. */
  setRowHeight(height: number): void {
    if (height === this.#rowHeight) return;
    this.#rowHeight = height;
    this.element.style.setProperty('--row', `${height}px`);
    this.#body.style.height = `${this.#rows.length * height}px`;
    this.#virtual.setOptions({ ...this.#virtual.options, scrollMargin: height, scrollPaddingStart: height });
    this.#virtual.measure();
  }

  /** Keeps the selected row in view when the details open below the table. */
  #onResize(): void {
    const before = this.#height;
    this.#height = this.element.clientHeight;
    if (this.#height >= before || this.#selected === undefined) return;
    const at = this.#rows.findIndex(({ key }) => key === this.#selected);
    const top = at * this.#rowHeight - this.element.scrollTop;
    if (at >= 0 && top >= 0 && top < before) this.#virtual.scrollToIndex(at, { align: 'auto' });
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  /** Number of rendered rows. */
  get renderedCount(): number {
    return this.#rendered.size;
  }

  /** Shows other rows. The top row stays in place, except at the very top, where new rows appear. */
  show(rows: readonly LoadedRow[], search: SearchQuery, connections: boolean): void {
    const { scrollTop } = this.element;
    const anchorAt = Math.floor(scrollTop / this.#rowHeight);
    const anchor = scrollTop > 0 ? this.#rows[anchorAt] : undefined;
    this.#rows = rows;
    this.#search = search;
    this.element.classList.toggle('several', connections);
    this.element.setAttribute('aria-rowcount', String(rows.length + 1));
    this.#body.style.height = `${rows.length * this.#rowHeight}px`;
    this.#virtual.setOptions({ ...this.#virtual.options, count: rows.length });
    if (anchor !== undefined && rows[anchorAt] !== anchor) {
      const now = this.#indexOfRow(anchor);
      if (now >= 0) this.element.scrollTop = scrollTop + (now - anchorAt) * this.#rowHeight;
    }
    this.#virtual._willUpdate();
    this.#scheduleRender();
  }

  #indexOfRow(row: LoadedRow): number {
    const at = this.#lowerBound(row);
    return this.#rows[at]?.key === row.key ? at : -1;
  }

  /** Binary search in the rows, which are newest first. */
  #lowerBound(one: { readonly time: number; readonly id: string }): number {
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

  select(key: string | undefined, reveal = false): void {
    this.#selected = key;
    if (reveal && key !== undefined) {
      const at = this.#rows.findIndex((one) => one.key === key);
      if (at >= 0) this.#virtual.scrollToIndex(at, { align: 'center' });
    }
    this.#scheduleRender();
  }

  /** The entry at the top; `undefined` at the very top, where new rows appear. */
  get topPosition(): { readonly time: number; readonly id: string } | undefined {
    // Reading the element's scrollTop would force a layout.
    const top = this.#virtual.scrollOffset ?? 0;
    const one = top < this.#rowHeight / 2 ? undefined : this.#rows[Math.round(top / this.#rowHeight)];
    return one && { time: one.time, id: one.id };
  }

  /** Scrolls to an entry. Returns `exact`, `near` if it is not loaded, or `end` if all rows are newer. */
  scrollTo(place: { readonly time: number; readonly id: string }): 'exact' | 'near' | 'end' {
    const at = this.#lowerBound(place);
    this.element.scrollTop = at * this.#rowHeight;
    const one = this.#rows[at];
    return one === undefined ? 'end' : one.id === place.id ? 'exact' : 'near';
  }

  #scheduleRender(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#render();
    });
  }

  #render(): void {
    const items = this.#virtual.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, drawn] of this.#rendered) {
      if (wanted.has(index)) continue;
      this.#rendered.delete(index);
      this.#recycled.push(drawn);
    }
    let active: string | undefined;
    for (const { index, start } of items) {
      const one = this.#rows[index];
      if (one === undefined) continue;
      const drawn = this.#rendered.get(index) ?? this.#recycled.pop() ?? this.#createRow();
      this.#rendered.set(index, drawn);
      this.#fillRow(drawn, one);
      const { element } = drawn;
      element.style.transform = `translateY(${start - this.#rowHeight}px)`;
      const selected = one.key === this.#selected;
      if (element.getAttribute('aria-rowindex') !== String(index + 2)) {
        element.setAttribute('aria-rowindex', String(index + 2));
        element.dataset['index'] = String(index);
        element.id = `row-${index}`;
      }
      element.setAttribute('aria-selected', String(selected));
      if (selected) active = element.id;
    }
    for (const { element } of this.#recycled) element.remove();
    this.#recycled.length = Math.min(this.#recycled.length, 40);
    this.#orderRows(items.map(({ index }) => index));
    if (active === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', active);
    const last = items.at(-1)?.index ?? 0;
    this.#actions.scrolled();
    if (last >= this.#rows.length - 1 - OVERSCAN) this.#actions.nearEnd();
  }

  /** Keeps the DOM in the visual order for screen readers. */
  #orderRows(indexes: readonly number[]): void {
    let place = this.#body.firstChild;
    for (const index of indexes) {
      const element = this.#rendered.get(index)?.element;
      if (element === undefined) continue;
      if (element === place) place = place.nextSibling;
      else this.#body.insertBefore(element, place);
    }
  }

  #createRow(): RenderedRow {
    const cells = COLUMNS.map(({ name }, index) =>
      h('div', { role: 'gridcell', 'aria-colindex': index + 1, class: `cell ${name}` }),
    );
    return { element: h('div', { role: 'row', class: 'row' }, ...cells), cells, row: undefined, search: undefined };
  }

  #fillRow(rendered: RenderedRow, one: LoadedRow): void {
    if (rendered.row === one && rendered.search === this.#search) return;
    rendered.row = one;
    rendered.search = this.#search;
    rendered.element.dataset['tone'] = getTone(one.row.status);
    rendered.element.dataset['key'] = one.key;
    COLUMNS.forEach(({ name, text, title }, index) => {
      const cell = rendered.cells[index];
      if (cell === undefined) return;
      const value = text(one);
      const parts = this.#search.empty
        ? [value]
        : splitMatches(value, this.#search).map(({ text, hit }) => (hit ? h('mark', {}, text) : text));
      if (name === 'time') replaceChildren(cell, ...renderTime(one.row));
      else if (name === 'status') replaceChildren(cell, createStatusIcon(one.row.status), h('span', {}, ...parts));
      else if (this.#search.empty) cell.textContent = value;
      else replaceChildren(cell, ...parts);
      cell.title = title?.(one) ?? value;
      const { connection, signer, objects, id } = one.row;
      const [kind, resource = ''] =
        name === 'signer' ? ['wallets', signer] : name === 'objects' ? ['objects', objects[0]] : ['action-logs', id];
      if (resource === '') delete cell.dataset['vscodeContext'];
      else cell.dataset['vscodeContext'] = getResourceContext({ connection, kind, id: resource });
    });
  }

  #indexOf(target: EventTarget | null): number {
    const row = target instanceof Element ? target.closest<HTMLElement>('.body > .row') : null;
    const index = row?.dataset['index'];
    return index === undefined ? -1 : Number(index);
  }

  #selectIndex(index: number, go: boolean): void {
    const at = Math.max(0, Math.min(this.#rows.length - 1, index));
    const one = this.#rows[at];
    if (one === undefined) return;
    this.#selected = one.key;
    this.#virtual.scrollToIndex(at, { align: 'auto' });
    this.#scheduleRender();
    this.#actions.select(one, go);
  }

  #onKeydown(event: KeyboardEvent): void {
    // The button below the last row has keys of its own.
    if (event.target !== this.element) return;
    const now = this.#rows.findIndex(({ key }) => key === this.#selected);
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#rowHeight) - 2);
    const one = this.#rows[now];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c') {
      // Selected text is copied by the browser.
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
    if (to !== undefined) this.#selectIndex(to, false);
    else if (event.key === 'Enter' || event.key === ' ') this.#selectIndex(Math.max(0, now), true);
    else if (event.key === 'Escape') this.#actions.select(undefined, false);
    else return;
    event.preventDefault();
  }
}
