/** A list as a table in the browser: only visible rows are rendered and requested. */
import '../display-language.ts';
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import './main.css';
import * as z from 'zod/mini';
import {
  MAX_SELECTED_ROWS,
  tableProtocol,
  type ColumnLayout,
  type RowAction,
  type TableRow,
  type TableState,
} from '../../protocol/table.ts';
import { h, getRoot, setText } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { findCell, formatCellId, ROW_HEIGHT, VirtualRows } from '../virtual-rows.ts';
import { hasStateColumn, renderGridRow } from './grid-rows.ts';
import { GridSelection } from './grid-state.ts';
import { TableHeader } from './header.ts';
import { Pictures } from './pictures.ts';
import { Toolbar } from './toolbar.ts';

/** rows rendered before and after the visible ones */
const OVERSCAN = 20;
/** Rows that are requested at once. */
const BLOCK_SIZE = 100;
/** Pixels between columns, and before the first. */
const COLUMN_GAP = 12;
/** Rows of the header: names and filters. */
const HEADER_ROWS = 2;

let state: TableState | undefined;
const selection = new GridSelection();
/** the scroll position before the page was hidden, until the rows are loaded again */
let savedScrollTop: number | undefined;
/** requested rows near the visible ones */
const rows = new Map<number, TableRow>();
const requestedBlocks = new Set<number>();

const view = connectToHost(tableProtocol, {
  state(next) {
    if (state === undefined) {
      const stored = view.getState(storedStateSchema);
      selection.restore(stored?.row ?? 0, stored?.rows ?? [0]);
      savedScrollTop = stored?.top;
    } else if (state.version !== next.version) {
      selection.select(Math.max(0, Math.min(selection.row, next.matching - 1)));
    }
    if (state?.version !== next.version) {
      rows.clear();
      requestedBlocks.clear();
    } else if (next.matching > state.matching) {
      // The last block was not full.
      requestedBlocks.delete(Math.floor(state.matching / BLOCK_SIZE));
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
    scheduleRender();
  },
  picture({ picture, dataUri }) {
    pictures.add(picture, dataUri);
    scheduleRender();
  },
});
const pictures = new Pictures((wanted) => {
  view.post('requestPictures', { pictures: wanted });
});

const storedStateSchema = z.object({ row: z.int(), rows: z.array(z.int()), top: z.number() });
/** Stores the list for the host, and the position in it for this page. */
function saveState(): void {
  if (state !== undefined)
    view.setState({
      of: state.list,
      row: selection.row,
      rows: getSelectedIndexes(),
      top: savedScrollTop ?? grid.scrollTop,
    });
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
  announce(text) {
    setText(announcement, text);
  },
  previewWidths: applyWidths,
});
const title = h('h1');
const count = h('span', { role: 'status' });
const announcement = h('div', { class: 'visually-hidden', role: 'status' });
const toolbar = new Toolbar({
  act,
  export: () => {
    if (state !== undefined) view.post('export', { indexes: getSelectedIndexes(), version: state.version });
  },
  refresh: post('refresh'),
  loadMore: post('loadMore'),
  loadAll: post('loadAll'),
  stop: post('stop'),
});
const notice = h('div', { class: 'notice', role: 'status' });
const gridRows = new VirtualRows(renderGridRow);
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
  gridRows.element,
);
getRoot().append(
  h('div', { class: 'head' }, title, count, header.chooser),
  toolbar.element,
  notice,
  announcement,
  grid,
);
new ResizeObserver(scheduleRender).observe(grid);

let frame = 0;
function scheduleRender(): void {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    render();
  });
}

function post(type: 'refresh' | 'loadMore' | 'loadAll' | 'stop') {
  return (): void => {
    view.post(type, {});
  };
}

function act(action: RowAction): void {
  const indexes = getSelectedIndexes();
  if (state !== undefined && indexes.length > 0) view.post('act', { action, indexes, version: state.version });
}

function getSelectedIndexes(): number[] {
  return selection.rows.filter((row) => row < (state?.matching ?? 0)).slice(0, MAX_SELECTED_ROWS);
}

function applyWidths(columns: readonly ColumnLayout[]): void {
  grid.style.setProperty('--columns', columns.map(({ width }) => `${String(width)}px`).join(' '));
  const width = columns.reduce((sum, column) => sum + column.width + COLUMN_GAP, COLUMN_GAP);
  grid.style.setProperty('--row-width', `${String(width)}px`);
}

function formatCounts({ loaded, matching, hasMore }: TableState): string {
  if (matching === loaded)
    return pluralize(
      loaded,
      hasMore
        ? l10n.t({ message: '{0} loaded|{0} loaded', args: [], comment: 'Rows of a table' })
        : l10n.t('{0} row|{0} rows'),
    );
  const shown = formatNumber(matching);
  return hasMore
    ? l10n.t({ message: '{0} of {1} loaded', args: [shown, formatNumber(loaded)], comment: 'Rows of a table' })
    : pluralize(loaded, l10n.t('{1} of {0} row|{1} of {0} rows'), shown);
}

function formatLoading(rate: number | undefined): string {
  return rate === undefined ? l10n.t('Loading…') : l10n.t('{0}/s', formatNumber(rate));
}

/** Renders everything above the rows; not on scrolling. */
function renderHead(current: TableState): void {
  const { loading, rate, columns, order } = current;
  setText(title, current.title);
  setText(notice, current.notice);
  grid.classList.toggle('stateless', !hasStateColumn(columns));
  applyWidths(columns);
  header.render(current);
  setText(
    count,
    [formatCounts(current), order, loading && formatLoading(rate)].filter((part) => part !== false).join(' · '),
  );
}

function render(): void {
  if (state === undefined) return;
  const { matching, hasMore, columns, hasPictures } = state;
  selection.column = Math.max(0, Math.min(selection.column, columns.length - 1));
  toolbar.render(state, getSelectedIndexes().length);
  grid.setAttribute('aria-label', state.title);
  grid.setAttribute('aria-rowcount', String(hasMore ? -1 : matching + HEADER_ROWS));
  grid.setAttribute('aria-colcount', String(columns.length));
  grid.setAttribute('aria-activedescendant', formatCellId(selection.row, selection.column));
  gridRows.element.style.height = `${String(matching * ROW_HEIGHT)}px`;
  const firstVisible = Math.floor(grid.scrollTop / ROW_HEIGHT);
  const lastVisible = Math.ceil((grid.scrollTop + grid.clientHeight) / ROW_HEIGHT);
  const first = Math.max(0, firstVisible - OVERSCAN);
  const last = Math.min(matching, lastVisible + OVERSCAN);
  requestRows(first, last, matching);
  const wanted: number[] = [];
  gridRows.render(first, last, (index) => {
    const row = rows.get(index);
    const picture = row?.picture;
    if (picture !== undefined && index >= firstVisible && index < lastVisible) wanted.push(picture);
    return {
      row,
      columns,
      isSelected: selection.has(index),
      cursor: index === selection.row ? selection.column : undefined,
      picture: picture === undefined ? undefined : pictures.get(picture),
      hasPictures,
    };
  });
  pictures.want(wanted);
}

/** Requests the blocks around the rendered rows that are missing, and drops rows that are far away. */
function requestRows(first: number, last: number, matching: number): void {
  for (const block of requestedBlocks) {
    if ((block + 3) * BLOCK_SIZE > first && (block - 2) * BLOCK_SIZE < last) continue;
    requestedBlocks.delete(block);
    for (let index = block * BLOCK_SIZE; index < (block + 1) * BLOCK_SIZE; index++) rows.delete(index);
  }
  const end = Math.min(matching, last + OVERSCAN);
  for (let block = Math.floor(Math.max(0, first - OVERSCAN) / BLOCK_SIZE); block * BLOCK_SIZE < end; block++) {
    if (requestedBlocks.has(block)) continue;
    requestedBlocks.add(block);
    const from = block * BLOCK_SIZE;
    view.post('requestRows', { from, count: Math.min(BLOCK_SIZE, matching - from) });
  }
}

gridRows.element.addEventListener('click', (event) => {
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
gridRows.element.addEventListener('dblclick', () => {
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
    else if (event.ctrlKey || event.metaKey) selection.move(to);
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
