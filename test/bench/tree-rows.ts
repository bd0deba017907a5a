/** Measures the first rows of a branch of a million objects against a plain request, and the memory of an export. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import type { Session } from '../../src/model/session/session.ts';
import { createPartial } from '../../src/model/files/write-file.ts';
import { runExport, NO_PROGRESS } from '../../src/explorer/export/run-export.ts';
import { ExplorerStorage } from '../../src/explorer/storage.ts';
import { createConnectionKey, createChildKey, type ListNode } from '../../src/explorer/tree/nodes.ts';
import { getPresentation } from '../../src/explorer/rows/row-presentation.ts';
import { Tree } from '../../src/explorer/tree/tree.ts';
import { NO_LABELS } from '../../src/model/text/labels.ts';
import { registry } from '../../src/platform/registry.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { heap, median } from './list-reading.ts';
import { createTestClient, createTestProfile } from '../support/platform-client.ts';

export interface FirstRows {
  readonly rows: number;
  /** milliseconds, medians of the rounds */
  readonly bare: number;
  readonly tree: number;
  /** median of the rounds' own differences */
  readonly more: number;
}

const CONNECTION = 'Bench';

/** Starts a sandbox process with this many objects, and a session with it. */
async function open(
  objects: number,
): Promise<{ server: SandboxProcess; session: Session; close: () => Promise<void> }> {
  const server = await startSandboxProcess(objects);
  const { baseUrl, apiKey } = server;
  const transport = createTransport({});
  const client = createTestClient(baseUrl, transport, {
    timeouts: { connect: 5000, headers: 30_000, body: 30_000 },
    credential: () => Promise.resolve({ apiKey }),
    secrets: () => [apiKey],
  });
  const parts: Partial<Session> = {
    profile: { ...createTestProfile(baseUrl), name: CONNECTION },
    client,
    organizations: [],
    signedOutReason: undefined,
    expired: false,
    identity: undefined,
    ended: new AbortController().signal,
    addDiscoveredOrganizations: () => undefined,
    hasPermission: () => undefined,
  };
  const close = async (): Promise<void> => {
    await transport.close();
    await server.stop();
  };
  return { server, session: parts as Session, close };
}

function* noRows(): Generator<never> {
  yield* [];
}

/** Loads a branch that is not cached and creates the tree items of its rows. */
async function firstRows(session: Session): Promise<number> {
  const nothing = { get: () => undefined, update: () => Promise.resolve() };
  const tree = new Tree({
    definitions: registry,
    sessions: { all: [session], problems: [], get: () => session },
    storage: new ExplorerStorage(nothing, nothing),
    ids: { find: () => [], newestFirst: () => noRows() },
    labels: NO_LABELS,
    changed: () => undefined,
  });
  const key = createChildKey(createConnectionKey(CONNECTION), 'objects');
  const list: ListNode = {
    type: 'list',
    key,
    connection: CONNECTION,
    kind: 'objects',
    label: 'Objects',
    fixed: {},
    filter: {},
  };
  const context = {
    definitions: tree.definitions,
    now: Date.now(),
    session: () => session,
    getTitle: () => () => undefined,
    getLabel: () => undefined,
  };
  const nodes = await tree.getChildren(list);
  return nodes.filter((node) => getPresentation(node, context).label !== '' && node.type === 'resource').length;
}

/** Alternates the two, so that changes in machine speed affect both; the first round is a warm-up. */
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

/** Measures used heap in bytes after garbage collection, at a tenth and at the end of an export. Needs `--expose-gc`. */
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
      definition: registry.objects,
      format: 'ndjson',
      query: { limit: 100 },
      async *pages(definition, query, signal, from) {
        let read = 0;
        for await (const page of session.client.listPagesFor(definition, query, { signal }, from)) {
          yield page;
          read += page.items.length;
          if (read >= items) return;
        }
      },
      file,
      from: NO_PROGRESS,
      signal: session.ended,
      onProgress: (reached) => {
        if (reached.count === items / 10) early = heap();
      },
    });
    if (count !== items) throw new Error(`Wrote ${String(count)} of ${String(items)}`);
    return { early, late: heap() };
  } finally {
    await fs.rm(folder, { recursive: true });
    await close();
  }
}
