/** Pull Templates and Faces: files of the workspace, what differs from the platform, and the diff. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FileStatus } from '../../src/environments/folder/pull.ts';
import { hashText, MANIFEST_FILE, readManifest } from '../../src/model/pulled/pulled-folder.ts';
import { getTestHooks, runCommand } from './support/connections.ts';
import { connect, CONNECTION, eventually, onSandbox } from './support/documents.ts';
import { countRequests, getSandbox } from './support/sandbox.ts';

const FOLDER = 'pulled-test';

suite('pulled folders', () => {
  onSandbox();
  let root: vscode.Uri;
  let row: { readonly connection: string; readonly organization: string };
  suiteSetup(() => {
    root = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), FOLDER);
    row = { connection: CONNECTION, organization: getSandbox().organizations[0]?.id ?? assert.fail() };
  });
  suiteTeardown(async () => {
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  const run = async (command: 'pullFolder' | 'checkPulledFolder'): Promise<readonly string[]> => {
    const { ui } = await getTestHooks();
    if (command === 'pullFolder') ui.answer('input', FOLDER);
    const statuses = (await runCommand(command, row)) as readonly FileStatus[] | undefined;
    return (statuses ?? assert.fail(ui.readMessages('error').join())).map(
      ({ state, entry }) => `${state} ${entry.file}`,
    );
  };
  const at = (file: string): vscode.Uri => vscode.Uri.joinPath(root, ...file.split('/'));
  const read = async (file: string): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(at(file)));
  const write = (file: string, text: string): Thenable<void> =>
    vscode.workspace.fs.writeFile(at(file), Buffer.from(text));
  const getFaces = async (): Promise<readonly string[]> =>
    ((await readManifest(root.fsPath))?.files ?? []).map(({ file }) => file).filter((file) => file.endsWith('.html'));

  test('a second pull writes nothing; what changed on either side has a diff, and is settled', async () => {
    const { ui } = await getTestHooks();
    assert.deepEqual(await run('pullFolder'), []);
    assert.match(ui.readMessages('info').at(-1) ?? '', /^\d+ files were pulled\. The files are as on the platform\.$/);
    assert.deepEqual(await run('pullFolder'), []);
    assert.match(ui.readMessages('info').at(-1) ?? '', /^0 files were pulled\./);

    const [mine = '', theirs = ''] = await getFaces();
    const [original, platform] = [await read(mine), await read(theirs)];
    await write(mine, '<p>mine</p>');
    // As if the file had been pulled before the platform changed.
    await write(theirs, '<p>before</p>');
    await write(MANIFEST_FILE, (await read(MANIFEST_FILE)).replace(hashText(platform), hashText('<p>before</p>')));
    const requests = countRequests();
    await runCommand('openPulledChange', at(theirs));
    assert.equal(countRequests(), requests);
    const diff = await eventually(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    assert.deepEqual([diff.original.scheme, diff.modified.toString()], ['smartobject-pulled', at(theirs).toString()]);
    assert.equal((await vscode.workspace.openTextDocument(diff.original)).getText(), platform);

    assert.deepEqual((await run('checkPulledFolder')).toSorted(), [`local ${mine}`, `platform ${theirs}`]);
    assert.deepEqual(await run('pullFolder'), [`local ${mine}`]);
    assert.deepEqual([await read(mine), await read(theirs)], ['<p>mine</p>', platform]);
    ui.answer('confirm', false);
    await runCommand('usePlatformVersion', { resourceUri: at(mine) });
    assert.equal(await read(mine), '<p>mine</p>');
    ui.answer('confirm', true);
    await runCommand('usePlatformVersion', { resourceUri: at(mine) });
    assert.equal(await read(mine), original);
    assert.deepEqual(await run('checkPulledFolder'), []);
  });

  test('a face is copied for the console, and the face lab starts with an object that has it', async () => {
    await run('pullFolder');
    const { files } = (await readManifest(root.fsPath)) ?? assert.fail();
    const pages = await getFaces();
    const used = await eventually(async () => {
      const session = (await (await getTestHooks()).services()).sessions.get(CONNECTION);
      const { items } = (await session?.client.listPage('templates')) ?? assert.fail();
      return files.find(({ id, file }) => pages.includes(file) && items.some(({ view }) => view?.face_id === id));
    });
    assert.equal(await runCommand('copyForConsole', at(used.file)), await read(used.file));
    assert.equal(await vscode.env.clipboard.readText(), await read(used.file));
    const before = countRequests('GET /objects');
    await runCommand('openFaceLab', at(used.file));
    await eventually(() => (countRequests('GET /objects') > before ? true : undefined));
  });

  test('a folder is not refreshed from another environment that its connection was changed to', async () => {
    await run('pullFolder');
    const { ui } = await getTestHooks();
    await connect(CONNECTION, { environment: 'staging' });
    const before = countRequests('GET /faces');
    assert.equal(await runCommand('checkPulledFolder', { rootUri: root }), undefined);
    assert.match(ui.readMessages('error').at(-1) ?? '', /files of another organization or environment/);
    assert.equal(countRequests('GET /faces'), before);
    await connect();
  });

  test('a folder outside of the workspace is refused', async () => {
    const { ui } = await getTestHooks();
    ui.answer('input', '../outside');
    assert.equal(await runCommand('pullFolder', row), undefined);
    assert.match(ui.readMessages('invalid').at(-1) ?? '', /Enter a path in/);
  });
});
