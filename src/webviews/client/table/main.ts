/** A list as a table in the browser: only visible rows are rendered and requested. */
import './main.css';
import * as z from 'zod/mini';
import {
  MAX_REQUESTED_ROWS,
  MAX_SELECTED_ROWS,
  tableProtocol,
  type ColumnLayout,
  type RowAction,
  type TableRow,
  type TableState,
} from '../../protocol/table.ts';
import { createToolButton } from '../controls.ts';
import { replaceChildren, h, getRoot } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { GridSelection } from './grid-state.ts';
import { TableHeader } from './header.ts';

const ROW_HEIGHT = 24;
/** rows rendered before and after the visible ones */
const OVERSCAN = 20;
const STATE_COLUMN = 'summary:State';
const ROW_ACTION_LABELS: readonly (readonly [RowAction, string])[] = [
  ['open', 'Open'],
  ['compare', 'Compare'],
  ['copyCsv', 'Copy as CSV'],
  ['copyMarkdown', 'Copy as Markdown'],
  ['copyJson', 'Copy as JSON'],
  ['newActionFile', 'New Action File'],
];

let state: TableState | undefined;
const selection = new GridSelection();
/** the scroll position before the page was hidden, until the rows are loaded again */
let savedScrollTop: number | undefined;
/** requested rows near the visible ones */
const rows = new Map<number, TableRow>();
const requested = new Set<number>();

const view = connectToHost(tableProtocol, {
  state(next) {
    if (state === undefined) {
      const stored = view.getState(storedStateSchema);
      selection.select(stored?.selected ?? 0);
      savedScrollTop = stored?.top;
    } else if (state.version !== next.version) {
      selection.select(Math.max(0, Math.min(selection.row, next.matching - 1)));
    }
    if (state?.version !== next.version) {
      rows.clear();
      requested.clear();
    }
    state = next;
    renderHead(next);
    render();
    if (savedScrollTop !== undefined && next.matching > 0) {
      grid.scrollTop = savedScrollTop;
      savedScrollTop = undefined;
    }
    saveState();
  },
  rows({ from, version, rows: received }) {
    if (version !== state?.version) return;
    received.forEach((row, offset) => rows.set(from + offset, row));
    render();
  },
});

const storedStateSchema = z.object({ selected: z.int(), top: z.number() });
/** Stores the list for the host, and the position in it for this page. */
function saveState(): void {
  if (state !== undefined)
    view.setState({ of: state.list, selected: selection.row, top: savedScrollTop ?? grid.scrollTop });
}

const header = new TableHeader({
  setColumns(columns) {
    view.post('setColumns', { columns });
  },
  resetColumns() {
    view.post('resetColumns', {});
  },
  sort(sort) {
    view.post('sort', { sort });
  },
  filter(filters) {
    view.post('filter', { filters });
  },
  previewWidths: applyWidths,
});
const title = h('h1');
const count = h('span', { role: 'status' });
const tools = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Table' });
const notice = h('div', { class: 'notice', role: 'status' });
const body = h('div', { class: 'body', role: 'rowgroup' });
const grid = h(
  'div',
  {
    class: 'grid',
    role: 'grid',
    tabindex: 0,
    'aria-multiselectable': 'true',
    on: { scroll: scheduleRender, scrollend: saveState, keydown: onKeydown },
  },
  h('div', { class: 'header', role: 'rowgroup' }, header.names, header.filters),
  body,
);
getRoot().append(h('div', { class: 'head' }, title, count, header.chooser), tools, notice, grid);
new ResizeObserver(scheduleRender).observe(grid);

let frame = 0;
function scheduleRender(): void {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    render();
  });
}

function post(type: 'refresh' | 'loadMore' | 'loadAll') {
  return (): void => {
    view.post(type, {});
  };
}

function act(action: RowAction): void {
  const indexes = selection.rows.filter((row) => row < (state?.matching ?? 0)).slice(0, MAX_SELECTED_ROWS);
  if (state !== undefined && indexes.length > 0) view.post('act', { action, indexes, version: state.version });
}

function applyWidths(columns: readonly ColumnLayout[]): void {
  grid.style.setProperty('--columns', columns.map(({ width }) => `${String(width)}px`).join(' '));
}

/** Renders everything above the rows; not on scrolling. */
function renderHead(current: TableState): void {
  const { loaded, matching, hasMore, loading, columns, sort } = current;
  replaceChildren(title, current.title);
  replaceChildren(notice, current.notice);
  grid.classList.toggle('stateless', !columns.some(({ key }) => key === STATE_COLUMN));
  applyWidths(columns);
  header.render(current);
  const total = `${loaded.toLocaleString()} ${hasMore ? 'loaded so far' : 'rows'}`;
  const parts = [
    matching === loaded ? total : `${matching.toLocaleString()} of ${total}`,
    sort !== undefined && (hasMore ? 'sorted among the loaded rows' : 'sorted'),
    loading && 'loading…',
  ];
  replaceChildren(count, parts.filter((part) => part !== false).join(', '));
  replaceChildren(
    tools,
    ...ROW_ACTION_LABELS.map(([action, label]) =>
      createToolButton({
        label,
        disabled: matching === 0,
        onClick: () => {
          act(action);
        },
      }),
    ),
    createToolButton({ label: 'Refresh', disabled: loading, onClick: post('refresh') }),
    hasMore && createToolButton({ label: 'Load More', disabled: loading, onClick: post('loadMore') }),
    hasMore && createToolButton({ label: 'Load All', disabled: loading, onClick: post('loadAll') }),
  );
}

function render(): void {
  if (state === undefined) return;
  const { matching, hasMore, columns } = state;
  selection.column = Math.max(0, Math.min(selection.column, columns.length - 1));
  grid.setAttribute('aria-label', state.title);
  grid.setAttribute('aria-rowcount', String(hasMore ? -1 : matching + 1));
  grid.setAttribute('aria-colcount', String(columns.length));
  grid.setAttribute('aria-activedescendant', formatCellId(selection.row, selection.column));
  body.style.height = `${String(matching * ROW_HEIGHT)}px`;
  const first = Math.max(0, Math.floor(grid.scrollTop / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(matching, Math.ceil((grid.scrollTop + grid.clientHeight) / ROW_HEIGHT) + OVERSCAN);
  requestRows(first, last);
  const lines: HTMLElement[] = [];
  for (let index = first; index < last; index++) lines.push(renderRow(index, columns));
  replaceChildren(body, ...lines);
}

function requestRows(first: number, last: number): void {
  for (const index of rows.keys()) {
    if (index >= first - MAX_REQUESTED_ROWS && index < last + MAX_REQUESTED_ROWS) continue;
    rows.delete(index);
    requested.delete(index);
  }
  let from = first;
  while (from < last && requested.has(from)) from++;
  if (from >= last) return;
  const rowCount = Math.min(last - from, MAX_REQUESTED_ROWS);
  for (let index = from; index < from + rowCount; index++) requested.add(index);
  view.post('requestRows', { from, count: rowCount });
}

function renderRow(index: number, columns: readonly ColumnLayout[]): HTMLElement {
  const row = rows.get(index);
  return h(
    'div',
    {
      class: `line item ${row?.tone ?? 'none'}`,
      role: 'row',
      'aria-rowindex': index + 2,
      'aria-selected': String(selection.has(index)),
      style: { top: `${String(index * ROW_HEIGHT)}px` },
    },
    ...columns.map(({ key }, column) => {
      const text = row?.cells[column] ?? (row === undefined && column === 0 ? '…' : '');
      const isCursor = index === selection.row && column === selection.column;
      return h(
        'span',
        {
          role: 'gridcell',
          id: formatCellId(index, column),
          title: text,
          class: [key === STATE_COLUMN && 'state', isCursor && 'cursor'].filter(Boolean).join(' '),
        },
        text,
      );
    }),
  );
}

function formatCellId(row: number, column: number): string {
  return `cell-${String(row)}-${String(column)}`;
}

/** The row and column of an element within the body. */
function findCell(target: EventTarget | null): { readonly row: number; readonly column: number } | undefined {
  const id = target instanceof Element ? target.closest('[role=gridcell]')?.id : undefined;
  const [, row, column] = /^cell-(\d+)-(\d+)$/.exec(id ?? '') ?? [];
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}

body.addEventListener('click', (event) => {
  const cell = findCell(event.target);
  if (cell === undefined) return;
  selection.column = cell.column;
  if (event.shiftKey) selection.extend(cell.row, MAX_SELECTED_ROWS);
  else if (event.ctrlKey || event.metaKey) selection.toggle(cell.row);
  else selection.select(cell.row);
  grid.focus({ preventScroll: true });
  render();
  saveState();
});
body.addEventListener('dblclick', () => {
  act('open');
});

function onKeydown(event: KeyboardEvent): void {
  // Keys in the header belong to its inputs and buttons.
  if (event.target !== grid || state === undefined || state.matching === 0) return;
  const { row, column } = selection;
  const page = Math.max(1, Math.floor((grid.clientHeight - getHeaderHeight()) / ROW_HEIGHT) - 1);
  const last = state.matching - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: last,
  };
  const target = moves[event.key];
  if (target !== undefined) {
    const to = Math.max(0, Math.min(last, target));
    if (event.shiftKey) selection.extend(to, MAX_SELECTED_ROWS);
    else selection.select(to);
  } else if (event.key === 'ArrowLeft') selection.column = Math.max(0, column - 1);
  else if (event.key === 'ArrowRight') selection.column = Math.min(state.columns.length - 1, column + 1);
  else if (event.key === ' ') selection.toggle(row);
  else if (event.key === 'Enter') act('open');
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
    selection.select(0);
    selection.extend(last, MAX_SELECTED_ROWS);
  } else if (event.key === 'c' && (event.ctrlKey || event.metaKey)) act('copyCsv');
  else return;
  event.preventDefault();
  scrollToCursor();
  render();
  saveState();
}

function getHeaderHeight(): number {
  return header.names.offsetHeight + header.filters.offsetHeight;
}

/** The header covers the top of the visible part. */
function scrollToCursor(): void {
  const top = selection.row * ROW_HEIGHT;
  const visible = grid.clientHeight - getHeaderHeight();
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW_HEIGHT > grid.scrollTop + visible) grid.scrollTop = top + ROW_HEIGHT - visible;
}
