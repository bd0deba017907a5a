/** The connections in real VS Code: identities side by side, sign-in, expiry, sign-out elsewhere, no secret anywhere. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CANARY, recordCanaryEntered } from '../support/secret-canary.ts';
import {
  startCapturePlatform,
  collectShownText,
  getTestHooks,
  startRecordingServer,
  readReport,
  runCommand,
  waitUntil,
} from './support/connections.ts';
import {
  clearFaults,
  createToken,
  fault,
  getSandbox,
  hashCredential,
  listRequests,
  useSandbox,
} from './support/sandbox.ts';

const reset = async (): Promise<void> => {
  clearFaults();
  getSandbox().recorder.reset();
  await (await getTestHooks()).reset();
};

suite('connections', () => {
  useSandbox();
  setup(reset);

  test('Start Local Sandbox makes a signed-in connection in memory, and Stop removes it', async () => {
    const h = await getTestHooks();
    await runCommand('startSandbox');
    const { sessions } = await h.services();
    const session = sessions.get('Local Sandbox');
    assert.ok(session);
    assert.deepEqual([...session.credentialKinds].sort(), ['accessToken', 'apiKey', 'refreshToken']);
    assert.equal(session.profile.environment, 'sandbox');
    assert.ok(session.organizations.length >= 3);
    const page = await session.client.listPage('objects', { limit: 2 });
    assert.equal(page.items.length, 2);
    assert.equal(vscode.workspace.getConfiguration('smartObjects').inspect('connections')?.globalValue, undefined);
    await runCommand('stopSandbox');
    assert.match(h.ui.readMessages('confirm').at(-1) ?? '', /Local Sandbox.*: stop the local sandbox\?$/);
    assert.equal(sessions.get('Local Sandbox'), session, 'nobody agreed that its data is lost');
    h.ui.answer('confirm', true);
    await runCommand('stopSandbox');
    assert.equal(sessions.get('Local Sandbox'), undefined);
    assert.match(h.ui.readMessages('info').at(-1) ?? '', /^Local Sandbox is stopped\./);
    assert.equal(session.ended.aborted, true);
  });

  test('Sign In prompts for a credential, checks it, and requests carry it', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
    h.ui.answer('pick', 'API key');
    h.ui.answer('input', 'Bearer x', ` ${getSandbox().apiKey} `);
    await runCommand('signIn', 'Test');
    assert.deepEqual(h.ui.readMessages('error'), []);
    assert.match(h.ui.readMessages('invalid')[0] ?? '', /Leave out “Bearer”/);
    const session = (await h.services()).sessions.get('Test');
    assert.deepEqual([...(session?.credentialKinds ?? [])], ['apiKey']);
    assert.match(h.ui.readMessages('info').at(-1) ?? '', /signed in/);
  });

  test('a refused credential is reported, and another can be entered', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
    h.ui.answer('pick', 'API key', 'API key');
    h.ui.answer('input', 'wrong-key-wrong-key', getSandbox().apiKey);
    h.ui.answer('warn', 'Try Again');
    await runCommand('signIn', 'Test');
    assert.match(h.ui.readMessages('warn')[0] ?? '', /did not accept/);
    assert.deepEqual([...((await h.services()).sessions.get('Test')?.credentialKinds ?? [])], ['apiKey']);
    assert.equal(h.ui.unusedAnswers, 0);
  });

  test('two connections at once: each request carries its own credential alone', async () => {
    const h = await getTestHooks();
    const { baseUrl, accessToken, readOnlyApiKey } = getSandbox();
    await h.addConnection({ name: 'One', baseUrl }, { accessToken });
    await h.addConnection({ name: 'Two', baseUrl }, { apiKey: readOnlyApiKey });
    const { sessions } = await h.services();
    const [one, two] = [sessions.get('One'), sessions.get('Two')];
    assert.ok(one && two);
    getSandbox().recorder.reset();
    await Promise.all(
      [1, 2, 3, 4, 5].flatMap((limit) => [
        one.client.listPage('objects', { limit }),
        two.client.listPage('objects', { limit: limit + 50 }),
      ]),
    );
    const received = listRequests().map(
      ({ query, credential }) => [Number(query['limit']), credential.kind, credential.hash] as const,
    );
    assert.equal(received.length, 10);
    for (const [limit, kind, hash] of received)
      assert.deepEqual(
        [kind, hash],
        limit < 50 ? ['token', hashCredential(`Bearer ${accessToken}`)] : ['apiKey', hashCredential(readOnlyApiKey)],
      );
  });

  test('another origin gets no credential through a redirect', async () => {
    const h = await getTestHooks();
    const { baseUrl, accessToken, apiKey } = getSandbox();
    const elsewhere = await startRecordingServer();
    await h.addConnection({ name: 'Test', baseUrl }, { accessToken, apiKey });
    fault({
      route: 'GET /objects',
      fault: 'redirect',
      location: `${elsewhere.origin}/objects`,
    });
    await (await h.services()).sessions.get('Test')?.client.listPage('objects');
    await elsewhere.close();
    assert.equal(elsewhere.requests.length, 1);
    const sent = JSON.stringify(elsewhere.requests[0]?.headers);
    assert.ok(!sent.includes(accessToken) && !sent.includes(apiKey), 'a credential came along');
  });

  test('a workspace that redefines a connection gets no credential, and the reason is shown', async () => {
    const h = await getTestHooks();
    const elsewhere = await startRecordingServer();
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
    const { sessions } = await h.services();
    try {
      const entry = { name: 'Shop', baseUrl: elsewhere.origin };
      await settings.update('connections', [entry], vscode.ConfigurationTarget.Workspace);
      await waitUntil(() => sessions.problems.some((problem) => /Shop: .*differ in baseUrl/.test(problem)));
      assert.equal(sessions.get('Shop')?.profile.baseUrl, getSandbox().baseUrl);
      await settings.update('connections', undefined, vscode.ConfigurationTarget.Global);
      await waitUntil(() => sessions.get('Shop')?.profile.baseUrl === elsewhere.origin);
      const session = sessions.get('Shop');
      assert.match(session?.signedOutReason ?? '', /stored for another server.*sign in again/);
      await session?.client.listPage('objects');
      assert.ok(!JSON.stringify(elsewhere.requests.map(({ headers }) => headers)).includes(getSandbox().apiKey));
    } finally {
      await settings.update('connections', undefined, vscode.ConfigurationTarget.Workspace);
      await elsewhere.close();
    }
  });

  test('an invalid entry is skipped alone', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Bad', baseUrl: 'https://a@b' });
    await h.addConnection({ name: 'Good', baseUrl: getSandbox().baseUrl });
    const { sessions } = await h.services();
    assert.deepEqual(
      sessions.all.map(({ profile }) => profile.name),
      ['Good'],
    );
    assert.match(sessions.problems.join(), /baseUrl: .*user name/);
  });

  async function plain() {
    const h = await getTestHooks();
    const server = await startRecordingServer();
    const baseUrl = `http://0.0.0.0:${String(server.port)}`;
    await h.addConnection({ name: 'Plain', baseUrl }, { apiKey: 'k1-k1-k1-k1' });
    const client = (await h.services()).sessions.get('Plain')?.client ?? assert.fail('no session');
    return { h, server, client };
  }

  test('plain http to another machine needs consent, once', async () => {
    const { h, server, client } = await plain();
    await assert.rejects(client.listPage('objects'), /plain http/);
    assert.equal(server.requests.length, 0);
    assert.deepEqual(h.ui.readMessages('confirm'), []);
    h.ui.answer('confirm', true);
    const send = (): Promise<unknown> =>
      h.inForeground(() => client.listPage('objects').catch((error: unknown) => error));
    const answers = await Promise.all([send(), send()]);
    assert.ok(!answers.some((answer) => String(answer).includes('plain http')));
    assert.equal(h.ui.readMessages('confirm').length, 1);
    await server.close();
  });

  test('consent in Check Connection replaces an earlier refusal of plain http', async () => {
    const { h, server, client } = await plain();
    const send = (): Promise<unknown> => h.inForeground(() => client.listPage('objects'));
    for (let time = 0; time < 2; time++) await assert.rejects(send(), /run Check Connection to be asked/);
    assert.equal(h.ui.readMessages('confirm').length, 1);
    assert.equal(server.requests.length, 0);
    h.ui.answer('confirm', true);
    await runCommand('checkConnection', 'Plain');
    assert.match(await readReport('Plain', 'Check'), /\| `GET \/objects` \| ✓ answers/);
    await send();
    assert.equal(h.ui.readMessages('confirm').length, 2);
    await server.close();
  });

  suite('expiry', () => {
    const twenty = async (): Promise<PromiseSettledResult<unknown>[]> => {
      const session = (await (await getTestHooks()).services()).sessions.get('Test');
      assert.ok(session);
      return Promise.allSettled(
        Array.from({ length: 20 }, (_none, index) => session.client.listPage('objects', { limit: index + 1 })),
      );
    };
    const fulfilled = (results: readonly PromiseSettledResult<unknown>[]): number =>
      results.filter(({ status }) => status === 'fulfilled').length;

    test('20 requests with an expired token prompt once, and all continue with the new one', async () => {
      const h = await getTestHooks();
      await h.addConnection(
        { name: 'Test', baseUrl: getSandbox().baseUrl },
        { accessToken: await createToken({ lifetime: -1000 }) },
      );
      h.ui.answer('confirm', true);
      h.ui.answer('pick', 'Access token');
      h.ui.answer('input', getSandbox().accessToken, '');
      assert.equal(fulfilled(await h.inForeground(twenty)), 20);
      assert.equal(h.ui.readMessages('confirm').length, 1);
      assert.match(h.ui.readMessages('confirm')[0] ?? '', /expired/);
    });

    test('after declining there is no second prompt', async () => {
      const h = await getTestHooks();
      await h.addConnection(
        { name: 'Test', baseUrl: getSandbox().baseUrl },
        { accessToken: await createToken({ lifetime: -1000 }) },
      );
      assert.equal(fulfilled(await h.inForeground(twenty)), 0);
      assert.equal(fulfilled(await h.inForeground(twenty)), 0);
      assert.equal(h.ui.readMessages('confirm').length, 1);
    });

    test('background work never prompts, and stops sending after a refusal', async () => {
      const h = await getTestHooks();
      await h.addConnection(
        { name: 'Test', baseUrl: getSandbox().baseUrl },
        { accessToken: await createToken({ lifetime: -1000 }) },
      );
      assert.equal(fulfilled(await twenty()), 0);
      const sent = listRequests().length;
      assert.equal(fulfilled(await twenty()), 0);
      assert.equal(listRequests().length, sent);
      assert.deepEqual(h.ui.messages, []);
      const session = (await h.services()).sessions.get('Test');
      assert.equal(session?.expired, true);
    });

    test('with a refresh path, 20 requests renew the token once without a prompt', async () => {
      const h = await getTestHooks();
      const { baseUrl, refreshPath, refreshToken } = getSandbox();
      const expired = await createToken({ lifetime: -1000 });
      await h.addConnection({ name: 'Test', baseUrl, auth: { refreshPath } }, { accessToken: expired, refreshToken });
      getSandbox().recorder.reset();
      assert.equal(fulfilled(await twenty()), 20);
      assert.equal(listRequests().filter(({ path }) => path === refreshPath).length, 1);
      assert.deepEqual(h.ui.messages, []);
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
      const h = await getTestHooks();
      const server = await startCapturePlatform();
      server.setAnswer('/renew', 200, { access_token: issued() }, headers);
      await h.addConnection(
        { name: 'Test', baseUrl: server.origin, auth: { refreshPath: '/renew' } },
        { accessToken: expiring(Date.now() - 5 * HOUR), refreshToken: 'refresh-refresh' },
      );
      const session = (await h.services()).sessions.get('Test') ?? assert.fail('no session');
      const list = (): Promise<unknown> => session.client.listPage('objects').catch((error: unknown) => error);
      const renewals = (): number => server.requests.filter(({ path }) => path === '/renew').length;
      return { h, server, session, list, renewals };
    };

    test('is renewed once, and the error states by how much it is too old', async () => {
      const { h, server, session, list, renewals } = await renewing(() => expiring(Date.now() - 2 * HOUR - 60_000));
      server.setAnswer('/objects', 401, { error: 'expired' });
      for (let time = 0; time < 3; time++)
        assert.match(
          String(await list()),
          /new access token of Test is expired already, by 2 hours, or a clock is off/,
        );
      assert.equal(renewals(), 1);
      assert.equal(server.requests.length, 2);
      assert.equal(session.expired, true);
      await h.inForeground(list);
      assert.match(h.ui.readMessages('confirm')[0] ?? '', /is expired already, by 2 hours, .* Sign in again\?$/);
      assert.equal(renewals(), 1);
      server.setAnswer('/objects', 200, { objects: [] });
      await h.signIn('Test', { accessToken: expiring(Date.now() + HOUR) });
      const after = (await h.services()).sessions.get('Test');
      assert.deepEqual((await after?.client.listPage('objects'))?.items, []);
      await server.close();
    });

    test('is reported after a refusal, too', async () => {
      const { h, server, renewals } = await renewing(() => expiring(Date.now() - 2 * HOUR - 60_000));
      server.setAnswer('/objects', 401, { error: 'revoked' });
      await h.signIn('Test', { accessToken: expiring(Date.now() + HOUR), refreshToken: 'refresh-refresh' });
      const session = (await h.services()).sessions.get('Test');
      await assert.rejects(async () => session?.client.listPage('objects'), /expired already, by 2 hours/);
      assert.equal(renewals(), 1);
      await server.close();
    });

    test('is usable where only the local clock is ahead: the platform’s clock counts', async () => {
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
    test('a sign-in is available in the next window', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const session = (await h.anotherWindow()).sessions.get('Test');
      assert.equal((await session?.client.listPage('objects', { limit: 1 }))?.items.length, 1);
    });

    test('data of one identity is not offered to the next one in any window; a renewed token keeps it', async () => {
      const h = await getTestHooks();
      const { baseUrl } = getSandbox();
      await h.addConnection({ name: 'Test', baseUrl }, { accessToken: await createToken({ lifetime: 3_600_000 }) });
      const here = await h.services();
      const elsewhere = await h.anotherWindow();
      const client = here.sessions.get('Test')?.client;
      const [item] = (await client?.listPage('objects', { limit: 1 }))?.items ?? [];
      const id = item?.id;
      assert.ok(client !== undefined && id !== undefined);
      await client.read('objects', [id]);
      await elsewhere.sessions.get('Test')?.client.read('objects', [id]);
      const resource = { connection: 'Test', kind: 'objects', id };
      await runCommand('openResource', resource);
      await here.snapshots.flush();
      await here.knownIds.flush();
      const offered = async (): Promise<boolean> => {
        await runCommand('openResource');
        return JSON.stringify(h.ui.messages.findLast(({ kind }) => kind === 'pick')?.choices ?? []).includes(id);
      };
      await h.signIn('Test', { accessToken: await createToken({ lifetime: 7_200_000 }) });
      assert.ok(await offered());
      const recentResources = (): string => JSON.stringify(here.context.globalState.get('documents.recent'));
      assert.ok(recentResources().includes(id));
      await h.signIn('Test', { apiKey: getSandbox().readOnlyApiKey });
      assert.equal(await offered(), false);
      assert.ok(!recentResources().includes(id));
      assert.deepEqual(await here.snapshots.list(resource), []);
      await waitUntil(() => !elsewhere.knownIds.index.has(id));
      await elsewhere.knownIds.flush();
      await here.knownIds.flush();
      assert.equal((await (await h.anotherWindow()).knownIds.load()).has(id), false);
    });

    test('a sign-out elsewhere ends the session here', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const other = (await h.anotherWindow()).sessions;
      const session = other.get('Test');
      assert.equal(session?.credentialKinds.size, 1);
      h.ui.answer('confirm', true);
      await runCommand('signOut', 'Test');
      await waitUntil(() => other.get('Test')?.credentialKinds.size === 0);
      assert.equal(session.ended.aborted, true);
      await assert.rejects(session.client.listPage('objects'), { code: 'cancelled' });
    });

    test('without events of the host, a command reads the store again', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const other = (await h.anotherWindow()).sessions;
      h.secrets.setFault('silent');
      await h.signOut('Test');
      assert.equal(other.get('Test')?.credentialKinds.size, 1);
      assert.equal((await other.pickSession('Test'))?.credentialKinds.size, 0);
    });

    test('an event without a change has no effect', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const { sessions } = await h.services();
      const before = sessions.get('Test');
      h.secrets.fireDidChange('connection/Test');
      await h.signIn('Test', { apiKey: getSandbox().apiKey });
      assert.equal(sessions.get('Test'), before);
      assert.equal(before?.ended.aborted, false);
    });
  });

  for (const fault of ['no keyring', 'forgets'] as const) {
    test(`a credential that cannot be stored (${fault}) is reported, and used until the window closes`, async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
      h.secrets.setFault(fault);
      h.ui.answer('pick', 'API key');
      h.ui.answer('input', getSandbox().apiKey);
      await runCommand('signIn', 'Test');
      assert.match(h.ui.readMessages('warn').at(-1) ?? '', /did not keep the credential.*keyring/);
      assert.equal((await h.services()).sessions.get('Test')?.credentialKinds.size, 1);
      assert.equal((await h.anotherWindow()).sessions.get('Test')?.credentialKinds.size, 0);
    });
  }

  test('Remove Connection deletes the entry and the secret', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
    assert.ok((await h.secrets.keys()).includes('connection/Test'));
    await runCommand('removeConnection', 'Test');
    assert.ok((await h.services()).sessions.get('Test'), 'without a yes nothing is removed');
    h.ui.answer('confirm', true);
    await runCommand('removeConnection', 'Test');
    assert.equal((await h.services()).sessions.get('Test'), undefined);
    assert.deepEqual(
      (await h.secrets.keys()).filter((key) => key.startsWith('connection/')),
      [],
    );
  });

  test('a connection deleted from the settings has no secret left after the next start', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
    await vscode.workspace
      .getConfiguration('smartObjects')
      .update('connections', undefined, vscode.ConfigurationTarget.Global);
    await waitUntil(async () => (await h.services()).sessions.get('Test') === undefined);
    assert.ok((await h.secrets.keys()).includes('connection/Test'), 'whoever edits settings may put it back');
    await h.anotherWindow();
    assert.ok(!(await h.secrets.keys()).includes('connection/Test'));
  });

  test('the Accounts menu lists sign-ins by token, not by API key', async () => {
    const h = await getTestHooks();
    const { baseUrl, accessToken, apiKey } = getSandbox();
    await h.addConnection({ name: 'One', baseUrl }, { accessToken });
    await h.addConnection({ name: 'Two', baseUrl }, { apiKey });
    const accounts = await vscode.authentication.getAccounts('smartObjects');
    assert.equal(accounts.length, 1);
    assert.match(accounts[0]?.label ?? '', /^One: /);
  });

  test('a typed secret appears nowhere, even when the platform repeats it', async () => {
    const h = await getTestHooks();
    recordCanaryEntered('editor');
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
    h.ui.answer('pick', 'API key');
    h.ui.answer('input', CANARY);
    h.ui.answer('warn', 'Keep Anyway');
    fault({ route: '*', fault: 'echoCredential', count: null });
    await runCommand('signIn', 'Test');
    assert.deepEqual([...((await h.services()).sessions.get('Test')?.credentialKinds ?? [])], ['apiKey']);
    await runCommand('checkConnection', 'Test');
    await runCommand('showPermissions', 'Test');
    await runCommand('openResource', { connection: 'Test', kind: 'objects', id: 'x' });
    const session = (await h.services()).sessions.get('Test');
    const error: unknown = await session?.client.listPage('objects').catch((failed: unknown) => failed);
    assert.match(JSON.stringify(error), /could not verify/);
    const shownText = (await collectShownText(h)) + JSON.stringify(error) + String(error);
    assert.ok(shownText.includes('could not verify'), 'the echo was met');
    assert.ok(!shownText.includes(CANARY));
    await h.signOut('Test');
  });
});
