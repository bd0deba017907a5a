/** Credentials are sent only to the server that they were entered for, also if it changes during a prompt. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { openWorkspaceStorage } from '../../../src/model/files/workspace-storage.ts';
import { execute } from '../support/actions.ts';
import {
  startCapturePlatform,
  getTestHooks,
  runCommand,
  waitUntil,
  type CapturePlatform,
} from '../support/connections.ts';
import { explorer, findRow } from '../support/explorer.ts';
import { createToken, getSandbox, useSandbox } from '../support/sandbox.ts';

const KEY = 'key-given-for-one-server';
const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('smartObjects');
/** Writes the entry to the workspace settings, as a repository could. */
const inWorkspace = (entry: object | undefined): Thenable<void> =>
  settings().update(
    'connections',
    entry === undefined ? undefined : [{ name: 'Team', ...entry }],
    vscode.ConfigurationTarget.Workspace,
  );
const team = async () => (await getTestHooks()).services().then(({ sessions }) => sessions.get('Team'));

suite('connections: what a credential is bound to', () => {
  useSandbox();
  let one: CapturePlatform;
  let other: CapturePlatform;
  setup(async () => {
    one = await startCapturePlatform();
    other = await startCapturePlatform();
  });
  teardown(async () => {
    const h = await getTestHooks();
    if ((await team()) !== undefined) await h.signOut('Team');
    await inWorkspace(undefined);
    await waitUntil(async () => (await team()) === undefined);
    await h.reset();
    await one.close();
    await other.close();
  });

  const changes: readonly (readonly [string, () => object])[] = [
    ['its server', () => ({ baseUrl: other.origin, environment: 'production' })],
    ['its base path', () => ({ baseUrl: `${one.origin}/v2`, environment: 'production' })],
    ['its environment', () => ({ baseUrl: one.origin, environment: 'sandbox' })],
    ['its headers', () => ({ baseUrl: one.origin, environment: 'production', auth: { apiKeyHeader: 'x-other' } })],
    ['its refresh path', () => ({ baseUrl: one.origin, environment: 'production', auth: { refreshPath: '/steal' } })],
  ];
  for (const [what, changed] of changes) {
    test(`a key that is typed while the connection changes ${what} is sent and stored nowhere`, async () => {
      const h = await getTestHooks();
      await inWorkspace({ baseUrl: one.origin, environment: 'production' });
      await waitUntil(async () => (await team())?.profile.baseUrl === one.origin);
      const before = await team();
      h.ui.answer('pick', 'API key', 'Sign In Anyway');
      h.ui.answer('input', KEY);
      h.ui.whileOpen('input', async () => {
        await inWorkspace(changed());
        await waitUntil(async () => (await team()) !== before);
      });
      await runCommand('signIn', 'Team');
      const title = h.ui.messages.find(({ kind }) => kind === 'input')?.text ?? '';
      assert.match(title, /^PRODUCTION · Team/);
      assert.match(h.ui.readMessages('error').join(), /connection Team was changed.*Sign in again/);
      const now = await team();
      await now?.client.listPage('objects');
      assert.equal(now?.credentialKinds.size, 0);
      assert.ok(!JSON.stringify([one.requests, other.requests]).includes(KEY), 'the key has left');
      assert.ok(!(await h.secrets.keys()).includes('connection/Team'));
    });
  }

  test('a key that cannot be stored is bound to its server too', async () => {
    const h = await getTestHooks();
    await inWorkspace({ baseUrl: one.origin });
    await waitUntil(async () => (await team()) !== undefined);
    h.secrets.setFault('no keyring');
    await h.signIn('Team', { apiKey: KEY });
    await (await team())?.client.listPage('objects');
    assert.deepEqual(
      one.requests.map(({ credential }) => credential),
      [KEY],
    );
    await inWorkspace({ baseUrl: other.origin });
    await waitUntil(async () => (await team())?.profile.baseUrl === other.origin);
    const session = await team();
    assert.match(session?.signedOutReason ?? '', /has changed since you signed in \(server\)/);
    await session?.client.listPage('objects');
    assert.deepEqual(
      other.requests.map(({ credential }) => credential),
      [''],
    );
    await inWorkspace({ baseUrl: one.origin });
    await waitUntil(async () => (await team())?.credentialKinds.size === 1);
  });

  for (const isStored of [true, false]) {
    test(`a workspace that lowers production gets the key only after consent (${isStored ? 'stored' : 'in memory'})`, async () => {
      const h = await getTestHooks();
      await inWorkspace({ baseUrl: one.origin, environment: 'production' });
      await waitUntil(async () => (await team())?.profile.environment === 'production');
      if (!isStored) h.secrets.setFault('no keyring');
      await h.signIn('Team', { apiKey: KEY });
      const before = await team();
      await inWorkspace({ baseUrl: one.origin, environment: 'sandbox' });
      await waitUntil(async () => (await team())?.profile.environment === 'sandbox');
      const lowered = await team();
      assert.ok(before !== undefined && lowered !== undefined && lowered !== before);
      assert.equal(before.ended.aborted, true);
      await assert.rejects(before.client.execute('{"action":{}}'), { code: 'cancelled' });
      assert.match(lowered.signedOutReason ?? '', /has changed since you signed in \(environment\).*Sign in again/);
      await lowered.client.listPage('objects');
      assert.ok(!JSON.stringify(one.requests).includes(KEY));
      // The user can agree without typing it again.
      h.ui.answer('pick', 'Stored credential');
      await runCommand('signIn', 'Team');
      assert.deepEqual(h.ui.readMessages('error'), []);
      assert.equal((await team())?.credentialKinds.size, 1);
      assert.equal(one.requests.at(-1)?.credential, KEY);
    });
  }

  test('a workspace that raises the environment keeps the key, and so does reverting it', async () => {
    const h = await getTestHooks();
    await inWorkspace({ baseUrl: one.origin, environment: 'sandbox' });
    await waitUntil(async () => (await team()) !== undefined);
    await h.signIn('Team', { apiKey: KEY });
    for (const environment of ['production', 'sandbox']) {
      await inWorkspace({ baseUrl: one.origin, environment });
      await waitUntil(async () => (await team())?.profile.environment === environment);
      assert.equal((await team())?.credentialKinds.size, 1, environment);
    }
  });

  test('a key typed for a new connection is not used by an entry that gets its name meanwhile', async () => {
    const h = await getTestHooks();
    h.ui.answer('input', 'Team', one.origin, KEY);
    h.ui.answer('pick', 'Production', 'API key', 'Add Connection');
    h.ui.whileOpen('input', () => Promise.resolve());
    h.ui.whileOpen('input', () => Promise.resolve());
    h.ui.whileOpen('input', async () => {
      await inWorkspace({ baseUrl: other.origin });
      await waitUntil(async () => (await team()) !== undefined);
    });
    await runCommand('addConnection');
    assert.match(h.ui.readMessages('error').join(), /Another window added a connection named Team/);
    await (await team())?.client.listPage('objects');
    assert.ok(!JSON.stringify(other.requests).includes(KEY));
    assert.equal(settings().inspect('connections')?.globalValue, undefined);
  });

  suite('tokens that a platform issues', () => {
    const TOKENS = { access_token: 'issued-access', refresh_token: 'issued-refresh' };
    const fill = async (home: string): Promise<void> => {
      const h = await getTestHooks();
      h.ui.answer('input', 'Ada', '', '', '', '', 'Ada');
      h.ui.answer('pick', 'Not specified', home);
      h.ui.answer('confirm', true);
    };

    test('a wallet is not registered where the connection has changed while the form was filled in', async () => {
      const h = await getTestHooks();
      await inWorkspace({ baseUrl: one.origin });
      await waitUntil(async () => (await team()) !== undefined);
      await fill('New Connection');
      h.ui.whileOpen('confirm', async () => {
        await inWorkspace({ baseUrl: other.origin });
        await waitUntil(async () => (await team())?.profile.baseUrl === other.origin);
      });
      await runCommand('registerWallet', 'Team');
      assert.match(h.ui.readMessages('error').join(), /connection Team was changed/);
      assert.deepEqual([...one.requests, ...other.requests], []);
    });

    test('without auth.wallets the refusal names the setting; with it, the credential is sent', async () => {
      const h = await getTestHooks();
      one.setAnswer('/wallets', 401, { error: 'credential required' });
      await h.addConnection({ name: 'Shop', baseUrl: one.origin }, { apiKey: KEY });
      await fill('New Connection');
      await runCommand('registerWallet', 'Shop');
      assert.match(
        h.ui.readMessages('error')[0] ?? '',
        /none was sent \(HTTP 401\).* Set auth\.wallets of Shop to “credential”/,
      );
      assert.ok(!h.ui.readMessages('error').join().includes('does not exist'));
      assert.deepEqual(h.ui.messages.at(-1)?.choices, ['Show Output']);
      one.setAnswer('/wallets', 200, { ...TOKENS, wallet: { id: 'w1' } });
      await h.addConnection({ name: 'Shop', baseUrl: one.origin, auth: { wallets: 'credential' } }, { apiKey: KEY });
      await fill('New Connection');
      await runCommand('registerWallet', 'Shop');
      assert.match(
        h.ui.messages.findLast(({ kind }) => kind === 'confirm')?.detail ?? '',
        /credential .* is sent with the request/,
      );
      assert.deepEqual(
        one.requests.filter(({ path: name }) => name === '/wallets').map(({ credential }) => credential),
        ['', KEY],
      );
      assert.equal((await h.services()).sessions.get('Ada')?.credentialKinds.size, 2);
    });

    test('tokens are not stored for a connection that has changed while they were issued', async () => {
      const h = await getTestHooks();
      one.setAnswer('/wallets', 200, { ...TOKENS, wallet: { id: 'w1' } });
      const letGo = one.holdRequests('/wallets');
      await h.addConnection({ name: 'Shop', baseUrl: one.origin });
      await inWorkspace({ baseUrl: one.origin });
      await waitUntil(async () => (await team()) !== undefined);
      await fill('Team');
      const registering = runCommand('registerWallet', 'Shop');
      await waitUntil(() => one.requests.length === 1);
      await inWorkspace({ baseUrl: other.origin });
      await waitUntil(async () => (await team())?.profile.baseUrl === other.origin);
      letGo();
      await registering;
      assert.match(h.ui.readMessages('error').join(), /connection Team was changed/);
      await (await team())?.client.listPage('objects');
      assert.ok(!JSON.stringify(other.requests).includes('issued'));
      assert.ok(!(await h.secrets.keys()).includes('connection/Team'));
    });

    for (const [what, end] of [
      ['a sign-out', async (): Promise<void> => (await getTestHooks()).signOut('Team')],
      ['another server', (): Thenable<void> => inWorkspace({ baseUrl: other.origin, auth: { refreshPath: '/renew' } })],
    ] as const) {
      test(`a token renewed during ${what} is neither sent nor stored`, async () => {
        const h = await getTestHooks();
        one.setAnswer('/renew', 200, TOKENS);
        const letGo = one.holdRequests('/renew');
        await inWorkspace({ baseUrl: one.origin, auth: { refreshPath: '/renew' } });
        await waitUntil(async () => (await team()) !== undefined);
        const expired = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ sub: 'w', exp: 1 })).toString('base64url')}.c2ln`;
        await h.signIn('Team', { accessToken: expired, refreshToken: 'refresh-of-one' });
        const session = await team();
        const reading = session?.client.listPage('objects').catch((error: unknown) => error);
        await waitUntil(() => one.requests.some(({ path: name }) => name === '/renew'));
        await end();
        await waitUntil(() => session?.ended.aborted === true);
        letGo();
        assert.match(String(await reading), /session on Team has ended/);
        await (await team())?.client.listPage('objects');
        assert.ok(!JSON.stringify([one.requests, other.requests]).includes('issued'));
        for (const { credential } of other.requests) assert.equal(credential, '');
        const again = await h.anotherWindow();
        assert.ok(!again.sessions.get('Team')?.credentialKinds.size);
      });
    }
  });

  test('queued requests are refused as not sent at sign-out', async () => {
    const h = await getTestHooks();
    await inWorkspace({ baseUrl: one.origin });
    await waitUntil(async () => (await team()) !== undefined);
    await h.signIn('Team', { apiKey: KEY });
    const session = await team();
    assert.ok(session);
    const letGo = one.holdRequests('/ebus/execute');
    const executing = Array.from({ length: 8 }, (_, index) =>
      session.client.execute(`{"action":{"burn":{"id":"${String(index)}"}}}`).catch((error: unknown) => error),
    );
    await waitUntil(() => one.requests.length === 6);
    const signingOut = h.signOut('Team');
    const refused = await Promise.all(executing.slice(6));
    for (const error of refused) assert.match(JSON.stringify(error), /"sent":false/);
    letGo();
    await Promise.all([...executing, signingOut]);
    assert.equal(one.requests.length, 6);
  });

  test('connections on the sandbox end with it, and the next server on its port gets no credential', async () => {
    const h = await getTestHooks();
    await runCommand('startSandbox');
    const { sessions } = await h.services();
    h.ui.answer('input', 'Ada99', '', '', '', '', 'Ada');
    h.ui.answer('pick', 'Not specified', 'New Connection');
    h.ui.answer('confirm', true);
    await runCommand('registerWallet', 'Local Sandbox');
    assert.deepEqual(h.ui.readMessages('error'), []);
    const ada = sessions.get('Ada');
    assert.ok(ada !== undefined && ada.credentialKinds.size > 0);
    const { port } = new URL(ada.profile.baseUrl);
    h.ui.answer('confirm', true);
    await runCommand('stopSandbox');
    assert.match(h.ui.messages.findLast(({ kind }) => kind === 'confirm')?.detail ?? '', /removed too: Ada\./);
    assert.equal(sessions.get('Ada'), undefined);
    assert.equal(ada.ended.aborted, true);
    const next = await startCapturePlatform(Number(port));
    await assert.rejects(ada.client.listPage('objects'), { code: 'cancelled' });
    assert.deepEqual(next.requests, []);
    await next.close();
  });

  test('Remove Connection removes a connection on the sandbox, and leaves the sandbox', async () => {
    const h = await getTestHooks();
    await runCommand('startSandbox');
    h.ui.answer('input', 'Ada99', '', '', '', '', 'Ada');
    h.ui.answer('pick', 'Not specified', 'New Connection');
    h.ui.answer('confirm', true);
    await runCommand('registerWallet', 'Local Sandbox');
    const { sessions } = await h.services();
    assert.ok(sessions.get('Ada'));
    await runCommand('removeConnection', 'Ada');
    assert.ok(sessions.get('Ada'), 'without a yes nothing is removed');
    h.ui.answer('confirm', true);
    await runCommand('removeConnection', 'Ada');
    assert.equal(sessions.get('Ada'), undefined);
    assert.ok(sessions.get('Local Sandbox'));
  });

  test('an entry with the name of a sandbox connection gets nothing of it', async () => {
    const h = await getTestHooks();
    await runCommand('startSandbox');
    h.ui.answer('input', 'Ada99', '', '', '', '', 'Team');
    h.ui.answer('pick', 'Not specified', 'New Connection');
    h.ui.answer('confirm', true);
    await runCommand('registerWallet', 'Local Sandbox');
    const { sessions } = await h.services();
    const mine = sessions.get('Team');
    await inWorkspace({ baseUrl: other.origin });
    await waitUntil(() => sessions.problems.some((problem) => /^Team: .*ignored/.test(problem)));
    assert.equal(sessions.get('Team'), mine);
    assert.equal(sessions.all.filter(({ profile }) => profile.name === 'Team').length, 1);
    h.ui.answer('confirm', true);
    await runCommand('removeConnection', 'Team');
    await (await team())?.client.listPage('objects');
    for (const { credential } of other.requests) assert.equal(credential, '');
  });

  test('Sign Out reports what is removed and what remains, and offers to delete the runs', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Shop', baseUrl: one.origin, environment: 'sandbox' }, { apiKey: KEY });
    one.setAnswer('/ebus/execute', 400, { error: 'no' });
    const document = await vscode.workspace.openTextDocument({
      language: 'json',
      content: '{"action":{"burn":{"id":"x"}}}',
    });
    const [run] = await execute(document.uri);
    const { context, histories } = await h.services();
    const countRuns = async (): Promise<number> =>
      (await histories.countAll('Shop')).reduce((sum, { count }) => sum + count, 0);
    assert.equal(await countRuns(), 1);
    const folder = path.join(await openWorkspaceStorage(context, vscode.workspace), 'runs');
    const isStored = (): boolean => fs.readdirSync(folder).includes(`${String(run?.id)}.json`);
    await waitUntil(isStored);
    h.ui.answer('confirm', true);
    await runCommand('signOut', 'Shop');
    const detail = h.ui.messages.findLast(({ kind }) => kind === 'confirm')?.detail ?? '';
    assert.match(detail, /^Deletes .*credential.*IDs.*recent/);
    assert.match(detail, /Keeps the run history, the values of \$\{secret:…\} variables/);
    await waitUntil(() =>
      h.ui.readMessages('info').some((text) => /signed out\. .*still contains 1 run of this connection/.test(text)),
    );
    assert.equal(await countRuns(), 1, 'nobody agreed');
    await h.signIn('Shop', { apiKey: KEY });
    h.ui.answer('confirm', true);
    h.ui.answer('info', 'Delete 1 run');
    await runCommand('signOut', 'Shop');
    await waitUntil(() => !isStored());
    assert.equal(await countRuns(), 0);
  });

  test('the tooltip of a connection names organization and scope, or why they are not known', async () => {
    const h = await getTestHooks();
    const [organization] = getSandbox().organizations;
    assert.ok(organization);
    const { id } = organization;
    const tooltip = async (): Promise<unknown> => {
      const { provider } = await explorer();
      const { node, item } = await findRow('Shop');
      return (await provider.resolveTreeItem?.(item, node, new vscode.CancellationTokenSource().token))?.tooltip;
    };
    const organizations = [{ id, label: 'Ac\u202eme' }];
    await h.addConnection(
      { name: 'Shop', baseUrl: one.origin, organizations },
      { accessToken: await createToken({ org_id: id, fqdn: 'app.example' }) },
    );
    const text = String(await tooltip());
    assert.ok(text.includes(`\nOrganization: Ac me (${id})\nScope: app.example\n`), text);
    await h.signIn('Shop', { apiKey: KEY });
    assert.match(String(await tooltip()), /\nScope: not provided by API keys\n/);
  });

  test('the value of a variable for one port is not used for another', async () => {
    const h = await getTestHooks();
    await runCommand('startSandbox');
    h.ui.answer('pick', 'New Secret…');
    h.ui.answer('input', 'PIN', 'value of the pin');
    await runCommand('manageVariables');
    const { secrets } = await h.services().then(({ context }) => context);
    const keys = async (): Promise<readonly string[]> =>
      (await secrets.keys()).filter((key) => key.startsWith('actions.secret/'));
    const { port } = new URL((await h.services()).sessions.get('Local Sandbox')?.profile.baseUrl ?? '');
    assert.equal((await keys()).filter((key) => key.includes('"PIN"') && key.includes(`:${port}"`)).length, 1);
    h.ui.answer('confirm', true);
    await runCommand('stopSandbox');
    assert.ok(!(await keys()).some((key) => key.includes('"PIN"')));
    assert.equal(getSandbox().baseUrl.includes(`:${port}`), false);
  });
});
