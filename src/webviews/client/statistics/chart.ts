import uPlot from 'uplot';
import type { SeriesLine } from '../../protocol/statistics.ts';
import { getTheme, getThemeValue } from '../theme.ts';
import { assignScales, formatShortNumber, getUnit } from './axis.ts';

/** A line with its style. */
export interface ChartLine {
  readonly line: SeriesLine;
  readonly times: readonly number[];
  readonly color: string;
  /** the period before */
  readonly dashed: boolean;
  readonly isVisible: boolean;
}

export interface ChartOptions {
  readonly element: HTMLElement;
  readonly drawn: readonly ChartLine[];
  readonly utc: boolean;
  /** time range of all charts in seconds since the epoch */
  readonly extent: readonly [number, number];
  readonly zoom: readonly [number, number] | null;
  /** called with an index into the chart's times, or null when the cursor leaves */
  readonly cursor: (index: number | null) => void;
  readonly zoomed: (range: [number, number] | null) => void;
}

const HEIGHT = 158;
const DENSE_POINTS = 5000;
/** Widths of a value axis and of its label in pixels. */
const AXIS_WIDTH = 68;
const LABEL_WIDTH = 18;
const SYNC = 'statistics';
// Without charts-orange, which is translucent in the default themes.
const COLORS = [
  'charts-blue',
  'charts-green',
  'charts-yellow',
  'charts-purple',
  'charts-red',
  'terminal-ansiCyan',
  'charts-foreground',
  'charts-lines',
] as const;
/** Color of the period before. */
export const BEFORE_COLOR = 6;

/** A color of the theme for the line at an index. */
export function getColor(index: number): string {
  const name = COLORS[index % COLORS.length] ?? 'charts-blue';
  return getThemeValue(`--vscode-${name}`) || getThemeValue('--vscode-foreground') || 'gray';
}

/** Aligns lines on one time axis, without a value where a line has no point. */
function alignLines(drawn: readonly ChartLine[]): uPlot.AlignedData {
  const [first] = drawn;
  if (first === undefined) return [[]];
  // The usual case: all lines over the same times.
  if (drawn.every(({ times }) => times === first.times)) {
    return [Float64Array.from(first.times), ...drawn.map(({ line }) => parseValues(line))];
  }
  return uPlot.join(
    drawn.map(({ times, line }) => [[...times], parseValues(line)]),
    // 2: null stays a gap.
    drawn.map(() => [2]),
  );
}

const parsed = new WeakMap<SeriesLine, (number | null)[]>();

/** Parses the values of a line, once for all renderings. */
function parseValues(line: SeriesLine): (number | null)[] {
  let found = parsed.get(line);
  if (found === undefined) {
    found = line.values.map((value) => (value === null ? null : parseFloat(value)));
    parsed.set(line, found);
  }
  return found;
}

/** A chart with gaps, a cursor and a zoom shared by all charts. */
export class Chart {
  readonly #options: ChartOptions;
  readonly #plot: uPlot;
  readonly #observer: ResizeObserver;
  #ignoreScale = true;

  constructor(options: ChartOptions) {
    this.#options = options;
    this.#plot = new uPlot(this.#plotOptions(), alignLines(options.drawn), options.element);
    this.zoom(options.zoom);
    this.#observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: HEIGHT });
    });
    this.#observer.observe(options.element);
  }

  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  get times(): ArrayLike<number> {
    return this.#plot.data[0];
  }

  /** Time of the cursor in seconds since the epoch. */
  get cursorTime(): number | undefined {
    const { idx } = this.#plot.cursor;
    return idx === null || idx === undefined ? undefined : this.times[idx];
  }

  /** Time of the visible point `by` points from the cursor. */
  timeFromCursor(by: number): number | undefined {
    const [from, to] = this.#range;
    const visible = Array.from(this.times).filter((time) => time >= from && time <= to);
    const index = this.cursorTime === undefined ? -1 : visible.indexOf(this.cursorTime);
    const start = index < 0 ? (by > 0 ? -1 : visible.length) : index;
    return visible[Math.min(Math.max(start + by, 0), visible.length - 1)];
  }

  /** Moves the cursor to the point nearest to a time, or hides it. */
  moveTo(time: number | undefined): void {
    const { over } = this.#plot;
    const left = time === undefined ? -10 : this.#plot.valToPos(time, 'x');
    this.#plot.setCursor({ left, top: time === undefined ? -10 : over.clientHeight / 2 });
  }

  /** Zooms by a factor around the cursor. */
  scale(factor: number): void {
    const [from, to] = this.#range;
    const [first, last] = this.#options.extent;
    const middle = this.cursorTime ?? (from + to) / 2;
    const [low, high] = [middle - (middle - from) * factor, middle + (to - middle) * factor];
    if (high - low < 60) return;
    const isFull = low <= first && high >= last;
    this.#options.zoomed(isFull ? null : [Math.max(low, first), Math.min(high, last)]);
  }

  /** Shows a time range; `null`: all. */
  zoom(range: readonly [number, number] | null): void {
    const [min, max] = range ?? this.#options.extent;
    this.#ignoreScale = true;
    this.#plot.setScale('x', { min, max });
    // uPlot calls its setScale hook in a microtask.
    queueMicrotask(() => (this.#ignoreScale = false));
  }

  get #range(): readonly [number, number] {
    const { min, max } = this.#plot.scales['x'] ?? {};
    const [first, last] = this.#options.extent;
    return [min ?? first, max ?? last];
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#plot.destroy();
  }

  #plotOptions(): uPlot.Options {
    const { element, drawn, utc, extent } = this.#options;
    const text = getThemeValue('--vscode-foreground');
    const contrast = getTheme().startsWith('high-contrast');
    const lines = contrast ? 'rgb(128 128 128 / 50%)' : 'rgb(128 128 128 / 22%)';
    const font = `11px ${getThemeValue('--vscode-font-family') || 'sans-serif'}`;
    const axis = { stroke: text, font, grid: { stroke: lines, width: 1 }, ticks: { stroke: lines, width: 1, size: 5 } };
    // Thick strokes of many points take ten times as long to draw.
    const dense = drawn.some(({ times }) => times.length > DENSE_POINTS);
    const minInterval = getMinInterval(drawn);
    const dashedCount = drawn.filter(({ dashed }) => dashed).length;
    const { units, axes } = assignScales(drawn);
    const getScale = (unit: string): string => `y${units.indexOf(unit)}`;
    const single = !dense && drawn.filter(({ dashed, isVisible }) => isVisible && !dashed).length === 1;
    return {
      width: Math.max(200, element.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      padding: [8, axes.length > 1 ? 0 : 26, 0, 0],
      tzDate: (seconds) => (utc ? uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000)),
      scales: {
        x: { time: true },
        ...Object.fromEntries(
          units.map((unit) => [
            getScale(unit),
            { range: (_plot: uPlot, min: number, max: number) => getScaleRange(min, max) },
          ]),
        ),
      },
      axes: [
        { ...axis, size: 40, values: TICK_FORMATS, incrs: INCREMENTS.filter((seconds) => seconds >= minInterval) },
        ...axes.map((unit, index): uPlot.Axis => {
          const valueAxis: uPlot.Axis = {
            ...axis,
            scale: getScale(unit),
            space: 24,
            values: (_plot, splits) => splits.map(formatShortNumber),
            // As wide as in the other charts, unless the numbers need more.
            size: (plot, values) =>
              Math.max(unit === '' ? AXIS_WIDTH : AXIS_WIDTH - LABEL_WIDTH, measureWidest(plot, font, values) + 12),
            ...(unit !== '' && { label: unit.slice(0, 16), labelFont: font, labelSize: LABEL_WIDTH }),
          };
          // 1: on the right.
          return index === 0 ? valueAxis : Object.assign(valueAxis, { side: 1, grid: { show: false } });
        }),
      ],
      cursor: {
        sync: { key: SYNC, setSeries: false, scales: ['x', null] },
        y: false,
        drag: { x: true, y: false },
        points: { size: 7 },
        bind: {
          dblclick: () => () => {
            this.#options.zoomed(null);
            return null;
          },
        },
      },
      series: [
        {},
        ...drawn.map(({ line, color, dashed, isVisible }): uPlot.Series => {
          return {
            label: line.name,
            scale: getScale(line.total === '' ? (axes[0] ?? '') : getUnit(line)),
            show: isVisible,
            // Several lines of the period before are dimmed.
            stroke: dashed && dashedCount > 1 && !contrast ? withAlpha(color, 50) : color,
            width: dashed || dense ? 1 : contrast ? 2 : 1.5,
            spanGaps: false,
            ...(dashed && { dash: [4, 4] }),
            ...(single && !dashed && !contrast && { fill: withAlpha(color, 14) }),
            points: { size: 5, fill: color, filter: dashed ? isolatedPoints : pointsToShow },
          };
        }),
      ],
      hooks: {
        setCursor: [
          (plot) => {
            this.#options.cursor(plot.cursor.idx ?? null);
          },
        ],
        setScale: [
          (plot, key) => {
            if (key !== 'x' || this.#ignoreScale) return;
            const { min, max } = plot.scales['x'] ?? {};
            if (min === undefined || max === undefined) return;
            this.#options.zoomed(min <= extent[0] && max >= extent[1] ? null : [min, max]);
          },
        ],
      },
    };
  }
}

/** Points between gaps, which are invisible without a dot. */
const isolatedPoints: uPlot.Series.Points.Filter = (plot, series) => {
  const values = plot.data[series] ?? [];
  const alone: number[] = [];
  const [from, to] = plot.series[0]?.idxs ?? [0, values.length - 1];
  let [before, here] = [values[from - 1] ?? null, values[from] ?? null];
  for (let index = from; index <= to; index++) {
    const after = values[index + 1] ?? null;
    if (here !== null && before === null && after === null) alone.push(index);
    before = here;
    here = after;
  }
  return alone;
};

/** Draws all points if uPlot has room, otherwise isolated ones. */
const pointsToShow: uPlot.Series.Points.Filter = (plot, series, show, gaps) =>
  show ? null : isolatedPoints(plot, series, show, gaps);

/** Value range of a scale, which includes zero so that heights are comparable. */
function getScaleRange(min: number | null, max: number | null): [number, number] {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  if (low === high) return [0, 1];
  const padding = (high - low) * 0.08;
  return [low < 0 ? low - padding : 0, high > 0 ? high + padding : 0];
}

/** Adds an alpha value to a CSS color. */
function withAlpha(color: string, percent: number): string {
  const probe = new Option().style;
  probe.color = color;
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(probe.color);
  return parts === null ? 'transparent' : `rgb(${parts[1] ?? ''} ${parts[2] ?? ''} ${parts[3] ?? ''} / ${percent}%)`;
}

function measureWidest({ ctx }: uPlot, font: string, values: readonly string[] | null): number {
  ctx.save();
  ctx.font = font;
  const width = Math.max(0, ...(values ?? []).map((value) => ctx.measureText(value).width));
  ctx.restore();
  return Math.ceil(width);
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const INCREMENTS = [
  ...[1, 5, 15, 30].flatMap((count) => [count, count * MINUTE]),
  ...[1, 2, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365, 730, 1825, 3650, 36_500].map((days) => days * DAY),
].sort((a, b) => a - b);
/** Shortest time between points in seconds, so that no ticks fall between them. */
function getMinInterval(drawn: readonly ChartLine[]): number {
  let min = Infinity;
  for (const { times } of drawn)
    for (let index = 1; index < Math.min(times.length, DENSE_POINTS); index++)
      min = Math.min(min, (times[index] ?? 0) - (times[index - 1] ?? 0));
  return Number.isFinite(min) ? Math.min(min, 30 * DAY) : 0;
}
/** Formats of ticks, see uPlot's axis.values: minimum distance, text, and suffixes for changes of year, month, day. */
const TICK_FORMATS: uPlot.Axis.DynamicValues | (number | string | null)[][] = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [HOUR, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [MINUTE, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
];
