/** Measures scrolling and filtering 100,000 rows of the action log table in a browser, against a plain page and loop. */
import { launchBrowser } from '../runtime/editor.ts';
import { getPercentile } from './list-reading.ts';
import {
  countLongFrames,
  loadWebviewPage,
  openWebviewPage,
  postToPage,
  scrollBareBox,
  scrollBox,
} from './webview-page.ts';
import type { LogRow, LogsState } from '../../src/webviews/protocol/logs.ts';
import { MAX_ROWS_PER_MESSAGE } from '../../src/webviews/protocol/logs.ts';

export interface LogTable {
  readonly rows: number;
  /** milliseconds per frame while scrolling: median and 95th percentile */
  readonly frame: number;
  readonly slowFrame: number;
  /** 95th percentile of a page that scrolls an empty box of the same height */
  readonly bareFrame: number;
  /** frames of more than 33 milliseconds, less those of the empty box */
  readonly longFrames: number;
  /** milliseconds from a keystroke in the search to the frame with its rows; median */
  readonly filter: number;
  /** milliseconds of a plain loop that searches the same texts; median */
  readonly bareFilter: number;
  /** maximum number of rows in the DOM */
  readonly drawn: number;
}

function createRows(count: number): LogRow[] {
  const statuses = ['completed', 'completed', 'failed', 'pending'];
  const actions = ['mint', 'transfer', 'update', 'redeem', 'burn'];
  return Array.from({ length: count }, (_, index) => {
    const id = `act_${index.toString(16).padStart(24, '0')}`;
    return {
      key: `Bench\n${id}`,
      id,
      connection: 'Bench',
      time: 1_772_445_600_000 + index * 37,
      status: statuses[index % 4] ?? '',
      action: actions[index % 5] ?? '',
      alias: index % 3 === 0 ? 'Top up' : '',
      signer: `0x${(index % 97).toString(16).padStart(40, 'a')}`,
      objects: [`obj_${(index % 1000).toString(16).padStart(24, '0')}`],
      objectCount: 1,
      fee: `0.00${String(1000 + (index % 8999))}`,
      batch: `bat_${Math.floor(index / 24)
        .toString(16)
        .padStart(24, '0')}`,
      message: index % 4 === 2 ? 'the wallet is not on the whitelist' : '',
    };
  });
}

const state: LogsState = {
  view: { mode: 'logs', filters: { connections: ['Bench'], organizations: [], range: 'latest' }, text: '' },
  connections: [{ name: 'Bench', heading: 'Bench', production: false }],
  organizations: [],
  feed: {
    phase: 'live',
    paused: false,
    stale: [],
    loaded: 0,
    limit: 100_000,
    dropped: 0,
    complete: true,
    readingOlder: false,
    unreadable: 0,
  },
  labels: [],
  tab: true,
  expanded: true,
};

/** Needs dist/webviews/logs.js: build first. */
export async function measureLogTable(count: number): Promise<LogTable> {
  const browser = await launchBrowser({ viewport: { width: 1200, height: 700 } });
  try {
    const page = await openWebviewPage(browser, 'logs');
    await loadWebviewPage(page);
    const post = (type: string, body: unknown): Promise<void> => postToPage(page, type, body);
    const rows = createRows(count);
    await post('state', { ...state, feed: { ...state.feed, loaded: count } });
    for (let at = 0; at < count; at += MAX_ROWS_PER_MESSAGE)
      await post('rows', {
        reset: at === 0,
        rows: rows.slice(at, at + MAX_ROWS_PER_MESSAGE),
        removed: [],
        more: at + MAX_ROWS_PER_MESSAGE < count,
      });
    await page.locator(`[role=grid][aria-rowcount="${String(count + 1)}"]`).waitFor();
    await page.locator('.line.item').first().waitFor();

    const { frames, drawn } = await scrollBox(page, '[role=grid]', '.line.item');

    const filter = await page.evaluate(async () => {
      const find = document.querySelector('input');
      const grid = document.querySelector('[role=grid]');
      if (find === null || grid === null) throw new Error('no search');
      const times: number[] = [];
      for (const text of [
        'mint',
        'failed',
        'obj_00000000000000000000001f',
        'nothing at all',
        '',
        'top up whitelist',
        '',
      ]) {
        const before = performance.now();
        find.value = text;
        find.dispatchEvent(new Event('input', { bubbles: true }));
        // The first frame renders; the second one starts after it was shown.
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - before);
      }
      return times;
    });

    const texts = rows.map((row) => Object.values(row).join(' ').toLowerCase());
    const bareFilter = await page.evaluate((texts) => {
      const times: number[] = [];
      for (const word of ['mint', 'failed', 'obj_00000000000000000000001f', 'nothing at all', 'top up']) {
        const before = performance.now();
        if (texts.filter((text) => text.includes(word)).length < 0) throw new Error();
        times.push(performance.now() - before);
      }
      return times;
    }, texts);

    const bare = await scrollBareBox(page, count * 24);
    return {
      rows: count,
      frame: getPercentile(frames, 0.5),
      slowFrame: getPercentile(frames, 0.95),
      bareFrame: getPercentile(bare.frames, 0.95),
      longFrames: Math.max(0, countLongFrames(frames) - countLongFrames(bare.frames)),
      filter: getPercentile(filter, 0.5),
      bareFilter: getPercentile(bareFilter, 0.5),
      drawn,
    };
  } finally {
    await browser.close();
  }
}
