/** Measures listing with the client, reading raw and view, against a plain loop with undici and JSON.parse. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { PagedList } from '../../src/explorer/tree/paged-list.ts';
import { PlatformClient } from '../../src/platform/client.ts';
import { registry } from '../../src/platform/registry.ts';
import { defaultCredentialHeaderNames } from '../../src/platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../src/platform/target.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';

export interface Listing {
  readonly items: number;
  /** seconds of the fastest round, which was disturbed the least */
  readonly raw: number;
  readonly client: number;
}

async function startPages(pages: number): Promise<{ readonly origin: string; readonly child: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('page-server.ts', import.meta.url)), [String(pages)]);
  const [port] = (await once(child, 'message')) as [number];
  return { origin: `http://127.0.0.1:${String(port)}`, child };
}

function createClient(origin: string): { readonly client: PlatformClient; readonly close: () => Promise<void> } {
  const transport = createTransport({});
  const timeouts = { connect: 5000, headers: 30000, body: 30000 };
  const target = {
    name: 'Bench',
    baseUrl: origin,
    credentialHeaderNames: defaultCredentialHeaderNames,
    queryFormat: defaultQueryFormat,
  };
  const client = new PlatformClient({
    target,
    transport,
    timeouts,
    // As in the editor: a credential is sent, and every response is searched for its value.
    credential: () => Promise.resolve({ apiKey: 'bench-key-0123456789' }),
    secrets: () => ['bench-key-0123456789', 'another-secret-0123456789', 'a-third-secret-0123456789'],
  });
  return { client, close: () => transport.close() };
}

/** Fields that both loops read, so that neither skips the parsing. */
interface ReadObject {
  readonly id?: unknown;
  readonly metadata?: { readonly name?: unknown } | undefined;
  readonly template_id?: unknown;
  readonly owner?: unknown;
}
const readFields = (item: ReadObject) =>
  String(item.id).length +
  String(item.metadata?.name).length +
  String(item.template_id).length +
  String(item.owner).length;

async function bareLoop(origin: string): Promise<number> {
  const pool = new Pool(origin, { connections: 6 });
  let sum = 0;
  for (let next: string | undefined = ''; next !== undefined;) {
    const { body } = await pool.request({ method: 'GET', path: `/objects${next === '' ? '' : `?next=${next}`}` });
    const page = JSON.parse(await body.text()) as { objects: ReadObject[]; next?: string };
    for (const item of page.objects) sum += readFields(item);
    next = page.next;
  }
  await pool.close();
  return sum;
}

async function clientLoop(origin: string): Promise<number> {
  const { client, close } = createClient(origin);
  let sum = 0;
  for await (const page of client.listPages('objects', {}, { largest: true })) {
    for (const item of page.items) if (item.raw !== null && item.view !== undefined) sum += readFields(item.view);
  }
  await close();
  return sum;
}

async function timed(run: () => Promise<number>, sums: Set<number>): Promise<number> {
  const start = performance.now();
  sums.add(await run());
  return (performance.now() - start) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Alternates the two loops, so that changes in machine speed affect both. */
export async function measureListing(items: number, rounds: number): Promise<Listing> {
  const { origin, child } = await startPages(items / 100);
  try {
    const sums = new Set<number>();
    await bareLoop(origin);
    await clientLoop(origin);
    const raw: number[] = [];
    const client: number[] = [];
    for (let round = 0; round < rounds; round++) {
      raw.push(await timed(() => bareLoop(origin), sums));
      client.push(await timed(() => clientLoop(origin), sums));
    }
    if (sums.size !== 1) throw new Error('The two loops did not read the same');
    return { items, raw: Math.min(...raw), client: Math.min(...client) };
  } finally {
    child.disconnect();
  }
}

/** Measures used heap in bytes after garbage collection, at a tenth and at the end of listing. Needs `--expose-gc`. */
export async function measureMemory(items: number): Promise<{ readonly early: number; readonly late: number }> {
  const { origin, child } = await startPages(items / 100);
  const { client, close } = createClient(origin);
  try {
    let count = 0;
    let early = 0;
    for await (const page of client.listPages('objects')) {
      count += page.items.length;
      if (count === items / 10) early = heap();
    }
    if (count !== items) throw new Error(`Read ${String(count)} of ${String(items)}`);
    return { early, late: heap() };
  } finally {
    await close();
    child.disconnect();
  }
}

export interface LoadingAll {
  /** seconds of the fastest round, and bytes of heap used by the loaded items */
  readonly bare: { readonly seconds: number; readonly bytes: number };
  readonly ours: { readonly seconds: number; readonly bytes: number };
}

/** Measures Load All of the explorer against a plain loop that keeps the parsed items. Needs `--expose-gc`. */
export async function measureLoadAll(items: number, rounds: number): Promise<LoadingAll> {
  const { origin, child } = await startPages(items / 100);
  const { client, close } = createClient(origin);
  const bareAll = async (): Promise<{ readonly length: number }> => {
    const pool = new Pool(origin, { connections: 6 });
    const all: ReadObject[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const { body } = await pool.request({ method: 'GET', path: `/objects${next === '' ? '' : `?next=${next}`}` });
      const page = JSON.parse(await body.text()) as { objects: ReadObject[]; next?: string };
      for (const item of page.objects) all.push(item);
      next = page.next;
    }
    await pool.close();
    return all;
  };
  const ourAll = async (): Promise<{ readonly length: number }> => {
    const { signal } = new AbortController();
    const branch = new PagedList({
      createPageReader: () => (next, stop, passing, onNext) =>
        client.listPageFor(registry.objects, next === undefined ? {} : { next }, {
          signal: stop,
          bulk: passing,
          onNext,
        }),
      signal,
    });
    await branch.open();
    await branch.loadAll(() => undefined, signal);
    return branch.items;
  };
  const measured = async (
    run: () => Promise<{ readonly length: number }>,
  ): Promise<{ readonly seconds: number; readonly bytes: number }> => {
    const before = heap();
    const start = performance.now();
    const all = await run();
    const seconds = (performance.now() - start) / 1000;
    const bytes = heap() - before;
    if (all.length !== items) throw new Error(`Read ${String(all.length)} of ${String(items)}`);
    return { seconds, bytes };
  };
  try {
    await measured(bareAll);
    await measured(ourAll);
    const all: { readonly bare: LoadingAll['bare']; readonly ours: LoadingAll['ours'] }[] = [];
    for (let round = 0; round < rounds; round++)
      all.push({ bare: await measured(bareAll), ours: await measured(ourAll) });
    const summarize = (of: 'bare' | 'ours'): LoadingAll['bare'] => ({
      seconds: Math.min(...all.map((one) => one[of].seconds)),
      bytes: median(all.map((one) => one[of].bytes)),
    });
    return { bare: summarize('bare'), ours: summarize('ours') };
  } finally {
    await close();
    child.disconnect();
  }
}

export function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** The value below which that part of the values is; NaN for none. */
export function getPercentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
