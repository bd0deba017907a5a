/** Runs in the browser: draws a series with the dashboard's chart and with plain uPlot and measures each. */
import uPlot from 'uplot';
import type { SeriesLine } from '../../src/webviews/protocol/statistics.ts';
import { createPlot } from '../../src/webviews/client/statistics/plot.ts';

export interface Drawings {
  /** milliseconds of each round; `first` includes parsing the numbers from text */
  readonly first: readonly number[];
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

/** Waits for the pixels: uPlot draws in a microtask, and the canvas when it is read. */
async function measureTime(draw: () => HTMLCanvasElement): Promise<number> {
  const start = performance.now();
  const canvas = draw();
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
  const time = performance.now() - start;
  if (data?.some((byte) => byte !== 0) !== true) throw new Error('nothing was drawn');
  return time;
}

async function measureDrawings(points: number, rounds: number): Promise<Drawings> {
  const times = Array.from({ length: points }, (_, index) => 1_700_000_000 + index * 60);
  const numbers = times.map((_, index) => Math.round(500 + 400 * Math.sin(index / 900) + ((index * 7919) % 97)));
  // Exact numbers as text, as the host sends them.
  const line = { id: 'all', name: 'All', unit: '', values: numbers.map(String), total: '0' };
  const element = document.createElement('div');
  element.style.width = '1200px';
  element.style.height = '165px';
  document.body.append(element);
  const ours = (shown: SeriesLine): Promise<number> => {
    let plot: uPlot | undefined;
    return measureTime(() => {
      const nothing = (): void => undefined;
      plot = createPlot({
        element,
        times,
        lines: [{ line: shown, color: 'rgb(60, 120, 220)', isBefore: false }],
        unit: '',
        stacked: false,
        incomplete: [],
        utc: true,
        extent: [times[0] ?? 0, times.at(-1) ?? 0],
        moved: nothing,
        brushed: nothing,
        clicked: nothing,
      });
      return plot.ctx.canvas;
    }).finally(() => plot?.destroy());
  };
  const bare = (): Promise<number> => {
    let plot: uPlot | undefined;
    return measureTime(() => {
      const series = [{}, { stroke: 'rgb(60, 120, 220)' }];
      plot = new uPlot({ width: 1200, height: 165, series }, [times, numbers], element);
      return plot.ctx.canvas;
    }).finally(() => plot?.destroy());
  };
  await ours(line);
  await bare();
  const result = { first: [] as number[], ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    result.first.push(await ours({ ...line, values: [...line.values] }));
    result.ours.push(await ours(line));
    result.bare.push(await bare());
  }
  return result;
}

Object.assign(globalThis, { drawings: measureDrawings });
