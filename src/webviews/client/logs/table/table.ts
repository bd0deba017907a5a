import * as l10n from '@vscode/l10n';
import { formatAmount, formatNumber } from '../../../../platform/text/localization.ts';
import { formatLabelled } from '../../../../model/text/labels.ts';
import { h, type ResourceTarget } from '../../dom.ts';
import { Grid, type GridColumn } from '../../grid.ts';
import { getTone } from '../header/histogram.ts';
import type { LoadedRow } from './rows-model.ts';
import { parseSearch, splitMatches, type SearchQuery } from './search.ts';
import { shorten, createStatusIcon, renderTime } from '../format.ts';
import { formatStatus } from '../../../../model/text/status.ts';

/** Rows before the end of the table at which older entries are read. */
const NEAR_END = 8;

interface TableActions {
  readonly select: (row: LoadedRow | undefined, focusDetails: boolean) => void;
  readonly copy: (row: LoadedRow, what: 'id' | 'row') => void;
  /** called when the last rows come into view */
  readonly nearEnd: () => void;
  readonly scrolled: () => void;
}

/** Width in which the icon and the longest of the known statuses fit in any language. */
const STATUS_WIDTH = `max(7.5em, ${String(Math.max(...['pending', 'completed', 'failed'].map((status) => formatStatus(status).length)))}ch + 22px)`;

/** Widths of the table in pixels from which it is wide, medium, small; below, it is narrow or tiny. */
const SIZES = { wide: 1000, medium: 820, small: 480, narrow: 280, tiny: 0 } as const;
type Size = keyof typeof SIZES;

/** Returns the columns for a width of the table, in pixels. `several`: with the connection. */
function listColumns(size: Size, several: boolean): readonly GridColumn<LoadedRow>[] {
  const isAtLeast = (other: Size): boolean => SIZES[size] >= SIZES[other];
  const columns: readonly (GridColumn<LoadedRow> & { readonly isShown?: boolean })[] = [
    {
      class: 'time',
      label: l10n.t('Time'),
      width: isAtLeast('medium') ? '13.5em' : isAtLeast('narrow') ? '10.5em' : '5.8em',
      getText: () => '',
      render: ({ row }) => renderTime(row),
      getTitle: ({ row }) =>
        row.withoutTime === true ? l10n.t('The response contains no valid time') : new Date(row.time).toISOString(),
    },
    {
      class: 'status',
      label: l10n.t('Status'),
      width: isAtLeast('small') ? STATUS_WIDTH : '1.4em',
      getText: ({ row }) => (row.status === '' ? l10n.t('Unknown') : formatStatus(row.status)),
      render: ({ row }, text) => [createStatusIcon(row.status), h('span', {}, ...text)],
    },
    {
      class: 'action',
      label: l10n.t('Action'),
      width: isAtLeast('small') ? '8em' : '0px',
      grows: 2.2,
      getText: ({ row }) => {
        const name =
          row.alias === ''
            ? row.action
            : row.action === '' || row.action === row.alias
              ? row.alias
              : `${row.alias} (${row.action})`;
        return row.message === '' ? name : `${name} — ${row.message}`;
      },
    },
    {
      class: 'signer',
      label: l10n.t('Signer'),
      width: '6em',
      grows: 1,
      isShown: isAtLeast('medium'),
      getText: ({ row }) => formatLabelled(row.signer, row.signerLabel),
      getResource: ({ row: { connection, signer } }) => toResource(connection, 'wallets', signer),
    },
    {
      class: 'objects',
      label: l10n.t('Objects'),
      width: '7em',
      grows: 1.8,
      isShown: isAtLeast('small'),
      getText: ({ row }) => {
        const [id = ''] = row.objects;
        const first = row.objectName ?? (row.objectCount > 1 ? shorten(id) : id);
        return row.objectCount > 1 ? `${first} +${formatNumber(row.objectCount - 1)}` : first;
      },
      getResource: ({ row: { connection, objects } }) => toResource(connection, 'objects', objects[0]),
      getTitle: ({ row }) => row.objects.join('\n') + (row.objectCount > row.objects.length ? '\n…' : ''),
    },
    {
      class: 'fee',
      label: l10n.t('Fee'),
      width: '7em',
      isShown: isAtLeast('medium'),
      getText: ({ row }) => formatAmount(row.fee),
      getTitle: ({ row }) => row.fee,
    },
    {
      class: 'batch',
      label: l10n.t('Batch'),
      width: '5em',
      grows: 0.8,
      isShown: isAtLeast('wide'),
      getText: ({ row }) => row.batch,
    },
    {
      class: 'connection',
      label: l10n.t('Connection'),
      width: isAtLeast('small') ? '6.5em' : '0px',
      grows: 0.8,
      isShown: several,
      getText: ({ row }) => row.connection,
    },
  ];
  return columns
    .filter(({ isShown = true }) => isShown)
    .map((column) => ({
      getResource: ({ row: { connection, id } }) => toResource(connection, 'action-logs', id),
      ...column,
    }));
}

function toResource(connection: string, kind: string, id = ''): ResourceTarget | undefined {
  return id === '' ? undefined : { connection, kind, id };
}

/** The table of action logs, newest first. */
export class Table {
  readonly element: HTMLElement;
  readonly #grid: Grid<LoadedRow>;
  readonly #actions: TableActions;
  #rows: readonly LoadedRow[] = [];
  #search: SearchQuery = parseSearch('');
  #selected: string | undefined;
  #size: Size = 'wide';
  #several = false;
  /** pixels, before the last resize */
  #height = 0;
  #scrollTop = 0;

  constructor(actions: TableActions) {
    this.#actions = actions;
    this.#grid = new Grid<LoadedRow>({
      getLine: (index) => {
        const row = this.#rows[index];
        return { key: row?.key, row, isSelected: row !== undefined && row.key === this.#selected, mark: this.#search };
      },
      getAttributes: ({ key, row }) => ({ 'data-key': key, 'data-tone': getTone(row.status) }),
      renderText: (text) =>
        this.#search.empty
          ? [text]
          : splitMatches(text, this.#search).map((part) => (part.hit ? h('mark', {}, part.text) : part.text)),
      onRange: ({ lastVisible }) => {
        this.#scrollTop = this.element.scrollTop;
        actions.scrolled();
        if (lastVisible >= this.#rows.length - 1 - NEAR_END) actions.nearEnd();
      },
      getCursor: () => this.#selectedIndex,
      onKey: (event, index) => this.#onKey(event, index),
      onClick: (_event, index) => this.#selectIndex(index, false),
      onDoubleClick: (index) => this.#selectIndex(index, true),
    });
    this.element = this.#grid.element;
    this.element.setAttribute('aria-label', l10n.t('Action logs, newest first'));
    this.element.dataset['name'] = 'grid';
    this.#updateColumns();
    new ResizeObserver(() => this.#onResize()).observe(this.element);
  }

  /** Sets the height of the rows, in pixels. */
  setRowHeight(height: number): void {
    if (height === this.#grid.rowHeight) return;
    this.#grid.rowHeight = height;
    this.#grid.setCount(this.#rows.length);
  }

  #updateColumns(): void {
    this.element.dataset['size'] = this.#size;
    this.#grid.setColumns(listColumns(this.#size, this.#several));
  }

  /** Chooses the columns, and keeps the selected row in view when the details open below the table. */
  #onResize(): void {
    const { clientHeight, clientWidth } = this.element;
    const size = objectKeys(SIZES).find((name) => clientWidth >= SIZES[name]) ?? 'tiny';
    // A hidden table has no width.
    if (clientWidth > 0 && size !== this.#size) {
      this.#size = size;
      this.#updateColumns();
    }
    const before = this.#height;
    this.#height = clientHeight;
    if (clientHeight >= before) return;
    const at = this.#selectedIndex;
    const top = at * this.#grid.rowHeight - this.element.scrollTop;
    if (at >= 0 && top >= 0 && top < before) this.#grid.reveal(at);
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  /** -1 without one */
  get #selectedIndex(): number {
    return this.#selected === undefined ? -1 : this.#rows.findIndex(({ key }) => key === this.#selected);
  }

  /** Shows other rows. The top row stays in place, except at the very top, where new rows appear. */
  show(rows: readonly LoadedRow[], search: SearchQuery, several: boolean): void {
    const { rowHeight } = this.#grid;
    const { scrollTop } = this.element;
    const anchorAt = Math.floor(scrollTop / rowHeight);
    const anchor = scrollTop > 0 ? this.#rows[anchorAt] : undefined;
    this.#rows = rows;
    this.#search = search;
    if (several !== this.#several) {
      this.#several = several;
      this.#updateColumns();
    }
    this.#grid.setCount(rows.length);
    if (anchor !== undefined && rows[anchorAt] !== anchor) {
      const now = this.#lowerBound(anchor);
      if (rows[now]?.key === anchor.key) this.element.scrollTop = scrollTop + (now - anchorAt) * rowHeight;
    }
    // The caller renders in a frame of its own.
    this.#grid.render();
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
      const at = this.#selectedIndex;
      if (at >= 0) this.#grid.reveal(at, { center: true });
    }
    this.#grid.schedule();
  }

  /** The entry at the top; `undefined` at the very top, where new rows appear. */
  get topPosition(): { readonly time: number; readonly id: string } | undefined {
    // Reading the element's scrollTop would force a layout.
    const top = this.#scrollTop;
    const { rowHeight } = this.#grid;
    const one = top < rowHeight / 2 ? undefined : this.#rows[Math.round(top / rowHeight)];
    return one && { time: one.time, id: one.id };
  }

  /** Scrolls to an entry. Returns `exact`, `near` if it is not loaded, or `end` if all rows are newer. */
  scrollTo(place: { readonly time: number; readonly id: string }): 'exact' | 'near' | 'end' {
    const at = this.#lowerBound(place);
    this.element.scrollTop = at * this.#grid.rowHeight;
    const one = this.#rows[at];
    return one === undefined ? 'end' : one.id === place.id ? 'exact' : 'near';
  }

  #selectIndex(index: number, focusDetails: boolean): void {
    const one = this.#rows[index];
    if (one === undefined) return;
    this.#selected = one.key;
    this.#grid.reveal(index);
    this.#grid.schedule();
    this.#actions.select(one, focusDetails);
  }

  #onKey(event: KeyboardEvent, to: number | undefined): boolean {
    const now = this.#selectedIndex;
    const one = this.#rows[now];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c') {
      // Selected text is copied by the browser.
      if (one !== undefined && getSelection()?.isCollapsed !== false)
        this.#actions.copy(one, event.shiftKey ? 'row' : 'id');
      return false;
    }
    if (to !== undefined) this.#selectIndex(to, false);
    else if (event.key === 'Enter' || event.key === ' ') this.#selectIndex(Math.max(0, now), true);
    else if (event.key === 'Escape') this.#actions.select(undefined, false);
    else return false;
    return true;
  }
}

function objectKeys<Key extends string>(object: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(object) as Key[];
}
