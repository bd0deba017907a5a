/** Measures a list of 100,000 rows as a table: scrolling in a browser, sorting in the host. */
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../runtime/editor.ts';
import { ROOT } from '../runtime/paths.ts';
import { listTableColumns } from '../../src/explorer/table/table-columns.ts';
import { TableRows } from '../../src/explorer/table/table-rows.ts';
import { objects } from '../../src/platform/resources/objects.ts';
import { ROW_ACTIONS, type TableState } from '../../src/webviews/protocol/table.ts';
import { getPercentile, median } from './list-reading.ts';

export interface TableScrolling {
  /** milliseconds per frame while scrolling: median and 95th percentile */
  readonly frame: number;
  readonly slowFrame: number;
  /** 95th percentile of a page that scrolls an empty box of the same height */
  readonly bareFrame: number;
  /** maximum number of rows in the DOM */
  readonly drawn: number;
}

const BUNDLE = path.join(ROOT, 'dist/webviews');
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const columns = ['summary:Name', 'summary:Details', 'summary:Time', 'summary:ID', 'owner', 'custom.level'];

function createState(count: number): TableState {
  return {
    title: 'Bench › Objects',
    columns: columns.map((key) => ({ key, width: 180 })),
    available: columns.map((key) => ({ key, label: key })),
    order: 'in server order',
    hasPictures: true,
    actions: [...ROW_ACTIONS],
    filters: {},
    loaded: count,
    matching: count,
    hasMore: false,
    loading: false,
    notice: '',
    list: {},
    version: 1,
  };
}

/** Needs dist/webviews/table.js: build first. The page answers the requests of the view as the host does. */
export async function measureTableScrolling(count: number): Promise<TableScrolling> {
  const browser = await launchBrowser({ viewport: { width: 1200, height: 700 } });
  try {
    const page = await browser.context.newPage();
    await page.setContent(
      '<!DOCTYPE html><html style="height:100%"><body class="vscode-dark"><div id="root"></div></body></html>',
    );
    await page.evaluate(
      ({ state, picture }) => {
        const post = (type: string, body: unknown): void => {
          dispatchEvent(new MessageEvent('message', { data: { type, body }, origin: window.origin }));
        };
        const postMessage = ({ type, body }: { type: string; body: Record<string, unknown> }): void => {
          if (type === 'ready') post('state', state);
          if (type === 'requestPictures')
            for (const number of body['pictures'] as number[]) post('picture', { picture: number, dataUri: picture });
          if (type !== 'requestRows') return;
          const from = Number(body['from']);
          const rows = Array.from({ length: Number(body['count']) }, (_, offset) => ({
            cells: state.columns.map(({ key }) => `${key} of row ${String(from + offset)}`),
            tone: 'none',
            picture: (from + offset) % 8,
          }));
          // Messages of a webview take a turn of the event loop.
          setTimeout(post, 0, 'rows', { from, version: state.version, rows });
        };
        Reflect.set(globalThis, 'acquireVsCodeApi', () => ({ postMessage, getState() {}, setState() {} }));
      },
      { state: createState(count), picture: PICTURE },
    );
    await page.addStyleTag({ content: fs.readFileSync(path.join(BUNDLE, 'table.css'), 'utf8') });
    await page.addScriptTag({ content: fs.readFileSync(path.join(BUNDLE, 'table.js'), 'utf8') });
    await page.locator('.line.item img').first().waitFor();
    const scroll = (selector: string): Promise<{ frames: number[]; drawn: number }> =>
      page.evaluate(async (selector) => {
        const box = document.querySelector(selector);
        if (box === null) throw new Error(`no ${selector}`);
        const frames: number[] = [];
        let drawn = 0;
        let last = await new Promise<number>(requestAnimationFrame);
        for (let step = 0; step < 240; step++) {
          // By a wheel's step, a page, and now and then further.
          box.scrollTop += step % 20 === 19 ? 100_000 : step % 2 === 0 ? 100 : 600;
          const now = await new Promise<number>(requestAnimationFrame);
          frames.push(now - last);
          last = now;
          drawn = Math.max(drawn, document.querySelectorAll('.line.item').length);
        }
        return { frames, drawn };
      }, selector);
    const { frames, drawn } = await scroll('[role=grid]');
    await page.evaluate((height) => {
      document.body.innerHTML = `<div id="bare" style="height:600px;overflow:auto"><div style="height:${String(height)}px"></div></div>`;
    }, count * 24);
    const bare = await scroll('#bare');
    return {
      frame: getPercentile(frames, 0.5),
      slowFrame: getPercentile(frames, 0.95),
      bareFrame: getPercentile(bare.frames, 0.95),
      drawn,
    };
  } finally {
    await browser.close();
  }
}

export interface TableSorting {
  /** milliseconds: the first sort by name, which summarizes each row, and the median of later ones */
  readonly first: number;
  readonly later: number;
  /** median of sorting the names themselves */
  readonly bare: number;
}

/** Sorts objects by their name, in both directions in turn. */
export function measureTableSorting(count: number, rounds: number): TableSorting {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `obj_${String(index)}`,
    raw: { id: `obj_${String(index)}`, metadata: { name: `Ticket ${String((index * 7919) % count)}` } },
  }));
  const tableColumns = listTableColumns(objects, items);
  const rows = new TableRows(objects);
  const names = items.map(({ raw }) => raw.metadata.name.toLowerCase());
  const time = (work: () => unknown): number => {
    const before = performance.now();
    work();
    return performance.now() - before;
  };
  const sort = (round: number): number =>
    time(() => rows.select(items, tableColumns, {}, { key: 'summary:Name', descending: round % 2 === 1 }));
  const first = sort(0);
  const [later, bare]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    later.push(sort(round));
    bare.push(time(() => [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))));
  }
  return { first, later: median(later), bare: median(bare) };
}
