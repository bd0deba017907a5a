import * as l10n from '@vscode/l10n';
import { formatList } from '../../../platform/text/localization.ts';
import { formatExactAmount } from './amounts.ts';
import { getThemeValue } from '../theme.ts';
import { wrapRows } from './wrap-rows.ts';
import type { Section } from './section.ts';

const MARGIN = 16;
const GAP = 14;
/** height of a line of text */
const ROW = 18;
/** width of a piece of a line, and of that with the space after it */
const STROKE = 20;
const SWATCH = STROKE + 5;
const TITLE = '600 13px';
const SMALL = '11px';

/**
 * Draws the charts with titles, totals and legends as one PNG. Resolves to `undefined` if there is no chart or encoding
 * fails. Never rejects.
 */
export async function createPng(
  title: string,
  sections: readonly Section[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const drawn = sections.flatMap((section) => {
    const canvases = section.charts.map((chart) => chart.canvas);
    return canvases.length === 0 ? [] : [{ section, canvases }];
  });
  if (drawn.length === 0) return undefined;
  const scale = devicePixelRatio;
  const maxWidth = Math.max(...drawn.map(({ canvases }) => getWidth(canvases))) / scale;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  const family = getThemeValue('--vscode-font-family') || 'sans-serif';
  const text = getThemeValue('--vscode-foreground') || 'gray';
  const measure = (label: string, font: string): number => {
    context.font = `${font} ${family}`;
    return context.measureText(label).width;
  };
  const wrapTitle = (line: string): readonly string[] =>
    wrapRows(line.split(' '), maxWidth, measure(' ', TITLE), (word) => measure(word, TITLE)).map((row) =>
      row.join(' '),
    );
  const parts = drawn.map(({ section, canvases }) => {
    const { label = '', sums = [], change, truncated = false } = section.state ?? {};
    const incomplete = section.incompleteText === '' ? undefined : section.incompleteText;
    const more = [change, truncated ? l10n.t('truncated') : undefined, section.staleText, incomplete].filter(
      (text) => text !== undefined,
    );
    const total = sums.map((line) => formatExactAmount(line.total)).join(' + ');
    const title = l10n.t('{0}: {1}', label, total);
    const entries = section.entries.filter(({ isVisible }) => isVisible);
    return {
      canvases,
      chartHeight: Math.max(...canvases.map(({ height }) => height)) / scale,
      titles: wrapTitle(more.length === 0 ? title : `${title} (${formatList(more, 'unit')})`),
      legend: wrapRows(entries, maxWidth, GAP, ({ name }) => SWATCH + measure(name, SMALL)),
    };
  });
  const heading = wrapTitle(title);
  const height = parts.reduce(
    (sum, { chartHeight, titles, legend }) => sum + chartHeight + (titles.length + legend.length) * ROW + 2 * GAP,
    2 * MARGIN + heading.length * ROW,
  );
  canvas.width = Math.ceil((maxWidth + 2 * MARGIN) * scale);
  canvas.height = Math.ceil(height * scale);
  context.scale(scale, scale);
  context.fillStyle = getThemeValue('--vscode-editor-background') || 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  let y = MARGIN;
  const write = (label: string, x: number, font: string): number => {
    const width = measure(label, font);
    context.fillStyle = text;
    // Text that is too long is condensed.
    context.fillText(label, x, y + 12, MARGIN + maxWidth - x);
    return width;
  };
  const writeAll = (all: readonly string[]): void => {
    for (const line of all) {
      write(line, MARGIN, TITLE);
      y += ROW;
    }
  };
  writeAll(heading);
  for (const { canvases, chartHeight, titles, legend } of parts) {
    y += GAP;
    writeAll(titles);
    for (const row of legend) {
      let x = MARGIN;
      for (const { name, swatch } of row) {
        context.strokeStyle = swatch.color;
        context.lineWidth = 3;
        context.setLineDash([...(swatch.dash ?? [])]);
        context.beginPath();
        context.moveTo(x, y + 8);
        context.lineTo(x + STROKE, y + 8);
        context.stroke();
        x += SWATCH + write(name, x + SWATCH, SMALL) + GAP;
      }
      y += ROW;
    }
    let left = MARGIN;
    for (const chart of canvases) {
      context.drawImage(chart, left, y, chart.width / scale, chart.height / scale);
      left += chart.width / scale;
    }
    y += chartHeight + GAP;
  }
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}

function getWidth(canvases: readonly HTMLCanvasElement[]): number {
  return canvases.reduce((sum, { width }) => sum + width, 0);
}
