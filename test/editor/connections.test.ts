/** The connections in real VS Code: sign-in, isolation, restarts, expiry, sign-out elsewhere, the local sandbox. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hooks, sandbox } from './support/connections.ts';

suite('connections', () => {
  setup(() => hooks().then((h) => h.reset()));
  suiteTeardown(() => hooks().then((h) => h.reset()));

  test('Start Local Sandbox makes a signed-in connection in memory, and Stop removes it', async () => {
    const h = await hooks();
    await vscode.commands.executeCommand('smartObjects.startSandbox');
    const { sessions } = await h.services();
    const session = sessions.get('Local Sandbox');
    assert.ok(session);
    assert.deepEqual([...session.holds].sort(), ['accessToken', 'apiKey', 'refreshToken']);
    assert.equal(session.profile.environment, 'sandbox');
    assert.ok(session.organizations.length >= 3);
    const page = await session.client.page('objects', { limit: 2 });
    assert.equal(page.items.length, 2);
    assert.deepEqual(vscode.workspace.getConfiguration('smartObjects').inspect('connections')?.globalValue, undefined);
    await vscode.commands.executeCommand('smartObjects.stopSandbox');
    assert.equal(sessions.get('Local Sandbox'), undefined);
    assert.equal(session.ended.aborted, true);
  });

  test('Sign In asks for a credential, tries it, and requests carry it', async () => {
    const h = await hooks();
    await h.addConnection({ name: 'Test', baseUrl: sandbox().baseUrl });
    h.ui.answer('pick', 'API key');
    h.ui.answer('input', ` ${sandbox().apiKey} `);
    await vscode.commands.executeCommand('smartObjects.signIn', 'Test');
    assert.deepEqual(h.ui.said('error'), []);
    const session = (await h.services()).sessions.get('Test');
    assert.deepEqual([...(session?.holds ?? [])], ['apiKey']);
    assert.match(h.ui.said('info').at(-1) ?? '', /signed in/);
  });
});
