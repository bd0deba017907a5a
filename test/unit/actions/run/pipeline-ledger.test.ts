/**
 * Runs against a server that records what it executed and shares no code with the client: reports must agree with its
 * ledger.
 */
import assert from 'node:assert/strict';
import { getRequestBody, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { defaultFollowLimits, type Clock } from '../../../../src/actions/run/follow/follow.ts';
import { createRunPlatform, type RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import type { RunRecord } from '../../../../src/model/run-record.ts';
import { performRun, type RunOptions } from '../../../../src/actions/run/pipeline.ts';
import type { PlatformClient } from '../../../../src/platform/client.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { LedgerServer, type Fault, type LedgerOptions, type Plan } from '../../../support/ledger-server.ts';
import { createSeededRandom, shuffle } from '../../../support/seeded-random.ts';
import { createRecord } from '../support.ts';
import { createTestClient } from '../../../support/platform-client.ts';

const SPEED = 100;
const startedAt = Date.now();
/** A clock of client and server that runs a hundred times as fast. */
const now = (): number => startedAt + (Date.now() - startedAt) * SPEED;
const time: Clock = {
  now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stopped = (): void => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stopped);
        resolve();
      }, milliseconds / SPEED);
      if (signal.aborted) stopped();
      else signal.addEventListener('abort', stopped, { once: true });
    }),
};
/** Long, as tests wait for events; tests of timeouts set their own. */
const limits = { ...defaultFollowLimits, indexing: 3_600_000, log: 3_600_000, batch: 3_600_000 };

class Rig {
  readonly #ledger: LedgerServer;
  readonly #transport = createTransport({ environment: {} });

  private constructor(ledger: LedgerServer) {
    this.#ledger = ledger;
  }

  static async start(options: LedgerOptions = {}): Promise<Rig> {
    return new Rig(await LedgerServer.start({ now, ...options }));
  }

  get ledger(): LedgerServer {
    return this.#ledger;
  }

  client(timeout = 60_000, baseUrl = this.#ledger.baseUrl, maxConcurrent = 6): PlatformClient {
    return createTestClient(baseUrl, this.#transport, {
      timeouts: { connect: 60_000, headers: 60_000, body: 60_000 },
      executeTimeouts: { connect: 60_000, headers: timeout, body: timeout },
      maxConcurrent,
    });
  }

  platform(client = this.client()): RunPlatform {
    // Client and server share the fast clock.
    return { ...createRunPlatform(client), clockAhead: () => 0 };
  }

  async run(text: string, options: Partial<RunOptions> = {}, targets: readonly string[] = []): Promise<RunRecord> {
    const file = parseActionFile(text);
    return performRun(
      { record: { ...createRecord(text), started: now() }, file, body: getRequestBody(file), targets, secrets: [] },
      {
        platform: this.platform(),
        time,
        limits,
        signal: new AbortController().signal,
        report: () => undefined,
        ...options,
      },
    );
  }

  async close(): Promise<void> {
    await this.#transport.close();
    await this.#ledger.close();
  }
}

function update(marker: string, more: object = {}): string {
  return JSON.stringify({
    action: { update: { id: `obj_${marker}`, data: { custom: { marker } } } },
    nonce: `nonce ${marker}`,
    ...more,
  });
}

type Step = 'preparing' | 'queued' | 'sending' | 'following';

interface Scenario {
  readonly name: string;
  readonly plan?: Plan;
  /** the step at which it is cancelled */
  readonly cancel?: Step;
  /** of the server's answer, in milliseconds */
  readonly timeout?: number;
  /** use a port without a server */
  readonly refused?: boolean;
  readonly signed?: boolean;
  /** allowed outcomes */
  readonly outcome: RunRecord['outcome'];
  /** expected number of executions in the ledger */
  readonly executed: number;
  readonly check?: (run: RunRecord) => void;
}

const fault = (one: Fault): Plan => ({ fault: one });
const status = (code: number, when: 'before' | 'after', retryAfter?: string): Plan =>
  fault({ kind: 'status', when, status: code, ...(retryAfter !== undefined && { retryAfter }) });
const probable = (run: RunRecord): void => {
  assert.equal(run.probable, true);
};
const certain = (run: RunRecord): void => {
  assert.equal(run.probable, undefined);
};
const hasPossible = (run: RunRecord): void => {
  assert.equal(run.possible.filter(({ sameParams }) => sameParams).length, 1);
};

const scenarios: readonly Scenario[] = [
  { name: 'all is well', outcome: 'completed', executed: 1, check: certain },
  { name: 'slow', plan: fault({ kind: 'slow' }), outcome: 'completed', executed: 1 },
  ...[201, 202].map((code): Scenario => ({
    name: `answered ${String(code)}`,
    plan: { status: code },
    outcome: 'completed',
    executed: 1,
    check: (run) => {
      assert.equal(run.status, code);
    },
  })),
  {
    name: 'output nested 4,600 deep',
    plan: { depth: 4600 },
    outcome: 'completed',
    executed: 1,
    check: certain,
  },
  { name: 'log appears late', plan: { hiddenFor: 9 }, outcome: 'completed', executed: 1 },
  { name: 'log failed', plan: { log: ['pending', 'failed'] }, outcome: 'failed', executed: 1 },
  {
    name: 'batch failed',
    plan: { batch: ['pending', 'failed'], batchError: 'no gas' },
    outcome: 'failed',
    executed: 1,
  },
  {
    name: 'batch finalized',
    plan: { batch: ['proving', 'anchoring', 'finalized'] },
    outcome: 'completed',
    executed: 1,
  },
  { name: 'no batch', plan: { batch: [] }, outcome: 'completed', executed: 1 },
  {
    name: 'a failed step',
    plan: { failedStep: { at: 2, of: 3, error: 'sold out' } },
    outcome: 'failed',
    executed: 0,
  },
  { name: 'no action id', plan: { anonymous: true }, outcome: 'completed', executed: 1, check: probable },
  ...[400, 401, 403, 404, 422].map((code): Scenario => ({
    name: `refused with ${String(code)}`,
    plan: status(code, 'before'),
    outcome: 'refused',
    executed: 0,
  })),
  {
    name: 'refused with 429',
    plan: status(429, 'before', '30'),
    outcome: 'refused',
    executed: 0,
    check: (run) => {
      assert.match(run.reason ?? '', /It asks to wait 30\.0 s before the next request$/);
    },
  },
  { name: '409 of the platform', plan: status(409, 'before'), outcome: 'refused', executed: 0 },
  {
    name: '409 of a repeating proxy',
    plan: fault({ kind: 'repeated' }),
    outcome: 'completed',
    executed: 1,
    check: probable,
  },
  { name: '408 before', plan: status(408, 'before'), outcome: 'unknown', executed: 0 },
  { name: '408 after', plan: status(408, 'after'), outcome: 'completed', executed: 1, check: probable },
  { name: 'reset before', plan: fault({ kind: 'reset', when: 'before' }), outcome: 'unknown', executed: 0 },
  {
    name: 'reset after',
    plan: fault({ kind: 'reset', when: 'after' }),
    outcome: 'unknown',
    executed: 1,
    check: hasPossible,
  },
  {
    name: 'reset after, signed',
    plan: fault({ kind: 'reset', when: 'after' }),
    signed: true,
    outcome: 'completed',
    executed: 1,
    check: certain,
  },
  { name: 'half an answer', plan: fault({ kind: 'half' }), outcome: 'unknown', executed: 1, check: hasPossible },
  { name: 'a web page', plan: fault({ kind: 'html' }), outcome: 'unknown', executed: 1, check: hasPossible },
  { name: 'a redirect', plan: fault({ kind: 'redirect' }), outcome: 'unknown', executed: 0 },
  ...[500, 502, 503, 504].flatMap((code): Scenario[] => [
    { name: `${String(code)} before`, plan: status(code, 'before'), outcome: 'unknown', executed: 0 },
    { name: `${String(code)} after`, plan: status(code, 'after'), outcome: 'unknown', executed: 1, check: hasPossible },
  ]),
  {
    name: 'hangs before',
    plan: fault({ kind: 'hang', when: 'before' }),
    timeout: 100,
    outcome: 'unknown',
    executed: 0,
  },
  { name: 'hangs after', plan: fault({ kind: 'hang', when: 'after' }), timeout: 100, outcome: 'unknown', executed: 1 },
  { name: 'nobody listens', refused: true, outcome: 'notSent', executed: 0 },
  { name: 'cancelled while preparing', cancel: 'preparing', outcome: 'notSent', executed: 0 },
  { name: 'cancelled while queued', cancel: 'queued', outcome: 'notSent', executed: 0 },
  {
    name: 'given up while sending',
    plan: fault({ kind: 'hang', when: 'after' }),
    cancel: 'sending',
    outcome: 'unknown',
    executed: 1,
  },
  { name: 'cancelled while following', cancel: 'following', outcome: 'unfinished', executed: 1 },
];

suite('runs over a ledger', () => {
  test('300 executions with mixed faults and cancellations: none is repeated, none is reported wrongly', async function () {
    this.timeout(60_000);
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
        await planned({ log: ['failed'] }),
        await planned({ batch: ['failed'] }),
      ];
      assert.deepEqual(
        reasons.map(({ outcome, reason, reasonFrom }) => [outcome, reason, reasonFrom]),
        [
          ['failed', 'The step update failed: from the step', 'step'],
          ['failed', 'The action failed: from the batch (the reason is from its batch)', 'batch'],
          ['failed', 'The action failed: from the log (the reason is from `error` of its action log)', 'log'],
          ['failed', 'The action failed: sold out (the reason is from `reason` of its action log)', 'log'],
          ['failed', 'The action failed. The platform gives no reason', undefined],
          ['failed', 'The batch failed. The platform gives no reason', undefined],
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
        [['following', 'failed', 'Step 2 of 3, update, failed: sold out. Succeeded: 1 (update), 3 (update)', 0]],
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

    test('only a doubtful refusal is searched in the logs, for eight seconds', async () => {
      for (const code of [400, 401, 403, 405, 406, 411, 413, 414, 415, 422, 429]) {
        const reads = logReads();
        const run = await planned(status(code, 'before'));
        assert.deepEqual([run.outcome, run.status, logReads() - reads], ['refused', code, 0]);
      }
      for (const code of [409, 418, 425]) {
        const reads = logReads();
        const began = now();
        const run = await planned(status(code, 'before'));
        assert.deepEqual([run.outcome, run.status], ['refused', code]);
        assert.ok(now() - began >= 8000 && logReads() - reads >= 2);
      }
    });

    test('a 404 names the base URL only where there are no logs either', async () => {
      const near = await planned(status(404, 'before'));
      assert.equal(near.outcome, 'refused');
      assert.doesNotMatch(near.reason ?? '', /base URL/);
      const client = rig.client(60_000, `${rig.ledger.baseUrl}/v9`);
      const far = await planned({}, { platform: rig.platform(client) });
      assert.deepEqual([far.outcome, far.status], ['refused', 404]);
      assert.match(far.reason ?? '', /There are no action logs there either: the base URL is probably wrong$/);
    });

    test('a Retry-After beyond our limit is shown unchanged', async () => {
      const run = await planned(status(429, 'before', '7200'));
      assert.equal(run.retryAfter, 7_200_000);
      assert.match(run.reason ?? '', /It asks to wait 120 min 0 s before the next request$/);
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
      const waited = (run.sentAt ?? Infinity) - began;
      assert.ok(waited >= 5000 && waited < 60_000, String(waited));
      assert.match(run.affected[0]?.note ?? '', /^not read before sending: it took too long$/);
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

  test('an equal log of another run does not match', async () => {
    const rig = await Rig.start();
    try {
      const text = update('same');
      const first = await rig.run(text);
      const second = await rig.run(text, {
        knownLogs: () => new Set([first.logId ?? assert.fail()]),
      });
      // The nonce was used: 409, and nothing was executed.
      assert.deepEqual([second.outcome, second.status, second.possible], ['refused', 409, []]);
      assert.equal(rig.ledger.entry('same').executed, 1);
    } finally {
      await rig.close();
    }
  });
});

async function runOne(rig: Rig, scenario: Scenario, marker: string): Promise<void> {
  const { ledger } = rig;
  if (scenario.plan !== undefined) ledger.plan(marker, scenario.plan);
  const cancel = new AbortController();
  const stopWaiting = new AbortController();
  const one = scenario.cancel === 'queued' ? await occupied(rig, marker) : undefined;
  const client =
    one?.client ?? (scenario.refused === true ? rig.client(1000, 'http://127.0.0.1:1') : rig.client(scenario.timeout));
  const phases: string[] = [];
  if (scenario.cancel === 'preparing') cancel.abort();
  const text = update(marker, scenario.signed === true ? { signature: `0x${marker.padEnd(64, 'f')}` } : {});
  const run = await rig.run(text, {
    platform: rig.platform(client),
    signal: cancel.signal,
    stopWaiting: stopWaiting.signal,
    report: ({ phase }) => {
      phases.push(phase);
      if (phase !== scenario.cancel) return;
      // Deferred, so that the request reaches the queue before it is cancelled.
      setTimeout(
        () => {
          if (phase === 'sending') stopWaiting.abort();
          else cancel.abort();
        },
        phase === 'following' ? 0 : 30,
      );
    },
  });
  one?.release();
  const entry = ledger.entry(marker);
  assert.equal(run.outcome, scenario.outcome, run.reason);
  assert.equal(entry.executed, scenario.executed, 'executed');
  assert.ok(entry.posts <= 1, 'sent twice');
  assert.equal(run.phase, 'ended');
  if (run.outcome === 'notSent') {
    assert.equal(entry.posts, 0, 'posts of a run that was not sent');
    assert.equal(run.sentAt, undefined);
  } else {
    assert.equal(entry.posts, 1);
    assert.ok(phases.indexOf('queued') < phases.indexOf('sending'), phases.join());
  }
  assert.doesNotMatch(run.reason ?? '', /\.\.|\.$/);
  scenario.check?.(run);
}

/** A client whose only slot for executions is in use. */
async function occupied(
  rig: Rig,
  marker: string,
): Promise<{ readonly client: PlatformClient; readonly release: () => void }> {
  const client = rig.client(60_000, rig.ledger.baseUrl, 1);
  const stop = new AbortController();
  const blocker = `${marker} blocker`;
  rig.ledger.plan(blocker, fault({ kind: 'hang', when: 'before' }));
  await new Promise<void>((resolve) => {
    client.execute(update(blocker), { signal: stop.signal, onSent: resolve }).catch(() => undefined);
  });
  return {
    client,
    release: () => {
      stop.abort();
    },
  };
}
