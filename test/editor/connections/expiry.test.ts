/** Tokens that expire and are renewed, and sign-ins in other windows. */
import assert from 'node:assert/strict';
import { startCapturePlatform, getTestHooks, runCommand, waitUntil } from '../support/connections.ts';
import { findRow, getLabels, getRowsBelow } from '../support/explorer.ts';
import { clearFaults, createToken, getSandbox, listRequests, useSandbox } from '../support/sandbox.ts';

const reset = async (): Promise<void> => {
  clearFaults();
  getSandbox().recorder.reset();
  await (await getTestHooks()).reset();
};

suite('connections: expiry and other windows', () => {
  useSandbox();
  setup(reset);

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
      assert.equal(h.ui.readMessages('confirm')[0], 'Local · Test: Session expired.');
    });

    test('a refresh never opens a dialog; the rows say that the session expired, and offer Sign In…', async () => {
      const h = await getTestHooks();
      await h.addConnection(
        { name: 'Test', baseUrl: getSandbox().baseUrl },
        { accessToken: await createToken({ lifetime: -1000 }) },
      );
      await getRowsBelow((await findRow('Test', 'Templates')).node);
      for (const command of ['refresh', 'refreshAll']) await runCommand(command);
      assert.deepEqual(h.ui.messages, []);
      const rows = await getRowsBelow((await findRow('Test')).node);
      assert.equal(rows[0]?.label, 'Session expired. Sign In…');
      const list = await getRowsBelow((await findRow('Test', 'Templates')).node);
      assert.deepEqual(getLabels(list).slice(0, 2), ['Session expired', 'Sign In…']);
      assert.match((await findRow('Test')).description, /session expired$/);
      assert.ok((await findRow('Test')).contextValues.includes('expired'));
      // A command that needs the answer asks once.
      await runCommand('showPermissions', 'Test');
      assert.deepEqual(h.ui.readMessages('confirm'), ['Local · Test: Session expired.']);
    });

    test('the error of a refused credential leads to the sign-in of its connection', async () => {
      const h = await getTestHooks();
      const server = await startCapturePlatform();
      server.setAnswer('/wallets', 401, { error: 'revoked' });
      await h.addConnection(
        { name: 'Test', baseUrl: server.origin, auth: { wallets: 'credential' } },
        { apiKey: 'revoked-key' },
      );
      h.ui.answer('input', 'Ada', '', '', '', '', 'Ada');
      h.ui.answer('pick', 'Not specified', 'New Connection');
      h.ui.answer('confirm', true);
      h.ui.answer('error', 'Sign In…');
      await runCommand('registerWallet', 'Test');
      await waitUntil(() => h.ui.messages.at(-1)?.kind === 'pick');
      assert.equal(h.ui.messages.at(-1)?.text, 'Local · Test: Sign In');
      assert.deepEqual(h.ui.messages.findLast(({ kind }) => kind === 'error')?.choices, ['Sign In…', 'Show Output']);
      await server.close();
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
        assert.match(String(await list()), /new access token of Test expired 2 hours ago, or a clock is wrong/);
      assert.equal(renewals(), 1);
      assert.equal(server.requests.length, 2);
      assert.equal(session.expired, true);
      await h.inForeground(list);
      assert.match(h.ui.readMessages('confirm')[0] ?? '', /Session expired: .* expired 2 hours ago, .*\.$/);
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
      await assert.rejects(async () => session?.client.listPage('objects'), /expired 2 hours ago/);
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
      await waitUntil(() => elsewhere.knownIds.index.find(id).length === 0);
      await elsewhere.knownIds.flush();
      await here.knownIds.flush();
      assert.deepEqual((await (await h.anotherWindow()).knownIds.load()).find(id), []);
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

    test('a token that is renewed here does not replace a sign-in there', async () => {
      const h = await getTestHooks();
      const { baseUrl, refreshPath, refreshToken, readOnlyApiKey } = getSandbox();
      const accessToken = await createToken({ lifetime: -1000 });
      await h.addConnection({ name: 'Test', baseUrl, auth: { refreshPath } }, { accessToken, refreshToken });
      const other = (await h.anotherWindow()).sessions;
      h.secrets.setFault('silent');
      await h.signIn('Test', { apiKey: readOnlyApiKey });
      const session = other.get('Test');
      await assert.rejects(async () => session?.client.listPage('objects', { limit: 1 }), { code: 'cancelled' });
      const kinds = [other, (await h.anotherWindow()).sessions].map((each) => [
        ...(each.get('Test')?.credentialKinds ?? []),
      ]);
      assert.deepEqual(kinds, [['apiKey'], ['apiKey']]);
    });

    test('a refresh token that another window has used up is no reason to sign in again', async () => {
      const h = await getTestHooks();
      const server = await startCapturePlatform();
      const expired = await createToken({ lifetime: -1000 });
      const renewed = await createToken({ lifetime: 3_600_000 });
      server.setAnswer('/auth/refresh', 401, { error: 'used' });
      const connection = { name: 'Test', baseUrl: server.origin, auth: { refreshPath: '/auth/refresh' } };
      await h.addConnection(connection, { accessToken: expired, refreshToken: 'refresh-1' });
      const session = (await h.anotherWindow()).sessions.get('Test') ?? assert.fail();
      const release = server.holdRequests('/auth/refresh');
      const reading = h.inForeground(() => session.client.listPage('objects'));
      await waitUntil(() => server.requests.length > 0);
      h.secrets.setFault('silent');
      await h.signIn('Test', { accessToken: renewed, refreshToken: 'refresh-2' });
      release();
      await reading;
      const lists = server.requests.filter(({ path }) => path === '/objects');
      assert.deepEqual(
        lists.map(({ credential }) => credential),
        [`Bearer ${renewed}`],
      );
      assert.deepEqual(h.ui.readMessages('confirm'), []);
      await server.close();
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
});
