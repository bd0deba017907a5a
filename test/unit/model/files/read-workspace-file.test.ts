import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  createWorkspaceFile,
  getWorkspacePaths,
  readWorkspaceFile,
} from '../../../../src/model/files/read-workspace-file.ts';

suite('files of variables', () => {
  let dir = '';
  let root = '';
  suiteSetup(() => {
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-inside-'));
    root = path.join(dir, 'root');
    fs.mkdirSync(path.join(root, 'sub'), { recursive: true });
    fs.mkdirSync(path.join(dir, 'root-beside'));
    fs.writeFileSync(path.join(root, 'a.txt'), 'héllo');
    fs.writeFileSync(path.join(dir, 'outside.txt'), 'secret');
    fs.writeFileSync(path.join(dir, 'root-beside/x.txt'), 'secret');
    fs.symlinkSync(path.join(dir, 'outside.txt'), path.join(root, 'link.txt'));
    fs.symlinkSync(path.join(root, 'a.txt'), path.join(root, 'sub/inner.txt'));
    fs.writeFileSync(path.join(root, 'big.txt'), 'x'.repeat(1001));
    fs.writeFileSync(path.join(root, 'full.txt'), 'x'.repeat(1000));
    fs.writeFileSync(path.join(root, 'binary'), Buffer.from([0xff, 0xfe, 0]));
  });
  suiteTeardown(() => {
    fs.rmSync(dir, { recursive: true });
  });
  const read = (name: string): Promise<string> =>
    readWorkspaceFile(root, path.join(root, 'sub/x.action.json'), name, 1000);

  test('relative to the action file, links inside included', async () => {
    assert.equal(await read('../a.txt'), 'héllo');
    assert.equal(await read('inner.txt'), 'héllo');
    assert.equal((await read('../full.txt')).length, 1000);
    assert.equal(await readWorkspaceFile(root, undefined, 'a.txt', 1000), 'héllo');
  });

  test('the path that is shown is the real one', async () => {
    const paths = (name: string) => getWorkspacePaths(root, path.join(root, 'sub/x.action.json'), name);
    assert.deepEqual(await paths('../a.txt'), { requested: 'a.txt', real: 'a.txt' });
    assert.deepEqual(await paths('inner.txt'), { requested: 'sub/inner.txt', real: 'a.txt' });
    await assert.rejects(paths('../link.txt'), /outside the workspace folder/);
  });

  test('other paths are refused', async () => {
    for (const name of ['../../outside.txt', '../link.txt', '../../root-beside/x.txt'])
      await assert.rejects(read(name), /outside the workspace folder/, name);
    await assert.rejects(read(path.join(dir, 'outside.txt')), /relative/);
    await assert.rejects(read('../big.txt'), /larger/);
    await assert.rejects(read('../binary'), /not a text file/);
    await assert.rejects(read('../sub'), /not a file/);
    await assert.rejects(read('none'), /was not found/);
  });
  test('a file is created inside the folder only, and never in place of another', async () => {
    const inside = path.join(root, 'created');
    fs.mkdirSync(inside);
    fs.symlinkSync(inside, path.join(root, 'created-link'));
    fs.symlinkSync(path.join(dir, 'root-beside'), path.join(root, 'beside-link'));
    assert.equal(await createWorkspaceFile(root, 'created-link/new.json', '{}'), path.join(inside, 'new.json'));
    assert.equal(fs.readFileSync(path.join(inside, 'new.json'), 'utf8'), '{}');
    for (const name of ['../new.json', '../root-beside/new.json', 'beside-link/new.json'])
      await assert.rejects(createWorkspaceFile(root, name, '{}'), /outside the workspace folder/, name);
    await assert.rejects(createWorkspaceFile(root, 'link.txt', '{}'), { code: 'EEXIST' });
    for (const file of ['new.json', 'root-beside/new.json']) assert.ok(!fs.existsSync(path.join(dir, file)), file);
  });
});
