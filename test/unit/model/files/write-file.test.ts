/** Written files: atomically, without following links, and readable by this user only unless the user shared them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { fileWrites } from '../../../../.config/eslint.config.mjs';
import {
  createFile,
  createForAppend,
  openForAppend,
  replaceFile,
  requireReplaceable,
  writePrivateFile,
  writePrivateFileSync,
} from '../../../../src/model/files/write-file.ts';

const MODULE = pathToFileURL(path.resolve(import.meta.dirname, '../../../../src/model/files/write-file.ts')).href;

/** Windows has no such modes; its profile folders are private. */
const getMode = (file: string): string =>
  process.platform === 'win32' ? 'private' : (fs.statSync(file).mode & 0o777).toString(8);
const [OWN_FILE, OWN_FOLDER] = process.platform === 'win32' ? ['private', 'private'] : ['600', '700'];

suite('written files', () => {
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

    test(`written ${how}, a link is refused by name, and its target unchanged`, async () => {
      const [file, other] = [path.join(folder, 'one.json'), path.join(path.dirname(folder), 'other')];
      fs.mkdirSync(folder);
      fs.writeFileSync(other, 'theirs');
      fs.symlinkSync(other, file);
      await assert.rejects(async () => write(file, 'ours'), /^Error: one\.json is a link/);
      assert.equal(fs.readFileSync(other, 'utf8'), 'theirs');
      assert.deepEqual(fs.readdirSync(folder), ['one.json']);
    });

    test(`written ${how}, a failed write leaves no file`, async () => {
      const file = path.join(folder, 'one.json');
      fs.mkdirSync(file, { recursive: true });
      await assert.rejects(async () => write(file, 'text'));
      assert.deepEqual(fs.readdirSync(folder), ['one.json']);
    });
  }

  test('a file that a user chose keeps its mode; a new one is readable by the user only', async () => {
    fs.mkdirSync(folder);
    const [shared, created] = [path.join(folder, 'kept.csv'), path.join(folder, 'created.csv')];
    fs.writeFileSync(shared, 'before', { mode: 0o640 });
    await replaceFile(shared, 'after');
    await replaceFile(created, iterate(['a', 'b']));
    assert.deepEqual(
      [shared, created].map((file) => fs.readFileSync(file, 'utf8')),
      ['after', 'ab'],
    );
    if (process.platform !== 'win32') assert.deepEqual([getMode(shared), getMode(created)], ['640', '600']);
    await assert.rejects(replaceFile(shared, iterate(['a'], new Error('lost'))), /lost/);
    assert.equal(fs.readFileSync(shared, 'utf8'), 'after');
    assert.deepEqual(fs.readdirSync(folder).sort(), ['created.csv', 'kept.csv']);
  });

  test('of two names of one file, only the written one changes', async () => {
    fs.mkdirSync(folder);
    const [file, other] = [path.join(folder, 'one.csv'), path.join(folder, 'other')];
    fs.writeFileSync(other, 'theirs');
    fs.linkSync(other, file);
    await replaceFile(file, 'ours');
    assert.deepEqual(
      [file, other].map((each) => fs.readFileSync(each, 'utf8')),
      ['ours', 'theirs'],
    );
  });

  test('says before writing what cannot be written', async () => {
    fs.mkdirSync(path.join(folder, 'sub'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'plain'), '');
    fs.symlinkSync('missing', path.join(folder, 'dangling'));
    for (const [name, reason] of [
      ['plain/r.xml', /plain is not a folder/],
      ['none/r.xml', /its folder does not exist/],
      ['sub', /sub is a folder/],
      ['dangling', /dangling is a link/],
    ] as const) {
      await assert.rejects(requireReplaceable(path.join(folder, name)), reason, name);
      await assert.rejects(replaceFile(path.join(folder, name), 'text'), name);
    }
    for (const name of ['plain', 'new']) await requireReplaceable(path.join(folder, name));
    assert.deepEqual(fs.readdirSync(folder).sort(), ['dangling', 'plain', 'sub']);
  });

  test('a link is not opened to append to, nor replaced by a new file', async () => {
    fs.mkdirSync(folder);
    const [file, other] = [path.join(folder, 'journal'), path.join(folder, 'other')];
    fs.writeFileSync(other, 'theirs');
    fs.symlinkSync(other, file);
    await assert.rejects(openForAppend(file), /journal is a link/);
    for (const create of [createForAppend, createFile]) await assert.rejects(create(file), { code: 'EEXIST' });
    assert.equal(fs.readFileSync(other, 'utf8'), 'theirs');
  });

  test('what is no file is written to', async function () {
    if (process.platform === 'win32') return;
    await replaceFile('/dev/null', 'text');
    assert.ok(fs.statSync('/dev/null').isCharacterDevice());
    const { promise, resolve } = Promise.withResolvers<string>();
    const script = `import(${JSON.stringify(MODULE)}).then(({ replaceFile }) => replaceFile('/dev/stdout', 'through a link'))`;
    execFile('sh', ['-c', '"$0" -e "$1" | cat', process.execPath, script], (_error, stdout) => {
      resolve(stdout);
    });
    assert.equal(await promise, 'through a link');
  });
});

async function* iterate(parts: readonly string[], error?: Error): AsyncGenerator<string> {
  await Promise.resolve();
  yield* parts;
  if (error !== undefined) throw error;
}

suite('who writes files', () => {
  const linter = new Linter();
  const lint = (text: string): readonly number[] =>
    linter
      .verify(text, { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, rules: fileWrites }, 'file.ts')
      .map(({ line }) => line);

  test('the lint rule finds each way to write a file, and no reading', () => {
    const writes = [
      "import { writeFile } from 'node:fs/promises';",
      "import { createWriteStream as create } from 'fs';",
      "await fs.writeFile(file, 'a');",
      "fs.appendFileSync(file, 'a');",
      'fs.createWriteStream(file);',
      'await vscode.workspace.fs.writeFile(uri, bytes);',
      'await workspace.fs.writeFile(uri, bytes);',
      'const write = fs.writeFile;',
      "await fs.open(file, 'a');",
      "await fs.open(file, 'r+');",
      'await fs.open(file, constants.O_WRONLY);',
    ];
    const reads = [
      "import { readFile } from 'node:fs/promises';",
      'await this.#writeFile(file);',
      "await fs.open(file, 'r');",
      'await fs.readFile(file);',
      'output.write(text);',
    ];
    assert.deepEqual(
      lint([...writes, ...reads].join('\n')),
      writes.map((_line, index) => index + 1),
    );
  });

  test('no module of the sources does, except the two that other modules call', () => {
    const src = path.resolve(import.meta.dirname, '../../../../src');
    const writers = fs
      .globSync('**/*.ts', { cwd: src })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => {
        const text = fs.readFileSync(path.join(src, file), 'utf8');
        return /\bfs\b/.test(text) && lint(text).length > 0;
      });
    assert.deepEqual(writers.sort(), ['model/files/write-file.ts', 'ui/save-file.ts']);
  });
});
