import * as l10n from '@vscode/l10n';
import type { SeriesLine, SeriesState, ViewOptions } from '../../protocol/statistics.ts';
import { createButton, createNotice, createToolButton } from '../controls.ts';
import { getFocusedElement, h, replaceChildren, replaceControls, update, type Child } from '../dom.ts';
import { formatExactAmount, formatShortAmount, formatTotals } from './amounts.ts';
import { Chart, type ChartActions, type ChartContent } from './chart.ts';
import { createSwatch, getBeforeStyle, getLineStyle, type LineStyle } from './plot-style.ts';
import { renderTable, type TablePosition } from './table.ts';
import { formatClock, formatRange } from './time.ts';

interface SectionActions extends Omit<ChartActions, 'showLogs'> {
  readonly retry: () => void;
  /** shows or hides a line, by its text in `hidden` */
  readonly toggle: (id: string) => void;
  /** shows the action logs of a point: seconds since the epoch */
  readonly showLogs: (series: SeriesState['id'], ...point: Parameters<ChartActions['showLogs']>) => void;
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

/** A line, or the period before of all lines. */
interface LegendEntry {
  /** in `hidden` */
  readonly id: string;
  readonly name: string;
  readonly swatch: LineStyle;
  readonly isVisible: boolean;
  readonly line: SeriesLine | undefined;
}

/** One series: its total, legend, notes, and a chart for each unit or a table. */
export class Section {
  readonly element: HTMLElement;
  readonly #actions: SectionActions;
  readonly #id: SeriesState['id'];
  readonly #head = h('div', { class: 'head' });
  readonly #notes = h('div', { class: 'notes' });
  readonly #body = h('div', { class: 'body' });
  readonly #legend = h('ul', { class: 'legend', 'aria-label': l10n.t('Lines') });
  readonly #tablePosition: TablePosition = { rows: 0, top: 0, left: 0 };
  #charts: readonly Chart[] = [];
  #entries: readonly LegendEntry[] = [];
  #state: SeriesState | undefined;
  #utc = true;
  #renderedKey = '';

  constructor(id: SeriesState['id'], actions: SectionActions) {
    this.#id = id;
    this.#actions = actions;
    const top = h('div', { class: 'top' }, this.#head, this.#legend);
    this.element = h('section', { id }, top, this.#notes, this.#body);
  }

  get canvases(): readonly HTMLCanvasElement[] {
    return this.#charts.flatMap(({ canvas }) => canvas ?? []);
  }
  get entries(): readonly LegendEntry[] {
    return this.#entries;
  }

  /** The series, its totals and what is to know about them in one line. */
  get title(): string {
    const { label = '', sums = [], truncated = false } = this.#state ?? {};
    const more = [getChange(sums), truncated && l10n.t('truncated'), this.#staleText, this.#incompleteText];
    const title = l10n.t('{0}: {1}', label, formatTotals(sums, 'now', true));
    return [title, ...more].filter((text) => text !== undefined && text !== false && text !== '').join(' · ');
  }

  /** `force`: renders again although nothing but colors changed. */
  show(state: SeriesState, { viewOptions, reading, extent }: SectionContext, force: boolean): void {
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
    const lines = groups && state.groups.length > 0 ? state.groups : state.sums;
    this.#entries = buildLegend(lines, (id) => !hidden.includes(`${this.#id} ${id}`));
    const isChart = state.times.length > 0 && !asTable;
    this.#showCharts(isChart ? buildContents(state, this.#entries, utc, extent) : []);
    if (!isChart) this.#showTable(state, lines, utc);
    this.#showLegend(isChart);
    if (focused && !this.#body.contains(document.activeElement))
      this.#body.querySelector<HTMLElement>('[tabindex]')?.focus();
  }

  moveTo(time: number | undefined): void {
    for (const chart of this.#charts) chart.moveTo(time);
  }

  /** Why the values are not current, and when they were read. */
  get #staleText(): string | undefined {
    const { readAt: read, stale, outdatedControls } = this.#state ?? {};
    if (read === undefined || (stale !== true && outdatedControls !== true)) return undefined;
    const time = formatClock(read, this.#utc);
    return outdatedControls === true
      ? l10n.t('Not up to date (updated {0} with other settings)', time)
      : l10n.t('Not up to date (updated {0})', time);
  }

  /** What the hatched ends of the chart mean; empty if there are none. */
  get #incompleteText(): string {
    const { partial = [], running } = this.#state ?? {};
    const isCurrent = running !== undefined && partial.includes(running);
    if (partial.some((time) => time !== running))
      return isCurrent ? l10n.t('Incomplete: first and current interval') : l10n.t('Incomplete: first interval');
    return isCurrent ? l10n.t('Incomplete: current interval') : '';
  }

  #showHead({ label, sums, previous, readAt }: SeriesState, reading: boolean): void {
    const total = formatTotals(sums, 'now');
    const change = getChange(sums);
    const age = this.#staleText;
    const before = formatTotals(sums, 'before') || l10n.t('no points');
    replaceChildren(
      this.#head,
      h('h2', {}, label),
      total !== '' && h('span', { class: 'total', title: formatTotals(sums, 'now', true) }, total),
      change !== undefined && h('strong', {}, change),
      previous !== undefined &&
        h(
          'span',
          { class: 'muted', title: formatTotals(sums, 'before', true) },
          l10n.t('Previous period: {0} ({1})', before, formatRange(previous.from, previous.until, this.#utc)),
        ),
      age !== undefined && h('span', { class: 'age' }, age),
      readAt === undefined && reading && h('span', { class: 'muted' }, l10n.t('Loading…')),
    );
  }

  #showNotes({ error, notes }: SeriesState): void {
    update(this.#notes, [error, notes], () => [
      error !== undefined && createErrorNotice(error, this.#actions.retry),
      ...notes.map((text) => createNotice({ text, tone: 'warning' })),
    ]);
  }

  #showTable(state: SeriesState, lines: readonly SeriesLine[], utc: boolean): void {
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
        : renderTable(state, lines, { utc, dateOnly: isDateOnly(state, utc) }, this.#tablePosition),
    );
    this.#body.querySelector('.scroll')?.scrollTo(this.#tablePosition);
  }

  /** Charts of the same number stay, and keep the focus. */
  #showCharts(contents: readonly ChartContent[]): void {
    if (this.#charts.length !== contents.length) {
      for (const chart of this.#charts) chart.dispose();
      const { showLogs, ...actions } = this.#actions;
      this.#charts = contents.map(
        () => new Chart({ ...actions, showLogs: (...point) => showLogs(this.#id, ...point) }),
      );
      replaceChildren(this.#body, ...this.#charts.map(({ element }) => element));
    }
    contents.forEach((content, index) => this.#charts[index]?.show(content));
  }

  #showLegend(isChart: boolean): void {
    // A single line has its total in the heading.
    const alone = this.#entries.filter(({ line }) => line !== undefined).length === 1;
    const items = this.#entries.map(({ id, name, swatch, isVisible, line }) => {
      const { total = '', unit = '', change } = (alone ? undefined : line) ?? {};
      const value = [formatShortAmount(total, unit), change].filter(Boolean).join(' ');
      return h(
        'li',
        {},
        createButton(
          {
            class: 'tool',
            isPressed: isVisible,
            title: formatToggleTitle(name, total === '' ? '' : formatExactAmount(total, unit), isVisible),
            onClick: () => this.#actions.toggle(`${this.#id} ${id}`),
          },
          createSwatch(swatch),
          h('bdi', {}, name),
          value !== '' && ' ',
          value !== '' && h('span', {}, value),
        ),
      );
    });
    const incomplete = this.#incompleteText;
    if (incomplete !== '') items.push(h('li', { class: 'muted' }, h('span', { class: 'hatched' }), incomplete));
    replaceControls(this.#legend, () => (isChart ? items : []));
  }
}

/** Creates the notice of an error with a button that reads again, and `button` before it. */
export function createErrorNotice(text: string, retry: () => void, button?: Child): HTMLElement {
  const retryButton = createToolButton({ label: l10n.t('Retry'), onClick: retry });
  return createNotice({ text, tone: 'error', role: 'alert' }, button, retryButton);
}

/** The change of all keys together. Different units have none in common. */
function getChange(sums: readonly SeriesLine[]): string | undefined {
  return sums.length === 1 ? sums[0]?.change : undefined;
}

function formatToggleTitle(name: string, total: string, isVisible: boolean): string {
  if (total === '') return isVisible ? l10n.t('Hide {0}', name) : l10n.t('Show {0}', name);
  return isVisible ? l10n.t('Hide {0}: {1}', name, total) : l10n.t('Show {0}: {1}', name, total);
}

/** Builds a legend entry for each line, and one for the period before. */
function buildLegend(lines: readonly SeriesLine[], isShown: (id: string) => boolean): readonly LegendEntry[] {
  const entries = lines.map((line, index): LegendEntry => {
    const { id, name } = line;
    return { id, name, swatch: getLineStyle(index), isVisible: isShown(id), line };
  });
  if (lines.every(({ before }) => (before?.total ?? '') === '')) return entries;
  const name = l10n.t('Previous period');
  const isVisible = isShown(BEFORE_ID);
  return [...entries, { id: BEFORE_ID, name, swatch: getBeforeStyle(), isVisible, line: undefined }];
}

/** Builds what to draw: a chart for each unit, since different units have no common scale. */
function buildContents(
  state: SeriesState,
  entries: readonly LegendEntry[],
  utc: boolean,
  extent: readonly [number, number],
): readonly ChartContent[] {
  const { label, times, previous, partial, running, sums } = state;
  const showsBefore = entries.some(({ line, isVisible }) => line === undefined && isVisible);
  const rows = entries.flatMap(({ line, ...entry }) => (line === undefined ? [] : [{ ...entry, line }]));
  const units = [...new Set(rows.map(({ line }) => line.unit))];
  return units.map((unit) => ({
    label: units.length === 1 ? label : unit === '' ? l10n.t('{0} (no unit)', label) : `${label} (${unit})`,
    unit,
    rows: rows.filter(({ isVisible, line }) => isVisible && line.unit === unit),
    // Not comparable with some of the lines.
    sum: rows.every(({ isVisible }) => isVisible) ? sums.find((line) => line.unit === unit) : undefined,
    times,
    timesBefore: showsBefore ? previous?.times : undefined,
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
  return utc && [...times, ...(previous?.times ?? [])].every((time) => (time ?? 0) % DAY === 0);
}
