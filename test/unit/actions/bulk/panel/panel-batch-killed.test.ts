/** The batch of a panel whose process is killed again and again: no row is sent twice, and what is shown of each is true. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import * as z from 'zod/mini';
import { formatRows } from '../../../../../src/actions/bulk/data/open-data.ts';
import { BatchStorage } from '../../../../../src/actions/bulk/panel/panel-storage.ts';
import { LedgerServer } from '../../../../support/ledger-server.ts';
import { createSeededRandom } from '../../../../support/seeded-random.ts';

const ROWS = 300;
const KILLS = 20;
const CHILD = path.resolve(import.meta.dirname, '../../../../support/killed-batch.ts');
const ACTION = {
  action: { update: { id: '${row:id}', data: { custom: { marker: '${row:marker}' } } } },
  // Long enough to prove that an action log is of the row.
  signature: 'a signature that is made for the row ${row:marker}',
};

suite('the batch of a panel in a process that is killed', () => {
  test('300 rows, killed at 20 random moments, with answers lost before and after the execution', async () => {
    const random = createSeededRandom(15);
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'batch-'));
    const script = path.join(folder, 'child.mjs');
    // One file starts in a fraction of the time.
    await esbuild.build({
      entryPoints: [CHILD],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
    });
    let postsLeft = Infinity;
    let kill = (): void => undefined;
    const ledger = await LedgerServer.start({
      plan: { hiddenFor: 0, log: ['completed'], batch: ['completed'] },
      onPost: () => {
        if (--postsLeft === 0) kill();
      },
    });
    try {
      const markers = Array.from({ length: ROWS }, (_, index) => `marker-${String(index + 1)}`);
      for (const marker of markers) {
        const chance = random();
        if (chance > 0.04) continue;
        const when = chance < 0.02 ? 'before' : 'after';
        ledger.plan(marker, { hiddenFor: 0, log: ['completed'], batch: ['completed'], fault: { kind: 'reset', when } });
      }
      const storage = new BatchStorage(folder);
      const id = storage.createId();
      await storage.save(
        {
          id,
          action: { name: 'mark', text: JSON.stringify(ACTION) },
          data: { name: 'rows.ndjson' },
          connection: 'Ledger',
          pacing: { concurrency: 4 },
        },
        formatRows(
          ['id', 'marker'],
          markers.map((marker) => [`obj_${marker}`, marker]),
        ),
      );
      const runChild = async (): Promise<{ readonly signal: unknown; readonly output: string }> => {
        const child = spawn(process.execPath, [script, ledger.baseUrl, folder, id], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        kill = () => child.kill('SIGKILL');
        let output = '';
        child.stdout.on('data', (part: Buffer) => (output += part.toString()));
        const [, signal] = (await once(child, 'close')) as [unknown, unknown];
        return { signal, output };
      };
      for (let time = 0; time < KILLS; time++) {
        postsLeft = 1 + Math.floor(random() * 25);
        assert.equal((await runChild()).signal, 'SIGKILL');
      }
      postsLeft = Infinity;
      const { output } = await runChild();
      const { states, reason } = z
        .object({ states: z.array(z.string()), reason: z.optional(z.string()) })
        .parse(JSON.parse(output));
      assert.equal(states.length, ROWS, reason);
      for (const [index, marker] of markers.entries()) {
        const { posts, executed } = ledger.entry(marker);
        const state = states[index] ?? '';
        assert.ok(posts <= 1 && executed <= 1, `${marker} was sent ${String(posts)} times`);
        assert.ok(['completed', 'unknown'].includes(state), `${marker}: ${state}`);
        if (state === 'completed') assert.equal(executed, 1, marker);
        // Its signature proves the action log.
        if (executed === 1) assert.equal(state, 'completed', marker);
      }
    } finally {
      await ledger.close();
      await fs.rm(folder, { recursive: true, force: true });
    }
  });
});
