/** The batch of a panel over a server: check, run, pause, filter, resume, and run again. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createBatchPlatform } from '../../../../../src/actions/bulk/batch-platform.ts';
import { formatRows, openDataFile } from '../../../../../src/actions/bulk/data/open-data.ts';
import {
  formatBatchEffects,
  formatProblems,
  formatBatchNotice,
  formatBatchProgress,
} from '../../../../../src/actions/bulk/panel/format-batch.ts';
import { PanelBatch, type BatchContext } from '../../../../../src/actions/bulk/panel/panel-batch.ts';
import { appendLine } from '../../../../../src/actions/bulk/journal/journal-format.ts';
import { isLocked } from '../../../../../src/actions/bulk/journal/journal-lock.ts';
import { readJournal } from '../../../../../src/actions/bulk/journal/read-journal.ts';
import { BatchStorage, type StoredBatch } from '../../../../../src/actions/bulk/panel/panel-storage.ts';
import { PlatformError } from '../../../../../src/platform/errors.ts';
import { createTransport } from '../../../../../src/platform/http/undici-transport.ts';
import { LedgerServer, type LedgerOptions } from '../../../../support/ledger-server.ts';
import { createTestClient } from '../../../../support/platform-client.ts';

const ACTION = { action: { update: { id: '${row:id}', data: { custom: { marker: '${row:marker}' } } } } };
const PLAN = { hiddenFor: 0, log: ['completed'], batch: ['completed'] };

suite('the batch of a panel', () => {
  const transport = createTransport({ environment: {} });
  let folder = '';
  let storage: BatchStorage;
  let ledger: LedgerServer;
  let context: BatchContext;
  const opened: PanelBatch[] = [];

  async function start(options: LedgerOptions = {}): Promise<void> {
    ledger = await LedgerServer.start({ plan: PLAN, ...options });
    const reject = (): Promise<string> => Promise.reject(new Error('no such variable'));
    context = {
      connection: { name: 'Ledger', baseUrl: ledger.baseUrl },
      platform: createBatchPlatform(createTestClient(ledger.baseUrl, transport)),
      variables: { input: reject, env: reject, secret: reject, file: reject, run: reject },
      getSigner: () => undefined,
    };
  }
  setup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'panel-'));
    storage = new BatchStorage(folder);
  });
  teardown(async () => {
    for (const batch of opened.splice(0)) await batch.close();
    await ledger.close();
    await fs.rm(folder, { recursive: true, force: true });
  });
  suiteTeardown(() => transport.close());

  async function store(count: number, change: Partial<StoredBatch> = {}): Promise<StoredBatch> {
    const stored: StoredBatch = {
      id: storage.createId(),
      action: { name: 'mark', text: JSON.stringify(ACTION) },
      data: { name: 'rows.ndjson' },
      connection: 'Ledger',
      pacing: { concurrency: 2 },
      ...change,
    };
    const rows = Array.from({ length: count }, (_, index) => [`obj_${String(index + 1)}`, `m${String(index + 1)}`]);
    await storage.save(stored, formatRows(['id', 'marker'], rows));
    return stored;
  }

  async function open(
    stored: StoredBatch,
    onDidChange: (batch: PanelBatch) => void = () => undefined,
    onTouch: (ids: readonly string[]) => void = () => undefined,
  ): Promise<PanelBatch> {
    const batch: PanelBatch = new PanelBatch({
      storage,
      stored,
      openData: (signal) => openDataFile({ path: storage.getData(stored.id), name: stored.data.name, signal }),
      onDidChange: () => {
        onDidChange(batch);
      },
      onTouch,
    });
    opened.push(batch);
    await batch.load(context);
    return batch;
  }

  const posts = (): number => [...ledger.entries.values()].reduce((sum, entry) => sum + entry.posts, 0);

  test('the type of a column is shown, changed, stored, and sent also after a restart', async () => {
    await start();
    const action = {
      update: { id: '${row:id}', data: { custom: { marker: '${row:marker}', scanned: '${row:scanned}' } } },
    };
    const stored = await store(0, { action: { name: 'mark', text: JSON.stringify({ action }) } });
    const rows = [
      ['obj_1', 'm1', 'true'],
      ['obj_2', 'm2', 'False'],
    ];
    await storage.save(stored, formatRows(['id', 'marker', 'scanned'], rows));
    const bodies: string[] = [];
    const { platform } = context;
    context = {
      ...context,
      platform: {
        ...platform,
        execute: (body, ...others) => {
          bodies.push(body);
          return platform.execute(body, ...others);
        },
      },
    };
    const first = await open(stored);
    assert.deepEqual(first.input.columns[2], { label: 'scanned', type: 'text', guess: 'boolean' });
    await first.setType(2, 'boolean');
    await first.load(context);
    assert.deepEqual(first.input.columns[2], { label: 'scanned', type: 'boolean', guess: 'boolean' });
    assert.equal(first.canChangeTypes, true);
    await first.close();
    const second = await open(await storage.read(stored.id));
    const run = await second.run(context);
    assert.equal(second.canChangeTypes, false);
    await run.ended;
    assert.deepEqual(bodies.map((body) => /"scanned":([^}]*)/.exec(body)?.[1]).sort(), ['false', 'true']);
    await second.setType(2, 'text');
    await second.close();
    const third = await open(await storage.read(stored.id));
    assert.equal(third.input.columns[2]?.type, 'boolean', 'it is the one of the journal');
  });

  test('rows are checked, sent once, and show their results', async () => {
    await start();
    ledger.plan('m2', { ...PLAN, failedStep: { at: 1, of: 1, error: 'the seat is taken' } });
    const touched: string[] = [];
    const batch = await open(await store(3), undefined, (ids) => touched.push(...ids));
    assert.deepEqual([batch.problem, batch.phase, batch.sendable, batch.canRun], [undefined, 'ready', 3, true]);
    assert.equal(formatBatchProgress(batch), '3 rows. No problems found. Nothing was sent.');
    assert.equal(formatBatchEffects(batch).summary, 'Runs mark for rows.ndjson');
    assert.equal(posts(), 0);
    const run = await batch.run(context);
    await run.ended;
    assert.equal(batch.phase, 'ended');
    assert.deepEqual([...new Set(touched)].sort(), ['obj_1', 'obj_3'], 'what shows these objects refreshes');
    assert.deepEqual([batch.select('completed'), batch.select('failed'), batch.countRows().all], [[1, 3], [2], 3]);
    const rows = await batch.readRows([1, 2]);
    assert.deepEqual(
      rows.map(({ state, cells, object, reason }) => [state, cells, object, reason.includes('the seat is taken')]),
      [
        ['completed', ['obj_1', 'm1'], 'obj_1', false],
        ['failed', ['obj_2', 'm2'], '', true],
      ],
    );
    assert.equal(formatBatchProgress(batch), 'Ended. 2 completed, 1 failed');
    assert.equal(batch.canRun, false);
    assert.equal(posts(), 3);
  });

  test('rows that are read during an earlier read arrive after it, so that an old state never replaces a newer one', async () => {
    await start();
    const batch = await open(await store(60));
    const run = await batch.run(context);
    await run.ended;
    const arrived: string[] = [];
    await Promise.all([
      batch.readRows(batch.select('all')).then(() => arrived.push('earlier')),
      batch.readRows([]).then(() => arrived.push('later')),
    ]);
    assert.deepEqual(arrived, ['earlier', 'later']);
  });

  test('rows with problems can be skipped; those with errors always are', async () => {
    await start();
    const stored = await store(0);
    await storage.save(
      stored,
      formatRows(
        ['id', 'marker'],
        [
          ['obj_1', 'm1'],
          ['obj_1', 'm2'],
          ['', 'm3'],
          ['obj_4', 'm4'],
        ],
      ),
    );
    const batch = await open(stored);
    assert.deepEqual([batch.problemRows, batch.errorRows, batch.sendable, batch.canRun], [[2, 3], [3], 3, true]);
    assert.match(formatProblems(batch).join('\n'), /^2 rows have problems\nRow 2: .*\nRow 3: .*$/);
    batch.skip(batch.problemRows);
    assert.deepEqual([batch.sendable, formatBatchEffects(batch).warnings], [2, []]);
    const { effects } = formatBatchEffects(batch);
    assert.deepEqual(
      effects.map((effect) => /obj_\d/.exec(effect)?.[0]),
      ['obj_1', 'obj_4'],
      effects.join('\n'),
    );
    const run = await batch.run(context);
    await run.ended;
    assert.deepEqual([posts(), batch.select('all'), batch.select('completed')], [2, [1, 4], [1, 4]]);
    const again = await open(stored);
    assert.deepEqual([again.phase, again.select('all')], ['ended', [1, 4]]);
  });

  test('a warning of the check is no longer that of a row that was completed', async () => {
    await start();
    const stored = await store(0);
    const rows = ['m1', 'm2'].map((marker) => ['obj_1', marker]);
    await storage.save(stored, formatRows(['id', 'marker'], rows));
    const batch = await open(stored);
    const read = async (): Promise<unknown[]> => {
      const [{ state, severity, reason } = assert.fail()] = await batch.readRows([2]);
      return [state, severity, reason];
    };
    assert.deepEqual(await read(), ['notSent', 'warning', 'The object is also that of row 1']);
    const run = await batch.run(context);
    await run.ended;
    assert.deepEqual(await read(), ['completed', undefined, '']);
  });

  test('an error keeps the batch from running until the action is corrected', async () => {
    await start();
    const wrong = { action: { update: { id: '${row:identifier}', data: {} } } };
    const batch = await open(await store(2, { action: { name: 'mark', text: JSON.stringify(wrong) } }));
    assert.equal(batch.canRun, false);
    const { tone, text } = formatBatchNotice(batch);
    assert.equal(tone, 'error');
    assert.match(text, /has no column identifier\. Correct the errors/);
    await batch.setActionText(JSON.stringify(ACTION));
    await batch.load(context);
    assert.equal(batch.canRun, true);
    await batch.setActionText('{');
    await batch.load(context);
    assert.match(batch.problem ?? '', /^mark: /);
    assert.equal(batch.canRun, false);
  });

  test('a wait that the platform asked for is shown while rows are left to be sent', async () => {
    await start();
    const fault = { kind: 'status', when: 'before', status: 429, retryAfter: '60' } as const;
    ledger.plan('m1', { ...PLAN, fault });
    const notices: string[] = [];
    const batch = await open(await store(1), (changed) => notices.push(formatBatchNotice(changed).text));
    await (
      await batch.run(context)
    ).ended;
    assert.deepEqual(new Set(notices), new Set(['']));
    const waiting = Promise.withResolvers<string>();
    const more = await open(await store(4), (changed) => {
      const { text } = formatBatchNotice(changed);
      if (text !== '') waiting.resolve(text);
    });
    const run = await more.run(context);
    assert.match(await waiting.promise, /^Waiting \d+ s, asked by the platform\. Sending continues afterwards\.$/);
    await run.stop();
    await run.ended;
    assert.doesNotMatch(formatBatchNotice(more).text, /^Waiting/);
  });

  test('a paused batch sends no further row; one journal has one owner', async () => {
    const arrived = Promise.withResolvers<undefined>();
    await start({
      onPost: () => {
        arrived.resolve(undefined);
      },
    });
    const stored = await store(40, { pacing: { concurrency: 1 } });
    const paused = Promise.withResolvers<undefined>();
    const batch = await open(stored, (changed) => {
      if (changed.batch?.totals.status === 'paused') paused.resolve(undefined);
    });
    const run = await batch.run(context);
    await arrived.promise;
    batch.pause();
    assert.equal(batch.phase, 'paused');
    await paused.promise;
    const sent = posts();
    assert.ok(sent < 40, String(sent));
    const other = await open(stored);
    assert.match(other.problem ?? '', /open/);
    assert.equal(other.canRun, false);
    await other.close();
    assert.equal(posts(), sent);
    batch.continue();
    await run.ended;
    assert.equal(posts(), 40);
  });

  test('a stopped batch is resumed where it was, with the pace that was set', async () => {
    await start();
    const [arrived, stopping] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const { platform } = context;
    context = {
      ...context,
      platform: {
        ...platform,
        execute: async (...request) => {
          const response = await platform.execute(...request);
          arrived.resolve(undefined);
          await stopping.promise;
          return response;
        },
      },
    };
    const stored = await store(30, { pacing: { concurrency: 1 } });
    const first = await open(stored);
    await first.run(context);
    await arrived.promise;
    await first.setPacing({ concurrency: 4 });
    const stopped = first.stop();
    stopping.resolve(undefined);
    await stopped;
    assert.equal(first.phase, 'stopped');
    const left = first.sendable;
    assert.ok(left > 0 && left < 30, String(left));
    await first.close();
    const [summary] = await storage.list();
    assert.deepEqual([summary?.journal?.isUnfinished, summary?.journal?.counts.notSent], [true, left]);
    await storage.dismiss(stored.id);
    assert.deepEqual(await storage.read(stored.id), { ...first.stored, isDismissed: true });
    const lock = `${storage.getJournal(stored.id)}.${'0'.repeat(16)}.1.${randomUUID()}.lock`;
    await fs.writeFile(lock, '');
    const locked = await open(await storage.read(stored.id));
    assert.ok(
      locked.problem?.endsWith(path.join(await fs.realpath(folder), path.relative(folder, lock))),
      locked.problem,
    );
    await fs.rm(lock);
    const second = await open(await storage.read(stored.id));
    assert.deepEqual([second.problem, second.phase, second.sendable], [undefined, 'stopped', left]);
    assert.equal(second.stored.pacing.concurrency, 4);
    await (
      await second.run(context)
    ).ended;
    assert.equal(posts(), 30);
    assert.equal(second.select('completed').length, 30);
  });

  test('a stopped batch that cannot be resumed keeps its results', async () => {
    await start();
    ledger.plan('m2', { ...PLAN, failedStep: { at: 1, of: 1, error: 'the seat is taken' } });
    let isLost = true;
    const { platform } = context;
    context = {
      ...context,
      platform: {
        ...platform,
        execute: (body, options) =>
          isLost && body.includes('m3')
            ? Promise.reject(new PlatformError('network', 'No route', { sent: false }))
            : platform.execute(body, options),
      },
    };
    const batch = await open(await store(3));
    const run = await batch.run(context);
    while (batch.phase !== 'paused') await setImmediate();
    await batch.stop();
    await run.ended;
    const shown = (): unknown => [batch.phase, formatBatchProgress(batch), batch.select('failed'), batch.sendable];
    const stopped = shown();
    assert.deepEqual(stopped, [
      'stopped',
      'Stopped. Results: 2 of 3 rows (1 completed, 1 failed, 1 not sent).',
      [2],
      1,
    ]);
    const moved = { ...context, connection: { ...context.connection, baseUrl: 'https://other.example' } };
    await assert.rejects(batch.run(moved), /belongs to the connection Ledger/);
    assert.deepEqual(shown(), stopped);
    assert.match((await batch.readRows([2]))[0]?.reason ?? '', /the seat is taken/);
    isLost = false;
    await (
      await batch.run(context)
    ).ended;
    assert.deepEqual([batch.select('completed'), posts()], [[1, 3], 3]);
  });

  test('a batch whose data has changed does not call its rows unsent after a restart', async () => {
    await start();
    const stored = await store(2);
    const first = await open(stored);
    await (
      await first.run(context)
    ).ended;
    await first.close();
    await storage.save(stored, formatRows(['id', 'marker'], [['obj_9', 'm9']]));
    const batch = await open(stored);
    assert.match(batch.problem ?? '', /has changed since/);
    assert.deepEqual([batch.select('notSent'), batch.countRows().notSent, batch.sendable], [[], 0, 0]);
  });

  test('a tab that is closed while its batch is opened gives the journal up', async () => {
    await start();
    const stored = await store(200);
    const first = await open(stored);
    await (
      await first.run(context)
    ).ended;
    await first.close();
    const journal = storage.getJournal(stored.id);
    const batch = new PanelBatch({
      storage,
      stored,
      openData: (signal) => openDataFile({ path: storage.getData(stored.id), name: stored.data.name, signal }),
      onDidChange: () => undefined,
    });
    const loaded = batch.load(context);
    while (!(await isLocked(journal))) await setImmediate();
    await batch.close();
    await loaded;
    assert.equal(await isLocked(journal), false);
  });

  test('a change of the action after the check never replaces the text that the journal is of', async () => {
    await start();
    const stored = await store(3);
    const batch = await open(stored);
    const changed = JSON.stringify({ action: { burn: { id: '${row:id}' } } });
    await batch.setActionText(changed);
    assert.equal(batch.canRun, false, 'it was not checked');
    await (
      await batch.run(context)
    ).ended;
    assert.equal((await storage.read(stored.id)).action.text, stored.action.text);
    await batch.close();
    await batch.setActionText(changed);
    assert.deepEqual(await storage.read(stored.id), stored);
    const next = await open(await storage.read(stored.id));
    assert.deepEqual([next.problem, next.phase], [undefined, 'ended']);
  });

  test('a batch over data that another one sent says so, also when it is confirmed', async () => {
    await start();
    ledger.plan('m3', { ...PLAN, fault: { kind: 'status', when: 'before', status: 400 } });
    const second = await open(await store(3));
    assert.equal(formatBatchNotice(second).text, '');
    const first = await open(await store(3));
    await (
      await first.run(context)
    ).ended;
    await second.checkSentBefore();
    assert.match(
      formatBatchNotice(second).text,
      /^2 rows of rows\.ndjson were already sent by the batch mark of .+\.$/,
    );
    assert.match(formatBatchEffects(second).warnings.join(), /^2 rows of rows\.ndjson were already sent/);
    const third = await open(await store(3));
    assert.equal(formatBatchEffects(third).warnings.length, 1);
    const others = [await open(await store(2)), await open(await store(3, { identity: 'buyer' }))];
    assert.deepEqual(
      others.flatMap(({ sentBefore }) => sentBefore),
      [],
    );
  });

  test('unknown rows are settled once nothing is sent any more, and followed', async () => {
    await start();
    const lost = { ...PLAN, fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 } as const;
    for (const marker of ['m1', 'm2']) ledger.plan(marker, lost);
    const batch = await open(await store(3));
    assert.equal(batch.onlyLogs.size, 0);
    const settleable = Promise.withResolvers<undefined>();
    await (
      await batch.run({ ...context, searchDuration: 50 })
    ).ended;
    await batch.close();
    const again = await open(batch.stored, ({ onlyLogs }) => {
      if (onlyLogs.size === 2) settleable.resolve(undefined);
    });
    await settleable.promise;
    assert.deepEqual(await again.readPossibleLogs(1), ledger.entry('m1').actionIds);
    await again.settle(context, again.onlyLogs);
    await again.batch?.ended;
    assert.deepEqual(again.select('completed'), [1, 2, 3]);
    assert.equal(posts(), 3);
  });

  test('refused and failed rows are run again as another batch', async () => {
    await start();
    ledger.plan('m1', { ...PLAN, failedStep: { at: 1, of: 1, error: 'not now' } });
    ledger.plan('m3', { ...PLAN, fault: { kind: 'status', when: 'before', status: 400 } });
    const stored = await store(4);
    const batch = await open(stored);
    await (
      await batch.run(context)
    ).ended;
    assert.deepEqual([batch.select('failed'), batch.select('refused')], [[1], [3]]);
    await batch.close();
    for (const marker of ['m1', 'm3']) ledger.plan(marker, PLAN);
    const again = await open(await store(4, { former: stored.id }));
    assert.deepEqual([again.problem, again.phase, again.select('all')], [undefined, 'ready', [1, 3]]);
    assert.equal(await storage.hasJournal(again.stored.id), false, 'a tab that is closed again claims no rows');
    const other = await open(await store(4, { former: stored.id }));
    assert.deepEqual([other.problem, other.sendable, formatBatchProgress(other).slice(0, 6)], [undefined, 2, '2 rows']);
    await again.setActionText(JSON.stringify(ACTION, null, 1));
    assert.equal(again.isActionChanged, true);
    await again.load(context);
    assert.equal(again.canRun, true);
    await (
      await again.run(context)
    ).ended;
    assert.deepEqual(again.select('completed'), [1, 3]);
    await assert.rejects(other.run(context), /were run again in/);
    assert.equal(posts(), 6);
  });

  test('more rows than were confirmed are not sent without another confirmation', async () => {
    await start();
    ledger.plan('m1', { ...PLAN, failedStep: { at: 1, of: 1, error: 'not now' } });
    const stored = await store(2);
    await (
      await (await open(stored)).run(context)
    ).ended;
    const again = await open(await store(2, { former: stored.id }));
    assert.equal(again.sendable, 1);
    const { end } = await readJournal(storage.getJournal(stored.id));
    await fs.appendFile(storage.getJournal(stored.id), appendLine('{"row":2,"state":"failed"}', end)[0]);
    const asked: number[] = [];
    const confirmMore = (answer: boolean) => (): Promise<boolean> => {
      asked.push(again.sendable);
      return Promise.resolve(answer);
    };
    const declined = await again.run(context, confirmMore(false));
    assert.deepEqual([asked, declined.totals.status, posts()], [[2], 'ready', 2]);
    await (
      await again.run(context, confirmMore(true))
    ).ended;
    assert.deepEqual([asked, posts()], [[2], 4], 'two were confirmed this time');
  });

  test('stored batches are listed, and the oldest finished ones go', async () => {
    await start();
    const ids: string[] = [];
    for (let index = 0; index < 22; index++) ids.push((await store(1)).id);
    await storage.prune(new Set([ids[0] ?? '']));
    const left = new Set((await storage.list()).map(({ stored }) => stored.id));
    assert.equal(left.size, 21);
    assert.ok(left.has(ids[0] ?? '') && !left.has(ids.slice(1).sort()[0] ?? ''));
    await assert.rejects(storage.read('../other'), /no longer stored/);
  });
});
