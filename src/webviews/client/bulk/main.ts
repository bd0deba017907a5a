/** A batch in the browser: one line a row of its data, only those in view. */
import '../display-language.ts';
import './main.css';
import * as l10n from '@vscode/l10n';
import { bulkProtocol, type BulkRow, type BulkState, type DryRun, type Phase } from '../../protocol/bulk.ts';
import { createToolButton } from '../controls.ts';
import { getRoot, h, replaceChildren, setText } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { renderSections } from '../preview-text.ts';
import { Grid } from '../grid.ts';
import { listColumns, type BulkColumn } from './rows.ts';
import { BulkToolbar } from './toolbar.ts';

/** Milliseconds between two announcements of the progress. */
const ANNOUNCEMENT_INTERVAL = 10_000;
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
        cursor.position = grid.element.scrollTop = 0;
      }
      requested = '';
    }
    renderColumns(next);
    state = next;
    cursor.position = Math.max(0, Math.min(cursor.position, next.matching - 1));
    view.setState({ batch: next.batch });
    renderHead(next);
    render();
  },
  rows({ version, rows: received }) {
    if (version !== state?.version) return;
    for (const { position, row } of received) rows.set(position, row);
    grid.schedule();
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
  post: view.post,
  dryRun: requestDryRun,
  settleRow: () => {
    const number = rows.get(cursor.position)?.number;
    if (number !== undefined) view.post('settle', { number });
  },
});
const grid = new Grid<BulkRow>({
  getLine: (position) => ({
    row: rows.get(position),
    isSelected: position === cursor.position,
    cursor: position === cursor.position ? cursor.column : undefined,
  }),
  getAttributes: (row) => ({ class: [row.state, row.severity].filter((name) => name !== undefined).join(' ') }),
  onRange: requestRows,
  getCursor: () => cursor.position,
  onKey,
  onClick(event, position, column = cursor.column) {
    cursor.position = position;
    cursor.column = column;
    grid.element.focus({ preventScroll: true });
    render();
    if (event.target instanceof Element && event.target.closest('.link') !== null) openLink();
  },
  onDoubleClick: requestDryRun,
});
const details = h('section', { class: 'details', 'aria-label': l10n.t('Row preview'), tabindex: -1, hidden: true });
getRoot().append(
  h('div', { class: 'head' }, title, summary, h('div', { class: 'progress' }, progress, status)),
  toolbar.element,
  notice,
  announcement,
  h('div', { class: 'content' }, grid.element, details),
);
details.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeDryRun();
});

function requestDryRun(): void {
  const number = rows.get(cursor.position)?.number;
  if (number !== undefined) view.post('dryRun', { number });
}

function hasResults({ counts }: BulkState): boolean {
  return counts.notSent < counts.all;
}

/** Renders the header if it changed. */
function renderColumns(next: BulkState): void {
  const { columns: dataColumns, canChangeTypes } = next;
  const key = JSON.stringify([dataColumns, canChangeTypes, hasResults(next)]);
  if (key === columnsKey) return;
  columnsKey = key;
  columns = listColumns(dataColumns, {
    hasResults: hasResults(next),
    canChangeTypes,
    setType: (column, type) => view.post('setType', { column, type }),
  });
  grid.setColumns(columns);
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
  cursor.column = Math.max(0, Math.min(cursor.column, columns.length - 1));
  grid.element.setAttribute('aria-label', state.title);
  grid.setCount(state.matching);
  grid.render();
}

/** Requests the rendered rows, and drops the others. */
function requestRows({ first, last }: { readonly first: number; readonly last: number }): void {
  if (state === undefined) return;
  const { version } = state;
  for (const position of rows.keys()) if (position < first || position >= last) rows.delete(position);
  const request = `${String(version)} ${String(first)} ${String(last)}`;
  if (request !== requested) {
    requested = request;
    view.post('showRows', { from: first, count: Math.max(0, last - first), version });
  }
  toolbar.render(state, rows.get(cursor.position));
}

function openLink(): void {
  const link = columns[cursor.column]?.link;
  const row = rows.get(cursor.position);
  if (link !== undefined && row !== undefined) view.post('openLink', { number: row.number, link });
}

function onKey({ key }: KeyboardEvent, to: number | undefined): boolean {
  if (to !== undefined) cursor.position = to;
  else if (key === 'ArrowLeft') cursor.column = Math.max(0, cursor.column - 1);
  else if (key === 'ArrowRight') cursor.column = Math.min(columns.length - 1, cursor.column + 1);
  else if (key === 'Enter' && columns[cursor.column]?.link !== undefined) openLink();
  else if (key === 'Enter') requestDryRun();
  else return false;
  grid.reveal(cursor.position, cursor);
  render();
  return true;
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
  grid.element.focus();
}
