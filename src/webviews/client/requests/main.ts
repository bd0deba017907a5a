/** The requests of a connection in the browser: a grid with a waterfall, and the details of one request. */
import '../display-language.ts';
import './main.css';
import * as l10n from '@vscode/l10n';
import clearAll from '@vscode/codicons/src/icons/clear-all.svg';
import exporting from '@vscode/codicons/src/icons/export.svg';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import { requestsProtocol, type RequestDetails, type RequestRow } from '../../protocol/requests.ts';
import { createSelect, createToolButton } from '../controls.ts';
import { getRoot, h, replaceChildren, setText, update } from '../dom.ts';
import { Grid } from '../grid.ts';
import { connectToHost } from '../host-connection.ts';
import { formatOutcome, isFailed, listColumns } from './columns.ts';
import { renderDetails } from './details.ts';
import { placeBars } from './waterfall.ts';

let connection = '';
let rows: readonly RequestRow[] = [];
let shown: readonly RequestRow[] = [];
let bars = placeBars([]);
let cursor = 0;
/** the request whose details are shown */
let selected: number | undefined;
let details: RequestDetails | undefined;
/** the next request is the one that was repeated */
let isRepeating = false;

const view = connectToHost(requestsProtocol, {
  state(next) {
    if (next.connection !== connection) closeDetails(false);
    connection = next.connection;
    const choices = next.connections.map((value) => ({ value, label: value }));
    const onSelect = (value: string): void => view.post('choose', { connection: value });
    update(chooser, [choices, connection], () => [
      createSelect({ label: l10n.t('Connection'), choices, value: connection, onSelect }),
    ]);
    setRows(next.rows);
  },
  added({ first, rows: added }) {
    setRows([...rows.filter(({ id }) => id >= first), ...added]);
    const newest = shown.at(-1);
    if (!isRepeating || newest === undefined || added.length === 0) return;
    isRepeating = false;
    select(shown.length - 1, true);
  },
  details(next) {
    if (next.id !== selected) return;
    details = next;
    renderSide();
  },
});

const chooser = h('span');
const filter = h('input', {
  type: 'search',
  placeholder: l10n.t('Filter'),
  title: l10n.t('Filter by address, method, status or error'),
  'aria-label': l10n.t('Filter by address, method, status or error'),
  on: {
    input: () => {
      applyFilter();
      setText(announcement, count.textContent);
    },
  },
});
const count = h('span', { class: 'count muted' });
// New requests are not announced: they arrive all the time.
const announcement = h('div', { class: 'visually-hidden', role: 'status' });
const empty = h('p', { class: 'empty muted' });
const grid = new Grid<RequestRow>({
  getLine: (index) => {
    const row = shown[index];
    const bar = row && bars.get(row.id);
    return {
      row,
      key: row && String(row.id),
      isSelected: index === cursor,
      mark: bar === undefined ? '' : JSON.stringify(bar),
    };
  },
  getAttributes: (row) => ({
    class: [isFailed(row) ? 'failed' : '', bars.get(row.id)?.isFirst === true ? 'first' : ''].join(' '),
  }),
  onRange: () => undefined,
  getCursor: () => cursor,
  onKey({ key }, to) {
    if (to !== undefined) select(to, selected !== undefined);
    else if (key === 'Enter') {
      select(cursor, true);
      side.focus();
    } else if (key === 'Escape' && selected !== undefined) closeDetails(true);
    else return false;
    return true;
  },
  onClick(_event, index) {
    select(index, true);
    grid.element.focus({ preventScroll: true });
  },
  onDoubleClick: () => side.focus(),
});
grid.setColumns(listColumns((row) => bars.get(row.id)));
const side = h('section', { class: 'details', 'aria-label': l10n.t('Request'), tabindex: -1, hidden: true });
side.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeDetails(true);
});
getRoot().append(
  h('h1', { class: 'visually-hidden' }, l10n.t('Requests')),
  h(
    'div',
    { class: 'toolbar' },
    chooser,
    filter,
    count,
    h('span', { class: 'spring' }),
    createToolButton({
      icon: exporting,
      label: l10n.t('Export as HAR…'),
      onClick: () => view.post('export', { ids: shown.map(({ id }) => id) }),
    }),
    createToolButton({ icon: clearAll, label: l10n.t('Clear'), onClick: () => view.post('clear', {}) }),
  ),
  announcement,
  empty,
  h('div', { class: 'content' }, grid.element, side),
);

function setRows(next: readonly RequestRow[]): void {
  rows = next;
  bars = placeBars(rows);
  if (selected !== undefined && !rows.some(({ id }) => id === selected)) closeDetails(false);
  applyFilter();
}

/** Shows the requests that contain each word; keeps the end in view if it was. */
function applyFilter(): void {
  const { scrollTop, scrollHeight, clientHeight } = grid.element;
  const isAtEnd = scrollTop + clientHeight >= scrollHeight - grid.rowHeight;
  const current = shown[cursor]?.id;
  const words = filter.value.toLowerCase().split(/\s+/);
  shown = rows.filter((row) => {
    const { operation, path, error = '', requestId = '' } = row;
    const text = `${operation} ${path} ${formatOutcome(row)} ${error} ${requestId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const index = shown.findIndex(({ id }) => id === current);
  const last = shown.length - 1;
  cursor = index === -1 ? Math.max(0, current === undefined ? last : Math.min(cursor, last)) : index;
  render();
  if (isAtEnd && selected === undefined && shown.length > 0) grid.reveal(shown.length - 1);
}

function render(): void {
  grid.element.setAttribute('aria-label', l10n.t('Requests of {0}', connection));
  grid.setCount(shown.length);
  grid.render();
  setText(
    count,
    shown.length === rows.length
      ? pluralize(rows.length, l10n.t('{0} request|{0} requests'))
      : pluralize(rows.length, l10n.t('{1} of {0} request|{1} of {0} requests'), formatNumber(shown.length)),
  );
  empty.hidden = shown.length > 0;
  setText(
    empty,
    rows.length > 0
      ? l10n.t('No request matches the filter.')
      : l10n.t(
          'No requests yet. They are recorded since this view was first opened, the last 1,000 of each connection, and only in memory: reloading the window clears them.',
        ),
  );
}

function select(index: number, showsDetails: boolean): void {
  cursor = index;
  grid.reveal(index);
  const id = shown[index]?.id;
  if (showsDetails && id !== undefined && id !== selected) {
    selected = id;
    view.post('select', { id });
  }
  render();
}

function closeDetails(focusesGrid: boolean): void {
  selected = undefined;
  details = undefined;
  side.hidden = true;
  if (focusesGrid) grid.element.focus();
}

function renderSide(): void {
  const row = rows.find(({ id }) => id === selected);
  if (details === undefined || row === undefined) return;
  const { id } = row;
  side.hidden = false;
  side.scrollTop = 0;
  replaceChildren(
    side,
    ...renderDetails(row, details, {
      post: view.post,
      repeat: () => {
        isRepeating = true;
        view.post('repeat', { id });
      },
      close: () => closeDetails(true),
    }),
  );
  grid.reveal(cursor);
}
