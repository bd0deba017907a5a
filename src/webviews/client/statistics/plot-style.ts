import { getDisplayLanguage } from '../../../platform/text/localization.ts';
import type uPlot from 'uplot';
import { h } from '../dom.ts';
import { getTheme, getThemeValue } from '../theme.ts';
import { formatShortNumber } from './amounts.ts';
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
];
/** Those of the lines after the third, whose colors alone are not easy to tell apart. */
const DASHES = [
  [12, 3],
  [8, 2, 2, 2],
  [16, 4],
  [8, 2, 2, 2, 2, 2],
  [6, 6],
] as const;
const SOLID_LINES = 3;

/** Color and dashes of a line: lengths of strokes and gaps in pixels. */
export interface LineStyle {
  readonly color: string;
  readonly dash?: readonly number[];
}

/** The style of the line at an index, in a color of the theme. */
export function getLineStyle(index: number): LineStyle {
  const color = getThemeValue(`--vscode-${COLORS[index % COLORS.length] ?? ''}`);
  const dash = index < SOLID_LINES ? undefined : DASHES[(index - SOLID_LINES) % DASHES.length];
  return {
    color: color || getThemeValue('--vscode-foreground') || 'gray',
    ...(dash !== undefined && { dash }),
  };
}

/** The style of the period before, alone. */
export function getBeforeStyle(): LineStyle {
  return { color: getLineStyle(6).color, dash: [4, 4] };
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

/** Makes a CSS color translucent. */
export function withAlpha(color: string, percent: number): string {
  return `rgb(from ${color} r g b / ${String(percent)}%)`;
}

/** The axes of a chart: time below, values of `unit` on the left. `step`: seconds between points, so that no ticks fall between them. */
export function createAxes(unit: string, utc: boolean, step: number): uPlot.Axis[] {
  const lines = withAlpha('gray', getTheme().startsWith('high-contrast') ? 50 : 22);
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
      // No tick falls between two points.
      space: (_plot, _axis, min, max, width) => Math.max(70, (width * step) / (max - min)),
      gap: 2,
      values: (_plot, splits, _axis, _space, increment) => formatTicks(splits, increment, utc),
    },
    {
      ...common,
      scale: 'y',
      space: 24,
      values: (_plot, splits) => splits.map((value) => formatShortNumber(value, getDisplayLanguage(), 4)),
      size: (_plot, values) => getAxisWidth(unit, values),
      ...(unit !== '' && { label: unit.slice(0, 16), labelFont: font, labelSize: LABEL_WIDTH }),
    },
  ];
}

/** As wide as in the other charts, unless the numbers need more: a digit has about 7 pixels. uPlot first calls it without values. */
function getAxisWidth(unit: string, values: readonly string[] | null): number {
  return Math.max(AXIS_WIDTH - (unit === '' ? 0 : LABEL_WIDTH), ...(values ?? []).map(({ length }) => length * 7 + 12));
}

/** Hatches time ranges, in seconds since the epoch. */
export function hatch(plot: uPlot, ranges: readonly (readonly [number, number])[]): void {
  if (ranges.length === 0) return;
  const { ctx, bbox } = plot;
  const tile = new OffscreenCanvas(8, 8);
  const stripes = tile.getContext('2d');
  if (stripes === null) return;
  stripes.strokeStyle = withAlpha(
    getThemeValue('--vscode-foreground'),
    getTheme().startsWith('high-contrast') ? 45 : 28,
  );
  // The corners too, so that the tiles join.
  for (const x of [-8, 0, 8]) {
    stripes.moveTo(x - 1, 9);
    stripes.lineTo(x + 9, -1);
  }
  stripes.stroke();
  ctx.save();
  ctx.fillStyle = ctx.createPattern(tile, 'repeat') ?? '';
  for (const range of ranges) {
    const [from = 0, until = 0] = range.map((time) =>
      Math.min(Math.max(plot.valToPos(time, 'x', true), bbox.left), bbox.left + bbox.width),
    );
    ctx.fillRect(from, bbox.top, until - from, bbox.height);
  }
  ctx.restore();
}
