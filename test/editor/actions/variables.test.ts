/** Variables, secrets and the signer. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { openWorkspaceStorage } from '../../../src/model/files/workspace-storage.ts';
import { actionSuite, CANARY, CONNECTION, readCustom, execute, folder, readIds, write } from '../support/actions.ts';
import { eventually } from '../support/documents.ts';
import { countPosts, getSandbox } from '../support/sandbox.ts';

actionSuite('actions: variables and signer', (getExtension) => {
  test('variables: prompted once, confirmed once, and no value is stored', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Jacket');
    await write('vars/note.txt', 'from a file');
    const uri = await write('vars/vars.action.json', {
      action: {
        update: {
          id: '${input:object}',
          data: { custom: { secret: '${secret:KEY}', note: '${file:note.txt}', home: '${env:TEST_VALUE}' } },
        },
      },
    });
    // Prompts: the inputs, the list of sent values, the environment variable, the secret.
    extension.ui.answer('input', id, CANARY);
    extension.ui.answer('confirm', true, true);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason ?? extension.ui.readMessages('error').join());
    const [question, allow] = extension.ui.messages.filter(({ kind }) => kind === 'confirm');
    assert.match(question?.text ?? '', new RegExp(`^Sandbox · ${CONNECTION}.*Changes the data of an object`));
    const [action, object, fee, ...sent] = question?.detail?.split('\n') ?? [];
    assert.equal(action, 'Action: update');
    assert.match(`${object ?? ''}\n${fee ?? ''}`, new RegExp(`^Object: ${id} “[^”]+”\nFee: `));
    assert.deepEqual(sent, [
      `vars/vars.action.json sends: the input object (${id}), the secret KEY, the content of the file vars/note.txt, the environment variable TEST_VALUE`,
      `All of this is sent to ${getSandbox().baseUrl}.`,
    ]);
    assert.match(allow?.text ?? '', /read the environment variable TEST_VALUE\?$/);
    const custom = await readCustom(id);
    assert.deepEqual([custom['secret'], custom['note'], custom['home']], [CANARY, 'from a file', '1']);
    assert.equal(JSON.stringify(run).includes(CANARY), false, 'in the run');
    assert.equal(extension.logLines.join('\n').includes(CANARY), false, 'in the log');
    assert.match(run.source, /\$\{secret:KEY\}/);
    assert.equal(run.effect, 'Changes the data of object ${input:object}');
    // A stored secret is masked in documents, also if the platform returns it.
    await extension.features.run('copyJson', { connection: CONNECTION, kind: 'objects', id });
    const shown = await vscode.env.clipboard.readText();
    assert.match(shown, /"secret": "••••"/);
    assert.equal(shown.includes(CANARY), false);
    // Again with the same variables and values: no confirmation.
    extension.ui.reset();
    const [again] = await execute(uri);
    assert.equal(again?.outcome, 'completed', again?.reason);
    for (const kind of ['confirm', 'input'] as const) assert.deepEqual(extension.ui.readMessages(kind), [], kind);
    // A file with the same name in another folder has other content and is confirmed.
    await write('vars/other/note.txt', 'from elsewhere');
    const other = await write('vars/other/vars.action.json', (await vscode.workspace.openTextDocument(uri)).getText());
    assert.deepEqual(await execute(other), []);
    assert.match(
      extension.ui.messages.find(({ kind }) => kind === 'confirm')?.detail ?? '',
      /^vars\/other\/vars\.action\.json sends: .* the file vars\/other\/note\.txt,/m,
    );
    extension.ui.reset();
    // More variables are confirmed again; declined, nothing is sent.
    const before = countPosts();
    const longer = await write('vars/longer.action.json', {
      action: { update: { id: '${input:object}', data: { custom: { a: '${secret:KEY}', b: '${env:PATH}' } } } },
    });
    assert.deepEqual(await execute(longer), []);
    assert.match(
      extension.ui.messages.find(({ kind }) => kind === 'confirm')?.detail ?? '',
      /longer\.action\.json sends: .*the environment variable PATH$/m,
    );
    // The list is confirmed, but reading PATH is declined.
    extension.ui.answer('confirm', true, false);
    const [refused] = await execute(longer);
    assert.deepEqual([refused?.outcome, refused?.reason], ['notSent', '${env:PATH} was not allowed. Nothing was sent']);
    assert.equal(countPosts(), before);
    const storage = await openWorkspaceStorage(extension.features.context, vscode.workspace);
    const runs = vscode.Uri.joinPath(vscode.Uri.file(storage), 'runs');
    const storedFiles = await eventually(async () => {
      const names = (await vscode.workspace.fs.readDirectory(runs)).map(([name]) => name);
      const isWritten = [again, refused].every((run) => names.includes(`${run?.id ?? ''}.json`));
      return isWritten && !names.some((name) => name.endsWith('.partial')) ? names : undefined;
    });
    for (const name of storedFiles) {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(runs, name));
      for (const secret of [CANARY, getSandbox().apiKey])
        assert.equal(new TextDecoder().decode(bytes).includes(secret), false, name);
    }
  });

  test('the value of an environment variable is masked in later reads, as a secret is', async () => {
    const extension = getExtension();
    const id = (await readIds(extension)).object('Jacket');
    const value = `${CANARY}-environment`;
    process.env['ACTIONS_ENV_TEST'] = value;
    try {
      const uri = await write('env.action.json', {
        action: { update: { id, data: { custom: { home: '${env:ACTIONS_ENV_TEST}' } } } },
      });
      extension.ui.answer('confirm', true, true);
      const [run] = await execute(uri);
      assert.equal(run?.outcome, 'completed', run?.reason);
    } finally {
      Reflect.deleteProperty(process.env, 'ACTIONS_ENV_TEST');
    }
    assert.equal((await readCustom(id))['home'], value, 'what the platform holds');
    await extension.features.run('copyJson', { connection: CONNECTION, kind: 'objects', id });
    const shown = await vscode.env.clipboard.readText();
    assert.match(shown, /"home": "••••"/);
    assert.equal(shown.includes(value), false);
  });

  test('the confirmation names the real path of a file behind a link', async () => {
    const extension = getExtension();
    const id = (await readIds(extension)).object('Jacket');
    await write('links/.env', 'TOKEN=1');
    const uri = await write('links/sub/link.action.json', {
      action: { update: { id, data: { custom: { note: '${file:note.txt}' } } } },
    });
    const link = vscode.Uri.joinPath(uri, '..', 'note.txt').fsPath;
    fs.rmSync(link, { force: true });
    fs.symlinkSync('../.env', link);
    assert.deepEqual(await execute(uri), []);
    assert.match(
      extension.ui.messages.find(({ kind }) => kind === 'confirm')?.detail ?? '',
      /the content of the file links\/\.env \(through the link links\/sub\/note\.txt\)$/m,
    );
  });

  test('Manage Action Variables replaces or deletes stored values, and shows no secret', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Concert');
    const uri = await write('managed.action.json', {
      action: { update: { id, data: { custom: { value: '${secret:MANAGED}', row: '${input:row}' } } } },
    });
    const manage = (): Promise<unknown> => extension.features.run('manageVariables');
    extension.ui.answer('pick', '$(add) New Secret…');
    extension.ui.answer('input', 'MANAGED', `${CANARY}-first`);
    await manage();
    extension.ui.answer('input', 'A');
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri))[0]?.outcome, 'completed');
    assert.deepEqual(await readCustom(id), { ...(await readCustom(id)), value: `${CANARY}-first`, row: 'A' });
    extension.ui.answer('pick', '$(key) MANAGED', 'Replace…');
    extension.ui.answer('input', `${CANARY}-second`);
    await manage();
    extension.ui.answer('pick', '$(symbol-variable) row', 'Replace…');
    extension.ui.answer('input', 'B');
    await manage();
    // A list with another value of an input is confirmed again.
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri))[0]?.outcome, 'completed');
    assert.deepEqual(await readCustom(id), { ...(await readCustom(id)), value: `${CANARY}-second`, row: 'B' });
    extension.ui.answer('pick', '$(key) MANAGED', 'Delete', '$(symbol-variable) row', 'Delete');
    await manage();
    await manage();
    const shown = JSON.stringify(extension.ui.messages);
    assert.equal(shown.includes(CANARY), false);
    const rows = extension.ui.messages.findLast(({ text }) => text === 'Action Variables');
    assert.equal(
      rows?.choices.some((label) => label.includes('MANAGED')),
      false,
    );
    // Prompted again and cancelled: nothing is sent.
    const before = countPosts();
    extension.ui.answer('input', 'A');
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.deepEqual([run?.outcome, run?.reason], ['notSent', 'No value for ${secret:MANAGED}. Nothing was sent']);
    assert.equal(countPosts(), before);
  });

  test('a secret belongs to its connection: another server under the same name does not get it', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('bound.action.json', {
      action: { update: { id: known.object('Concert'), data: { custom: { value: '${secret:BOUND}' } } } },
    });
    extension.ui.answer('input', CANARY);
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri))[0]?.outcome, 'completed');
    await extension.addConnection(
      { name: CONNECTION, baseUrl: `${getSandbox().baseUrl}/elsewhere`, environment: 'sandbox' },
      { apiKey: getSandbox().apiKey },
    );
    extension.ui.reset();
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'notSent', run?.reason);
    assert.deepEqual(extension.ui.readMessages('input'), [`Value of \${secret:BOUND} for ${CONNECTION}`]);
  });

  test('the signer signs the request; if it fails or times out, nothing is sent', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const settings = vscode.workspace.getConfiguration('smartObjects');
    const signer = (code: string): Thenable<void> =>
      settings.update('signer.command', [process.execPath, '-e', code], vscode.ConfigurationTarget.Global);
    const uri = await write('signed.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 1 } },
      signature: '',
    });
    try {
      await signer("let t='';process.stdin.on('data',(d)=>t+=d).on('end',()=>console.log('sig-'+t.length))");
      const [run] = await execute(uri);
      assert.equal(run?.outcome, 'completed', run?.reason);
      const canonical = `{"mint":{"num":1,"template_id":"${known.template('Jacket')}"}}`;
      assert.match(run.log ?? '', new RegExp(`"signature": "sig-${String(canonical.length)}"`));
      const before = countPosts();
      await signer("console.error('the key \\u001b[31mis locked');process.exit(3)");
      const [failed] = await execute(uri);
      assert.equal(failed?.outcome, 'notSent');
      assert.match(failed.reason ?? '', /exited with code 3: the key .*is locked$/);
      assert.match(extension.ui.readMessages('warn').at(-1) ?? '', /^signed: not sent on Actions\. The signer /);
      // A workspace must not name a program, so the setting is a machine setting.
      await settings.update('signer.command', undefined, vscode.ConfigurationTarget.Global);
      await write('.vscode/settings.json', { 'smartObjects.signer.command': [process.execPath, '-e', '1'] });
      assert.equal(countPosts(), before);
      assert.equal((await execute(uri))[0]?.outcome, 'completed');
    } finally {
      await settings.update('signer.command', undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs
        .delete(vscode.Uri.joinPath(folder(), '.vscode/settings.json'))
        .then(undefined, () => undefined);
    }
  });

  test('the result of an earlier run is that of the newest one, even if that failed', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('user.action.json', {
      action: { update: { id: '${run:maker.steps[0].output.ids[0]}', data: { custom: { made: true } } } },
    });
    const make = async (place: string, template: string): Promise<string | undefined> => {
      const action = { mint: { template_id: known.template(template), num: 1 } };
      return (await execute(await write(`${place}/maker.action.json`, { action })))[0]?.outcome;
    };
    extension.ui.answer('confirm', true);
    assert.equal(await make('good', 'Concert'), 'completed');
    const [used] = await execute(uri);
    assert.equal(used?.outcome, 'completed', used?.reason);
    assert.equal(await make('bad', 'Limited'), 'failed');
    const before = countPosts();
    const [stale] = await execute(uri);
    assert.equal(stale?.outcome, 'notSent');
    assert.match(stale.reason ?? '', /was not found in the result of maker/);
    assert.equal(countPosts(), before);
  });
});
