import * as l10n from '@vscode/l10n';
import type uPlot from 'uplot';
import { pluralize } from '../../../platform/text/localization.ts';
import type { SeriesLine } from '../../protocol/statistics.ts';
import { replaceChildren, h } from '../dom.ts';
import { formatRoundedAmount } from './amounts.ts';
import { createPlot, parseValues, select, type PlotLine, type PlotOptions } from './plot.ts';
import { createSwatch, getBeforeStyle, type LineStyle } from './plot-style.ts';
import { canStack } from './stack.ts';
import { formatTime } from './time.ts';

/** What a chart shows: the visible lines of one unit. */
export interface ChartContent extends Pick<PlotOptions, 'times' | 'unit' | 'incomplete' | 'utc' | 'extent'> {
  readonly label: string;
  readonly rows: readonly { readonly line: SeriesLine; readonly swatch: LineStyle }[];
  /** all rows together */
  readonly sum: SeriesLine | undefined;
  /** the time of the period before at each time, if it is shown */
  readonly timesBefore: readonly (number | null)[] | undefined;
  /** formats why the interval at a time is not complete; `undefined` if it is */
  readonly describeIncomplete: (time: number) => string | undefined;
  readonly dateOnly: boolean;
}

export interface ChartActions {
  /** moves the cursor of all charts: seconds since the epoch */
  readonly moved: (time: number | undefined) => void;
  /** zooms into a range in seconds since the epoch */
  readonly zoomed: (range: readonly [number, number]) => void;
  /** shows the action logs of a point: seconds since the epoch; `isBefore`: of the period before */
  readonly showLogs: (time: number, isBefore: boolean, key: string | undefined) => void;
}

interface Shown {
  readonly plot: uPlot;
  readonly lines: readonly PlotLine[];
  readonly content: ChartContent;
}

/** Focusable chart with keyboard navigation, tooltip and screen-reader announcements. */
export class Chart {
  // Permanent, since it can have the focus while its plot is replaced.
  readonly element: HTMLElement;
  readonly #actions: ChartActions;
  readonly #plotElement = h('div', { class: 'plot' });
  readonly #tooltip = h('div', { class: 'tooltip', 'aria-hidden': 'true', hidden: true });
  readonly #liveRegion = h('span', { class: 'visually-hidden', role: 'status' });
  #shown: Shown | undefined;
  /** index of the line chosen with the arrow keys */
  #chosen: number | undefined;
  /** index of the time at which a selection by keyboard began */
  #anchor: number | undefined;

  constructor(actions: ChartActions) {
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
            if (this.#shown !== undefined) this.#onKeydown(event, this.#shown);
          },
          blur: () => {
            this.#unselect();
            actions.moved(undefined);
          },
        },
      },
      this.#plotElement,
      this.#tooltip,
      this.#liveRegion,
    );
  }

  get canvas(): HTMLCanvasElement | undefined {
    return this.#shown?.plot.ctx.canvas;
  }

  /** Replaces the plot; the cursor stays. */
  show(content: ChartContent): void {
    const cursor = this.#cursor;
    const time = cursor === undefined ? undefined : this.#shown?.content.times[cursor];
    this.dispose();
    this.element.ariaLabel = formatAccessibleName(content);
    const shape = buildLines(content);
    const plot = createPlot({
      ...content,
      ...shape,
      element: this.#plotElement,
      moved: (line) => this.#showTooltip(line),
      brushed: this.#actions.zoomed,
      clicked: (line) => this.#showLogs(line),
    });
    this.#shown = { plot, lines: shape.lines, content };
    // uPlot sets its scales in a microtask.
    queueMicrotask(() => this.moveTo(time));
  }

  /** Moves the cursor to the point nearest to a time in seconds since the epoch, or hides it. */
  moveTo(time: number | undefined): void {
    const plot = this.#shown?.plot;
    if (time === undefined) plot?.setCursor({ left: -10, top: -10 });
    else plot?.setCursor({ left: plot.valToPos(time, 'x'), top: plot.over.clientHeight / 2 });
  }

  dispose(): void {
    this.#shown?.plot.destroy();
    this.#shown = undefined;
    this.#anchor = undefined;
    this.#tooltip.hidden = true;
  }

  /** Index of the time at the cursor. */
  get #cursor(): number | undefined {
    return this.#shown?.plot.cursor.idx ?? undefined;
  }

  #onKeydown(event: KeyboardEvent, { plot, lines: { length }, content: { times, extent } }: Shown): void {
    const { key, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9 }[key];
    const line = { ArrowUp: 1, ArrowDown: -1 }[key];
    const factor = { '+': 0.5, '=': 0.5, '-': 2 }[key];
    const cursor = this.#cursor;
    const move = (steps: number): number => {
      const to = (cursor ?? (steps > 0 ? -1 : times.length)) + steps;
      const index = Math.min(Math.max(to, 0), times.length - 1);
      this.#actions.moved(times[index]);
      return index;
    };
    if (key === 'Escape' && this.#anchor !== undefined) {
      this.#unselect();
      event.stopPropagation();
    } else if (key === 'Enter') this.#onEnter();
    else if (factor !== undefined) {
      const middle = times[cursor ?? -1] ?? (extent[0] + extent[1]) / 2;
      this.#actions.zoomed([middle - (middle - extent[0]) * factor, middle + (extent[1] - middle) * factor]);
    } else if (by !== undefined) {
      const index = move(by);
      if (!shiftKey) this.#unselect();
      else this.#anchor ??= cursor ?? index;
      select(plot, this.#selection);
    } else if (line !== undefined) {
      // From no line, up is the first and down the last.
      this.#chosen = length === 0 ? undefined : ((this.#chosen ?? (line > 0 ? -1 : length)) + line + length) % length;
      // The value of the line is that at the cursor.
      if (cursor === undefined) move(-1);
      this.#showTooltip(undefined);
    } else return;
    event.preventDefault();
    this.#announce();
  }

  #onEnter(): void {
    const selection = this.#selection;
    this.#unselect();
    if (selection === undefined) this.#showLogs(this.#chosen);
    else this.#actions.zoomed(selection);
  }

  /** The range selected by keyboard in seconds since the epoch, up to the end of its last interval. */
  get #selection(): readonly [number, number] | undefined {
    const cursor = this.#cursor;
    const times = this.#shown?.content.times ?? [];
    if (this.#anchor === undefined || cursor === undefined) return undefined;
    const last = Math.max(this.#anchor, cursor);
    const [from = 0, until = 0] = [times[Math.min(this.#anchor, cursor)], times[last]];
    return [from, times[last + 1] ?? until + (until - (times[last - 1] ?? until))];
  }

  #unselect(): void {
    this.#anchor = undefined;
    if (this.#shown !== undefined) select(this.#shown.plot, undefined);
  }

  #showLogs(index: number | undefined): void {
    const cursor = this.#cursor;
    const { lines = [], content } = this.#shown ?? {};
    const time = content?.times[cursor ?? -1];
    if (cursor === undefined || time === undefined) return;
    const { isBefore = false, line } = lines[index ?? -1] ?? {};
    const original = isBefore ? content?.timesBefore?.[cursor] : undefined;
    this.#actions.showLogs(original ?? time, isBefore, line?.key);
  }

  /** Tells screen readers the selected range, the chosen line with its value, or all values at the cursor. */
  #announce(): void {
    const { utc = true, dateOnly = false } = this.#shown?.content ?? {};
    const [from, until] = this.#selection?.map((time) => formatTime(time, utc, dateOnly)) ?? [];
    this.#liveRegion.textContent =
      from === undefined || until === undefined
        ? (this.#formatChosenLine() ?? [...this.#tooltip.children].map(({ textContent }) => textContent).join(', '))
        : l10n.t('Selected: {0} – {1}. Press Enter to zoom in.', from, until);
  }

  #formatChosenLine(): string | undefined {
    const cursor = this.#cursor;
    const chosen = this.#shown?.lines[this.#chosen ?? -1];
    const { times = [], utc = true, dateOnly = false } = this.#shown?.content ?? {};
    const time = times[cursor ?? -1];
    if (cursor === undefined || time === undefined || chosen === undefined) return undefined;
    const { line, isBefore } = chosen;
    return l10n.t(
      '{0}: {1}, {2}. Press Enter to show the action logs.',
      isBefore ? l10n.t('{0} (previous period)', line.name) : line.name,
      formatRoundedAmount((isBefore ? line.before : line)?.values[cursor], line.unit),
      formatTime(time, utc, dateOnly),
    );
  }

  /** `pointed`: index of the line near the mouse. */
  #showTooltip(pointed: number | undefined): void {
    const cursor = this.#cursor;
    const shown = this.#shown;
    const time = shown?.content.times[cursor ?? -1];
    this.#tooltip.hidden = time === undefined;
    if (cursor === undefined || shown === undefined || time === undefined) return;
    const { lines, content, plot } = shown;
    const { rows, sum, timesBefore, utc, dateOnly } = content;
    const isFocused = this.element.matches(':focus-visible');
    const active = lines[pointed ?? (isFocused ? this.#chosen : undefined) ?? -1]?.line;
    const original = timesBefore?.[cursor] ?? undefined;
    const reason = content.describeIncomplete(time);
    const hint = isFocused ? l10n.t('Press Enter to show the action logs.') : l10n.t('Click to show the action logs.');
    const total = rows.length > 1 && sum !== undefined ? [{ line: sum, swatch: undefined }] : [];
    // The other charts show their sum, so that tooltips hide little.
    const isActive = isFocused || this.#plotElement.matches(':hover') || total.length === 0;
    replaceChildren(
      this.#tooltip,
      h('div', { class: 'when' }, formatTime(time, utc, dateOnly)),
      reason !== undefined && h('div', { class: 'incomplete' }, reason),
      ...[...(isActive ? rows : []), ...total].map(({ line, swatch }) => {
        const before = formatRoundedAmount(line.before?.values[cursor], line.unit);
        return h(
          'div',
          { class: 'row', 'data-active': line === active },
          createSwatch(swatch),
          h('bdi', {}, swatch === undefined ? l10n.t('Total') : line.name),
          ' ',
          h('span', { class: 'value' }, formatRoundedAmount(line.values[cursor], line.unit)),
          h('span', { class: 'muted' }, timesBefore !== undefined && ` ${l10n.t('(previous: {0})', before)}`),
        );
      }),
      original !== undefined &&
        h('div', { class: 'muted' }, l10n.t('Previous: {0}', formatTime(original, utc, dateOnly))),
      (active !== undefined || isFocused) && h('div', { class: 'muted' }, hint),
    );
    this.#placeTooltip(plot.over.offsetLeft + (plot.cursor.left ?? 0));
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

/** Formats the label of a chart with its keys, for screen readers. */
function formatAccessibleName({ label, times }: ChartContent): string {
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
function buildLines({ rows, sum, timesBefore }: ChartContent): Pick<PlotOptions, 'lines' | 'stacked'> {
  const lines = rows.map(({ line, swatch }): PlotLine => ({ line, ...swatch, isBefore: false }));
  const stacked = canStack(rows.map(({ line }) => parseValues(line.values)));
  const style = getBeforeStyle();
  const single = stacked ? sum : rows.length === 1 ? rows[0]?.line : undefined;
  const before = single === undefined ? (stacked ? [] : rows) : [{ line: single, swatch: style }];
  return {
    lines: [
      ...lines,
      ...(timesBefore === undefined ? [] : before).map(({ line, swatch }): PlotLine => ({
        ...style,
        color: swatch.color,
        line,
        isBefore: true,
      })),
    ],
    stacked,
  };
}
