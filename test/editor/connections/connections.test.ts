/** The connections in real VS Code: identities side by side, sign-in, expiry, sign-out elsewhere, no secret anywhere. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createLog } from '../../../src/ui/log.ts';
import { CANARY, recordCanaryEntered } from '../../support/secret-canary.ts';
import {
  collectShownText,
  getTestHooks,
  startRecordingServer,
  readReport,
  runCommand,
  waitUntil,
} from '../support/connections.ts';
import { clearFaults, fault, getSandbox, hashCredential, listRequests, useSandbox } from '../support/sandbox.ts';

const reset = async (): Promise<void> => {
  clearFaults();
  getSandbox().recorder.reset();
  await (await getTestHooks()).reset();
};

suite('connections', () => {
  useSandbox();
  setup(reset);

  test('what is logged after the log was disposed of is dropped: the request that logs it keeps its outcome', () => {
    const log = createLog();
    log.dispose();
    log.info('late');
    log.error(new Error('late'));
  });

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
    assert.match(h.ui.readMessages('info').at(-1) ?? '', /^Local Sandbox stopped\./);
    assert.equal(session.ended.aborted, true);
  });

  test('Sign In prompts for a credential, checks it, and requests carry it', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
    h.ui.answer('pick', 'API key');
    h.ui.answer('input', 'Bearer x', ` ${getSandbox().apiKey} `);
    await runCommand('signIn', 'Test');
    assert.deepEqual(h.ui.readMessages('error'), []);
    assert.match(h.ui.readMessages('invalid')[0] ?? '', /Remove “Bearer”/);
    const session = (await h.services()).sessions.get('Test');
    assert.deepEqual([...(session?.credentialKinds ?? [])], ['apiKey']);
    assert.match(h.ui.readMessages('info').at(-1) ?? '', /signed in/);
  });

  test('a refused credential is reported, and another can be entered', async () => {
    const h = await getTestHooks();
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
    h.ui.answer('pick', 'API key', 'Change Credential', 'API key');
    h.ui.answer('input', 'wrong-key-wrong-key', getSandbox().apiKey);
    await runCommand('signIn', 'Test');
    assert.ok(h.ui.messages.some(({ detail }) => detail?.endsWith('but rejected the credential.')));
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
      assert.match(session?.signedOutReason ?? '', /has changed since you signed in \(server\).*Sign in again/);
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
    await assert.rejects(client.listPage('objects'), /unencrypted HTTP/);
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
    for (let time = 0; time < 2; time++) await assert.rejects(send(), /Run Check Connection to give it/);
    assert.equal(h.ui.readMessages('confirm').length, 1);
    assert.equal(server.requests.length, 0);
    h.ui.answer('confirm', true);
    await runCommand('checkConnection', 'Plain');
    assert.match(await readReport('Plain', 'Check'), /\| `GET \/objects` \| ✓ responded/);
    await send();
    assert.equal(h.ui.readMessages('confirm').length, 2);
    await server.close();
  });

  for (const fault of ['no keyring', 'forgets'] as const) {
    test(`a credential that cannot be stored (${fault}) is reported, and used until the window closes`, async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
      h.secrets.setFault(fault);
      h.ui.answer('pick', 'API key');
      h.ui.answer('input', getSandbox().apiKey);
      await runCommand('signIn', 'Test');
      assert.match(h.ui.readMessages('warn').at(-1) ?? '', /could not store the credential.*keyring/);
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

  test('the Accounts menu lists sign-ins by token and by API key; other extensions get no session for a key', async () => {
    const h = await getTestHooks();
    const { baseUrl, accessToken, apiKey } = getSandbox();
    await h.addConnection({ name: 'One', baseUrl }, { accessToken });
    await h.addConnection({ name: 'Two', baseUrl }, { apiKey });
    const accounts = await vscode.authentication.getAccounts('smartObjects');
    assert.deepEqual(
      accounts.map(({ label }) => label.replace(/: (?!API key).*/, ': …')),
      ['One: …', 'Two: API key'],
    );
    assert.equal(await vscode.authentication.getSession('smartObjects', ['Two'], { silent: true }), undefined);
    const obtainable = await Promise.all([undefined, [], ['One'], ['Two']].map((scopes) => h.listAccounts(scopes)));
    assert.deepEqual(
      obtainable.map((list) => list.map((account) => [account.scopes[0], account.accessToken])),
      [
        [
          ['One', accessToken],
          ['Two', ''],
        ],
        [['One', accessToken]],
        [['One', accessToken]],
        [],
      ],
    );
    await h.removeAccount(obtainable[0]?.at(-1)?.id ?? '');
    assert.equal((await h.services()).sessions.get('Two')?.credentialKinds.size, 0);
    assert.equal((await vscode.authentication.getAccounts('smartObjects')).length, 1);
  });

  // Slow: the extension repeats what fails, with growing pauses.
  test('a typed secret appears nowhere, even when the platform repeats it', async () => {
    const h = await getTestHooks();
    recordCanaryEntered('editor');
    await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
    h.ui.answer('pick', 'API key', 'Sign In Anyway');
    h.ui.answer('input', CANARY);
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
