/** Runs against the sandbox with every fault: an execute is never repeated, and no outcome is wrong. */
import assert from 'node:assert/strict';
import { createRunPlatform } from '../../../../src/actions/run/run-platform.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { faultNames, getFaultGroup, type FaultName } from '../../../../src/sandbox/faults/faults.ts';
import { PATIENT } from '../../../support/platform-client.ts';
import { readIds, makeRig, runText, shortLimits, type Rig } from '../support.ts';

const EXECUTE = 'POST /ebus/execute';

suite('every fault, before, during and after the POST', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await makeRig()));
  suiteTeardown(() => rig.close());

  // Servers return these only if nothing was executed.
  const refusals: readonly FaultName[] = [
    'unauthorized',
    'forbidden',
    'notFound',
    'unprocessable',
    'rateLimited',
    'redirect',
  ];
  const replaces = (fault: FaultName): boolean =>
    ['connection', 'status'].includes(getFaultGroup(fault)) && !refusals.includes(fault);
  const places: readonly { readonly route: string; readonly phase: 'before' | 'after'; readonly count: number }[] = [
    { route: 'GET /objects/{objectId}', phase: 'before', count: 1 },
    { route: EXECUTE, phase: 'before', count: 1 },
    { route: EXECUTE, phase: 'after', count: 1 },
    { route: 'GET /ebus/action-logs', phase: 'before', count: 2 },
    { route: 'GET /batches/{batchId}', phase: 'before', count: 1 },
  ];
  for (const { route, phase, count } of places) {
    test(`${route}, ${phase}: one execute each, and the outcome is the server's truth or unknown`, async () => {
      const { object } = await readIds(rig);
      const id = object('Jacket');
      const outcomes = new Set<string>();
      const maxBytes = 24_000_000;
      const patient = rig.createClient({ maxBytes });
      const short = { ...PATIENT, headers: 500, body: 500 };
      const impatient = rig.createClient({
        timeouts: route === EXECUTE ? PATIENT : short,
        executeTimeouts: route === EXECUTE ? short : PATIENT,
      });
      for (const fault of faultNames) {
        if (phase === 'after' && !replaces(fault)) continue;
        rig.sandbox.faults.clear();
        rig.sandbox.recorder.reset();
        rig.sandbox.faults.add({
          route,
          phase,
          fault,
          count,
          // Longer than even a busy machine takes; it ends with the sandbox.
          delay: 3_600_000,
          ...(fault === 'hugeBody' && { size: maxBytes + 1 }),
        });
        const note = `${fault} ${route} ${phase}`;
        const text = JSON.stringify({ action: { update: { id, data: { custom: { fault, note } } } } });
        const client = fault === 'slowHeaders' || fault === 'slowBody' ? impatient : patient;
        const { run } = await runText(rig, text, { platform: createRunPlatform(client) });
        assert.equal(rig.sandbox.recorder.counts[EXECUTE], 1, `${fault}: posts`);
        const executed = rig.sandbox.recorder.executes;
        assert.ok(executed <= 1, fault);
        rig.sandbox.faults.clear();
        const now = (await rig.client.read('objects', [id])).item.raw;
        const changed = Reflect.get(Object(Reflect.get(Object(now), 'custom')), 'note') === note;
        const outcome = run.outcome ?? 'none';
        outcomes.add(outcome);
        // A failed read afterwards proves nothing: it is repeated.
        if (route !== EXECUTE && fault !== 'unauthorized' && fault !== 'forbidden')
          assert.equal(outcome, 'completed', fault);
        if (outcome === 'completed') assert.equal(changed, true, `${fault} said completed`);
        if (outcome === 'refused' || outcome === 'notSent') assert.equal(changed, false, `${fault} said ${outcome}`);
        // The only fault in which the response is wrong: its step says failed.
        if (outcome === 'failed') assert.equal(fault === 'failedStep' || !changed, true, `${fault} said failed`);
        assert.equal(run.phase, 'ended', fault);
        assert.match(run.reason ?? '', /./, fault);
        if (outcome === 'unknown') {
          assert.equal(run.logStatus, undefined, `${fault}: nothing possible is presented as the outcome`);
          if (changed) {
            const likely = run.possible.filter(({ sameParams }) => sameParams);
            assert.equal(likely.length, 1, `${fault}: its log is found as possible`);
            assert.match(likely[0]?.signer ?? '', /^0x/);
          }
        }
      }
      if (route === EXECUTE)
        assert.deepEqual(
          [...outcomes].sort(),
          phase === 'after' ? ['completed', 'unknown'] : ['completed', 'failed', 'refused', 'unknown'],
        );
    });
  }

  test('a doubtful refusal leaves the outcome unknown, and says whether the logs were searched', async () => {
    const { object } = await readIds(rig);
    const text = JSON.stringify({ action: { update: { id: object('Jacket'), data: {} } } });
    const withLogs = async (fault: FaultName): Promise<RunRecord> => {
      rig.sandbox.faults.clear();
      rig.sandbox.faults.add({ route: EXECUTE, fault: 'conflict' });
      rig.sandbox.faults.add({ route: 'GET /ebus/action-logs', fault, count: null });
      return (await runText(rig, text)).run;
    };
    const empty = await withLogs('nullList');
    assert.equal(empty.outcome, 'unknown');
    assert.match(empty.reason ?? '', /No action log was found$/);
    for (const fault of ['forbidden', 'serverError'] as const) {
      const undecided = await withLogs(fault);
      assert.equal(undecided.outcome, 'unknown');
      assert.match(undecided.reason ?? '', /The action logs could not be read$/);
    }
  });

  test('an unknown status is shown unchanged and is no success', async () => {
    const { object } = await readIds(rig);
    rig.sandbox.faults.clear();
    rig.sandbox.faults.add({
      route: 'GET /ebus/action-logs',
      fault: 'unknownEnum',
      field: 'status',
      value: 'finalized',
      count: null,
    });
    const text = JSON.stringify({ action: { update: { id: object('Jacket'), data: {} } } });
    const { run } = await runText(rig, text, {
      limits: { ...shortLimits, log: 400 },
    });
    assert.equal(run.outcome, 'unfinished');
    assert.equal(run.logStatus, 'finalized');
    assert.match(run.reason ?? '', /last known status of the action log was finalized/);
  });

  test('a credential that the server returns is stored nowhere', async () => {
    const { object } = await readIds(rig);
    const { reports } = await (async () => {
      rig.sandbox.faults.add({ route: EXECUTE, fault: 'echoCredential' });
      return runText(rig, JSON.stringify({ action: { update: { id: object('Jacket'), data: {} } } }));
    })();
    assert.equal(JSON.stringify(reports).includes(rig.sandbox.apiKey), false);
  });
});
