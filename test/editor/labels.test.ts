/** Labels of addresses and ids: given, shared, imported, and shown beside their values. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { actionSuite, complete, CONNECTION, execute, folder, readIds, remove, write } from './support/actions.ts';
import { eventually, hoverText, open } from './support/documents.ts';
import { explorer, filterResources, findRow, getId, getRowsBelow } from './support/explorer.ts';
import { ask } from './support/sandbox.ts';

const FILE = 'smart-objects.labels.json';
const ADDRESS = '0x00000000000000000000000000000000000a11ce';
const OTHER = '0x0000000000000000000000000000000000000b0b';

actionSuite('labels', (getExtension) => {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('smartObjects');
  const read = async (value: string): Promise<string | undefined> =>
    (await getExtension().services()).labels.get(value)?.text;
  const label = async (value: string | undefined, ...answers: readonly string[]): Promise<void> => {
    const { ui } = getExtension();
    const [text = '', place] = answers;
    ui.answer('input', text);
    if (place !== undefined) ui.answer('pick', place);
    await vscode.commands.executeCommand('smartObjects.labelThis', value);
  };
  /** Waits until VS Code has told of all changes of files so far: of a file that is created and deleted at once, it tells nothing. */
  const waitForWatcher = async (): Promise<void> => {
    const last = 'last-change.txt';
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder(), last));
    let isTold = false;
    for (const event of [watcher.onDidChange, watcher.onDidCreate]) event(() => (isTold = true));
    await write(last, '');
    await eventually(() => (isTold ? true : undefined));
    watcher.dispose();
    await remove(last);
  };
  teardown(async () => {
    await settings().update('labels', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('labels', undefined, vscode.ConfigurationTarget.Workspace);
    fs.rmSync(path.join(folder().fsPath, FILE), { force: true });
    const { labels } = await getExtension().services();
    await eventually(() => (labels.all.length === 0 ? true : undefined));
  });

  test('an address is labelled at the cursor and shown with its label in rows, cards and hovers', async () => {
    const known = await readIds(getExtension());
    const id = known.object('Concert');
    const { owner } = JSON.parse(await ask(`/objects/${id}`)) as { readonly owner: string };
    const document = await open({ connection: CONNECTION, kind: 'objects', id });
    const editor = await vscode.window.showTextDocument(document);
    const position = document.positionAt(document.getText().indexOf(owner) + 3);
    editor.selection = new vscode.Selection(position, position);
    await label(undefined, 'Box office', 'User Settings');
    assert.equal(await read(owner.toUpperCase().replace('0X', '0x')), 'Box office');
    assert.deepEqual(settings().inspect('labels')?.globalValue, { [owner]: 'Box office' });
    const hover = await hoverText(document.uri, position);
    assert.match(hover, new RegExp(`\\*\\*Box.{1,6}office\\*\\*[^]*${owner}`));
    assert.match(hover, /Edit Label…\]\(command:smartObjects\.labelThis\?/);
    const rows = filterResources(await getRowsBelow((await findRow(CONNECTION, 'All organizations', 'Objects')).node));
    const row = rows.find((each) => getId(each) === id) ?? assert.fail('the object has no row');
    const [ownerRow] = (await getRowsBelow(row.node)).filter((each) => each.label === 'Owner');
    assert.equal(ownerRow?.description, `Box office (${owner})`);
    const token = new vscode.CancellationTokenSource().token;
    const tooltip = (await (await explorer()).provider.resolveTreeItem?.(row.item, row.node, token))?.tooltip;
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, new RegExp(`Owner:.{1,6}Box.{1,6}office.{1,8}${owner}`));
    // An empty text removes it, where it is stored.
    await label(owner, '');
    assert.equal(await read(owner), undefined);
    const [plainRow] = (await getRowsBelow(row.node)).filter((each) => each.label === 'Owner');
    assert.equal(plainRow?.description, owner);
  });

  test('completion offers labels; the confirmation shows both, and the address is sent', async () => {
    const { ui } = getExtension();
    const id = (await readIds(getExtension())).object('Concert');
    await label(ADDRESS, 'Alice', 'User Settings');
    const uri = await write('labelled.action.json', { action: { transfer: { id, to: '' } } });
    const editor = await vscode.window.showTextDocument(uri);
    const text = (): string => editor.document.getText();
    const place = text().indexOf('""') + 1;
    await complete(editor, place, ({ label: name }) => typeof name === 'object' && name.label === 'Alice');
    assert.ok(text().includes(`"to": "${ADDRESS}"`), text());
    await settings().update('confirmExecution', 'always', vscode.ConfigurationTarget.Global);
    try {
      ui.answer('confirm', true);
      const [run] = await execute(uri);
      assert.equal(run?.outcome, 'completed');
    } finally {
      await settings().update('confirmExecution', undefined, vscode.ConfigurationTarget.Global);
    }
    const { detail } = ui.messages.find(({ kind }) => kind === 'confirm') ?? {};
    assert.match(detail ?? '', new RegExp(`^To: ${ADDRESS} “Alice”$`, 'm'));
    const after = JSON.parse(await ask(`/objects/${id}`)) as { readonly owner: string };
    assert.equal(after.owner, ADDRESS);
    await remove('labelled.action.json');
  });

  test('the shared file of the workspace is read, watched and written', async () => {
    await write(FILE, { [ADDRESS]: 'Alice', wrong: 7 });
    await eventually(async () => ((await read(ADDRESS)) === 'Alice' ? true : undefined));
    await label(ADDRESS, 'Alice of the team');
    await label(OTHER, 'Bob', FILE);
    await waitForWatcher();
    const text = fs.readFileSync(path.join(folder().fsPath, FILE), 'utf8');
    assert.deepEqual(JSON.parse(text), { [ADDRESS]: 'Alice of the team', wrong: 7, [OTHER]: 'Bob' });
    await remove(FILE);
    await eventually(async () => ((await read(OTHER)) === undefined ? true : undefined));
  });

  test('the user’s own file is read besides that of the workspace, which cannot relabel its addresses', async () => {
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-labels-'));
    const own = path.join(outside, 'own.json');
    fs.writeFileSync(own, JSON.stringify({ [ADDRESS]: 'Alice' }));
    await write('team.json', { [ADDRESS]: 'Mallory', [OTHER]: 'Bob' });
    const { Global, Workspace } = vscode.ConfigurationTarget;
    await settings().update('labelsFile', own, Global);
    await settings().update('labelsFile', 'team.json', Workspace);
    try {
      await eventually(async () => ((await read(OTHER)) === 'Bob' ? true : undefined));
      assert.equal(await read(ADDRESS), 'Alice');
      await label(ADDRESS, 'Alice of mine');
      assert.deepEqual(JSON.parse(fs.readFileSync(own, 'utf8')), { [ADDRESS]: 'Alice of mine' });
    } finally {
      await settings().update('labelsFile', undefined, Workspace);
      await settings().update('labelsFile', undefined, Global);
      await remove('team.json');
      fs.rmSync(outside, { recursive: true });
    }
  });

  test('a name that leads out of the workspace offers no shared file', async () => {
    await settings().update('labelsFile', '../outside.json', vscode.ConfigurationTarget.Workspace);
    try {
      await label(OTHER, 'Bob', 'User Settings');
      const asked = getExtension().ui.messages.findLast(({ kind }) => kind === 'pick');
      assert.deepEqual(asked?.choices, [
        'User Settings in all your workspaces',
        'Workspace Settings in this workspace',
      ]);
    } finally {
      await settings().update('labelsFile', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('a shared file that leads out of the workspace is neither read nor written', async () => {
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-labels-'));
    const target = path.join(outside, 'target.json');
    const content = JSON.stringify({ [ADDRESS]: 'Mallory' });
    fs.writeFileSync(target, content);
    fs.symlinkSync(target, path.join(folder().fsPath, FILE));
    const { ui, logLines } = getExtension();
    await label(OTHER, 'Bob', FILE);
    assert.match(
      ui.readMessages('error').at(-1) ?? '',
      /smart-objects\.labels\.json is not a label file in this folder/,
    );
    await eventually(() => (logLines.some((line) => line.includes('outside the workspace folder')) ? true : undefined));
    assert.equal(await read(ADDRESS), undefined);
    assert.equal(fs.readFileSync(target, 'utf8'), content);
    fs.rmSync(outside, { recursive: true });
  });

  test('labels are imported from CSV after a confirmation', async () => {
    const { ui } = getExtension();
    const uri = await write('labels.csv', `name;address\nAlice;${ADDRESS}\nBob;${OTHER}\nNobody;\n`);
    ui.answer('pick', 'Workspace Settings');
    ui.answer('confirm', true);
    await vscode.commands.executeCommand('smartObjects.importLabels', uri);
    assert.match(ui.readMessages('confirm').at(-1) ?? '', /^Import 2 labels from labels\.csv\?$/);
    assert.deepEqual(settings().inspect('labels')?.workspaceValue, { [ADDRESS]: 'Alice', [OTHER]: 'Bob' });
    assert.equal(await read(OTHER), 'Bob');
    await remove('labels.csv');
  });

  test('registered wallets are imported by nickname, for address and id', async () => {
    const { ui } = getExtension();
    ui.answer('input', 'Ada99', '', '', '', '', 'Ada');
    ui.answer('pick', 'en', 'New Connection');
    ui.answer('confirm', true);
    await vscode.commands.executeCommand('smartObjects.registerWallet', CONNECTION);
    const [wallet] = (await getExtension().services()).sessions.get('Ada')?.issuedResources.values() ?? [];
    assert.ok(wallet, ui.readMessages('error').join('\n'));
    const { id, account } = JSON.parse(wallet.text) as { id: string; account: { address: string } };
    ui.answer('pick', 'Registered Wallets', 'User Settings');
    ui.answer('confirm', true);
    await vscode.commands.executeCommand('smartObjects.importLabels');
    assert.deepEqual(await Promise.all([id, account.address].map(read)), ['Ada99', 'Ada99']);
  });
});
