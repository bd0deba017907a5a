/** Credentials reach the server that they were given for and no other: what changes while a question stands open, and after. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { capture, control, hooks, run, sandbox, token, until, type Capture } from './support/connections.ts';
import { explorer, row } from './support/explorer.ts';

const KEY = 'key-given-for-one-server';
const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('smartObjects');
/** As a repository brings it: an entry of the workspace. */
const inWorkspace = (entry: object | undefined): Thenable<void> =>
  settings().update(
    'connections',
    entry === undefined ? undefined : [{ name: 'Team', ...entry }],
    vscode.ConfigurationTarget.Workspace,
  );
const team = async () => (await hooks()).services().then(({ sessions }) => sessions.get('Team'));
const reset = async (): Promise<void> => {
  await control('DELETE', 'faults');
  await control('DELETE', 'requests');
  const h = await hooks();
  await inWorkspace(undefined);
  await until(async () => (await team()) === undefined);
  await h.reset();
};

suite('connections: what a credential is bound to', () => {
  let one: Capture;
  let other: Capture;
  setup(async () => {
    await reset();
    one = await capture();
    other = await capture();
  });
  teardown(async () => {
    const h = await hooks();
    if ((await team()) !== undefined) await h.signOut('Team');
    await reset();
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
      const h = await hooks();
      await inWorkspace({ baseUrl: one.origin, environment: 'production' });
      await until(async () => (await team())?.profile.baseUrl === one.origin);
      const before = await team();
      h.ui.answer('pick', 'API key');
      h.ui.answer('input', KEY);
      h.ui.answer('warn', 'Keep Anyway');
      h.ui.meanwhile('input', async () => {
        await inWorkspace(changed());
        await until(async () => (await team()) !== before);
      });
      await run('signIn', 'Team');
      const title = h.ui.all.find(({ kind }) => kind === 'input')?.text ?? '';
      assert.match(title, /^PRODUCTION · Team/);
      assert.match(h.ui.said('error').join(), /connection Team has changed.*sign in again/);
      const now = await team();
      await now?.client.page('objects');
      assert.equal(now?.holds.size, 0);
      assert.ok(!JSON.stringify([one.got, other.got]).includes(KEY), 'the key has left');
      assert.ok(!(await h.secrets.keys()).includes('connection/Team'));
    });
  }

  test('a key that the editor does not keep is bound as one that it keeps', async () => {
    const h = await hooks();
    await inWorkspace({ baseUrl: one.origin });
    await until(async () => (await team()) !== undefined);
    h.secrets.breakWith('no keyring');
    await h.signIn('Team', { apiKey: KEY });
    await (await team())?.client.page('objects');
    assert.deepEqual(
      one.got.map(({ credential }) => credential),
      [KEY],
    );
    await inWorkspace({ baseUrl: other.origin });
    await until(async () => (await team())?.profile.baseUrl === other.origin);
    const session = await team();
    assert.match(session?.signedOutBecause ?? '', /stored for another server/);
    await session?.client.page('objects');
    assert.deepEqual(
      other.got.map(({ credential }) => credential),
      [''],
    );
    await inWorkspace({ baseUrl: one.origin });
    await until(async () => (await team())?.holds.size === 1);
  });

  for (const kept of [true, false]) {
    test(`a workspace that lowers production gets the key only after a question (${kept ? 'stored' : 'in memory'})`, async () => {
      const h = await hooks();
      await inWorkspace({ baseUrl: one.origin, environment: 'production' });
      await until(async () => (await team())?.profile.environment === 'production');
      if (!kept) h.secrets.breakWith('no keyring');
      await h.signIn('Team', { apiKey: KEY });
      const before = await team();
      await inWorkspace({ baseUrl: one.origin, environment: 'sandbox' });
      await until(async () => (await team())?.profile.environment === 'sandbox');
      const lowered = await team();
      assert.ok(before !== undefined && lowered !== undefined && lowered !== before);
      assert.equal(before.ended.aborted, true);
      await assert.rejects(before.client.execute('{"action":{}}'), { code: 'cancelled' });
      assert.match(lowered.signedOutBecause ?? '', /stored for another environment.*sign in again/);
      await lowered.client.page('objects');
      assert.ok(!JSON.stringify(one.got).includes(KEY));
      // The user can agree without typing it again.
      h.ui.answer('pick', 'Stored credential');
      await run('signIn', 'Team');
      assert.deepEqual(h.ui.said('error'), []);
      assert.equal((await team())?.holds.size, 1);
      assert.equal(one.got.at(-1)?.credential, KEY);
    });
  }

  test('a workspace that raises the environment keeps the key, and so does the way back', async () => {
    const h = await hooks();
    await inWorkspace({ baseUrl: one.origin, environment: 'sandbox' });
    await until(async () => (await team()) !== undefined);
    await h.signIn('Team', { apiKey: KEY });
    for (const environment of ['production', 'sandbox']) {
      await inWorkspace({ baseUrl: one.origin, environment });
      await until(async () => (await team())?.profile.environment === environment);
      assert.equal((await team())?.holds.size, 1, environment);
    }
  });

  test('a key that was typed for a new connection is not given to an entry that takes its name meanwhile', async () => {
    const h = await hooks();
    h.ui.answer('input', 'Team', one.origin, KEY);
    h.ui.answer('pick', 'Production', 'Sign in now', 'API key');
    h.ui.meanwhile('input', () => Promise.resolve());
    h.ui.meanwhile('input', () => Promise.resolve());
    h.ui.meanwhile('input', async () => {
      await inWorkspace({ baseUrl: other.origin });
      await until(async () => (await team()) !== undefined);
    });
    await run('addConnection');
    assert.match(h.ui.said('error').join(), /a connection named Team has been added meanwhile/);
    await (await team())?.client.page('objects');
    assert.ok(!JSON.stringify(other.got).includes(KEY));
    assert.equal(settings().inspect('connections')?.globalValue, undefined);
  });

  suite('tokens that a platform issues', () => {
    const TOKENS = { access_token: 'issued-access', refresh_token: 'issued-refresh' };
    const fill = async (home: string): Promise<void> => {
      const h = await hooks();
      h.ui.answer('input', 'Ada', '', '', '', '', 'Ada');
      h.ui.answer('pick', 'Not given', home);
      h.ui.answer('confirm', true);
    };

    test('a wallet is not registered where the connection has changed while the form was filled in', async () => {
      const h = await hooks();
      await inWorkspace({ baseUrl: one.origin });
      await until(async () => (await team()) !== undefined);
      await fill('A new connection');
      h.ui.meanwhile('confirm', async () => {
        await inWorkspace({ baseUrl: other.origin });
        await until(async () => (await team())?.profile.baseUrl === other.origin);
      });
      await run('registerWallet', 'Team');
      assert.match(h.ui.said('error').join(), /connection Team has changed/);
      assert.deepEqual([...one.got, ...other.got], []);
    });

    test('without auth.wallets a refusal names it, and with it the credential goes along', async () => {
      const h = await hooks();
      one.answer('/wallets', 401, { error: 'credential required' });
      await h.addConnection({ name: 'Shop', baseUrl: one.origin }, { apiKey: KEY });
      await fill('A new connection');
      await run('registerWallet', 'Shop');
      assert.match(
        h.ui.said('error')[0] ?? '',
        /none was sent \(HTTP 401\).* Set auth\.wallets of Shop to "credential"/,
      );
      assert.ok(!h.ui.said('error').join().includes('not known'));
      one.answer('/wallets', 200, { ...TOKENS, wallet: { id: 'w1' } });
      await h.addConnection({ name: 'Shop', baseUrl: one.origin, auth: { wallets: 'credential' } }, { apiKey: KEY });
      await fill('A new connection');
      await run('registerWallet', 'Shop');
      assert.match(h.ui.all.findLast(({ kind }) => kind === 'confirm')?.detail ?? '', /credential .* is sent with it/);
      assert.deepEqual(
        one.got.filter(({ path: name }) => name === '/wallets').map(({ credential }) => credential),
        ['', KEY],
      );
      assert.equal((await h.services()).sessions.get('Ada')?.holds.size, 2);
    });

    test('tokens are not stored for a connection that has changed while they were issued', async () => {
      const h = await hooks();
      one.answer('/wallets', 200, { ...TOKENS, wallet: { id: 'w1' } });
      const letGo = one.hold('/wallets');
      await h.addConnection({ name: 'Shop', baseUrl: one.origin });
      await inWorkspace({ baseUrl: one.origin });
      await until(async () => (await team()) !== undefined);
      await fill('Team');
      const registering = run('registerWallet', 'Shop');
      await until(() => one.got.length === 1);
      await inWorkspace({ baseUrl: other.origin });
      await until(async () => (await team())?.profile.baseUrl === other.origin);
      letGo();
      await registering;
      assert.match(h.ui.said('error').join(), /connection Team has changed/);
      await (await team())?.client.page('objects');
      assert.ok(!JSON.stringify(other.got).includes('issued'));
      assert.ok(!(await h.secrets.keys()).includes('connection/Team'));
    });

    for (const [what, end] of [
      ['a sign-out', async (): Promise<void> => (await hooks()).signOut('Team')],
      ['another server', (): Thenable<void> => inWorkspace({ baseUrl: other.origin, auth: { refreshPath: '/renew' } })],
    ] as const) {
      test(`a token that is renewed during ${what} is neither sent nor kept`, async () => {
        const h = await hooks();
        one.answer('/renew', 200, TOKENS);
        const letGo = one.hold('/renew');
        await inWorkspace({ baseUrl: one.origin, auth: { refreshPath: '/renew' } });
        await until(async () => (await team()) !== undefined);
        const expired = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ sub: 'w', exp: 1 })).toString('base64url')}.c2ln`;
        await h.signIn('Team', { accessToken: expired, refreshToken: 'refresh-of-one' });
        const session = await team();
        const reading = session?.client.page('objects').catch((error: unknown) => error);
        await until(() => one.got.some(({ path: name }) => name === '/renew'));
        await end();
        await until(() => session?.ended.aborted === true);
        letGo();
        assert.match(String(await reading), /session on Team has ended/);
        await (await team())?.client.page('objects');
        assert.ok(!JSON.stringify([one.got, other.got]).includes('issued'));
        for (const { credential } of other.got) assert.equal(credential, '');
        const again = await h.anotherWindow();
        assert.ok(!again.sessions.get('Team')?.holds.size);
      });
    }
  });

  test('what waits for its turn at a sign-out is refused as not sent', async () => {
    const h = await hooks();
    await inWorkspace({ baseUrl: one.origin });
    await until(async () => (await team()) !== undefined);
    await h.signIn('Team', { apiKey: KEY });
    const session = await team();
    assert.ok(session);
    const letGo = one.hold('/ebus/execute');
    const executing = Array.from({ length: 8 }, (_, index) =>
      session.client.execute(`{"action":{"burn":{"id":"${String(index)}"}}}`).catch((error: unknown) => error),
    );
    await until(() => one.got.length === 6);
    const signingOut = h.signOut('Team');
    const refused = await Promise.all(executing.slice(6));
    for (const error of refused) assert.match(JSON.stringify(error), /"sent":false/);
    letGo();
    await Promise.all([...executing, signingOut]);
    assert.equal(one.got.length, 6);
  });

  test('connections on the sandbox end with it, and the next server on its port gets nothing of theirs', async () => {
    const h = await hooks();
    await run('startSandbox');
    const { sessions } = await h.services();
    h.ui.answer('input', 'Ada99', '', '', '', '', 'Ada');
    h.ui.answer('pick', 'Not given', 'A new connection');
    h.ui.answer('confirm', true);
    await run('registerWallet', 'Local Sandbox');
    assert.deepEqual(h.ui.said('error'), []);
    const ada = sessions.get('Ada');
    assert.ok(ada !== undefined && ada.holds.size > 0);
    const { port } = new URL(ada.profile.baseUrl);
    h.ui.answer('confirm', true);
    await run('stopSandbox');
    assert.match(h.ui.all.findLast(({ kind }) => kind === 'confirm')?.detail ?? '', /end too: Ada\./);
    assert.equal(sessions.get('Ada'), undefined);
    assert.equal(ada.ended.aborted, true);
    const next = await capture(Number(port));
    await assert.rejects(ada.client.page('objects'), { code: 'cancelled' });
    assert.deepEqual(next.got, []);
    await next.close();
  });

  test('Remove Connection removes a connection on the sandbox, and leaves the sandbox', async () => {
    const h = await hooks();
    await run('startSandbox');
    h.ui.answer('input', 'Ada99', '', '', '', '', 'Ada');
    h.ui.answer('pick', 'Not given', 'A new connection');
    h.ui.answer('confirm', true);
    await run('registerWallet', 'Local Sandbox');
    const { sessions } = await h.services();
    assert.ok(sessions.get('Ada'));
    await run('removeConnection', 'Ada');
    assert.ok(sessions.get('Ada'), 'without a yes nothing is removed');
    h.ui.answer('confirm', true);
    await run('removeConnection', 'Ada');
    assert.equal(sessions.get('Ada'), undefined);
    assert.ok(sessions.get('Local Sandbox'));
  });

  test('an entry that takes the name of a connection on the sandbox gets nothing of it', async () => {
    const h = await hooks();
    await run('startSandbox');
    h.ui.answer('input', 'Ada99', '', '', '', '', 'Team');
    h.ui.answer('pick', 'Not given', 'A new connection');
    h.ui.answer('confirm', true);
    await run('registerWallet', 'Local Sandbox');
    const { sessions } = await h.services();
    const mine = sessions.get('Team');
    await inWorkspace({ baseUrl: other.origin });
    await until(() => sessions.problems.some((problem) => /^Team: .*left out/.test(problem)));
    assert.equal(sessions.get('Team'), mine);
    assert.equal(sessions.all.filter(({ profile }) => profile.name === 'Team').length, 1);
    h.ui.answer('confirm', true);
    await run('removeConnection', 'Team');
    await (await team())?.client.page('objects');
    for (const { credential } of other.got) assert.equal(credential, '');
  });

  test('Sign Out says what goes and what stays, and offers to delete the runs', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Shop', baseUrl: one.origin, environment: 'sandbox' }, { apiKey: KEY });
    one.answer('/ebus/execute', 400, { error: 'no' });
    const document = await vscode.workspace.openTextDocument({
      language: 'json',
      content: '{"action":{"burn":{"id":"x"}}}',
    });
    await run('executeAction', document.uri);
    const { context, histories } = await h.services();
    const kept = async (): Promise<number> => (await histories.of('Shop')).reduce((sum, { count }) => sum + count, 0);
    await until(async () => (await kept()) === 1);
    h.ui.answer('confirm', true);
    await run('signOut', 'Shop');
    const detail = h.ui.all.findLast(({ kind }) => kind === 'confirm')?.detail ?? '';
    assert.match(detail, /^Removed .*credential.*IDs.*recent/);
    assert.match(detail, /Kept: the history of runs, the values of \$\{secret:…\} variables/);
    await until(() => h.ui.said('info').some((text) => /signed out\. .*keeps 1 run of it/.test(text)));
    assert.equal(await kept(), 1, 'nobody agreed');
    await h.signIn('Shop', { apiKey: KEY });
    h.ui.answer('confirm', true);
    h.ui.answer('info', 'Delete 1 run');
    await run('signOut', 'Shop');
    const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'runs');
    const names = (): readonly string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
    await until(() => !names().some((name) => fs.readFileSync(path.join(folder, name), 'utf8').includes('"Shop"')));
    assert.equal(await kept(), 0);
  });

  test('the tooltip of a connection names organization and scope, or why they are not known', async () => {
    const h = await hooks();
    const [organization] = sandbox().organizations;
    assert.ok(organization);
    const { id } = organization;
    const tooltip = async (): Promise<unknown> => {
      const { provider } = await explorer();
      const { node, item } = await row('Shop');
      return (await provider.resolveTreeItem?.(item, node, new vscode.CancellationTokenSource().token))?.tooltip;
    };
    const organizations = [{ id, label: 'Ac\u202eme' }];
    await h.addConnection(
      { name: 'Shop', baseUrl: one.origin, organizations },
      { accessToken: await token({ org_id: id, fqdn: 'app.example' }) },
    );
    const text = String(await tooltip());
    assert.ok(text.includes(`\nOrganization: Ac me (${id})\nScope: app.example\n`), text);
    await h.signIn('Shop', { apiKey: KEY });
    assert.match(String(await tooltip()), /\nScope: not known: an API key does not tell it\n/);
  });

  test('the value of a variable for one port is not there for the next', async () => {
    const h = await hooks();
    await run('startSandbox');
    h.ui.answer('pick', 'New Secret…');
    h.ui.answer('input', 'PIN', 'value of the pin');
    await run('manageVariables');
    const { secrets } = await h.services().then(({ context }) => context);
    const keys = async (): Promise<readonly string[]> =>
      (await secrets.keys()).filter((key) => key.startsWith('actions.secret/'));
    const { port } = new URL((await h.services()).sessions.get('Local Sandbox')?.profile.baseUrl ?? '');
    assert.equal((await keys()).filter((key) => key.includes('"PIN"') && key.includes(`:${port}"`)).length, 1);
    h.ui.answer('confirm', true);
    await run('stopSandbox');
    assert.ok(!(await keys()).some((key) => key.includes('"PIN"')));
    assert.equal(sandbox().baseUrl.includes(`:${port}`), false);
  });
});
