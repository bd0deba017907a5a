/** The header of the table: sort buttons, drag handles, filter inputs, and the list of columns. */
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import { h, replaceControls } from '../dom.ts';
import { createToolButton } from '../controls.ts';
import type { Post } from '../host-connection.ts';
import { getColumnNames } from './column-names.ts';
import {
  MAX_COLUMN_WIDTH,
  MAX_COLUMNS,
  MIN_COLUMN_WIDTH,
  type ColumnLayout,
  type TableSort,
  type TableState,
  type tableProtocol,
} from '../../protocol/table.ts';

/** Width in pixels of a column that the user adds. */
const ADDED_COLUMN_WIDTH = 160;
/** Pixels that one key press changes the width by. */
const WIDTH_STEP = 20;
const FILTER_DELAY_MS = 200;
const FILTER_NAME = 'filter ';

interface HeaderActions {
  readonly post: Post<typeof tableProtocol>;
  /** tells screen readers what a key did */
  announce(text: string): void;
  /** shows widths while a column is dragged */
  previewWidths(columns: readonly ColumnLayout[]): void;
}

/** The two header rows of the grid. They are rebuilt only when columns or sorting change, so that inputs keep their focus. */
export class TableHeader {
  readonly names = h('div', { class: 'line names', role: 'row', 'aria-rowindex': 1 });
  readonly filters = h('div', { class: 'line filters', role: 'row', 'aria-rowindex': 2 });
  readonly chooser = h('details', { class: 'chooser' }, h('summary', {}, l10n.t('Columns')));
  readonly #actions: HeaderActions;
  readonly #list = h('div', { class: 'choices', role: 'group', 'aria-label': l10n.t('Columns') });
  readonly #search = h('input', {
    type: 'search',
    placeholder: l10n.t('Search columns'),
    'aria-label': l10n.t('Search columns'),
    on: { input: () => this.#showFound() },
  });
  #state: TableState | undefined;
  #renderedKey = '';
  #filterTimer: ReturnType<typeof setTimeout> | undefined;
  /** typed filters that the state does not have yet */
  #typedFilters: TableState['filters'] | undefined;
  /** columns that were sent and that the state does not have yet */
  #sentColumns: ColumnLayout[] | undefined;
  #dragged: string | undefined;

  constructor(actions: HeaderActions) {
    this.#actions = actions;
    this.chooser.append(h('div', { class: 'menu' }, this.#search, this.#list));
    addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !this.chooser.contains(target)) this.chooser.open = false;
    });
    this.chooser.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.chooser.open = false;
    });
  }

  /** Updates the header to a state. */
  render(state: TableState): void {
    const { columns, available, sort, filters } = state;
    if (JSON.stringify(this.#typedFilters) === JSON.stringify(filters)) this.#typedFilters = undefined;
    const sent = this.#sentColumns?.filter(({ key }) => available.some((column) => column.key === key)) ?? [];
    this.#sentColumns = JSON.stringify(sent) === JSON.stringify(columns) || sent.length === 0 ? undefined : sent;
    this.#state = { ...state, columns: this.#sentColumns ?? columns };
    const rendered = JSON.stringify([columns, available, sort]);
    if (rendered === this.#renderedKey) return;
    this.#renderedKey = rendered;
    const shown = columns.map(({ key }) => available.find((column) => column.key === key) ?? { key, label: '' });
    const getLabel = (columnKey: string): string => shown.find((column) => column.key === columnKey)?.label ?? '';
    const names = getColumnNames(shown);
    replaceControls(this.names, () =>
      columns.map((column) =>
        this.#createName(column, getLabel(column.key), names.get(column.key) ?? column.key, state),
      ),
    );
    replaceControls(this.filters, () =>
      columns.map(({ key }) => this.#createFilter(key, getLabel(key), this.#typedFilters ?? filters)),
    );
    replaceControls(this.#list, () => [
      ...[...Map.groupBy(available, (column) => getGroupLabel(column.key))].map(([group, choices]) =>
        h(
          'div',
          { class: 'group', role: 'group', 'aria-label': group },
          h('strong', {}, group),
          ...choices.map((choice) => this.#createChoice(choice.key, choice.label, state)),
        ),
      ),
      createToolButton({
        label: l10n.t('Reset Columns'),
        onClick: () => {
          this.#sentColumns = undefined;
          this.#actions.post('resetColumns', {});
        },
      }),
    ]);
    this.#showFound();
  }

  /** Clears the filters of all columns, and focuses the first. */
  clearFilters(): void {
    const inputs = this.filters.querySelectorAll('input');
    for (const input of inputs) input.value = '';
    inputs[0]?.focus();
    inputs[0]?.dispatchEvent(new Event('input'));
  }

  /** Hides the columns whose name does not contain what is searched, and groups without any. */
  #showFound(): void {
    const term = this.#search.value.trim().toLowerCase();
    for (const group of this.#list.querySelectorAll<HTMLElement>('.group')) {
      const labels = [...group.querySelectorAll('label')];
      for (const label of labels) label.hidden = !label.textContent.toLowerCase().includes(term);
      group.hidden = labels.every(({ hidden }) => hidden);
    }
  }

  #createName(column: ColumnLayout, label: string, name: string, state: TableState): HTMLElement {
    const direction = state.sort?.key === column.key ? (state.sort.descending ? 'descending' : 'ascending') : 'none';
    const arrow = { ascending: ' ↑', descending: ' ↓', none: '' }[direction];
    const button = h(
      'button',
      {
        type: 'button',
        title: l10n.t('{0} (Enter to sort, Alt+Left/Right to move, Shift+Left/Right to resize)', label),
        draggable: 'true',
        'data-name': `name ${column.key}`,
        on: {
          click: () => this.#actions.post('sort', { sort: getNextSort(column.key, state.sort) }),
          keydown: (event) => this.#handleKey(event, column),
          dragstart: () => {
            this.#dragged = column.key;
          },
        },
      },
      name,
      arrow,
    );
    return h(
      'span',
      {
        role: 'columnheader',
        'aria-sort': direction,
        on: {
          dragover: (event) => event.preventDefault(),
          drop: (event) => {
            event.preventDefault();
            if (this.#dragged !== undefined) this.#move(this.#dragged, this.#indexOf(column.key));
          },
        },
      },
      button,
      h('span', {
        class: 'handle',
        'aria-hidden': 'true',
        on: { pointerdown: (event) => this.#resize(event, column) },
      }),
    );
  }

  #createFilter(key: string, label: string, filters: TableState['filters']): HTMLElement {
    return h(
      'span',
      { role: 'gridcell' },
      h('input', {
        type: 'text',
        placeholder: l10n.t('Filter'),
        'aria-label': l10n.t('Filter {0}', label),
        'data-name': FILTER_NAME + key,
        maxlength: 200,
        set: { value: filters[key] ?? '' },
        on: {
          input: () => {
            clearTimeout(this.#filterTimer);
            const typed = (this.#typedFilters = this.#readFilters());
            this.#filterTimer = setTimeout(() => this.#actions.post('filter', { filters: typed }), FILTER_DELAY_MS);
          },
        },
      }),
    );
  }

  #createChoice(key: string, label: string, { columns }: TableState): HTMLElement {
    const checked = columns.some((column) => column.key === key);
    return h(
      'label',
      {},
      h('input', {
        type: 'checkbox',
        'data-name': `choice ${key}`,
        set: { checked },
        disabled: checked ? columns.length === 1 : columns.length >= MAX_COLUMNS,
        on: {
          change: () => {
            const all = this.#state?.columns ?? columns;
            const others = all.filter((column) => column.key !== key);
            this.#setColumns(others.length < all.length ? others : [...all, { key, width: ADDED_COLUMN_WIDTH }]);
          },
        },
      }),
      label,
    );
  }

  /** Stores a layout. It is current at once: the next key press may come before the host's response. */
  #setColumns(columns: ColumnLayout[]): void {
    if (columns.length === 0) return;
    this.#sentColumns = columns;
    if (this.#state !== undefined) this.#state = { ...this.#state, columns };
    this.#actions.post('setColumns', { columns });
  }

  #handleKey(event: KeyboardEvent, { key }: ColumnLayout): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const step = event.key === 'ArrowLeft' ? -1 : 1;
    const label = this.#state?.available.find((column) => column.key === key)?.label ?? '';
    if (event.altKey) {
      this.#move(key, this.#indexOf(key) + step);
      const [at, count] = [this.#indexOf(key) + 1, this.#state?.columns.length ?? 0].map((place) =>
        formatNumber(place),
      );
      this.#actions.announce(l10n.t('{0}: column {1} of {2}', label, at ?? '', count ?? ''));
    } else if (event.shiftKey) {
      const width = this.#state?.columns[this.#indexOf(key)]?.width ?? ADDED_COLUMN_WIDTH;
      const columns = this.#withWidth(key, width + step * WIDTH_STEP);
      this.#setColumns(columns);
      const pixels = columns[this.#indexOf(key)]?.width ?? width;
      this.#actions.announce(pluralize(pixels, l10n.t('{1}: {0} pixel wide|{1}: {0} pixels wide'), label));
    } else return;
    event.preventDefault();
  }

  #move(key: string, to: number): void {
    const columns = [...(this.#state?.columns ?? [])];
    const from = this.#indexOf(key);
    if (to < 0 || to >= columns.length || to === from) return;
    columns.splice(to, 0, ...columns.splice(from, 1));
    this.#setColumns(columns);
  }

  #resize(event: PointerEvent, { key, width }: ColumnLayout): void {
    event.preventDefault();
    const start = event.clientX;
    const end = new AbortController();
    const { signal } = end;
    let columns = this.#state?.columns ?? [];
    addEventListener(
      'pointermove',
      ({ clientX }) => {
        columns = this.#withWidth(key, width + clientX - start);
        this.#actions.previewWidths(columns);
      },
      { signal },
    );
    addEventListener(
      'pointerup',
      () => {
        end.abort();
        this.#setColumns(columns);
      },
      { signal },
    );
  }

  #withWidth(key: string, width: number): ColumnLayout[] {
    const limited = Math.round(Math.max(MIN_COLUMN_WIDTH, Math.min(MAX_COLUMN_WIDTH, width)));
    return (this.#state?.columns ?? []).map((column) => (column.key === key ? { key, width: limited } : column));
  }

  #indexOf(key: string): number {
    return this.#state?.columns.findIndex((column) => column.key === key) ?? -1;
  }

  #readFilters(): Record<string, string> {
    const inputs = [...this.filters.querySelectorAll('input')];
    return Object.fromEntries(
      inputs.flatMap(({ value, dataset: { name = '' } }) =>
        value.trim() === '' ? [] : [[name.slice(FILTER_NAME.length), value]],
      ),
    );
  }
}

/** Returns what a column is grouped under: parts of the data have a key with a dot. */
function getGroupLabel(key: string): string {
  if (key.startsWith('summary:')) return l10n.t('Summary');
  if (key.startsWith('custom.')) return l10n.t('Data');
  return key.startsWith('metadata.') ? l10n.t('Metadata') : l10n.t('Fields');
}

function getNextSort(key: string, sort: TableSort | undefined): TableSort | undefined {
  if (sort?.key !== key) return { key, descending: false };
  return sort.descending ? undefined : { key, descending: true };
}
