/** The forms of the connections in real VS Code: adding one, wallets, invites, organizations, and the reports. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { FaultSpec } from '../../src/sandbox/faults/faults.ts';
import { BACK } from '../../src/ui/ui.ts';
import {
  collectShownText,
  startRolePlatform,
  getTestHooks,
  startRecordingServer,
  readReport,
  runCommand,
  waitUntil,
} from './support/connections.ts';
import { clearFaults, createToken, fault, getSandbox, listRequests, useSandbox } from './support/sandbox.ts';

const reset = async (): Promise<void> => {
  clearFaults();
  getSandbox().recorder.reset();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await (await getTestHooks()).reset();
};
const settings = (): unknown =>
  vscode.workspace.getConfiguration('smartObjects').inspect('connections')?.globalValue ?? [];

suite('connections: forms', () => {
  useSandbox();
  setup(reset);

  test('Add Connection checks the connection, reports the result, and writes no secret', async () => {
    const h = await getTestHooks();
    h.ui.answer('input', '  ', 'Shop', 'https://user@x', getSandbox().baseUrl, getSandbox().apiKey);
    h.ui.answer('pick', 'Staging', 'Sign in now', 'API key');
    await runCommand('addConnection');
    assert.deepEqual(settings(), [{ name: 'Shop', baseUrl: getSandbox().baseUrl, environment: 'staging' }]);
    assert.equal(h.ui.readMessages('invalid').length, 2);
    const session = (await h.services()).sessions.get('Shop');
    assert.deepEqual([...(session?.credentialKinds ?? [])], ['apiKey']);
    assert.equal((await h.services()).sessions.active, session);
    assert.equal(h.ui.unusedAnswers, 0);
  });

  test('Add Connection goes back, and saves nothing when cancelled', async () => {
    const h = await getTestHooks();
    h.ui.answer('input', 'Wrong', BACK, 'Right', getSandbox().baseUrl);
    h.ui.answer('pick', 'Sandbox', BACK, 'Development', 'Sign in later');
    await runCommand('addConnection');
    assert.deepEqual(settings(), [{ name: 'Right', baseUrl: getSandbox().baseUrl, environment: 'development' }]);
    await reset();
    h.ui.answer('input', 'Left', getSandbox().baseUrl);
    await runCommand('addConnection');
    assert.deepEqual(settings(), []);
  });

  const wrong: readonly (readonly [string, () => string, FaultSpec | undefined, RegExp])[] = [
    ['a wrong path', () => `${getSandbox().baseUrl}/nowhere`, undefined, /404.*base URL/],
    ['a web page', () => getSandbox().baseUrl, { route: 'GET /objects', fault: 'htmlOk' }, /web page.*login page/],
  ];
  for (const [what, address, spec, message] of wrong) {
    test(`Add Connection names ${what}`, async () => {
      const h = await getTestHooks();
      if (spec !== undefined) fault(spec);
      h.ui.answer('input', 'Shop', address(), getSandbox().apiKey);
      h.ui.answer('pick', 'Production', 'Sign in now', 'API key');
      await runCommand('addConnection');
      assert.match(h.ui.readMessages('warn').join(), message);
      assert.match(h.ui.readMessages('warn')[0] ?? '', /^PRODUCTION · Shop: /);
      assert.deepEqual(settings(), []);
    });
  }

  test('Add Organization names one in the settings', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
    const [organization] = getSandbox().organizations;
    h.ui.answer('input', organization?.id, 'Acme');
    await runCommand('addOrganization', 'Shop');
    assert.deepEqual(settings(), [
      { name: 'Shop', baseUrl: getSandbox().baseUrl, organizations: [{ id: organization?.id, label: 'Acme' }] },
    ]);
    const session = (await h.services()).sessions.get('Shop');
    assert.equal(session?.organizations[0]?.label, 'Acme');
    assert.equal(session.credentialKinds.size, 1, 'the session goes on');
  });

  suite('Register Wallet', () => {
    const fill = async (password: string): Promise<void> => {
      const h = await getTestHooks();
      h.ui.answer('input', 'not alphanumeric!', 'Ada99', 'ada@example.com', '+4915112345678', '', password, 'Ada');
      h.ui.answer('pick', 'en', 'A new connection');
      h.ui.answer('confirm', true);
    };

    test('tokens are stored for a new connection, the wallet can be read, the password is not stored', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const password = 'correct horse battery';
      await fill(password);
      await runCommand('registerWallet', 'Shop');
      assert.deepEqual(h.ui.readMessages('error'), []);
      assert.match(h.ui.readMessages('invalid')[0] ?? '', /letters and digits/);
      const session = (await h.services()).sessions.get('Ada');
      assert.deepEqual([...(session?.credentialKinds ?? [])].sort(), ['accessToken', 'refreshToken']);
      assert.ok(session?.identity?.subject);
      const [wallet] = [...session.issuedResources.values()];
      assert.match(wallet?.text ?? '', /"nickname": "Ada99"/);
      assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /\/Ada\/wallets\//);
      assert.equal(listRequests().filter(({ method, path }) => method === 'POST' && path === '/wallets').length, 1);
      const shownText = await collectShownText(h);
      assert.ok(!shownText.includes(password));
      assert.ok(!/eyJ[\w-]+\.eyJ/.test(shownText), 'no token is shown');
      await h.signOut('Ada');
      assert.equal(session.issuedResources.size, 0);
    });

    test('a lost response is reported as unknown, and the request is not repeated', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      await fill('pw');
      fault({ route: 'POST /wallets', fault: 'resetBefore', phase: 'after' });
      await runCommand('registerWallet', 'Shop');
      assert.match(h.ui.readMessages('error')[0] ?? '', /Whether the wallet is registered is not known/);
      assert.equal(listRequests().filter(({ method }) => method === 'POST').length, 1);
      assert.equal((await h.services()).sessions.get('Ada'), undefined);
    });

    test('nothing is sent without confirmation', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl, environment: 'production' });
      h.ui.answer('input', '', '', '', '', '', 'Ada');
      h.ui.answer('pick', 'Not given', 'A new connection');
      await runCommand('registerWallet', 'Shop');
      assert.match(h.ui.readMessages('confirm')[0] ?? '', /^PRODUCTION · Shop: register/);
      assert.equal(listRequests().filter(({ method }) => method === 'POST').length, 0);
    });
  });

  test('Confirm Organization Invite signs a chosen connection in, once', async () => {
    const h = await getTestHooks();
    const invite = getSandbox().invites[0];
    assert.ok(invite);
    await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl });
    h.ui.answer('input', invite.organizationId, invite.memberId, invite.token);
    h.ui.answer('pick', 'Shop');
    h.ui.answer('confirm', true);
    await runCommand('confirmInvite', 'Shop');
    assert.deepEqual(h.ui.readMessages('error'), []);
    const session = (await h.services()).sessions.get('Shop');
    assert.deepEqual([...(session?.credentialKinds ?? [])].sort(), ['accessToken', 'refreshToken']);
    assert.ok(session?.organizations.some(({ id }) => id === invite.organizationId));
    assert.equal(listRequests().filter(({ path }) => path.endsWith('/invite')).length, 1);
    const shownText = await collectShownText(h);
    assert.ok(!shownText.includes(invite.token) && !shownText.includes(invite.memberId));
  });

  test('Show Permissions: roles and API keys as matrices, no key in it', async () => {
    const h = await getTestHooks();
    const [organization] = getSandbox().organizations;
    const { baseUrl, accessToken, apiKey } = getSandbox();
    await h.addConnection({ name: 'Shop', baseUrl, organizations: [organization?.id] }, { accessToken, apiKey });
    await runCommand('showPermissions', 'Shop');
    assert.deepEqual(h.ui.readMessages('error'), []);
    const text = await readReport('Shop', 'Permissions');
    assert.match(text, /### Your role: /);
    assert.match(text, /### Role of new members: /);
    assert.match(text, /\| Resource \| Create \| Read \| Update \| Delete \|/);
    assert.match(text, /## API keys\n\n### /);
    assert.match(text, /expires? |no expiry/);
    assert.ok(!text.includes(apiKey));
  });

  test('Show Permissions is limited to 20 organizations and 200 API keys, as the report states', async () => {
    const h = await getTestHooks();
    const paths: string[] = [];
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      paths.push(pathname);
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
      await runCommand('showPermissions', 'Large');
      const text = await readReport('Large', 'Permissions');
      assert.match(text, /Only the first 20 of 23 organizations are shown\./);
      assert.ok(text.includes('org\\_19') || text.includes('org_19'), 'the twentieth');
      assert.ok(!/org\\?_20/.test(text));
      assert.match(text, /### Key 199 [^]*Only the first 200 API keys are shown\.\s*$/);
      assert.ok(!text.includes('Key 200 '));
      assert.equal(paths.filter((path) => path === '/api-keys').length, 3, 'the server has more forever');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('a role that lacks a permission is known before anything is sent', async () => {
    const h = await getTestHooks();
    const permissions = [{ resource: 'objects', crud: { read: true, create: false, update: false, delete: false } }];
    const [organization] = getSandbox().organizations;
    assert.ok(organization);
    const accessToken = await createToken({ permissions, org_id: organization.id });
    await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { accessToken });
    const session = (await h.services()).sessions.get('Shop');
    assert.equal(session?.hasPermission('objects', 'read'), undefined, 'nothing is asked by itself');
    getSandbox().recorder.reset();
    await Promise.all([session?.loadPermissions(), session?.loadPermissions()]);
    const roles = listRequests().filter(({ path }) => path.endsWith('/myrole'));
    assert.equal(roles.length, session?.organizations.length);
    assert.notEqual(session?.hasPermission('objects', 'read'), undefined);
  });

  test('what a role is granted or loses later is known after Refresh and after Show Permissions', async () => {
    const h = await getTestHooks();
    const platform = await startRolePlatform();
    await h.addConnection({ name: 'Shop', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    const session = (await h.services()).sessions.get('Shop');
    assert.ok(session);
    await session.loadPermissions();
    assert.equal(session.hasPermission('objects', 'read'), false);
    let changeCount = 0;
    const listening = (await h.services()).sessions.onDidChangeSession((change) => {
      if (change.type === 'permissions' && change.session === session) changeCount++;
    });
    platform.grant('objects');
    await session.loadPermissions();
    assert.equal(session.hasPermission('objects', 'read'), false, 'not asked again by itself');
    await runCommand('refresh');
    assert.deepEqual([session.hasPermission('objects', 'read'), changeCount], [true, 1]);
    platform.grant();
    await runCommand('showPermissions', 'Shop');
    assert.deepEqual([session.hasPermission('objects', 'read'), changeCount], [false, 2]);
    listening.dispose();
    await platform.close();
  });

  test('a caller that aborts reading a role does not abort it for others', async () => {
    const h = await getTestHooks();
    const platform = await startRolePlatform();
    platform.grant('objects');
    await h.addConnection({ name: 'Shop', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    const session = (await h.services()).sessions.get('Shop');
    assert.ok(session);
    const letGo = platform.holdRoles();
    const abortController = new AbortController();
    const left = session.loadPermissions(abortController.signal);
    const stays = session.loadPermissions();
    await waitUntil(() => platform.requestedPaths.length === 1);
    abortController.abort();
    await left;
    assert.equal(session.hasPermission('objects', 'read'), undefined);
    letGo();
    await stays;
    assert.equal(session.hasPermission('objects', 'read'), true);
    await platform.close();
  });

  test('Check Connection reports what answers, and can be pasted', async () => {
    const h = await getTestHooks();
    const [organization] = getSandbox().organizations;
    const { baseUrl, accessToken, apiKey } = getSandbox();
    await h.addConnection(
      { name: 'Shop', baseUrl, environment: 'production', organizations: [organization?.id] },
      { accessToken, apiKey },
    );
    await runCommand('checkConnection', 'Shop');
    const text = await readReport('Shop', 'Check');
    assert.match(text, /^# Check of PRODUCTION · Shop/);
    assert.match(text, /\*\*Reachable\*\*: yes/);
    assert.match(text, /\*\*Credential\*\*: accepted/);
    assert.match(text, /\| `GET \/objects` \| ✓ answers/);
    assert.match(text, /\| `POST \/ebus\/execute` \| – not asked/);
    assert.ok(!text.includes(accessToken) && !text.includes(apiKey));
    assert.equal(listRequests().filter(({ method }) => method === 'POST').length, 0);
  });

  test('Check Connection with an API key discovers organizations in lists and reads their roles', async () => {
    const h = await getTestHooks();
    const { baseUrl, apiKey, organizations } = getSandbox();
    await h.addConnection({ name: 'Shop', baseUrl }, { apiKey });
    await runCommand('checkConnection', 'Shop');
    const text = await readReport('Shop', 'Check');
    assert.ok(
      organizations.some(({ id }) => text.replaceAll('\\', '').includes(`**Role in ${id}**: `)),
      text,
    );
    assert.match(text, /\| `GET \/organizations\/\{organizationId\}\/myrole` \| ✓ answers/);
  });

  test('Check Connection of an unreachable address reports that', async () => {
    const h = await getTestHooks();
    const closedServer = await startRecordingServer();
    await closedServer.close();
    await h.addConnection({ name: 'Gone', baseUrl: closedServer.origin });
    await runCommand('checkConnection', 'Gone');
    assert.match(await readReport('Gone', 'Check'), /\*\*Reachable\*\*: no/);
  });

  test('Select Connection names connection and organization', async () => {
    const h = await getTestHooks();
    const { baseUrl } = getSandbox();
    await h.addConnection({ name: 'One', baseUrl });
    await h.addConnection({
      name: 'Two',
      baseUrl,
      environment: 'production',
      organizations: [{ id: 'o1', label: 'Acme' }],
    });
    h.ui.answer('pick', 'Two', 'Acme');
    await runCommand('selectConnection');
    const { sessions } = await h.services();
    assert.equal(sessions.active?.heading, 'PRODUCTION · Two · Acme');
    assert.equal(sessions.get('One')?.heading, 'This machine · One');
  });
});
