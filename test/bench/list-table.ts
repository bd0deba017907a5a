/** Measures a list of 100,000 rows as a table: scrolling in a browser, sorting in the host. */
import { launchBrowser } from '../runtime/editor.ts';
import { listTableColumns } from '../../src/explorer/table/table-columns.ts';
import { TableRows } from '../../src/explorer/table/table-rows.ts';
import { objects } from '../../src/platform/resources/objects.ts';
import { ROW_ACTIONS, type TableState } from '../../src/webviews/protocol/table.ts';
import { getPercentile, median } from './list-reading.ts';
import { countLongFrames, loadWebviewPage, openWebviewPage, scrollBareBox, scrollBox } from './webview-page.ts';

export interface TableScrolling {
  /** milliseconds per frame while scrolling: median and 95th percentile */
  readonly frame: number;
  readonly slowFrame: number;
  /** 95th percentile of a page that scrolls an empty box of the same height */
  readonly bareFrame: number;
  /** frames of more than 33 milliseconds, less those of the empty box */
  readonly longFrames: number;
  /** maximum number of rows in the DOM */
  readonly drawn: number;
}

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
    isFull: false,
    loading: false,
    notice: '',
    list: {},
    version: 1,
    selection: { row: 0, rows: [0] },
    rowsVersion: 1,
  };
}

/** Needs dist/webviews/table.js: build first. The page answers the requests of the view as the host does. */
export async function measureTableScrolling(count: number): Promise<TableScrolling> {
  const browser = await launchBrowser({ viewport: { width: 1200, height: 700 } });
  try {
    const page = await openWebviewPage(browser, 'table');
    await page.addInitScript(
      ({ state, picture }) => {
        const post = (type: string, body: unknown): void => {
          dispatchEvent(new MessageEvent('message', { data: { type, body }, origin: window.origin }));
        };
        const receive = ({ type, body }: { type: string; body: Record<string, unknown> }): void => {
          if (type === 'ready') post('state', state);
          if (type === 'requestPictures')
            for (const number of body['pictures'] as number[]) post('picture', { picture: number, dataUri: picture });
          if (type !== 'requestRows') return;
          const from = Number(body['from']);
          const rows = Array.from({ length: Number(body['count']) }, (_, offset) => ({
            cells: state.columns.map(({ key }) => `${key} of row ${String(from + offset)}`),
            tone: 'none',
            resources: {},
            picture: (from + offset) % 8,
          }));
          // Messages of a webview take a turn of the event loop.
          setTimeout(post, 0, 'rows', { from, version: state.version, rows });
        };
        Object.assign(globalThis, { receive });
      },
      { state: createState(count), picture: PICTURE },
    );
    await loadWebviewPage(page);
    await page.locator('.line.item img').first().waitFor();
    const { frames, drawn } = await scrollBox(page, '[role=grid]', '.line.item');
    const bare = await scrollBareBox(page, count * 24);
    return {
      frame: getPercentile(frames, 0.5),
      slowFrame: getPercentile(frames, 0.95),
      bareFrame: getPercentile(bare.frames, 0.95),
      longFrames: Math.max(0, countLongFrames(frames) - countLongFrames(bare.frames)),
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
