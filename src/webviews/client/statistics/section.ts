/** One series of the dashboard: its total, its chart or table, its legend and what is known to be missing. */
import type { Look, SeriesState } from '../../protocol-statistics.ts';
import { fill, h } from '../kit.ts';
import { scalesOf } from './axis.ts';
import { BEFORE, Chart, colorAt, type Drawn } from './chart.ts';
import { pairsOf, type Pair } from './pairs.ts';
import { table, type Place } from './table.ts';
import { clock, momentText, rangeText } from './time.ts';

export interface SectionOptions {
  readonly zoomed: (range: [number, number] | null) => void;
  readonly retry: () => void;
  /** the cursor of all charts goes there */
  readonly moved: (time: number | undefined) => void;
  /** switches a line on or off, by its name in `hidden` */
  readonly toggle: (name: string) => void;
}

/** How all sections are looked at. */
export interface Common {
  readonly look: Look;
  readonly reading: boolean;
  /** seconds: the time axis of all charts */
  readonly extent: readonly [number, number];
}

const PAST = 'Period before';

interface Entry {
  readonly name: string;
  readonly color: string;
  readonly dashed: boolean;
  readonly shown: boolean;
  readonly pair: Pair | undefined;
}

export class Section {
  readonly element: HTMLElement;
  readonly #options: SectionOptions;
  readonly #id: string;
  readonly #head = h('div', { class: 'head' });
  readonly #notes = h('div', { class: 'notes' });
  readonly #body = h('div');
  // Stays when its chart is drawn anew: it has the keyboard.
  readonly #frame = h('div', {
    class: 'chart',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'chart',
    on: {
      keydown: (event) => {
        this.#key(event);
      },
      blur: () => {
        this.#options.moved(undefined);
      },
    },
  });
  readonly #legend = h('ul', { class: 'legend' });
  readonly #live = h('span', { class: 'visually-hidden', role: 'status' });
  readonly #place: Place = { page: 0, top: 0, left: 0 };
  #chart: Chart | undefined;
  #entries: readonly Entry[] = [];
  #values: HTMLElement[] = [];
  #state: SeriesState | undefined;
  #utc = true;
  #noted = '';
  #drawn = '';

  constructor(id: string, options: SectionOptions) {
    this.#id = id;
    this.#options = options;
    this.element = h('section', { id }, this.#head, this.#notes, this.#body, this.#legend, this.#live);
  }

  get chart(): Chart | undefined {
    return this.#chart;
  }
  get entries(): readonly Entry[] {
    return this.#entries;
  }
  get state(): SeriesState | undefined {
    return this.#state;
  }

  /** `force`: colours have changed. */
  show(state: SeriesState, common: Common, force: boolean): void {
    const { look, reading, extent } = common;
    const { table: asTable, groups, utc } = look;
    this.#state = state;
    this.#utc = utc;
    this.#showHead(state, reading);
    this.#showNotes(state);
    this.#body.classList.toggle('old', state.stale || state.other);
    const hidden = look.hidden.filter((name) => name.startsWith(`${this.#id} `));
    // A reading that goes on must not tear down what someone looks at.
    const names = state.groups.map(({ name }) => name);
    const key = JSON.stringify([asTable, groups, utc, state.read ?? 0, state.times.length, names, extent, hidden]);
    if (key === this.#drawn && !force) return;
    this.#drawn = key;
    const focused = this.#body.contains(document.activeElement);
    this.#draw(state, common);
    if (focused && !this.#body.contains(document.activeElement))
      this.#body.querySelector<HTMLElement>('[tabindex]')?.focus();
  }

  zoom(range: readonly [number, number] | null): void {
    this.#chart?.zoom(range);
  }

  moveTo(time: number | undefined): void {
    this.#chart?.moveTo(time);
  }

  /** The time since which this is known; where it is not fresh, why. */
  get age(): string | undefined {
    const { read, stale, other } = this.#state ?? {};
    if (read === undefined || (stale !== true && other !== true)) return undefined;
    const time = clock(read, this.#utc);
    return stale === true
      ? `Stale: read ${time}${other === true ? ', with other controls' : ''}`
      : `Of other controls, read ${time}`;
  }

  #showHead({ label, total, beforeTotal, change, before, read }: SeriesState, reading: boolean): void {
    const { age } = this;
    const past = beforeTotal === '' ? 'no points' : beforeTotal;
    const range = before === undefined ? '' : `, ${rangeText(before.from, before.until, this.#utc)}`;
    fill(
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
    // Said once, and its button keeps the keyboard.
    const noted = JSON.stringify([error, notes]);
    if (noted === this.#noted) return;
    this.#noted = noted;
    fill(
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

  #draw(state: SeriesState, { look, extent }: Common): void {
    const at = this.#chart?.at;
    this.#chart?.dispose();
    this.#chart = undefined;
    const pairs = pairsOf(state, look.groups && state.groups.length > 0);
    this.#entries = entriesOf(pairs, (name) => !look.hidden.includes(`${this.#id} ${name}`));
    if (state.times.length === 0 || look.table) {
      const nothing =
        state.read === undefined
          ? 'Nothing has been read yet.'
          : state.notes.length > 0
            ? 'There is nothing that could be drawn.'
            : 'No points in this time range with these filters.';
      fill(
        this.#body,
        state.times.length === 0 ? h('div', { class: 'empty' }, nothing) : table(state, pairs, look.utc, this.#place),
      );
      this.#body.querySelector('.scroll')?.scrollTo(this.#place);
      fill(this.#legend);
      return;
    }
    this.#frame.ariaLabel = `${state.label}: chart of ${state.times.length} times. Arrow keys move the cursor, plus and minus zoom, T shows the table.`;
    if (!this.#frame.isConnected) fill(this.#body, this.#frame);
    const drawn = drawnOf(state, this.#entries);
    this.#chart = new Chart({
      element: this.#frame,
      drawn,
      utc: look.utc,
      extent,
      zoom: look.zoom,
      zoomed: this.#options.zoomed,
      cursor: () => {
        this.#showValues();
      },
    });
    this.#showLegend(scalesOf(drawn).without);
    this.moveTo(at);
  }

  #key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9 }[event.key];
    const factor = { '+': 0.5, '=': 0.5, '-': 2 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || this.#chart === undefined) return;
    if (event.key === 'Escape') this.#options.zoomed(null);
    if (factor !== undefined) this.#chart.scale(factor);
    if (by === undefined) return;
    event.preventDefault();
    this.#options.moved(this.#chart.next(by));
    this.#live.textContent = [...this.#legend.children].map(({ textContent }) => textContent).join(', ');
  }

  #showLegend(without: readonly string[]): void {
    const focused = [...this.#legend.querySelectorAll('button')].findIndex((one) => one === document.activeElement);
    const time = h('span');
    this.#values = [time];
    const items = this.#entries.map(({ name, color, dashed, shown }) => {
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
            'aria-pressed': String(shown),
            title: shown ? `Hide ${name}` : `Show ${name}`,
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
    fill(
      this.#legend,
      ...items,
      without.length > 0 && h('li', { class: 'muted' }, note),
      h('li', { class: 'muted' }, time),
    );
    this.#legend.querySelectorAll('button')[focused]?.focus();
    this.#showValues();
  }

  /** At the cursor the values there, to the digit; else the totals. */
  #showValues(): void {
    const { times = [], before, partial = [], beforeTotal } = this.#state ?? {};
    const [time, ...values] = this.#values;
    const at = this.#chart?.at;
    const past = at === undefined ? -1 : (before?.times.indexOf(at) ?? -1);
    const when = before?.when[past];
    const present = at === undefined ? -1 : times.indexOf(at);
    const alone = this.#entries.filter(({ pair }) => pair !== undefined).length === 1;
    if (time !== undefined) {
      const part = at !== undefined && partial.includes(at) ? ', only part of the interval' : '';
      const old = when === undefined ? '' : `, before: ${momentText(when, this.#utc)}`;
      time.textContent = at === undefined ? '' : momentText(at, this.#utc) + part + old;
    }
    this.#entries.forEach(({ pair, dashed }, position) => {
      const place = values[position];
      if (place === undefined) return;
      const old = pair?.old?.values[past] ?? '—';
      if (dashed) {
        const [first] = this.#entries;
        const value = at === undefined ? beforeTotal : (first?.pair?.old?.values[past] ?? '—');
        place.textContent = alone ? (value ?? '') : '';
      } else if (at === undefined) place.textContent = [pair?.now?.total, pair?.now?.change].filter(Boolean).join(' ');
      else
        place.textContent =
          (pair?.now?.values[present] ?? '—') + (alone || pair?.old === undefined ? '' : `, before ${old}`);
    });
  }
}

/** One for each pair, and one for all that is of the period before. */
function entriesOf(pairs: readonly Pair[], isShown: (name: string) => boolean): readonly Entry[] {
  const entries = pairs.map((pair, index): Entry => {
    return { name: pair.name, color: colorAt(index), dashed: false, shown: isShown(pair.name), pair };
  });
  return pairs.some(({ old }) => old !== undefined)
    ? [...entries, { name: PAST, color: colorAt(BEFORE), dashed: true, shown: isShown(PAST), pair: undefined }]
    : entries;
}

function drawnOf({ times, before }: SeriesState, entries: readonly Entry[]): readonly Drawn[] {
  const past = entries.find(({ pair }) => pair === undefined);
  const lines = entries.flatMap(({ pair, color, shown }): Drawn[] =>
    pair?.now === undefined ? [] : [{ line: pair.now, times, color, dashed: false, shown }],
  );
  const ghosts = entries.flatMap(({ pair, color, shown }): Drawn[] => {
    if (pair?.old === undefined || past === undefined || before === undefined) return [];
    // One alone is told from its line by its colour too.
    const own = entries.length > 2 ? color : past.color;
    return [{ line: pair.old, times: before.times, color: own, dashed: true, shown: shown && past.shown }];
  });
  return [...lines, ...ghosts];
}
