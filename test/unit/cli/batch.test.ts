/** `run --data`, against a ledger. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDataFile } from '../../../src/actions/bulk/data/open-data.ts';
import { readJournal, readResults } from '../../../src/actions/bulk/journal/read-journal.ts';
import { LedgerServer, type Fault, type LedgerOptions } from '../../support/ledger-server.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { assertTrue } from '../actions/bulk/support.ts';
import { getProgram, runProgram, startProgram, type ProgramResult, type RunningProgram } from './support.ts';

const ACTION = `{
  "action": { "update": { "id": "\${row:id}", "data": { "custom": { "marker": "\${row:marker}" } } } },
  "signature": "0x0123456789abcdef0123456789abcdef\${row:marker}"
}`;

suite('runner with data', () => {
  let folder: string;
  let ledger: LedgerServer;
  // Its build is not within the limit of a test.
  suiteSetup(() => void getProgram());
  setup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bulk-cli-'));
  });
  teardown(async () => {
    await ledger.close();
    await fs.rm(folder, { recursive: true });
  });

  async function prepare(rows: number, options: LedgerOptions = {}): Promise<void> {
    ledger = await LedgerServer.start(options);
    const lines = Array.from({ length: rows }, (_none, index) => `obj_${String(index + 1)},m${String(index + 1)}`);
    await fs.writeFile(path.join(folder, 'rows.csv'), ['id,marker', ...lines, ''].join('\n'));
    await fs.writeFile(path.join(folder, 'update.action.json'), ACTION);
  }

  const getCommand = (...args: readonly string[]): Parameters<typeof startProgram> => [
    ['run', 'update.action.json', '--data', 'rows.csv', '--base-url', ledger.baseUrl, ...args],
    { cwd: folder, environment: { SMART_OBJECTS_API_KEY: 'key-of-the-test-0123' } },
  ];
  const start = (...args: readonly string[]): RunningProgram => startProgram(...getCommand(...args));
  const run = (...args: readonly string[]): Promise<ProgramResult> => runProgram(...getCommand(...args));

  async function readRows(journal: string) {
    const file = path.join(folder, journal);
    const { table } = await readJournal(file);
    return readResults(file, table, [...table]);
  }

  test('--settle follows unknown rows by their only logs', async () => {
    await prepare(2);
    // A signature of its own would prove which log is whose.
    const { signature: _none, ...unsigned } = JSON.parse(ACTION) as Record<string, unknown>;
    await fs.writeFile(path.join(folder, 'update.action.json'), JSON.stringify(unsigned));
    ledger.plan('m1', { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 });
    const first = await run('--follow', '2');
    assert.match(first.out, /^2 rows: 1 completed, 1 unknown$/m);
    assert.match(first.out, /--resume --settle settles those with exactly one possible action log/);
    const settled = await run('--resume', '--settle');
    assert.match(settled.out, /^1 unknown row settled by the action log$/m);
    assert.match(settled.out, /^2 rows: 2 completed$/m);
    assert.equal(settled.code, 0, settled.out);
    assertTrue(ledger, await readRows('rows.csv.journal.jsonl'));
    assert.match((await run('--settle')).out, /--settle requires --resume/);
  });

  test('--column-type is what a column is sent as, also when the batch is resumed', async () => {
    await prepare(0);
    const action = {
      update: { id: '${row:id}', data: { custom: { marker: '${row:marker}', scanned: '${row:scanned}' } } },
    };
    await fs.writeFile(path.join(folder, 'update.action.json'), JSON.stringify({ action }));
    await fs.writeFile(path.join(folder, 'rows.csv'), 'id,marker,scanned\nobj_1,m1,true\nobj_2,m2,FALSE\n');
    const readScanned = async (id: string): Promise<unknown> => {
      const response = await fetch(new URL(`objects/${id}`, `${ledger.baseUrl}/`));
      return /"scanned":("?\w+"?)/.exec(await response.text())?.[1];
    };
    const dry = await run('--column-type', 'scanned=boolean', '--dry-run', '--format', 'json');
    assert.match(dry.out, /"scanned": true/);
    for (const [type, message] of [
      ['scanned=bool', /must be COLUMN=TYPE with one of text, number, boolean, date; nothing was sent/],
      ['seen=boolean', /rows\.csv has no column seen; nothing was sent/],
      ['marker=number', /row 1: error: The value of marker is not a number: m1\./],
    ] as const) {
      const { code, out } = await run('--column-type', type);
      assert.match(out, message);
      assert.equal(code, 2);
    }
    ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 401 } });
    const first = await run('--column-type', 'scanned=boolean', '--concurrency', '1');
    assert.match(first.out, /^2 rows: 1 refused, 1 not sent$/m);
    assert.match((await run('--resume', '--column-type', 'scanned=text')).out, /sends the types of its journal/);
    const resumed = await run('--resume');
    assert.match(resumed.out, /^2 rows: 1 completed, 1 refused$/m);
    assert.equal(await readScanned('obj_2'), 'false');
    ledger.plan('m1', {});
    const again = ['--again', 'rows.csv.journal.jsonl', '--journal', 'again.jsonl'];
    assert.equal((await run(...again)).code, 0);
    assert.equal(await readScanned('obj_1'), 'true');
  });

  test('a wait that the platform asks for is printed when it begins', async () => {
    await prepare(3);
    ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 429, retryAfter: '1' } });
    const { out } = await run('--concurrency', '1');
    assert.match(out, /^1 of 3 rows: .* · the platform asks to wait /m);
  });

  test('sends each row once, reports, and writes results', async () => {
    await prepare(12);
    ledger.plan('m3', { fault: { kind: 'status', when: 'before', status: 400 } });
    const { code, out } = await run('--results', 'out.csv', '--concurrency', '3');
    assert.equal(code, 1, out);
    assert.match(out, /^row 3 refused: failed with 400 \(The platform refused the request \(HTTP 400\)\)\.$/m);
    assert.match(out, /^12 rows: 11 completed, 1 refused$/m);
    assert.ok(!out.includes('\u001b') && !out.includes('\r'));
    const results = await openDataFile({ path: path.join(folder, 'out.csv'), name: 'out.csv' });
    assert.deepEqual(results.columns, ['id', 'marker', 'status', 'action_id', 'object_ids', 'batch_id', 'reason']);
    assert.equal(results.rows.length, 12);
    assertTrue(ledger, await readRows('rows.csv.journal.jsonl'));
    const journal = await fs.readFile(path.join(folder, 'rows.csv.journal.jsonl'), 'utf8');
    assert.ok(!journal.includes('key-of-the-test') && !journal.includes('0x0123456789abcdef'));

    ledger.plan('m3', {});
    const again = await run('--again', 'rows.csv.journal.jsonl', '--journal', 'again.jsonl');
    assert.equal(again.code, 0, again.out);
    assert.match(again.out, /^1 row: 1 completed$/m);
    assert.equal(ledger.entry('m3').executed, 1);
  });

  test('Ctrl-C stops after the rows that are being sent, and the batch is resumed', async () => {
    const arrived = Promise.withResolvers<undefined>();
    let count = 0;
    await prepare(30, {
      onPost: () => {
        if (++count === 5) arrived.resolve(undefined);
      },
    });
    const { child, ended } = start('--rate', '5');
    await arrived.promise;
    child.kill('SIGINT');
    const { code, out } = await ended;
    assert.equal(code, 1, out);
    assert.match(out, /run the same command with --journal rows\.csv\.journal\.jsonl --resume/);
    const rows = await readRows('rows.csv.journal.jsonl');
    assert.ok(rows.some(({ state }) => state === 'notSent'));
    assert.ok(rows.every(({ state }) => state !== 'sending' && state !== 'unknown'));
    const repeated = await run();
    assert.equal(repeated.code, 2);
    assert.match(repeated.out, /rows\.csv\.journal\.jsonl already exists/);
    const resumed = await run('--resume');
    assert.equal(resumed.code, 0, resumed.out);
    assertTrue(ledger, await readRows('rows.csv.journal.jsonl'));
  });

  test('two processes cannot run one journal', async () => {
    const arrived = Promise.withResolvers<undefined>();
    await prepare(30, {
      onPost: () => {
        arrived.resolve(undefined);
      },
    });
    const first = start('--rate', '1');
    await arrived.promise;
    const second = await run('--resume');
    assert.equal(second.code, 2);
    assert.match(second.out, /is open in process \d+/);
    first.child.kill('SIGINT');
    await first.ended;
  });

  for (const [what, args, message] of [
    ['a missing column', [], /rows\.csv: error: rows\.csv has no column id\./],
    ['a rate that makes no sense', ['--rate', '0'], /--rate must be a number of rows per second/],
    ['production', ['--environment', 'production'], /is production: nothing is sent without --allow-production/],
    ['results in place of the data', ['--results', 'rows.csv'], /--results would replace the data/],
    [
      'results in place of the journal',
      ['--journal', 'out.csv', '--results', './out.csv'],
      /would replace the journal;/,
    ],
    ['a journal that does not exist', ['--resume'], /The journal rows\.csv\.journal\.jsonl does not exist/],
  ] as const)
    test(`nothing is sent for ${what}`, async () => {
      await prepare(2);
      if (args.length === 0) await fs.writeFile(path.join(folder, 'rows.csv'), 'ID,marker\nobj_1,m1\n');
      const { code, out } = await run(...args);
      assert.equal(code, 2, out);
      assert.match(out, message);
      assert.equal(ledger.entries.size, 0);
    });

  test('results are not written through a link, and nothing is sent', async () => {
    await prepare(2);
    await fs.writeFile(path.join(folder, 'theirs'), 'theirs');
    await fs.symlink('theirs', path.join(folder, 'planted.csv'));
    const { code, out } = await run('--results', 'planted.csv');
    assert.deepEqual([code, ledger.entries.size], [2, 0], out);
    assert.match(out, /The results planted\.csv cannot be written: planted\.csv is a link/);
    assert.equal(await fs.readFile(path.join(folder, 'theirs'), 'utf8'), 'theirs');
  });

  test('--check checks the rows without a platform, and sends nothing', async () => {
    await prepare(3);
    await fs.appendFile(path.join(folder, 'rows.csv'), 'obj_1,m1\n');
    const args = ['run', 'update.action.json', '--data', 'rows.csv', '--check'];
    const { code, out } = await runProgram(args, { cwd: folder });
    assert.equal(code, 1, out);
    assert.match(out, /rows\.csv, row 4: warning: The row sends the same request as row 1\./);
    assert.match(out, /^4 rows, 0 errors, 1 warning; nothing was sent$/m);
  });

  test('killed at 20 random moments: no row is executed twice, and each state is true', async () => {
    const random = createSeededRandom(20);
    const rows = 150;
    const pacing = ['--concurrency', '3', '--rate', '200', '--no-batch'];
    let posts = 0;
    let onPost = (): void => undefined;
    await prepare(rows, {
      plan: { batch: [], log: ['completed'], hiddenFor: 0 },
      onPost: () => {
        posts++;
        onPost();
      },
    });
    for (let row = 1; row <= rows; row++) {
      const fault = pickFault(random());
      if (fault !== undefined) ledger.plan(`m${String(row)}`, { fault, batch: [], log: ['completed'], hiddenFor: 0 });
    }
    for (let kill = 0; kill < 20; kill++) {
      const arrived = Promise.withResolvers<undefined>();
      const last = posts + 1 + Math.floor(random() * 8);
      const milliseconds = random() * 4;
      onPost = () => {
        if (posts === last) setTimeout(arrived.resolve, milliseconds);
      };
      const { child, ended } = start(...pacing, ...(kill === 0 ? [] : ['--resume']));
      const first = await Promise.race([arrived.promise, ended]);
      assert.equal(first, undefined, `ended before it was killed, after ${String(posts)} rows: ${first?.out ?? ''}`);
      child.kill('SIGKILL');
      await ended;
      assertNotRepeated();
    }
    onPost = () => undefined;
    assert.ok(posts < rows);
    const { code, out } = await run(...pacing, '--follow', '2', '--resume');
    assert.equal(code, 1, out);
    const results = await readRows('rows.csv.journal.jsonl');
    assert.equal(results.length, rows);
    assertTrue(ledger, results);
    for (const { row, state, reason } of results) {
      const { executed } = ledger.entry(`m${String(row)}`);
      // The signature finds every row that was executed.
      if (executed === 1) assert.equal(state, 'completed', `row ${String(row)}: ${reason ?? ''}`);
      else assert.ok(state === 'unknown' || state === 'refused', `row ${String(row)}: ${state}`);
    }
    function assertNotRepeated(): void {
      for (const entry of ledger.entries.values()) assert.ok(entry.posts <= 1 && entry.executed <= 1, entry.marker);
    }
  });
});

function pickFault(random: number): Fault | undefined {
  if (random < 0.1) return { kind: 'reset', when: 'before' };
  if (random < 0.2) return { kind: 'reset', when: 'after' };
  return random < 0.25 ? { kind: 'status', when: 'before', status: 400 } : undefined;
}
