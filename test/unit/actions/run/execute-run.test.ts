/** A run from its confirmation to its end: what is recorded, stored and sent, in this order, and what prevents sending. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import type { ComposeOptions } from '../../../../src/actions/run/compose.ts';
import { executeRun, resumeRun, startRun, type RunOptions } from '../../../../src/actions/run/pipeline.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { createVariables } from '../support.ts';
import { limits, Rig, time, update } from './ledger-rig.ts';

const target = { connection: 'Shop', environment: 'staging', identity: 'clerk', origin: 'http://127.0.0.1' };

/** A run that was confirmed, of a text without a file. */
function start(text: string): ReturnType<typeof startRun> {
  return startRun({ source: { name: 'sale', text }, file: parseActionFile(text), target });
}

suite('the record of a run that starts', () => {
  test('names its file, its connection, and what it does', () => {
    const text = '{"action": {"burn": {"id": "obj_1"}}}';
    const uri: unknown = { toString: () => 'file:///w/sale.action.json' };
    const confirmed = { source: { name: 'sale', text, uri: uri as vscode.Uri }, file: parseActionFile(text), target };
    const { record, ...rest } = startRun(confirmed, (id) => (id === 'obj_1' ? 'Ticket 7' : undefined));
    assert.deepEqual(rest, confirmed);
    const { id, started, texts, effect, ...fields } = record;
    assert.ok(id !== '' && started > 0 && texts !== undefined);
    assert.match(effect, /Ticket 7/);
    assert.deepEqual(fields, {
      ...target,
      name: 'sale',
      file: 'file:///w/sale.action.json',
      kind: 'burn',
      source: text,
      phase: 'preparing',
      steps: [],
      affected: [],
      possible: [],
    });
  });

  test('has no file and no kind if there is none, and a kind that fits into a line', () => {
    const { record } = start('{"action": {}}');
    assert.deepEqual(['file' in record, 'kind' in record], [false, false]);
    assert.equal(start(`{"action": {"${'k'.repeat(100)}": {}}}`).record.kind, 'k'.repeat(60));
  });
});

suite('a run', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await Rig.start()));
  suiteTeardown(() => rig.close());
  let count = 0;

  interface Result {
    readonly run: RunRecord;
    readonly phases: readonly string[];
    /** requests that were sent */
    readonly bodies: readonly string[];
    readonly settled: readonly RunRecord[];
  }

  /** Runs an update of its own, with a variable. */
  async function execute(options: Partial<RunOptions> = {}, compose: Partial<ComposeOptions> = {}): Promise<Result> {
    const phases: string[] = [];
    const bodies: string[] = [];
    const settled: RunRecord[] = [];
    const platform = rig.platform();
    const run = await executeRun(
      start(update(`run ${String(++count)}`, { memo: '${env:MEMO}' })),
      { variables: createVariables({ MEMO: 'a-memo-of-the-test' }), getSigner: () => undefined, ...compose },
      {
        platform: {
          ...platform,
          execute: (body, sending) => {
            bodies.push(body);
            return platform.execute(body, sending);
          },
        },
        time,
        limits,
        signal: new AbortController().signal,
        onSettled: (record) => settled.push(record),
        ...options,
        report: (record) => {
          phases.push(record.phase);
          options.report?.(record);
        },
      },
    );
    return { run, phases: phases.filter((phase, index) => phase !== phases[index - 1]), bodies, settled };
  }

  test('is reported from its start to its end, and sent once with the values of its variables', async () => {
    const { run, phases, bodies, settled } = await execute();
    assert.equal(run.outcome, 'completed', run.reason);
    assert.deepEqual(phases, ['preparing', 'queued', 'sending', 'following', 'ended']);
    assert.deepEqual(
      bodies.map((body) => /"memo":"([^"]*)"/.exec(body)?.[1]),
      ['a-memo-of-the-test'],
    );
    assert.deepEqual(
      settled.map(({ outcome }) => outcome),
      ['completed'],
    );
    assert.equal(JSON.stringify(run).includes('a-memo-of-the-test'), false);
  });

  test('whose variable has no value is not sent', async () => {
    const variables = { ...createVariables({}), env: () => Promise.reject(new Error('MEMO is not set.')) };
    const { run, phases, bodies, settled } = await execute({}, { variables });
    assert.deepEqual([run.phase, run.outcome, run.reason], ['ended', 'notSent', 'MEMO is not set']);
    assert.ok(run.ended !== undefined && run.sentAt === undefined);
    assert.deepEqual([phases, bodies, settled], [['preparing', 'ended'], [], [run]]);
    // The command line waits for no outcome.
    const { signal } = new AbortController();
    const options = { platform: rig.platform(), time, signal, report: () => undefined };
    const unheard = await executeRun(
      start(update('unheard', { memo: '${env:MEMO}' })),
      { variables, getSigner: () => undefined },
      options,
    );
    assert.equal(unheard.outcome, 'notSent');
  });

  test('is sent only once it is stored', async () => {
    const order: string[] = [];
    const { run } = await execute({
      report: ({ phase }) => order.push(phase),
      save: async ({ phase }) => {
        assert.equal(phase, 'queued');
        // The request could be written meanwhile.
        await rig.client().listPage('action-logs');
        order.push('stored');
      },
    });
    assert.equal(run.outcome, 'completed', run.reason);
    assert.deepEqual(order.slice(0, 4), ['preparing', 'queued', 'stored', 'sending']);
  });

  test('that cannot be stored is not sent', async () => {
    const { run, phases, bodies, settled } = await execute({
      save: () => Promise.reject(new Error('The disk is full.')),
    });
    assert.equal(run.outcome, 'notSent');
    assert.equal(run.reason, 'The run could not be saved, so nothing was sent: The disk is full');
    assert.deepEqual([phases, bodies, settled], [['preparing', 'queued', 'ended'], [], [run]]);
  });

  test('that is cancelled before is neither stored nor sent; one that is cancelled while it is stored is not sent', async () => {
    const save = (): never => assert.fail('stored');
    const stop = new AbortController();
    const platform = {
      ...rig.platform(),
      object: () => {
        stop.abort();
        return Promise.reject(new Error('stopped'));
      },
    };
    const before = await execute({ signal: stop.signal, platform, save });
    assert.deepEqual([before.run.outcome, before.run.reason], ['notSent', 'Canceled before it was sent']);
    assert.deepEqual([before.phases, before.settled], [['preparing', 'ended'], [before.run]]);
    const late = new AbortController();
    const during = await execute({
      signal: late.signal,
      save: () => {
        late.abort();
        return Promise.resolve();
      },
    });
    assert.deepEqual([during.run.outcome, during.run.reason], ['notSent', 'Canceled before it was sent']);
    assert.deepEqual(during.bodies, []);
  });
});

suite('a run that is followed again', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await Rig.start()));
  suiteTeardown(() => rig.close());
  const resume = (record: RunRecord): Promise<RunRecord> =>
    resumeRun(record, {
      platform: rig.platform(),
      time,
      limits,
      signal: new AbortController().signal,
      report: () => undefined,
    });

  test('by its action id is completed, and no longer called interrupted', async () => {
    const { outcome: _outcome, ...open } = await rig.run(update('open'));
    const run = await resume({ ...open, phase: 'following', interrupted: true });
    assert.deepEqual([run.outcome, 'interrupted' in run, run.probable], ['completed', false, undefined]);
    assert.equal(rig.ledger.entry('open').posts, 1);
  });

  test('by the action id of another request is not completed', async () => {
    const other = await rig.run(update('other'));
    const own = await rig.run(update('own'), { signal: AbortSignal.abort() });
    const run = await resume({ ...own, actionId: other.actionId ?? assert.fail(), sentAt: other.sentAt ?? 0 });
    assert.deepEqual([run.outcome, run.actionId], ['unknown', undefined]);
  });

  test('whose text was cut when it was stored ends', async () => {
    const { outcome: _outcome, ...open } = await rig.run(update('cut'));
    const run = await resume({ ...open, source: open.source.slice(0, 20) });
    assert.equal(run.outcome, 'completed');
  });
});
