import { getThemeValue } from '../theme.ts';
import type { LineStyle } from './plot-style.ts';
import type { Section } from './section.ts';

const MARGIN = 16;
const ROW = 18;
/** width of a piece of a line */
const STROKE = 20;

interface Label {
  readonly text: string;
  readonly swatch?: LineStyle;
}

/**
 * Draws the charts below each other with titles, totals and legends as one PNG. Resolves to `undefined` if there is no
 * chart or encoding fails. Never rejects.
 */
export async function createPng(
  title: string,
  sections: readonly Section[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const charts = sections.map(({ canvases }) => canvases).filter(({ length }) => length > 0);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null || charts.length === 0) return undefined;
  const scale = devicePixelRatio;
  const family = getThemeValue('--vscode-font-family') || 'sans-serif';
  const width = Math.max(...charts.map((canvases) => canvases.reduce((sum, chart) => sum + chart.width, 0))) / scale;
  let y = 0;
  /** Writes labels in rows. One that is too long for a row is condensed. */
  const write = (labels: readonly Label[], font: string): void => {
    context.font = `${font} ${family}`;
    let x = MARGIN;
    for (const { text, swatch } of labels) {
      const indent = swatch === undefined ? 0 : STROKE + 5;
      const needed = Math.min(indent + context.measureText(text).width, width);
      if (x > MARGIN && x + needed > MARGIN + width) [x, y] = [MARGIN, y + ROW];
      context.fillText(text, x + indent, y + 12, needed - indent);
      if (swatch !== undefined) {
        context.strokeStyle = swatch.color;
        context.lineWidth = 3;
        context.setLineDash([...(swatch.dash ?? [])]);
        context.beginPath();
        context.moveTo(x, y + 8);
        context.lineTo(x + STROKE, y + 8);
        context.stroke();
      }
      x += needed + ROW;
    }
    y += ROW;
  };
  const draw = (): void => {
    context.scale(scale, scale);
    context.fillStyle = getThemeValue('--vscode-editor-background') || 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = getThemeValue('--vscode-foreground') || 'gray';
    y = MARGIN;
    write(
      title.split(' · ').map((text) => ({ text })),
      '600 13px',
    );
    for (const { canvases, title: head, entries } of sections) {
      if (canvases.length === 0) continue;
      y += MARGIN;
      write(
        head.split(' · ').map((text) => ({ text })),
        '600 13px',
      );
      write(
        entries.filter(({ isVisible }) => isVisible).map(({ name: text, swatch }) => ({ text, swatch })),
        '11px',
      );
      let x = MARGIN;
      for (const chart of canvases) {
        context.drawImage(chart, x, y, chart.width / scale, chart.height / scale);
        x += chart.width / scale;
      }
      y += Math.max(...canvases.map(({ height }) => height)) / scale;
    }
  };
  canvas.width = Math.ceil((width + 2 * MARGIN) * scale);
  // The first drawing finds the height.
  draw();
  canvas.height = Math.ceil((y + MARGIN) * scale);
  draw();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}
