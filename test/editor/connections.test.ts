/** The connections in real VS Code: identities side by side, sign-in, expiry, sign-out elsewhere, no secret anywhere. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CANARY, noteEntered } from '../runtime/canary.ts';
import {
  asked,
  capture,
  control,
  everythingShown,
  hashOf,
  hooks,
  noting,
  report,
  run,
  sandbox,
  token,
  until,
} from './support/connections.ts';

const reset = async (): Promise<void> => {
  await control('DELETE', 'faults');
  await control('DELETE', 'requests');
  await (await hooks()).reset();
};

suite('connections', () => {
  setup(reset);
  suiteTeardown(reset);

  test('Start Local Sandbox makes a signed-in connection in memory, and Stop removes it', async () => {
    const h = await hooks();
    await run('startSandbox');
    const { sessions } = await h.services();
    const session = sessions.get('Local Sandbox');
    assert.ok(session);
    assert.deepEqual([...session.holds].sort(), ['accessToken', 'apiKey', 'refreshToken']);
    assert.equal(session.profile.environment, 'sandbox');
    assert.ok(session.organizations.length >= 3);
    const page = await session.client.page('objects', { limit: 2 });
    assert.equal(page.items.length, 2);
    assert.equal(vscode.workspace.getConfiguration('smartObjects').inspect('connections')?.globalValue, undefined);
    await run('stopSandbox');
    assert.match(h.ui.said('confirm').at(-1) ?? '', /Local Sandbox.*: stop the local sandbox\?$/);
    assert.equal(sessions.get('Local Sandbox'), session, 'nobody agreed that its data is lost');
    h.ui.answer('confirm', true);
    await run('stopSandbox');
    assert.equal(sessions.get('Local Sandbox'), undefined);
    assert.match(h.ui.said('info').at(-1) ?? '', /^Local Sandbox is stopped\./);
    assert.equal(session.ended.aborted, true);
  });

  test('Sign In asks for a credential, tries it, and requests carry it', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl });
    h.ui.answer('pick', 'API key');
    h.ui.answer('input', 'Bearer x', ` ${sandbox().apiKey} `);
    await run('signIn', 'Test');
    assert.deepEqual(h.ui.said('error'), []);
    assert.match(h.ui.said('invalid')[0] ?? '', /Leave out “Bearer”/);
    const session = (await h.services()).sessions.get('Test');
    assert.deepEqual([...(session?.holds ?? [])], ['apiKey']);
    assert.match(h.ui.said('info').at(-1) ?? '', /signed in/);
  });

  test('a credential that is refused is said, and another can be entered', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl });
    h.ui.answer('pick', 'API key', 'API key');
    h.ui.answer('input', 'wrong-key-wrong-key', sandbox().apiKey);
    h.ui.answer('warn', 'Try Again');
    await run('signIn', 'Test');
    assert.match(h.ui.said('warn')[0] ?? '', /did not accept/);
    assert.deepEqual([...((await h.services()).sessions.get('Test')?.holds ?? [])], ['apiKey']);
    assert.equal(h.ui.left, 0);
  });

  test('two connections at once: each request carries its own credential alone', async () => {
    const h = await hooks();
    const { baseUrl, accessToken, readOnlyApiKey } = sandbox();
    await h.addConnection({ name: 'One', baseUrl }, { accessToken });
    await h.addConnection({ name: 'Two', baseUrl }, { apiKey: readOnlyApiKey });
    const { sessions } = await h.services();
    const [one, two] = [sessions.get('One'), sessions.get('Two')];
    assert.ok(one && two);
    await control('DELETE', 'requests');
    await Promise.all(
      [1, 2, 3, 4, 5].flatMap((limit) => [
        one.client.page('objects', { limit }),
        two.client.page('objects', { limit: limit + 50 }),
      ]),
    );
    const seen = (await asked()).map(
      ({ query, credential }) => [Number(query['limit']), credential.kind, credential.hash] as const,
    );
    assert.equal(seen.length, 10);
    for (const [limit, kind, hash] of seen)
      assert.deepEqual(
        [kind, hash],
        limit < 50 ? ['token', hashOf(`Bearer ${accessToken}`)] : ['apiKey', hashOf(readOnlyApiKey)],
      );
  });

  test('another origin gets no credential through a redirect', async () => {
    const h = await hooks();
    const { baseUrl, accessToken, apiKey } = sandbox();
    const elsewhere = await noting();
    await h.addConnection({ name: 'Test', baseUrl }, { accessToken, apiKey });
    await control('POST', 'faults', {
      route: 'GET /objects',
      fault: 'redirect',
      location: `${elsewhere.origin}/objects`,
    });
    await (await h.services()).sessions.get('Test')?.client.page('objects');
    await elsewhere.close();
    assert.equal(elsewhere.requests.length, 1);
    const sent = JSON.stringify(elsewhere.requests[0]?.headers);
    assert.ok(!sent.includes(accessToken) && !sent.includes(apiKey), 'a credential came along');
  });

  test('a workspace that redefines a connection gets no credential, and the person is told why', async () => {
    const h = await hooks();
    const elsewhere = await noting();
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await h.addConnection({ name: 'Shop', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
    const { sessions } = await h.services();
    try {
      const entry = { name: 'Shop', baseUrl: elsewhere.origin };
      await settings.update('connections', [entry], vscode.ConfigurationTarget.Workspace);
      await until(() => sessions.problems.some((problem) => /Shop: .*differ in baseUrl/.test(problem)));
      assert.equal(sessions.get('Shop')?.profile.baseUrl, sandbox().baseUrl);
      await settings.update('connections', undefined, vscode.ConfigurationTarget.Global);
      await until(() => sessions.get('Shop')?.profile.baseUrl === elsewhere.origin);
      const session = sessions.get('Shop');
      assert.match(session?.signedOutBecause ?? '', /stored for another server.*sign in again/);
      await session?.client.page('objects');
      assert.ok(!JSON.stringify(elsewhere.requests.map(({ headers }) => headers)).includes(sandbox().apiKey));
    } finally {
      await settings.update('connections', undefined, vscode.ConfigurationTarget.Workspace);
      await elsewhere.close();
    }
  });

  test('a bad entry costs itself alone', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Bad', baseUrl: 'https://a@b' });
    await h.addConnection({ name: 'Good', baseUrl: sandbox().baseUrl });
    const { sessions } = await h.services();
    assert.deepEqual(
      sessions.all.map(({ profile }) => profile.name),
      ['Good'],
    );
    assert.match(sessions.problems.join(), /baseUrl: .*user name/);
  });

  async function plain() {
    const h = await hooks();
    const server = await noting();
    const baseUrl = `http://0.0.0.0:${String(server.port)}`;
    await h.addConnection({ name: 'Plain', baseUrl }, { apiKey: 'k1-k1-k1-k1' });
    const client = (await h.services()).sessions.get('Plain')?.client ?? assert.fail('no session');
    return { h, server, client };
  }

  test('plain http to another machine waits for the word of the person, once', async () => {
    const { h, server, client } = await plain();
    await assert.rejects(client.page('objects'), /plain http/);
    assert.equal(server.requests.length, 0);
    assert.deepEqual(h.ui.said('confirm'), []);
    h.ui.answer('confirm', true);
    const send = (): Promise<unknown> => h.inForeground(() => client.page('objects').catch((error: unknown) => error));
    const answers = await Promise.all([send(), send()]);
    assert.ok(!answers.some((answer) => String(answer).includes('plain http')));
    assert.equal(h.ui.said('confirm').length, 1);
    await server.close();
  });

  test('who declines plain http and agrees to it in Check Connection is taken at the later word', async () => {
    const { h, server, client } = await plain();
    const send = (): Promise<unknown> => h.inForeground(() => client.page('objects'));
    for (let time = 0; time < 2; time++) await assert.rejects(send(), /run Check Connection to be asked/);
    assert.equal(h.ui.said('confirm').length, 1);
    assert.equal(server.requests.length, 0);
    h.ui.answer('confirm', true);
    await run('checkConnection', 'Plain');
    assert.match(await report('Plain', 'Check'), /\| `GET \/objects` \| ✓ answers/);
    await send();
    assert.equal(h.ui.said('confirm').length, 2);
    await server.close();
  });

  suite('expiry', () => {
    const twenty = async (): Promise<PromiseSettledResult<unknown>[]> => {
      const session = (await (await hooks()).services()).sessions.get('Test');
      assert.ok(session);
      return Promise.allSettled(
        Array.from({ length: 20 }, (_none, index) => session.client.page('objects', { limit: index + 1 })),
      );
    };
    const fulfilled = (results: readonly PromiseSettledResult<unknown>[]): number =>
      results.filter(({ status }) => status === 'fulfilled').length;

    test('20 requests with an expired token ask once, and all go on with the new one', async () => {
      const h = await hooks();
      await h.addConnection(
        { name: 'Test', baseUrl: sandbox().baseUrl },
        { accessToken: await token({ lifetime: -1000 }) },
      );
      h.ui.answer('confirm', true);
      h.ui.answer('pick', 'Access token');
      h.ui.answer('input', sandbox().accessToken, '');
      assert.equal(fulfilled(await h.inForeground(twenty)), 20);
      assert.equal(h.ui.said('confirm').length, 1);
      assert.match(h.ui.said('confirm')[0] ?? '', /expired/);
    });

    test('who declines is not asked again', async () => {
      const h = await hooks();
      await h.addConnection(
        { name: 'Test', baseUrl: sandbox().baseUrl },
        { accessToken: await token({ lifetime: -1000 }) },
      );
      assert.equal(fulfilled(await h.inForeground(twenty)), 0);
      assert.equal(fulfilled(await h.inForeground(twenty)), 0);
      assert.equal(h.ui.said('confirm').length, 1);
    });

    test('background work never asks, and stops sending once the platform has refused', async () => {
      const h = await hooks();
      await h.addConnection(
        { name: 'Test', baseUrl: sandbox().baseUrl },
        { accessToken: await token({ lifetime: -1000 }) },
      );
      assert.equal(fulfilled(await twenty()), 0);
      const sent = (await asked()).length;
      assert.equal(fulfilled(await twenty()), 0);
      assert.equal((await asked()).length, sent);
      assert.deepEqual(h.ui.all, []);
      const session = (await h.services()).sessions.get('Test');
      assert.equal(session?.expired, true);
    });

    test('with a refresh path, 20 requests renew the token once and nobody is asked', async () => {
      const h = await hooks();
      const { baseUrl, refreshPath, refreshToken } = sandbox();
      const expired = await token({ lifetime: -1000 });
      await h.addConnection({ name: 'Test', baseUrl, auth: { refreshPath } }, { accessToken: expired, refreshToken });
      await control('DELETE', 'requests');
      assert.equal(fulfilled(await twenty()), 20);
      assert.equal((await asked()).filter(({ path }) => path === refreshPath).length, 1);
      assert.deepEqual(h.ui.all, []);
      const other = await h.anotherWindow();
      assert.equal(other.sessions.get('Test')?.expired, false);
    });
  });

  suite('a renewed token that has expired already', () => {
    const HOUR = 3_600_000;
    const expiring = (at: number): string => {
      const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part({ sub: 'w', exp: Math.floor(at / 1000), at })}.c2ln`;
    };
    const renewing = async (issued: () => string, headers: Readonly<Record<string, string>> = {}) => {
      const h = await hooks();
      const server = await capture();
      server.answer('/renew', 200, { access_token: issued() }, headers);
      await h.addConnection(
        { name: 'Test', baseUrl: server.origin, auth: { refreshPath: '/renew' } },
        { accessToken: expiring(Date.now() - 5 * HOUR), refreshToken: 'refresh-refresh' },
      );
      const session = (await h.services()).sessions.get('Test') ?? assert.fail('no session');
      const list = (): Promise<unknown> => session.client.page('objects').catch((error: unknown) => error);
      const renewals = (): number => server.got.filter(({ path }) => path === '/renew').length;
      return { h, server, session, list, renewals };
    };

    test('is renewed once, and it is said by how much it is too old', async () => {
      const { h, server, session, list, renewals } = await renewing(() => expiring(Date.now() - 2 * HOUR - 60_000));
      server.answer('/objects', 401, { error: 'expired' });
      for (let time = 0; time < 3; time++)
        assert.match(
          String(await list()),
          /new access token of Test is expired already, by 2 hours, or a clock is off/,
        );
      assert.equal(renewals(), 1);
      assert.equal(server.got.length, 2);
      assert.equal(session.expired, true);
      await h.inForeground(list);
      assert.match(h.ui.said('confirm')[0] ?? '', /is expired already, by 2 hours, .* Sign in again\?$/);
      assert.equal(renewals(), 1);
      server.answer('/objects', 200, { objects: [] });
      await h.signIn('Test', { accessToken: expiring(Date.now() + HOUR) });
      const after = (await h.services()).sessions.get('Test');
      assert.deepEqual((await after?.client.page('objects'))?.items, []);
      await server.close();
    });

    test('is said of one that a refusal brought, too', async () => {
      const { h, server, renewals } = await renewing(() => expiring(Date.now() - 2 * HOUR - 60_000));
      server.answer('/objects', 401, { error: 'revoked' });
      await h.signIn('Test', { accessToken: expiring(Date.now() + HOUR), refreshToken: 'refresh-refresh' });
      const session = (await h.services()).sessions.get('Test');
      await assert.rejects(async () => session?.client.page('objects'), /expired already, by 2 hours/);
      assert.equal(renewals(), 1);
      await server.close();
    });

    test('is none where only the clock of this machine is ahead: the platform’s own clock counts', async () => {
      const theirs = Date.now() - 4 * HOUR;
      const { server, session, list, renewals } = await renewing(() => expiring(theirs + HOUR), {
        date: new Date(theirs).toUTCString(),
      });
      for (let time = 0; time < 3; time++) assert.ok(!((await list()) instanceof Error));
      assert.equal(renewals(), 1);
      assert.equal(session.expired, false);
      await server.close();
    });
  });

  suite('other windows', () => {
    test('sign-in is there in the next window', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
      const session = (await h.anotherWindow()).sessions.get('Test');
      assert.equal((await session?.client.page('objects', { limit: 1 }))?.items.length, 1);
    });

    test('what one person met and opened is not offered to the next one, in no window; a newer token loses nothing', async () => {
      const h = await hooks();
      const { baseUrl } = sandbox();
      await h.addConnection({ name: 'Test', baseUrl }, { accessToken: await token({ lifetime: 3_600_000 }) });
      const here = await h.services();
      const elsewhere = await h.anotherWindow();
      const client = here.sessions.get('Test')?.client;
      const [item] = (await client?.page('objects', { limit: 1 }))?.items ?? [];
      const id = item?.id;
      assert.ok(client !== undefined && id !== undefined);
      await client.read('objects', [id]);
      await elsewhere.sessions.get('Test')?.client.read('objects', [id]);
      const resource = { connection: 'Test', kind: 'objects', id };
      await run('openResource', resource);
      await here.snapshots.flush();
      await here.ids.flush();
      const offered = async (): Promise<boolean> => {
        await run('openResource');
        return JSON.stringify(h.ui.all.findLast(({ kind }) => kind === 'pick')?.choices ?? []).includes(id);
      };
      await h.signIn('Test', { accessToken: await token({ lifetime: 7_200_000 }) });
      assert.ok(await offered());
      const shown = (): string => JSON.stringify(here.context.globalState.get('documents.recent'));
      assert.ok(shown().includes(id));
      await h.signIn('Test', { apiKey: sandbox().readOnlyApiKey });
      assert.equal(await offered(), false);
      assert.ok(!shown().includes(id));
      assert.deepEqual(await here.snapshots.of(resource), []);
      await until(() => !elsewhere.ids.index.has(id));
      await elsewhere.ids.flush();
      await here.ids.flush();
      assert.equal((await (await h.anotherWindow()).ids.ready()).has(id), false);
    });

    test('a sign-out elsewhere ends the session here', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
      const other = (await h.anotherWindow()).sessions;
      const session = other.get('Test');
      assert.equal(session?.holds.size, 1);
      h.ui.answer('confirm', true);
      await run('signOut', 'Test');
      await until(() => other.get('Test')?.holds.size === 0);
      assert.equal(session.ended.aborted, true);
      await assert.rejects(session.client.page('objects'), { code: 'cancelled' });
    });

    test('where the host tells nothing, a command looks again', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
      const other = (await h.anotherWindow()).sessions;
      h.secrets.breakWith('silent');
      await h.signOut('Test');
      assert.equal(other.get('Test')?.holds.size, 1);
      assert.equal((await other.choose('Test'))?.holds.size, 0);
    });

    test('an event alone, without a change, changes nothing', async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
      const { sessions } = await h.services();
      const before = sessions.get('Test');
      h.secrets.raise('connection/Test');
      await h.signIn('Test', { apiKey: sandbox().apiKey });
      assert.equal(sessions.get('Test'), before);
      assert.equal(before?.ended.aborted, false);
    });
  });

  for (const fault of ['no keyring', 'forgets'] as const) {
    test(`what the editor does not keep (${fault}) is said, and used until the window closes`, async () => {
      const h = await hooks();
      await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl });
      h.secrets.breakWith(fault);
      h.ui.answer('pick', 'API key');
      h.ui.answer('input', sandbox().apiKey);
      await run('signIn', 'Test');
      assert.match(h.ui.said('warn').at(-1) ?? '', /did not keep the credential.*keyring/);
      assert.equal((await h.services()).sessions.get('Test')?.holds.size, 1);
      assert.equal((await h.anotherWindow()).sessions.get('Test')?.holds.size, 0);
    });
  }

  test('Remove Connection takes the entry and the secret away', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
    assert.ok((await h.secrets.keys()).includes('connection/Test'));
    await run('removeConnection', 'Test');
    assert.ok((await h.services()).sessions.get('Test'), 'without a yes nothing is removed');
    h.ui.answer('confirm', true);
    await run('removeConnection', 'Test');
    assert.equal((await h.services()).sessions.get('Test'), undefined);
    assert.deepEqual(
      (await h.secrets.keys()).filter((key) => key.startsWith('connection/')),
      [],
    );
  });

  test('a connection taken out of the settings leaves no orphan behind the next start', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl }, { apiKey: sandbox().apiKey });
    await vscode.workspace
      .getConfiguration('smartObjects')
      .update('connections', undefined, vscode.ConfigurationTarget.Global);
    await until(async () => (await h.services()).sessions.get('Test') === undefined);
    assert.ok((await h.secrets.keys()).includes('connection/Test'), 'whoever edits settings may put it back');
    await h.anotherWindow();
    assert.ok(!(await h.secrets.keys()).includes('connection/Test'));
  });

  test('the Accounts menu knows who is signed in with a token, and nothing of API keys', async () => {
    const h = await hooks();
    const { baseUrl, accessToken, apiKey } = sandbox();
    await h.addConnection({ name: 'One', baseUrl }, { accessToken });
    await h.addConnection({ name: 'Two', baseUrl }, { apiKey });
    const accounts = await vscode.authentication.getAccounts('smartObjects');
    assert.equal(accounts.length, 1);
    assert.match(accounts[0]?.label ?? '', /^One: /);
  });

  test('a secret that is typed turns up nowhere, also when the platform repeats it', async () => {
    const h = await hooks();
    noteEntered('editor');
    await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl });
    h.ui.answer('pick', 'API key');
    h.ui.answer('input', CANARY);
    h.ui.answer('warn', 'Keep Anyway');
    await control('POST', 'faults', { route: '*', fault: 'echoCredential', count: null });
    await run('signIn', 'Test');
    assert.deepEqual([...((await h.services()).sessions.get('Test')?.holds ?? [])], ['apiKey']);
    await run('checkConnection', 'Test');
    await run('showPermissions', 'Test');
    await run('openResource', { connection: 'Test', kind: 'objects', id: 'x' });
    const session = (await h.services()).sessions.get('Test');
    const error: unknown = await session?.client.page('objects').catch((failed: unknown) => failed);
    assert.match(JSON.stringify(error), /could not verify/);
    const shown = (await everythingShown(h)) + JSON.stringify(error) + String(error);
    assert.ok(shown.includes('could not verify'), 'the echo was met');
    assert.ok(!shown.includes(CANARY));
    await h.signOut('Test');
  });
});
