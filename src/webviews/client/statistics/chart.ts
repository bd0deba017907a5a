/** One chart: uPlot with the theme's colours, gaps as gaps, a cursor that all charts share, and zoom by dragging. */
import uPlot from 'uplot';
import type { Line } from '../../protocol-statistics.ts';
import { theme, themeValue } from '../kit.ts';
import { scalesOf, shortNumber, unitOf } from './axis.ts';

/** A line as it is drawn. */
export interface Drawn {
  readonly line: Line;
  readonly times: readonly number[];
  readonly color: string;
  /** the period before */
  readonly dashed: boolean;
  readonly shown: boolean;
}

export interface ChartOptions {
  readonly element: HTMLElement;
  readonly drawn: readonly Drawn[];
  readonly utc: boolean;
  /** seconds: the range of all charts, so that one time stands at one place in each */
  readonly extent: readonly [number, number];
  readonly zoom: readonly [number, number] | null;
  /** index into the chart's own times, or null: the cursor has left */
  readonly cursor: (index: number | null) => void;
  readonly zoomed: (range: [number, number] | null) => void;
}

const HEIGHT = 158;
const DENSE = 5000;
/** Pixels of a value axis, and of its unit beside it. */
const WIDE = 68;
const LABEL = 18;
const SYNC = 'statistics';
// Not the theme's orange for charts, which is half transparent.
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
/** of the period before */
export const BEFORE = 6;

export function colorAt(index: number): string {
  const name = COLORS[index % COLORS.length] ?? 'charts-blue';
  return themeValue(`--vscode-${name}`) || themeValue('--vscode-foreground') || 'gray';
}

/** One time axis for all lines; a line without a point at a time has none there. */
export function align(drawn: readonly Drawn[]): uPlot.AlignedData {
  const [first] = drawn;
  if (first === undefined) return [[]];
  // The usual case: all lines over the same times.
  if (drawn.every(({ times }) => times === first.times)) {
    return [Float64Array.from(first.times), ...drawn.map(({ line }) => numbers(line))];
  }
  return uPlot.join(
    drawn.map(({ times, line }) => [[...times], numbers(line)]),
    // 2: what was null stays a gap; 1: a time that only other lines have is none.
    drawn.map(() => [2]),
  );
}

const parsed = new WeakMap<Line, (number | null)[]>();

/** As exact as pixels need. Once a line: a theme or a toggle draws the same numbers again. */
function numbers(line: Line): (number | null)[] {
  let found = parsed.get(line);
  if (found === undefined) {
    found = line.values.map((value) => (value === null ? null : parseFloat(value)));
    parsed.set(line, found);
  }
  return found;
}

export class Chart {
  readonly #options: ChartOptions;
  readonly #plot: uPlot;
  readonly #observer: ResizeObserver;
  #quiet = true;

  constructor(options: ChartOptions) {
    this.#options = options;
    this.#plot = new uPlot(this.#plotOptions(), align(options.drawn), options.element);
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

  /** seconds, where the cursor is */
  get at(): number | undefined {
    const { idx } = this.#plot.cursor;
    return idx === null || idx === undefined ? undefined : this.times[idx];
  }

  /** The time so many points of what is shown from the cursor. */
  next(by: number): number | undefined {
    const [from, to] = this.#range;
    const shown = Array.from(this.times).filter((time) => time >= from && time <= to);
    const index = this.at === undefined ? -1 : shown.indexOf(this.at);
    const start = index < 0 ? (by > 0 ? -1 : shown.length) : index;
    return shown[Math.min(Math.max(start + by, 0), shown.length - 1)];
  }

  /** The cursor goes to that time, in seconds, or the nearest to it; without one it goes away. */
  moveTo(time: number | undefined): void {
    const { over } = this.#plot;
    const left = time === undefined ? -10 : this.#plot.valToPos(time, 'x');
    this.#plot.setCursor({ left, top: time === undefined ? -10 : over.clientHeight / 2 });
  }

  /** Half or twice as much time, around the cursor. */
  scale(factor: number): void {
    const [from, to] = this.#range;
    const [first, last] = this.#options.extent;
    const middle = this.at ?? (from + to) / 2;
    const [low, high] = [middle - (middle - from) * factor, middle + (to - middle) * factor];
    if (high - low < 60) return;
    const whole = low <= first && high >= last;
    this.#options.zoomed(whole ? null : [Math.max(low, first), Math.min(high, last)]);
  }

  /** The same range for all charts; `null`: everything. */
  zoom(range: readonly [number, number] | null): void {
    const [min, max] = range ?? this.#options.extent;
    this.#quiet = true;
    this.#plot.setScale('x', { min, max });
    // uPlot tells of its scales in a microtask of its own.
    queueMicrotask(() => (this.#quiet = false));
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
    const text = themeValue('--vscode-foreground');
    const contrast = theme().startsWith('high-contrast');
    const lines = contrast ? 'rgb(128 128 128 / 50%)' : 'rgb(128 128 128 / 22%)';
    const font = `11px ${themeValue('--vscode-font-family') || 'sans-serif'}`;
    const axis = { stroke: text, font, grid: { stroke: lines, width: 1 }, ticks: { stroke: lines, width: 1, size: 5 } };
    // So many points fill their own area, and thick strokes of theirs take ten times as long.
    const dense = drawn.some(({ times }) => times.length > DENSE);
    const beat = shortest(drawn);
    const ghosts = drawn.filter(({ dashed }) => dashed).length;
    const { units, axes } = scalesOf(drawn);
    const scaleOf = (unit: string): string => `y${units.indexOf(unit)}`;
    const single = !dense && drawn.filter(({ dashed, shown }) => shown && !dashed).length === 1;
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
            scaleOf(unit),
            { range: (_plot: uPlot, min: number, max: number) => rangeOf(min, max) },
          ]),
        ),
      },
      axes: [
        { ...axis, size: 40, values: TIMES, incrs: INCREMENTS.filter((seconds) => seconds >= beat) },
        ...axes.map((unit, index): uPlot.Axis => {
          const made: uPlot.Axis = {
            ...axis,
            scale: scaleOf(unit),
            space: 24,
            values: (_plot, splits) => splits.map(shortNumber),
            // As wide as those of the other charts, where the numbers have room.
            size: (plot, values) => Math.max(unit === '' ? WIDE : WIDE - LABEL, widest(plot, font, values) + 12),
            ...(unit !== '' && { label: unit.slice(0, 16), labelFont: font, labelSize: LABEL }),
          };
          // 1: on the right.
          return index === 0 ? made : Object.assign(made, { side: 1, grid: { show: false } });
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
        ...drawn.map(({ line, color, dashed, shown }): uPlot.Series => {
          return {
            label: line.name,
            scale: scaleOf(line.total === '' ? (axes[0] ?? '') : unitOf(line)),
            show: shown,
            // Among several, what is past steps back.
            stroke: dashed && ghosts > 1 && !contrast ? faint(color, 50) : color,
            width: dashed || dense ? 1 : contrast ? 2 : 1.5,
            spanGaps: false,
            ...(dashed && { dash: [4, 4] }),
            ...(single && !dashed && !contrast && { fill: faint(color, 14) }),
            points: { size: 5, fill: color, filter: dashed ? alonePoints : pointsToShow },
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
            if (key !== 'x' || this.#quiet) return;
            const { min, max } = plot.scales['x'] ?? {};
            if (min === undefined || max === undefined) return;
            this.#options.zoomed(min <= extent[0] && max >= extent[1] ? null : [min, max]);
          },
        ],
      },
    };
  }
}

/** Points that stand alone between gaps would not be seen without a dot. */
const alonePoints: uPlot.Series.Points.Filter = (plot, series) => {
  const values = plot.data[series] ?? [];
  const alone: number[] = [];
  const [from, to] = plot.series[0]?.idxs ?? [0, values.length - 1];
  // Looked at once each; there may be a hundred thousand.
  let [before, here] = [values[from - 1] ?? null, values[from] ?? null];
  for (let index = from; index <= to; index++) {
    const after = values[index + 1] ?? null;
    if (here !== null && before === null && after === null) alone.push(index);
    before = here;
    here = after;
  }
  return alone;
};

/** Others have one where there is room. */
const pointsToShow: uPlot.Series.Points.Filter = (plot, series, show, gaps) =>
  show ? null : alonePoints(plot, series, show, gaps);

/** From zero, for amounts are compared by their height. */
function rangeOf(min: number | null, max: number | null): [number, number] {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  if (low === high) return [0, 1];
  const room = (high - low) * 0.08;
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
}

/** The canvas takes hex colours of themes only with an alpha of their own. */
function faint(color: string, percent: number): string {
  const probe = new Option().style;
  probe.color = color;
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(probe.color);
  return parts === null ? 'transparent' : `rgb(${parts[1] ?? ''} ${parts[2] ?? ''} ${parts[3] ?? ''} / ${percent}%)`;
}

function widest({ ctx }: uPlot, font: string, values: readonly string[] | null): number {
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
/** No ticks between the points; months are told by their shortest. */
function shortest(drawn: readonly Drawn[]): number {
  let least = Infinity;
  for (const { times } of drawn)
    for (let index = 1; index < Math.min(times.length, DENSE); index++)
      least = Math.min(least, (times[index] ?? 0) - (times[index - 1] ?? 0));
  return Number.isFinite(least) ? Math.min(least, 30 * DAY) : 0;
}
/** Ticks as uPlot takes them: distance, text, and what is added when year, month, day … change. */
const TIMES: uPlot.Axis.DynamicValues | (number | string | null)[][] = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [HOUR, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [MINUTE, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
];
