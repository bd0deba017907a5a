/** Actions in real VS Code: variables, secrets and the signer, each asked once and kept nowhere else. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { actionSuite, CANARY, CONNECTION, customOf, execute, folder, ids, posts, write } from './support/actions.ts';
import { sandbox } from './support/connections.ts';
import { eventually } from './support/documents.ts';

actionSuite('actions: variables and signer', (held) => {
  test('variables: asked once, disclosed once, and no value is kept', async () => {
    const extension = held();
    const known = await ids(extension);
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
    // The inputs, then the list of all that is sent, the name of the environment's, the secret.
    extension.ui.answer('input', id, CANARY);
    extension.ui.answer('confirm', true, true);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason ?? extension.ui.said('error').join());
    const [question, allow] = extension.ui.all.filter(({ kind }) => kind === 'confirm');
    assert.match(question?.text ?? '', new RegExp(`^Sandbox · ${CONNECTION}.*Changes the data of object .*${id}`));
    assert.deepEqual(question?.detail?.split('\n'), [
      `vars/vars.action.json sends the input object (${id}), the secret KEY, the content of the file vars/note.txt, the environment variable TEST_VALUE.`,
      `All of it goes to ${sandbox().baseUrl}.`,
    ]);
    assert.match(allow?.text ?? '', /read the environment variable TEST_VALUE\?$/);
    const custom = await customOf(id);
    assert.deepEqual([custom['secret'], custom['note'], custom['home']], [CANARY, 'from a file', '1']);
    assert.equal(JSON.stringify(run).includes(CANARY), false, 'in the run');
    assert.equal(extension.logLines.join('\n').includes(CANARY), false, 'in the log');
    assert.match(run.source, /\$\{secret:KEY\}/);
    assert.equal(run.effect, 'Changes the data of object ${input:object}');
    // A stored secret is shown in no document, also where the platform holds it.
    await extension.entry.run('copyJson', { connection: CONNECTION, kind: 'objects', id });
    const shown = await vscode.env.clipboard.readText();
    assert.match(shown, /"secret": "••••"/);
    assert.equal(shown.includes(CANARY), false);
    // Again: the list is the same, and so are the values. Nothing is asked.
    extension.ui.reset();
    const [again] = await execute(uri);
    assert.equal(again?.outcome, 'completed', again?.reason);
    for (const kind of ['confirm', 'input'] as const) assert.deepEqual(extension.ui.said(kind), [], kind);
    // A file of the same name elsewhere sends another content: that is told.
    await write('vars/other/note.txt', 'from elsewhere');
    const other = await write('vars/other/vars.action.json', (await vscode.workspace.openTextDocument(uri)).getText());
    assert.deepEqual(await execute(other), []);
    assert.match(
      extension.ui.all.find(({ kind }) => kind === 'confirm')?.detail ?? '',
      /^vars\/other\/vars\.action\.json sends .* the file vars\/other\/note\.txt,/,
    );
    extension.ui.reset();
    // A longer list is told again; declined, nothing is sent.
    const before = await posts();
    const longer = await write('vars/longer.action.json', {
      action: { update: { id: '${input:object}', data: { custom: { a: '${secret:KEY}', b: '${env:PATH}' } } } },
    });
    assert.deepEqual(await execute(longer), []);
    assert.match(
      extension.ui.all.find(({ kind }) => kind === 'confirm')?.detail ?? '',
      /longer\.action\.json sends .*the environment variable PATH\./,
    );
    // The list agreed to, but not that PATH is read.
    extension.ui.answer('confirm', true, false);
    const [refused] = await execute(longer);
    assert.deepEqual([refused?.outcome, refused?.reason], ['notSent', '${env:PATH} was not allowed; nothing was sent']);
    assert.equal(await posts(), before);
    const storage = extension.entry.context.storageUri;
    assert.ok(storage);
    const runs = vscode.Uri.joinPath(storage, 'runs');
    const kept = await eventually(async () => {
      const names = (await vscode.workspace.fs.readDirectory(runs)).map(([name]) => name);
      return names.includes(`${again.id}.json`) ? names : undefined;
    });
    for (const name of kept) {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(runs, name));
      for (const secret of [CANARY, sandbox().apiKey])
        assert.equal(new TextDecoder().decode(bytes).includes(secret), false, name);
    }
  });

  test('the value of an environment variable is masked in later reads, as a secret is', async () => {
    const extension = held();
    const id = (await ids(extension)).object('Jacket');
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
    assert.equal((await customOf(id))['home'], value, 'what the platform holds');
    await extension.entry.run('copyJson', { connection: CONNECTION, kind: 'objects', id });
    const shown = await vscode.env.clipboard.readText();
    assert.match(shown, /"home": "••••"/);
    assert.equal(shown.includes(value), false);
  });

  test('a file that a link leads to is named in the question, by its real path', async () => {
    const extension = held();
    const id = (await ids(extension)).object('Jacket');
    await write('links/.env', 'TOKEN=1');
    const uri = await write('links/sub/link.action.json', {
      action: { update: { id, data: { custom: { note: '${file:note.txt}' } } } },
    });
    const link = vscode.Uri.joinPath(uri, '..', 'note.txt').fsPath;
    fs.rmSync(link, { force: true });
    fs.symlinkSync('../.env', link);
    assert.deepEqual(await execute(uri), []);
    assert.match(
      extension.ui.all.find(({ kind }) => kind === 'confirm')?.detail ?? '',
      /the content of the file links\/\.env \(through the link links\/sub\/note\.txt\)\./,
    );
  });

  test('Manage Action Variables: what is remembered is replaced or forgotten, and no secret is shown', async () => {
    const extension = held();
    const known = await ids(extension);
    const id = known.object('Concert');
    const uri = await write('managed.action.json', {
      action: { update: { id, data: { custom: { value: '${secret:MANAGED}', row: '${input:row}' } } } },
    });
    const manage = (): Promise<unknown> => extension.entry.run('manageVariables');
    extension.ui.answer('pick', '$(add) New Secret…');
    extension.ui.answer('input', 'MANAGED', `${CANARY}-first`);
    await manage();
    extension.ui.answer('input', 'A');
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri))[0]?.outcome, 'completed');
    assert.deepEqual(await customOf(id), { ...(await customOf(id)), value: `${CANARY}-first`, row: 'A' });
    extension.ui.answer('pick', '$(key) MANAGED', 'Replace…');
    extension.ui.answer('input', `${CANARY}-second`);
    await manage();
    extension.ui.answer('pick', '$(symbol-variable) row', 'Replace…');
    extension.ui.answer('input', 'B');
    await manage();
    // Another value of an input is another list.
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri))[0]?.outcome, 'completed');
    assert.deepEqual(await customOf(id), { ...(await customOf(id)), value: `${CANARY}-second`, row: 'B' });
    extension.ui.answer('pick', '$(key) MANAGED', 'Forget', '$(symbol-variable) row', 'Forget');
    await manage();
    await manage();
    const shown = JSON.stringify(extension.ui.all);
    assert.equal(shown.includes(CANARY), false);
    const rows = extension.ui.all.findLast(({ text }) => text === 'Action Variables');
    assert.equal(
      rows?.choices.some((label) => label.includes('MANAGED')),
      false,
    );
    // Asked for again, and not given: nothing is sent.
    const before = await posts();
    extension.ui.answer('input', 'A');
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.deepEqual([run?.outcome, run?.reason], ['notSent', 'No value for ${secret:MANAGED}; nothing was sent']);
    assert.equal(await posts(), before);
  });

  test('a secret belongs to its connection: another server under the same name does not get it', async () => {
    const extension = held();
    const known = await ids(extension);
    const uri = await write('bound.action.json', {
      action: { update: { id: known.object('Concert'), data: { custom: { value: '${secret:BOUND}' } } } },
    });
    extension.ui.answer('input', CANARY);
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri))[0]?.outcome, 'completed');
    await extension.addConnection(
      { name: CONNECTION, baseUrl: `${sandbox().baseUrl}/elsewhere`, environment: 'sandbox' },
      { apiKey: sandbox().apiKey },
    );
    extension.ui.reset();
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'notSent', run?.reason);
    assert.deepEqual(extension.ui.said('input'), [`Value of \${secret:BOUND} for ${CONNECTION}`]);
  });

  test('the signer signs what is sent; one that fails, or says nothing in time, lets nothing through', async () => {
    const extension = held();
    const known = await ids(extension);
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
      const before = await posts();
      await signer("console.error('the key \\u001b[31mis locked');process.exit(3)");
      const [failed] = await execute(uri);
      assert.equal(failed?.outcome, 'notSent');
      assert.match(failed.reason ?? '', /ended with exit code 3: the key .*is locked$/);
      assert.match(extension.ui.said('warn').at(-1) ?? '', /^signed: not sent\. The signer /);
      // The workspace does not name a program: the setting is the machine's.
      await settings.update('signer.command', undefined, vscode.ConfigurationTarget.Global);
      await write('.vscode/settings.json', { 'smartObjects.signer.command': [process.execPath, '-e', '1'] });
      assert.equal(await posts(), before);
      assert.equal((await execute(uri))[0]?.outcome, 'completed');
    } finally {
      await settings.update('signer.command', undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs
        .delete(vscode.Uri.joinPath(folder(), '.vscode/settings.json'))
        .then(undefined, () => undefined);
    }
  });

  test('the result of an earlier run is that of the newest: a failed one lets no older one pass', async () => {
    const extension = held();
    const known = await ids(extension);
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
    const before = await posts();
    const [stale] = await execute(uri);
    assert.equal(stale?.outcome, 'notSent');
    assert.match(stale.reason ?? '', /the run of maker has no /);
    assert.equal(await posts(), before);
  });
});
