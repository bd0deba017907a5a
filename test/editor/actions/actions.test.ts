/** Actions in real VS Code: written with completion, checked, run and followed to the batch. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { actionSuite, CONNECTION, complete, execute, readIds, write } from '../support/actions.ts';
import { closeAll, eventually } from '../support/documents.ts';
import { explorer, findRow, getRowsBelow } from '../support/explorer.ts';
import type { Finding } from '../../../src/actions/file/findings.ts';
import { clearFaults, countPosts, EXECUTE, fault, getSandbox } from '../support/sandbox.ts';
import { formatText } from '../../../src/platform/text/message.ts';

actionSuite('actions: write, check, run', (getExtension) => {
  test('each kind: written with completion, run and followed to a completed batch, with the right object diff', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      mint: { template_id: known.template('Concert') },
      update: { id: known.object('Concert') },
      transfer: { id: known.object('Concert'), to: '' },
      redeem: { id: known.object('Concert') },
      drop: { id: known.object('Trail') },
      pickup: { id: known.object('Trail', true) },
      burn: { id: known.object('Trail') },
      connect: { id: known.object('Wristband') },
      bridgeNFT: { id: known.object('Jacket') },
      remote: { id: known.object('Hut Key') },
    };
    const before = countPosts();
    const files: vscode.Uri[] = [];
    for (const [kind, fields] of Object.entries(values)) {
      const uri = await write(`kinds/${kind}.action.json`, '// by completion\n{\n  "action": {\n    \n  }\n}\n');
      const editor = await vscode.window.showTextDocument(uri);
      const text = (): string => editor.document.getText();
      await complete(editor, text().indexOf('{\n    ') + 6, ({ label }) => label === kind);
      for (const [field, id] of Object.entries(fields)) {
        const place = text().indexOf('""', text().indexOf(`"${field}"`)) + 1;
        await complete(editor, place, ({ insertText, detail }) =>
          id === '' ? detail === 'found in objects' : insertText === JSON.stringify(id),
        );
      }
      assert.doesNotMatch(text(), /""/, text());
      assert.equal(editor.document.languageId, 'jsonc');
      files.push(uri);
    }
    // Not saved: the editor's text is sent.
    const runs = (await Promise.all(files.map((uri) => execute(uri)))).flat();
    assert.equal(countPosts(), before + files.length);
    assert.deepEqual(
      runs.map(({ name, outcome, batchStatus }) => [name, outcome, batchStatus]),
      Object.keys(values).map((kind) => [kind, 'completed', 'completed']),
    );
    for (const run of runs) {
      assert.match(run.transaction ?? '', /^0x/);
      assert.ok(run.affected.length > 0, run.name);
      for (const object of run.affected) {
        if (run.name === 'burn') assert.match(formatText(object.note ?? ''), /does not exist any more/);
        else assert.equal(object.after, (await session.client.read('objects', [object.id])).text, run.name);
        assert.equal(object.before === undefined, run.name === 'mint', run.name);
        assert.notEqual(object.previousRoot, object.nextRoot);
      }
    }
    // As the editor shows one of them.
    const update = runs.find(({ name }) => name === 'update');
    await vscode.commands.executeCommand('smartObjects.openRunDiff', update?.id, 0);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.equal(left?.getText(), update?.affected[0]?.before);
    assert.equal(right?.getText(), update?.affected[0]?.after);
  });

  test('findings while typing, their fixes, hover and Check against live data', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const object = known.object('Early Bird');
    const uri = await write('check.action.json', { action: { burn: { object_id: object } } });
    const editor = await vscode.window.showTextDocument(uri);
    const codes = (): unknown[] => vscode.languages.getDiagnostics(uri).map(({ code }) => code);
    await eventually(() => (codes().includes('wrongName') ? true : undefined));
    const [first] = vscode.languages.getDiagnostics(uri);
    assert.ok(first);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      first.range,
      vscode.CodeActionKind.QuickFix.value,
      10,
    );
    const fix = actions.find(({ title }) => title === 'Rename to `id`');
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(editor.document.getText(), /"burn": \{\s*"id"/);
    // The text is checked against live data a moment after typing.
    await eventually(() => (codes().join() === 'notListed' ? true : undefined));
    const findings = await vscode.commands.executeCommand<readonly Finding[]>('smartObjects.checkAction', uri);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['notListed'],
    );
    assert.deepEqual(codes(), ['notListed']);
    assert.match(
      extension.ui.readMessages('warn').at(-1) ?? '',
      /^check\.action\.json, line 3: Template “Early Bird Voucher” has no action burn/,
    );
    const at = editor.document.positionAt(editor.document.getText().indexOf(object) + 2);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
    const hoverTexts = hovers.flatMap(({ contents }) =>
      contents.map((part) => JSON.stringify(Reflect.get(Object(part), 'value'))),
    );
    assert.ok(
      hoverTexts.some((text) => text.includes('Early')),
      hoverTexts.join('\n'),
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('a pasted credential, an e-mail address and a refused field are marked at their position', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const pasted = await write('pasted.action.json', {
      action: {
        transfer: {
          id: known.object('Jacket'),
          to: 'ann@example.org',
          data: { custom: { note: getSandbox().apiKey } },
        },
      },
    });
    await vscode.window.showTextDocument(pasted);
    const found = (uri: vscode.Uri, code: string): vscode.Diagnostic | undefined =>
      vscode.languages.getDiagnostics(uri).find((one) => one.code === code);
    const credential = await eventually(() => found(pasted, 'credential'));
    assert.match(credential.message, /stored secret.*Use \$\{secret:note\}/);
    assert.equal(credential.message.includes(getSandbox().apiKey), false);
    assert.ok(found(pasted, 'email'));
    const checked = await vscode.commands.executeCommand<readonly Finding[]>('smartObjects.checkAction', pasted);
    assert.ok(checked.some(({ code }) => code === 'credential'));
    assert.match(extension.ui.readMessages('warn').at(-1) ?? '', /^pasted\.action\.json, line \d+: /);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      pasted,
      credential.range,
    );
    const fix = actions.find(({ title }) => title === 'Replace with ${secret:note}');
    assert.ok(fix);
    assert.equal(fix.edit, undefined, 'computed when it is asked for');
    const refused = await write('refused.action.json', {
      action: { mint: { template_id: known.template('Jacket'), to: 5 } },
    });
    const { document } = await vscode.window.showTextDocument(refused);
    const [run] = await execute(refused);
    assert.equal(run?.outcome, 'refused', run?.reason);
    const named = await eventually(() => found(refused, 'refused'));
    assert.equal(document.getText(named.range), '5');
    assert.match(named.message, /^The platform mentions `to`: .*to is an address/);
    // A check of the same text does not take it away.
    await vscode.commands.executeCommand('smartObjects.checkAction', refused);
    assert.ok(found(refused, 'refused'));
  });

  test('an id that could not be read is not reported as unknown', async () => {
    const uri = await write('asked.action.json', { action: { burn: { id: 'obj_nobody' } } });
    const { document } = await vscode.window.showTextDocument(uri);
    const readHover = async (): Promise<string> => {
      const at = document.positionAt(document.getText().indexOf('nobody'));
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
      return hovers
        .flatMap(({ contents }) => contents)
        .map((part) => String(Reflect.get(Object(part), 'value')).replaceAll('&nbsp;', ' '))
        .join('\n');
    };
    fault({ route: 'GET /templates/{templateId}', fault: 'forbidden' });
    const could = await readHover();
    assert.match(could, /Could not be looked up on Actions/);
    assert.ok(!could.includes('Not known'), could);
    assert.match(await readHover(), /Not found on Actions/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('findings for one connection are not shown for another, nor in a copy of the file', async () => {
    const extension = getExtension();
    const copies = vscode.workspace.registerTextDocumentContentProvider('copy', {
      provideTextDocumentContent: () => '{"action": {"burn": {"object_id": "TODO"}}}',
    });
    await vscode.workspace.openTextDocument(vscode.Uri.parse('copy:/absent.action.json'));
    const uri = await write('absent.action.json', { action: { burn: { id: 'obj_nobody' } } });
    await vscode.window.showTextDocument(uri);
    const found = (): string[] => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
    const getMessages = (connection: string): string[] => [`No object with this ID is visible to you on ${connection}`];
    await vscode.commands.executeCommand('smartObjects.checkAction', uri);
    assert.deepEqual(found(), getMessages(CONNECTION));
    await extension.addConnection({ name: 'Other', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
    await extension.features.run('selectConnection', 'Other');
    await eventually(() => (found().join() === getMessages('Other').join() ? true : undefined));
    // A hidden document is not checked again; findings of the other connection are removed all the same.
    await closeAll();
    await vscode.window.showTextDocument(await write('other.action.json', { action: { burn: { object_id: 'x' } } }));
    await extension.features.run('selectConnection', CONNECTION);
    await eventually(() => (found().length === 0 ? true : undefined));
    assert.deepEqual(vscode.languages.getDiagnostics(vscode.Uri.parse('copy:/absent.action.json')), []);
    copies.dispose();
  });

  test('with any other JSON active, Run picks a file or suite, Check a file', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    await write('front.actions.json', { steps: [] });
    await write('front.action.json', { action: { burn: { id: 'obj_nobody' } } });
    const other = await write('other.json', { name: 'not an action' });
    const object = vscode.Uri.parse(`smartobject:/${CONNECTION}/objects/${known.object('Jacket')}.json`);
    for (const uri of [object, other]) {
      await vscode.commands.executeCommand('vscode.open', uri);
      for (const command of ['executeAction', 'checkAction']) {
        extension.ui.reset();
        await vscode.commands.executeCommand(`smartObjects.${command}`);
        const [question] = extension.ui.messages;
        assert.equal(question?.text, 'Select an Action File');
        assert.ok(question.choices.includes('front front.action.json'), question.choices.join());
        const suites = question.choices.filter((label) => label.endsWith(' front.actions.json'));
        assert.equal(suites.length, command === 'executeAction' ? 1 : 0);
        assert.deepEqual(extension.ui.readMessages('error'), []);
      }
    }
    const body = await write('body.json', { action: { burn: { id: 'obj_nobody' } } });
    await vscode.window.showTextDocument(body);
    assert.equal((await execute())[0]?.name, 'body');
  });

  test('broken JSON and a missing action send nothing, and show the position', async () => {
    const extension = getExtension();
    const before = countPosts();
    extension.ui.answer('error', 'Go to Line');
    const broken = await write('broken.action.json', '{\n  "action": {"burn": }\n}');
    await execute(broken);
    const editor = await eventually(() =>
      vscode.window.activeTextEditor?.document.uri.path === broken.path ? vscode.window.activeTextEditor : undefined,
    );
    assert.equal(editor.selection.active.line, 1);
    await execute(await write('none.action.json', { mint: {} }));
    assert.equal(countPosts(), before);
    assert.match(
      extension.ui.readMessages('error').join('\n'),
      /broken\.action\.json, line 2: Invalid JSON.*Nothing was sent[\s\S]*`action` is missing/,
    );
  });

  test('a failed step is reported as failed, a lost response as unknown', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const [soldOut] = await execute(
      await write('sold.action.json', { action: { mint: { template_id: known.template('Limited') } } }),
    );
    assert.equal(soldOut?.outcome, 'failed');
    assert.match(extension.ui.readMessages('error').at(-1) ?? '', /^sold: failed on Actions\. .+ \(step mint\)$/);
    fault({ route: EXECUTE, fault: 'resetBefore', phase: 'after' });
    const before = countPosts();
    const uri = await write('lost.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { lost: 'yes' } } } },
    });
    const [lost] = await execute(uri);
    assert.equal(lost?.outcome, 'unknown');
    assert.equal(countPosts(), before + 1);
    assert.equal(lost.possible.filter(({ sameParams }) => sameParams).length, 1);
    assert.match(extension.ui.readMessages('warn').at(-1) ?? '', /^lost: outcome unknown on Actions\./);
  });

  test('rows are read again when the log settled; progress and the message wait for the batch', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const logs = await findRow(CONNECTION, 'All organizations', 'Action Logs');
    await getRowsBelow(logs.node);
    const tree = await explorer();
    const changedNodes: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData?.((changed) => changedNodes.push(changed));
    const { ui } = extension;
    let isFinished = false;
    const progress = ui.progress.bind(ui);
    ui.progress = (title, work) => progress(title, work).finally(() => (isFinished = true));
    try {
      fault({ route: 'GET /batches/{batchId}', fault: 'serverError', count: null });
      const running = execute(
        await write('batch.action.json', { action: { mint: { template_id: known.template('Jacket') } } }),
      );
      await eventually(() => (changedNodes.includes(logs.node) ? true : undefined));
      assert.equal(isFinished, false);
      assert.match(ui.readMessages('progress').at(-1) ?? '', /^batch: log completed/);
      assert.deepEqual(ui.readMessages('info'), []);
      clearFaults();
      const [run] = await running;
      assert.equal(run?.batchStatus, 'completed');
      assert.equal(isFinished, true);
      const [message, ...others] = ui.messages.filter(({ kind }) => kind === 'info');
      assert.equal(message?.text, 'batch: completed on Actions.');
      assert.deepEqual(message.choices, ['Show Changes', 'Show Run']);
      assert.deepEqual(others, []);
    } finally {
      ui.progress = progress;
      listening?.dispose();
    }
  });

  test('Cancel while the batch is open ends the waiting, and does not claim that nothing was sent', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    fault({ route: 'GET /batches/{batchId}', fault: 'serverError', count: null });
    extension.ui.cancelAt = /log completed/;
    const before = countPosts();
    const [run] = await execute(
      await write('waiting.action.json', { action: { mint: { template_id: known.template('Jacket') } } }),
    );
    assert.equal(run?.outcome, 'completed');
    assert.equal(
      extension.ui.readMessages('info').join(),
      'waiting: completed on Actions. The action completed. Stopped waiting for the outcome; the request was already sent',
    );
    assert.equal(countPosts(), before + 1);
  });
});
