import { getDisplayLanguage } from '../../../platform/text/localization.ts';
import type uPlot from 'uplot';
import { h } from '../dom.ts';
import { getTheme, getThemeValue } from '../theme.ts';
import { formatShortNumber } from './amounts.ts';
import { findIsolated } from './stack.ts';
import { formatTicks } from './time.ts';

/** Width of the value axis and of its label in pixels. */
const AXIS_WIDTH = 60;
const LABEL_WIDTH = 18;
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

/** Color and dashes of a line: lengths of strokes and gaps in pixels. */
export interface LineStyle {
  readonly color: string;
  readonly dash?: readonly number[];
}

/** Dashes of the period before. */
export const BEFORE_DASH = [4, 4] as const;
/** Those of the lines after the third, whose colors alone are not easy to tell apart. Incomplete ends have shorter ones. */
const DASHES = [
  [12, 3],
  [8, 2, 2, 2],
  [16, 4],
  [8, 2, 2, 2, 2, 2],
  [6, 6],
] as const;
const SOLID_LINES = 3;

/** The style of the line at an index. */
export function getLineStyle(index: number): LineStyle {
  const dash = index < SOLID_LINES ? undefined : DASHES[(index - SOLID_LINES) % DASHES.length];
  return { color: getColor(index), ...(dash !== undefined && { dash }) };
}

/** Creates a piece of a line for legends; empty without a style. */
export function createSwatch(style: LineStyle | undefined): HTMLElement {
  if (style === undefined) return h('span', { class: 'swatch' });
  const { color, dash = [1] } = style;
  let at = 0;
  const stops = dash.map((length, index) => {
    const from = at;
    at += length;
    return `${index % 2 === 0 ? color : 'transparent'} ${String(from)}px ${String(at)}px`;
  });
  return h('span', { class: 'swatch', style: { '--swatch': `repeating-linear-gradient(90deg, ${stops.join(', ')})` } });
}

/** Adds an alpha value to a CSS color. */
export function withAlpha(color: string, percent: number): string {
  const probe = new Option().style;
  probe.color = color;
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(probe.color);
  return parts === null ? 'transparent' : `rgb(${parts[1] ?? ''} ${parts[2] ?? ''} ${parts[3] ?? ''} / ${percent}%)`;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const INCREMENTS = [
  ...[1, 5, 10, 15, 30].flatMap((count) => [count, count * MINUTE]),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365, 730, 1825, 3650, 36_500].map((days) => days * DAY),
].sort((a, b) => a - b);

/** The axes of a chart: time below, values of `unit` on the left. `minInterval`: seconds between points. */
export function createAxes(unit: string, utc: boolean, minInterval: number): uPlot.Axis[] {
  const contrast = getTheme().startsWith('high-contrast');
  const lines = contrast ? 'rgb(128 128 128 / 50%)' : 'rgb(128 128 128 / 22%)';
  const font = `11px ${getThemeValue('--vscode-font-family') || 'sans-serif'}`;
  const common = {
    stroke: getThemeValue('--vscode-foreground'),
    font,
    grid: { stroke: lines, width: 1 },
    ticks: { stroke: lines, width: 1, size: 4 },
  };
  return [
    {
      ...common,
      size: 36,
      space: 70,
      gap: 2,
      incrs: INCREMENTS.filter((seconds) => seconds >= Math.min(minInterval, 30 * DAY)),
      values: (_plot, splits, _axis, _space, increment) => formatTicks(splits, increment, utc),
    },
    {
      ...common,
      scale: 'y',
      space: 24,
      values: (_plot, splits) => splits.map((value) => formatShortNumber(value, getDisplayLanguage(), 4)),
      // As wide as in the other charts, unless the numbers need more.
      size: (plot, values) =>
        Math.max(unit === '' ? AXIS_WIDTH : AXIS_WIDTH - LABEL_WIDTH, measureWidest(plot, font, values) + 12),
      ...(unit !== '' && { label: unit.slice(0, 16), labelFont: font, labelSize: LABEL_WIDTH }),
    },
  ];
}

function measureWidest({ ctx }: uPlot, font: string, values: readonly string[] | null): number {
  ctx.save();
  ctx.font = font;
  const width = Math.max(0, ...(values ?? []).map((value) => ctx.measureText(value).width));
  ctx.restore();
  return Math.ceil(width);
}

/** Hatches the time ranges, in seconds since the epoch, of intervals that are not complete. */
export function hatch(plot: uPlot, ranges: readonly (readonly [number, number])[]): void {
  const { ctx, bbox } = plot;
  const spacing = 7 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = withAlpha(getThemeValue('--vscode-foreground'), getTheme().startsWith('high-contrast') ? 45 : 28);
  ctx.lineWidth = devicePixelRatio;
  for (const [from, until] of ranges) {
    const [left, right] = [from, until].map((time) => plot.valToPos(time, 'x', true));
    if (left === undefined || right === undefined) continue;
    const start = Math.max(left, bbox.left);
    const width = Math.min(right, bbox.left + bbox.width) - start;
    if (width <= 0) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(start, bbox.top, width, bbox.height);
    ctx.clip();
    ctx.beginPath();
    for (let x = start - bbox.height; x < start + width; x += spacing) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
    ctx.restore();
  }
  ctx.restore();
}

/** Points between gaps, which are invisible without a dot. */
export const isolatedPoints: uPlot.Series.Points.Filter = (plot, series) => {
  const values = plot.data[series] ?? [];
  const [from, to] = plot.series[0]?.idxs ?? [0, values.length - 1];
  return findIsolated(values, from, to);
};

/** Draws all points if uPlot has room, otherwise isolated ones. */
export const pointsToShow: uPlot.Series.Points.Filter = (plot, series, show, gaps) =>
  show ? null : isolatedPoints(plot, series, show, gaps);

/** Value range of a scale, which includes zero so that heights are comparable. */
export function getScaleRange(min: number | null, max: number | null): [number, number] {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  if (low === high) return [0, 1];
  const padding = (high - low) * 0.08;
  return [low < 0 ? low - padding : 0, high > 0 ? high + padding : 0];
}
