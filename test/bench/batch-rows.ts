/** Measures a batch against a bare loop of POSTs with the same number at once. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { createBatchPlatform } from '../../src/actions/bulk/batch-platform.ts';
import { createBatch } from '../../src/actions/bulk/open-batch.ts';
import { parseActionFile } from '../../src/actions/file/action-file.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { createData } from '../support/batch-data.ts';
import { createTestClient } from '../support/platform-client.ts';

const ACTION =
  '{ "action": { "update": { "id": "${row:id}", "data": { "metadata": {}, "custom": { "seat": "${row:seat}" } } } } }';

export interface BatchFigures {
  /** rows a second */
  readonly bare: number;
  readonly ours: number;
  /** bytes of heap after a tenth of the rows, and after all */
  readonly early: number;
  readonly late: number;
}

/** `latency`: milliseconds that the server takes to answer. */
export async function measureBatch(rows: number, concurrency: number, latency: number): Promise<BatchFigures> {
  const child = fork(fileURLToPath(new URL('execute-server.ts', import.meta.url)), [String(latency)]);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bench-batch-'));
  try {
    const [port] = (await once(child, 'message')) as [number];
    const baseUrl = `http://127.0.0.1:${String(port)}`;
    const bare = await runBareLoop(baseUrl, rows, concurrency);
    return { bare, ...(await runBatch(baseUrl, rows, concurrency, path.join(folder, 'batch.jsonl'))) };
  } finally {
    child.kill();
    await fs.rm(folder, { recursive: true });
  }
}

async function runBareLoop(origin: string, rows: number, concurrency: number): Promise<number> {
  const pool = new Pool(origin, { connections: concurrency });
  const start = performance.now();
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < rows) {
      const body = ACTION.replace('${row:id}', `obj_${String(++next)}`).replace('${row:seat}', String(next));
      const headers = { 'content-type': 'application/json' };
      const answer = await pool.request({ method: 'POST', path: '/ebus/execute', headers, body });
      JSON.parse(await answer.body.text());
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return rows / seconds;
}

async function runBatch(
  baseUrl: string,
  rows: number,
  concurrency: number,
  journal: string,
): Promise<Omit<BatchFigures, 'bare'>> {
  const transport = createTransport({}, { connections: concurrency });
  const client = createTestClient(baseUrl, transport, { maxConcurrent: concurrency });
  const refuse = (): Promise<never> => Promise.reject(new Error('no value'));
  const batch = await createBatch({
    journal,
    action: { name: 'update', file: parseActionFile(ACTION) },
    data: createData(
      'rows',
      ['id', 'seat'],
      Array.from({ length: rows }, (_none, index) => [`obj_${String(index)}`, String(index)]),
    ),
    connection: { name: 'Bench', baseUrl },
    platform: createBatchPlatform(client),
    variables: { input: refuse, env: refuse, secret: refuse, file: refuse, run: refuse },
    getSigner: () => undefined,
    pacing: { concurrency },
  });
  const bytes: number[] = [];
  const sent = Promise.withResolvers<undefined>();
  batch.listen(() => {
    const { notSent, sending } = batch.totals.counts;
    const started = rows - notSent;
    if ((bytes.length === 0 && started >= rows / 10) || (bytes.length === 1 && started >= 0.95 * rows)) {
      globalThis.gc?.();
      bytes.push(process.memoryUsage().heapUsed);
    }
    if (notSent + sending === 0) sent.resolve(undefined);
  });
  const start = performance.now();
  batch.start();
  await sent.promise;
  const seconds = (performance.now() - start) / 1000;
  const { counts } = await batch.ended;
  await transport.close();
  if (counts.completed !== rows) throw new Error(`Only ${String(counts.completed)} rows completed`);
  return { ours: rows / seconds, early: bytes[0] ?? NaN, late: bytes[1] ?? NaN };
}
