/** Entry point of the statistics webview: charts with a shared cursor and zoom, or tables. */
import '../display-language.ts';
import * as l10n from '@vscode/l10n';
import './main.css';
import {
  savedState,
  statisticsProtocol,
  type Controls,
  type ViewOptions,
  type StatisticsState,
} from '../../protocol/statistics.ts';
import { replaceChildren, h, getRoot } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { onDidChangeTheme } from '../theme.ts';
import { formatControlRange } from './time-picker.ts';
import { formatInterval, Toolbar } from './toolbar.ts';
import { createPng } from './png-export.ts';
import { Section } from './section.ts';
import { getZoneName } from './time.ts';
import { getZoomDates } from './zoom-range.ts';

const view = connectToHost(statisticsProtocol, {
  state(next) {
    const first = state === undefined;
    state = next;
    render(false);
    if (next.focus !== undefined) sections.get(next.focus)?.element.scrollIntoView({ block: 'start' });
    else if (first) scrollTo(0, viewOptions.scroll);
  },
});

const DEFAULT_VIEW_OPTIONS: ViewOptions = {
  table: false,
  groups: false,
  utc: true,
  advanced: false,
  beforeZoom: null,
  hidden: [],
  scroll: 0,
};
const MAX_HIDDEN = 100;

let state: StatisticsState | undefined;
let viewOptions: ViewOptions = view.getState(savedState)?.look ?? DEFAULT_VIEW_OPTIONS;

const toolbar = new Toolbar({
  change(controls) {
    const isSameRange = (['timeRange', 'from', 'until'] as const).every(
      (name) => controls[name] === state?.controls[name],
    );
    if (!isSameRange) viewOptions = { ...viewOptions, beforeZoom: null };
    changeControls(controls);
  },
  setViewOptions,
  resetZoom() {
    zoom(null);
  },
  refresh: retry,
  stop() {
    view.post('stop', {});
  },
  csv() {
    view.post('csv', {});
  },
  png() {
    void exportPng();
  },
});
const notices = h('div', { id: 'notices' });
const main = h('div', { class: 'sections' });
getRoot().append(h('h1', { class: 'visually-hidden' }, l10n.t('Statistics')), toolbar.element, notices, main);
const sections = new Map<string, Section>();
let renderedNotices = '';

function retry(): void {
  view.post('refresh', {});
}

function setViewOptions(part: Partial<ViewOptions>): void {
  viewOptions = { ...viewOptions, ...part };
  render(false);
}

/** Shows the controls at once, with the values read before; the host posts those of the new range. */
function changeControls(controls: Controls): void {
  if (state !== undefined) {
    const series = state.series.map((one) => ({ ...one, outdatedControls: one.readAt !== undefined }));
    state = { ...state, controls, series, requestCount: 0 };
  }
  render(false);
  view.post('change', { controls });
}

/** Reads a range in seconds since the epoch, in steps of its own; null: the range before all zooms. */
function zoom(range: readonly [number, number] | null): void {
  if (state === undefined) return;
  const { timeRange, from, until } = state.controls;
  const { beforeZoom } = viewOptions;
  if (range === null) {
    if (beforeZoom === null) return;
    viewOptions = { ...viewOptions, beforeZoom: null };
    changeControls({ ...state.controls, ...beforeZoom });
    return;
  }
  const dates = getZoomDates(...range, Date.now());
  if (dates === undefined) return;
  viewOptions = { ...viewOptions, beforeZoom: beforeZoom ?? { timeRange, from, until } };
  changeControls({ ...state.controls, ...dates, timeRange: '' });
}

function toggle(id: string): void {
  const hidden = viewOptions.hidden.filter((one) => one !== id);
  setViewOptions({ hidden: hidden.length < viewOptions.hidden.length ? hidden : [...hidden, id].slice(-MAX_HIDDEN) });
}

/** Time range of all charts in seconds since the epoch; never empty. */
function getExtent({ series, controls }: StatisticsState): readonly [number, number] {
  // A zoom is shown before it is read.
  const outdated = series.some(({ outdatedControls }) => outdatedControls);
  const from = Date.parse(controls.from) / 1000;
  const until = (controls.until === '' ? Date.now() : Date.parse(controls.until)) / 1000;
  if (outdated && from < until) return [from, until];
  let [first, last] = [Infinity, -Infinity];
  for (const { times, window } of series) {
    first = Math.min(first, times[0] ?? first, window?.from ?? first);
    last = Math.max(last, times.at(-1) ?? last, window?.until ?? last);
  }
  if (first > last) return [0, 1];
  return first < last ? [first, last] : [first - 43_200, last + 43_200];
}

function render(force: boolean): void {
  if (state === undefined) return;
  const { series, requestCount: reading, connection, controls } = state;
  main.dataset['view'] = viewOptions.table ? 'table' : 'charts';
  toolbar.show(state, viewOptions);
  renderNotices(state);
  const common = { viewOptions, reading: reading !== undefined, extent: getExtent(state) };
  for (const one of series) {
    let section = sections.get(one.id);
    if (section === undefined) {
      section = new Section(one.id, {
        zoomed: zoom,
        retry,
        showLogs(id, time, isBefore, key) {
          view.post('showLogs', { series: id, time, isBefore, ...(key !== undefined && { key }) });
        },
        moved(time) {
          for (const one of sections.values()) one.moveTo(time);
        },
        toggle,
      });
      sections.set(one.id, section);
      main.append(section.element);
    }
    section.show(one, common, force);
  }
  view.setState({ connection, controls, look: viewOptions });
}

/** Renders notices only when they change: screen readers announce them, and buttons keep the focus. */
function renderNotices({ errors }: StatisticsState): void {
  const now = JSON.stringify(errors);
  if (now === renderedNotices) return;
  renderedNotices = now;
  const button = (label: string, run: () => void): HTMLElement =>
    h('button', { type: 'button', class: 'tool', on: { click: run } }, label);
  replaceChildren(
    notices,
    ...errors.map(({ text, signIn }) =>
      h(
        'div',
        { class: 'notice', 'data-tone': 'error', role: 'alert' },
        h('span', {}, text),
        signIn &&
          button(l10n.t('Sign In…'), () => {
            view.post('signIn', {});
          }),
        button(l10n.t('Retry'), retry),
      ),
    ),
  );
}

async function exportPng(): Promise<void> {
  const { heading = '', controls, series = [] } = state ?? {};
  const range = controls === undefined ? '' : formatControlRange(controls, viewOptions.utc);
  const title = [l10n.t('Statistics'), heading, range, formatInterval(series), getZoneName(viewOptions.utc)]
    .filter((text) => text !== '')
    .join(' · ');
  const png = await createPng(title, [...sections.values()]);
  if (png === undefined) view.post('failed', { what: l10n.t('The charts could not be drawn.') });
  else view.post('picture', { png });
}

onDidChangeTheme(() => {
  render(true);
});

addEventListener('scrollend', () => {
  setViewOptions({ scroll: scrollY });
});

addEventListener('keydown', (event) => {
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') zoom(null);
  if (event.key.toLowerCase() !== 't') return;
  event.preventDefault();
  setViewOptions({ table: !viewOptions.table });
});
