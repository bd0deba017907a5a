/** The action logs in the browser: head, histogram, table, details; or failures in groups; or the history of an object. */
import './main.css';
import * as z from 'zod/mini';
import {
  logsProtocol,
  viewState,
  type Details,
  type History,
  type LogsState,
  type ViewState,
} from '../../protocol-logs.ts';
import { connect, fill, h, root } from '../kit.ts';
import { Chart, legend } from './chart.ts';
import { detailParts, type DetailActions } from './details-view.ts';
import { groupFailures } from './failures.ts';
import { emptyParts, endParts } from './ends.ts';
import { failureParts } from './failures-view.ts';
import { chips, countText, notices, phaseText, tools, type Counts, type HeaderActions } from './header.ts';
import { keepingFocus } from './focus.ts';
import { historyParts } from './history-view.ts';
import { Model } from './model.ts';
import { Table } from './table.ts';

const kept = z.object({ view: z.optional(viewState), top: z.catch(z.number(), 0) });

const model = new Model();
let state: LogsState | undefined;
let details: Details | undefined;
let history: History | undefined;
let frame = 0;
let restoring = true;
let rowsNew = false;
/** id of the entry that is chosen: a person's choice stands before the host has heard of it */
let chosen: string | undefined;
let unheard = false;
/** the keyboard goes there as soon as they are shown */
let goToDetails = false;
let typing: ReturnType<typeof setTimeout> | undefined;

const view = connect(logsProtocol, {
  state(next) {
    const before = state?.view;
    state = next;
    if (before?.text !== next.view.text) takeText(next.view.text);
    if (before !== undefined && JSON.stringify(before.filters) !== JSON.stringify(next.view.filters))
      model.setBrush(undefined);
    if (next.view.selected === chosen) unheard = false;
    else if (!unheard) chosen = next.view.selected;
    keep();
    later();
  },
  rows(change) {
    model.take(change);
    rowsNew = true;
    later();
  },
  details(next) {
    details = next;
    later();
  },
  history(next) {
    history = next;
    later();
  },
  focus({ what }) {
    if (what === 'find') find.focus();
    else if (state?.view.mode === 'logs') table.element.focus();
  },
});
const last = view.getState(kept);
let top = last?.top ?? 0;

const toolbar = h('div', { class: 'toolbar' });
const phase = h('span', { class: 'phase', role: 'status' });
const counts = h('span', { class: 'muted counts' });
const find = h('input', {
  type: 'search',
  placeholder: 'Find in what is loaded',
  'aria-label': 'Find in what is loaded',
  maxlength: 200,
  on: {
    input: () => {
      model.find(find.value);
      rowsNew = true;
      later();
      clearTimeout(typing);
      typing = setTimeout(postText, 300);
    },
    keydown: (event) => {
      if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      table.element.focus();
    },
  },
});
const chipBar = h('div', { class: 'chips', role: 'group', 'aria-label': 'Filters on the server' });
const trouble = h('div', { class: 'trouble' });
const chart = new Chart((brush) => {
  model.setBrush(brush);
  rowsNew = true;
  later();
});
const table = new Table({
  select(one, go) {
    if (one === undefined) closeDetails();
    else choose(one.key, one.id);
    goToDetails = go;
    later();
  },
  copy(one, what) {
    view.post('copy', { key: one.key, what });
  },
  nearEnd() {
    const feed = state?.feed;
    if (
      feed === undefined ||
      feed.older ||
      feed.complete ||
      feed.held >= feed.limit ||
      feed.phase === 'paused' ||
      feed.phase === 'stale'
    )
      return;
    // What is looked for may be rare: older ones are then read at a click alone.
    if (model.needle.empty && model.brush === undefined && state?.view.mode === 'logs') view.post('older', {});
  },
  moved(now) {
    if (restoring || now === top) return;
    top = now;
    clearTimeout(keeping);
    keeping = setTimeout(keep, 300);
  },
});
let keeping: ReturnType<typeof setTimeout> | undefined;
const end = h('p', { class: 'muted end', role: 'status' });
const empty = h('div', { class: 'empty' });
const list = h('div', { class: 'list' }, table.element, empty, end);
const groups = h('main', { class: 'groups', 'aria-label': 'Failures' });
const chain = h('main', { class: 'history', 'aria-label': 'History of an object' });
const side = h('aside', {
  class: 'details',
  'aria-label': 'Details',
  on: {
    keydown: (event) => {
      if (event.key === 'Escape') closeDetails();
    },
  },
});
root().append(
  h(
    'header',
    {},
    toolbar,
    h('div', { class: 'toolbar second' }, chipBar, h('span', { class: 'spring' }), find),
    h('div', { class: 'line' }, phase, counts, legend()),
    trouble,
  ),
  chart.element,
  h('div', { class: 'both' }, list, groups, chain, side),
);
table.mount();
addEventListener('resize', later);
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
    event.preventDefault();
    find.focus();
    find.select();
  }
});

const actions: HeaderActions = {
  filter(filters) {
    view.post('filter', filters);
  },
  addFilter(what) {
    view.post('addFilter', what === undefined ? {} : { what });
    // A preset that asks does not stand as chosen until it is.
    later();
  },
  mode(mode) {
    view.post('mode', { mode });
  },
  pause(paused) {
    view.post('pause', { paused });
  },
  retry() {
    view.post('retry', {});
  },
  unbrush() {
    model.setBrush(undefined);
    rowsNew = true;
    later();
  },
  run(what) {
    if (what !== 'export') view.post(what, {});
    else if (model.needle.empty && model.brush === undefined) view.post('export', {});
    else view.post('export', { keys: model.shown.map(({ key }) => key) });
  },
  command(id, connection) {
    view.post('command', connection === undefined ? { id } : { id, connection });
  },
};

function openIn(kind: string, id: string): void {
  const connection =
    (details === undefined ? undefined : details.key.split('\n')[0]) ?? state?.view.filters.connections[0];
  if (connection !== undefined) view.post('open', { connection, kind, id });
}

const detailActions: DetailActions = {
  close: closeDetails,
  open: openIn,
  outside(index) {
    view.post('outside', { index });
  },
  history(object) {
    const connection = details?.key.split('\n')[0];
    if (connection !== undefined) view.post('history', { connection, object });
  },
  run(what, key) {
    view.post(what, { key });
  },
  copy(key, what) {
    view.post('copy', { key, what });
  },
};

function choose(key: string | undefined, id: string | undefined): void {
  chosen = id;
  unheard = true;
  view.post('select', key === undefined ? {} : { key });
}

function select(key: string): void {
  choose(key, key.slice(key.indexOf('\n') + 1));
}

function closeDetails(): void {
  details = undefined;
  choose(undefined, undefined);
  table.choose(undefined);
  table.element.focus();
  later();
}

function takeText(text: string): void {
  if (document.activeElement === find && find.value !== '') return;
  find.value = text;
  model.find(text);
  rowsNew = true;
}

function postText(): void {
  view.post('text', { text: find.value });
}

function keep(): void {
  if (state !== undefined) view.setState({ view: state.view, top });
}

function later(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(render);
}

let drawnState = '';

function render(): void {
  const now = state;
  if (now === undefined) return;
  const { mode, filters } = now.view;
  document.body.dataset['mode'] = mode;
  const counted: Counts = {
    loaded: model.loaded,
    shown: model.shown.length,
    searching: !model.needle.empty,
    brush: model.brush,
  };
  // A menu that is open must not close because a log came in.
  const { held: _held, reached: _reached, ...feed } = now.feed;
  const about = JSON.stringify([
    now.view,
    now.connections,
    now.organizations,
    { ...feed, dropped: 0 },
    now.tab,
    model.brush,
  ]);
  if (about !== drawnState) {
    drawnState = about;
    keepingFocus(() => {
      fill(toolbar, ...tools(now, actions));
      fill(chipBar, ...chips(now, counted, actions));
      fill(trouble, ...notices(now, actions));
    });
  }
  const phaseNow = mode === 'history' ? '' : phaseText(now);
  if (phase.textContent !== phaseNow) phase.textContent = phaseNow;
  phase.dataset['phase'] = now.feed.phase;
  counts.textContent = mode === 'history' ? '' : countText(now, counted);
  if (rowsNew && mode !== 'history') showRows(filters.connections.length > 1);
  renderList(now);
  renderGroups(mode);
  renderChain(mode);
  renderDetails();
}

function showRows(several: boolean): void {
  rowsNew = false;
  const { shown } = model;
  table.show(shown, model.needle, several);
  chart.show(model.found(), model.brush);
  if (restoring && shown.length > 0) {
    table.scrollTo(top);
    // Rows come in slices: the place is found again with each of them, until a person scrolls.
    if (table.element.scrollTop >= top - 1 || state?.feed.phase !== 'reading') restoring = false;
  }
}

function renderList(now: LogsState): void {
  const none = model.shown.length === 0;
  list.hidden = now.view.mode !== 'logs';
  table.element.hidden = none;
  end.hidden = none;
  empty.hidden = !none;
  const older = (): void => {
    view.post('older', {});
  };
  if (none) fill(empty, ...emptyParts(now, model.loaded, actions, older));
  else
    fill(end, ...endParts(now.feed, now.view.filters.range, !model.needle.empty || model.brush !== undefined, older));
}

function renderGroups(mode: ViewState['mode']): void {
  groups.hidden = mode !== 'failures';
  if (groups.hidden) return;
  keepingFocus(() => {
    fill(
      groups,
      ...failureParts(groupFailures(model.shown.map(({ row }) => row)), model.loaded, {
        select,
        show(group) {
          find.value = ['failed', group.action, group.message]
            .filter((word) => word !== '')
            .map((word) => `"${word.replaceAll('"', '')}"`)
            .join(' ')
            .slice(0, 200);
          model.find(find.value);
          postText();
          rowsNew = true;
          actions.mode('logs');
        },
        report(key) {
          view.post('report', { key });
        },
      }),
    );
  });
}

function renderChain(mode: ViewState['mode']): void {
  chain.hidden = mode !== 'history';
  chart.element.hidden ||= mode === 'history';
  const now = history;
  if (chain.hidden || now === undefined) return;
  keepingFocus(() => {
    fill(
      chain,
      ...historyParts(now, details?.key, {
        select,
        diff(key) {
          view.post('diff', { key });
        },
        open(kind, id) {
          view.post('open', { connection: now.connection, kind, id });
        },
        document(key) {
          view.post('document', { key });
        },
      }),
    );
  });
}

let drawnDetails: Details | undefined;

function renderDetails(): void {
  const shown = chosen !== undefined && details?.key.endsWith(`\n${chosen}`) === true ? details : undefined;
  side.hidden = shown === undefined;
  if (shown !== drawnDetails && shown !== undefined) {
    const { scrollTop } = side;
    const same = drawnDetails?.key === shown.key;
    keepingFocus(() => {
      fill(side, ...detailParts(shown, model.get(shown.key)?.row, detailActions));
    });
    side.scrollTop = same ? scrollTop : 0;
  }
  if (goToDetails && shown !== undefined && shown.key === table.selected) {
    goToDetails = false;
    side.querySelector<HTMLElement>('button')?.focus();
  }
  const reveal = drawnDetails === undefined && shown !== undefined && table.selected === undefined;
  drawnDetails = shown;
  if (shown !== undefined && table.selected !== shown.key) table.choose(shown.key, reveal && top === 0);
}
