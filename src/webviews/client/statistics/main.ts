/** Entry point of the statistics webview: charts with a shared cursor and zoom, or tables. */
import './main.css';
import { savedState, statisticsProtocol, type ViewOptions, type StatisticsState } from '../../protocol/statistics.ts';
import { replaceChildren, h, getRoot } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { onDidChangeTheme } from '../theme.ts';
import { Toolbar } from './toolbar.ts';
import { createPng } from './png-export.ts';
import { Section } from './section.ts';
import { getZoneName } from './time.ts';

const view = connectToHost(statisticsProtocol, {
  state(next) {
    const first = state === undefined;
    state = next;
    render(false);
    if (next.focus !== undefined) sections.get(next.focus)?.element.scrollIntoView({ block: 'start' });
    else if (first) scrollTo(0, viewOptions.scroll);
  },
});

const DEFAULT_VIEW_OPTIONS: ViewOptions = { table: false, groups: false, utc: true, zoom: null, hidden: [], scroll: 0 };
const MAX_HIDDEN = 100;

let state: StatisticsState | undefined;
let viewOptions: ViewOptions = view.getState(savedState)?.look ?? DEFAULT_VIEW_OPTIONS;

const toolbar = new Toolbar({
  change(controls) {
    // Another range may not contain the zoomed one.
    if (state !== undefined) state = { ...state, controls, requestCount: 0 };
    setViewOptions({ zoom: null });
    view.post('change', { controls });
  },
  setViewOptions,
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
const main = h('main');
getRoot().append(toolbar.element, notices, main);
const sections = new Map<string, Section>();
let renderedNotices = '';

function retry(): void {
  view.post('refresh', {});
}

function setViewOptions(part: Partial<ViewOptions>): void {
  const { zoom } = viewOptions;
  viewOptions = { ...viewOptions, ...part };
  if (viewOptions.zoom !== zoom) for (const section of sections.values()) section.zoom(viewOptions.zoom);
  render(false);
}

function toggle(name: string): void {
  const hidden = viewOptions.hidden.filter((one) => one !== name);
  setViewOptions({ hidden: hidden.length < viewOptions.hidden.length ? hidden : [...hidden, name].slice(-MAX_HIDDEN) });
}

/** Time range of all series in seconds since the epoch; never empty. */
function getExtent({ series }: StatisticsState): readonly [number, number] {
  let [first, last] = [Infinity, -Infinity];
  for (const { times, previous: before } of series) {
    for (const all of [times, before?.times ?? []]) {
      first = Math.min(first, all[0] ?? first);
      last = Math.max(last, all.at(-1) ?? last);
    }
  }
  if (first > last) return [0, 1];
  return first < last ? [first, last] : [first - 43_200, last + 43_200];
}

function render(force: boolean): void {
  if (state === undefined) return;
  const { series, requestCount: reading, connection, controls } = state;
  toolbar.show(state, viewOptions);
  renderNotices(state);
  const common = { viewOptions, reading: reading !== undefined, extent: getExtent(state) };
  for (const one of series) {
    let section = sections.get(one.id);
    if (section === undefined) {
      section = new Section(one.id, {
        zoomed(range) {
          setViewOptions({ zoom: range });
        },
        retry,
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
          button('Sign In…', () => {
            view.post('signIn', {});
          }),
        button('Retry', retry),
      ),
    ),
  );
}

async function exportPng(): Promise<void> {
  const { heading = '', controls } = state ?? {};
  const { timeRange = '', interval = '', from = '', until = '' } = controls ?? {};
  const dates = [from !== '' && `from ${from}`, until !== '' && `until ${until}`];
  const range = [...(from === '' ? [timeRange] : []), ...dates, interval !== '' && `by ${interval}`];
  const description = range.filter((word) => word !== false && word !== '').join(', ');
  const title = `Statistics of ${heading}${description === '' ? '' : `: ${description}`}; times in ${getZoneName(viewOptions.utc)}`;
  const png = await createPng(title, [...sections.values()]);
  if (png === undefined) view.post('failed', { what: 'no picture could be made of the charts.' });
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
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 't') return;
  event.preventDefault();
  setViewOptions({ table: !viewOptions.table });
});
