/** The statistics dashboard in the browser: three charts with one cursor and one zoom, or three tables. */
import './main.css';
import { kept, statisticsProtocol, type Look, type StatisticsState } from '../../protocol-statistics.ts';
import { connect, fill, h, onTheme, root } from '../kit.ts';
import { Bar } from './bar.ts';
import { picture } from './picture.ts';
import { Section } from './section.ts';
import { zoneOf } from './time.ts';

const view = connect(statisticsProtocol, {
  state(next) {
    const first = state === undefined;
    state = next;
    render(false);
    if (next.focus !== undefined) sections.get(next.focus)?.element.scrollIntoView({ block: 'start' });
    else if (first) scrollTo(0, look.scroll);
  },
});

const NEUTRAL: Look = { table: false, groups: false, utc: true, zoom: null, hidden: [], scroll: 0 };
const MOST_HIDDEN = 100;

let state: StatisticsState | undefined;
let look: Look = view.getState(kept)?.look ?? NEUTRAL;

const bar = new Bar({
  change(controls) {
    // Another range may not hold the old zoom.
    if (state !== undefined) state = { ...state, controls, reading: 0 };
    change({ zoom: null });
    view.post('change', { controls });
  },
  look: change,
  refresh: retry,
  stop() {
    view.post('stop', {});
  },
  csv() {
    view.post('csv', {});
  },
  png() {
    void exportPicture();
  },
});
const notices = h('div', { id: 'notices' });
const main = h('main');
root().append(bar.element, notices, main);
const sections = new Map<string, Section>();
let noticed = '';

function retry(): void {
  view.post('refresh', {});
}

function change(part: Partial<Look>): void {
  const { zoom } = look;
  look = { ...look, ...part };
  if (look.zoom !== zoom) for (const section of sections.values()) section.zoom(look.zoom);
  render(false);
}

function toggle(name: string): void {
  const hidden = look.hidden.filter((one) => one !== name);
  change({ hidden: hidden.length < look.hidden.length ? hidden : [...hidden, name].slice(-MOST_HIDDEN) });
}

/** From the first to the last time of any series; never nothing. */
function extentOf({ series }: StatisticsState): readonly [number, number] {
  let [first, last] = [Infinity, -Infinity];
  for (const { times, before } of series) {
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
  const { series, reading, connection, controls } = state;
  bar.show(state, look);
  showTroubles(state);
  const common = { look, reading: reading !== undefined, extent: extentOf(state) };
  for (const one of series) {
    let section = sections.get(one.id);
    if (section === undefined) {
      section = new Section(one.id, {
        zoomed(range) {
          change({ zoom: range });
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
  view.setState({ connection, controls, look });
}

/** Made anew only when they change: they are read aloud once, and a button keeps the keyboard. */
function showTroubles({ troubles }: StatisticsState): void {
  const now = JSON.stringify(troubles);
  if (now === noticed) return;
  noticed = now;
  const button = (label: string, run: () => void): HTMLElement =>
    h('button', { type: 'button', class: 'tool', on: { click: run } }, label);
  fill(
    notices,
    ...troubles.map(({ text, signIn }) =>
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

async function exportPicture(): Promise<void> {
  const { heading = '', controls } = state ?? {};
  const { timeRange = '', interval = '', from = '', until = '' } = controls ?? {};
  const dates = [from !== '' && `from ${from}`, until !== '' && `until ${until}`];
  const range = [...(from === '' ? [timeRange] : []), ...dates, interval !== '' && `by ${interval}`];
  const words = range.filter((word) => word !== false && word !== '').join(', ');
  const title = `Statistics of ${heading}${words === '' ? '' : `: ${words}`}; times in ${zoneOf(look.utc)}`;
  const png = await picture(title, [...sections.values()]);
  if (png === undefined) view.post('failed', { what: 'no picture could be made of the charts.' });
  else view.post('picture', { png });
}

onTheme(() => {
  render(true);
});

addEventListener('scrollend', () => {
  change({ scroll: scrollY });
});

addEventListener('keydown', (event) => {
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 't') return;
  event.preventDefault();
  change({ table: !look.table });
});
