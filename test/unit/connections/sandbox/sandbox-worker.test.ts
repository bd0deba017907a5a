/** A sandbox as the window runs it: faults in plain words, clock, settlement, status, and starting again. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { formatFault, listFaultGroups, listRoutes } from '../../../../src/connections/sandbox/fault-texts.ts';
import { formatSandboxStatus, listSandboxDetails } from '../../../../src/connections/sandbox/format-sandbox-status.ts';
import { onDidChangeSandbox, setSandbox } from '../../../../src/connections/sandbox/running.ts';
import {
  startSandboxWorker,
  type RunningSandbox,
  type SandboxChoice,
} from '../../../../src/connections/sandbox/sandbox-worker.ts';
import type { SandboxState } from '../../../../src/sandbox/state.ts';
import { isObject, type JsonObject } from '../../../../src/platform/json/json.ts';

const script = path.resolve(import.meta.dirname, '../../../../src/sandbox/worker.ts');
const EXECUTE = 'POST /ebus/execute';

suite('local sandbox', () => {
  const running: RunningSandbox[] = [];
  const start = async (from: SandboxChoice | SandboxState): Promise<RunningSandbox> => {
    const sandbox = await startSandboxWorker('Local Sandbox', from, { script, redact: (text) => text });
    running.push(sandbox);
    return sandbox;
  };
  teardown(async () => {
    setSandbox('Local Sandbox', undefined);
    await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()));
  });

  const ask = async (sandbox: RunningSandbox, target: string, body?: object): Promise<JsonObject> => {
    const response = await fetch(sandbox.profile.baseUrl + target, {
      headers: { 'x-api-key': sandbox.credential.apiKey ?? '' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const json: unknown = await response.json();
    assert(isObject(json));
    return json;
  };
  const listItems = async (sandbox: RunningSandbox, target: string, key: string): Promise<readonly JsonObject[]> => {
    const items = (await ask(sandbox, target))[key];
    assert(Array.isArray(items));
    return items.filter(isObject);
  };
  const mint = async (sandbox: RunningSandbox): Promise<void> => {
    const templates = await listItems(sandbox, '/public/templates?limit=100', 'templates');
    const template = templates.find(({ name }) => name === 'Harbour Concert Ticket') ?? templates[0];
    await ask(sandbox, '/ebus/execute', { action: { mint: { template_id: template?.['id'], num: 1 } } });
  };
  /** Resolves with the next status for which `test` is true. */
  const waitForStatus = (sandbox: RunningSandbox, test: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (test()) resolve();
      };
      sandbox.listen(check);
      check();
    });

  test('every fault of the picker is one that the sandbox accepts, and is shown in the same words', async () => {
    const sandbox = await start({ seed: 1, objects: 20 });
    const routes = listRoutes().filter(({ type }, index, all) => all.findIndex((each) => each.type === type) === index);
    const choices = listFaultGroups().flatMap((group) => group.choices);
    for (const { label, types, spec } of choices)
      for (const { route, type } of routes) {
        if (types?.includes(type) === false) continue;
        await sandbox.control('POST', 'faults', { ...spec, route, count: 3 });
        const [fault] = sandbox.status.faults;
        assert(fault);
        assert.match(formatFault(fault, fault.left), /^Next 3 (?:requests|executions)/);
        assert(formatFault(fault, fault.left).endsWith(`: ${label}`), formatFault(fault, fault.left));
        await sandbox.control('DELETE', 'faults');
        assert.deepEqual(sandbox.status.faults, []);
      }
    assert.equal(new Set(choices.map(({ label }) => label)).size, choices.length);
    const other = { route: '*', fault: 'rateLimited', phase: 'before', delay: 1000, retryAfter: 30 } as const;
    assert.equal(formatFault(other, 1), 'Next 1 request: rateLimited', 'it does not wait for 7 seconds');
  });

  test('the connection is lost after the platform has executed, as often as chosen; the count goes down', async () => {
    const sandbox = await start({ seed: 1, objects: 20 });
    const choice = listFaultGroups()
      .flatMap((group) => group.choices)
      .find(({ label }) => label === 'connection lost after the platform has executed');
    await sandbox.control('POST', 'faults', { ...choice?.spec, route: EXECUTE, count: 2 });
    await assert.rejects(mint(sandbox));
    await waitForStatus(sandbox, () => sandbox.status.faults[0]?.left === 1);
    assert.equal(sandbox.status.objects, 21, 'it was executed');
    const [fault] = sandbox.status.faults;
    assert(fault);
    assert.equal(formatFault(fault, fault.left), 'Next 1 execution: connection lost after the platform has executed');
    await assert.rejects(mint(sandbox));
    await mint(sandbox);
    await waitForStatus(sandbox, () => sandbox.status.objects === 23);
    assert.deepEqual(sandbox.status.faults, [], 'used up');
    assert.equal(
      formatFault({ ...fault, route: 'GET /objects' }, null),
      'Every request (Objects: list): connection lost after the platform has executed',
    );
  });

  test('the clock pauses, steps and runs on from there; tasks wait for it', async () => {
    const sandbox = await start({ seed: 1, objects: 20 });
    await assert.rejects(sandbox.control('POST', 'clock', { advance: 1000 }), /pause it/);
    await sandbox.control('POST', 'clock', { paused: true });
    const { now } = sandbox.status;
    assert.equal(sandbox.status.paused, true);
    await mint(sandbox);
    const listPending = async (): Promise<readonly JsonObject[]> =>
      (await listItems(sandbox, '/ebus/action-logs?order=desc&limit=5', 'action_logs')).filter(
        ({ action_name: name, when_created: when }) => name === 'mint' && when === new Date(now).toISOString(),
      );
    assert.deepEqual(await listPending(), [], 'the delay until it is listed has not passed');
    await sandbox.control('POST', 'clock', { advance: 500 });
    assert.deepEqual(
      (await listPending()).map(({ status }) => status),
      ['pending'],
    );
    await sandbox.control('POST', 'clock', { advance: 3_600_000 });
    assert.deepEqual(
      (await listPending()).map(({ status }) => status),
      ['completed'],
    );
    assert.equal(sandbox.status.now, now + 3_600_500);
    await sandbox.control('POST', 'clock', { paused: false });
    assert.equal(sandbox.status.paused, false);
    assert(sandbox.status.now >= now + 3_600_500, 'it does not go back');
  });

  test('Settle Now completes logs and ledger batches, and leaves the clock', async () => {
    const sandbox = await start({ seed: 1, objects: 20 });
    await sandbox.control('POST', 'clock', { paused: true });
    const { now } = sandbox.status;
    await mint(sandbox);
    await sandbox.control('POST', 'settle', { now: true });
    const [log] = await listItems(sandbox, '/ebus/action-logs?order=desc&limit=1', 'action_logs');
    assert.equal(log?.['status'], 'completed');
    assert.equal((await ask(sandbox, `/batches/${String(log['batch_id'])}`))['status'], 'completed');
    assert.equal(sandbox.status.now, now);
    assert.equal(sandbox.status.paused, true);
    await sandbox.control('POST', 'clock', { paused: false });
    await mint(sandbox);
    await sandbox.control('POST', 'settle', { now: true });
    assert.equal(
      (await listItems(sandbox, '/ebus/action-logs?order=desc&limit=1', 'action_logs'))[0]?.['status'],
      'completed',
    );
    assert.equal(sandbox.status.paused, false, 'it runs as before');
  });

  test('the row shows objects, requests, faults and clock', async () => {
    const sandbox = await start({ seed: 7, objects: 20 });
    const changes: string[] = [];
    const listener = onDidChangeSandbox((name) => changes.push(name));
    setSandbox('Local Sandbox', sandbox);
    listener.dispose();
    assert.deepEqual(changes, ['Local Sandbox']);
    assert.equal(formatSandboxStatus('Local Sandbox'), '20 objects · 0 requests · clock running');
    await mint(sandbox);
    await waitForStatus(sandbox, () => sandbox.status.requests === 2);
    await sandbox.control('POST', 'faults', { fault: 'serverError', count: null });
    await sandbox.control('POST', 'clock', { paused: true });
    assert.match(
      formatSandboxStatus('Local Sandbox'),
      /^21 objects · 2 requests · 1 fault · clock paused at .*\d:\d\d/,
    );
    assert.deepEqual(listSandboxDetails('Local Sandbox').slice(1, 4), [
      ['Seed', '7'],
      ['Objects', '21'],
      ['Requests', '2'],
    ]);
    assert.deepEqual(listSandboxDetails('Local Sandbox').at(-1), ['Fault', 'Every request: internal error (500)']);
    assert.equal(formatSandboxStatus('Another'), '');
  });

  test('a state continues with the same objects and logs; a seed alone begins anew; an ended one refuses', async () => {
    const first = await start({ seed: 5, objects: 20 });
    await mint(first);
    const objects = await listItems(first, '/objects?limit=100', 'objects');
    const { state } = first;
    assert.equal(state.executions.length, 1);
    assert.equal(state.seed, 5);
    assert.equal(state.port, Number(new URL(first.profile.baseUrl).port), 'what watches it finds it again');
    await first.stop();
    await assert.rejects(first.control('GET', 'status'), /not running/);
    const second = await start(state);
    const ids = (items: readonly JsonObject[]): readonly unknown[] => items.map(({ id }) => id);
    assert.deepEqual(ids(await listItems(second, '/objects?limit=100', 'objects')), ids(objects));
    assert.equal(second.state.executions.length, 1);
    const third = await start({ seed: 5, objects: 20 });
    assert.equal(third.status.objects, 20);
  });

  test('a paused clock stays paused at its time in a state', async () => {
    const first = await start({ seed: 5, objects: 20 });
    let changes = 0;
    first.listen((changed) => (changes += changed === 'state' ? 1 : 0));
    await first.control('POST', 'clock', { paused: true, advance: 86_400_000 });
    assert.equal(changes, 1, 'a pause is stored');
    await mint(first);
    await first.control('GET', 'status');
    const { state } = first;
    const { now } = first.status;
    const second = await start({ ...state, port: undefined });
    assert.deepEqual([second.status.paused, second.status.now], [true, now]);
    assert.equal(second.state.executions.length, 1);
    await second.control('POST', 'clock', { paused: false });
    const third = await start({ ...second.state, port: undefined });
    assert.equal(third.status.paused, false);
  });
});
