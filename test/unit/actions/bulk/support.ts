/** Batches of updates against a ledger: row `n` has the marker `m<n>`. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBatchPlatform } from '../../../../src/actions/bulk/batch-platform.ts';
import type {
  Batch,
  BatchData,
  BatchOptions,
  BatchStatus,
  RowResult,
  RowState,
} from '../../../../src/actions/bulk/batch.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { createData } from '../../../support/batch-data.ts';
import { LedgerServer, type LedgerOptions } from '../../../support/ledger-server.ts';
import { createTestClient } from '../../../support/platform-client.ts';
import { shortLimits } from '../support.ts';

const ACTION = '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } } }';

interface BatchTestOptions extends Partial<BatchOptions> {
  readonly text?: string;
}

export interface BatchTest {
  readonly folder: string;
  readonly ledger: LedgerServer;
  /** options of a batch with `rows` rows, all of the same journal */
  options(rows: number, options?: BatchTestOptions): BatchOptions;
  close(): Promise<void>;
}

export async function startBatchTest(options: LedgerOptions = {}, maxConcurrent = 20): Promise<BatchTest> {
  const ledger = await LedgerServer.start(options);
  const transport = createTransport({});
  const client = createTestClient(ledger.baseUrl, transport, { maxConcurrent });
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bulk-'));
  return {
    folder,
    ledger,
    options: (rows, { text = ACTION, ...more } = {}) => ({
      journal: path.join(folder, 'batch.jsonl'),
      action: { name: 'update', file: parseActionFile(text) },
      data: createRows(rows),
      connection: { name: 'Ledger', baseUrl: ledger.baseUrl, environment: 'development' },
      platform: createBatchPlatform(client),
      variables: { input: refuse, env: refuse, secret: refuse, file: refuse, run: refuse },
      getSigner: () => undefined,
      pacing: { concurrency: 4 },
      limits: shortLimits,
      searchDuration: 50,
      ...more,
    }),
    close: async () => {
      await transport.close();
      await ledger.close();
      await fs.rm(folder, { recursive: true });
    },
  };
}

function refuse(name: string): Promise<never> {
  return Promise.reject(new Error(`no value of ${name}`));
}

export function createRows(count: number): BatchData {
  const rows = Array.from({ length: count }, (_none, index) => [`obj_${String(index + 1)}`, `m${String(index + 1)}`]);
  return createData('rows.csv', ['id', 'marker'], rows);
}

/** The results of all rows of a batch. */
export function readAllResults(batch: Batch): Promise<readonly RowResult[]> {
  return batch.readResults([...batch.rowNumbers]);
}

export function getStates(results: readonly RowResult[]): readonly RowState[] {
  return results.map(({ state }) => state);
}

/** Resolves once a batch has a status; rejects if it ends before. */
export function waitForStatus(batch: Batch, status: BatchStatus): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (batch.totals.status === status) resolve();
      else if (batch.totals.status === 'ended') reject(new Error(`ended: ${batch.totals.reason ?? ''}`));
      else return;
      stop();
    };
    const stop = batch.listen(check);
    check();
  });
}

/** No row was executed twice, and each state is true. */
export function assertTrue(ledger: LedgerServer, results: readonly RowResult[]): void {
  for (const { row, state, actionId } of results) {
    const { posts, executed, actionIds } = ledger.entry(`m${String(row)}`);
    const what = `row ${String(row)}: ${state}, ${String(posts)} requests, executed ${String(executed)} times`;
    assert.ok(posts <= 1 && executed <= 1, what);
    if (state === 'notSent') assert.equal(posts, 0, what);
    if (state === 'refused' || state === 'failed') assert.equal(executed, 0, what);
    if (state === 'accepted' || state === 'completed') assert.ok(executed === 1 && actionId !== undefined, what);
    if (actionId !== undefined) assert.ok(actionIds.includes(actionId), `${what}, the action is of another row`);
    assert.notEqual(state, 'sending', what);
  }
}
