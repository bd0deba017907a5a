/** A list as a table in the browser: only visible rows are rendered and requested. */
import '../display-language.ts';
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import { formatRemedy } from '../../../model/text/error-remedy.ts';
import { createButton } from '../controls.ts';
import './main.css';
import * as z from 'zod/mini';
import {
  MAX_SELECTED_ROWS,
  tableProtocol,
  type RowAction,
  type TableRow,
  type TableState,
} from '../../protocol/table.ts';
import { h, getRoot, setText } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { Grid } from '../grid.ts';
import { hasStateColumn, listColumns } from './grid-rows.ts';
import { GridSelection } from './grid-state.ts';
import { TableHeader } from './header.ts';
import { Pictures } from './pictures.ts';
import { Toolbar } from './toolbar.ts';

/** Rows that are requested at once. */
const BLOCK_SIZE = 100;
/** Rows around the rendered ones that are requested with them. */
const AHEAD = 20;
let state: TableState | undefined;
const selection = new GridSelection();
/** the scroll position before the page was hidden, until the rows are loaded again */
let savedScrollTop: number | undefined;
/** requested rows near the visible ones */
const rows = new Map<number, TableRow>();
const requestedBlocks = new Set<number>();

const view = connectToHost(tableProtocol, {
  state(next) {
    if (state?.rowsVersion !== next.rowsVersion) selection.restore(next.selection.row, next.selection.rows);
    if (state === undefined) savedScrollTop = view.getState(storedStateSchema)?.top;
    else if (state.version !== next.version) {
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
      grid.element.scrollTop = savedScrollTop;
      savedScrollTop = undefined;
    }
    saveState();
  },
  list({ list }) {
    if (state !== undefined) state = { ...state, list };
    saveState();
  },
  rows({ from, version, rows: received }) {
    if (version !== state?.version) return;
    received.forEach((row, offset) => rows.set(from + offset, row));
    grid.schedule();
  },
  picture({ picture, dataUri }) {
    pictures.add(picture, dataUri);
    grid.schedule();
  },
});
const pictures = new Pictures((wanted) => view.post('requestPictures', { pictures: wanted }));

const storedStateSchema = z.object({ top: z.number() });
/** Stores the list for the host, and the position in it for this page. */
function saveState(): void {
  if (state !== undefined) view.setState({ of: state.list, top: savedScrollTop ?? grid.element.scrollTop });
}

/** Shows a changed selection, and tells the host, which knows the rows that are not loaded here. */
function showSelection(): void {
  render();
  if (state !== undefined)
    view.post('select', { row: selection.row, rows: getSelectedIndexes(), rowsVersion: state.rowsVersion });
}

const header = new TableHeader({
  post: view.post,
  announce: (text) => setText(announcement, text),
  previewWidths: (columns) => grid.setWidths(listColumns(columns, undefined)),
});
const title = h('h1');
const count = h('span', { role: 'status' });
const announcement = h('div', { class: 'visually-hidden', role: 'status' });
const toolbar = new Toolbar({
  post: view.post,
  act,
  export: () => {
    if (state !== undefined) view.post('export', { indexes: getSelectedIndexes(), rowsVersion: state.rowsVersion });
  },
});
const noticeText = h('span', { role: 'status' });
const remedyButton = createButton({
  class: 'secondary',
  name: 'remedy',
  onClick: () => {
    if (state?.remedy !== undefined) view.post('remedy', { id: state.remedy });
  },
});
const notice = h('div', { class: 'notice' }, noticeText, remedyButton);
const grid = new Grid<TableRow>({
  header: [header.names, header.filters],
  getLine(index) {
    const row = rows.get(index);
    return {
      row,
      isSelected: selection.has(index),
      cursor: index === selection.row ? selection.column : undefined,
      mark: row && getPicture(row),
    };
  },
  getAttributes: ({ tone }) => ({ class: tone }),
  onRange(range) {
    requestRows(range.first, range.last, state?.matching ?? 0);
    const visible = Array.from(
      { length: Math.max(0, Math.min(range.last, range.lastVisible) - range.firstVisible) },
      (_, offset) => rows.get(range.firstVisible + offset)?.picture,
    );
    pictures.want(visible.filter((picture) => picture !== undefined));
  },
  getCursor: () => selection.row,
  onKey,
  onClick(event, row, column = selection.column) {
    selection.column = column;
    if (event.shiftKey) selection.extend(row, MAX_SELECTED_ROWS);
    else if (event.ctrlKey || event.metaKey) selection.toggle(row);
    else selection.select(row);
    grid.element.focus({ preventScroll: true });
    showSelection();
  },
  onDoubleClick: () => act('open'),
});
const empty = h(
  'div',
  { class: 'empty', hidden: true },
  h('p', {}, l10n.t('No loaded row matches the filters.')),
  createButton({ class: 'secondary', name: 'clear', onClick: () => header.clearFilters() }, l10n.t('Clear Filter')),
);
grid.element.setAttribute('aria-multiselectable', 'true');
grid.element.addEventListener('scrollend', saveState);
getRoot().append(
  h('div', { class: 'head' }, title, count, header.chooser),
  toolbar.element,
  notice,
  announcement,
  grid.element,
  empty,
);
// The host sends the first rows right after the first state, not once the page has requested them.
queueMicrotask(() => {
  requestRows(0, BLOCK_SIZE, BLOCK_SIZE);
});

function act(action: RowAction): void {
  const indexes = getSelectedIndexes();
  if (state !== undefined && indexes.length > 0) view.post('act', { action, indexes, rowsVersion: state.rowsVersion });
}

function getSelectedIndexes(): number[] {
  return selection.rows.filter((row) => row < (state?.matching ?? 0)).slice(0, MAX_SELECTED_ROWS);
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
  setText(noticeText, current.notice);
  notice.hidden = current.notice === '';
  empty.hidden = current.loaded === 0 || current.matching > 0;
  remedyButton.hidden = current.remedy === undefined;
  setText(remedyButton, current.remedy === undefined ? '' : formatRemedy(current.remedy));
  grid.element.classList.toggle('stateless', !hasStateColumn(columns));
  grid.setColumns(listColumns(columns, current.hasPictures ? getPicture : undefined));
  header.render(current);
  setText(
    count,
    [formatCounts(current), order, loading && formatLoading(rate)].filter((part) => part !== false).join(' · '),
  );
}

function getPicture({ picture }: TableRow): string | undefined {
  return picture === undefined ? undefined : pictures.get(picture);
}

function render(): void {
  if (state === undefined) return;
  const { matching, hasMore, columns } = state;
  selection.column = Math.max(0, Math.min(selection.column, columns.length - 1));
  toolbar.render(state, getSelectedIndexes().length);
  grid.element.setAttribute('aria-label', state.title);
  grid.setCount(matching, hasMore);
  grid.render();
}

/** Requests the blocks around the rendered rows that are missing, and drops rows that are far away. */
function requestRows(first: number, last: number, matching: number): void {
  for (const block of requestedBlocks) {
    if ((block + 3) * BLOCK_SIZE > first && (block - 2) * BLOCK_SIZE < last) continue;
    requestedBlocks.delete(block);
    for (let index = block * BLOCK_SIZE; index < (block + 1) * BLOCK_SIZE; index++) rows.delete(index);
  }
  const end = Math.min(matching, last + AHEAD);
  for (let block = Math.floor(Math.max(0, first - AHEAD) / BLOCK_SIZE); block * BLOCK_SIZE < end; block++) {
    if (requestedBlocks.has(block)) continue;
    requestedBlocks.add(block);
    const from = block * BLOCK_SIZE;
    view.post('requestRows', { from, count: Math.min(BLOCK_SIZE, matching - from) });
  }
}

function onKey(event: KeyboardEvent, to: number | undefined): boolean {
  if (state === undefined) return false;
  const { row, column } = selection;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (to !== undefined) {
    if (event.shiftKey) selection.extend(to, MAX_SELECTED_ROWS);
    else if (hasModifier) selection.move(to);
    else selection.select(to);
  } else if (event.key === 'ArrowLeft') selection.column = Math.max(0, column - 1);
  else if (event.key === 'ArrowRight') selection.column = Math.min(state.columns.length - 1, column + 1);
  else if (event.key === ' ') selection.toggle(row);
  else if (event.key === 'Enter') act('open');
  else if (event.key === 'a' && hasModifier) {
    selection.select(0);
    selection.extend(state.matching - 1, MAX_SELECTED_ROWS);
  } else if (event.key === 'c' && hasModifier) act('copyCsv');
  else return false;
  grid.reveal(selection.row, selection);
  showSelection();
  return true;
}
