/** Arrows point one way: which room may import which, and which rooms know no editor. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const SRC = path.resolve(import.meta.dirname, '../../src');
/** Rooms from low to high. A room imports from lower rows only, never from one beside it: viewers do not know each other. */
const ROWS: readonly (readonly string[])[] = [
  ['platform'],
  ['ui', 'sandbox'],
  ['webviews'],
  ['connections'],
  ['explorer', 'documents', 'actions', 'logs', 'faces', 'stats'],
  ['commands', 'cli'],
  ['features.ts'],
  ['extension.ts'],
];
const WITHOUT_EDITOR = /^(platform|sandbox|cli|webviews[\\/](protocol|client))/;

const files = fs.globSync('**/*.ts', { cwd: SRC }).map((file) => path.join(SRC, file));
const text = new Map(files.map((file) => [file, fs.readFileSync(file, 'utf8')]));
const short = (file: string): string => path.relative(SRC, file);
const room = (file: string): string => short(file).split(path.sep)[0] ?? '';
const row = (file: string): number => ROWS.findIndex((rooms) => rooms.includes(room(file)));

/** What a file imports: files of ours by path, packages by name. */
function imports(file: string): { readonly target: string; readonly typeOnly: boolean }[] {
  const found = (text.get(file) ?? '').matchAll(
    /(?:\b(?:import|export)\b(\s+type\b)?[^;'=]*?\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g,
  );
  return [...found].map(([, typeOnly, name = '']) => ({
    target: name.startsWith('.') ? path.resolve(path.dirname(file), name) : name,
    typeOnly: typeOnly !== undefined,
  }));
}

/** The first file that loads the editor, on the way from `file`. */
function editorReached(file: string, seen = new Set<string>()): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const found = imports(file).filter(({ typeOnly }) => !typeOnly); // a type is gone when the code runs
  if (found.some(({ target }) => target === 'vscode')) return short(file);
  return found
    .filter(({ target }) => text.has(target))
    .map(({ target }) => editorReached(target, seen))
    .find((found) => found !== undefined);
}

suite('layers', () => {
  test('every room has its row', () => {
    assert.deepEqual([...new Set(files.filter((file) => row(file) < 0).map(room))], []);
  });

  test('imports lead to lower rows', () => {
    const wrong = files.flatMap((file) =>
      imports(file)
        .filter(({ target }) => text.has(target) && room(target) !== room(file) && row(target) >= row(file))
        // How a room registers itself is a type of the commands; of their code it sees nothing.
        .filter(({ target, typeOnly }) => !(typeOnly && room(target) === 'commands'))
        .map(({ target }) => `${short(file)} → ${short(target)}`),
    );
    assert.deepEqual(wrong, []);
  });

  test('rooms without an editor, and files whose head comment says `(pure)` or `Pure:`, never reach it', () => {
    const marked = (file: string): boolean =>
      /^\/\*\*(?:(?!\*\/)[\s\S])*(?:\(pure\)|\bPure:)/.test(text.get(file) ?? '');
    const pure = files.filter((file) => WITHOUT_EDITOR.test(short(file)) || marked(file));
    assert.ok(pure.length > 5);
    const wrong = pure.flatMap((file) => {
      // A room without an editor does not even name its types.
      const named = WITHOUT_EDITOR.test(short(file)) && imports(file).some(({ target }) => target === 'vscode');
      const culprit = named ? short(file) : editorReached(file);
      return culprit === undefined ? [] : [`${short(file)} reaches vscode through ${culprit}`];
    });
    assert.deepEqual(wrong, []);
  });
});
