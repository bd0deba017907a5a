/** Measures scrolling and filtering 100,000 rows of the action log table in a browser, against a plain page and loop. */
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../runtime/editor.ts';
import { ROOT } from '../runtime/paths.ts';
import { getPercentile } from './list-reading.ts';
import type { LogRow, LogsState } from '../../src/webviews/protocol/logs.ts';
import { MAX_ROWS_PER_MESSAGE } from '../../src/webviews/protocol/logs.ts';

export interface LogTable {
  readonly rows: number;
  /** milliseconds per frame while scrolling: median and 95th percentile */
  readonly frame: number;
  readonly slowFrame: number;
  /** 95th percentile of a page that scrolls an empty box of the same height */
  readonly bareFrame: number;
  /** milliseconds from a keystroke in the search to the frame with its rows; median */
  readonly filter: number;
  /** milliseconds of a plain loop that searches the same texts; median */
  readonly bareFilter: number;
  /** maximum number of rows in the DOM */
  readonly drawn: number;
}

const BUNDLE = path.join(ROOT, 'dist/webviews');

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
    const page = await browser.context.newPage();
    await page.setContent(
      '<!DOCTYPE html><html style="height:100%"><body class="vscode-dark"><div id="root"></div></body></html>',
    );
    await page.evaluate(() => {
      Reflect.set(globalThis, 'acquireVsCodeApi', () => ({ postMessage() {}, getState() {}, setState() {} }));
    });
    await page.addStyleTag({ content: fs.readFileSync(path.join(BUNDLE, 'logs.css'), 'utf8') });
    await page.addScriptTag({ content: fs.readFileSync(path.join(BUNDLE, 'logs.js'), 'utf8') });
    const post = (type: string, body: unknown): Promise<void> =>
      page.evaluate(
        (message) => {
          dispatchEvent(new MessageEvent('message', { data: message, origin: window.origin }));
        },
        { type, body },
      );
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
    await page.locator('.body > .row').first().waitFor();

    const scroll = (selector: string): Promise<{ frames: number[]; drawn: number }> =>
      page.evaluate(async (selector) => {
        const box = document.querySelector(selector);
        if (box === null) throw new Error(`no ${selector}`);
        const frames: number[] = [];
        let drawn = 0;
        let last = await new Promise<number>(requestAnimationFrame);
        for (let step = 0; step < 120; step++) {
          // By a page, and now and then further.
          box.scrollTop += step % 10 === 9 ? 20_000 : 480;
          const now = await new Promise<number>(requestAnimationFrame);
          frames.push(now - last);
          last = now;
          drawn = Math.max(drawn, document.querySelectorAll('.body > .row').length);
        }
        return { frames, drawn };
      }, selector);
    const { frames, drawn } = await scroll('[role=grid]');

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

    await page.evaluate((height) => {
      document.body.innerHTML = `<div id="bare" style="height:600px;overflow:auto"><div style="height:${String(height)}px"></div></div>`;
    }, count * 24);
    const bare = await scroll('#bare');
    return {
      rows: count,
      frame: getPercentile(frames, 0.5),
      slowFrame: getPercentile(frames, 0.95),
      bareFrame: getPercentile(bare.frames, 0.95),
      filter: getPercentile(filter, 0.5),
      bareFilter: getPercentile(bareFilter, 0.5),
      drawn,
    };
  } finally {
    await browser.close();
  }
}
