/** One series of the dashboard: its total, its chart or table, its legend and what is known to be missing. */
import type { Line, Look, SeriesState } from '../../protocol-statistics.ts';
import { fill, h } from '../kit.ts';
import { BEFORE, Chart, colorAt, type Drawn } from './chart.ts';
import { table } from './table.ts';
import { momentText } from './time.ts';

export interface SectionOptions {
  readonly zoomed: (range: [number, number] | null) => void;
  readonly retry: () => void;
}

export class Section {
  readonly element: HTMLElement;
  readonly #options: SectionOptions;
  readonly #head = h('div', { class: 'head' });
  readonly #notes = h('div', { class: 'notes' });
  readonly #body = h('div');
  readonly #legend = h('ul', { class: 'legend' });
  readonly #live = h('span', { class: 'visually-hidden', role: 'status' });
  #hidden = new Set<string>();
  #chart: Chart | undefined;
  #drawn: readonly Drawn[] = [];
  #values: HTMLElement[] = [];
  #state: SeriesState | undefined;
  #look: Look | undefined;
  #key = '';

  constructor(id: string, options: SectionOptions) {
    this.#options = options;
    this.element = h('section', { id }, this.#head, this.#notes, this.#body, this.#legend, this.#live);
  }

  get chart(): Chart | undefined {
    return this.#chart;
  }
  get drawn(): readonly Drawn[] {
    return this.#drawn;
  }
  get state(): SeriesState | undefined {
    return this.#state;
  }

  /** `force`: colours have changed. */
  show(state: SeriesState, look: Look, reading: boolean, force: boolean): void {
    const { table: asTable, groups, utc } = look;
    this.#state = state;
    this.#look = look;
    this.#showHead(state, reading);
    // A reading that goes on must not tear down what someone looks at.
    const key = JSON.stringify([asTable, groups, utc, state.read ?? 0, state.times.length, [...this.#hidden]]);
    if (key === this.#key && !force) return;
    this.#key = key;
    this.#draw(state, look);
  }

  zoom(range: readonly [number, number] | null): void {
    this.#chart?.zoom(range);
  }

  dispose(): void {
    this.#chart?.dispose();
  }

  #showHead({ label, total, beforeTotal, change, notes, error, read, other }: SeriesState, reading: boolean): void {
    fill(
      this.#head,
      h('h2', {}, label),
      read !== undefined && h('span', { class: 'total' }, total === '' ? 'nothing' : total),
      beforeTotal !== undefined &&
        h(
          'span',
          { class: 'muted' },
          `${change === undefined ? '' : `${change}, `}period before: ${beforeTotal === '' ? 'nothing' : beforeTotal}`,
        ),
      read === undefined && reading && h('span', { class: 'muted' }, 'Reading…'),
    );
    const stale =
      error === undefined || read === undefined
        ? ''
        : ` What is shown is of ${clock(read)}${other ? ', read before the controls were changed' : ' and stale since then'}.`;
    fill(
      this.#notes,
      error !== undefined &&
        h(
          'div',
          { class: 'notice', 'data-tone': 'error', role: 'alert' },
          h('span', {}, error + stale),
          h('button', { type: 'button', class: 'tool', on: { click: this.#options.retry } }, 'Retry'),
        ),
      other &&
        error === undefined &&
        h(
          'div',
          { class: 'notice', 'data-tone': 'warning' },
          'What is shown was read before the controls were changed.',
        ),
      ...notes.map((note) => h('div', { class: 'notice', 'data-tone': 'warning' }, note)),
    );
    this.#body.firstElementChild?.classList.toggle('old', error !== undefined || other);
  }

  #lines(state: SeriesState, look: Look): readonly Line[] {
    return look.groups && state.groups.length > 0 ? state.groups : state.sums;
  }

  #draw(state: SeriesState, look: Look): void {
    this.#chart?.dispose();
    this.#chart = undefined;
    this.#values = [];
    const lines = this.#lines(state, look);
    this.#drawn = drawnOf(state, lines, this.#hidden);
    if (state.times.length === 0) {
      const words =
        state.read === undefined ? 'Nothing has been read yet.' : 'No points in this time range with these filters.';
      fill(this.#body, h('div', { class: 'empty' }, words));
      fill(this.#legend);
      return;
    }
    if (look.table) {
      fill(this.#body, table(state, lines, look.utc));
      fill(this.#legend);
      return;
    }
    const element = h('div', {
      class: 'chart',
      tabindex: 0,
      role: 'img',
      'aria-label': `${state.label}: chart of ${state.times.length} times. Arrow keys move the cursor, T shows the table.`,
      on: {
        keydown: (event) => {
          this.#key_(event);
        },
      },
    });
    fill(this.#body, element);
    this.#chart = new Chart({
      element,
      drawn: this.#drawn,
      utc: look.utc,
      zoom: look.zoom,
      zoomed: this.#options.zoomed,
      cursor: (index) => {
        this.#showValues(index);
      },
    });
    this.#showLegend();
  }

  #key_(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      this.#chart?.step(by);
      this.#live.textContent = [...this.#legend.querySelectorAll('li')]
        .map(({ textContent }) => textContent)
        .join(', ');
    }
    if (event.key === 'Escape') this.#options.zoomed(null);
  }

  #showLegend(): void {
    const time = h('span');
    this.#values = [time];
    const entries = this.#drawn.map(({ line, color, dashed, shown }) => {
      const value = h('span');
      this.#values.push(value);
      const name = dashed ? `${line.name}, before` : line.name;
      const toggle = h(
        'button',
        {
          type: 'button',
          class: 'tool',
          'aria-pressed': String(shown),
          title: shown ? `Hide ${name}` : `Show ${name}`,
          on: {
            click: () => {
              if (!this.#hidden.delete(name)) this.#hidden.add(name);
              if (this.#state !== undefined && this.#look !== undefined)
                this.show(this.#state, this.#look, false, false);
            },
          },
        },
        h('span', { class: 'swatch', 'data-dashed': dashed, style: { '--swatch': color } }),
        `${name} `,
        value,
      );
      return h('li', {}, toggle);
    });
    fill(this.#legend, ...entries, h('li', { class: 'muted' }, time));
    this.#showValues(null);
  }

  #moment(at: number): string {
    const part = this.#state?.partial.includes(at) === true ? ', only part of the interval' : '';
    return momentText(at, this.#look?.utc ?? true) + part;
  }

  /** At the cursor the values there, to the digit; else the totals. */
  #showValues(index: number | null): void {
    const [time, ...values] = this.#values;
    const at = index === null ? undefined : this.#chart?.times[index];
    if (time !== undefined) time.textContent = at === undefined ? '' : this.#moment(at);
    this.#drawn.forEach(({ line, times }, position) => {
      const place = values[position];
      if (place === undefined) return;
      // Lines of the period before have times of their own.
      const found = at === undefined ? -1 : times[index ?? -1] === at ? (index ?? -1) : times.indexOf(at);
      place.textContent = at === undefined ? line.total : (line.values[found] ?? '—');
    });
  }
}

function drawnOf(state: SeriesState, lines: readonly Line[], hidden: ReadonlySet<string>): readonly Drawn[] {
  const now = lines.map((line, index): Drawn => {
    return { line, times: state.times, color: colorAt(index), dashed: false, shown: !hidden.has(line.name) };
  });
  // Beside many lines of keys, one dashed line of sums would say little.
  const earlier =
    lines === state.sums
      ? (state.before?.sums ?? []).map((line): Drawn => {
          const shown = !hidden.has(`${line.name}, before`);
          return { line, times: state.before?.times ?? [], color: colorAt(BEFORE), dashed: true, shown };
        })
      : [];
  return [...now, ...earlier.filter(({ times }) => times.length > 0)];
}

export function clock(moment: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(moment);
}
