/** Entry point of the action log webview: renders the logs, or the failures in groups. */
import '../display-language.ts';
import './main.css';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { logsProtocol, viewStateSchema, type LogsState, type ShownTemplate } from '../../protocol/logs.ts';
import { getFocusedElement, replaceControls, setText, update } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { Chart } from './header/chart.ts';
import { Legend, renderFacets } from './header/facets.ts';
import { DetailsPane } from './pages/details-pane.ts';
import { groupFailures } from '../../protocol/failure-groups.ts';
import { renderEmptyState, renderEnd } from './table/empty-state.ts';
import { renderFailures } from './pages/failures.ts';
import { formatCounts, formatSummary, renderNotices, renderTools } from './header/header.ts';
import { renderChips } from './header/chips.ts';
import type { HeaderActions, RowCounts } from './header/header-actions.ts';
import { PendingText } from './table/pending-text.ts';
import { RovingFocus } from '../roving-focus.ts';
import { RowsModel, type Brush } from './table/rows-model.ts';
import { canReadOlder, formatPhase } from './header/feed-status.ts';
import { ScrollPosition, scrollPositionSchema } from './table/scroll-position.ts';
import * as layout from './layout.ts';
import { toggleFacetTerm, type Facet } from './table/search.ts';
import { Table } from './table/table.ts';

const savedState = z.object({ view: z.optional(viewStateSchema), place: z.optional(scrollPositionSchema) });

/** Longer than two frames, shorter than a pause in typing. */
const CHART_DELAY_MS = 60;
/** Pixels. A panel of the default height has room for few rows. */
const PANEL_ROW_HEIGHT = 19;
const TAB_ROW_HEIGHT = 24;

const model = new RowsModel();
let state: LogsState | undefined;
let frame = 0;
let chartTimer: ReturnType<typeof setTimeout> | undefined;
let rowsChanged = false;
let requestedNames = '';
let typingTimer: ReturnType<typeof setTimeout> | undefined;
const pendingText = new PendingText();

const view = connectToHost(logsProtocol, {
  state(next) {
    const before = state?.view;
    // The chart is drawn for its width.
    if (state?.expanded !== next.expanded) rowsChanged = true;
    state = next;
    if (pendingText.accepts(next.view.text) && before?.text !== next.view.text) setFindText(next.view.text);
    const filtered = JSON.stringify(before?.filters) !== JSON.stringify(next.view.filters);
    if (filtered || JSON.stringify(before?.brush) !== JSON.stringify(next.view.brush)) {
      model.setBrush(next.view.brush);
      rowsChanged = true;
    }
    if (before?.failure !== next.view.failure || before?.mode !== next.view.mode) {
      model.setFailure(next.view.mode === 'logs' ? next.view.failure : undefined);
      rowsChanged = true;
    }
    if (filtered) detailsPane.clearDetails();
    detailsPane.setSelected(next.view.selected, next.view.selectedConnection);
    saveState();
    scheduleRender();
  },
  rows(change) {
    model.update(change);
    // Rendering a part of the rows would make the table jump.
    if (change.more) return;
    rowsChanged = true;
    scheduleRender();
  },
  details: (next) => detailsPane.setDetails(next),
  focus({ what }) {
    // What was hidden cannot take the focus before it is rendered.
    render();
    if (what === 'find') focusFind();
    else if (state?.view.mode === 'logs') table.element.focus();
  },
  requestExport: () => actions.export(),
});
function setBrush(range: Brush | undefined): void {
  model.setBrush(range);
  if (state !== undefined)
    setText(
      layout.announcement,
      range === undefined ? l10n.t('The time range was reset.') : formatCounts(state, getCounts()),
    );
  view.post('brush', range === undefined ? {} : { brush: range });
  rowsChanged = true;
  scheduleRender();
}
const chart = new Chart(setBrush);
function toggleFacet(facet: Facet, value: string, excluded?: boolean): void {
  layout.find.value = toggleFacetTerm(layout.find.value, facet, value, excluded);
  search(layout.find.value);
  postText();
}
const legend = new Legend(toggleFacet, () => model.search);
const table = new Table({
  select(row, focusDetails) {
    if (row === undefined) detailsPane.close();
    else detailsPane.select(row.key, focusDetails);
  },
  copy: (row, what) => view.post('copy', { key: row.key, what }),
  nearEnd() {
    if (state === undefined || !canReadOlder(state.feed)) return;
    // Matches may be rare, so a search reads older entries only on request.
    if (!model.filtered && state.view.mode === 'logs') view.post('loadOlder', {});
  },
  scrolled() {
    if (!scrollPosition.update()) return;
    clearTimeout(saveTimer);
    saveTimer = setTimeout(saveState, 300);
  },
});
let saveTimer: ReturnType<typeof setTimeout> | undefined;
const scrollPosition = new ScrollPosition(table, view.getState(savedState)?.place);
layout.show([chart.element, legend.element], table.element);
layout.find.addEventListener('input', () => {
  search(layout.find.value);
  typingTimer = setTimeout(postText, 300);
});
layout.find.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  table.element.focus();
});
layout.details.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') detailsPane.close();
});
addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
  event.preventDefault();
  // The search may be folded away.
  if (state?.expanded === false) view.post('find', {});
  else focusFind();
});
const failuresFocus = new RovingFocus(layout.failures);
const facetsFocus = new RovingFocus(layout.facets, 'li');
addEventListener('resize', scheduleRender);

const actions: HeaderActions = {
  post: view.post,
  addFilter(what) {
    view.post('addFilter', what === undefined ? {} : { what });
    // Resets the select until the user has answered.
    scheduleRender();
  },
  unbrush: () => setBrush(undefined),
  export() {
    const keys = model.getExportKeys(state?.view.mode);
    view.post('export', keys === undefined ? {} : { keys });
  },
};

const detailsPane: DetailsPane = new DetailsPane({
  side: layout.details,
  table,
  model,
  post: view.post,
  scheduleRender,
});

function search(text: string): void {
  pendingText.type(text);
  model.setSearch(text);
  rowsChanged = true;
  scheduleRender();
  clearTimeout(typingTimer);
}

function setFindText(text: string): void {
  layout.find.value = text;
  model.setSearch(text);
  rowsChanged = true;
}

function focusFind(): void {
  layout.find.focus();
  layout.find.select();
}

function postText(): void {
  const text = layout.find.value;
  pendingText.post(text);
  view.post('text', { text });
  if (state !== undefined) setText(layout.announcement, formatCounts(state, getCounts()));
}

function saveState(): void {
  if (state !== undefined) view.setState({ view: state.view, place: scrollPosition.place });
}

function scheduleRender(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(render);
}

function getCounts(): RowCounts {
  const { loaded, visibleRows, filtered, brush } = model;
  return { loaded, visible: visibleRows.length, filtered, brush };
}

let renderedFailures = '';
let postedSummary: string | undefined;

function render(): void {
  const now = state;
  if (now === undefined) return;
  const { mode } = now.view;
  document.body.dataset['mode'] = mode;
  document.body.classList.toggle('in-panel', !now.tab);
  document.body.classList.toggle('folded', !now.expanded);
  // The filters of a drill-down are always shown, so that they can be removed.
  document.body.classList.toggle('drill-down', now.view.drillDown === true);
  table.setRowHeight(now.tab ? TAB_ROW_HEIGHT : PANEL_ROW_HEIGHT);
  const counts = getCounts();
  // Rendering the header closes open menus, so it is skipped if only counts changed.
  const { loaded: _loaded, readBackTo: _reached, ...feed } = now.feed;
  const shown = [{ ...now, feed: { ...feed, dropped: 0 }, from: undefined }, model.brush];
  update(layout.toolbar, shown, () => (now.tab ? renderTools(now, actions) : []));
  update(layout.chips, shown, () => renderChips(now, model.brush, actions));
  update(layout.notices, shown, () => renderNotices(now, view.post));
  const { phase } = layout;
  const phaseLabel = formatPhase(now.feed);
  if (phase.textContent !== phaseLabel) phase.textContent = phaseLabel;
  phase.dataset['phase'] = now.feed.stale.length > 0 ? 'stale' : now.feed.phase;
  layout.counts.textContent = formatCounts(now, counts);
  const summary = formatSummary(now, counts);
  if (!now.tab && summary !== postedSummary) {
    postedSummary = summary;
    view.post('summary', { text: summary });
  }
  // The table is shown before its position is restored: what is hidden does not scroll.
  renderList(now);
  if (rowsChanged) renderRows(now);
  renderFailuresPage(now);
  detailsPane.render(scrollPosition.place === undefined);
}

function renderRows({ view: { filters }, feed }: LogsState): void {
  rowsChanged = false;
  const { visibleRows: rows } = model;
  table.show(rows, model.search, filters.connections.length > 1);
  clearTimeout(chartTimer);
  // The chart follows the rows unless that would move the table.
  if (chart.element.hidden) renderChart();
  else chartTimer = setTimeout(renderChart, CHART_DELAY_MS);
  if (rows.length > 0) scrollPosition.restore(feed.phase === 'reading', feed.complete || feed.loaded >= feed.limit);
}

function renderChart(): void {
  if (state === undefined) return;
  chart.show(model.found, model.brush);
  legend.show(model.search);
  // A click needs its button.
  if (!state.expanded || layout.facets.matches(':active')) return;
  replaceControls(layout.facets, () => renderFacets(model, toggleFacet, requestNames));
  facetsFocus.update();
}

function requestNames(templates: ShownTemplate[]): void {
  const key = JSON.stringify(templates);
  if (templates.length > 0 && key !== requestedNames) view.post('nameTemplates', { templates });
  requestedNames = key;
}

function renderList(now: LogsState): void {
  const { list, empty, end } = layout;
  const isEmpty = model.visibleRows.length === 0;
  list.hidden = now.view.mode !== 'logs';
  table.element.hidden = isEmpty;
  end.hidden = isEmpty;
  empty.hidden = !isEmpty;
  const wasFocused = end.contains(getFocusedElement() ?? null);
  if (isEmpty) replaceControls(empty, () => renderEmptyState(now, model.loaded, view.post));
  else replaceControls(end, () => renderEnd(now.feed, now.view.filters.range, model.filtered, view.post));
  // The button is gone while older entries are read.
  if (wasFocused && !end.contains(document.activeElement)) {
    setText(layout.announcement, end.textContent);
    table.element.focus();
  }
}

function renderFailuresPage({ view: { mode, filters }, feed }: LogsState): void {
  const { failures: groups } = layout;
  groups.hidden = mode !== 'failures';
  if (groups.hidden) return;
  const found = groupFailures(model.visibleRows.map(({ row }) => row));
  const content = JSON.stringify([found, filters, model.filtered, feed]);
  if (content === renderedFailures) return;
  // A click needs its button.
  if (groups.matches(':active')) {
    scheduleRender();
    return;
  }
  renderedFailures = content;
  replaceControls(groups, () =>
    renderFailures(
      found,
      { feed, filters, filtered: model.filtered },
      { post: view.post, select: (key) => detailsPane.select(key) },
    ),
  );
  failuresFocus.update();
}
