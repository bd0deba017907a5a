/** A batch in the browser: one line a row of its data, only those in view. */
import '../display-language.ts';
import './main.css';
import * as l10n from '@vscode/l10n';
import { bulkProtocol, type BulkRow, type BulkState, type DryRun, type Phase } from '../../protocol/bulk.ts';
import { createToolButton } from '../controls.ts';
import { getRoot, h, replaceChildren, setText } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { renderSections } from '../preview-text.ts';
import { findCell, formatCellId, ROW_HEIGHT, VirtualRows } from '../virtual-rows.ts';
import { listColumns, renderBulkRow, type BulkColumn } from './rows.ts';
import { BulkToolbar } from './toolbar.ts';

/** rows rendered before and after the visible ones */
const OVERSCAN = 20;
/** Milliseconds between two announcements of the progress. */
const ANNOUNCEMENT_INTERVAL = 10_000;
/** Pixels between columns, and before the first. */
const COLUMN_GAP = 12;

let state: BulkState | undefined;
let columns: readonly BulkColumn[] = [];
let columnsKey = '';
/** the rows around the visible ones, by position */
const rows = new Map<number, BulkRow>();
let requested = '';
let announced: { readonly phase?: Phase; readonly at: number } = { at: 0 };
const cursor = { position: 0, column: 0 };

const view = connectToHost(bulkProtocol, {
  state(next) {
    if (state?.version !== next.version) {
      // Known rows stay until their replacements arrive: nothing flickers while the filter is applied again.
      if (state?.filter !== next.filter) {
        rows.clear();
        cursor.position = grid.scrollTop = 0;
      }
      requested = '';
    }
    const key = JSON.stringify([next.columns, hasResults(next)]);
    if (key !== columnsKey) {
      columnsKey = key;
      columns = listColumns(next.columns, hasResults(next));
      renderHeader();
    }
    state = next;
    cursor.position = Math.max(0, Math.min(cursor.position, next.matching - 1));
    view.setState({ batch: next.batch });
    renderHead(next);
    render();
  },
  rows({ version, rows: received }) {
    if (version !== state?.version) return;
    for (const { position, row } of received) rows.set(position, row);
    scheduleRender();
  },
  dryRun: showDryRun,
});

const title = h('h1');
const summary = h('p', { class: 'summary' });
const progress = h('progress', { 'aria-label': l10n.t('Rows with a result') });
const status = h('span', { class: 'muted' });
const announcement = h('div', { class: 'visually-hidden', role: 'status' });
const notice = h('div', { class: 'notice', role: 'status' });
const toolbar = new BulkToolbar({
  run: post('run'),
  reload: post('reload'),
  pause: post('pause'),
  continue: post('continue'),
  stop: post('stop'),
  runFailed: post('runFailed'),
  export: post('export'),
  dryRun: requestDryRun,
  settle: () => {
    view.post('settle', {});
  },
  settleRow: () => {
    const number = rows.get(cursor.position)?.number;
    if (number !== undefined) view.post('settle', { number });
  },
  filter(filter) {
    view.post('filter', { filter });
  },
  setPace(pace) {
    view.post('setPace', pace);
  },
});
const header = h('div', { class: 'line names', role: 'row', 'aria-rowindex': 1 });
const bulkRows = new VirtualRows(renderBulkRow);
const grid = h(
  'div',
  { class: 'grid', role: 'grid', tabindex: 0, on: { scroll: scheduleRender, keydown: onKeydown } },
  h('div', { class: 'header', role: 'rowgroup' }, header),
  bulkRows.element,
);
const details = h('section', { class: 'details', 'aria-label': l10n.t('Row preview'), tabindex: -1, hidden: true });
getRoot().append(
  h('div', { class: 'head' }, title, summary, h('div', { class: 'progress' }, progress, status)),
  toolbar.element,
  notice,
  announcement,
  h('div', { class: 'content' }, grid, details),
);
new ResizeObserver(scheduleRender).observe(grid);
details.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeDryRun();
});

let frame = 0;
function scheduleRender(): void {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    render();
  });
}

function post(type: 'run' | 'reload' | 'pause' | 'continue' | 'stop' | 'runFailed' | 'export') {
  return (): void => {
    view.post(type, {});
  };
}

function requestDryRun(): void {
  const number = rows.get(cursor.position)?.number;
  if (number !== undefined) view.post('dryRun', { number });
}

function hasResults({ counts }: BulkState): boolean {
  return counts.notSent < counts.all;
}

function renderHeader(): void {
  const widths = columns.map(({ width, grows }) => (grows === true ? `minmax(${width}, 1fr)` : width));
  grid.style.setProperty('--columns', widths.join(' '));
  const gaps = `${String(COLUMN_GAP * (columns.length + 1))}px`;
  grid.style.setProperty('--row-width', `calc(${[gaps, ...columns.map(({ width }) => width)].join(' + ')})`);
  grid.setAttribute('aria-colcount', String(columns.length));
  replaceChildren(
    header,
    ...columns.map(({ label }, column) =>
      h('span', { role: 'columnheader', 'aria-colindex': column + 1, title: label }, label),
    ),
  );
}

/** Announces each phase, and the progress now and then: each new text of a status is read out. */
function announce({ phase, progress: text }: BulkState): void {
  const now = performance.now();
  if (phase === announced.phase && now - announced.at < ANNOUNCEMENT_INTERVAL) return;
  announced = { phase, at: now };
  setText(announcement, text);
}

/** Renders everything above the rows; not on scrolling. */
function renderHead(current: BulkState): void {
  const { counts, phase } = current;
  setText(title, current.title);
  setText(summary, current.summary);
  setText(status, current.progress);
  announce(current);
  setText(notice, current.notice.text);
  notice.hidden = current.notice.text === '';
  notice.dataset['tone'] = current.notice.tone;
  const total = counts.all;
  const waiting = counts.notSent + counts.sending + counts.accepted;
  progress.max = Math.max(1, total);
  progress.value = total - waiting;
  progress.hidden = phase === 'checking' || phase === 'ready';
}

function render(): void {
  if (state === undefined) return;
  const { matching, version } = state;
  cursor.column = Math.max(0, Math.min(cursor.column, columns.length - 1));
  grid.setAttribute('aria-label', state.title);
  grid.setAttribute('aria-rowcount', String(matching + 1));
  grid.setAttribute('aria-activedescendant', formatCellId(cursor.position, cursor.column));
  bulkRows.element.style.height = `${String(matching * ROW_HEIGHT)}px`;
  const first = Math.max(0, Math.floor(grid.scrollTop / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(matching, Math.ceil((grid.scrollTop + grid.clientHeight) / ROW_HEIGHT) + OVERSCAN);
  for (const position of rows.keys()) if (position < first || position >= last) rows.delete(position);
  const request = `${String(version)} ${String(first)} ${String(last)}`;
  if (request !== requested) {
    requested = request;
    view.post('showRows', { from: first, count: Math.max(0, last - first), version });
  }
  bulkRows.render(first, last, (position) => ({
    row: rows.get(position),
    columns,
    cursor: position === cursor.position ? cursor.column : undefined,
  }));
  toolbar.render(state, rows.get(cursor.position));
}

function openLink(): void {
  const link = columns[cursor.column]?.link;
  const row = rows.get(cursor.position);
  if (link !== undefined && row !== undefined) view.post('openLink', { number: row.number, link });
}

bulkRows.element.addEventListener('click', (event) => {
  const cell = findCell(event.target);
  if (cell === undefined) return;
  cursor.position = cell.row;
  cursor.column = cell.column;
  grid.focus({ preventScroll: true });
  render();
  if (event.target instanceof Element && event.target.closest('.link') !== null) openLink();
});
bulkRows.element.addEventListener('dblclick', requestDryRun);

function onKeydown(event: KeyboardEvent): void {
  if (state === undefined || state.matching === 0) return;
  const page = Math.max(1, Math.floor((grid.clientHeight - header.offsetHeight) / ROW_HEIGHT) - 1);
  const last = state.matching - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: cursor.position + 1,
    ArrowUp: cursor.position - 1,
    PageDown: cursor.position + page,
    PageUp: cursor.position - page,
    Home: 0,
    End: last,
  };
  const target = moves[event.key];
  if (target !== undefined) cursor.position = Math.max(0, Math.min(last, target));
  else if (event.key === 'ArrowLeft') cursor.column = Math.max(0, cursor.column - 1);
  else if (event.key === 'ArrowRight') cursor.column = Math.min(columns.length - 1, cursor.column + 1);
  else if (event.key === 'Enter' && columns[cursor.column]?.link !== undefined) openLink();
  else if (event.key === 'Enter') requestDryRun();
  else return;
  event.preventDefault();
  scrollToCursor();
  render();
}

/** The header covers the top of the visible part. */
function scrollToCursor(): void {
  const top = cursor.position * ROW_HEIGHT;
  const visible = grid.clientHeight - header.offsetHeight;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW_HEIGHT > grid.scrollTop + visible) grid.scrollTop = top + ROW_HEIGHT - visible;
  document
    .getElementById(formatCellId(cursor.position, cursor.column))
    ?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

function showDryRun({ title: heading, text }: DryRun): void {
  replaceChildren(
    details,
    h(
      'div',
      { class: 'details-head' },
      h('h2', {}, heading),
      createToolButton({ label: l10n.t('Close'), onClick: closeDryRun }),
    ),
    ...renderSections(text),
  );
  details.hidden = false;
  details.focus();
}

function closeDryRun(): void {
  details.hidden = true;
  grid.focus();
}
