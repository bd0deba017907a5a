/** The charts as one PNG: titles, totals and legends drawn around what is on the screen. */
import { themeValue } from '../kit.ts';
import { rowsOf } from './rows.ts';
import type { Section } from './section.ts';

const MARGIN = 16;
const GAP = 14;
/** of text */
const ROW = 18;
const SWATCH = 17;
const TITLE = '600 13px';
const SMALL = '11px';

/** `undefined` where there is no chart, or the browser makes no picture. */
export async function picture(
  title: string,
  sections: readonly Section[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const charts = sections.flatMap((section) =>
    section.chart === undefined ? [] : [{ section, canvas: section.chart.canvas }],
  );
  if (charts.length === 0) return undefined;
  const scale = devicePixelRatio;
  const room = Math.max(...charts.map(({ canvas }) => canvas.width)) / scale;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  const family = themeValue('--vscode-font-family') || 'sans-serif';
  const text = themeValue('--vscode-foreground') || 'gray';
  const widthOf = (words: string, font: string): number => {
    context.font = `${font} ${family}`;
    return context.measureText(words).width;
  };
  const lines = (words: string): readonly string[] =>
    rowsOf(words.split(' '), room, widthOf(' ', TITLE), (word) => widthOf(word, TITLE)).map((row) => row.join(' '));
  const parts = charts.map(({ section, canvas: chart }) => {
    const { label = '', total = '', change, truncated = false } = section.state ?? {};
    const more = [change, truncated ? 'truncated' : undefined, section.age].filter((words) => words !== undefined);
    const shown = section.entries.filter((entry) => entry.shown);
    return {
      chart,
      titles: lines(`${label}: ${total}${more.length === 0 ? '' : ` (${more.join(', ')})`}`),
      legend: rowsOf(shown, room, GAP, ({ name }) => SWATCH + widthOf(name, SMALL)),
    };
  });
  const heading = lines(title);
  const height = parts.reduce(
    (sum, { chart, titles, legend }) => sum + chart.height / scale + (titles.length + legend.length) * ROW + 2 * GAP,
    2 * MARGIN + heading.length * ROW,
  );
  canvas.width = Math.ceil((room + 2 * MARGIN) * scale);
  canvas.height = Math.ceil(height * scale);
  context.scale(scale, scale);
  context.fillStyle = themeValue('--vscode-editor-background') || 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  let y = MARGIN;
  const write = (words: string, x: number, font: string): number => {
    const width = widthOf(words, font);
    context.fillStyle = text;
    // What is too long even alone is written narrower.
    context.fillText(words, x, y + 12, MARGIN + room - x);
    return width;
  };
  const writeAll = (all: readonly string[]): void => {
    for (const line of all) {
      write(line, MARGIN, TITLE);
      y += ROW;
    }
  };
  writeAll(heading);
  for (const { chart, titles, legend } of parts) {
    y += GAP;
    writeAll(titles);
    for (const row of legend) {
      let x = MARGIN;
      for (const { name, color, dashed } of row) {
        context.fillStyle = color;
        for (const part of dashed ? [0, 7] : [0, 5]) context.fillRect(x + part, y + 7, dashed ? 5 : 7, dashed ? 2 : 3);
        x += SWATCH + write(name, x + SWATCH, SMALL) + GAP;
      }
      y += ROW;
    }
    context.drawImage(chart, MARGIN, y, chart.width / scale, chart.height / scale);
    y += chart.height / scale + GAP;
  }
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}
