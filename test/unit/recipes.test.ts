/** The file counts of the recipes in CONTRIBUTING.md; those of kinds, commands and tools: see the tests of these. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

const ROOT = path.resolve(import.meta.dirname, '../..');
const sources = fs
  .globSync('src/**/*.ts', { cwd: ROOT })
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: fs.readFileSync(path.join(ROOT, file), 'utf8') }));

function findFiles(text: string): readonly string[] {
  return sources.filter((source) => source.text.includes(text)).map(({ file }) => file);
}

suite('recipes', () => {
  test('a webview has a protocol, a page with its style sheet, and one host', () => {
    const webviews = fs
      .globSync('src/webviews/client/*/main.ts', { cwd: ROOT })
      .map((file) => path.basename(path.dirname(file)));
    assert.ok(webviews.length > 0);
    for (const name of webviews) {
      for (const file of [`protocol/${name}.ts`, `client/${name}/main.css`])
        assert.ok(fs.existsSync(path.join(ROOT, 'src/webviews', file)), file);
      assert.equal(findFiles(`bundle: '${name}'`).length, 1, name);
      const page = sources.find(({ file }) => file.endsWith(`client/${name}/main.ts`))?.text ?? '';
      // Messages at the top of modules are translated only after it.
      assert.match(page, /^[^']*import '\.\.\/display-language\.ts';/, name);
    }
  });

  test('the extension sets the display language before it imports anything else', () => {
    for (const file of ['src/extension.ts', 'test/editor/extension.ts'])
      assert.match(
        fs.readFileSync(path.join(ROOT, file), 'utf8'),
        /^[^']*import '[./]+(?:src\/)?ui\/display-language\.ts';/,
        file,
      );
  });

  test('a setting is read in one file', () => {
    const configuration = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
    const manifest = z.parse(
      z.looseObject({ contributes: z.looseObject({ configuration }) }),
      JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
    );
    // `connections` is also written, and read without the profiles' code while VS Code starts.
    const names = Object.keys(manifest.contributes.configuration.properties)
      .map((name) => name.replace(/^smartObjects\.(?:logs\.)?/, ''))
      .filter((name) => name !== 'connections');
    assert.ok(names.length > 0);
    for (const name of names) assert.equal(findFiles(`'${name}'`).length, 1, name);
  });
});
