/** The forms of the connections in real VS Code: wallets, invites, and the reports. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import {
  collectShownText,
  startRolePlatform,
  getTestHooks,
  startRecordingServer,
  readReport,
  runCommand,
  waitUntil,
} from '../support/connections.ts';
import { promptCredential } from '../../../src/connections/commands/sign-in.ts';
import { FakeUi } from '../support/fake-ui.ts';
import { clearFaults, createToken, fault, getSandbox, listRequests, useSandbox } from '../support/sandbox.ts';

const reset = async (): Promise<void> => {
  clearFaults();
  getSandbox().recorder.reset();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await (await getTestHooks()).reset();
};

suite('connections: forms', () => {
  useSandbox();
  setup(reset);

  suite('Register Wallet', () => {
    const fill = async (password: string): Promise<void> => {
      const h = await getTestHooks();
      h.ui.answer('input', 'not alphanumeric!', 'Ada99', 'ada@example.com', '+4915112345678', '', password, 'Ada');
      h.ui.answer('pick', 'en', 'New Connection');
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
      assert.match(h.ui.readMessages('error')[0] ?? '', /It is unknown whether the wallet was registered\./);
      assert.equal(listRequests().filter(({ method }) => method === 'POST').length, 1);
      assert.equal((await h.services()).sessions.get('Ada'), undefined);
    });

    test('nothing is sent if the new connection cannot be added to the settings: tokens are issued once', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      await vscode.commands.executeCommand('workbench.action.openSettingsJson');
      await waitUntil(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('/settings.json') === true);
      const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const text = await vscode.workspace.fs.readFile(uri);
      // VS Code writes no settings to a file with errors.
      await vscode.workspace.fs.writeFile(
        uri,
        Buffer.from(
          Buffer.from(text)
            .toString()
            .replace(/\}\s*$/, '!}'),
        ),
      );
      try {
        await fill('pw');
        await runCommand('registerWallet', 'Shop');
        assert.match(h.ui.readMessages('error')[0] ?? '', /Unable to write into user settings/);
        assert.equal(listRequests().filter(({ method }) => method === 'POST').length, 0);
      } finally {
        await vscode.workspace.fs.writeFile(uri, text);
      }
      assert.equal((await h.services()).sessions.get('Ada'), undefined);
    });

    test('nothing is sent without confirmation', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl, environment: 'production' });
      h.ui.answer('input', '', '', '', '', '', 'Ada');
      h.ui.answer('pick', 'Not specified', 'New Connection');
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
    assert.match(text, /expires? |no expiration/);
    assert.ok(!text.includes(apiKey));
  });

  test('Open Accessibility Help shows a section for each view', async () => {
    await runCommand('showAccessibilityHelp');
    const isOpen = (): boolean =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes('Accessibility Help')));
    await waitUntil(isOpen);
    const uri = vscode.Uri.from({ scheme: 'smartobject-report', path: '/Accessibility Help.md' });
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match(text, /^# Accessibility Help\n/);
    assert.ok((text.match(/^## /gm) ?? []).length >= 5);
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

  test('a role that an expired token could not read is read after signing in again', async () => {
    const h = await getTestHooks();
    const { baseUrl, organizations } = getSandbox();
    const organization = organizations[0]?.id ?? assert.fail();
    await h.addConnection({ name: 'Shop', baseUrl, organizations: [organization] });
    await h.signIn('Shop', { accessToken: await createToken({ lifetime: -1000 }) });
    const session = (await h.services()).sessions.get('Shop') ?? assert.fail();
    await session.loadPermissions();
    assert.equal(session.hasPermission('objects', 'read'), undefined);
    await h.signIn('Shop', { accessToken: await createToken({ lifetime: 3_600_000 }) });
    assert.equal((await h.services()).sessions.get('Shop'), session);
    await session.loadPermissions();
    assert.equal(session.hasPermission('objects', 'read'), true);
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
    assert.match(text, /\| `GET \/objects` \| ✓ responded/);
    assert.match(text, /\| `POST \/ebus\/execute` \| – skipped/);
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
    assert.match(text, /\| `GET \/organizations\/\{organizationId\}\/myrole` \| ✓ responded/);
  });

  test('Check Connection of an unreachable address reports that', async () => {
    const h = await getTestHooks();
    const closedServer = await startRecordingServer();
    await closedServer.close();
    await h.addConnection({ name: 'Gone', baseUrl: closedServer.origin });
    await runCommand('checkConnection', 'Gone');
    assert.match(await readReport('Gone', 'Check'), /\*\*Reachable\*\*: no/);
  });

  test('reports open as rendered Markdown in which text of the server stays text', async () => {
    const h = await getTestHooks();
    const { baseUrl, apiKey } = getSandbox();
    await h.addConnection({ name: 'Shop', baseUrl }, { apiKey });
    const message = '[x](https://evil.example) https://evil.example ![y](//evil.example/z.png) <b>b</b>';
    fault({ route: 'GET /faces', fault: 'forbidden', message, count: null });
    await runCommand('checkConnection', 'Shop');
    await waitUntil(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
    });
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', await readReport('Shop', 'Check'));
    assert.match(html, /evil\.example/, 'the message of the server is not in the report');
    assert.doesNotMatch(html, /<(a|img|b|script)\b/);
  });

  test('another access token drops the refresh token that was typed for the one before', async () => {
    const prefilled: (string | undefined)[] = [];
    class RecordingUi extends FakeUi {
      override inputStep(options: Parameters<FakeUi['inputStep']>[0]): ReturnType<FakeUi['inputStep']> {
        prefilled.push(options.value);
        return super.inputStep(options);
      }
    }
    const ui = new RecordingUi();
    const profile = { credentialHeaderNames: { tokenHeader: 'a', tokenPrefix: '', apiKeyHeader: 'k' } };
    const form = { title: 'Sign In', step: 1, totalSteps: 2 };
    const [first, second] = [await createToken({ sub: 'one' }), await createToken({ sub: 'two' })];
    ui.answer('pick', 'Access token', 'Access token', 'Access token');
    ui.answer('input', first, 'refresh-token-of-one', first, 'refresh-token-of-one', second, '');
    const entered = await promptCredential(ui, profile, form);
    assert.deepEqual(entered, { accessToken: first, refreshToken: 'refresh-token-of-one' });
    // The same token again keeps it.
    await promptCredential(ui, profile, { ...form, entered });
    assert.deepEqual(prefilled.slice(2), [first, 'refresh-token-of-one']);
    const changed = await promptCredential(ui, profile, { ...form, entered });
    assert.deepEqual(prefilled.slice(4), [first, undefined]);
    assert.deepEqual(changed, { accessToken: second });
  });
});
