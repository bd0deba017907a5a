import assert from 'node:assert/strict';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createBatch, resumeBatch, runAgain } from '../../../../src/actions/bulk/open-batch.ts';
import { BatchRun } from '../../../../src/actions/bulk/send/batch-run.ts';
import { JOURNAL_START } from '../../../../src/actions/bulk/journal/journal-format.ts';
import { JournalWriter } from '../../../../src/actions/bulk/journal/journal-writer.ts';
import { readJournal } from '../../../../src/actions/bulk/journal/read-journal.ts';
import type {
  BatchEvent,
  BatchOptions,
  BatchStatus,
  BatchTotals,
  RowResult,
} from '../../../../src/actions/bulk/batch.ts';
import { readJournalSummary } from '../../../../src/actions/bulk/journal/journal-reader.ts';
import { createData } from '../../../support/batch-data.ts';
import {
  assertTrue,
  createRows,
  getStates,
  readAllResults,
  startBatchTest,
  waitForStatus,
  type BatchTest,
} from './support.ts';
import { shortLimits } from '../support.ts';

suite('batch', () => {
  let fixture: BatchTest;
  setup(async () => {
    fixture = await startBatchTest();
  });
  teardown(() => fixture.close());

  test('sends each row once and follows it to its ledger batch', async () => {
    const batch = await createBatch(fixture.options(30));
    const events: BatchEvent[] = [];
    batch.listen((event) => events.push(event));
    batch.start();
    const { counts, status, reason } = await batch.ended;
    assert.deepEqual([counts.completed, status, reason], [30, 'ended', undefined]);
    const results = await readAllResults(batch);
    assertTrue(fixture.ledger, results);
    for (const { row, actionId, objects, ledgerBatch, ledgerBatchStatus } of results) {
      assert.match(actionId ?? '', /^act_/);
      assert.deepEqual(objects, [`obj_${String(row)}`]);
      assert.match(ledgerBatch ?? '', /^bat_/);
      assert.equal(ledgerBatchStatus, 'completed');
    }
    const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
    assert.equal(new Set(rows.map(({ row }) => row)).size, 30);
    assert.equal(events.at(-1)?.type, 'totals');
  });

  test('says what became of each row', async () => {
    const { ledger } = fixture;
    ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 400 } });
    ledger.plan('m2', { fault: { kind: 'reset', when: 'before' } });
    ledger.plan('m3', { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 });
    ledger.plan('m4', { failedStep: { at: 1, of: 1, error: 'sold out' } });
    ledger.plan('m5', { log: ['pending', 'failed'], batch: [] });
    ledger.plan('m6', { batch: ['pending', 'failed'], batchError: 'not settled' });
    ledger.plan('m7', { log: ['pending'] });
    ledger.plan('m8', { fault: { kind: 'status', when: 'before', status: 409 } });
    // The end of the only log that stays pending.
    const limits = { ...shortLimits, log: 2000 };
    const batch = await createBatch(fixture.options(9, { limits }));
    batch.start();
    await batch.ended;
    const results = await readAllResults(batch);
    assert.deepEqual(
      results.map(({ state, reason }) => [state, reason]),
      [
        ['refused', 'failed with 400 (The platform refused the request (HTTP 400))'],
        ['unknown', results[1]?.reason],
        ['unknown', results[2]?.reason],
        ['failed', 'sold out (step update)'],
        ['failed', 'The action failed. The platform gave no reason'],
        ['failed', 'not settled (the batch failed)'],
        ['accepted', 'The action log was still pending when last checked'],
        ['unknown', 'The platform refused the request (HTTP 409): failed with 409. No action log was found'],
        ['completed', undefined],
      ],
    );
    assert.match(results[1]?.reason ?? '', /\. No action log was found$/);
    assert.match(results[2]?.reason ?? '', /\. An action log may belong to this row. Check it$/);
    assert.equal(results[2]?.possibleLogs?.length, 1);
  });

  test('a signature proves which log is of a row without an answer', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } }, "signature": "0x0123456789abcdef0123456789abcdef${row:marker}" }';
    for (const marker of ['m2', 'm3'])
      fixture.ledger.plan(marker, { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 });
    fixture.ledger.plan('m4', { fault: { kind: 'reset', when: 'before' } });
    const batch = await createBatch(fixture.options(5, { text, searchDuration: 1000 }));
    batch.start();
    await batch.ended;
    const results = await readAllResults(batch);
    assert.deepEqual(getStates(results), ['completed', 'completed', 'completed', 'unknown', 'completed']);
    assertTrue(fixture.ledger, results);
    const journal = await fs.readFile(fixture.options(1).journal, 'utf8');
    assert.ok(!journal.includes('0x0123456789abcdef'));
  });

  test('a constant signature proves nothing', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } }, "signature": "0x0123456789abcdef0123456789abcdef" }';
    fixture.ledger.plan('m2', { fault: { kind: 'reset', when: 'before' } });
    const batch = await createBatch(fixture.options(3, { text }));
    batch.start();
    await batch.ended;
    assert.deepEqual(getStates(await readAllResults(batch)), ['completed', 'unknown', 'completed']);
  });

  test('a row without a value is not sent, and says why; the others are sent', async () => {
    const data = createData('rows.ndjson', ['id', 'marker'], [['obj_1', 'm1'], ['obj_2'], ['obj_3', 'm3']]);
    const batch = await createBatch(fixture.options(3, { data }));
    batch.start();
    await batch.ended;
    const results = await readAllResults(batch);
    assert.deepEqual(getStates(results), ['completed', 'notSent', 'completed']);
    assert.equal(results[1]?.reason, 'Row 2 has no value for marker');
    assert.deepEqual([...fixture.ledger.entries.keys()].sort(), ['m1', 'm3']);
  });

  test('a view that fails does not change the batch', async () => {
    const batch = await createBatch(fixture.options(2));
    batch.listen(() => {
      throw new Error('of a view');
    });
    batch.start();
    assert.equal((await batch.ended).counts.completed, 2);
    assert.equal(batch.totals.status, 'ended');
  });

  test('a signature of two rows proves nothing', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } }, "signature": "${row:proof}" }';
    const proofs = ['a', 'b', 'b'].map((letter) => letter.repeat(40));
    const rows = proofs.map((proof, index) => ['obj_1', `m${String(index + 1)}`, proof]);
    fixture.ledger.plan('m2', { fault: { kind: 'reset', when: 'before' } });
    fixture.ledger.plan('m3', { anonymous: true, hiddenFor: 0 });
    const data = createData('rows.csv', ['id', 'marker', 'proof'], rows);
    const batch = await createBatch(
      fixture.options(3, { text, data, pacing: { concurrency: 1 }, searchDuration: 300 }),
    );
    batch.start();
    await batch.ended;
    assert.deepEqual(getStates(await readAllResults(batch)), ['completed', 'unknown', 'accepted']);
  });

  test('the log of a row that is run again is not the one of the former batch, whose signature is the same', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } }, "signature": "0x0123456789abcdef0123456789abcdef${row:marker}" }';
    fixture.ledger.plan('m2', { log: ['failed'], batch: [], hiddenFor: 0 });
    const options = fixture.options(2, { text });
    const first = await createBatch(options);
    first.start();
    assert.equal((await first.ended).counts.failed, 1);
    fixture.ledger.plan('m2', { fault: { kind: 'reset', when: 'before' } });
    const again = { ...options, journal: path.join(fixture.folder, 'again.jsonl') };
    const second = await runAgain({ ...again, formerJournal: options.journal });
    second.start();
    assert.equal((await second.ended).counts.unknown, 1);
    const resumed = await resumeBatch(again);
    resumed.start();
    assert.equal((await resumed.ended).counts.unknown, 1);
  });

  test('no action log was found only if the request is known for the comparison', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}", "note": "${input:NOTE}" } } } } }';
    fixture.ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 409 } });
    const options = fixture.options(1, { text });
    const withNote = (input: () => Promise<string>): BatchOptions => ({
      ...options,
      variables: { ...options.variables, input },
    });
    const first = await createBatch({ ...withNote(() => Promise.resolve('one')), searchDuration: 600_000 });
    const isUnknown = Promise.withResolvers<undefined>();
    first.listen(() => {
      if (first.totals.counts.unknown === 1) isUnknown.resolve(undefined);
    });
    first.start();
    await isUnknown.promise;
    await first.close();
    const resume = async (input: () => Promise<string>): Promise<RowResult | undefined> => {
      const batch = await resumeBatch(withNote(input));
      batch.start();
      await batch.ended;
      return (await readAllResults(batch))[0];
    };
    for (const input of [() => Promise.resolve('two'), () => Promise.reject(new Error('no value'))]) {
      const result = await resume(input);
      assert.equal(result?.state, 'unknown');
      assert.match(
        result.reason ?? '',
        /\. It could not be compared with the action logs. It is unknown whether it was executed/,
      );
    }
    const { state, reason = '' } = (await resume(() => Promise.resolve('one'))) ?? {};
    assert.equal(state, 'unknown');
    assert.match(reason, /\. No action log was found$/);
  });

  test('logs that cannot be listed are read by their id; one that the answer does not name by its signature', async () => {
    const sign = (name: string): string =>
      `{ "action": { "update": { "id": "\${row:id}", "data": { "custom": { "marker": "\${row:marker}" } } } }, "signature": "${name.repeat(40)}\${row:marker}" }`;
    const options = fixture.options(3, { text: sign('a') });
    const listless = {
      ...options.platform,
      logPages: (): AsyncIterable<never> => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no such filter')) }),
      }),
    };
    const first = await createBatch({ ...options, platform: listless });
    first.start();
    assert.equal((await first.ended).counts.completed, 3);
    fixture.ledger.plan('m2', { anonymous: true, hiddenFor: 0 });
    const run = async (name: string, text: string): Promise<BatchTotals['counts']> => {
      const journal = path.join(fixture.folder, name);
      const batch = await createBatch(fixture.options(3, { text, journal, searchDuration: 500 }));
      batch.start();
      return (await batch.ended).counts;
    };
    assert.equal((await run('second.jsonl', sign('b'))).completed, 3);
    // The row of the first batch has the same signature: either log may be its own.
    const { completed, accepted } = await run('third.jsonl', sign('a'));
    assert.deepEqual([completed, accepted], [2, 1]);
  });

  test('the value of a secret is in no reason', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } }, "pin": "${secret:PIN}" }';
    const secret = 'a-secret-of-the-test-1';
    fixture.ledger.plan('m1', { log: ['failed'], batch: ['failed'], batchError: `bad ${secret}` });
    fixture.ledger.plan('m2', { failedStep: { at: 1, of: 1, error: `wrong ${secret}` } });
    const options = fixture.options(2, { text });
    const variables = { ...options.variables, secret: () => Promise.resolve(secret) };
    const batch = await createBatch({ ...options, variables });
    batch.start();
    await batch.ended;
    const results = await readAllResults(batch);
    assert.deepEqual(getStates(results), ['failed', 'failed']);
    for (const { reason } of results) assert.match(reason ?? '', /(?:bad|wrong) ••••/);
    assert.ok(!(await fs.readFile(options.journal, 'utf8')).includes(secret));
  });

  test('the value of a secret is in no line of a row whose response was lost', async () => {
    const text =
      '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}" } } } }, "pin": "${secret:PIN}" }';
    const secret = 'a-secret-of-the-test-2';
    const options = fixture.options(1, { text });
    const batch = await createBatch({
      ...options,
      variables: { ...options.variables, secret: () => Promise.resolve(secret) },
      platform: {
        ...options.platform,
        execute: (_body, { onSent }) => {
          onSent();
          return Promise.reject(new PlatformError('network', `closed after ${secret} was sent`));
        },
      },
    });
    batch.start();
    await batch.ended;
    const lines = (await fs.readFile(options.journal, 'utf8')).trim().split('\n');
    const last = lines.at(-1) ?? '';
    assert.match(last, /"cause":"closed after •••• was sent"/);
    assert.match(last, /"args":\["closed after •••• was sent",\{"message":"No action log was found","args":\[\]\}\]/);
    assert.deepEqual(
      lines.filter((line) => line.includes(secret)),
      [],
    );
  });

  test('at most so many rows are sent at once', async () => {
    const options = fixture.options(12, { pacing: { concurrency: 3 } });
    let [active, most] = [0, 0];
    const three = Promise.withResolvers<undefined>();
    const batch = await createBatch({
      ...options,
      platform: {
        ...options.platform,
        execute: async (...args) => {
          most = Math.max(most, ++active);
          if (active === 3) three.resolve(undefined);
          await three.promise;
          try {
            return await options.platform.execute(...args);
          } finally {
            active--;
          }
        },
      },
    });
    batch.start();
    assert.equal((await batch.ended).counts.completed, 12);
    assert.equal(most, 3);
  });

  test('429, or a time to wait, lets all rows wait, and the row is not sent again', async () => {
    const posts: { readonly marker: string; readonly at: number }[] = [];
    const other = await startBatchTest({ onPost: (marker) => posts.push({ marker, at: Date.now() }) });
    try {
      other.ledger.plan('m3', { fault: { kind: 'status', when: 'before', status: 429 } });
      other.ledger.plan('m5', { fault: { kind: 'status', when: 'before', status: 503, retryAfter: '1' } });
      const batch = await createBatch(other.options(8, { pacing: { concurrency: 1 } }));
      batch.start();
      const { counts } = await batch.ended;
      assert.deepEqual([counts.refused, counts.unknown, counts.completed], [1, 1, 6]);
      const [third = NaN, fourth = NaN, fifth = NaN, sixth = NaN] = posts.slice(2).map(({ at }) => at);
      assert.ok(fourth - third >= 990 && sixth - fifth >= 990);
      assertTrue(other.ledger, await readAllResults(batch));
    } finally {
      await other.close();
    }
  });

  test('a credential that is refused pauses the batch: the other rows are not sent', async () => {
    fixture.ledger.plan('m2', { fault: { kind: 'status', when: 'before', status: 401 } });
    const batch = await createBatch(fixture.options(10, { pacing: { concurrency: 1 } }));
    batch.start();
    await waitForStatus(batch, 'paused');
    assert.match(batch.totals.reason ?? '', /HTTP 401/);
    assert.equal(batch.totals.counts.notSent, 8);
    batch.start();
    const { counts, reason } = await batch.ended;
    assert.deepEqual([counts.completed, reason], [9, undefined]);
    assertTrue(fixture.ledger, await readAllResults(batch));
  });

  test('a platform that cannot be reached pauses the batch, and no row counts as sent', async () => {
    const options = fixture.options(10);
    const batch = await createBatch(options);
    await fixture.ledger.close();
    batch.start();
    await waitForStatus(batch, 'paused');
    assert.equal(batch.totals.counts.notSent, 10);
    await batch.close();
  });

  test('ten lost responses in a row pause the batch, nine do not', async () => {
    const rows = Array.from({ length: 21 }, (_none, index) => `m${String(index + 1)}`);
    for (const [index, marker] of rows.entries())
      if (index !== 9) fixture.ledger.plan(marker, { fault: { kind: 'reset', when: 'before' } });
    const batch = await createBatch(fixture.options(21, { pacing: { concurrency: 1 } }));
    batch.start();
    await waitForStatus(batch, 'paused');
    assert.match(batch.totals.reason ?? '', /^The last 10 responses were lost: /);
    assert.equal(batch.totals.counts.notSent, 1);
    // Counted anew from here.
    batch.start();
    const { counts, reason } = await batch.ended;
    assert.deepEqual([counts.unknown, reason], [20, undefined]);
  });

  test('each row is on the disk as being sent before its request is sent', async () => {
    const calls: string[] = [];
    const other = await startBatchTest({ onPost: (marker) => calls.push(`POST ${marker}`) });
    try {
      const options = other.options(3, { pacing: { concurrency: 1 } });
      await (await createBatch(options)).close();
      const written: string[] = [];
      const file: unknown = {
        appendFile: (bytes: Buffer) => {
          written.push(...bytes.toString().trim().split('\n'));
          return Promise.resolve();
        },
        datasync: () => {
          for (const line of written.splice(0)) {
            const { row, state } = JSON.parse(line) as RowResult;
            if (state === 'sending') calls.push(`flush m${String(row)}`);
          }
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
      };
      const batch = new BatchRun(options, {
        journal: await readJournal(options.journal),
        writer: new JournalWriter(file as FileHandle, JOURNAL_START),
        lock: { release: () => Promise.resolve() },
      });
      batch.start();
      await batch.ended;
      assert.deepEqual(
        calls,
        ['m1', 'm2', 'm3'].flatMap((marker) => [`flush ${marker}`, `POST ${marker}`]),
      );
    } finally {
      await other.close();
    }
  });

  test('rows that could not be sent are sent when the batch goes on', async () => {
    const options = fixture.options(10);
    let isReachable = false;
    const batch = await createBatch({
      ...options,
      platform: {
        ...options.platform,
        execute: (...args) =>
          isReachable
            ? options.platform.execute(...args)
            : Promise.reject(new PlatformError('network', 'There is no connection', { sent: false })),
      },
    });
    batch.start();
    await waitForStatus(batch, 'paused');
    assert.deepEqual([batch.totals.counts.notSent, batch.totals.reason], [10, 'There is no connection']);
    isReachable = true;
    batch.start();
    assert.equal((await batch.ended).counts.completed, 10);
    assertTrue(fixture.ledger, await readAllResults(batch));
  });

  test('stops after the rows that are being sent, and is resumed', async () => {
    const options = fixture.options(40, { pacing: { concurrency: 2 } });
    const batch = await createBatch(options);
    const arrived = Promise.withResolvers<undefined>();
    batch.listen((event) => {
      // A row that is `sending` may be put back.
      if (event.type === 'rows' && event.rows.some(({ state }) => state !== 'sending')) arrived.resolve(undefined);
    });
    batch.setPacing({ concurrency: 2, rate: 1 });
    batch.start();
    await arrived.promise;
    await batch.stop();
    const { counts } = batch.totals;
    assert.ok(counts.notSent > 0 && counts.notSent < 40);
    assert.equal(counts.sending + counts.unknown, 0);
    const summary = await readJournalSummary(options.journal);
    assert.deepEqual([summary.counts, summary.isUnfinished, summary.isOpen], [counts, true, false]);
    const resumed = await resumeBatch(options);
    assert.deepEqual(resumed.totals.counts, counts);
    resumed.start();
    assert.equal((await resumed.ended).counts.completed, 40);
    assertTrue(fixture.ledger, await readAllResults(resumed));
    assert.equal((await readJournalSummary(options.journal)).isUnfinished, false);
  });

  test('pause and start', async () => {
    const batch = await createBatch(fixture.options(30, { pacing: { concurrency: 1, rate: 100 } }));
    batch.start();
    batch.pause();
    await waitForStatus(batch, 'paused');
    assert.ok(batch.totals.counts.notSent >= 29);
    const statuses: BatchStatus[] = [];
    batch.listen(() => statuses.push(batch.totals.status));
    batch.start();
    batch.pause();
    batch.start();
    assert.equal((await batch.ended).counts.completed, 30);
    assert.deepEqual([...new Set(statuses)], ['running', 'pausing', 'ended']);
    assertTrue(fixture.ledger, await readAllResults(batch));
  });

  for (const end of ['pause', 'stop'] as const)
    test(`${end} sends no row that is being composed; it is sent when the batch goes on`, async () => {
      const text =
        '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "marker": "${row:marker}", "note": "${input:NOTE}" } } } } }';
      const options = fixture.options(6, { text });
      const [asked, answer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<string>()];
      const input = (): Promise<string> => {
        asked.resolve(undefined);
        return answer.promise;
      };
      const variables = { ...options.variables, input };
      const batch = await createBatch({ ...options, variables });
      batch.start();
      await asked.promise;
      void batch[end]();
      answer.resolve('one');
      await (end === 'pause' ? waitForStatus(batch, 'paused') : batch.ended);
      assert.equal(batch.totals.counts.notSent, 6);
      assert.equal(fixture.ledger.entries.size, 0);
      const next = end === 'pause' ? batch : await resumeBatch({ ...options, variables });
      next.start();
      assert.equal((await next.ended).counts.completed, 6);
      assertTrue(fixture.ledger, await readAllResults(next));
    });

  test('pause sends no row whose request waits for those of the connection', async () => {
    const posted = Promise.withResolvers<undefined>();
    const other = await startBatchTest({ onPost: () => posted.resolve(undefined) }, 1);
    try {
      const batch = await createBatch(other.options(6));
      void posted.promise.then(() => batch.pause());
      batch.start();
      await waitForStatus(batch, 'paused');
      assert.equal(batch.totals.counts.notSent, 5);
      assert.equal(other.ledger.entries.size, 1);
      batch.start();
      assert.equal((await batch.ended).counts.completed, 6);
      assertTrue(other.ledger, await readAllResults(batch));
    } finally {
      await other.close();
    }
  });

  test('no row whose request waits for those of the connection is sent while the platform asks to wait', async () => {
    const other = await startBatchTest({}, 1);
    try {
      other.ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 429, retryAfter: '3600' } });
      const options = other.options(6);
      const batch = await createBatch(options);
      const isWaiting = Promise.withResolvers<undefined>();
      batch.listen(() => {
        const { waitingUntil, counts } = batch.totals;
        if (waitingUntil !== undefined && counts.sending === 0) isWaiting.resolve(undefined);
      });
      batch.start();
      await isWaiting.promise;
      await batch.close();
      const resumed = await resumeBatch(options);
      await resumed.close();
      const { counts } = resumed.totals;
      assert.deepEqual([counts.refused, counts.notSent, counts.unknown], [1, 5, 0]);
      assert.equal(other.ledger.entries.size, 1);
    } finally {
      await other.close();
    }
  });

  test('a journal is open once, and not with other data, another action or connection', async () => {
    const options = fixture.options(5);
    const batch = await createBatch(options);
    await assert.rejects(resumeBatch(options), { message: 'batch.jsonl is already open' });
    await assert.rejects(createBatch(options), { message: 'batch.jsonl is already open' });
    await fs.symlink(options.journal, path.join(fixture.folder, 'link.jsonl'));
    await assert.rejects(resumeBatch({ ...options, journal: path.join(fixture.folder, 'link.jsonl') }), {
      message: 'batch.jsonl is already open',
    });
    await batch.close();
    await assert.rejects(createBatch(options), {
      message: 'batch.jsonl already exists. Resume it, or use another journal',
    });
    await assert.rejects(resumeBatch({ ...options, data: createRows(6) }), {
      message: 'rows.csv has changed since batch.jsonl was started, so the batch can’t be resumed',
    });
    await assert.rejects(resumeBatch(fixture.options(5, { text: '{ "action": {} }' })), {
      message: 'update has changed since batch.jsonl was started, so the batch can’t be resumed',
    });
    for (const change of [{ name: 'Other' }, { baseUrl: 'http://127.0.0.1:1' }, { environment: 'production' }])
      await assert.rejects(
        resumeBatch({ ...options, connection: { ...options.connection, ...change } }),
        /^Error: batch\.jsonl belongs to the connection Ledger \(/,
      );
    await (await resumeBatch(options)).close();
  });

  test('a journal whose first line was never written whole is replaced; another file is not', async () => {
    const options = fixture.options(1);
    for (const text of ['', '{"form', '{"format":"smart-objects-batch","version":1,"id']) {
      await fs.writeFile(options.journal, text);
      const batch = await createBatch(options);
      await batch.close();
      assert.equal((await readJournalSummary(options.journal)).counts.notSent, 1);
    }
    for (const text of ['{"other', 'notes', '{"format":"smart-objects-batch","version":1}\n']) {
      await fs.writeFile(options.journal, text);
      await assert.rejects(createBatch(options), /already exists/);
      assert.equal(await fs.readFile(options.journal, 'utf8'), text);
    }
  });

  test('a row whose line cannot be written was not sent', async () => {
    const options = fixture.options(3);
    const opened = await createBatch(options);
    await opened.close();
    const file: unknown = {
      appendFile: () => Promise.reject(new Error('disk full')),
      datasync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const batch = new BatchRun(options, {
      journal: await readJournal(options.journal),
      writer: new JournalWriter(file as FileHandle, JOURNAL_START),
      lock: { release: () => Promise.resolve() },
    });
    batch.start();
    const { counts, reason } = await batch.ended;
    assert.deepEqual([counts.notSent, counts.sending, fixture.ledger.entries.size], [3, 0, 0]);
    assert.match(reason ?? '', /disk full/);
  });

  test('rows of a full disk that were not sent stay so when the batch is resumed, though their lines were written', async () => {
    const options = fixture.options(4);
    await (await createBatch(options)).close();
    const handle = await fs.open(options.journal, 'a');
    const file: unknown = {
      appendFile: (text: string) => handle.appendFile(text),
      datasync: () => Promise.reject(new Error('disk full')),
      truncate: (size: number) => handle.truncate(size),
      close: () => handle.close(),
    };
    const journal = await readJournal(options.journal);
    const batch = new BatchRun(options, {
      journal,
      writer: new JournalWriter(file as FileHandle, journal.end),
      lock: { release: () => Promise.resolve() },
    });
    batch.start();
    await batch.ended;
    const resumed = await resumeBatch(options);
    assert.deepEqual([resumed.totals.counts.notSent, resumed.totals.counts.unknown], [4, 0]);
    resumed.start();
    await resumed.ended;
    assertTrue(fixture.ledger, await readAllResults(resumed));
  });

  test('of many that open a journal at the same time, at most one succeeds', async () => {
    const options = fixture.options(5);
    await (await createBatch(options)).close();
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => resumeBatch(options)));
    const batches = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.ok(batches.length <= 1, String(batches.length));
    for (const batch of batches) await batch.close();
    await (await resumeBatch(options)).close();
  });

  test('a line that was cut off is left out; damage before the end is refused', async () => {
    const options = fixture.options(3);
    const batch = await createBatch(options);
    batch.start();
    await batch.ended;
    const whole = await fs.readFile(options.journal, 'utf8');
    await fs.writeFile(options.journal, `${whole}{"row":1,"state":"sen`);
    const resumed = await resumeBatch(options);
    assert.equal(resumed.totals.counts.completed, 3);
    await resumed.close();
    assert.equal(await fs.readFile(options.journal, 'utf8'), whole);
    const [header = '', ...lines] = whole.split('\n');
    await fs.writeFile(options.journal, [header, '{"row":1,', ...lines].join('\n'));
    await assert.rejects(resumeBatch(options), {
      message: 'batch.jsonl is damaged at line 2, so it can’t be resumed',
    });
    await fs.writeFile(options.journal, '{}\n');
    await assert.rejects(resumeBatch(options), { message: 'batch.jsonl is not a batch journal' });
  });

  test('rows that a repeating gateway refused may have been executed, and are not run again', async () => {
    const options = fixture.options(4);
    for (const [index, status] of [409, 425, 499].entries())
      fixture.ledger.plan(`m${String(index + 1)}`, {
        fault: { kind: 'status', when: 'after', status },
        hiddenFor: 1e9,
      });
    const batch = await createBatch(options);
    batch.start();
    await batch.ended;
    const results = await readAllResults(batch);
    assert.deepEqual(getStates(results), ['unknown', 'unknown', 'unknown', 'completed']);
    assertTrue(fixture.ledger, results);
    const again = { ...options, journal: path.join(fixture.folder, 'again.jsonl'), formerJournal: options.journal };
    await assert.rejects(runAgain(again), { message: 'No row of batch.jsonl was refused or failed' });
  });

  test('an action log that is dated ten minutes before its request may be of a row', async () => {
    const when_created = new Date(Date.now() - 600_000).toISOString();
    fixture.ledger.plan('m1', {
      fault: { kind: 'status', when: 'after', status: 409 },
      hiddenFor: 0,
      logFields: { when_created },
    });
    const batch = await createBatch(fixture.options(1));
    batch.start();
    await batch.ended;
    const [result] = await readAllResults(batch);
    assert.deepEqual([result?.state, result?.possibleLogs], ['unknown', fixture.ledger.entry('m1').actionIds]);
  });

  test('refused and failed rows are run again once, in a batch that names the former', async () => {
    const options = fixture.options(6);
    fixture.ledger.plan('m2', { fault: { kind: 'status', when: 'before', status: 400 } });
    fixture.ledger.plan('m4', { fault: { kind: 'reset', when: 'after' } });
    fixture.ledger.plan('m5', { failedStep: { at: 1, of: 1, error: 'sold out' } });
    const first = await createBatch(options);
    first.start();
    await first.ended;
    fixture.ledger.plan('m2', {});
    fixture.ledger.plan('m5', {});
    const again = { ...options, journal: path.join(fixture.folder, 'again.jsonl'), formerJournal: options.journal };
    const second = await runAgain(again);
    assert.deepEqual([...second.rowNumbers], [2, 5]);
    assert.deepEqual(second.header.former, { id: first.header.id, journal: 'batch.jsonl' });
    second.start();
    assert.equal((await second.ended).counts.completed, 2);
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map((row) => fixture.ledger.entry(`m${String(row)}`).executed),
      [1, 1, 1, 1, 1, 1],
    );
    await assert.rejects(runAgain({ ...again, journal: path.join(fixture.folder, 'third.jsonl') }), {
      message: 'The refused and failed rows of batch.jsonl were run again in again.jsonl. Resume that batch',
    });
    assert.deepEqual((await fs.readdir(fixture.folder)).sort(), ['again.jsonl', 'batch.jsonl']);
  });
});
