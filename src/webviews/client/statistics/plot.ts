import uPlot from 'uplot';
import type { SeriesLine } from '../../protocol/statistics.ts';
import { getTheme } from '../theme.ts';
import { createAxes, hatch, withAlpha, type LineStyle } from './plot-style.ts';
import { findIsolated, getDistance, stackValues, type Values } from './stack.ts';
import { getIncompleteRanges, getStep } from './time.ts';
import { getOrAdd } from '../../../platform/get-or-add.ts';

/** A visible line with its style. */
export interface PlotLine extends LineStyle {
  readonly line: SeriesLine;
  /** draws the period before */
  readonly isBefore: boolean;
}

export interface PlotOptions {
  readonly element: HTMLElement;
  /** seconds since the epoch, ascending */
  readonly times: number[];
  /** those of the period before last */
  readonly lines: readonly PlotLine[];
  readonly unit: string;
  /** draws the lines of this period as areas on top of each other */
  readonly stacked: boolean;
  /** times whose interval is not complete: the first, the last, or both */
  readonly incomplete: readonly number[];
  readonly utc: boolean;
  /** time range in seconds since the epoch */
  readonly extent: readonly [number, number];
  /** called when the cursor moves or leaves, with the index of the line near it */
  readonly moved: (line: number | undefined) => void;
  /** called with a range that the user dragged over, in seconds since the epoch */
  readonly brushed: (range: readonly [number, number]) => void;
  /** called with the index of the line near the mouse */
  readonly clicked: (line: number) => void;
}

const DENSE_POINTS = 5000;
const parsed = new WeakMap<readonly (string | null)[], (number | null)[]>();

/** Parses exact values, once for all renderings. */
export function parseValues(values: readonly (string | null)[]): (number | null)[] {
  return getOrAdd(parsed, values, () => values.map((value) => (value === null ? null : parseFloat(value))));
}

/** Draws a chart of one unit, with gaps and hatched incomplete ends. All charts have one cursor. */
export function createPlot(options: PlotOptions): uPlot {
  const { element, times, lines, stacked, incomplete, utc, extent, unit } = options;
  const contrast = getTheme().startsWith('high-contrast');
  const values: Values[] = lines.map(({ line, isBefore }) =>
    parseValues((isBefore ? line.before : line)?.values ?? []),
  );
  const count = lines.filter(({ isBefore }) => !isBefore).length;
  const heights = stacked ? [...stackValues(values.slice(0, count)), ...values.slice(count)] : values;
  // Thick strokes of many points take ten times as long to draw.
  const isDense = times.length > DENSE_POINTS;
  // A line alone is filled down to zero.
  const isFilled = !stacked && !isDense && count === 1;
  const isArea = (index: number): boolean => (stacked || isFilled) && index < count;
  const getFill = (color: string): string | undefined => {
    if (stacked) return withAlpha(color, contrast ? 55 : 40);
    return isFilled && !contrast ? withAlpha(color, 14) : undefined;
  };
  const series = lines.map(({ line, color, dash, isBefore }, index): uPlot.Series => {
    const fill = isBefore || (stacked && index > 0) ? undefined : getFill(color);
    return {
      label: line.name,
      // Several lines of the period before are dimmed.
      stroke: isBefore && lines.length - count > 1 && !contrast ? withAlpha(color, 50) : color,
      width: isBefore || isDense ? 1 : contrast ? 2 : 1.5,
      ...(dash !== undefined && { dash: [...dash] }),
      ...(fill !== undefined && { fill }),
      points: {
        size: 5,
        fill: color,
        filter: (plot, index, show) => (show && !isBefore ? null : findIsolated(plot.data[index] ?? [])),
      },
    };
  });
  const bands = stacked
    ? lines.slice(1, count).map(({ color }, index): uPlot.Band => {
        const fill = getFill(color);
        return { series: [index + 2, index + 1], ...(fill !== undefined && { fill }) };
      })
    : [];
  /** the line near the mouse */
  let near: number | undefined;
  let wasBrushed = false;
  const plot = new uPlot(
    {
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
      axes: createAxes(unit, utc, getStep(times.slice(0, DENSE_POINTS))),
      focus: { alpha: 1 },
      cursor: {
        sync: { key: 'statistics', setSeries: false, scales: ['x', null] },
        y: false,
        // A click after a brush is ignored below; one after a tremble of the mouse is not.
        drag: { x: true, y: false, dist: 5, setScale: false, click: () => undefined },
        focus: { prox: 1e6, dist: (_plot, index, _data, top, y) => getDistance(top, y, isArea(index - 1)) },
        points: { size: 7 },
        bind: { dblclick: () => null },
      },
      series: [{}, ...series],
      bands,
      hooks: {
        drawAxes: [(plot) => hatch(plot, getIncompleteRanges(incomplete, times, extent))],
        setSeries: [
          (_plot, index) => {
            near = index === null ? undefined : index - 1;
          },
        ],
        setCursor: [
          ({ over }) => {
            const line = over.matches(':hover') ? near : undefined;
            over.style.cursor = line === undefined ? 'crosshair' : 'pointer';
            options.moved(line);
          },
        ],
        // All charts show a selection; the one under the mouse reports it.
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            const range = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')] as const;
            const isOwn = plot.cursor.event instanceof MouseEvent;
            // After uPlot has handled the event: the caller may replace the chart.
            queueMicrotask(() => {
              select(plot, undefined);
              if (!isOwn || width === 0) return;
              wasBrushed = true;
              options.brushed(range);
            });
          },
        ],
      },
    },
    [times, ...heights],
    element,
  );
  plot.over.addEventListener('click', () => {
    if (!wasBrushed && near !== undefined) options.clicked(near);
    wasBrushed = false;
  });
  const observer = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    const size = { width: Math.floor(width), height: Math.floor(height) };
    if (size.width > 0 && size.height > 0 && (size.width !== plot.width || size.height !== plot.height))
      plot.setSize(size);
  });
  observer.observe(element);
  plot.hooks.destroy = [() => observer.disconnect()];
  return plot;
}

/** Marks a range, in seconds since the epoch. */
export function select(plot: uPlot, range: readonly [number, number] | undefined): void {
  const [left = 0, right = 0] = (range ?? []).map((time) => plot.valToPos(time, 'x'));
  const width = range === undefined ? 0 : Math.max(1, right - left);
  plot.setSelect({ left, width, top: 0, height: plot.over.clientHeight }, false);
}

/** Value range of a scale, which includes zero so that heights are comparable. */
function getScaleRange(min: number | null, max: number | null): [number, number] {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  if (low === high) return [0, 1];
  const padding = (high - low) * 0.08;
  return [low < 0 ? low - padding : 0, high > 0 ? high + padding : 0];
}
