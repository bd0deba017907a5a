/** Private files: readable by this user only, written atomically, without following links. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writePrivateFile, writePrivateFileSync } from '../../../src/cache/private-file.ts';

/** Windows has no such modes; its profile folders are private. */
const getMode = (file: string): string =>
  process.platform === 'win32' ? 'private' : (fs.statSync(file).mode & 0o777).toString(8);
const [OWN_FILE, OWN_FOLDER] = process.platform === 'win32' ? ['private', 'private'] : ['600', '700'];

suite('private files', () => {
  let folder = '';
  let umask = 0;
  setup(() => {
    umask = process.umask(0);
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'soe-private-')), 'storage');
  });
  teardown(() => {
    process.umask(umask);
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  const writers: readonly (readonly [string, (file: string, text: string) => Promise<void>])[] = [
    ['waited for', (file, text) => writePrivateFile(file, text)],
    ['flushed', (file, text) => writePrivateFile(file, text, { flush: true })],
    [
      'at once',
      (file, text) => {
        writePrivateFileSync(file, text);
        return Promise.resolve();
      },
    ],
  ];
  for (const [how, write] of writers) {
    test(`written ${how}, a new file and its folder are readable by the user only`, async () => {
      const file = path.join(folder, 'one.json');
      await write(file, 'text');
      assert.equal(fs.readFileSync(file, 'utf8'), 'text');
      assert.deepEqual([getMode(file), getMode(folder)], [OWN_FILE, OWN_FOLDER]);
      assert.deepEqual(fs.readdirSync(folder), ['one.json']);
    });

    test(`written ${how}, a file that others could read becomes private`, async () => {
      const file = path.join(folder, 'one.json');
      fs.mkdirSync(folder, { mode: 0o755 });
      fs.writeFileSync(file, 'before', { mode: 0o644 });
      await write(file, 'after');
      assert.equal(fs.readFileSync(file, 'utf8'), 'after');
      assert.deepEqual([getMode(file), getMode(folder)], [OWN_FILE, OWN_FOLDER]);
    });

    test(`written ${how}, the target of a link is unchanged`, async () => {
      const [file, other] = [path.join(folder, 'one.json'), path.join(path.dirname(folder), 'other')];
      fs.mkdirSync(folder);
      fs.writeFileSync(other, 'theirs');
      fs.symlinkSync(other, file);
      await write(file, 'ours');
      assert.equal(fs.readFileSync(other, 'utf8'), 'theirs');
      assert.equal(fs.readFileSync(file, 'utf8'), 'ours');
    });

    test(`written ${how}, a failed write leaves no file`, async () => {
      const file = path.join(folder, 'one.json');
      fs.mkdirSync(file, { recursive: true });
      await assert.rejects(async () => write(file, 'text'));
      assert.deepEqual(fs.readdirSync(folder), ['one.json']);
    });
  }
});
