/** Compare Environments: what differs between two sandboxes is shown as changes of files, with a report. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Comparison } from '../../src/environments/compare.ts';
import { compareFolder, pullFiles } from '../../src/environments/folder/pull.ts';
import { readOrganization } from '../../src/environments/folder/read-organization.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { getTestHooks, runCommand } from './support/connections.ts';
import { closeAll, eventually, onSandbox } from './support/documents.ts';
import { fault } from './support/sandbox.ts';

const [ONE, OTHER] = ['Environment A', 'Environment B'];

suite('environments', () => {
  let sandbox: Sandbox;
  onSandbox(ONE);
  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 20, seed: 2 });
    const { baseUrl, apiKey } = sandbox;
    const organizations = sandbox.organizations.map(({ id }) => id);
    await (await getTestHooks()).addConnection({ name: OTHER, baseUrl, organizations }, { apiKey });
  });
  suiteTeardown(() => sandbox.close());

  const compare = async (first: unknown, second: string): Promise<Comparison> => {
    const { ui } = await getTestHooks();
    ui.answer('pick', second);
    return (await runCommand('compareEnvironments', first)) as Comparison;
  };

  test('what differs is a list of changed files, and a report', async () => {
    const { ui } = await getTestHooks();
    ui.answer('info', 'Show Report');
    const { differences, unread } = await compare(ONE, OTHER);
    assert.ok(differences.length > 0 && unread.size === 0);
    const name = `${ONE} ↔ ${OTHER}`;
    const hasTab = (found: (label: string) => boolean): true | undefined =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => found(label))) ? true : undefined;
    await eventually(() => hasTab((label) => label.startsWith(name)));
    // A document that is opened before there is a report stays without it.
    await eventually(() => hasTab((label) => label.endsWith(`${name}.md`)));
    const uri = vscode.Uri.from({
      scheme: 'smartobject-report',
      path: `/${[ONE, OTHER].map(encodeURIComponent).join('/')}/${name}.md`,
    });
    const report = await vscode.workspace.openTextDocument(uri);
    assert.match(report.getText(), /^# Environment A → Environment B\n\n```diff\n[-+~] \w/);
  });

  test('the report is forgotten at sign-out of either side', async () => {
    const hooks = await getTestHooks();
    const { baseUrl, apiKey } = sandbox;
    const organizations = sandbox.organizations.map(({ id }) => id);
    for (const side of ['First', 'Second']) {
      for (const name of ['First', 'Second']) await hooks.addConnection({ name, baseUrl, organizations }, { apiKey });
      hooks.ui.answer('info', 'Show Report');
      await compare('First', 'Second');
      const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await eventually(() => tabs().some(({ label }) => label.endsWith('Second.md')) || undefined);
      const uri = vscode.Uri.from({ scheme: 'smartobject-report', path: '/First/Second/First ↔ Second.md' });
      const document = await vscode.workspace.openTextDocument(uri);
      await eventually(() => document.getText().startsWith('# First →') || undefined);
      await hooks.signOut(side);
      await eventually(() => document.getText().startsWith('This report') || undefined);
      await closeAll();
    }
  });

  test('a kind that cannot be read is named, also in the view, and a connection is not offered twice', async () => {
    const { ui } = await getTestHooks();
    fault({ route: 'GET /faces', fault: 'serverError', count: 3 });
    const { differences, missed } = await compare(ONE, OTHER);
    assert.deepEqual(missed, ['faces']);
    const row = { scheme: 'smartobject-environment', path: '/Faces', query: `${ONE} ↔ ${OTHER}` };
    const reason = await vscode.workspace.openTextDocument(vscode.Uri.from(row));
    assert.match(reason.getText(), /^Environment A: \S/);
    assert.ok(differences.every(({ kind }) => kind !== 'faces'));
    await eventually(() => (ui.readMessages('warn').at(-1)?.includes('Faces') === true ? true : undefined));
    const offered = ui.messages.findLast(({ kind }) => kind === 'pick')?.choices ?? [];
    assert.deepEqual(
      [ONE, OTHER].map((name) => offered.some((choice) => choice.startsWith(name))),
      [false, true],
    );
  });

  test('what nothing matches is matched by hand, in a file that is used again', async () => {
    const hooks = await getTestHooks();
    const { ui } = hooks;
    const { baseUrl, apiKey, organizations } = sandbox;
    const [NORTH, SOUTH] = ['North', 'South'];
    for (const [index, name] of [NORTH, SOUTH].entries()) {
      const organization = { id: organizations[index]?.id, label: `Shop ${name}` };
      await hooks.addConnection({ name, baseUrl, organizations: [organization] }, { apiKey });
    }
    const { differences } = await compare(NORTH, SOUTH);
    assert.deepEqual(
      differences.map(({ kind, change, name }) => `${change} ${kind} ${name}`),
      [
        ...['removed organizations Shop North', 'added organizations Shop South'],
        ...['removed roles Shop North: default', 'added roles Shop South: default'],
      ],
    );
    const [removed, added] = differences;
    assert.ok(removed?.from !== undefined && added?.to !== undefined);
    // By their ids, which the descriptions of the choices have.
    ui.answer('pick', removed.from.id, added.to.id);
    await runCommand('matchResource');
    const isMatched = (comparison: Comparison): boolean =>
      comparison.differences.some(
        ({ change, from, to }) => change === 'changed' && from?.id === removed.from?.id && to?.id === added.to?.id,
      );
    assert.equal(isMatched(await compare(NORTH, SOUTH)), true, 'used again');
    await runCommand('editMapping');
    const document = vscode.window.activeTextEditor?.document ?? assert.fail('no editor');
    assert.deepEqual(JSON.parse(document.getText()), { [removed.from.id]: added.to.id });

    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-mapping-'));
    try {
      const file = path.join(folder, 'ids.json');
      fs.writeFileSync(file, '[]');
      await runCommand('selectMapping', vscode.Uri.file(file));
      assert.match(ui.readMessages('error').at(-1) ?? '', /is not a JSON object of IDs/);
      fs.writeFileSync(file, '{}');
      await runCommand('selectMapping', vscode.Uri.file(file));
      assert.equal(isMatched(await compare(NORTH, SOUTH)), false, 'another file');
    } finally {
      await (await (await getTestHooks()).services()).context.workspaceState.update('environments.mappings', undefined);
      fs.rmSync(folder, { recursive: true });
    }
    await runCommand('closeComparison');
    await runCommand('editMapping');
    assert.match(ui.readMessages('error').at(-1) ?? '', /Compare the environments first/);
  });

  test('a folder of pulled files is the other side', async () => {
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    // It can have the name of the connection.
    const root = vscode.Uri.joinPath(workspace, ONE).fsPath;
    try {
      const session = (await (await getTestHooks()).services()).sessions.get(ONE) ?? assert.fail(ONE);
      const target = { organization: session.profile.organizations[0]?.id ?? assert.fail('no organization') };
      const read = await readOrganization(session.client, target.organization, { pulled: [], signal: session.ended });
      await pullFiles(root, target, await compareFolder(root, target, read));
      const { differences, equal, unread } = await compare(ONE, `$(folder) ${ONE}`);
      assert.deepEqual(differences, []);
      assert.ok(equal > 0);
      assert.deepEqual([...unread.keys()], ['organizations', 'assets', 'message-templates', 'roles']);
    } finally {
      fs.rmSync(root, { recursive: true, force: true });
    }
  });
});
