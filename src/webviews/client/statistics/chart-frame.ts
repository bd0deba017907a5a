import * as l10n from '@vscode/l10n';
import { pluralize } from '../../../platform/text/localization.ts';
import type { SeriesLine } from '../../protocol/statistics.ts';
import { replaceChildren, h } from '../dom.ts';
import { formatExactAmount } from './amounts.ts';
import { Chart, parseValues, type ChartLine } from './chart.ts';
import { BEFORE_COLOR, BEFORE_DASH, createSwatch, getColor, type LineStyle } from './plot-style.ts';
import { canStack } from './stack.ts';
import { formatTime } from './time.ts';

/** A name with its lines in this period and the one before. */
interface FrameRow {
  readonly name: string;
  readonly swatch: LineStyle;
  readonly now: SeriesLine | undefined;
  readonly before: SeriesLine | undefined;
}

/** What a chart shows: the visible lines of one unit. */
export interface FrameContent {
  readonly label: string;
  readonly unit: string;
  readonly rows: readonly FrameRow[];
  /** all rows together */
  readonly sum: { readonly now: SeriesLine | undefined; readonly before: SeriesLine | undefined } | undefined;
  /** seconds since the epoch */
  readonly times: readonly number[];
  readonly before: { readonly times: readonly number[]; readonly originalTimes: readonly number[] } | undefined;
  readonly incomplete: readonly number[];
  /** formats why the interval at a time is not complete; `undefined` if it is */
  readonly describeIncomplete: (time: number) => string | undefined;
  readonly utc: boolean;
  readonly dateOnly: boolean;
  readonly extent: readonly [number, number];
}

export interface FrameActions {
  /** moves the cursor of all charts: seconds since the epoch */
  readonly moved: (time: number | undefined) => void;
  /** zooms into a range in seconds since the epoch; null: back */
  readonly zoomed: (range: readonly [number, number] | null) => void;
  /** shows the action logs of a point: seconds since the epoch; `isBefore`: of the period before */
  readonly showLogs: (time: number, isBefore: boolean, key: string | undefined) => void;
}

interface TooltipRow {
  readonly name: string;
  readonly swatch: LineStyle | undefined;
  readonly line: SeriesLine | undefined;
  readonly value: string;
  readonly before: string | undefined;
}

/** Focusable chart with keyboard navigation, tooltip and screen-reader announcements. */
export class ChartFrame {
  // Permanent, since it can have the focus while its chart is replaced.
  readonly element: HTMLElement;
  readonly #actions: FrameActions;
  readonly #plot = h('div', { class: 'plot' });
  readonly #tooltip = h('div', { class: 'tooltip', 'aria-hidden': 'true', hidden: true });
  readonly #liveRegion = h('span', { class: 'visually-hidden', role: 'status' });
  #content: FrameContent | undefined;
  #chart: Chart | undefined;
  /** line chosen with the arrow keys */
  #chosen: number | undefined;
  /** where a selection by keyboard began */
  #anchor: number | undefined;

  constructor(actions: FrameActions) {
    this.#actions = actions;
    this.element = h(
      'div',
      {
        class: 'chart',
        tabindex: 0,
        role: 'application',
        'aria-roledescription': l10n.t('chart'),
        on: {
          keydown: (event) => {
            this.#onKeydown(event);
          },
          blur: () => {
            this.#unselect();
            actions.moved(undefined);
          },
        },
      },
      this.#plot,
      this.#tooltip,
      this.#liveRegion,
    );
  }

  get chart(): Chart | undefined {
    return this.#chart;
  }

  /** Replaces the chart; the cursor stays. */
  show(content: FrameContent): void {
    const at = this.#chart?.cursorTime;
    this.dispose();
    this.#content = content;
    this.element.ariaLabel = formatAccessibleName(content);
    const { unit, incomplete, utc, extent } = content;
    this.#chart = new Chart({
      element: this.#plot,
      ...buildLines(content),
      unit,
      incomplete,
      utc,
      extent,
      moved: () => {
        this.#showTooltip();
      },
      brushed: this.#actions.zoomed,
      clicked: () => {
        this.#showLogs(this.#chart?.lineAtPointer);
      },
    });
    // uPlot sets its scales in a microtask.
    queueMicrotask(() => {
      this.moveTo(at);
    });
  }

  moveTo(time: number | undefined): void {
    this.#chart?.moveTo(time);
  }

  dispose(): void {
    this.#chart?.dispose();
    this.#chart = undefined;
    this.#anchor = undefined;
    this.#tooltip.hidden = true;
  }

  #onKeydown(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const chart = this.#chart;
    if (event.ctrlKey || event.metaKey || event.altKey || chart === undefined) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9 }[key];
    const line = { ArrowUp: 1, ArrowDown: -1 }[key];
    const factor = { '+': 0.5, '=': 0.5, '-': 2 }[key];
    if (key === 'Escape' && this.#anchor !== undefined) {
      this.#unselect();
      event.stopPropagation();
    } else if (key === 'Enter') this.#onEnter();
    else if (factor !== undefined) this.#zoomBy(factor);
    else if (by !== undefined) {
      if (!shiftKey) this.#unselect();
      else this.#anchor ??= chart.cursorTime ?? chart.timeFromCursor(by);
      this.#actions.moved(chart.timeFromCursor(by));
      chart.select(this.#selection);
    } else if (line !== undefined) {
      const { length } = chart.lines;
      // From no line, up is the first and down the last.
      this.#chosen = length === 0 ? undefined : ((this.#chosen ?? (line > 0 ? -1 : length)) + line + length) % length;
      // The value of the line is that at the cursor.
      if (chart.cursorTime === undefined) this.#actions.moved(chart.timeFromCursor(-1));
      this.#showTooltip();
    } else return;
    event.preventDefault();
    this.#announce();
  }

  #onEnter(): void {
    const selection = this.#selection;
    if (selection === undefined) {
      this.#showLogs(this.#chosen);
      return;
    }
    this.#unselect();
    this.#actions.zoomed(selection);
  }

  /** The range selected by keyboard, up to the end of its last interval. */
  get #selection(): readonly [number, number] | undefined {
    const time = this.#chart?.cursorTime;
    if (this.#anchor === undefined || time === undefined) return undefined;
    const { times = [] } = this.#content ?? {};
    const last = Math.max(this.#anchor, time);
    const index = times.indexOf(last);
    const step = (times[index + 1] ?? last) - last || last - (times[index - 1] ?? last);
    return [Math.min(this.#anchor, time), last + step];
  }

  #unselect(): void {
    this.#anchor = undefined;
    this.#chart?.select(undefined);
  }

  #zoomBy(factor: number): void {
    const [from, until] = this.#content?.extent ?? [0, 0];
    const middle = this.#chart?.cursorTime ?? (from + until) / 2;
    this.#actions.zoomed([middle - (middle - from) * factor, middle + (until - middle) * factor]);
  }

  #showLogs(index: number | undefined): void {
    const time = this.#chart?.cursorTime;
    const { before } = this.#content ?? {};
    if (time === undefined) return;
    const line = index === undefined ? undefined : this.#chart?.lines[index];
    const original = line?.isBefore === true ? before?.originalTimes[before.times.indexOf(time)] : undefined;
    this.#actions.showLogs(original ?? time, original !== undefined, line?.line.key);
  }

  /** Tells screen readers the selected range, the chosen line with its value, or all values at the cursor. */
  #announce(): void {
    const { utc = true, dateOnly = false } = this.#content ?? {};
    const selection = this.#selection;
    this.#liveRegion.textContent =
      selection === undefined
        ? (this.#formatChosenLine() ?? [...this.#tooltip.children].map(({ textContent }) => textContent).join(', '))
        : l10n.t(
            'Selected: {0} – {1}. Press Enter to zoom in.',
            formatTime(selection[0], utc, dateOnly),
            formatTime(selection[1], utc, dateOnly),
          );
  }

  #formatChosenLine(): string | undefined {
    const time = this.#chart?.cursorTime;
    const chosen = this.#chosen === undefined ? undefined : this.#chart?.lines[this.#chosen];
    const content = this.#content;
    if (time === undefined || chosen === undefined || content === undefined) return undefined;
    const { line, times, isBefore } = chosen;
    return l10n.t(
      '{0}: {1}, {2}. Press Enter to show the action logs.',
      isBefore ? l10n.t('{0} (previous period)', line.name) : line.name,
      formatValue(line.values[times.indexOf(time)]),
      formatTime(time, content.utc, content.dateOnly),
    );
  }

  #showTooltip(): void {
    const time = this.#chart?.cursorTime;
    const content = this.#content;
    this.#tooltip.hidden = time === undefined || content === undefined;
    if (time === undefined || content === undefined || this.#chart === undefined) return;
    const isFocused = this.element.matches(':focus-visible');
    const pointed = this.#chart.lineAtPointer ?? (isFocused ? this.#chosen : undefined);
    const active = pointed === undefined ? undefined : this.#chart.lines[pointed]?.line;
    const { before, utc, dateOnly } = content;
    const original = before?.originalTimes[before.times.indexOf(time)];
    const reason = content.describeIncomplete(time);
    const hint = isFocused ? l10n.t('Press Enter to show the action logs.') : l10n.t('Click to show the action logs.');
    replaceChildren(
      this.#tooltip,
      h('div', { class: 'when' }, formatTime(time, utc, dateOnly)),
      reason !== undefined && h('div', { class: 'incomplete' }, reason),
      ...this.#getRows(content, time, isFocused || this.#plot.matches(':hover')).map((row) =>
        h(
          'div',
          { class: 'row', 'data-active': row.line !== undefined && row.line === active },
          createSwatch(row.swatch),
          h('bdi', {}, row.name),
          ' ',
          h('span', { class: 'value' }, row.value),
          h('span', { class: 'muted' }, row.before !== undefined && ` ${l10n.t('(previous: {0})', row.before)}`),
        ),
      ),
      original !== undefined &&
        h('div', { class: 'muted' }, l10n.t('Previous: {0}', formatTime(original, utc, dateOnly))),
      (active !== undefined || isFocused) && h('div', { class: 'muted' }, hint),
    );
    this.#placeTooltip(this.#chart.cursorLeft);
  }

  /** `isActive`: all rows; the other charts show their sum, so that tooltips hide little. */
  #getRows({ rows, sum, times, before }: FrameContent, time: number, isActive: boolean): readonly TooltipRow[] {
    const [index, past] = [times.indexOf(time), before?.times.indexOf(time) ?? -1];
    const all = rows.length > 1 && sum !== undefined ? [{ ...sum, name: l10n.t('Total'), swatch: undefined }] : [];
    const shown = isActive || all.length === 0 ? rows : [];
    return [...shown, ...all].map(({ name, swatch, now, before: old }) => ({
      name,
      swatch,
      line: now,
      value: formatValue(now?.values[index]),
      before: before === undefined ? undefined : formatValue(old?.values[past]),
    }));
  }

  // Fixed, so that it neither scrolls nor enlarges the page.
  #placeTooltip(cursor: number): void {
    const frame = this.element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#tooltip;
    const right = frame.left + cursor + 14;
    const left = right + width > innerWidth - 4 ? frame.left + cursor - 14 - width : right;
    this.#tooltip.style.left = `${String(Math.max(4, left))}px`;
    this.#tooltip.style.top = `${String(Math.max(4, Math.min(frame.top + 6, innerHeight - height - 4)))}px`;
  }
}

function formatValue(value: string | null | undefined): string {
  return value === undefined || value === null ? '—' : formatExactAmount(value);
}

/** Formats the label of a chart with its keys, for screen readers. */
function formatAccessibleName({ label, times }: FrameContent): string {
  const name = pluralize(
    times.length,
    l10n.t('{1}: chart with {0} point in time.|{1}: chart with {0} points in time.'),
    label,
  );
  const keys = l10n.t(
    'Use the left and right arrow keys to move the cursor, the up and down arrow keys to select a line, and Enter to show the action logs. Use Shift with an arrow key to select a range, plus and minus to zoom, Escape to reset the zoom, and T to show the table.',
  );
  return `${name} ${keys}`;
}

/** Builds the lines to draw. Several keys are stacked if possible; the period before is then one line, their sum. */
function buildLines({ rows, sum, times, before }: FrameContent): {
  readonly lines: readonly ChartLine[];
  readonly stacked: boolean;
} {
  const lines = rows.flatMap(({ now, swatch }): ChartLine[] =>
    now === undefined ? [] : [{ line: now, times, ...swatch, isBefore: false }],
  );
  const stacked = canStack(lines.map(({ line }) => parseValues(line)));
  if (before === undefined) return { lines, stacked };
  const single = { color: getColor(BEFORE_COLOR), line: stacked ? sum?.before : rows[0]?.before };
  const old =
    stacked || rows.length === 1 ? [single] : rows.map(({ before: line, swatch: { color } }) => ({ line, color }));
  return {
    lines: [
      ...lines,
      ...old.flatMap(({ line, color }): ChartLine[] =>
        line === undefined ? [] : [{ line, times: before.times, color, dash: BEFORE_DASH, isBefore: true }],
      ),
    ],
    stacked,
  };
}
