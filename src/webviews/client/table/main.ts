/** A list as a table in the browser: only the rows in view are drawn, and only they are asked for. */
import './main.css';
import * as z from 'zod/mini';
import { MOST_WANTED, tableProtocol, type TableRow, type TableState } from '../../protocol-table.ts';
import { toolButton } from '../controls.ts';
import { connect, fill, h, root } from '../kit.ts';

const HEIGHT = 24;
/** rows drawn before and after those in view */
const SPARE = 20;

let state: TableState | undefined;
let selected = 0;
/** where it was scrolled to before it was hidden; until the rows are there again */
let top: number | undefined;
/** rows that were asked for and are near the view; all others are forgotten */
const rows = new Map<number, TableRow>();
const asked = new Set<number>();

const view = connect(tableProtocol, {
  state(next) {
    if (state === undefined) {
      const before = view.getState(place);
      selected = before?.selected ?? 0;
      top = before?.top;
    }
    if (state?.version !== next.version) {
      rows.clear();
      asked.clear();
    }
    state = next;
    selected = Math.max(0, Math.min(selected, next.loaded - 1));
    drawHead(next);
    draw();
    if (top !== undefined && next.loaded > 0) {
      grid.scrollTop = top;
      top = undefined;
    }
    keep();
  },
  rows({ from, version, rows: come }) {
    if (version !== state?.version) return;
    come.forEach((row, at) => rows.set(from + at, row));
    draw();
  },
});

const place = z.object({ selected: z.int(), top: z.number() });
/** After a reload, or when it was hidden: the host gets back which list it is, the page where it was. */
function keep(): void {
  if (state !== undefined) view.setState({ of: state.of, selected, top: top ?? grid.scrollTop });
}

const title = h('h1');
const tools = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Table' });
const notice = h('div', { class: 'notice', role: 'status' });
const names = h('div', { class: 'line names', role: 'row' });
const body = h('div', { role: 'rowgroup' });
const grid = h(
  'div',
  { class: 'grid', role: 'grid', tabindex: 0, on: { scroll: later, scrollend: keep, keydown: key } },
  names,
  body,
);
root().append(h('div', { class: 'head' }, title, tools), notice, grid);
new ResizeObserver(later).observe(grid);

let frame = 0;
function later(): void {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

const ask = (what: 'refresh' | 'more' | 'all') => (): void => {
  view.post(what, {});
};

/** What stands above the rows; drawn when the state changes, so that scrolling leaves its buttons alone. */
function drawHead({ loaded, more, busy, columns, title: words, notice: told }: TableState): void {
  fill(title, words);
  fill(notice, told);
  grid.classList.toggle('stateless', columns[0] === '');
  fill(names, ...columns.map((name) => h('span', { role: 'columnheader' }, name)));
  const count = `${loaded.toLocaleString('en-US')} ${more ? 'so far' : loaded === 1 ? 'row' : 'rows'}`;
  fill(
    tools,
    h('span', { role: 'status' }, busy ? `Loading… ${count}` : count),
    toolButton({ label: 'Refresh', disabled: busy, run: ask('refresh') }),
    more && toolButton({ label: 'Load More', disabled: busy, run: ask('more') }),
    more && toolButton({ label: 'Load All', disabled: busy, run: ask('all') }),
  );
}

function draw(): void {
  if (state === undefined) return;
  const { loaded, more } = state;
  grid.setAttribute('aria-label', state.title);
  grid.setAttribute('aria-rowcount', String(more ? -1 : loaded + 1));
  grid.setAttribute('aria-activedescendant', `row-${String(selected)}`);
  body.style.height = `${String(loaded * HEIGHT)}px`;
  body.style.position = 'relative';
  const first = Math.max(0, Math.floor(grid.scrollTop / HEIGHT) - SPARE);
  const last = Math.min(loaded, Math.ceil((grid.scrollTop + grid.clientHeight) / HEIGHT) + SPARE);
  want(first, last);
  const drawn: HTMLElement[] = [];
  for (let index = first; index < last; index++) drawn.push(line(index));
  fill(body, ...drawn);
}

function want(first: number, last: number): void {
  for (const index of rows.keys()) {
    if (index >= first - MOST_WANTED && index < last + MOST_WANTED) continue;
    rows.delete(index);
    asked.delete(index);
  }
  let from = first;
  while (from < last && asked.has(from)) from++;
  if (from >= last) return;
  const count = Math.min(last - from, MOST_WANTED);
  for (let index = from; index < from + count; index++) asked.add(index);
  view.post('want', { from, count });
}

function line(index: number): HTMLElement {
  const row = rows.get(index);
  const element = h(
    'div',
    {
      class: `line item ${row?.tone ?? 'none'}`,
      id: `row-${String(index)}`,
      role: 'row',
      'aria-rowindex': index + 2,
      'aria-selected': String(index === selected),
      style: { top: `${String(index * HEIGHT)}px` },
      on: {
        click: () => {
          selected = index;
          open();
        },
      },
    },
    ...(row?.cells ?? ['…']).map((text, at) =>
      h('span', { role: 'gridcell', title: text, class: at === 0 ? 'state' : undefined }, text),
    ),
  );
  return element;
}

function open(): void {
  draw();
  keep();
  view.post('open', { index: selected });
}

function key(event: KeyboardEvent): void {
  if (state === undefined || state.loaded === 0) return;
  const page = Math.max(1, Math.floor(grid.clientHeight / HEIGHT) - 2);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: selected + 1,
    ArrowUp: selected - 1,
    PageDown: selected + page,
    PageUp: selected - page,
    Home: 0,
    End: state.loaded - 1,
  };
  if (event.key === 'Enter') open();
  const to = moves[event.key];
  if (to === undefined) return;
  event.preventDefault();
  selected = Math.max(0, Math.min(state.loaded - 1, to));
  const top = selected * HEIGHT;
  // The names stay on top of what scrolls below them.
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + 2 * HEIGHT > grid.scrollTop + grid.clientHeight) grid.scrollTop = top + 2 * HEIGHT - grid.clientHeight;
  draw();
  keep();
}
