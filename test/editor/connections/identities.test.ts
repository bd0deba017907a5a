/** Several identities of one connection: sign-in, what each request carries, runs as an identity, and forgetting them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunRecord } from '../../../src/model/runs/run-record.ts';
import { createSaleFiles } from '../../support/owner-and-buyer.ts';
import { CANARY } from '../../support/secret-canary.ts';
import {
  actionSuite,
  clearRecentStarts,
  complete,
  CONNECTION,
  execute,
  folder,
  getLenses,
  readIds,
  remove,
  write,
} from '../support/actions.ts';
import { collectShownText, readReport, runCommand, waitUntil } from '../support/connections.ts';
import { eventually } from '../support/documents.ts';
import { findRow } from '../support/explorer.ts';
import type { TestHooks } from '../support/hooks.ts';
import { countPosts, EXECUTE, getSandbox, hashCredential, listRequests } from '../support/sandbox.ts';

/** Hashes of the credentials that the executions so far carried. */
function listExecutors(): readonly (string | undefined)[] {
  return listRequests()
    .filter(({ route }) => route === EXECUTE)
    .map(({ credential }) => credential.hash);
}

async function listSecretKeys(extension: TestHooks): Promise<readonly string[]> {
  return (await extension.secrets.keys()).filter((key) => key.startsWith('identity/') || key.startsWith('connection/'));
}

actionSuite('identities of a connection', (getExtension) => {
  const owner = (): string => hashCredential(getSandbox().apiKey);
  const buyer = (): string => hashCredential(`Bearer ${getSandbox().buyer.accessToken}`);

  async function signInAsBuyer(refreshToken = ''): Promise<void> {
    const extension = getExtension();
    const { ui } = extension;
    ui.answer('input', 'buyer', getSandbox().buyer.accessToken, refreshToken);
    ui.answer('pick', 'Access token');
    await runCommand('signInAs', CONNECTION);
    assert.deepEqual(ui.readMessages('error'), []);
    const { sessions } = await extension.services();
    assert.equal(sessions.get(CONNECTION)?.identityName, 'default', 'the current identity stays');
    await selectIdentity('buyer');
  }
  async function selectIdentity(name: string): Promise<void> {
    getExtension().ui.answer('pick', `${CONNECTION} as ${name}`);
    await runCommand('selectIdentity', CONNECTION);
  }

  test('Sign In with Another Identity… adds a named identity, which can become the current one and is named everywhere', async () => {
    const extension = getExtension();
    const { ui } = extension;
    const { sessions } = await extension.services();
    const first = sessions.get(CONNECTION);
    assert.equal(first?.heading, `Sandbox · ${CONNECTION}`);
    ui.answer('input', 'Default');
    await runCommand('signInAs', CONNECTION);
    assert.deepEqual(ui.readMessages('invalid'), ['default is reserved for the default identity']);
    await signInAsBuyer(CANARY);
    const now = sessions.get(CONNECTION);
    assert.equal(now?.heading, `Sandbox · ${CONNECTION} as buyer`);
    assert.equal(first.heading, `Sandbox · ${CONNECTION} as default`);
    assert.equal(first.ended.aborted, false, 'requests of the former one go on');
    assert.match(ui.readMessages('info').at(-1) ?? '', /^Sandbox · Actions as buyer: signed in as wal_/);
    assert.deepEqual(ui.messages.findLast(({ kind }) => kind === 'info')?.choices, ['Set as Current Identity']);
    const row = await findRow(CONNECTION);
    assert.match(row.description, /^as buyer · Sandbox/);
    assert.ok(row.contextValues.includes('identities'));
    // Requests carry the credential of the current one.
    getSandbox().recorder.reset();
    await sessions.get(CONNECTION)?.client.listPage('objects', { limit: 7 });
    await selectIdentity('default');
    assert.equal(sessions.get(CONNECTION), first);
    await sessions.get(CONNECTION)?.client.listPage('objects', { limit: 7 });
    // Without those of the tree, which may still read its rows.
    const requests = listRequests().filter(({ query }) => query['limit'] === '7');
    assert.deepEqual(
      requests.map(({ credential }) => credential.hash),
      [buyer(), owner()],
    );
    const uri = await write('lens.action.json', { action: {} });
    await vscode.window.showTextDocument(uri);
    const titles = await eventually(async () => {
      const found = (await getLenses(uri)).map(({ command }) => command?.title ?? '');
      return found.includes('Run As…') ? found : undefined;
    });
    assert.ok(titles.includes(`$(play)\u00a0Run on ${CONNECTION} as default`), titles.join());
    await runCommand('checkConnection', CONNECTION);
    assert.match(await readReport(CONNECTION, 'Check'), /\*\*Identity\*\*: default/);
    const accounts = (await extension.listAccounts(undefined)).map(({ account }) => account.label);
    assert.equal(accounts[0], `${CONNECTION} as default: API key`);
    assert.match(accounts[1] ?? '', /^Actions as buyer: wal_/);
    assert.ok(!(await collectShownText(extension)).includes(CANARY), 'a secret shows');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await remove('lens.action.json');
  });

  test('owner and buyer in one suite: each step runs as its identity, and the confirmation and the runs say which', async () => {
    const extension = getExtension();
    await signInAsBuyer();
    await selectIdentity('default');
    const files = createSaleFiles(getSandbox());
    for (const [name, content] of Object.entries(files)) await write(`sale/${name}`, content);
    const setting = vscode.workspace.getConfiguration('smartObjects');
    await setting.update('confirmExecution', 'always', vscode.ConfigurationTarget.Global);
    try {
      getSandbox().recorder.reset();
      extension.ui.answer('confirm', true);
      const lines = extension.logLines.length;
      await execute(vscode.Uri.joinPath(folder(), 'sale/sale.actions.json'));
      assert.deepEqual(extension.ui.readMessages('error'), []);
      const question = extension.ui.messages.find(({ kind }) => kind === 'confirm');
      assert.match(question?.text ?? '', /^Sandbox · Actions: Runs 4 actions in order\./);
      assert.match(question?.detail ?? '', /^1\. mint as default: .*\n2\. theft as buyer: .*\n3\. sale as default: /);
      assert.deepEqual(listExecutors(), [owner(), buyer(), owner(), buyer()]);
      const logged = extension.logLines.slice(lines).filter((line) => line.includes('Run '));
      assert.deepEqual(
        logged.map((line) => /Run (\w+ on Actions as \w+):/.exec(line)?.[1]),
        ['mint', 'theft', 'sale', 'return'].map(
          (name, index) => `${name} on Actions as ${index % 2 === 0 ? 'default' : 'buyer'}`,
        ),
      );
    } finally {
      await setting.update('confirmExecution', undefined, vscode.ConfigurationTarget.Global);
      await remove('sale');
    }
  });

  test('Run As… runs as the chosen identity, goes on when another is selected, and Run Again uses the same', async () => {
    const extension = getExtension();
    const { ui } = extension;
    await signInAsBuyer();
    await selectIdentity('default');
    const known = await readIds(extension);
    const uri = await write('as.action.json', {
      action: { transfer: { id: known.object('Concert'), to: getSandbox().address } },
    });
    try {
      getSandbox().recorder.reset();
      await clearRecentStarts(extension);
      ui.answer('pick', 'buyer');
      const running = vscode.commands.executeCommand<readonly RunRecord[]>('smartObjects.executeAs', uri);
      await waitUntil(() => countPosts() === 1);
      await selectIdentity('buyer');
      await selectIdentity('default');
      const [run] = await running;
      assert.deepEqual([run?.identity, run?.outcome], ['buyer', 'failed']);
      assert.match(run?.reason ?? '', /the caller does not own the object/);
      assert.match(ui.readMessages('error').at(-1) ?? '', /^as: failed on Actions as buyer\. /);
      await clearRecentStarts(extension);
      const [again] = await vscode.commands.executeCommand<readonly RunRecord[]>('smartObjects.rerun', run?.id);
      assert.equal(again?.identity, 'buyer');
      assert.deepEqual(listExecutors(), [buyer(), buyer()]);
      // Once it is signed out, its run cannot be repeated as someone else.
      ui.answer('pick', 'buyer');
      ui.answer('confirm', true);
      await runCommand('signOut', CONNECTION);
      await clearRecentStarts(extension);
      await vscode.commands.executeCommand('smartObjects.rerun', run?.id);
      assert.match(
        ui.readMessages('error').at(-1) ?? '',
        /Actions has no identity buyer. Use Sign In with Another Identity… to add it/,
      );
      assert.equal(countPosts(), 2);
    } finally {
      await remove('as.action.json');
    }
  });

  test('an unknown identity in a file is a finding with completion, and nothing is sent', async () => {
    await signInAsBuyer();
    const request = { action: { burn: { id: 'obj_1' } } };
    const uri = await write('unknown.actions.json', { steps: [{ name: 'unknown', as: 'bayer', request }] });
    try {
      const editor = await vscode.window.showTextDocument(uri);
      const finding = await eventually(() =>
        vscode.languages.getDiagnostics(uri).find(({ code }) => code === 'noIdentity'),
      );
      assert.equal(finding.message, 'Actions has no identity bayer. Did you mean buyer?');
      const before = countPosts();
      await execute(uri);
      assert.equal(countPosts(), before);
      const text = editor.document.getText();
      await complete(editor, text.indexOf('bayer') + 1, ({ label }) => label === 'buyer');
      assert.match(editor.document.getText(), /"as": "buyer"/);
      await eventually(() =>
        vscode.languages.getDiagnostics(uri).some(({ code }) => code === 'noIdentity') ? undefined : true,
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
    } finally {
      await remove('unknown.actions.json');
    }
  });

  test('signing out of one leaves the others; another base URL gets none; removing the connection forgets all', async () => {
    const extension = getExtension();
    const { ui } = extension;
    const { sessions } = await extension.services();
    await signInAsBuyer(CANARY);
    const names = (): readonly unknown[] => sessions.getIdentities(CONNECTION).map(({ identityName }) => identityName);
    assert.deepEqual(names(), ['default', 'buyer']);
    // Another window has both, too.
    const other = await extension.anotherWindow();
    assert.equal(other.sessions.getIdentities(CONNECTION).length, 2);
    const entry = { name: CONNECTION, baseUrl: getSandbox().baseUrl, environment: 'sandbox' };
    await extension.addConnection({ ...entry, baseUrl: 'http://127.0.0.1:9' });
    assert.deepEqual(names(), ['default', 'buyer']);
    assert.deepEqual(
      sessions.getIdentities(CONNECTION).map(({ credentialKinds }) => credentialKinds.size),
      [0, 0],
    );
    await extension.addConnection(entry);
    assert.deepEqual(names(), ['default', 'buyer']);
    ui.answer('pick', 'default');
    ui.answer('confirm', true);
    const changes: unknown[] = [];
    const listening = sessions.onDidChange((change) => changes.push(change));
    await runCommand('signOut', CONNECTION);
    listening.dispose();
    assert.deepEqual(changes, [{ type: 'replaced', connection: CONNECTION }], 'also of one that is not the current');
    assert.deepEqual(await listSecretKeys(extension), [`identity/["${CONNECTION}","buyer"]`]);
    assert.deepEqual(
      sessions.getIdentities(CONNECTION).map(({ signedOutReason }) => signedOutReason),
      ['Not signed in', undefined],
    );
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    ui.answer('confirm', true);
    await runCommand('removeConnection', CONNECTION);
    const question = ui.messages.filter(({ kind }) => kind === 'confirm').at(-1);
    assert.equal(question?.text, `Sandbox · ${CONNECTION}: remove this connection?`);
    assert.deepEqual(await listSecretKeys(extension), []);
    assert.equal(sessions.get(CONNECTION), undefined);
  });

  test('the current identity that is signed out elsewhere stays the current one: nothing is sent as another', async () => {
    const extension = getExtension();
    const { ui } = extension;
    const { sessions } = await extension.services();
    const known = await readIds(extension);
    const uri = await write('stays.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 1 } },
    });
    const getCurrent = (of = sessions): readonly unknown[] => {
      const session = of.get(CONNECTION);
      return [session?.identityName, session?.signedOutReason];
    };
    try {
      await signInAsBuyer();
      const before = countPosts();
      // As another window does.
      await extension.secrets.delete(`identity/["${CONNECTION}","buyer"]`);
      await waitUntil(() => getCurrent()[1] !== undefined);
      assert.deepEqual(getCurrent(), ['buyer', 'Not signed in']);
      assert.deepEqual(getCurrent((await extension.anotherWindow()).sessions), ['buyer', 'Not signed in']);
      assert.deepEqual(await execute(uri), []);
      assert.deepEqual(ui.readMessages('confirm'), [`Not signed in to Sandbox · ${CONNECTION} as buyer`]);
      // A command for an identity that is no longer there.
      await runCommand('signIn', { connection: CONNECTION, identity: 'seller' });
      assert.match(ui.readMessages('error').at(-1) ?? '', /Actions has no identity seller/);
      // Its own sign-out does not change the choice either.
      ui.answer('pick', 'buyer');
      ui.answer('confirm', true);
      await runCommand('signOut', CONNECTION);
      assert.deepEqual(getCurrent(), ['buyer', 'Not signed in']);
      assert.equal(countPosts(), before);
      await selectIdentity('default');
      assert.deepEqual(getCurrent(), [undefined, undefined]);
      assert.equal((await execute(uri)).length, 1);
    } finally {
      await remove('stays.action.json');
    }
  });

  test('signing out of the only identity in use forgets those of another address, too', async () => {
    const extension = getExtension();
    await signInAsBuyer(CANARY);
    await selectIdentity('default');
    const baseUrl = 'http://127.0.0.1:9';
    await extension.addConnection({ name: CONNECTION, baseUrl, environment: 'sandbox' });
    assert.equal((await listSecretKeys(extension)).length, 2);
    extension.ui.answer('confirm', true);
    await runCommand('signOut', CONNECTION);
    assert.deepEqual(await listSecretKeys(extension), []);
  });

  test('the local sandbox offers a buyer, who ends with it', async () => {
    const extension = getExtension();
    const { sessions } = await extension.services();
    await runCommand('startSandbox');
    extension.ui.answer('input', 'buyer');
    extension.ui.answer('pick', 'Sandbox buyer');
    extension.ui.answer('info', 'Set as Current Identity');
    await runCommand('signInAs', 'Local Sandbox');
    assert.deepEqual(extension.ui.readMessages('error'), []);
    await waitUntil(() => sessions.get('Local Sandbox')?.identityName === 'buyer');
    const session = sessions.get('Local Sandbox');
    assert.equal(session?.heading, 'Sandbox · Local Sandbox as buyer');
    const { items } = await session.client.listPage('objects', { limit: 1 });
    assert.equal(items.length, 1);
    extension.ui.answer('confirm', true);
    await runCommand('stopSandbox');
    assert.deepEqual(sessions.getIdentities('Local Sandbox'), []);
    assert.equal(session.ended.aborted, true);
    assert.deepEqual(
      (await listSecretKeys(extension)).filter((key) => key.includes('Local Sandbox')),
      [],
    );
  });

  test('the owner of the local sandbox can sign in again', async () => {
    const extension = getExtension();
    const { sessions } = await extension.services();
    await runCommand('startSandbox');
    extension.ui.answer('confirm', true);
    await runCommand('signOut', 'Local Sandbox');
    assert.equal(sessions.get('Local Sandbox')?.signedOutReason, 'Not signed in');
    extension.ui.answer('pick', 'Sandbox owner');
    await runCommand('signIn', 'Local Sandbox');
    assert.deepEqual(extension.ui.readMessages('error'), []);
    assert.equal(sessions.get('Local Sandbox')?.signedOutReason, undefined);
    assert.equal((await sessions.get('Local Sandbox')?.client.listPage('objects', { limit: 1 }))?.items.length, 1);
  });

  test('the buyer of the local sandbox is there after a reset, and signs in again under another name', async () => {
    const extension = getExtension();
    const { ui } = extension;
    const { sessions } = await extension.services();
    await runCommand('startSandbox');
    const signInAs = async (name: string): Promise<void> => {
      ui.answer('input', name);
      ui.answer('pick', 'Sandbox buyer');
      ui.answer('info', 'Set as Current Identity');
      await runCommand('signInAs', 'Local Sandbox');
      await waitUntil(() => sessions.get('Local Sandbox')?.identityName === name);
    };
    const reset = async (): Promise<string | undefined> => {
      ui.answer('confirm', true);
      await runCommand('resetSandbox', 'Local Sandbox');
      return sessions.get('Local Sandbox')?.signedOutReason;
    };
    await signInAs('buyer');
    assert.equal(await reset(), undefined);
    assert.equal((await sessions.get('Local Sandbox')?.client.listPage('objects', { limit: 1 }))?.items.length, 1);
    await signInAs('customer');
    assert.equal(await reset(), 'Not signed in');
    assert.ok(sessions.getIdentity('Local Sandbox', 'buyer'));
    ui.answer('pick', 'Sandbox buyer');
    await runCommand('signIn', 'Local Sandbox');
    assert.deepEqual(ui.readMessages('error'), []);
    assert.equal(sessions.get('Local Sandbox')?.identityName, 'customer');
    assert.equal(sessions.get('Local Sandbox')?.signedOutReason, undefined);
  });
});
