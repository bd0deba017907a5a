/** Journals that were copied, moved, restored or changed, against a ledger: no row is sent twice. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Batch, BatchOptions } from '../../../../../src/actions/bulk/batch.ts';
import { createBatch, resumeBatch, runAgain } from '../../../../../src/actions/bulk/open-batch.ts';
import { assertTrue, getStates, readAllResults, startBatchTest, type BatchTest } from '../support.ts';

const ROWS = 12;

suite('a journal that was copied', () => {
  let fixture: BatchTest;
  let onPost: () => void = () => undefined;
  setup(async () => {
    fixture = await startBatchTest({
      onPost: () => {
        onPost();
      },
    });
  });
  teardown(() => fixture.close());

  /** Runs a batch until its fourth row is sent; the others are left. */
  async function interrupt(): Promise<BatchOptions> {
    const options = fixture.options(ROWS, { pacing: { concurrency: 1 } });
    const batch = await createBatch(options);
    const sent = Promise.withResolvers<undefined>();
    let posts = 0;
    onPost = () => {
      if (++posts === 4) sent.resolve(undefined);
    };
    batch.start();
    await sent.promise;
    await batch.stop();
    assert.ok(batch.totals.counts.notSent > 0);
    return options;
  }

  async function runToEnd(batch: Batch): Promise<void> {
    batch.start();
    await batch.ended;
    assertTrue(fixture.ledger, await readAllResults(batch));
  }

  const countPosts = (): number => [...fixture.ledger.entries.values()].reduce((sum, { posts }) => sum + posts, 0);

  /** Leaves what is stored of the batch as a process does that is killed. */
  async function forgetEnd({ journal }: BatchOptions): Promise<void> {
    const folder = path.join(process.env['XDG_DATA_HOME'] ?? '', 'smart-objects/batches');
    const real = await fs.realpath(journal);
    for (const name of (await fs.readdir(folder)).filter((each) => each.endsWith('.json'))) {
      const file = path.join(folder, name);
      const stored = JSON.parse(await fs.readFile(file, 'utf8')) as { readonly journal: string; end?: unknown };
      delete stored.end;
      if (stored.journal === real) await fs.writeFile(file, JSON.stringify(stored));
    }
  }

  for (const isKilled of [false, true])
    for (const [how, copy] of [
      ['file', (from: string, to: string) => fs.copyFile(from, to)],
      ['hard link', (from: string, to: string) => fs.link(from, to)],
    ] as const)
      test(`a ${how} of a journal${isKilled ? ' whose process was killed' : ''} is not resumed, and the original is named`, async () => {
        const options = await interrupt();
        if (isKilled) await forgetEnd(options);
        const copied = path.join(fixture.folder, 'copy', 'copied.jsonl');
        await fs.mkdir(path.dirname(copied));
        await copy(options.journal, copied);
        const refused = {
          message: `copied.jsonl is a copy of ${await fs.realpath(options.journal)}. Resume that journal`,
        };
        await assert.rejects(resumeBatch({ ...options, journal: copied }), refused);
        await runToEnd(await resumeBatch(options));
        await assert.rejects(resumeBatch({ ...options, journal: copied }), refused);
        assert.equal(countPosts(), ROWS);
      });

  test('an older copy in place of the journal is not resumed', async () => {
    const options = await interrupt();
    const [copied, copiedLater] = ['copied', 'later'].map((name) => path.join(fixture.folder, name));
    assert.ok(copied !== undefined && copiedLater !== undefined);
    await fs.copyFile(options.journal, copied);
    await runToEnd(await resumeBatch(options));
    await fs.copyFile(options.journal, copiedLater);
    for (const replace of [fs.copyFile, fs.rename]) {
      await replace(copied, options.journal);
      await assert.rejects(resumeBatch(options), /^Error: batch\.jsonl is an older copy of .*\.json$/);
      await fs.copyFile(options.journal, copied);
    }
    // The file that was closed last is the same in a copy.
    await fs.rename(copiedLater, options.journal);
    const resumed = await resumeBatch(options);
    assert.equal(resumed.totals.counts.notSent, 0);
    await resumed.close();
    assert.equal(countPosts(), ROWS);
  });

  test('a copy in place of a journal whose process was killed is not resumed: rows may be missing', async () => {
    const options = await interrupt();
    await forgetEnd(options);
    await fs.copyFile(options.journal, path.join(fixture.folder, 'copied'));
    await fs.rename(path.join(fixture.folder, 'copied'), options.journal);
    await assert.rejects(resumeBatch(options), /is an older copy of/);
  });

  test('an earlier state, written into the journal of a killed process, is not resumed', async () => {
    const options = fixture.options(ROWS, { pacing: { concurrency: 1 } });
    const copied = path.join(fixture.folder, 'copied');
    const [early, late] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    let posts = 0;
    onPost = () => {
      posts++;
      if (posts === 2) early.resolve(undefined);
      if (posts === 4) late.resolve(undefined);
    };
    const batch = await createBatch(options);
    batch.start();
    await early.promise;
    await fs.copyFile(options.journal, copied);
    await late.promise;
    const folder = path.join(process.env['XDG_DATA_HOME'] ?? '', 'smart-objects/batches');
    const record = path.join(folder, `${batch.header.id}.json`);
    const asKilled = await fs.readFile(record);
    await batch.stop();
    await fs.writeFile(record, asKilled);
    const journal = await fs.readFile(options.journal);
    // As `cp` does: into the same file.
    await fs.writeFile(options.journal, await fs.readFile(copied));
    await assert.rejects(resumeBatch(options), /^Error: batch\.jsonl is an older copy of .*\.json$/);
    await fs.writeFile(options.journal, journal);
    await runToEnd(await resumeBatch(options));
    assert.equal(countPosts(), ROWS);
  });

  test('how far a journal is, is written into one file, which is not replaced while rows wait', async () => {
    const options = fixture.options(ROWS);
    const batch = await createBatch(options);
    const folder = path.join(process.env['XDG_DATA_HOME'] ?? '', 'smart-objects/batches');
    const record = path.join(folder, `${batch.header.id}.json`);
    const { ino } = await fs.stat(record);
    await runToEnd(batch);
    const { end } = JSON.parse(await fs.readFile(record, 'utf8')) as { readonly end: { readonly lines: number } };
    assert.ok(end.lines > ROWS);
    assert.equal((await fs.stat(record)).ino, ino);
    await (await resumeBatch(options)).close();
  });

  test('a journal that was moved is resumed there, also after its process was killed', async () => {
    for (const isKilled of [false, true]) {
      const options = await interrupt();
      if (isKilled) await forgetEnd(options);
      const folder = path.join(fixture.folder, `moved-${String(isKilled)}`);
      await fs.mkdir(folder);
      const journal = path.join(folder, 'moved.jsonl');
      await fs.rename(options.journal, journal);
      const batch = await resumeBatch({ ...options, journal });
      assert.ok(batch.totals.counts.notSent > 0);
      await batch.close();
    }
  });

  test('of copies of a journal from another computer, one is resumed', async () => {
    const options = await interrupt();
    const text = await fs.readFile(options.journal, 'utf8');
    const id = JSON.stringify('20200101000000000-00000000');
    const headerless = text.replace(/"version":3,"id":"[^"]+"/, `"version":1,"id":${id}`);
    const journals = ['a', 'b', 'c', 'd'].map((name) => path.join(fixture.folder, name, 'batch.jsonl'));
    for (const journal of journals) {
      await fs.mkdir(path.dirname(journal));
      await fs.writeFile(journal, headerless);
    }
    const opened = await Promise.allSettled(journals.map((journal) => resumeBatch({ ...options, journal })));
    const batches = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.ok(batches.length <= 1);
    for (const batch of batches) await batch.close();
    let resumed = 0;
    for (const journal of journals) {
      const batch = await resumeBatch({ ...options, journal }).catch(() => undefined);
      await batch?.close();
      if (batch !== undefined) resumed++;
    }
    assert.equal(resumed, 1, 'a journal of an earlier program, without checksums, is resumed too');
  });

  test('the refused rows of copies are run again once', async () => {
    fixture.ledger.plan('m2', { fault: { kind: 'status', when: 'before', status: 400 } });
    const options = fixture.options(3);
    await runToEnd(await createBatch(options));
    fixture.ledger.plan('m2', {});
    const formerJournal = path.join(fixture.folder, 'copied.jsonl');
    await fs.copyFile(options.journal, formerJournal);
    const again = { ...options, journal: path.join(fixture.folder, 'again.jsonl') };
    await assert.rejects(runAgain({ ...again, formerJournal }), /copied\.jsonl is a copy of .*batch\.jsonl/);
    const batch = await runAgain({ ...again, formerJournal: options.journal });
    batch.start();
    await batch.ended;
    assert.deepEqual(getStates(await readAllResults(batch)), ['completed']);
    assert.equal(countPosts(), 4);
  });

  test('a journal whose lines were cut out, repeated, moved or changed is not resumed', async () => {
    const options = await interrupt();
    const whole = await fs.readFile(options.journal, 'utf8');
    const lines = whole.trimEnd().split('\n');
    assert.ok(lines.length > 5);
    const [header = '', first = '', second = '', ...rest] = lines;
    for (const [changed, line] of [
      [[header, second, ...rest], 2],
      [[header, first, ...rest], 3],
      [[header, first, first, second, ...rest], 3],
      [[header, second, first, ...rest], 2],
      [[header, first.replace('"row":1', '"row":9'), second, ...rest], 2],
      [[header.replace('"created":', '"created":1'), first, second, ...rest], 1],
      [[header.replace(/,"chain":"\w+"/, ''), first, second, ...rest], 1],
    ] as const) {
      await fs.writeFile(options.journal, `${changed.join('\n')}\n`);
      await assert.rejects(resumeBatch(options), {
        message: `batch.jsonl is damaged at line ${String(line)}, so it can’t be resumed`,
      });
    }
    await fs.writeFile(options.journal, `${lines.slice(0, -2).join('\n')}\n`);
    await assert.rejects(resumeBatch(options), /is an older copy of/, 'lines were cut off at the end');
    await fs.writeFile(options.journal, whole);
    await runToEnd(await resumeBatch(options));
    assert.equal(countPosts(), ROWS);
  });

  test('a former journal outside the folder is neither read nor written', async () => {
    fixture.ledger.plan('m2', { fault: { kind: 'status', when: 'before', status: 400 } });
    const options = fixture.options(3);
    await runToEnd(await createBatch(options));
    const folder = path.join(fixture.folder, 'inner');
    await fs.mkdir(folder);
    await fs.symlink(options.journal, path.join(folder, 'link.jsonl'));
    const before = await fs.readFile(options.journal, 'utf8');
    for (const formerJournal of [options.journal, path.join(folder, 'link.jsonl')])
      await assert.rejects(
        runAgain({ ...options, journal: path.join(folder, 'again.jsonl'), formerJournal }),
        /is outside the folder of again\.jsonl$/,
      );
    assert.equal(await fs.readFile(options.journal, 'utf8'), before);
    assert.deepEqual(await fs.readdir(folder), ['link.jsonl']);
  });
});
