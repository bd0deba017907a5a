/** Measures drawing a long series with the dashboard's chart against plain uPlot, in a headless browser. */
import path from 'node:path';
import * as esbuild from 'esbuild';
import { launchBrowser } from '../runtime/editor.ts';
import { ROOT } from '../runtime/paths.ts';
import type { Drawings } from './chart-page.ts';
import { median } from './list-reading.ts';

export interface Drawing {
  readonly points: number;
  /** milliseconds, median of the rounds; `first` includes parsing the numbers from text */
  readonly first: number;
  readonly ours: number;
  readonly bare: number;
  /** median of the rounds' own ratios */
  readonly ratio: number;
}

async function script(): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(ROOT, 'test/bench/chart-page.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'chrome138',
  });
  return outputFiles[0]?.text ?? '';
}

/** Alternates the two, so that changes in machine speed affect both. Needs the npm editor's browser. */
export async function measureDrawing(points: number, rounds: number): Promise<Drawing> {
  const browser = await launchBrowser({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await browser.context.newPage();
    await page.setContent('<!DOCTYPE html><title>bench</title>');
    await page.addScriptTag({ content: await script() });
    const { first, ours, bare } = await page.evaluate<Drawings, readonly [number, number]>(
      async ([count, turns]) => {
        const { drawings } = globalThis as unknown as {
          readonly drawings: (points: number, rounds: number) => Promise<Drawings>;
        };
        return drawings(count, turns);
      },
      [points, rounds],
    );
    return {
      points,
      first: median(first),
      ours: median(ours),
      bare: median(bare),
      ratio: median(ours.map((time, round) => time / (bare[round] ?? NaN))),
    };
  } finally {
    await browser.close();
  }
}
