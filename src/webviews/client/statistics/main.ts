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
    state = next;
    render(false);
    if (next.focus !== undefined) sections.get(next.focus)?.element.scrollIntoView({ block: 'start' });
  },
});

let state: StatisticsState | undefined;
let look: Look = view.getState(kept)?.look ?? { table: false, groups: false, utc: true, zoom: null };

const bar = new Bar({
  change(controls) {
    // Another range may not hold the old zoom.
    look = { ...look, zoom: null };
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
const notices = h('div', { id: 'notices', role: 'status' });
const main = h('main');
root().append(bar.element, notices, main);
const sections = new Map<string, Section>();

function retry(): void {
  view.post('refresh', {});
}

function signIn(): void {
  view.post('signIn', {});
}

function change(part: Partial<Look>): void {
  const { zoom } = look;
  look = { ...look, ...part };
  if (look.zoom !== zoom) for (const section of sections.values()) section.zoom(look.zoom);
  render(false);
}

function render(force: boolean): void {
  if (state === undefined) return;
  const { series, reading, trouble, signedOut, connection, controls } = state;
  bar.show(state, look);
  fill(
    notices,
    trouble !== undefined &&
      h(
        'div',
        { class: 'notice', 'data-tone': 'warning' },
        trouble,
        h(
          'button',
          { type: 'button', class: 'tool', on: { click: signedOut ? signIn : retry } },
          signedOut ? 'Sign In…' : 'Retry',
        ),
      ),
  );
  main.classList.toggle('past', signedOut);
  for (const one of series) {
    let section = sections.get(one.id);
    if (section === undefined) {
      section = new Section(one.id, {
        zoomed(range) {
          change({ zoom: range });
        },
        retry,
      });
      sections.set(one.id, section);
      main.append(section.element);
    }
    section.show(one, look, reading !== undefined, force);
  }
  view.setState({ connection, controls, look });
}

async function exportPicture(): Promise<void> {
  const { connection = '', controls } = state ?? {};
  const { timeRange = '', interval = '', from = '', until = '' } = controls ?? {};
  const range = [
    from !== '' && `from ${from}`,
    until !== '' && `until ${until}`,
    timeRange,
    interval !== '' && `by ${interval}`,
  ];
  const words = range.filter((word) => word !== false && word !== '').join(', ');
  const title = `Statistics of ${connection}${words === '' ? '' : `: ${words}`}; times in ${zoneOf(look.utc)}`;
  const png = await picture(title, [...sections.values()]);
  if (png === undefined) view.post('failed', { what: 'no picture could be made of the charts.' });
  else view.post('picture', { png });
}

onTheme(() => {
  render(true);
});

addEventListener('keydown', (event) => {
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 't') return;
  event.preventDefault();
  change({ table: !look.table });
});
