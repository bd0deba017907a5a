/** Entry point of the statistics webview: charts with a shared cursor and zoom, or tables. */
import '../display-language.ts';
import * as l10n from '@vscode/l10n';
import './main.css';
import {
  savedState,
  statisticsProtocol,
  viewOptionsSchema,
  type Controls,
  type ViewOptions,
  type StatisticsState,
} from '../../protocol/statistics.ts';
import { createToolButton } from '../controls.ts';
import { getRoot, h, update } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { onDidChangeTheme } from '../theme.ts';
import { formatControlRange } from './time-picker.ts';
import { formatInterval, Toolbar } from './toolbar.ts';
import { createPng } from './png-export.ts';
import { createErrorNotice, Section } from './section.ts';
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

let state: StatisticsState | undefined;
let viewOptions: ViewOptions = view.getState(savedState)?.look ?? viewOptionsSchema.parse({});

const toolbar = new Toolbar({
  change(part) {
    // Another range ends the zoom.
    if ('timeRange' in part) viewOptions = { ...viewOptions, beforeZoom: null };
    changeControls(part);
  },
  setViewOptions,
  resetZoom,
  png: () => void exportPng(),
  post: view.post,
});
const notices = h('div', { id: 'notices' });
const main = h('div', { class: 'sections' });
getRoot().append(h('h1', { class: 'visually-hidden' }, l10n.t('Statistics')), toolbar.element, notices, main);
const sections = new Map<string, Section>();

function retry(): void {
  view.post('refresh', {});
}

function setViewOptions(part: Partial<ViewOptions>): void {
  viewOptions = { ...viewOptions, ...part };
  render(false);
}

/** Shows the controls at once, with the values read before; the host posts those of the new range. */
function changeControls(part: Partial<Controls>): void {
  if (state === undefined) return;
  const controls = { ...state.controls, ...part };
  const series = state.series.map((one) => ({ ...one, outdatedControls: one.readAt !== undefined }));
  state = { ...state, controls, series, requestCount: 0 };
  render(false);
  view.post('change', { controls });
}

/** Reads a range in seconds since the epoch, in steps of its own. */
function zoom(range: readonly [number, number]): void {
  const dates = getZoomDates(...range, Date.now());
  if (state === undefined || dates === undefined) return;
  const { timeRange, from, until } = state.controls;
  viewOptions = { ...viewOptions, beforeZoom: viewOptions.beforeZoom ?? { timeRange, from, until } };
  changeControls({ ...dates, timeRange: '' });
}

/** Reads the range before all zooms. */
function resetZoom(): void {
  const { beforeZoom } = viewOptions;
  if (beforeZoom === null) return;
  viewOptions = { ...viewOptions, beforeZoom: null };
  changeControls(beforeZoom);
}

function toggle(id: string): void {
  const hidden = viewOptions.hidden.filter((one) => one !== id);
  // As many as can be stored.
  setViewOptions({ hidden: hidden.length < viewOptions.hidden.length ? hidden : [...hidden, id].slice(-100) });
}

/** Time range of all charts in seconds since the epoch; never empty. */
function getExtent({ series, controls }: StatisticsState): readonly [number, number] {
  // A zoom is shown before it is read.
  const outdated = series.some(({ outdatedControls }) => outdatedControls);
  const from = Date.parse(controls.from) / 1000;
  const until = (controls.until === '' ? Date.now() : Date.parse(controls.until)) / 1000;
  if (outdated && from < until) return [from, until];
  const times = series.flatMap(({ times, window }) => [
    ...times.slice(0, 1),
    ...times.slice(-1),
    ...(window === undefined ? [] : [window.from, window.until]),
  ]);
  if (times.length === 0) return [0, 1];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return first < last ? [first, last] : [first - 43_200, last + 43_200];
}

function render(force: boolean): void {
  if (state === undefined) return;
  const { series, requestCount: reading, connection, controls } = state;
  main.dataset['view'] = viewOptions.table ? 'table' : 'charts';
  toolbar.show(state, viewOptions);
  renderNotices(state);
  const context = { viewOptions, reading: reading !== undefined, extent: getExtent(state) };
  for (const one of series) {
    let section = sections.get(one.id);
    if (section === undefined) {
      section = new Section(one.id, {
        zoomed: zoom,
        retry,
        showLogs: (id, time, isBefore, key) =>
          view.post('showLogs', { series: id, time, isBefore, ...(key !== undefined && { key }) }),
        moved(time) {
          for (const one of sections.values()) one.moveTo(time);
        },
        toggle,
      });
      sections.set(one.id, section);
      main.append(section.element);
    }
    section.show(one, context, force);
  }
  view.setState({ connection, controls, look: viewOptions });
}

/** Renders notices only when they change: screen readers announce them, and buttons keep the focus. */
function renderNotices({ errors }: StatisticsState): void {
  const signInButton = (): HTMLElement =>
    createToolButton({ label: l10n.t('Sign In…'), onClick: () => view.post('signIn', {}) });
  update(notices, errors, () =>
    errors.map(({ text, signIn }) => createErrorNotice(text, retry, signIn && signInButton())),
  );
}

async function exportPng(): Promise<void> {
  if (state === undefined) return;
  const { heading, controls, series } = state;
  const range = formatControlRange(controls, viewOptions.utc);
  const interval = formatInterval(series.map((one) => one.interval));
  const title = [l10n.t('Statistics'), heading, range, interval, getZoneName(viewOptions.utc)]
    .filter((text) => text !== '')
    .join(' · ');
  const png = await createPng(title, [...sections.values()]);
  if (png === undefined) view.post('failed', { what: l10n.t('The charts could not be drawn.') });
  else view.post('picture', { png });
}

onDidChangeTheme(() => render(true));

addEventListener('scrollend', () => setViewOptions({ scroll: scrollY }));

addEventListener('keydown', (event) => {
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') resetZoom();
  if (event.key.toLowerCase() !== 't') return;
  event.preventDefault();
  setViewOptions({ table: !viewOptions.table });
});
