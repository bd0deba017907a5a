/** Two windows of one folder, to which VS Code gives different storage, share what they start, run and resume. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openWorkspaceStorage } from '../../../../src/model/files/workspace-storage.ts';

const FOLDER = 'file:///home/me/shop';
const EXTENSION = 'me.smart-objects';

type Window = Parameters<typeof openWorkspaceStorage>;

suite('storage of a workspace', () => {
  let root: string;
  setup(async () => {
    root = await fs.mkdtemp(path.join(os.tmpdir(), 'workspace-'));
  });
  teardown(() => fs.rm(root, { recursive: true }));

  const openWindow = (id: string | undefined, folders: readonly string[] = [FOLDER], file?: string): Window => [
    {
      storageUri: id === undefined ? undefined : { fsPath: path.join(root, 'workspaceStorage', id, EXTENSION) },
      globalStorageUri: { fsPath: path.join(root, 'globalStorage') },
    },
    {
      workspaceFile: file === undefined ? undefined : { scheme: file.split(':')[0] ?? '', toString: () => file },
      workspaceFolders: folders.map((uri) => ({ uri })),
    },
  ];
  const write = async (name: string, text: string): Promise<void> => {
    const file = path.join(root, 'workspaceStorage', name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, text);
  };
  const list = async (folder: string): Promise<readonly string[]> =>
    (await fs.readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map((each) => path.relative(folder, path.join(each.parentPath, each.name)))
      .sort();

  test('all windows of a folder have one, also an untitled workspace with the folder alone; others have their own', async () => {
    const storages = await Promise.all(
      [
        openWindow('a1b2'),
        openWindow('a1b2-1'),
        openWindow('17000', [FOLDER], 'untitled:Untitled-1'),
        openWindow('c3d4', ['file:///home/me/other']),
        openWindow('e5f6', [FOLDER], 'file:///home/me/shop.code-workspace'),
        openWindow('0a0b', [FOLDER, 'file:///home/me/other'], 'untitled:Untitled-2'),
      ].map((window) => openWorkspaceStorage(...window)),
    );
    const [first] = storages;
    assert.deepEqual(
      storages.map((storage) => storage === first),
      [true, true, true, false, false, false],
    );
    assert.equal(new Set(storages).size, 4);
    for (const storage of storages) assert.ok(storage.startsWith(path.join(root, 'globalStorage', 'workspaces')));
    assert.equal(await openWorkspaceStorage(...openWindow(undefined, [])), path.join(root, 'globalStorage'));
  });

  test('runs and batches that earlier versions stored for each window are moved there, those of other folders not', async () => {
    await write(`a1b2/${EXTENSION}/runs/1.json`, 'of the first window');
    await write(`a1b2-1/${EXTENSION}/runs/2.open.json`, 'of a second window that was killed');
    await write(`a1b2-1/${EXTENSION}/batches/b1/journal.ndjson`, 'of a second window');
    await write(`a1b2-1x/${EXTENSION}/runs/3.json`, 'of another folder');
    await write('a1b2/other.extension/runs/4.json', 'of another extension');
    const storage = await openWorkspaceStorage(...openWindow('a1b2-2'));
    assert.deepEqual(await list(storage), [
      path.join('batches', 'b1', 'journal.ndjson'),
      path.join('runs', '1.json'),
      path.join('runs', '2.open.json'),
    ]);
    await write(`a1b2/${EXTENSION}/runs/5.json`, 'of a window that still has the earlier version');
    const again = await openWorkspaceStorage(...openWindow('a1b2'));
    assert.equal((await list(again)).length, 4);
    assert.deepEqual(await list(path.join(root, 'workspaceStorage')), [
      path.join('a1b2-1x', EXTENSION, 'runs', '3.json'),
      path.join('a1b2', 'other.extension', 'runs', '4.json'),
    ]);
  });
});
