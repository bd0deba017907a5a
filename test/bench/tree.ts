/** Measures the first rows of a branch over a million objects beside the same request bare, and an export's memory. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import type { Session } from '../../src/connections/types.ts';
import { createPartial } from '../../src/explorer/export/partial.ts';
import { runExport, START } from '../../src/explorer/export/run.ts';
import { Memory } from '../../src/explorer/memory.ts';
import { connectionKey, step, type ListNode } from '../../src/explorer/nodes.ts';
import { shownOf } from '../../src/explorer/shown.ts';
import { Tree } from '../../src/explorer/tree.ts';
import { PlatformClient } from '../../src/platform/client.ts';
import { registry } from '../../src/platform/registry.ts';
import { defaultPresentation, defaultQueryWords } from '../../src/platform/target.ts';
import { createTransport } from '../../src/platform/undici.ts';
import { startSandbox, type Sandbox } from '../runtime/sandbox.ts';
import { heap, median } from './listing.ts';

export interface FirstRows {
  readonly rows: number;
  /** milliseconds, medians of the rounds */
  readonly bare: number;
  readonly tree: number;
  /** median of the rounds' own differences */
  readonly more: number;
}

const CONNECTION = 'Bench';

/** The sandbox with that many objects, in a process of its own, and a session with it. */
async function open(objects: number): Promise<{ server: Sandbox; session: Session; close: () => Promise<void> }> {
  const server = await startSandbox({ objects });
  const { baseUrl, apiKey } = server;
  const transport = createTransport({});
  const client = new PlatformClient({
    target: { name: CONNECTION, baseUrl, presentation: defaultPresentation, words: defaultQueryWords },
    transport,
    timeouts: { connect: 5000, headers: 30_000, body: 30_000 },
    credential: () => Promise.resolve({ apiKey }),
    secrets: () => [apiKey],
  });
  const profile = {
    name: CONNECTION,
    baseUrl,
    organizations: [],
    presentation: defaultPresentation,
    links: {},
    words: defaultQueryWords,
    source: 'memory',
  } as const;
  const parts: Partial<Session> = {
    profile,
    client,
    organizations: [],
    signedOutBecause: undefined,
    expired: false,
    identity: undefined,
    ended: new AbortController().signal,
    discover: () => undefined,
    can: () => undefined,
  };
  const close = async (): Promise<void> => {
    await transport.close();
    await server.stop();
  };
  return { server, session: parts as Session, close };
}

function* none(): Generator<never> {
  yield* [];
}

/** From nothing held to the words of the last row: what VS Code gets to draw. */
async function firstRows(session: Session): Promise<number> {
  const nothing = { get: () => undefined, update: () => Promise.resolve() };
  const tree = new Tree({
    rows: registry,
    sessions: { all: [session], problems: [], get: () => session },
    memory: new Memory(nothing, nothing),
    ids: { find: () => [], latest: () => none() },
    changed: () => undefined,
  });
  const key = step(connectionKey(CONNECTION), 'objects');
  const list: ListNode = {
    type: 'list',
    key,
    connection: CONNECTION,
    kind: 'objects',
    label: 'Objects',
    fixed: {},
    filter: {},
  };
  const around = { rows: tree.rows, now: Date.now(), session: () => session };
  const nodes = await tree.children(list);
  return nodes.filter((node) => shownOf(node, around).label !== '' && node.type === 'resource').length;
}

/** Alternates the two, so that a machine that drifts drifts for both; the first round of each is not counted. */
export async function measureFirstRows(objects: number, rounds: number): Promise<FirstRows> {
  const { server, session, close } = await open(objects);
  const pool = new Pool(server.baseUrl, { connections: 1 });
  try {
    const headers = { accept: 'application/json', 'x-api-key': server.apiKey };
    const bare: number[] = [];
    const tree: number[] = [];
    let rows = 0;
    for (let round = 0; round <= rounds; round++) {
      let start = performance.now();
      const { body } = await pool.request({ method: 'GET', path: '/objects', headers });
      const page = JSON.parse(await body.text()) as { readonly objects: readonly unknown[] };
      bare.push(performance.now() - start);
      start = performance.now();
      rows = await firstRows(session);
      tree.push(performance.now() - start);
      if (rows !== page.objects.length) throw new Error('The two did not read the same');
    }
    const counted = (times: readonly number[]): readonly number[] => times.slice(1);
    return {
      rows,
      bare: median(counted(bare)),
      tree: median(counted(tree)),
      more: median(counted(tree).map((time, round) => time - (bare[round + 1] ?? NaN))),
    };
  } finally {
    await pool.close();
    await close();
  }
}

/** Bytes of heap in use, after a collection, at a tenth and at the end of an export to a file. Needs `--expose-gc`. */
export async function measureExport(
  objects: number,
  items: number,
): Promise<{ readonly early: number; readonly late: number }> {
  const { session, close } = await open(objects);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-bench-'));
  const { file } = await createPartial(path.join(folder, 'objects.ndjson'));
  try {
    let early = 0;
    const count = await runExport({
      row: registry.objects,
      format: 'ndjson',
      query: { limit: 100 },
      async *pages(row, query, signal, from) {
        let read = 0;
        for await (const page of session.client.pagesOf(row, query, { signal }, from)) {
          yield page;
          read += page.items.length;
          if (read >= items) return;
        }
      },
      file,
      from: START,
      signal: session.ended,
      reached: (reached) => {
        if (reached.count === items / 10) early = heap();
      },
    });
    if (count !== items) throw new Error(`Wrote ${String(count)} of ${String(items)}`);
    return { early, late: heap() };
  } finally {
    await file.close();
    await fs.rm(folder, { recursive: true });
    await close();
  }
}
