/** The generated client compiles, runs against the sandbox, sends an execution once, and says what became of it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { generateClient, listTemplates } from '../../../../src/actions/client/generate-client.ts';
import { startSandbox, type Sandbox } from '../../../../src/sandbox/server.ts';
import { killOnExit } from '../../../runtime/child-process.ts';
import { useServers } from '../../../support/platform-client.ts';
import { runProgram, type ProgramResult } from '../../cli/support.ts';

const TSC = path.resolve(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc');
const STRICT = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true };
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...STRICT,
    noPropertyAccessFromIndexSignature: true,
    erasableSyntaxOnly: true,
    noImplicitOverride: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    types: [],
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts'],
});

/** A program of a user, who finds wrong fields when it is compiled. Prints a line of JSON for each step. */
const PROGRAM = `import { createPlatform, PlatformError, type Execution } from './platform.ts';
declare const process: { readonly argv: readonly string[] };
const [baseUrl = '', key = '', id = '', ...steps] = process.argv.slice(2);
const { harbourConcertTicket: ticket } = createPlatform({ baseUrl, headers: () => ({ 'x-api-key': key }), timeout: 60_000 });
const run: Readonly<Record<string, () => Promise<Execution>>> = {
  mint: () => ticket.mint({ num: 2, data: { custom: { price: '12.50' } } }),
  update: () => ticket.update(id, { data: { custom: { scanned: true } } }),
  burn: () => ticket.burn(id),
  // @ts-expect-error a boolean on the platform
  wrong: () => ticket.update(id, { data: { custom: { scanned: 'true' } } }),
  // @ts-expect-error the owner is missing
  incomplete: () => ticket.transfer(id, {}),
};
for (const step of steps) {
  let line: unknown;
  try {
    if (step === 'read') line = (await ticket.get(id)).custom?.scanned;
    else if (step === 'count') {
      let count = 0;
      for await (const { template_id } of ticket.list({ limit: '2' })) if (template_id === ticket.templateId) count++;
      line = count;
    } else {
      const result = await run[step]?.();
      line = [result?.outcome, result?.log?.['status'], result?.batch?.['status'], result?.reason];
    }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    line = [error.isOutcomeUnknown ? 'unknown' : 'refused', error.status];
  }
  console.log(JSON.stringify(line));
}
`;

suite('templates of a client', () => {
  const { servers, createClient } = useServers();
  test('are chosen of all pages', async () => {
    const server = await servers.http(({ url }, response) => {
      const at = Number(new URL(url, 'http://localhost').searchParams.get('next') ?? 0);
      const templates = Array.from({ length: 100 }, (_, index) => ({
        id: `tpl_${String(at + index)}`,
        name: 'Ticket',
      }));
      response.end(JSON.stringify({ templates, next: at < 1900 ? String(at + 100) : '' }));
    });
    const templates = await listTemplates(createClient(server), new AbortController().signal);
    assert.deepEqual([templates.length, templates.at(-1)], [2000, { id: 'tpl_1999', title: 'Ticket' }]);
  });
});

suite('the generated client', () => {
  let sandbox: Sandbox;
  let folder = '';
  let template = '';
  let before = 0;
  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 300, indexDelay: 20, settleDelay: 20, batchDelay: 20 });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'client-'));
    template = sandbox.world.templates.source.idAt(0);
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), TSCONFIG);
    fs.writeFileSync(path.join(folder, 'program.ts'), PROGRAM);
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const made = await generate('--out', 'platform.ts');
    assert.equal(made.code, 0, made.stderr);
  });
  suiteTeardown(async () => {
    await sandbox.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  setup(() => {
    sandbox.faults.clear();
    before = countAll();
  });

  const generate = (...options: readonly string[]): Promise<ProgramResult> =>
    runProgram(['generate', template, '--base-url', sandbox.baseUrl, ...options], {
      cwd: folder,
      environment: { SMART_OBJECTS_API_KEY: sandbox.apiKey },
    });
  const runNode = (...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, args, { cwd: folder });
      killOnExit(child);
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.once('close', (code) => {
        resolve({ code, out });
      });
    });
  const getObject = async (): Promise<string> => {
    const response = await fetch(`${sandbox.baseUrl}/objects?template_id=${template}&limit=1`, {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    const { objects } = (await response.json()) as { readonly objects: readonly { readonly id: string }[] };
    return objects[0]?.id ?? assert.fail('no object');
  };
  const use = async (...steps: readonly string[]): Promise<readonly unknown[]> => {
    const { code, out } = await runNode('program.ts', sandbox.baseUrl, sandbox.apiKey, await getObject(), ...steps);
    assert.equal(code, 0, out);
    return out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  };
  const countAll = (): number => sandbox.recorder.requests.filter(({ method }) => method === 'POST').length;
  const countPosts = (): number => countAll() - before;

  test('compiles strictly; a wrong or missing field does not', async () => {
    assert.deepEqual(await runNode(TSC, '-p', '.'), { code: 0, out: '' });
  });

  test('reads, lists and executes; the action log and ledger batch decide', async () => {
    const completed = ['completed', 'completed', 'completed', null];
    const [count, ...others] = await use('count', 'update', 'read', 'mint');
    assert.ok(typeof count === 'number' && count > 2);
    assert.deepEqual(others, [completed, true, completed]);
    assert.equal(countPosts(), 2);
  });

  test('an execution is sent once: refused, lost after it was executed, failed, or with a lost log', async () => {
    const route = 'POST /ebus/execute';
    sandbox.faults.add({ route, fault: 'unprocessable' });
    sandbox.faults.add({ route, fault: 'resetBefore', phase: 'after' });
    sandbox.faults.add({ route, fault: 'gatewayTimeout', phase: 'after' });
    sandbox.faults.add({ route, fault: 'redirect' });
    sandbox.faults.add({ route, fault: 'failedStep' });
    sandbox.faults.add({ route: 'GET /ebus/action-logs', fault: 'unavailable', count: 2, retryAfter: 0 });
    const [refused, lost, timeout, moved, failed, followed] = await use('update', 'update', 'update', 'update', 'update', 'update'); // prettier-ignore
    assert.deepEqual(refused, ['refused', 422]);
    assert.deepEqual(lost, ['unknown', null]);
    assert.deepEqual(timeout, ['unknown', 504]);
    assert.deepEqual(moved, ['refused', 307]);
    assert.equal((failed as readonly unknown[])[0], 'failed');
    assert.deepEqual(followed, ['completed', 'completed', 'completed', null]);
    assert.equal(countPosts(), 6);
  });

  test('a platform that does not listen: nothing was executed', async () => {
    const server = http.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { out } = await runNode('program.ts', `http://127.0.0.1:${String(port)}`, 'key', 'obj_1', 'burn');
    assert.equal(out.trim(), '["refused",null]');
  });

  test('--check: the same objects give the same file; a changed file is not current', async () => {
    const current = await generate('--out', 'platform.ts', '--check');
    assert.deepEqual([current.code, current.out], [0, '']);
    const printed = await generate();
    assert.equal(printed.stdout, fs.readFileSync(path.join(folder, 'platform.ts'), 'utf8'));
    fs.writeFileSync(path.join(folder, 'old.ts'), printed.stdout.replace('scanned: boolean', 'scanned: string'));
    const { code, stderr } = await generate('--out', 'old.ts', '--check');
    assert.equal(code, 1);
    assert.match(stderr, /old\.ts is not current/);
    assert.equal((await generate('--check')).code, 2);
  });

  test('neither the order of templates and fields nor hostile names change what the file declares', async () => {
    const hostile = '*/ globalThis.stolen = 1; /*\u2028`${1}';
    const first = {
      id: 'tpl_a',
      name: 'Error',
      actions: ['mint', 'get', hostile],
      samples: [{ b: 1, a: { d: 1, c: 2 } }],
    };
    const second = { id: `tpl_b${hostile}`, name: hostile, actions: ['__proto__'], samples: [] };
    const third = {
      id: 'tpl_c',
      name: 'error',
      actions: ['client'],
      samples: [{ [hostile]: JSON.rawJSON('9007199254740993') }],
    };
    const text = generateClient([first, second, third]);
    const mixed = generateClient([third, second, { ...first, samples: [{ a: { c: 2, d: 1 }, b: 1 }] }]);
    assert.equal(mixed, text);
    const other = fs.mkdtempSync(path.join(folder, 'hostile-'));
    fs.writeFileSync(path.join(other, 'tsconfig.json'), TSCONFIG);
    fs.writeFileSync(path.join(other, 'platform.ts'), text);
    assert.deepEqual(await runNode(TSC, '-p', other), { code: 0, out: '' });
    assert.doesNotMatch(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''), /^(?!\s*\/?\*).*globalThis\.stolen/m);
  });

  test('a redirect gets no credential; a request that cannot be made was not sent; an id is not replaced', async () => {
    const received: string[] = [];
    const serve = async (location: string): Promise<string> => {
      const server = http.createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          received.push(
            [request.method, String(request.headers['x-api-key']), Buffer.concat(chunks).toString()].join(' '),
          );
          response.writeHead(location === '' ? 400 : 307, { location }).end('{}');
        });
      });
      server.listen(0, '127.0.0.1').unref();
      await once(server, 'listening');
      return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    };
    const other = await serve('');
    const moved = await serve(`${other}/objects/1`);
    const program = `import { createPlatform, PlatformError } from './platform.ts';
const [moved, other, bad] = [${JSON.stringify(moved)}, ${JSON.stringify(other)}, 'not a URL'];
const open = (baseUrl: string, headers: () => Record<string, string>) =>
  createPlatform({ baseUrl, headers }).harbourConcertTicket;
const key = () => ({ 'x-api-key': 'KEY' });
const fields = { id: 'other', template_id: 'other', data: {} };
for (const work of [
  () => open(moved, key).get('1'),
  () => open(bad, key).burn('1'),
  () => open(other, () => { throw new Error('signed out'); }).burn('1'),
  () => open(other, key).update('1', fields),
  () => open(other, key).mint(fields),
])
  await work().catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error;
    console.log(error.status ?? 'none', error.isOutcomeUnknown);
  });
`;
    fs.writeFileSync(path.join(folder, 'redirects.ts'), program);
    const { out } = await runNode('redirects.ts');
    assert.deepEqual(out.trim().split('\n'), ['307 false', 'none false', 'none false', '400 false', '400 false']);
    assert.deepEqual(received, [
      'GET KEY ',
      'POST KEY {"action":{"update":{"id":"1","template_id":"other","data":{}}}}',
      `POST KEY {"action":{"mint":{"num":1,"id":"other","template_id":"${template}","data":{}}}}`,
    ]);
  });

  test('reads what deployments send: refused only if the response says so, failed steps, wrapped lists, cursors that repeat, dates to wait for', async () => {
    const executions: Readonly<Record<string, object>> = {
      message: { message: 'queued' },
      refused: { success: false },
      error: { success: false, error: { code: 'LIMIT', message: 'too many' } },
      step: { data: { action_id: 'act_1', steps: [{ action: 'burn', error: { code: 402 } }] } },
      wrapped: { success: true, data: { action_id: 'act_1', steps: null } },
    };
    const times: number[] = [];
    const server = http.createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const send = (value: unknown): unknown => response.end(JSON.stringify(value));
      request.setEncoding('utf8').once('data', (body: string) => {
        send(executions[/"id":"(\w+)"/.exec(body)?.[1] ?? '']);
      });
      if (pathname === '/objects') {
        const objects = searchParams.has('next') ? [{ id: 'b' }] : [{ id: 'a' }, null, 'broken'];
        send({ success: true, data: { objects, next: 'same' } });
      } else if (pathname.startsWith('/objects/')) {
        times.push(Date.now());
        const retryAfter = new Date(Date.now() + 2500).toUTCString();
        if (times.length === 1) response.writeHead(429, { 'retry-after': retryAfter });
        send({ data: { id: 'a', owner: 'me' } });
      } else if (pathname === '/ebus/action-logs')
        send({ success: true, data: { action_logs: [null, { id: 'act_1', status: 'completed', batch_id: 'bat_1' }] } });
      else if (pathname.startsWith('/batches/')) send({ success: true, data: { id: 'bat_1', status: 'COMPLETED' } });
    });
    await once(server.listen(0, '127.0.0.1').unref(), 'listening');
    const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    fs.writeFileSync(
      path.join(folder, 'live.ts'),
      `import { createPlatform, PlatformError } from './platform.ts';
const { harbourConcertTicket: ticket } = createPlatform({ baseUrl: ${JSON.stringify(baseUrl)} });
for (const id of ${JSON.stringify(Object.keys(executions))})
  await ticket.burn(id).then(
    ({ outcome, reason, batch }) => console.log(id, outcome, reason, batch?.['status']),
    (error: unknown) => console.log(id, error instanceof PlatformError && error.isOutcomeUnknown ? 'unknown' : 'refused'),
  );
const ids: string[] = [];
for await (const object of ticket.list()) ids.push(object.id);
console.log(ids.join(), (await ticket.get('a')).owner);
`,
    );
    const { out } = await runNode('live.ts');
    assert.deepEqual(out.trim().split('\n'), [
      'message unknown',
      'refused refused',
      'error refused',
      'step failed {"code":402} undefined',
      'wrapped completed undefined COMPLETED',
      'a,b me',
    ]);
    // A date has no fractions of a second.
    assert.ok((times[1] ?? 0) - (times[0] ?? 0) > 1500, 'the date is waited for');
  });

  test('a list under another key is read; one that is refused with status 200 is not empty', async () => {
    const objects = [{ id: 'a' }];
    const responses: Readonly<Record<string, unknown>> = {
      data: { success: true, data: objects },
      items: { items: objects },
      bare: objects,
      none: { objects: null },
      absent: { success: true },
      refused: { success: false, error: { message: 'not your organization' } },
      error: { errors: [{ code: 'SCOPE' }] },
      text: { objects: 'a' },
    };
    const server = http.createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const log = { id: 'act_1', status: 'failed', error: 'sold out' };
      const logs = searchParams.has('action_id') ? { success: false } : { data: [log] };
      const list = pathname === '/objects' ? responses[searchParams.get('name') ?? ''] : logs;
      response.end(JSON.stringify(request.method === 'POST' ? { action_id: 'act_1' } : list));
    });
    await once(server.listen(0, '127.0.0.1').unref(), 'listening');
    const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    fs.writeFileSync(
      path.join(folder, 'lists.ts'),
      `import { createPlatform, PlatformError } from './platform.ts';
const { harbourConcertTicket: ticket } = createPlatform({ baseUrl: ${JSON.stringify(baseUrl)} });
for (const name of ${JSON.stringify(Object.keys(responses))}) {
  try {
    const ids: string[] = [];
    for await (const object of ticket.list({ name })) ids.push(object.id);
    console.log(name, ids.join());
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    console.log(name, error.message);
  }
}
console.log((await ticket.burn('a')).reason);
`,
    );
    const { out } = await runNode('lists.ts');
    assert.deepEqual(out.trim().split('\n'), [
      'data a',
      'items a',
      'bare a',
      'none ',
      'absent ',
      'refused The platform responded with status 200: not your organization',
      'error The response contains no list of objects',
      'text The response contains no list of objects',
      'sold out',
    ]);
  });

  test('actions and objects in another order, and line ends of a checkout, are no change; no two members share a name', async () => {
    const client = (actions: readonly string[], ...samples: readonly object[]): string =>
      generateClient([{ id: 'tpl_a', name: 'A', actions, samples }]);
    const text = client(['getAction', 'mint', 'get'], { a: 1, c: { x: 1 } }, { b: 1, c: { y: 1 } });
    assert.equal(client(['get', 'getAction', 'mint'], { c: { y: 1 }, b: 1 }, { a: 1, c: { x: 1 } }), text);
    const members = [...text.matchAll(/^ {6}(\w+): \(/gm)].map(([, name]) => name);
    assert.equal(new Set(members).size, members.length);
    fs.writeFileSync(path.join(folder, 'crlf.ts'), (await generate()).stdout.replaceAll('\n', '\r\n'));
    const { code, stderr } = await generate('--out', 'crlf.ts', '--check');
    assert.equal(code, 0, stderr);
  });

  test('a field that only the template has is optional in the type of its objects', async () => {
    const server = http.createServer((request, response) => {
      const custom = { seat: '1', ...(request.url?.startsWith('/templates/') === true && { seat: null, row: 'A' }) };
      const item = { id: 'x', name: 'Seat', actions: null, object: { custom }, custom };
      response.end(JSON.stringify(request.url?.startsWith('/templates/') === true ? item : { objects: [item, null] }));
    });
    await once(server.listen(0, '127.0.0.1').unref(), 'listening');
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const { stdout } = await runProgram(['generate', 'x', '--base-url', origin], { cwd: folder });
    assert.match(stdout, /^export interface SeatCustom \{\n {2}row\?: string;\n {2}seat: string;\n\}/m);
  });
});
