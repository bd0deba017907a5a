/** What can happen to an execution, and what its run must report. */
import assert from 'node:assert/strict';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import type { PlatformClient } from '../../../../src/platform/client.ts';
import type { Fault, Plan } from '../../../support/ledger-server.ts';
import type { Rig } from './ledger-rig.ts';
import { update } from './ledger-rig.ts';

type Step = 'preparing' | 'queued' | 'sending' | 'following';

export interface Scenario {
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
export const status = (code: number, when: 'before' | 'after', retryAfter?: string): Plan =>
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

export const scenarios: readonly Scenario[] = [
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
      assert.match(run.reason ?? '', /Wait 30 s before the next request$/);
    },
  },
  ...[402, 409, 425, 499].map((code): Scenario => ({
    name: `${String(code)} of the platform`,
    plan: status(code, 'before'),
    outcome: 'unknown',
    executed: 0,
  })),
  ...[409, 425, 499].map((code): Scenario => ({
    name: `${String(code)} after`,
    plan: status(code, 'after'),
    outcome: 'completed',
    executed: 1,
    check: probable,
  })),
  {
    name: 'a replayed response',
    plan: fault({ kind: 'replayed' }),
    outcome: 'unknown',
    executed: 0,
    check: ({ actionId, steps, affected }) => {
      assert.deepEqual([actionId, steps, affected], [undefined, [], []]);
    },
  },
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
  { name: 'a redirect', plan: fault({ kind: 'redirect' }), outcome: 'refused', executed: 0 },
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

export async function runOne(rig: Rig, scenario: Scenario, marker: string): Promise<void> {
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
      // Deferred, so that the request reaches the queue before it is cancelled, and the platform before it is given up.
      const stop = (): void => {
        if (phase !== 'sending') cancel.abort();
        else if (ledger.entry(marker).executed > 0) stopWaiting.abort();
        else setTimeout(stop, 1);
      };
      setTimeout(stop, phase === 'following' ? 0 : 30);
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
