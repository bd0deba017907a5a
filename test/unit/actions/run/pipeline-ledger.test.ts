/**
 * Runs against a server that records what it executed and shares no code with the client: reports must agree with its
 * ledger.
 */
import assert from 'node:assert/strict';
import type { RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { collectLogIds, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import { resumeRun, type RunOptions } from '../../../../src/actions/run/pipeline.ts';
import type { Plan } from '../../../support/ledger-server.ts';
import { createSeededRandom, shuffle } from '../../../support/seeded-random.ts';
import { Rig, limits, now, time, update } from './ledger-rig.ts';
import { runOne, scenarios, status } from './ledger-scenarios.ts';
import { formatText } from '../../../../src/platform/text/message.ts';

suite('runs over a ledger', () => {
  test('300 executions with mixed faults and cancellations: none is repeated, none is reported wrongly', async () => {
    const rig = await Rig.start();
    try {
      const random = createSeededRandom(20260501);
      const list = shuffle(
        Array.from({ length: 300 }, (_none, index) => scenarios[index % scenarios.length] ?? assert.fail()),
        random,
      );
      const wrong: string[] = [];
      const lane = async (numbers: readonly number[]): Promise<void> => {
        for (const number of numbers) {
          const scenario = list[number] ?? assert.fail();
          // Another user executes the same at the same time.
          const foreign = { update: { id: `obj_${String(number)}`, data: { custom: { marker: 'foreign' } } } };
          if (random() < 0.5) rig.ledger.addForeignLog('update', [foreign.update]);
          await runOne(rig, scenario, `m${String(number)}`).catch((error: unknown) => {
            wrong.push(`${scenario.name}: ${error instanceof Error ? error.message : 'failed'}`);
          });
        }
      };
      const lanes = Array.from({ length: 8 }, (_none, at) =>
        list.map((_one, index) => index).filter((index) => index % 8 === at),
      );
      await Promise.all(lanes.map(lane));
      assert.deepEqual(wrong, []);
    } finally {
      await rig.close();
    }
  });

  suite('one by one', () => {
    let rig: Rig;
    suiteSetup(async () => (rig = await Rig.start()));
    suiteTeardown(() => rig.close());
    let count = 0;
    const planned = (plan: Plan, options: Partial<RunOptions> = {}): Promise<RunRecord> => {
      const marker = `one ${String(++count)}`;
      rig.ledger.plan(marker, plan);
      return rig.run(update(marker), options);
    };
    const logReads = (): number => rig.ledger.reads.get('/ebus/action-logs') ?? 0;

    test('the reason of a failure is that of the step, the batch or the log, in this order, and names its origin', async () => {
      const failed: Plan = { log: ['failed'], logFields: { error: 'from the log' } };
      const reasons = [
        await planned({ ...failed, failedStep: { at: 1, of: 1, error: 'from the step' } }),
        await planned({ ...failed, batch: ['failed'], batchError: 'from the batch' }),
        await planned({ ...failed, batch: [] }),
        await planned({ log: ['failed'], logFields: { reason: 'sold out' } }),
        await planned({ log: ['FAILED'], logFields: { error_message: 'no supply left' } }),
        await planned({ log: ['failed'], logFields: { error: { code: 'E1', message: 'out of gas' } } }),
        await planned({ log: ['failed'], logFields: { errors: [{ code: 'E1', detail: 'paused' }, { code: 'E2' }] } }),
        await planned({ log: ['failed'] }),
        await planned({ batch: ['failed'] }),
      ];
      assert.deepEqual(
        reasons.map(({ outcome, reason, reasonFrom }) => [outcome, reason, reasonFrom]),
        [
          ['failed', 'from the step (step update)', 'step'],
          ['failed', 'from the batch (from the batch)', 'batch'],
          ['failed', 'from the log (from `error` of the action log)', 'log'],
          ['failed', 'sold out (from `reason` of the action log)', 'log'],
          ['failed', 'no supply left (from `error_message` of the action log)', 'log'],
          ['failed', 'out of gas (from `error` of the action log)', 'log'],
          ['failed', 'paused; E2 (from `errors` of the action log)', 'log'],
          ['failed', 'The action failed. The platform gave no reason', undefined],
          ['failed', 'The batch failed. The platform gave no reason', undefined],
        ],
      );
    });

    test('a failed step settles the run with the answer, names the steps that succeeded, and what they made', async () => {
      const reads = logReads();
      const settled: [RunRecord, number][] = [];
      const run = await planned(
        { failedStep: { at: 2, of: 3, error: 'sold out' }, hiddenFor: 1000 },
        { onSettled: (record) => settled.push([record, logReads() - reads]) },
      );
      assert.deepEqual(
        settled.map(([{ phase, outcome, reason }, logs]) => [phase, outcome, reason, logs]),
        [['following', 'failed', 'sold out (step 2 of 3, update). Succeeded: 1 (update), 3 (update)', 0]],
      );
      assert.equal(run.outcome, 'failed');
    });

    test('objects in the response are known before any log exists', async () => {
      const marker = 'minted';
      rig.ledger.plan(marker, { hiddenFor: 3 });
      const reports: RunRecord[] = [];
      const mint = { mint: { template_id: 'tpl_1', data: { custom: { marker } } } };
      const run = await rig.run(JSON.stringify({ action: mint }), { report: (record) => reports.push(record) });
      const first = reports.find(({ phase }) => phase === 'following') ?? assert.fail();
      assert.deepEqual(
        first.affected.map(({ id }) => id),
        rig.ledger.entry(marker).objects,
      );
      assert.equal(first.log, undefined);
      assert.match(run.affected[0]?.after ?? '', /"marker": "minted"/);
      assert.equal(run.affected.length, 1);
    });

    test('only a doubtful refusal is searched in the logs, and is never called one', async () => {
      for (const code of [400, 401, 403, 405, 406, 411, 413, 414, 415, 422, 429]) {
        const reads = logReads();
        const run = await planned(status(code, 'before'));
        assert.deepEqual([run.outcome, run.status, logReads() - reads], ['refused', code, 0]);
      }
      for (const code of [408, 409, 418, 425, 499]) {
        const reads = logReads();
        const began = now();
        const run = await planned(status(code, 'before'));
        assert.deepEqual([run.outcome, run.status], ['unknown', code]);
        assert.ok(now() - began >= 20_000 && logReads() - reads >= 2);
      }
    });

    test('a 404 names the base URL only where there are no logs either', async () => {
      const near = await planned(status(404, 'before'));
      assert.equal(near.outcome, 'refused');
      assert.doesNotMatch(near.reason ?? '', /base URL/);
      const client = rig.client(60_000, `${rig.ledger.baseUrl}/v9`);
      const far = await planned({}, { platform: rig.platform(client) });
      assert.deepEqual([far.outcome, far.status], ['refused', 404]);
      assert.match(far.reason ?? '', /The action logs were not found either\. The base URL is probably wrong$/);
    });

    test('a Retry-After beyond our limit is shown unchanged', async () => {
      const run = await planned(status(429, 'before', '7200'));
      assert.equal(run.retryAfter, 7_200_000);
      assert.match(run.reason ?? '', /Wait 120 min 0 s before the next request$/);
    });

    test('a run does not wait for long for objects that cannot be read before it', async () => {
      const began = now();
      const platform: RunPlatform = {
        ...rig.platform(),
        object: (_id, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(new Error('stopped'));
            });
          }),
      };
      const cancel = new AbortController();
      const marker = 'hung';
      const run = await rig.run(
        update(marker),
        {
          platform,
          signal: cancel.signal,
          report: ({ phase }) => {
            if (phase === 'following') cancel.abort();
          },
        },
        ['obj_1'],
      );
      assert.equal(rig.ledger.entry(marker).executed, 1);
      assert.ok((run.sentAt ?? 0) - began >= 5000);
      assert.match(formatText(run.affected[0]?.note ?? ''), /^not read before sending: timed out$/);
    });

    test('objects are read as they are after the run only once the outcome is decided', async () => {
      rig.ledger.addObject('obj_undecided');
      const text = JSON.stringify({
        action: { update: { id: 'obj_undecided', data: { custom: { marker: 'undecided' } } } },
      });
      const states: (string | undefined)[] = [];
      let logStatus: string | undefined;
      const platform = rig.platform();
      const observed: RunPlatform = {
        ...platform,
        object: (id, signal) => {
          states.push(logStatus);
          return platform.object(id, signal);
        },
      };
      const run = (status: string): Promise<RunRecord> => {
        rig.ledger.plan('undecided', { log: [status], hiddenFor: 0, batch: [] });
        logStatus = undefined;
        return rig.run(
          text,
          {
            platform: observed,
            limits: { ...limits, log: 2000 },
            report: (record) => {
              logStatus = record.logStatus;
            },
          },
          ['obj_undecided'],
        );
      };
      const undecided = await run('pending');
      assert.deepEqual([undecided.outcome, states.splice(0)], ['unfinished', [undefined]]);
      assert.deepEqual(
        undecided.affected.map(({ id, after }) => [id, after]),
        [['obj_undecided', undefined]],
      );
      const decided = await run('completed');
      assert.deepEqual([decided.outcome, states], ['completed', [undefined, 'completed']]);
      assert.notEqual(decided.affected[0]?.after, undefined);
    });

    test('a report that throws does not change the outcome', async () => {
      const run = await planned(
        {},
        {
          report: () => {
            throw new Error('the view is gone');
          },
          onSettled: () => {
            throw new Error('so is the caller');
          },
        },
      );
      assert.equal(run.outcome, 'completed');
    });
  });

  test('on a server that ignores `action_id` the log of another user does not match', async () => {
    const rig = await Rig.start({ ignoreActionId: true, ownLogIds: true, plan: { hiddenFor: 1e9 } });
    try {
      rig.ledger.addForeignLog('burn', [{ id: 'obj_1' }]);
      const run = await rig.run(update('alone'), { limits: { ...limits, indexing: 20_000 } });
      assert.deepEqual([run.outcome, run.logId], ['unfinished', undefined]);
      rig.ledger.plan('seen', {});
      const completed = await rig.run(update('seen'));
      assert.deepEqual([completed.outcome, completed.probable], ['completed', true]);
    } finally {
      await rig.close();
    }
  });

  test('a run without a response is settled by the log that the user chose', async () => {
    const rig = await Rig.start();
    try {
      rig.ledger.plan('settled', { ...status(500, 'after'), hiddenFor: 0 });
      const run = await rig.run(update('settled'));
      assert.equal(run.outcome, 'unknown');
      const options = { platform: rig.platform(), time, limits, signal: new AbortController().signal };
      const settled = await resumeRun(run, { ...options, report: () => undefined }, run.possible[0]?.id);
      assert.deepEqual(
        [settled.outcome, settled.probable, [settled.logId], settled.possible],
        ['completed', undefined, rig.ledger.entry('settled').actionIds, []],
      );
      assert.match(settled.reason ?? '', /^You chose its action log\. /);
      assert.equal(rig.ledger.entry('settled').posts, 1);
    } finally {
      await rig.close();
    }
  });

  suite('the response of another execution', () => {
    let rig: Rig;
    suiteSetup(async () => (rig = await Rig.start()));
    suiteTeardown(() => rig.close());
    const getOutcome = (run: RunRecord): readonly (string | undefined)[] => [run.outcome, run.actionId];

    test('of the same action, replayed: the action is known from the run before', async () => {
      const first = await rig.run(update('cached'));
      rig.ledger.plan('cached', { fault: { kind: 'replayed' } });
      const reports: RunRecord[] = [];
      const second = await rig.run(update('cached'), {
        knownLogs: () => collectLogIds([first]),
        report: (run) => reports.push(run),
      });
      assert.deepEqual(getOutcome(second), ['unknown', undefined]);
      assert.match(second.reason ?? '', /^The response names another action, act_\S+\. It may have been executed/);
      assert.deepEqual([second.steps, second.affected, second.possible], [[], [], []]);
      assert.ok(reports.every(({ actionId, outcome }) => actionId === undefined && outcome !== 'completed'));
      assert.equal(rig.ledger.entry('cached').executed, 1);
    });

    test('of another run, swapped with it: the log has other parameters', async () => {
      const plan: Plan = { fault: { kind: 'swapped' }, hiddenFor: 0 };
      for (const marker of ['left', 'right']) rig.ledger.plan(marker, plan);
      const runs = await Promise.all(['left', 'right'].map((marker) => rig.run(update(marker))));
      for (const [index, run] of runs.entries()) {
        assert.deepEqual(getOutcome(run), ['unknown', undefined]);
        const own = rig.ledger.entry(index === 0 ? 'left' : 'right').actionIds;
        assert.deepEqual(
          run.possible.filter(({ sameParams }) => sameParams).map(({ id }) => id),
          own,
        );
      }
    });

    test('of another run whose step failed: this one did not fail', async () => {
      rig.ledger.plan('good', { fault: { kind: 'swapped' }, hiddenFor: 0 });
      const failedStep = { at: 1, of: 1, error: 'sold out' };
      rig.ledger.plan('bad', { fault: { kind: 'swapped' }, hiddenFor: 0, failedStep });
      const [good, bad] = await Promise.all(['good', 'bad'].map((marker) => rig.run(update(marker))));
      assert.deepEqual(
        [good, bad].map((run) => run?.outcome),
        ['unknown', 'unknown'],
      );
    });

    test('of another run, swapped with it, where the signatures prove which log is whose', async () => {
      const runs = await Promise.all(
        ['a', 'b'].map((letter) => {
          rig.ledger.plan(`signed ${letter}`, { fault: { kind: 'swapped' }, hiddenFor: 0 });
          return rig.run(update(`signed ${letter}`, { signature: `0x${letter.repeat(64)}` }));
        }),
      );
      for (const [index, { outcome, logId }] of runs.entries())
        assert.deepEqual([outcome, [logId]], ['completed', rig.ledger.entry(`signed ${'ab'[index] ?? ''}`).actionIds]);
    });

    test('of the request before it, on and on', async () => {
      const runs: RunRecord[] = [];
      for (const marker of ['first', 'second', 'third']) {
        if (marker === 'second') rig.ledger.plan(marker, { fault: { kind: 'surplus' }, hiddenFor: 0 });
        runs.push(await rig.run(update(marker), { knownLogs: () => collectLogIds(runs) }));
      }
      assert.deepEqual(
        runs.map(({ outcome }) => outcome),
        ['completed', 'unknown', 'unknown'],
      );
    });
  });

  test('an equal log of another run does not match', async () => {
    const rig = await Rig.start();
    try {
      const text = update('same');
      const first = await rig.run(text);
      const second = await rig.run(text, {
        knownLogs: () => new Set([first.logId ?? assert.fail()]),
      });
      // The nonce was used: 409, and nothing was executed.
      assert.deepEqual([second.outcome, second.status, second.possible], ['unknown', 409, []]);
      assert.equal(rig.ledger.entry('same').executed, 1);
    } finally {
      await rig.close();
    }
  });
});
