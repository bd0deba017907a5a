/** A run whose response proves nothing, on a clock of its own. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../../src/model/clock.ts';
import { getRequestBody, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { performRun, resumeRun, type RunOptions } from '../../../../src/actions/run/pipeline.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import type { RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { MASK } from '../../../../src/platform/json/secrets.ts';
import { formatText } from '../../../../src/platform/text/message.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createRecord, shortLimits } from '../support.ts';

const SENT = Date.parse('2026-05-01T12:00:00Z');
const TEXT = '{"action": {"update": {"id": "obj_1"}}}';
const log = { id: 'act_1', action_name: 'update', params: [{ id: 'obj_1' }], status: 'completed' };

/** Runs `TEXT`. `delay`: milliseconds until its log is listed; `age`: by which the log is dated back. */
async function runRefused(status: number, delay: number, age = 0): Promise<RunRecord> {
  let now = SENT;
  const file = parseActionFile(TEXT);
  const listed = { ...log, when_created: new Date(SENT - age).toISOString() };
  return performRun(
    { record: { ...createRecord(TEXT), started: SENT }, file, body: getRequestBody(file), targets: [], secrets: [] },
    {
      platform: {
        execute: (_body, { onSent }) => {
          onSent();
          return Promise.reject(new PlatformError('badRequest', 'refused', { status }));
        },
        logs: ({ when_created: period }) =>
          Promise.resolve(now < SENT + delay || (period !== undefined && +period.gte > SENT - age) ? [] : [listed]),
        batch: () => Promise.reject(new Error('no batch')),
        object: () => Promise.reject(new Error('no object')),
      },
      time: {
        now: () => now,
        sleep: (milliseconds) => {
          now += milliseconds;
          return Promise.resolve();
        },
      },
      signal: new AbortController().signal,
      report: () => undefined,
    },
  );
}

suite('a run without a reliable response', () => {
  for (const status of [409, 425, 499])
    test(`HTTP ${String(status)}: a log that comes after 14 seconds counts`, async () => {
      const { outcome, probable, logId } = await runRefused(status, 14_000);
      assert.deepEqual([outcome, probable, logId], ['completed', true, 'act_1']);
    });

  test('a log that is dated ten minutes back may be its log', async () => {
    const { outcome, possible } = await runRefused(409, 0, 600_000);
    assert.deepEqual([outcome, possible.map(({ id, sameParams }) => [id, sameParams])], ['unknown', [['act_1', true]]]);
  });

  test('without a log the outcome stays unknown', async () => {
    const { outcome, reason } = await runRefused(409, 1e9);
    assert.equal(outcome, 'unknown');
    assert.match(reason ?? '', /It may have been executed, and .* No action log was found$/);
  });
});

suite('what is recorded of a run', () => {
  interface Followed {
    readonly run: RunRecord;
    /** at each end of what decides it */
    readonly settled: readonly RunRecord[];
    /** milliseconds between reads */
    readonly waits: readonly number[];
  }

  /** Follows a run on a clock that only waiting moves, of a request that responds as `execute`. */
  async function follow(
    platform: Partial<RunPlatform>,
    more: Partial<RunOptions> = {},
    resumed?: Partial<RunRecord>,
    targets: readonly string[] = [],
  ): Promise<Followed> {
    let now = SENT;
    const waits: number[] = [];
    const settled: RunRecord[] = [];
    const file = parseActionFile(TEXT);
    const options: RunOptions = {
      platform: {
        execute: (_body, { onSent }) => {
          onSent();
          return Promise.resolve({ raw: { action_id: 'act_1' }, status: 200 });
        },
        logs: () => Promise.resolve([{ ...log, when_created: new Date(SENT).toISOString() }]),
        batch: () => Promise.reject(new Error('no batch')),
        object: () => Promise.reject(new Error('no object')),
        ...platform,
      },
      time: {
        now: () => now,
        sleep: async (milliseconds, stop) => {
          // What responds at once is in time.
          await setImmediate();
          if (stop.aborted) return;
          now += milliseconds;
          waits.push(milliseconds);
        },
      },
      signal: new AbortController().signal,
      report: () => undefined,
      onSettled: (run) => settled.push(run),
      ...more,
    };
    const record = { ...createRecord(TEXT), started: SENT };
    const run =
      resumed === undefined
        ? await performRun({ record, file, body: getRequestBody(file), targets, secrets: [] }, options)
        : await resumeRun({ ...record, sentAt: SENT, ...resumed }, options);
    return { run, settled, waits };
  }

  const failWith = (error: PlatformError): Partial<RunPlatform> => ({
    execute: (_body, { onSent }) => {
      onSent();
      return Promise.reject(error);
    },
  });

  test('a refusal: its status, its response, and when the next request may be sent', async () => {
    const detail = { status: 429, body: '{"a": 1}', requestId: 'req_1', retryAfter: 30_000 };
    const { run, settled } = await follow(failWith(new PlatformError('rateLimited', 'Too many.', detail)));
    const { outcome, status, response, requestId, retryAfter, answeredAt } = run;
    assert.deepEqual(
      { outcome, status, response, requestId, retryAfter, answeredAt },
      {
        outcome: 'refused',
        status: 429,
        response: '{"a": 1}',
        requestId: 'req_1',
        retryAfter: 30_000,
        answeredAt: SENT,
      },
    );
    assert.deepEqual(settled, [run]);
    const bare = (await follow(failWith(new PlatformError('badRequest', 'No.', { status: 400 })))).run;
    assert.deepEqual(
      ['response', 'requestId', 'retryAfter'].filter((name) => name in bare),
      [],
    );
  });

  test('a response: when it came, its status and the id of its request', async () => {
    const raw = { action_id: 'act_1', steps: [{ action: 'update' }] };
    const { run } = await follow({
      execute: (_body, { onSent }) => {
        onSent();
        return Promise.resolve({ raw, status: 202, requestId: 'req_2' });
      },
    });
    assert.deepEqual(
      [run.outcome, run.answeredAt, run.status, run.requestId, run.actionId, run.steps.length],
      ['completed', SENT, 202, 'req_2', 'act_1', 1],
    );
    assert.deepEqual(JSON.parse(run.response ?? ''), raw);
    assert.equal('requestId' in (await follow({})).run, false);
  });

  test('a 404 is a wrong base URL only if the logs respond with 404, too', async () => {
    const missing = new PlatformError('notFound', 'Not found.', { status: 404 });
    for (const [error, isWrong] of [
      [missing, true],
      [new PlatformError('server', 'Down.', { status: 500 }), false],
      [new Error('a defect'), false],
    ] as const) {
      const { run } = await follow({ ...failWith(missing), logs: () => Promise.reject(error) });
      assert.deepEqual([run.outcome, run.reason?.includes('base URL')], ['refused', isWrong], error.message);
    }
    let reads = 0;
    const logs = (): Promise<never> => {
      reads++;
      return Promise.reject(missing);
    };
    await follow({ ...failWith(new PlatformError('badRequest', 'No.', { status: 400 })), logs });
    assert.equal(reads, 0);
  });

  test('an error after it was sent leaves the outcome unknown', async () => {
    const knownLogs = (): never => {
      throw new Error('The history is gone.');
    };
    const { run, settled } = await follow({}, { knownLogs });
    assert.deepEqual([run.outcome, run.note], ['unknown', '']);
    assert.equal(run.reason, 'The request was sent, but its outcome could not be read: The history is gone');
    assert.deepEqual(settled, [run]);
  });

  test('the response of another action: what was read before sending is kept, and nothing of that action', async () => {
    const raw = { action_id: 'act_9', steps: [{ action: 'update', output: { ids: ['obj_9'] } }] };
    const foreign: Partial<RunPlatform> = {
      execute: (_body, { onSent }) => {
        onSent();
        return Promise.resolve({ raw, status: 200 });
      },
      object: (id) => (id === 'obj_1' ? Promise.resolve('{}') : Promise.reject(new Error('It is down.'))),
    };
    const other = { ...log, action_id: 'act_9', params: [{ id: 'obj_8' }] };
    for (const [more, options] of [
      [{ logs: () => Promise.resolve([]) }, { knownLogs: () => new Set(['act_9']) }],
      [{ logs: () => Promise.resolve([other]) }, {}],
    ] as const) {
      const { run } = await follow({ ...foreign, ...more }, options, undefined, ['obj_1', 'obj_2']);
      assert.equal(run.outcome, 'unknown', run.reason);
      assert.deepEqual(
        run.affected.map(({ id, before, note }) => [id, before, note && formatText(note)]),
        [
          ['obj_1', '{}', undefined],
          ['obj_2', undefined, 'not read before sending: It is down'],
        ],
      );
    }
    const affected = [{ id: 'obj_1', before: '{}' }, { id: 'obj_2', note: 'not read' }, { id: 'obj_9' }];
    const { run } = await follow({ logs: () => Promise.resolve([other]) }, {}, { actionId: 'act_9', affected });
    assert.deepEqual([run.outcome, run.affected], ['unknown', affected.slice(0, 2)]);
  });

  test('a batch that does not come is not waited for before the outcome is told', async () => {
    const decided: unknown[] = [];
    const { run, settled, waits } = await follow(
      {
        logs: () => Promise.resolve([{ ...log, batch_id: 'bat_1' }]),
        batch: () => Promise.resolve({ status: 'pending' }),
      },
      { onSettled: ({ phase, outcome }) => decided.push([phase, outcome]) },
    );
    assert.deepEqual([decided, settled], [[['following', 'completed']], []]);
    assert.match(run.reason ?? '', /^The action completed\. The batch was still pending/);
    assert.ok(waits.reduce((sum, wait) => sum + wait, 0) >= 900_000 - 15_000);
  });

  suite('that is looked for again', () => {
    test('without ids: its log may be one that is listed; the time for it is over', async () => {
      const { run, waits } = await follow({}, {}, { sentAt: SENT - 60_000, phase: 'following' });
      assert.deepEqual([run.outcome, run.possible.map(({ id }) => id), waits], ['unknown', ['act_1'], []]);
      const recent = await follow({ logs: () => Promise.resolve([]) }, {}, { phase: 'following' });
      assert.equal(recent.run.outcome, 'unknown');
      assert.ok(recent.waits.reduce((sum, wait) => sum + wait, 0) >= 20_000);
    });

    test('by its log: as certain as it was', async () => {
      for (const probable of [true, undefined]) {
        const known = { logId: 'act_1', ...(probable && { probable }) };
        const { run } = await follow({}, {}, known);
        assert.deepEqual([run.outcome, run.logId, run.probable], ['completed', 'act_1', probable]);
      }
      const { run } = await follow({}, {}, { actionId: 'act_1', probable: true });
      assert.equal(run.outcome, 'completed');
    });

    test('a step that failed still decides', async () => {
      const { run } = await follow({}, {}, { actionId: 'act_1', steps: [{ action: 'update', error: 'sold out' }] });
      assert.deepEqual([run.outcome, run.reason], ['failed', 'sold out (step update)']);
    });

    test('stopped at once, it is as unknown as before', async () => {
      const logs = (): never => assert.fail('read');
      const { run } = await follow({ logs }, { signal: AbortSignal.abort() }, { actionId: 'act_1' });
      assert.deepEqual([run.outcome, run.phase], ['unfinished', 'ended']);
      const lost = await follow({ logs }, { signal: AbortSignal.abort() }, {});
      assert.equal(lost.run.outcome, 'unknown');
      assert.match(lost.run.reason ?? '', /The action logs could not be read$/);
      assert.equal(lost.run.note, '', 'searches no longer');
    });
  });
});

suite('values of variables', () => {
  const secret = 'a-value-of-the-test-1';
  const own = { ...log, params: [{ id: 'obj_1', note: secret }], affected_objects: [{ id: `obj ${secret}` }] };
  const failed = { status: 'failed', error: `no ${secret}`, batch_id: `bat ${secret}` };

  async function getReports(platform: Partial<RunPlatform>): Promise<readonly RunRecord[]> {
    const reports: RunRecord[] = [];
    const file = parseActionFile(TEXT);
    const object = (): Promise<string> => Promise.resolve(JSON.stringify({ id: 'obj_1', [secret]: `is ${secret}` }));
    await performRun(
      { record: createRecord(TEXT), file, body: getRequestBody(file), targets: ['obj_1'], secrets: [secret] },
      {
        platform: {
          execute: (_body, { onSent }) => {
            onSent();
            const steps = [{ action: `update ${secret}`, output: { note: secret, ids: [`new ${secret}`] } }];
            return Promise.resolve({ raw: { action_id: 'act_1', steps }, status: 200, requestId: `id ${secret}` });
          },
          logs: () => Promise.resolve([{ ...own, ...failed }]),
          batch: () => Promise.resolve({ status: 'failed', error: `bad ${secret}`, l1_tx_hash: secret }),
          object,
          ...platform,
        },
        time: systemClock,
        signal: new AbortController().signal,
        limits: { ...shortLimits, log: 100, batch: 100 },
        searchDuration: 0,
        report: (record) => reports.push(record),
      },
    );
    return reports;
  }

  test('are in no record, wherever the platform repeats them', async () => {
    const fail = (): Promise<never> =>
      Promise.reject(new PlatformError('network', `closed after ${secret}`, { serverMessage: secret, body: secret }));
    const lost: Partial<RunPlatform> = {
      execute: (_body, { onSent }) => {
        onSent();
        return fail();
      },
    };
    const cases: Readonly<Record<string, Partial<RunPlatform>>> = {
      'a failed log and its batch': {},
      'an unknown status': { logs: () => Promise.resolve([{ ...own, status: `about ${secret}` }]) },
      'an open batch with an unknown status': {
        logs: () => Promise.resolve([{ ...own, batch_id: 'bat_1' }]),
        batch: () => Promise.resolve({ status: `about ${secret}`, error: secret }),
      },
      'a lost response and a possible log': { ...lost, logs: () => Promise.resolve([own]) },
      'unreadable logs': { ...lost, logs: fail },
      'an unreadable batch': { batch: fail, object: fail },
    };
    for (const [name, platform] of Object.entries(cases)) {
      const reports = await getReports(platform);
      assert.equal(reports.at(-1)?.phase, 'ended', name);
      assert.equal(JSON.stringify(reports).includes(secret), false, name);
      assert.equal(JSON.stringify(reports).includes(MASK), true, name);
    }
  });
});
