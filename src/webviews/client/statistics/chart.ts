import uPlot from 'uplot';
import type { SeriesLine } from '../../protocol/statistics.ts';
import { getTheme } from '../theme.ts';
import {
  createAxes,
  getScaleRange,
  hatch,
  isolatedPoints,
  pointsToShow,
  withAlpha,
  type LineStyle,
} from './plot-style.ts';
import { findLineAt, splitIncomplete, stackValues, type Value } from './stack.ts';

/** A visible line with its style. */
export interface ChartLine extends LineStyle {
  readonly line: SeriesLine;
  readonly times: readonly number[];
  /** of the period before */
  readonly isBefore: boolean;
}

interface ChartOptions {
  readonly element: HTMLElement;
  /** those of the period before last */
  readonly lines: readonly ChartLine[];
  readonly unit: string;
  /** draws the lines of this period as areas on top of each other */
  readonly stacked: boolean;
  /** times whose interval is not complete */
  readonly incomplete: readonly number[];
  readonly utc: boolean;
  /** time range in seconds since the epoch */
  readonly extent: readonly [number, number];
  /** called when the cursor moves or leaves */
  readonly moved: () => void;
  /** called with a range that the user dragged over, in seconds since the epoch */
  readonly brushed: (range: readonly [number, number]) => void;
  readonly clicked: () => void;
}

const DENSE_POINTS = 5000;
const SYNC = 'statistics';

interface AlignedLines {
  readonly times: readonly number[];
  /** by line */
  readonly values: readonly Value[][];
}

/** Aligns lines on one time axis. */
export function alignLines(lines: readonly Pick<ChartLine, 'line' | 'times'>[]): AlignedLines {
  const [first] = lines;
  if (first === undefined) return { times: [], values: [] };
  // The usual case: all lines over the same times.
  if (lines.every(({ times }) => times === first.times))
    return { times: first.times, values: lines.map(({ line }) => parseValues(line)) };
  const [times, ...values] = uPlot.join(lines.map(({ times, line }) => [[...times], parseValues(line)]));
  return { times: Array.from(times), values: values.map((column) => Array.from(column)) };
}

const parsed = new WeakMap<SeriesLine, (number | null)[]>();

/** Parses the values of a line, once for all renderings. */
export function parseValues(line: SeriesLine): (number | null)[] {
  let found = parsed.get(line);
  if (found === undefined) {
    found = line.values.map((value) => (value === null ? null : parseFloat(value)));
    parsed.set(line, found);
  }
  return found;
}

const packed = new WeakMap<readonly number[], Float64Array>();

/** Returns times as uPlot takes them, converted once for all renderings. */
function packTimes(times: readonly number[]): Float64Array {
  let found = packed.get(times);
  if (found === undefined) packed.set(times, (found = Float64Array.from(times)));
  return found;
}

/** A chart of one unit, with gaps, incomplete ends, and a cursor shared by all charts. */
export class Chart {
  readonly #options: ChartOptions;
  readonly #plot: uPlot;
  readonly #observer: ResizeObserver;
  /** heights to draw, by line: added up if the lines are stacked */
  readonly #heights: readonly Value[][];
  #wasBrushed = false;

  constructor(options: ChartOptions) {
    this.#options = options;
    const { element, lines, stacked } = options;
    const { times, values } = alignLines(lines);
    // Lines of the period before come last.
    const count = lines.filter(({ isBefore }) => !isBefore).length;
    this.#heights = stacked ? [...stackValues(values.slice(0, count)), ...values.slice(count)] : values;
    const plotted = this.#createPlot(times);
    this.#plot = new uPlot(plotted.options, plotted.data, element);
    this.#plot.over.addEventListener('click', () => {
      if (!this.#wasBrushed && this.lineAtPointer !== undefined) options.clicked();
      this.#wasBrushed = false;
    });
    this.#observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      const size = { width: Math.floor(width), height: Math.floor(height) };
      if (size.width > 0 && size.height > 0 && (size.width !== this.#plot.width || size.height !== this.#plot.height))
        this.#plot.setSize(size);
    });
    this.#observer.observe(element);
  }

  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  get lines(): readonly ChartLine[] {
    return this.#options.lines;
  }

  get #times(): ArrayLike<number> {
    return this.#plot.data[0];
  }

  /** Time of the cursor in seconds since the epoch. */
  get cursorTime(): number | undefined {
    const { idx } = this.#plot.cursor;
    return idx === null || idx === undefined ? undefined : this.#times[idx];
  }

  /** Pixels from the left edge of the element to the cursor. */
  get cursorLeft(): number {
    return this.#plot.over.offsetLeft + (this.#plot.cursor.left ?? 0);
  }

  /** Index of the line under the mouse. */
  get lineAtPointer(): number | undefined {
    const { idx, top } = this.#plot.cursor;
    if (idx === null || idx === undefined || top === undefined || !this.#plot.over.matches(':hover')) return undefined;
    const tops = this.#heights.map((heights) => {
      const height = heights[idx] ?? null;
      return height === null ? null : this.#plot.valToPos(height, 'y');
    });
    const own = this.lines.filter(({ isBefore }) => !isBefore).length;
    const areas = this.#options.stacked || this.#hasFill;
    return findLineAt(tops.slice(0, own), top, areas) ?? findLineAt(tops, top, false);
  }

  /** Time of the point `by` points from the cursor. */
  timeFromCursor(by: number): number | undefined {
    const times = Array.from(this.#times);
    const index = this.cursorTime === undefined ? -1 : times.indexOf(this.cursorTime);
    const start = index < 0 ? (by > 0 ? -1 : times.length) : index;
    return times[Math.min(Math.max(start + by, 0), times.length - 1)];
  }

  /** Moves the cursor to the point nearest to a time, or hides it. */
  moveTo(time: number | undefined): void {
    const { over } = this.#plot;
    const left = time === undefined ? -10 : this.#plot.valToPos(time, 'x');
    this.#plot.setCursor({ left, top: time === undefined ? -10 : over.clientHeight / 2 });
  }

  /** Marks a range, in seconds since the epoch, as selected by keyboard. */
  select(range: readonly [number, number] | undefined): void {
    const [left, right] = (range ?? [0, 0]).map((time) => this.#plot.valToPos(time, 'x'));
    const width = range === undefined ? 0 : Math.max(1, (right ?? 0) - (left ?? 0));
    this.#plot.setSelect({ left: left ?? 0, width, top: 0, height: this.#plot.over.clientHeight }, false);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#plot.destroy();
  }

  /** A line alone is filled down to zero. */
  get #hasFill(): boolean {
    const { lines, stacked } = this.#options;
    return !stacked && !this.#isDense && lines.filter(({ isBefore }) => !isBefore).length === 1;
  }

  // Thick strokes of many points take ten times as long to draw.
  get #isDense(): boolean {
    return this.#options.lines.some(({ times }) => times.length > DENSE_POINTS);
  }

  #createPlot(times: readonly number[]): { readonly options: uPlot.Options; readonly data: uPlot.AlignedData } {
    const { element, lines, stacked, utc, extent, unit } = this.#options;
    const contrast = getTheme().startsWith('high-contrast');
    const ranges = this.#getIncompleteRanges(times);
    const incomplete = new Set(ranges.map(({ index }) => index));
    const beforeCount = lines.filter(({ isBefore }) => isBefore).length;
    const columns: Value[][] = [];
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    const addColumn = (values: Value[], style: uPlot.Series): number => {
      columns.push(values);
      return series.push({ scale: 'y', spanGaps: false, ...style }) - 1;
    };
    let below: readonly number[] = [];
    lines.forEach(({ line, color, dash, isBefore }, index) => {
      const values = this.#heights[index] ?? [];
      const style: uPlot.Series = {
        label: line.name,
        // Several lines of the period before are dimmed.
        stroke: isBefore && beforeCount > 1 && !contrast ? withAlpha(color, 50) : color,
        width: isBefore || this.#isDense ? 1 : contrast ? 2 : 1.5,
        ...(dash !== undefined && { dash: [...dash] }),
        points: { size: 5, fill: color, filter: isBefore ? isolatedPoints : pointsToShow },
      };
      const fill = this.#getFill(color, contrast);
      if (isBefore) addColumn(values, style);
      else {
        const parts = incomplete.size === 0 ? [values] : splitIncomplete(values, incomplete);
        const added = parts.map((part, partIndex) =>
          addColumn(part, {
            ...style,
            ...(fill !== undefined && below.length === 0 && { fill }),
            ...(partIndex > 0 && {
              dash: [2, 3],
              points: { size: 6, fill: 'transparent', stroke: color, width: 1.5, filter: pointsAt(incomplete) },
            }),
          }),
        );
        if (stacked) {
          added.forEach((column, partIndex) => {
            const lower = below[partIndex];
            if (lower !== undefined && fill !== undefined) bands.push({ series: [column, lower], fill });
          });
          below = added;
        }
      }
    });
    const options: uPlot.Options = {
      width: Math.max(100, element.clientWidth),
      height: Math.max(60, element.clientHeight),
      legend: { show: false },
      // Room for half of the last date.
      padding: [8, 28, 0, 0],
      tzDate: (seconds) => (utc ? uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000)),
      scales: {
        x: { time: true, range: () => [extent[0], extent[1]] },
        y: { range: (_plot, min, max) => getScaleRange(min, max) },
      },
      axes: createAxes(unit, utc, getMinInterval(lines)),
      cursor: {
        sync: { key: SYNC, setSeries: false, scales: ['x', null] },
        y: false,
        // A click after a brush is ignored below; one after a tremble of the mouse is not.
        drag: { x: true, y: false, dist: 5, setScale: false, click: () => undefined },
        points: { size: 7 },
        bind: { dblclick: () => null },
      },
      series,
      bands,
      hooks: {
        drawAxes: [
          (plot) => {
            hatch(
              plot,
              ranges.map(({ range }) => range),
            );
          },
        ],
        setCursor: [
          (plot) => {
            plot.over.style.cursor = this.lineAtPointer === undefined ? 'crosshair' : 'pointer';
            this.#options.moved();
          },
        ],
        setSelect: [
          (plot) => {
            this.#onSelected(plot);
          },
        ],
      },
    };
    return { options, data: [packTimes(times), ...columns] };
  }

  #getFill(color: string, contrast: boolean): string | undefined {
    if (this.#options.stacked) return withAlpha(color, contrast ? 55 : 40);
    return this.#hasFill && !contrast ? withAlpha(color, 14) : undefined;
  }

  /** All charts show a selection; the one under the mouse reports it. */
  #onSelected(plot: uPlot): void {
    const { left, width } = plot.select;
    const range = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')] as const;
    const isOwn = plot.cursor.event instanceof MouseEvent;
    // After uPlot has handled the event: the caller may replace the chart.
    queueMicrotask(() => {
      this.select(undefined);
      if (!isOwn || width === 0) return;
      this.#wasBrushed = true;
      this.#options.brushed(range);
    });
  }

  /** The ranges to hatch: up to the point after the first, and from the point before the last. */
  #getIncompleteRanges(times: readonly number[]): { readonly index: number; readonly range: [number, number] }[] {
    const { incomplete, extent, lines } = this.#options;
    const own = lines.find(({ isBefore }) => !isBefore)?.times ?? [];
    if (incomplete.length === 0 || own.length === 0) return [];
    return incomplete.map((time) => ({
      index: times.indexOf(time),
      range: time === own.at(-1) ? [own.at(-2) ?? extent[0], extent[1]] : [extent[0], own[1] ?? extent[1]],
    }));
  }
}

function pointsAt(indices: ReadonlySet<number>): uPlot.Series.Points.Filter {
  return (plot, series) => [...indices].filter((index) => (plot.data[series]?.[index] ?? null) !== null);
}

/** Shortest time between points in seconds, so that no ticks fall between them. */
function getMinInterval(lines: readonly ChartLine[]): number {
  let min = Infinity;
  for (const { times } of lines)
    for (let index = 1; index < Math.min(times.length, DENSE_POINTS); index++)
      min = Math.min(min, (times[index] ?? 0) - (times[index - 1] ?? 0));
  return Number.isFinite(min) ? min : 0;
}
