/** New Action File, completion of ids, and findings in expectations. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fillDocument } from '../../../src/actions/language/new-action-file.ts';
import { actionSuite, complete, CONNECTION, execute, readCustom, readIds, remove, write } from '../support/actions.ts';
import { closeAll, eventually } from '../support/documents.ts';
import { clearFaults, fault } from '../support/sandbox.ts';

actionSuite('actions: new files and expectations', (getExtension) => {
  test('New Action File fills in real ids; from an object, a template, an action log and a run', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    extension.ui.answer('pick', 'mint', known.template('Jacket'));
    await vscode.commands.executeCommand('smartObjects.newActionFile');
    const text = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    const start = `"template_id": "${known.template('Jacket')}",\\s*"num": 1,\\s*"data": {\\s*"metadata": {},\\s*"custom": {`;
    // Contains all custom data of the template, with exact numbers.
    assert.match(text(), new RegExp(`${start}\\s*"model": "Fjell",[^]*"serial_number": \\d{20},[^]*"repairs": \\[\\]`));
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /\.action\.json$/);
    const id = known.object('Jacket');
    extension.ui.answer('pick', 'Sell or give');
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', {
      connection: CONNECTION,
      kind: 'objects',
      id,
    });
    assert.deepEqual(JSON.parse(text()), { action: { transfer: { id, to: '' } } });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const cursor = editor.document.offsetAt(editor.selection.active);
    assert.equal(text().slice(cursor - 1, cursor + 1), '""', 'the cursor is in the first value to fill in');
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', {
      resource: { connection: CONNECTION, kind: 'templates', id: known.template('Jacket') },
    });
    assert.match(text(), /"mint": \{\s*"template_id"/);
    const session = (await extension.services()).sessions.get(CONNECTION);
    const logs = (await session?.client.listPage('action-logs', { limit: 100 }))?.items ?? [];
    const log = logs.find(({ view }) => view?.action_name === 'update')?.id;
    assert.ok(log);
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', {
      connection: CONNECTION,
      kind: 'action-logs',
      id: log,
    });
    assert.match(text(), /^\{\n {2}"action": \{\n {4}"update": \{\n {6}"id": "obj_[^]*"data": \{/);
    const [run] = await execute(await write('again.action.json', '{"action": {"burn": {"id": "obj_none"}}} // kept'));
    assert.equal(run?.outcome, 'refused');
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', { run: run.id });
    assert.equal(text(), '{"action": {"burn": {"id": "obj_none"}}} // kept');
  });

  test('the text of a new form changes after its editor is there: VS Code would open it as text, too', async () => {
    const id = (await readIds(getExtension())).object('Jacket');
    const changes: boolean[] = [];
    const listener = vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      if (uri.scheme !== 'untitled' || contentChanges.length === 0) return;
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      changes.push(
        tabs.some(({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString()),
      );
    });
    try {
      const resource = { connection: CONNECTION, kind: 'objects', id };
      await vscode.commands.executeCommand('smartObjects.transferObject', resource);
      await eventually(() => changes.at(-1));
      assert.ok(!changes.includes(false), String(changes));
    } finally {
      listener.dispose();
    }
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('the rows of an unsaved form are stored for a reload to the digit', async () => {
    const serial = JSON.rawJSON('9007199254740993');
    const items = ['a', 'b'].map((id) => ({ id, raw: { custom: { serial } } }));
    await vscode.commands.executeCommand('smartObjects.updateObject', {
      connection: CONNECTION,
      kind: 'objects',
      items,
    });
    const { context } = await getExtension().services();
    assert.match(JSON.stringify(context.workspaceState.get('smartObjects.forms.targets')), /9007199254740993/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('an earlier state of an object is restored by an update, which names what it does not restore', async () => {
    const extension = getExtension();
    const id = (await readIds(extension)).object('Jacket');
    const session = (await extension.services()).sessions.get(CONNECTION);
    const { raw } = (await session?.client.read('objects', [id]))?.item ?? {};
    const present = raw as { readonly metadata: object; readonly custom: object };
    const [[added] = assert.fail(), ...rest] = Object.entries(present.custom);
    const others = { ...Object.fromEntries(rest), note: '${env:HOME}' };
    const state = { ...present, owner: '0xformer', custom: { ...others, wifi: { password: '••••' } } };
    const uri = await vscode.commands.executeCommand<vscode.Uri>('smartObjects.newActionFileFrom', {
      connection: CONNECTION,
      kind: 'objects',
      id,
      state,
    });
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    const [restores, left, hidden] = text.split('\n');
    assert.match(restores ?? '', /^\/\/ Restores /);
    assert.equal(left, `// An update does not restore: owner, custom.${added}`);
    assert.equal(hidden, '// Left out, since their values are hidden: data.custom.wifi');
    assert.match(text, /\d{20}/, 'numbers are exact');
    const file = JSON.parse(text.replace(/^\/\/.*$/gm, '')) as unknown;
    // Not a variable, which would send something else.
    const custom = { ...others, note: '$${env:HOME}' };
    const expected = { action: { update: { id, data: { metadata: {}, custom } } } };
    assert.deepEqual(file, JSON.parse(JSON.stringify(expected)));
    // The check is that of the page's connection, whichever is active.
    const findings = await vscode.commands.executeCommand('smartObjects.checkAction', uri, CONNECTION);
    assert.ok(Array.isArray(findings));
    assert.match(extension.ui.readMessages('info').join('\n') + extension.ui.readMessages('warn').join('\n'), /action/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('Update… leaves out a hidden value, which the update would replace by its mask', async () => {
    const id = (await readIds(getExtension())).object('Jacket');
    const wifi = { refresh_token: 'open sesame' };
    const action = { update: { id, data: { custom: { wifi, seat: 7 } } } };
    const [run] = await execute(await write('wifi.action.json', JSON.stringify({ action })));
    assert.equal(run?.outcome, 'completed');
    const resource = { connection: CONNECTION, kind: 'objects', id };
    const uri = await vscode.commands.executeCommand<vscode.Uri>('smartObjects.updateObject', resource);
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match(text, /^\/\/ Left out, since their values are hidden: data\.custom\.wifi\n/);
    assert.match(text, /"seat": 7/);
    assert.doesNotMatch(text, /••••|sesame/);
    await execute(await write('wifi.action.json', text));
    assert.deepEqual((await readCustom(id))['wifi'], wifi, 'the update leaves it as it is');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('a new document has only its own text, even if VS Code opened it with the text of one that was closed', async () => {
    const document = await vscode.workspace.openTextDocument({ content: '{\n  "action": {}\n}\n' });
    await fillDocument(document.uri, '{}\n');
    assert.equal(document.getText(), '{}\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('New Action File explains an empty list, and accepts a typed ID', async () => {
    const extension = getExtension();
    const text = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    const getChoices = (): readonly string[] =>
      extension.ui.messages.findLast(({ kind }) => kind === 'pick')?.choices ?? [];
    fault({ route: 'GET /objects', fault: 'forbidden', count: null });
    extension.ui.answer('pick', 'burn', 'obj_typed');
    await vscode.commands.executeCommand('smartObjects.newActionFile');
    assert.deepEqual(getChoices(), ['None. Enter the ID in the file', 'Retry']);
    assert.deepEqual(JSON.parse(text()), { action: { burn: { id: 'obj_typed' } } });
    clearFaults();
    await extension.signOut(CONNECTION);
    // The sign-in was cancelled, and the list is shown again.
    extension.ui.answer('pick', 'burn', 'Sign In…', undefined, 'None. Enter the ID in the file');
    await vscode.commands.executeCommand('smartObjects.newActionFile');
    assert.deepEqual(getChoices(), ['None. Enter the ID in the file', 'Sign In…']);
    assert.deepEqual(JSON.parse(text()), { action: { burn: { id: '' } } });
  });

  test('impossible expectations are reported while typing, also in suites', async () => {
    await write('tests/there.action.json', { action: { burn: { id: 'x' } } });
    const suite = await write('tests/story.actions.json', {
      steps: [{ file: 'there.action.json' }, { file: 'gone.action.json', expect: { steps: [{ outputs: {} }] } }],
    });
    const lonely = await write('tests/lonely.expect.json', { log: { hash: { $match: '(' } }, stauts: 'completed' });
    const messages = (uri: vscode.Uri): string => {
      const found = vscode.languages.getDiagnostics(uri);
      return found
        .map(
          ({ message, range }) =>
            `${uri.with({ scheme: '' }).path.split('/').at(-1) ?? ''}:${String(range.start.line + 1)} ${message}`,
        )
        .join('\n');
    };
    try {
      for (const uri of [suite, lonely]) await vscode.window.showTextDocument(uri, { preview: false });
      const messagesText = await eventually(() => {
        const all = `${messages(suite)}\n${messages(lonely)}`;
        return all.split('\n').length === 5 ? all : undefined;
      });
      assert.match(messagesText, /^story.actions.json:7 File gone\.action\.json was not found$/m);
      assert.match(messagesText, /^story.actions.json:11 Property outputs is not allowed/m);
      assert.match(
        messagesText,
        /^lonely.expect.json:1 File lonely\.action\.json was not found, so this expectation is not used$/m,
      );
      assert.match(messagesText, /^lonely.expect.json:4 This is not a valid regular expression and never matches$/m);
      assert.match(messagesText, /^lonely.expect.json:7 Property stauts is not allowed/m);
    } finally {
      await closeAll();
      await remove('tests');
    }
  });

  test('columns of the data file beside are completed, and a single run asks for the data', async () => {
    const extension = getExtension();
    try {
      await write('rows/give.csv', '\ufeffobject;new owner\r\nobj_1;0x1\r\n');
      const uri = await write('rows/give.action.json', '{"action": {"transfer": {"id": "obj_1", "to": ""}}}');
      const editor = await vscode.window.showTextDocument(uri);
      const at = editor.document.getText().indexOf('""') + 1;
      await complete(editor, at, ({ insertText }) => insertText === '"${row:new owner}"');
      assert.ok(editor.document.getText().includes('"to": "${row:new owner}"'));
      await editor.document.save();
      await execute(uri);
      const messages = JSON.stringify(extension.ui.messages);
      assert.match(messages, /give\.action\.json, line 1: \$\{row:new owner\} is a column of a data file/);
    } finally {
      await closeAll();
      await remove('rows');
    }
  });

  test('ids of every kind are completed by the name of the field', async () => {
    const extension = getExtension();
    const session = (await extension.services()).sessions.get(CONNECTION);
    const face = (await session?.client.listPage('faces', { limit: 1 }))?.items[0]?.id ?? '';
    const uri = await write('deep.action.json', '{"action": {"update": {"data": {"custom": {"face_id": ""}}}}}');
    const editor = await vscode.window.showTextDocument(uri);
    const at = editor.document.getText().indexOf('""') + 1;
    await complete(editor, at, ({ insertText }) => insertText === JSON.stringify(face));
    assert.match(editor.document.getText(), new RegExp(`"face_id": "${face}"`));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      editor.document.positionAt(at + 2),
    );
    const hoverTexts = hovers.flatMap(({ contents }) =>
      contents.map((part) => String(Reflect.get(Object(part), 'value'))),
    );
    // The targets of links are not shown.
    const shown = hoverTexts
      .join('\n')
      .replace(/\]\([^)]*\)/g, ']')
      .replaceAll('\\', '')
      .replaceAll('&nbsp;', ' ');
    assert.equal(shown.split(face).length, 2, `the id is shown once:\n${shown}`);
    assert.match(shown, /face · .*Actions/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
