/** The forms of the connections in real VS Code: adding one, wallets, invites, organizations, and the reports. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { BACK } from '../../src/ui/back.ts';
import {
  asked,
  control,
  everythingShown,
  granting,
  hooks,
  noting,
  report,
  run,
  sandbox,
  until,
} from './support/connections.ts';

const reset = async (): Promise<void> => {
  await control('DELETE', 'faults');
  await control('DELETE', 'requests');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await (await hooks()).reset();
};
const settings = (): unknown =>
  vscode.workspace.getConfiguration('smartObjects').inspect('connections')?.globalValue ?? [];

suite('connections: forms', () => {
  setup(reset);
  suiteTeardown(reset);

  test('Add Connection checks, says what it found, and writes no secret', async () => {
    const h = await hooks();
    h.ui.answer('input', '  ', 'Shop', 'https://user@x', sandbox().baseUrl, sandbox().apiKey);
    h.ui.answer('pick', 'Staging', 'Sign in now', 'API key');
    await run('addConnection');
    assert.deepEqual(settings(), [{ name: 'Shop', baseUrl: sandbox().baseUrl, environment: 'staging' }]);
    assert.equal(h.ui.said('invalid').length, 2);
    const session = (await h.services()).sessions.get('Shop');
    assert.deepEqual([...(session?.holds ?? [])], ['apiKey']);
    assert.equal((await h.services()).sessions.active, session);
    assert.equal(h.ui.left, 0);
  });

  test('Add Connection goes back, and leaves nothing when it is left', async () => {
    const h = await hooks();
    h.ui.answer('input', 'Wrong', BACK, 'Right', sandbox().baseUrl);
    h.ui.answer('pick', 'Sandbox', BACK, 'Development', 'Sign in later');
    await run('addConnection');
    assert.deepEqual(settings(), [{ name: 'Right', baseUrl: sandbox().baseUrl, environment: 'development' }]);
    await reset();
    h.ui.answer('input', 'Left', sandbox().baseUrl);
    await run('addConnection');
    assert.deepEqual(settings(), []);
  });

  const wrong: readonly (readonly [string, () => string, object | undefined, RegExp])[] = [
    ['a wrong path', () => `${sandbox().baseUrl}/nowhere`, undefined, /404.*base URL/],
    ['a web page', () => sandbox().baseUrl, { route: 'GET /objects', fault: 'htmlOk' }, /web page.*login page/],
  ];
  for (const [what, address, fault, words] of wrong) {
    test(`Add Connection names ${what}`, async () => {
      const h = await hooks();
      if (fault !== undefined) await control('POST', 'faults', fault);
      h.ui.answer('input', 'Shop', address(), sandbox().apiKey);
      h.ui.answer('pick', 'Production', 'Sign in now', 'API key');
      await run('addConnection');
      assert.match(h.ui.said('warn').join(), words);
      assert.match(h.ui.said('warn')[0] ?? '', /^PRODUCTION · Shop: /);
      assert.deepEqual(settings(), []);
    });
  }

  test('Add Organization names one in the settings', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
    const [organization] = sandbox().organizations;
    h.ui.answer('input', organization?.id, 'Acme');
    await run('addOrganization', 'Shop');
    assert.deepEqual(settings(), [
      { name: 'Shop', baseUrl: sandbox().baseUrl, organizations: [{ id: organization?.id, label: 'Acme' }] },
    ]);
    const session = (await h.services()).sessions.get('Shop');
    assert.equal(session?.organizations[0]?.label, 'Acme');
    assert.equal(session.holds.size, 1, 'the session goes on');
  });

  suite('Register Wallet', () => {
    const fill = async (password: string): Promise<void> => {
      const h = await hooks();
      h.ui.answer('input', 'not alphanumeric!', 'Ada99', 'ada@example.com', '+4915112345678', '', password, 'Ada');
      h.ui.answer('pick', 'en', 'A new connection');
      h.ui.answer('confirm', true);
    };

    test('tokens go into the secret of a new connection, the wallet can be read, the password is gone', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
      const password = 'correct horse battery';
      await fill(password);
      await run('registerWallet', 'Shop');
      assert.deepEqual(h.ui.said('error'), []);
      assert.match(h.ui.said('invalid')[0] ?? '', /letters and digits/);
      const session = (await h.services()).sessions.get('Ada');
      assert.deepEqual([...(session?.holds ?? [])].sort(), ['accessToken', 'refreshToken']);
      assert.ok(session?.identity?.subject);
      const [held] = [...session.held.values()];
      assert.match(held?.text ?? '', /"nickname": "Ada99"/);
      assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /\/Ada\/wallets\//);
      assert.equal((await asked()).filter(({ method, path }) => method === 'POST' && path === '/wallets').length, 1);
      const shown = await everythingShown(h);
      assert.ok(!shown.includes(password));
      assert.ok(!/eyJ[\w-]+\.eyJ/.test(shown), 'no token is shown');
      await h.signOut('Ada');
      assert.equal(session.held.size, 0);
    });

    test('a lost answer is called unknown, and the request is not repeated', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
      await fill('pw');
      await control('POST', 'faults', { route: 'POST /wallets', fault: 'resetBefore', phase: 'after' });
      await run('registerWallet', 'Shop');
      assert.match(h.ui.said('error')[0] ?? '', /Whether the wallet is registered is not known/);
      assert.equal((await asked()).filter(({ method }) => method === 'POST').length, 1);
      assert.equal((await h.services()).sessions.get('Ada'), undefined);
    });

    test('nothing is sent without a yes', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl, environment: 'production' });
      h.ui.answer('input', '', '', '', '', '', 'Ada');
      h.ui.answer('pick', 'Not given', 'A new connection');
      await run('registerWallet', 'Shop');
      assert.match(h.ui.said('confirm')[0] ?? '', /^PRODUCTION · Shop: register/);
      assert.equal((await asked()).filter(({ method }) => method === 'POST').length, 0);
    });
  });

  test('Confirm Organization Invite signs a chosen connection in, once', async () => {
    const h = await hooks();
    const invite = sandbox().invites[0];
    assert.ok(invite);
    await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl });
    h.ui.answer('input', invite.organizationId, invite.memberId, invite.token);
    h.ui.answer('pick', 'Shop');
    h.ui.answer('confirm', true);
    await run('confirmInvite', 'Shop');
    assert.deepEqual(h.ui.said('error'), []);
    const session = (await h.services()).sessions.get('Shop');
    assert.deepEqual([...(session?.holds ?? [])].sort(), ['accessToken', 'refreshToken']);
    assert.ok(session?.organizations.some(({ id }) => id === invite.organizationId));
    assert.equal((await asked()).filter(({ path }) => path.endsWith('/invite')).length, 1);
    const shown = await everythingShown(h);
    assert.ok(!shown.includes(invite.token) && !shown.includes(invite.memberId));
  });

  test('Show Permissions: roles and API keys as matrices, no key in it', async () => {
    const h = await hooks();
    const [organization] = sandbox().organizations;
    const { baseUrl, accessToken, apiKey } = sandbox();
    await h.addConnection({ name: 'Shop', baseUrl, organizations: [organization?.id] }, { accessToken, apiKey });
    await run('showPermissions', 'Shop');
    assert.deepEqual(h.ui.said('error'), []);
    const text = await report('Shop', 'Permissions');
    assert.match(text, /### Your role: /);
    assert.match(text, /### Role of new members: /);
    assert.match(text, /\| Resource \| Create \| Read \| Update \| Delete \|/);
    assert.match(text, /## API keys\n\n### /);
    assert.match(text, /expires? |no expiry/);
    assert.ok(!text.includes(apiKey));
  });

  test('Show Permissions stops at 20 organizations and 200 API keys, and says so', async () => {
    const h = await hooks();
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      asked.push(pathname);
      const first = Number(searchParams.get('next') ?? 0);
      const keys = Array.from({ length: 90 }, (_, index) => ({
        id: String(first + index),
        name: `Key ${String(first + index)}`,
      }));
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(
          pathname === '/api-keys' ? { keys, next: String(first + 90) } : { id: 'r', name: 'Member', permissions: [] },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const organizations = Array.from({ length: 23 }, (_, index) => `org_${String(index)}`);
      const baseUrl = `http://127.0.0.1:${String(port)}`;
      await h.addConnection({ name: 'Large', baseUrl, organizations }, { apiKey: 'one' });
      await run('showPermissions', 'Large');
      const text = await report('Large', 'Permissions');
      assert.match(text, /Only the first 20 of 23 organizations are shown\./);
      assert.ok(text.includes('org\\_19') || text.includes('org_19'), 'the twentieth');
      assert.ok(!/org\\?_20/.test(text));
      assert.match(text, /### Key 199 [^]*Only the first 200 API keys are shown\.\s*$/);
      assert.ok(!text.includes('Key 200 '));
      assert.equal(asked.filter((path) => path === '/api-keys').length, 3, 'the server has more forever');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('a role that lacks a permission is known before anything is sent', async () => {
    const h = await hooks();
    const permissions = [{ resource: 'objects', crud: { read: true, create: false, update: false, delete: false } }];
    const [organization] = sandbox().organizations;
    assert.ok(organization);
    const { token } = await import('./support/connections.ts');
    const accessToken = await token({ permissions, org_id: organization.id });
    await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl }, { accessToken });
    const session = (await h.services()).sessions.get('Shop');
    assert.equal(session?.can('objects', 'read'), undefined, 'nothing is asked by itself');
    await control('DELETE', 'requests');
    await Promise.all([session?.loadPermissions(), session?.loadPermissions()]);
    const roles = (await asked()).filter(({ path }) => path.endsWith('/myrole'));
    assert.equal(roles.length, session?.organizations.length);
    assert.notEqual(session?.can('objects', 'read'), undefined);
  });

  test('what a role is granted or loses later is known after Refresh and after Show Permissions', async () => {
    const h = await hooks();
    const platform = await granting();
    await h.addConnection({ name: 'Shop', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    const session = (await h.services()).sessions.get('Shop');
    assert.ok(session);
    await session.loadPermissions();
    assert.equal(session.can('objects', 'read'), false);
    let told = 0;
    const listening = session.onDidChange(() => told++);
    platform.grant('objects');
    await session.loadPermissions();
    assert.equal(session.can('objects', 'read'), false, 'not asked again by itself');
    await run('refresh');
    assert.deepEqual([session.can('objects', 'read'), told], [true, 1]);
    platform.grant();
    await run('showPermissions', 'Shop');
    assert.deepEqual([session.can('objects', 'read'), told], [false, 2]);
    listening.dispose();
    await platform.close();
  });

  test('who stops waiting for a role leaves the others their answer', async () => {
    const h = await hooks();
    const platform = await granting();
    platform.grant('objects');
    await h.addConnection({ name: 'Shop', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    const session = (await h.services()).sessions.get('Shop');
    assert.ok(session);
    const letGo = platform.hold();
    const person = new AbortController();
    const left = session.loadPermissions(person.signal);
    const stays = session.loadPermissions();
    await until(() => platform.asked.length === 1);
    person.abort();
    await left;
    assert.equal(session.can('objects', 'read'), undefined);
    letGo();
    await stays;
    assert.equal(session.can('objects', 'read'), true);
    await platform.close();
  });

  test('Check Connection reports what answers, and can be pasted', async () => {
    const h = await hooks();
    const [organization] = sandbox().organizations;
    const { baseUrl, accessToken, apiKey } = sandbox();
    await h.addConnection(
      { name: 'Shop', baseUrl, environment: 'production', organizations: [organization?.id] },
      { accessToken, apiKey },
    );
    await run('checkConnection', 'Shop');
    const text = await report('Shop', 'Check');
    assert.match(text, /^# Check of PRODUCTION · Shop/);
    assert.match(text, /\*\*Reachable\*\*: yes/);
    assert.match(text, /\*\*Credential\*\*: accepted/);
    assert.match(text, /\| `GET \/objects` \| ✓ answers/);
    assert.match(text, /\| `POST \/ebus\/execute` \| – not asked/);
    assert.ok(!text.includes(accessToken) && !text.includes(apiKey));
    assert.equal((await asked()).filter(({ method }) => method === 'POST').length, 0);
  });

  test('Check Connection of an API key learns the organizations from the lists, and asks for the roles', async () => {
    const h = await hooks();
    const { baseUrl, apiKey, organizations } = sandbox();
    await h.addConnection({ name: 'Shop', baseUrl }, { apiKey });
    await run('checkConnection', 'Shop');
    const text = await report('Shop', 'Check');
    assert.ok(
      organizations.some(({ id }) => text.replaceAll('\\', '').includes(`**Role in ${id}**: `)),
      text,
    );
    assert.match(text, /\| `GET \/organizations\/\{organizationId\}\/myrole` \| ✓ answers/);
  });

  test('Check Connection of nothing says that nothing is there', async () => {
    const h = await hooks();
    const gone = await noting();
    await gone.close();
    await h.addConnection({ name: 'Gone', baseUrl: gone.origin });
    await run('checkConnection', 'Gone');
    assert.match(await report('Gone', 'Check'), /\*\*Reachable\*\*: no/);
  });

  test('Select Connection names connection and organization', async () => {
    const h = await hooks();
    const { baseUrl } = sandbox();
    await h.addConnection({ name: 'One', baseUrl });
    await h.addConnection({
      name: 'Two',
      baseUrl,
      environment: 'production',
      organizations: [{ id: 'o1', label: 'Acme' }],
    });
    h.ui.answer('pick', 'Two', 'Acme');
    await run('selectConnection');
    const { sessions } = await h.services();
    assert.equal(sessions.active?.heading, 'PRODUCTION · Two · Acme');
    assert.equal(sessions.get('One')?.heading, 'This machine · One');
  });
});
