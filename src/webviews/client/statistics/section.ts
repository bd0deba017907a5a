import * as l10n from '@vscode/l10n';
import type { SeriesState, ViewOptions } from '../../protocol/statistics.ts';
import { replaceChildren, getFocusedElement, h } from '../dom.ts';
import { formatExactAmount, formatShortAmount, getUnit } from './amounts.ts';
import { ChartFrame, type FrameActions, type FrameContent } from './chart-frame.ts';
import type { Chart } from './chart.ts';
import { pairLines, type LinePair } from './line-pairs.ts';
import { BEFORE_COLOR, BEFORE_DASH, createSwatch, getColor, getLineStyle, type LineStyle } from './plot-style.ts';
import { renderTable, type TablePosition } from './table.ts';
import { formatClock, formatRange } from './time.ts';

interface SectionOptions extends Omit<FrameActions, 'showLogs'> {
  readonly retry: () => void;
  /** shows or hides a line, by its text in `hidden` */
  readonly toggle: (id: string) => void;
  /** shows the action logs of a point: seconds since the epoch */
  readonly showLogs: (series: SeriesState['id'], time: number, isBefore: boolean, key: string | undefined) => void;
}

/** What all sections have in common. */
interface SectionContext {
  readonly viewOptions: ViewOptions;
  readonly reading: boolean;
  /** time range of all charts in seconds since the epoch */
  readonly extent: readonly [number, number];
}

/** Id of the period before in `hidden`; no line has this kind. */
const BEFORE_ID = 'previous ';
const DAY = 86_400;

interface LegendEntry {
  /** in `hidden` */
  readonly id: string;
  readonly name: string;
  readonly swatch: LineStyle;
  readonly isVisible: boolean;
  readonly pair: LinePair | undefined;
}

/** One series: its total, legend, notes, and a chart for each unit or a table. */
export class Section {
  readonly element: HTMLElement;
  readonly #options: SectionOptions;
  readonly #id: SeriesState['id'];
  readonly #head = h('div', { class: 'head' });
  readonly #notes = h('div', { class: 'notes' });
  readonly #body = h('div', { class: 'body' });
  readonly #frames: ChartFrame[] = [];
  readonly #legend = h('ul', { class: 'legend', 'aria-label': l10n.t('Lines') });
  readonly #tablePosition: TablePosition = { page: 0, top: 0, left: 0 };
  #charts: readonly ChartFrame[] = [];
  #entries: readonly LegendEntry[] = [];
  #state: SeriesState | undefined;
  #utc = true;
  #renderedNotes = '';
  #renderedKey = '';

  constructor(id: SeriesState['id'], options: SectionOptions) {
    this.#id = id;
    this.#options = options;
    const top = h('div', { class: 'top' }, this.#head, this.#legend);
    this.element = h('section', { id }, top, this.#notes, this.#body);
  }

  get charts(): readonly Chart[] {
    return this.#charts.flatMap(({ chart }) => chart ?? []);
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
    const hidden = viewOptions.hidden.filter((id) => id.startsWith(`${this.#id} `));
    // Renders only changes, so that polling does not disturb the chart.
    const names = state.groups.map(({ name }) => name);
    const key = JSON.stringify([asTable, groups, utc, state.readAt ?? 0, state.times.length, names, extent, hidden]);
    if (key === this.#renderedKey && !force) return;
    this.#renderedKey = key;
    const focused = this.#body.contains(getFocusedElement() ?? null);
    this.#render(state, common);
    if (focused && !this.#body.contains(document.activeElement))
      this.#body.querySelector<HTMLElement>('[tabindex]')?.focus();
  }

  moveTo(time: number | undefined): void {
    for (const frame of this.#charts) frame.moveTo(time);
  }

  /** Why the values are not current, and when they were read. */
  get staleText(): string | undefined {
    const { readAt: read, stale, outdatedControls } = this.#state ?? {};
    if (read === undefined || (stale !== true && outdatedControls !== true)) return undefined;
    const time = formatClock(read, this.#utc);
    return outdatedControls === true
      ? l10n.t('Not up to date (updated {0} with other settings)', time)
      : l10n.t('Not up to date (updated {0})', time);
  }

  /** What the hatched ends of the chart mean; empty if there are none. */
  get incompleteText(): string {
    const { partial = [], running } = this.#state ?? {};
    const isCurrent = running !== undefined && partial.includes(running);
    if (partial.some((time) => time !== running))
      return isCurrent ? l10n.t('Incomplete: first and current interval') : l10n.t('Incomplete: first interval');
    return isCurrent ? l10n.t('Incomplete: current interval') : '';
  }

  #showHead(
    { label, sums, change, previous: before, previousTotal, readAt: read }: SeriesState,
    reading: boolean,
  ): void {
    const { staleText: age } = this;
    const [total, past] = [sums, before?.sums ?? []].map((lines) => ({
      short: lines.map(({ total }) => formatShortAmount(total)).join(' + '),
      exact: lines.map(({ total }) => formatExactAmount(total)).join(' + '),
    }));
    const pastText = past === undefined || past.short === '' ? l10n.t('no points') : past.short;
    const pastTotal =
      before === undefined
        ? l10n.t('Previous period: {0}', pastText)
        : l10n.t('Previous period: {0} ({1})', pastText, formatRange(before.from, before.until, this.#utc));
    replaceChildren(
      this.#head,
      h('h2', {}, label),
      total !== undefined && total.short !== '' && h('span', { class: 'total', title: total.exact }, total.short),
      change !== undefined && h('strong', {}, change),
      previousTotal !== undefined && h('span', { class: 'muted', title: past?.exact }, pastTotal),
      age !== undefined && h('span', { class: 'age' }, age),
      read === undefined && reading && h('span', { class: 'muted' }, l10n.t('Loading…')),
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
          h('button', { type: 'button', class: 'tool', on: { click: this.#options.retry } }, l10n.t('Retry')),
        ),
      ...notes.map((note) => h('div', { class: 'notice', 'data-tone': 'warning' }, note)),
    );
  }

  #render(state: SeriesState, { viewOptions, extent }: SectionContext): void {
    const pairs = pairLines(state, viewOptions.groups && state.groups.length > 0);
    this.#entries = buildLegend(pairs, (id) => !viewOptions.hidden.includes(`${this.#id} ${id}`));
    if (state.times.length === 0 || viewOptions.table) {
      this.#showCharts([]);
      this.#showTable(state, pairs, viewOptions.utc);
      replaceChildren(this.#legend);
      return;
    }
    this.#showCharts(buildContents(state, this.#entries, viewOptions.utc, extent));
    this.#showLegend();
  }

  #showTable(state: SeriesState, pairs: readonly LinePair[], utc: boolean): void {
    const emptyText =
      state.readAt === undefined
        ? l10n.t('No data loaded.')
        : state.notes.length > 0
          ? l10n.t('No points to show.')
          : l10n.t('No points match the time range and filters.');
    replaceChildren(
      this.#body,
      state.times.length === 0
        ? h('div', { class: 'empty' }, emptyText)
        : renderTable(state, pairs, { utc, dateOnly: isDateOnly(state, utc) }, this.#tablePosition),
    );
    this.#body.querySelector('.scroll')?.scrollTo(this.#tablePosition);
  }

  #showCharts(contents: readonly FrameContent[]): void {
    while (this.#frames.length < contents.length) this.#frames.push(this.#createFrame());
    this.#charts = this.#frames.slice(0, contents.length);
    for (const frame of this.#frames.slice(contents.length)) frame.dispose();
    if (contents.length === 0) return;
    const shown = [...this.#body.children];
    // Attached elements stay, and keep the focus.
    if (shown.length !== contents.length || this.#charts.some(({ element }, index) => element !== shown[index]))
      replaceChildren(this.#body, ...this.#charts.map(({ element }) => element));
    contents.forEach((content, index) => this.#charts[index]?.show(content));
  }

  #createFrame(): ChartFrame {
    const { moved, zoomed, showLogs } = this.#options;
    return new ChartFrame({
      moved,
      zoomed,
      showLogs: (time, isBefore, key) => {
        showLogs(this.#id, time, isBefore, key);
      },
    });
  }

  #showLegend(): void {
    const focused = [...this.#legend.querySelectorAll('button')].findIndex((button) => button === getFocusedElement());
    const alone = this.#entries.filter(({ pair }) => pair !== undefined).length === 1;
    const items = this.#entries.map(({ id, name, swatch, isVisible, pair }) => {
      const { total = '', change } = pair?.now ?? {};
      // A single line has its total in the heading.
      const value = alone ? '' : [formatShortAmount(total), change].filter(Boolean).join(' ');
      const exact = total === '' || alone ? '' : formatExactAmount(total);
      return h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'tool',
            'aria-pressed': String(isVisible),
            title: formatToggleTitle(name, exact, isVisible),
            on: {
              click: () => {
                this.#options.toggle(`${this.#id} ${id}`);
              },
            },
          },
          createSwatch(swatch),
          h('bdi', {}, name),
          value !== '' && ' ',
          value !== '' && h('span', {}, value),
        ),
      );
    });
    const { incompleteText } = this;
    replaceChildren(
      this.#legend,
      ...items,
      incompleteText !== '' && h('li', { class: 'muted' }, h('span', { class: 'hatched' }), incompleteText),
    );
    this.#legend.querySelectorAll('button')[focused]?.focus();
  }
}

function formatToggleTitle(name: string, total: string, isVisible: boolean): string {
  if (total === '') return isVisible ? l10n.t('Hide {0}', name) : l10n.t('Show {0}', name);
  return isVisible ? l10n.t('Hide {0}: {1}', name, total) : l10n.t('Show {0}: {1}', name, total);
}

/** Builds a legend entry for each pair, and one for the period before. */
function buildLegend(pairs: readonly LinePair[], isShown: (id: string) => boolean): readonly LegendEntry[] {
  const entries = pairs.map((pair, index): LegendEntry => {
    const { id, name } = pair;
    return { id, name, swatch: getLineStyle(index), isVisible: isShown(id), pair };
  });
  if (pairs.every(({ before }) => before === undefined)) return entries;
  return [
    ...entries,
    {
      id: BEFORE_ID,
      name: l10n.t('Previous period'),
      swatch: { color: getColor(BEFORE_COLOR), dash: BEFORE_DASH },
      isVisible: isShown(BEFORE_ID),
      pair: undefined,
    },
  ];
}

/** Builds what to draw: a chart for each unit, since different units have no common scale. */
function buildContents(
  state: SeriesState,
  entries: readonly LegendEntry[],
  utc: boolean,
  extent: readonly [number, number],
): readonly FrameContent[] {
  const { label, times, previous, partial, running } = state;
  const showsBefore = entries.some(({ pair, isVisible }) => pair === undefined && isVisible);
  const pairs = entries.flatMap(({ pair, ...entry }) => (pair === undefined ? [] : [{ ...entry, pair }]));
  const findUnit = ({ now, before }: LinePair): string =>
    getUnit(now ?? before ?? { id: '', name: '', values: [], total: '' });
  const units = [...new Set(pairs.map(({ pair }) => findUnit(pair)))];
  const sums = pairLines(state, false);
  return units.map((unit) => ({
    label: units.length > 1 ? (unit === '' ? l10n.t('{0} (no unit)', label) : `${label} (${unit})`) : label,
    unit,
    rows: pairs
      .filter(({ pair, isVisible }) => isVisible && findUnit(pair) === unit)
      .map(({ name, swatch, pair }) => ({ name, swatch, now: pair.now, before: pair.before })),
    // Not comparable with some of the lines.
    sum: pairs.some(({ isVisible }) => !isVisible) ? undefined : sums.find((pair) => findUnit(pair) === unit),
    times,
    before: showsBefore ? previous : undefined,
    incomplete: partial,
    describeIncomplete: (time) => {
      if (!partial.includes(time)) return undefined;
      return time === running
        ? l10n.t('Incomplete: this interval is still in progress.')
        : l10n.t('Incomplete: only part of this interval is in the time range.');
    },
    utc,
    dateOnly: isDateOnly(state, utc),
    extent,
  }));
}

/** True if all points are at midnight, so that the time of day need not be shown. */
function isDateOnly({ times, previous }: SeriesState, utc: boolean): boolean {
  return utc && [...times, ...(previous?.originalTimes ?? [])].every((time) => time % DAY === 0);
}
