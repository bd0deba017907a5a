import type { ViewOptions, SeriesState } from '../../protocol/statistics.ts';
import { replaceChildren, h } from '../dom.ts';
import { assignScales } from './axis.ts';
import { BEFORE_COLOR, Chart, getColor, type ChartLine } from './chart.ts';
import { pairLines, type LinePair } from './line-pairs.ts';
import { renderTable, type TablePosition } from './table.ts';
import { formatClock, formatTime, formatRange } from './time.ts';

export interface SectionOptions {
  readonly zoomed: (range: [number, number] | null) => void;
  readonly retry: () => void;
  /** moves the cursor of all charts: seconds since the epoch */
  readonly moved: (time: number | undefined) => void;
  /** shows or hides a line, by its name in `hidden` */
  readonly toggle: (name: string) => void;
}

/** What all sections have in common. */
export interface SectionContext {
  readonly viewOptions: ViewOptions;
  readonly reading: boolean;
  /** time range of all charts in seconds since the epoch */
  readonly extent: readonly [number, number];
}

const BEFORE_NAME = 'Period before';

interface LegendEntry {
  readonly name: string;
  readonly color: string;
  readonly dashed: boolean;
  readonly isVisible: boolean;
  readonly pair: LinePair | undefined;
}

/** One series: its total, chart or table, legend and notes. */
export class Section {
  readonly element: HTMLElement;
  readonly #options: SectionOptions;
  readonly #id: string;
  readonly #head = h('div', { class: 'head' });
  readonly #notes = h('div', { class: 'notes' });
  readonly #body = h('div');
  // Permanent, since it can have the focus while its chart is replaced.
  readonly #frame = h('div', {
    class: 'chart',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'chart',
    on: {
      keydown: (event) => {
        this.#onKeydown(event);
      },
      blur: () => {
        this.#options.moved(undefined);
      },
    },
  });
  readonly #legend = h('ul', { class: 'legend' });
  readonly #liveRegion = h('span', { class: 'visually-hidden', role: 'status' });
  readonly #tablePosition: TablePosition = { page: 0, top: 0, left: 0 };
  #chart: Chart | undefined;
  #entries: readonly LegendEntry[] = [];
  #values: HTMLElement[] = [];
  #state: SeriesState | undefined;
  #utc = true;
  #renderedNotes = '';
  #renderedKey = '';

  constructor(id: string, options: SectionOptions) {
    this.#id = id;
    this.#options = options;
    this.element = h('section', { id }, this.#head, this.#notes, this.#body, this.#legend, this.#liveRegion);
  }

  get chart(): Chart | undefined {
    return this.#chart;
  }
  get entries(): readonly LegendEntry[] {
    return this.#entries;
  }
  get state(): SeriesState | undefined {
    return this.#state;
  }

  /** `force`: renders again although nothing but colors changed. */
  show(state: SeriesState, common: SectionContext, force: boolean): void {
    const { viewOptions, reading, extent } = common;
    const { table: asTable, groups, utc } = viewOptions;
    this.#state = state;
    this.#utc = utc;
    this.#showHead(state, reading);
    this.#showNotes(state);
    this.#body.classList.toggle('stale', state.stale || state.outdatedControls);
    const hidden = viewOptions.hidden.filter((name) => name.startsWith(`${this.#id} `));
    // Renders only changes, so that polling does not disturb the chart.
    const names = state.groups.map(({ name }) => name);
    const key = JSON.stringify([asTable, groups, utc, state.readAt ?? 0, state.times.length, names, extent, hidden]);
    if (key === this.#renderedKey && !force) return;
    this.#renderedKey = key;
    const focused = this.#body.contains(document.activeElement);
    this.#render(state, common);
    if (focused && !this.#body.contains(document.activeElement))
      this.#body.querySelector<HTMLElement>('[tabindex]')?.focus();
  }

  zoom(range: readonly [number, number] | null): void {
    this.#chart?.zoom(range);
  }

  moveTo(time: number | undefined): void {
    this.#chart?.moveTo(time);
  }

  /** Why the values are not current, and when they were read. */
  get staleText(): string | undefined {
    const { readAt: read, stale, outdatedControls } = this.#state ?? {};
    if (read === undefined || (stale !== true && outdatedControls !== true)) return undefined;
    const time = formatClock(read, this.#utc);
    return stale === true
      ? `Stale: read ${time}${outdatedControls === true ? ', with other controls' : ''}`
      : `Of other controls, read ${time}`;
  }

  #showHead(
    { label, total, previousTotal: beforeTotal, change, previous: before, readAt: read }: SeriesState,
    reading: boolean,
  ): void {
    const { staleText: age } = this;
    const past = beforeTotal === '' ? 'no points' : beforeTotal;
    const range = before === undefined ? '' : `, ${formatRange(before.from, before.until, this.#utc)}`;
    replaceChildren(
      this.#head,
      h('h2', {}, label),
      total !== '' && h('span', { class: 'total' }, total),
      change !== undefined && h('strong', {}, change),
      beforeTotal !== undefined && h('span', { class: 'muted' }, `Period before: ${past ?? ''}${range}`),
      age !== undefined && h('span', { class: 'age' }, age),
      read === undefined && reading && h('span', { class: 'muted' }, 'Reading…'),
    );
  }

  #showNotes({ error, notes }: SeriesState): void {
    // Renders only changes: screen readers announce notices, and the button keeps the focus.
    const noted = JSON.stringify([error, notes]);
    if (noted === this.#renderedNotes) return;
    this.#renderedNotes = noted;
    replaceChildren(
      this.#notes,
      error !== undefined &&
        h(
          'div',
          { class: 'notice', 'data-tone': 'error', role: 'alert' },
          h('span', {}, error),
          h('button', { type: 'button', class: 'tool', on: { click: this.#options.retry } }, 'Retry'),
        ),
      ...notes.map((note) => h('div', { class: 'notice', 'data-tone': 'warning' }, note)),
    );
  }

  #render(state: SeriesState, { viewOptions, extent }: SectionContext): void {
    const at = this.#chart?.cursorTime;
    this.#chart?.dispose();
    this.#chart = undefined;
    const pairs = pairLines(state, viewOptions.groups && state.groups.length > 0);
    this.#entries = buildLegend(pairs, (name) => !viewOptions.hidden.includes(`${this.#id} ${name}`));
    if (state.times.length === 0 || viewOptions.table) {
      const emptyText =
        state.readAt === undefined
          ? 'Nothing has been read yet.'
          : state.notes.length > 0
            ? 'There is nothing that could be drawn.'
            : 'No points in this time range with these filters.';
      replaceChildren(
        this.#body,
        state.times.length === 0
          ? h('div', { class: 'empty' }, emptyText)
          : renderTable(state, pairs, viewOptions.utc, this.#tablePosition),
      );
      this.#body.querySelector('.scroll')?.scrollTo(this.#tablePosition);
      replaceChildren(this.#legend);
      return;
    }
    this.#frame.ariaLabel = `${state.label}: chart of ${state.times.length} times. Arrow keys move the cursor, plus and minus zoom, T shows the table.`;
    if (!this.#frame.isConnected) replaceChildren(this.#body, this.#frame);
    const drawn = buildLines(state, this.#entries);
    this.#chart = new Chart({
      element: this.#frame,
      drawn,
      utc: viewOptions.utc,
      extent,
      zoom: viewOptions.zoom,
      zoomed: this.#options.zoomed,
      cursor: () => {
        this.#showValues();
      },
    });
    this.#showLegend(assignScales(drawn).withoutAxis);
    this.moveTo(at);
  }

  #onKeydown(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9 }[event.key];
    const factor = { '+': 0.5, '=': 0.5, '-': 2 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || this.#chart === undefined) return;
    if (event.key === 'Escape') this.#options.zoomed(null);
    if (factor !== undefined) this.#chart.scale(factor);
    if (by === undefined) return;
    event.preventDefault();
    this.#options.moved(this.#chart.timeFromCursor(by));
    this.#liveRegion.textContent = [...this.#legend.children].map(({ textContent }) => textContent).join(', ');
  }

  #showLegend(without: readonly string[]): void {
    const focused = [...this.#legend.querySelectorAll('button')].findIndex(
      (button) => button === document.activeElement,
    );
    const time = h('span');
    this.#values = [time];
    const items = this.#entries.map(({ name, color, dashed, isVisible }) => {
      const value = h('span');
      this.#values.push(value);
      return h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'tool',
            'aria-pressed': String(isVisible),
            title: isVisible ? `Hide ${name}` : `Show ${name}`,
            on: {
              click: () => {
                this.#options.toggle(`${this.#id} ${name}`);
              },
            },
          },
          h('span', { class: 'swatch', 'data-dashed': dashed, style: { '--swatch': color } }),
          h('bdi', {}, name),
          ' ',
          value,
        ),
      );
    });
    const note = `Without an axis: ${without.map((unit) => unit || 'no unit').join(', ')}. Hide lines of other units to see theirs.`;
    replaceChildren(
      this.#legend,
      ...items,
      without.length > 0 && h('li', { class: 'muted' }, note),
      h('li', { class: 'muted' }, time),
    );
    this.#legend.querySelectorAll('button')[focused]?.focus();
    this.#showValues();
  }

  /** Shows the exact values at the cursor, or the totals. */
  #showValues(): void {
    const { times = [], previous: before, partial = [], previousTotal: beforeTotal } = this.#state ?? {};
    const [time, ...values] = this.#values;
    const at = this.#chart?.cursorTime;
    const past = at === undefined ? -1 : (before?.times.indexOf(at) ?? -1);
    const when = before?.originalTimes[past];
    const present = at === undefined ? -1 : times.indexOf(at);
    const alone = this.#entries.filter(({ pair }) => pair !== undefined).length === 1;
    if (time !== undefined) {
      const part = at !== undefined && partial.includes(at) ? ', only part of the interval' : '';
      const old = when === undefined ? '' : `, before: ${formatTime(when, this.#utc)}`;
      time.textContent = at === undefined ? '' : formatTime(at, this.#utc) + part + old;
    }
    this.#entries.forEach(({ pair, dashed }, position) => {
      const place = values[position];
      if (place === undefined) return;
      const old = pair?.before?.values[past] ?? '—';
      if (dashed) {
        const [first] = this.#entries;
        const value = at === undefined ? beforeTotal : (first?.pair?.before?.values[past] ?? '—');
        place.textContent = alone ? (value ?? '') : '';
      } else if (at === undefined) place.textContent = [pair?.now?.total, pair?.now?.change].filter(Boolean).join(' ');
      else
        place.textContent =
          (pair?.now?.values[present] ?? '—') + (alone || pair?.before === undefined ? '' : `, before ${old}`);
    });
  }
}

/** Builds a legend entry for each pair, and one for the period before. */
function buildLegend(pairs: readonly LinePair[], isShown: (name: string) => boolean): readonly LegendEntry[] {
  const entries = pairs.map((pair, index): LegendEntry => {
    return { name: pair.name, color: getColor(index), dashed: false, isVisible: isShown(pair.name), pair };
  });
  return pairs.some(({ before: old }) => old !== undefined)
    ? [
        ...entries,
        {
          name: BEFORE_NAME,
          color: getColor(BEFORE_COLOR),
          dashed: true,
          isVisible: isShown(BEFORE_NAME),
          pair: undefined,
        },
      ]
    : entries;
}

function buildLines({ times, previous: before }: SeriesState, entries: readonly LegendEntry[]): readonly ChartLine[] {
  const past = entries.find(({ pair }) => pair === undefined);
  const lines = entries.flatMap(({ pair, color, isVisible }): ChartLine[] =>
    pair?.now === undefined ? [] : [{ line: pair.now, times, color, dashed: false, isVisible }],
  );
  const beforeLines = entries.flatMap(({ pair, color, isVisible }): ChartLine[] => {
    if (pair?.before === undefined || past === undefined || before === undefined) return [];
    // A single line and its period before differ in color too.
    const own = entries.length > 2 ? color : past.color;
    return [
      { line: pair.before, times: before.times, color: own, dashed: true, isVisible: isVisible && past.isVisible },
    ];
  });
  return [...lines, ...beforeLines];
}
