import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { runProgram } from './support.ts';

suite('the runner and permissions', () => {
  const requests: string[] = [];
  let role: object | undefined;
  let server: http.Server;
  let base = '';
  let dir = '';

  suiteSetup(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-permission-'));
    fs.writeFileSync(path.join(dir, 'a.action.json'), '{"action": {"burn": {"id": "x"}}}');
    server = http.createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      request.resume();
      const answer = request.url === '/organizations/org-1/myrole' ? role : undefined;
      response.writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { message: 'no' }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    base = `http://127.0.0.1:${String(address.port)}`;
  });
  suiteTeardown(() => {
    server.close();
    fs.rmSync(dir, { recursive: true });
  });

  const claims = Buffer.from(JSON.stringify({ sub: 'me', org_id: 'org-1' })).toString('base64url');
  const token = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.c2ln`;
  const roleWith = (create: boolean): object => ({
    id: 'r',
    name: 'Reader',
    permissions: [{ resource: 'ebus.actions', crud: { read: true, create, update: false, delete: false } }],
    when_created: '2025-01-01T00:00:00Z',
    when_modified: '2025-01-01T00:00:00Z',
  });
  const run = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    requests.length = 0;
    const { out } = await runProgram(['run', 'a.action.json', '--base-url', base], {
      cwd: dir,
      environment: { SMART_OBJECTS_ACCESS_TOKEN: token, ...environment },
    });
    assert.equal(requests.filter((line) => line === 'POST /ebus/execute').length, 1, out);
    return out;
  };

  test('a missing permission is printed before anything is sent', async () => {
    role = roleWith(false);
    const out = await run({});
    assert.match(out, /^warning: Your role in org-1 lacks the permission ebus\.actions: create\.$/m);
    assert.ok(out.indexOf('lacks the permission') < out.indexOf('run   a'), out);
    assert.equal(requests[0], 'GET /organizations/org-1/myrole');
  });

  test('a granted or unreadable permission, or an additional API key, is no reason to warn', async () => {
    role = roleWith(true);
    assert.doesNotMatch(await run({}), /lacks/);
    role = undefined;
    assert.doesNotMatch(await run({}), /lacks/);
    role = roleWith(false);
    assert.doesNotMatch(await run({ SMART_OBJECTS_API_KEY: 'key' }), /lacks/);
    assert.equal(requests.includes('GET /organizations/org-1/myrole'), false);
  });
});
