/** The charts as one PNG: titles, totals and legends drawn around what is on the screen. */
import { themeValue } from '../kit.ts';
import type { Section } from './section.ts';

const MARGIN = 16;
const HEAD = 46;
const GAP = 14;

/** `undefined` where there is no chart, or the browser makes no picture. */
export async function picture(
  title: string,
  sections: readonly Section[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const charts = sections.flatMap((section) =>
    section.chart === undefined ? [] : [{ section, canvas: section.chart.canvas }],
  );
  const scale = devicePixelRatio;
  const width = Math.max(0, ...charts.map(({ canvas }) => canvas.width)) / scale + 2 * MARGIN;
  const height = charts.reduce((sum, { canvas }) => sum + canvas.height / scale + HEAD + GAP, 2 * MARGIN + 24);
  if (charts.length === 0) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.scale(scale, scale);
  const family = themeValue('--vscode-font-family') || 'sans-serif';
  const text = themeValue('--vscode-foreground') || 'gray';
  const write = (words: string, x: number, y: number, font: string, color = text): number => {
    context.font = `${font} ${family}`;
    context.fillStyle = color;
    context.fillText(words, x, y);
    return context.measureText(words).width;
  };
  context.fillStyle = themeValue('--vscode-editor-background') || 'white';
  context.fillRect(0, 0, width, height);
  write(title, MARGIN, MARGIN + 12, '600 13px');
  let y = MARGIN + 24;
  for (const { section, canvas: chart } of charts) {
    const { label = '', total = '', change, truncated = false } = section.state ?? {};
    const more = [change, truncated ? 'truncated' : undefined, section.age].filter((words) => words !== undefined);
    write(`${label}: ${total}${more.length === 0 ? '' : `  (${more.join(', ')})`}`, MARGIN, y + 16, '600 13px');
    let x = MARGIN;
    for (const { name, color, dashed, shown } of section.entries) {
      if (!shown) continue;
      context.fillStyle = color;
      for (const part of dashed ? [0, 7] : [0, 5]) context.fillRect(x + part, y + 31, dashed ? 5 : 7, dashed ? 2 : 3);
      x += 17 + write(name, x + 17, y + 36, '11px') + 14;
    }
    y += HEAD;
    context.drawImage(chart, MARGIN, y, chart.width / scale, chart.height / scale);
    y += chart.height / scale + GAP;
  }
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}
