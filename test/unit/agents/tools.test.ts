/** The tools for language models, against the sandbox: results, errors, and server texts as quoted data. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { formatUntrustedData } from '../../../src/agents/untrusted-data.ts';
import { defineBatchTool } from '../../../src/agents/batch-tools.ts';
import { defineRunTool, readRunCall } from '../../../src/agents/run-tool.ts';
import { FailureInbox } from '../../../src/logs/inbox.ts';
import { runTool, ToolInputError, type ToolContext } from '../../../src/agents/tool.ts';
import { tools } from '../../../src/agents/tools.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { createRecord } from '../actions/support.ts';
import { createTestClient, createTestProfile } from '../../support/platform-client.ts';
import { readEnvelope, readUntrustedData } from '../../support/untrusted-data.ts';

const MAX_RESULT_LENGTH = 24_000;
type Transport = ReturnType<typeof createTransport>;
const SECRET = 'canary-7f3e9a1c';
const never = new AbortController().signal;

function createContext(baseUrl: string, apiKey: string, transport: Transport): ToolContext {
  const session = {
    client: createTestClient(baseUrl, transport, { credential: () => Promise.resolve({ apiKey }) }),
    profile: createTestProfile(baseUrl),
    signedOutReason: undefined,
    organizations: [],
    objectStates: { get: () => undefined },
    credentialKinds: new Set(['apiKey'] as const),
    identity: undefined,
    issuedResources: new Map(),
    ended: never,
    hasPermission: () => undefined,
    loadPermissions: () => Promise.resolve(),
  };
  return {
    sessions: () => [session],
    active: () => session,
    secrets: () => [SECRET],
    getSigner: () => undefined,
    snapshots: () => Promise.resolve([]),
  };
}

interface JsonSchema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** The kinds that the manifest lists. */
const KINDS = 'objects faces action-logs support roles templates assets message-templates api-keys batches'.split(' ');

suite('tools for language models', () => {
  let sandbox: Sandbox;
  let transport: Transport;
  let context: ToolContext;
  const call = async (name: string, input: unknown, on = context): Promise<string> => {
    const tool = tools.find((candidate) => candidate.name === `smartObjects_${name}`);
    assert.ok(tool, name);
    return (await runTool(tool, input, on, never)).text;
  };
  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 40 });
    transport = createTransport({ environment: {} });
    context = createContext(sandbox.baseUrl, sandbox.apiKey, transport);
  });
  suiteTeardown(async () => {
    await transport.close();
    await sandbox.close();
  });

  test('the manifest declares them with the input that they check', () => {
    const manifest = JSON.parse(fs.readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      contributes: { languageModelTools: { name: string; inputSchema: unknown }[] };
    };
    const effects = [defineRunTool(() => Promise.reject(new Error('not called'))), defineBatchTool()];
    const schemas = [...tools, ...effects].map(({ name, input }) => {
      const schema: Record<string, unknown> = { ...z.toJSONSchema(input, { io: 'input' }) };
      delete schema['$schema'];
      return { name, inputSchema: schema };
    });
    // A new kind is offered in VS Code once the manifest lists it, too.
    const known = (name: string, value: unknown): unknown =>
      name === 'enum' && Array.isArray(value) && value.includes('templates')
        ? value.filter((kind) => KINDS.includes(String(kind)))
        : value;
    assert.deepEqual(
      manifest.contributes.languageModelTools.map(({ name, inputSchema }) => ({ name, inputSchema })),
      JSON.parse(JSON.stringify(schemas), known),
    );
  });

  test('every property has a description, and an example that is valid', () => {
    const check = (schema: JsonSchema, place: string): void => {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        assert.ok((property.description ?? '').length > 10, `${place}.${name}`);
        assert.equal(property.examples?.length, 1, `${place}.${name}`);
        if (property.items !== undefined) check(property.items, `${place}.${name}`);
      }
    };
    for (const { name, input } of tools) {
      const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
      check(schema, name);
      for (const [property, { examples = [] }] of Object.entries(schema.properties ?? {})) {
        const { issues = [] } = z.safeParse(input, { [property]: examples[0] }).error ?? {};
        assert.deepEqual(
          issues.filter(({ path }) => path[0] === property),
          [],
          `${name}.${property}`,
        );
      }
    }
  });

  test('an object is found by its name, read by its id, and has a history', async () => {
    const listed = readUntrustedData(await call('list', { kind: 'objects', limit: 1 })) as {
      items: { id: string; title: string }[];
    };
    const [first] = listed.items;
    assert.ok(first);
    const { found } = readUntrustedData(await call('find', { text: first.title })) as { found: { id: string }[] };
    assert.ok(found.some(({ id }) => id === first.id));
    const object = readUntrustedData(await call('get', { kind: 'objects', id: first.id })) as {
      id: string;
      template_id: string;
    };
    assert.equal(object.id, first.id);
    const history = readUntrustedData(await call('history', { object: first.id })) as {
      steps: unknown[];
      verdict: string;
    };
    assert.ok(history.steps.length > 0 && history.verdict !== '');
    const byTemplate = readUntrustedData(
      await call('list', { kind: 'objects', filters: { template_id: object.template_id }, limit: 50 }),
    ) as { items: { id: string }[] };
    assert.ok(byTemplate.items.some(({ id }) => id === first.id));
  });

  test('failed logs, a series, connections', async () => {
    const { logs } = readUntrustedData(await call('logs', { status: 'failed', limit: 5 })) as {
      logs: { status: string }[];
    };
    assert.ok(logs.length > 0 && logs.every(({ status }) => status === 'failed'));
    // In groups, as the editor shows them: with the reasons of their batches, and what the user has marked.
    interface Failures {
      failures: { action: string; reason?: string; count: number; latest: string; known?: boolean }[];
    }
    const { failures } = readUntrustedData(await call('failures', { from: '-7d' })) as Failures;
    const fetchJson = async (path: string): Promise<Record<string, unknown>> => {
      const response = await fetch(`${sandbox.baseUrl}${path}`, { headers: { 'x-api-key': sandbox.apiKey } });
      return (await response.json()) as Record<string, unknown>;
    };
    const first = failures[0] ?? assert.fail();
    const page = await fetchJson(`/ebus/action-logs?id=${first.latest}`);
    const [latest] = page['action_logs'] as { action_name: string; action_alias?: string; batch_id: string }[];
    assert.equal(first.action, latest?.action_alias ?? latest?.action_name);
    assert.equal(first.reason, (await fetchJson(`/batches/${latest?.batch_id ?? ''}`))['error']);
    assert.equal(first.known, undefined);
    const values = new Map<string, unknown>();
    const inbox = new FailureInbox({
      get: (key) => values.get(key),
      update: (key, value) => Promise.resolve(void values.set(key, value)),
    });
    inbox.setKnown(['Test'], `${first.action}\n${first.reason ?? ''}`, true);
    const marked = readUntrustedData(
      await call(
        'failures',
        { from: '-7d' },
        {
          ...context,
          failures: () =>
            Promise.resolve({
              inbox,
              runs: [{ id: 'run1', label: 'mint.action.json', connection: 'Test', actionId: first.latest, steps: [] }],
            }),
        },
      ),
    ) as Failures;
    assert.deepEqual(marked.failures.at(-1), { ...first, known: true, new: 0, run: 'mint.action.json' });
    assert.ok(marked.failures.slice(0, -1).every(({ known }) => known === false));
    const { points } = readUntrustedData(await call('statistics', { series: 'executions', period: '30d' })) as {
      points: unknown[];
    };
    assert.ok(points.length > 0);
    // More than one response contains: all points, with the sum of the platform.
    const fees: { readonly when: string; readonly fee: string }[] = [];
    let offset = 0;
    for (;;) {
      const result = await call('statistics', { series: 'fees', period: '30d', interval: 'hour', offset });
      fees.push(...(readUntrustedData(result) as { points: typeof fees }).points);
      const next = /\. \d+ are left: call again with "offset": (\d+)\.$/m.exec(result)?.[1];
      if (next === undefined) break;
      offset = Number(next);
      assert.equal(offset, fees.length);
    }
    const times = fees.map(({ when }) => when);
    assert.ok(fees.length > 100, String(fees.length));
    assert.ok(Date.parse(times.at(-1) ?? '') - Date.parse(times[0] ?? '') > 20 * 86_400_000, times.join());
    assert.deepEqual(readUntrustedData(await call('connections', {})), [
      { name: 'Test', active: true, signedIn: true, organizations: [] },
    ]);
  });

  test('an action file is checked, and nothing is sent', async () => {
    const before = sandbox.recorder.requests.length;
    const { problems } = readUntrustedData(await call('checkAction', { text: '{\n "action": {\n "mint": 5 } }' })) as {
      problems: { severity: string; line: number }[];
    };
    assert.ok(problems.some(({ severity, line }) => severity === 'warning' && line === 3));
    assert.equal(sandbox.recorder.requests.length, before);
  });

  test('a request is previewed, and nothing is sent; variables are not filled in', async () => {
    const { items } = readUntrustedData(await call('list', { kind: 'objects', limit: 1 })) as {
      items: { id: string }[];
    };
    const [object] = items;
    assert.ok(object);
    const executes = sandbox.recorder.executes;
    const result = await call('previewRequest', {
      text: JSON.stringify({ action: { transfer: { id: object.id, to: '${env:HOME}' } } }),
    });
    const preview = readUntrustedData(result) as {
      effect: string;
      notes: string[];
      request: unknown;
      prediction: { objects: { id: string; owner: string }[]; fee: string };
    };
    assert.match(preview.effect, /^Transfers object /);
    assert.equal(preview.prediction.objects[0]?.id, object.id);
    assert.ok(preview.prediction.objects[0].owner !== '' && preview.prediction.fee !== '');
    assert.deepEqual(preview.request, { action: { transfer: { id: object.id, to: '${env:HOME}' } } });
    assert.deepEqual(preview.notes, ['Variables are not filled in here: write the value of HOME']);
    assert.equal(sandbox.recorder.executes, executes);
    assert.match(await call('previewRequest', { text: '{"action": ' }), /^Nothing was sent\. /);
  });

  test('an action is run where it is allowed, with a result that does not invite to repeat it', async () => {
    const text = JSON.stringify({ action: { burn: { id: 'obj_1' } } });
    const readOn = (profile: object, input: object = { text }): unknown => {
      const [session] = context.sessions();
      assert.ok(session);
      const other = { ...session, profile: { ...session.profile, ...profile } };
      return readRunCall(input, { ...context, active: () => other, sessions: () => [other] });
    };
    assert.ok(readOn({}) instanceof Object);
    // The address of a production connection under another name, on this computer too.
    const [one] = context.sessions();
    assert.ok(one);
    for (const [baseUrl, message] of [
      [`${one.profile.baseUrl.replace('127.0.0.1', 'localhost')}/`, /never run actions on production/],
      [`${one.profile.baseUrl}/v2`, undefined],
    ] as const) {
      const live = { ...one, profile: { ...one.profile, name: 'Live', baseUrl, environment: 'production' as const } };
      const read = (): unknown => readRunCall({ text }, { ...context, sessions: () => [one, live] });
      if (message === undefined) assert.ok(read());
      else assert.throws(read, message);
    }
    for (const [profile, input, message] of [
      [{ environment: 'production' }, { text }, /^Nothing was sent\. Agents never run actions on production\.$/],
      [{ baseUrl: 'https://api.example.org' }, { text }, /^Nothing was sent\. The environment .* is not set/],
      [{}, { text: text.replace('obj_1', '${secret:ID}') }, /^Nothing was sent\. Variables are not filled in here/],
      [{}, { text: '{"action": ' }, /^Nothing was sent\. Invalid JSON/],
      [{}, { text, force: true }, /^Nothing was sent\. The input is not valid/],
    ] as const)
      assert.throws(
        () => readOn(profile, input),
        (error) => error instanceof ToolInputError && message.test(error.message),
      );
    const unknown = defineRunTool(({ prepared }) =>
      Promise.resolve({ ...createRecord(prepared.source.text), outcome: 'unknown', phase: 'ended' }),
    );
    const { text: result } = await runTool(unknown, { text }, context, never);
    assert.equal((readUntrustedData(result) as { outcome: string }).outcome, 'unknown');
    assert.match(result, /\nDo not send it again: it may have been executed\./);
  });

  test('a server that the workspace chose is sent nothing until the user signs in', async () => {
    const [session] = context.sessions();
    assert.ok(session);
    const before = sandbox.recorder.requests.length;
    const workspace = { ...session, profile: { ...session.profile, source: 'workspace' as const } };
    const id = 'what a model knows';
    const inputs: Readonly<Record<string, object>> = {
      find: { text: id },
      list: { kind: 'objects', filters: { template_id: id } },
      get: { kind: 'objects', id },
      logs: { filters: { id } },
      history: { object: id },
      statistics: { series: 'fees' },
      previewRequest: { text: JSON.stringify({ action: { burn: { id } } }) },
    };
    for (const [name, input] of Object.entries(inputs))
      for (const named of [{}, { connection: 'Test' }]) {
        const signedOut = { ...workspace, credentialKinds: new Set<never>(), signedOutReason: 'Not signed in' };
        const on = { ...context, sessions: () => [signedOut], active: () => signedOut };
        assert.match(
          await call(name, { ...input, ...named }, on),
          /^The workspace defines this connection\. Nothing is requested[^]*"connection": "Test"/,
        );
      }
    assert.equal(sandbox.recorder.requests.length, before);
    const signedIn = { ...context, sessions: () => [workspace], active: () => workspace };
    readUntrustedData(await call('list', { kind: 'objects' }, signedIn));
  });

  test('lists are filtered by date, relative to now', async () => {
    const list = async (when: string): Promise<readonly object[]> => {
      const result = await call('list', { kind: 'objects', filters: { when_created: when } });
      return (readUntrustedData(result) as { readonly items: readonly object[] }).items;
    };
    assert.ok((await list('>=-9999d')).length > 0);
    assert.deepEqual(await list('<-9999d'), []);
    assert.equal(
      await call('list', { kind: 'objects', filters: { when_created: '2026' } }),
      'when_created is a date: write for example {"when_created": ">=-24h"}.',
    );
  });

  test('a text that begins like a comparison is a value', async () => {
    const result = await call('list', { kind: 'templates', filters: { name: '<b>' } });
    assert.deepEqual((readUntrustedData(result) as { readonly items: readonly object[] }).items, []);
    assert.equal(sandbox.recorder.requests.at(-1)?.query['name'], '<b>');
  });

  test('a wrong call results in a sentence that explains the correction', async () => {
    for (const [name, input, message] of [
      ['list', { kind: 'planets' }, /^Invalid input: kind: must be one of "objects", "faces", /],
      [
        'list',
        { kind: 'objects', more: 1 },
        /^Invalid input: input: has no property "more"; properties: connection, kind, /,
      ],
      ['list', { kind: 'objects', limit: 0 }, /^Invalid input: limit: must be at least 1$/],
      ['find', {}, /^Invalid input: text: must be given as string$/],
      ['list', { kind: 'objects', limit: '5' }, /^Invalid input: limit: must be given as number$/],
      [
        'list',
        { kind: 'objects', where: [{ path: 'owner', is: 'missing', more: 1 }] },
        /^Invalid input: where\.0: has no property "more"; properties: path, is, value$/,
      ],
      [
        'list',
        { kind: 'objects', filters: { '': 'a' } },
        /^Invalid input: filters\.: names must be at least 1 characters long$/,
      ],
      ['list', { kind: 'objects', where: [{ path: 'owner', is: 'greater' }] }, /^where: greater requires a value\.$/],
      ['logs', { from: '2026-03-02', until: '2026-03-01' }, /^from must be before until\.$/],
      ['statistics', { series: 'fees', from: '-1d', until: '-2d' }, /^from must be before until\.$/],
      ['statistics', { series: 'fees', template: 'tpl_1' }, /^template is for creations\.$/],
      ['statistics', { series: 'fees', from: '-2d', period: '24h' }, /^from and period exclude each other\.$/],
      ['statistics', { series: 'creations', action: 'mint' }, /^action is for executions and fees\.$/],
      ['find', { text: '' }, /^Invalid input: text: must be at least 1 characters long$/],
    ] as const)
      assert.match(await call(name, input), message);
    assert.match(
      await call('list', { kind: 'objects', filters: { colour: 'red' } }),
      /cannot be filtered by "colour"\. Filters: .*template_id/,
    );
    assert.match(
      await call('list', { kind: 'objects', connection: 'Nowhere' }),
      /^There is no such connection\. Name one of these\.\n[^]*"connections": \[\n *"Test"\n/,
    );
    assert.match(await call('get', { kind: 'roles', id: 'default' }), /with its organization/);
    assert.match(await call('get', { kind: 'objects', id: 'obj_none' }), /untrusted-data/);
  });

  test('secrets are masked, long results are cut', async () => {
    const keys = await call('list', { kind: 'api-keys' });
    const { items } = readUntrustedData(keys) as { items: { id: string }[] };
    const key = await call('get', { kind: 'api-keys', id: items[0]?.id });
    assert.match(key, /"key": "••••"/);
    assert.ok(!key.includes(sandbox.apiKey));
    const { text: long } = formatUntrustedData(
      'Test',
      Array.from({ length: 5000 }, (_, index) => ({ index })),
      0,
    );
    assert.ok(long.length < MAX_RESULT_LENGTH + 500);
    const notice = /cut here: items 1 to (\d+) of 5000\. (\d+) are left: call again with "offset": (\d+)\.$/.exec(long);
    const [, shown, left, next] = notice?.map(Number) ?? [];
    assert.deepEqual([shown, left], [next, 5000 - (next ?? 0)]);
    assert.equal((readUntrustedData(long) as unknown[]).length, shown);
    const object = {
      text: 'x'.repeat(1_000),
      more: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${String(at)}`, 'y'.repeat(900)])),
    };
    assert.match(formatUntrustedData('Test', object, 0).text, /cut here: characters 1 to 24000 of \d+\. \d+ are left/);
    assert.doesNotMatch(formatUntrustedData('Test', object, 40_000).text, /cut here/);
  });

  test('a result that was sent is never called for again, also if it is cut', async () => {
    const affected = Array.from({ length: 900 }, (_, at) => ({ id: `obj_${String(at).padStart(30, '0')}` }));
    const record = { ...createRecord('{}'), phase: 'ended' as const, outcome: 'completed' as const, affected };
    const tool = defineRunTool(() => Promise.resolve(record));
    const input = { text: '{"action": {"burn": {"id": "obj_1"}}}' };
    const { text } = await runTool(tool, input, context, never);
    assert.match(
      text,
      / of 900\. \d+ are left: do not call again for them; smartObjects_get and smartObjects_logs read /,
    );
  });

  test('a list with an item that is too long goes on until its end', () => {
    const long = Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`f${String(at)}`, 'y'.repeat(40)]));
    const logs = [{ id: 'first' }, { id: 'long', long }, { id: 'last' }];
    let [all, offset] = ['', 0];
    for (;;) {
      const { text } = formatUntrustedData('Test', { logs }, offset);
      all += z.parse(z.string(), readEnvelope(text)['part']);
      const next = /call again with "offset": (\d+)\.$/.exec(text)?.[1];
      if (next === undefined) break;
      assert.ok(Number(next) > offset);
      offset = Number(next);
    }
    assert.deepEqual(JSON.parse(all), { logs });
  });

  test('a part of a long text shows what is invisible, also what counts as space', () => {
    const { text } = formatUntrustedData('Test', `a\ufeffb \u2028c \u2029 d\u00a0e${'x'.repeat(3000)}`);
    assert.match(String(readEnvelope(text)['part']), /^a\\u\{feff\}b c {2}d\u00a0ex+$/);
    assert.doesNotMatch(text, /[\u2028\u2029\ufeff]/);
  });

  test('texts that instruct a model stay quoted data between the markers, without control characters', async () => {
    const { texts } = JSON.parse(
      fs.readFileSync(new URL('../../fixtures/prompt-injections.json', import.meta.url), 'utf8'),
    ) as { texts: string[] };
    assert.equal(texts.length, 40);
    const methods: string[] = [];
    let hostile = '';
    const server = http.createServer((request, response) => {
      methods.push(request.method ?? '');
      const object = {
        id: hostile,
        org_id: 'o',
        template_id: hostile,
        owner: hostile,
        metadata: { name: hostile, [hostile]: hostile },
      };
      const log = {
        id: 'log_1',
        action_name: 'mint',
        status: 'failed',
        messages: [hostile],
        params: { note: hostile },
        signer: hostile,
      };
      const body =
        request.url?.startsWith('/objects/') === true
          ? object
          : {
              objects: [object],
              action_logs: [log],
              data: [log],
              templates: [{ id: 't', name: hostile }],
              faces: [{ id: 'f', name: hostile, content: hostile }],
            };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const on = createContext(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, SECRET, transport);
      const hostileRun = defineRunTool(() =>
        Promise.resolve({
          ...createRecord('{}'),
          phase: 'ended',
          outcome: 'failed',
          effect: hostile,
          reason: hostile,
          actionId: hostile,
          affected: [{ id: hostile, before: JSON.stringify({ name: hostile, key: hostile }) }],
        }),
      );
      for (hostile of texts) {
        const results = [
          await call('list', { kind: 'objects' }, on),
          await call('list', { kind: 'faces' }, on),
          await call('list', { kind: 'templates' }, on),
          await call('logs', {}, on),
          await call('get', { kind: 'objects', id: 'obj_1' }, on),
          await call(
            'previewRequest',
            { text: JSON.stringify({ action: { transfer: { id: 'obj_1', to: hostile } } }) },
            on,
          ),
          (await runTool(hostileRun, { text: '{"action": {"burn": {"id": "obj_1"}}}' }, on, never)).text,
        ];
        for (const result of results) {
          readUntrustedData(result);
          assert.doesNotMatch(result, /[^\n\P{Cc}]|\p{Cf}/u);
          assert.ok(!result.includes(SECRET));
        }
      }
      assert.deepEqual([...new Set(methods)], ['GET']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
