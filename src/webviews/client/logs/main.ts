/** The action logs in the browser: head, histogram, table, details; or failures in groups; or the history of an object. */
import './main.css';
import * as z from 'zod/mini';
import { logsProtocol, viewState, type History, type LogsState, type ViewState } from '../../protocol-logs.ts';
import { connect, fill, root } from '../kit.ts';
import { Chart } from './chart.ts';
import { Choice } from './choice.ts';
import type { DetailActions } from './details-view.ts';
import { groupFailures } from './failures.ts';
import { emptyParts, endParts } from './ends.ts';
import { failureParts } from './failures-view.ts';
import { chips, countText, notices, tools, type Counts, type HeaderActions } from './header.ts';
import { keepingFocus } from './focus.ts';
import { historyParts } from './history-view.ts';
import { Model, type Brush } from './model.ts';
import { mayReadOlder, phaseText } from './phase.ts';
import { PlaceKeeper, placeSchema } from './place.ts';
import { buildShell } from './shell.ts';
import { Table } from './table.ts';

const kept = z.object({ view: z.optional(viewState), place: z.optional(placeSchema) });

/** Longer than two frames, shorter than a pause in typing. */
const CHART_LATER_MS = 60;

const model = new Model();
let state: LogsState | undefined;
let history: History | undefined;
let frame = 0;
let charting: ReturnType<typeof setTimeout> | undefined;
let rowsNew = false;
let typing: ReturnType<typeof setTimeout> | undefined;
/** what was typed and the host has not answered yet: its older word does not undo it */
let typed: string | undefined;

const view = connect(logsProtocol, {
  state(next) {
    const before = state?.view;
    state = next;
    if (typed === next.view.text) typed = undefined;
    if (typed === undefined && before?.text !== next.view.text) takeText(next.view.text);
    const filtered = JSON.stringify(before?.filters) !== JSON.stringify(next.view.filters);
    if (filtered || JSON.stringify(before?.brush) !== JSON.stringify(next.view.brush)) {
      model.setBrush(next.view.brush);
      rowsNew = true;
    }
    if (before?.failure !== next.view.failure || before?.mode !== next.view.mode) {
      model.setFailure(next.view.mode === 'logs' ? next.view.failure : undefined);
      rowsNew = true;
    }
    if (filtered) choice.forget();
    choice.heard(next.view.selected, next.view.selectedConnection);
    keep();
    later();
  },
  rows(change) {
    model.take(change);
    // Half of the rows would make the table jump.
    if (change.more) return;
    rowsNew = true;
    later();
  },
  details(next) {
    choice.take(next);
  },
  history(next) {
    history = next;
    later();
  },
  focus({ what }) {
    if (what === 'find') shell.find.focus();
    else if (state?.view.mode === 'logs') table.element.focus();
  },
});
function brush(range: Brush | undefined): void {
  model.setBrush(range);
  view.post('brush', range === undefined ? {} : { brush: range });
  rowsNew = true;
  later();
}
const chart = new Chart(brush);
const table = new Table({
  select(one, go) {
    if (one === undefined) choice.close();
    else choice.choose(one.key, go);
  },
  copy(one, what) {
    view.post('copy', { key: one.key, what });
  },
  nearEnd() {
    if (state === undefined || !mayReadOlder(state.feed)) return;
    // What is looked for may be rare: older ones are then read at a click alone.
    if (!model.narrowed && state.view.mode === 'logs') view.post('older', {});
  },
  moved() {
    if (!keeper.moved()) return;
    clearTimeout(keeping);
    keeping = setTimeout(keep, 300);
  },
});
let keeping: ReturnType<typeof setTimeout> | undefined;
const keeper = new PlaceKeeper(table, view.getState(kept)?.place);
const shell = buildShell(root(), chart.element, table.element, {
  find(text) {
    typed = text;
    model.find(text);
    rowsNew = true;
    later();
    clearTimeout(typing);
    typing = setTimeout(postText, 300);
  },
  leaveFind() {
    table.element.focus();
  },
  closeDetails() {
    choice.close();
  },
});
table.mount();
addEventListener('resize', later);

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
  pin(pinned) {
    view.post('pin', { pinned });
  },
  retry() {
    view.post('retry', {});
  },
  unbrush() {
    brush(undefined);
  },
  failure(group) {
    view.post('failure', group === undefined ? {} : { failure: group });
  },
  run(what) {
    const keys = what === 'export' ? model.keysOf(state?.view.mode) : undefined;
    view.post(what, keys === undefined ? {} : { keys });
  },
  command(id, connection) {
    view.post('command', connection === undefined ? { id } : { id, connection });
  },
};

/** Of the entry that is shown. */
function connectionOf(): string | undefined {
  return choice.details?.key.split('\n')[0] ?? state?.view.filters.connections[0];
}

const detailActions: DetailActions = {
  close() {
    choice.close();
  },
  open(kind, id) {
    const connection = connectionOf();
    if (connection !== undefined) view.post('open', { connection, kind, id });
  },
  outside(index) {
    view.post('outside', { index });
  },
  history(object) {
    const connection = connectionOf();
    if (connection !== undefined) view.post('history', { connection, object });
  },
  run(what, key) {
    view.post(what, { key });
  },
  copy(key, what) {
    view.post('copy', { key, what });
  },
};
const choice = new Choice({
  side: shell.side,
  table,
  model,
  actions: detailActions,
  select(key) {
    view.post('select', key === undefined ? {} : { key });
  },
  later,
});

function takeText(text: string): void {
  shell.find.value = text;
  model.find(text);
  rowsNew = true;
}

function postText(): void {
  typed = shell.find.value;
  view.post('text', { text: typed });
}

function keep(): void {
  if (state !== undefined) view.setState({ view: state.view, place: keeper.place });
}

function later(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(render);
}

let drawnState = '';

function render(): void {
  const now = state;
  if (now === undefined) return;
  const { mode } = now.view;
  document.body.dataset['mode'] = mode;
  const counted: Counts = {
    loaded: model.loaded,
    shown: model.shown.length,
    narrowed: model.narrowed,
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
      fill(shell.toolbar, ...tools(now, actions));
      fill(shell.chips, ...chips(now, counted, actions));
      fill(shell.trouble, ...notices(now, actions));
    });
  }
  const { phase } = shell;
  const phaseNow = mode === 'history' ? '' : phaseText(now.feed);
  if (phase.textContent !== phaseNow) phase.textContent = phaseNow;
  phase.dataset['phase'] = now.feed.stale.length > 0 ? 'stale' : now.feed.phase;
  shell.counts.textContent = mode === 'history' ? '' : countText(now, counted);
  if (rowsNew && mode !== 'history') showRows(now);
  renderList(now);
  renderGroups(mode);
  renderChain(mode);
  choice.draw(keeper.place === undefined);
}

function showRows({ view: { filters }, feed }: LogsState): void {
  rowsNew = false;
  const { shown } = model;
  table.show(shown, model.needle, filters.connections.length > 1);
  clearTimeout(charting);
  // The rows first: the bars over them come a moment later, where they do not move the table.
  if (chart.element.hidden) showChart();
  else charting = setTimeout(showChart, CHART_LATER_MS);
  if (shown.length > 0) keeper.restore(feed.phase === 'reading', feed.complete || feed.held >= feed.limit);
}

function showChart(): void {
  if (state?.view.mode !== 'history') chart.show(model.found, model.brush);
}

function renderList(now: LogsState): void {
  const { list, empty, end } = shell;
  const none = model.shown.length === 0;
  list.hidden = now.view.mode !== 'logs';
  table.element.hidden = none;
  end.hidden = none;
  empty.hidden = !none;
  const older = (): void => {
    view.post('older', {});
  };
  if (none) fill(empty, ...emptyParts(now, model.loaded, actions, older));
  else fill(end, ...endParts(now.feed, now.view.filters.range, model.narrowed, older));
}

function renderGroups(mode: ViewState['mode']): void {
  const { groups } = shell;
  groups.hidden = mode !== 'failures';
  if (groups.hidden) return;
  keepingFocus(() => {
    fill(
      groups,
      ...failureParts(groupFailures(model.shown.map(({ row }) => row)), model.loaded, {
        select(key) {
          choice.choose(key);
        },
        show(group) {
          actions.failure(group.key);
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
  const { chain } = shell;
  chain.hidden = mode !== 'history';
  chart.element.hidden ||= mode === 'history';
  const now = history;
  if (chain.hidden || now === undefined) return;
  keepingFocus(() => {
    fill(
      chain,
      ...historyParts(now, choice.details?.key, {
        select(key) {
          choice.choose(key);
        },
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
