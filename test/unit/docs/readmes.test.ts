/** The pages of folders name each constant of their folder, and tests that exist; CONTRIBUTING.md what exists. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Pages, with the folder in which their table says where the tests are. */
const PAGES = {
  'src/logs/stream': 'test/unit/logs/stream',
  'src/actions/run': 'test/unit/actions',
  'src/actions/bulk': 'test/unit/actions/bulk',
  'src/faces': 'test/unit/faces',
};

suite('pages of folders', () => {
  for (const [folder, tests] of Object.entries(PAGES)) {
    const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
    const list = (pattern: string): readonly string[] => fs.globSync(pattern, { cwd: ROOT });
    const page = read(`${folder}/README.md`);
    const rows = page.split('\n').filter((line) => /^\| `|^\| its .*`/.test(line));
    const sources = list(`${folder}/**/*.ts`).map(read);
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z_0-9]+)(…?)`/g)]);

    test(`${folder} names each number among its constants, and no others`, () => {
      const numbers = sources.flatMap((text) =>
        [...text.matchAll(/^(?:export )?const ([A-Z][A-Z_0-9]*) = \d[\d_ *.]*;/gm)].map(([, name = '']) => name),
      );
      assert.ok(numbers.length > 0);
      const isNamed = (name: string): boolean =>
        named.some(([, text = '', rest]) => (rest === '' ? text === name : name.startsWith(text)));
      assert.deepEqual(
        [...new Set(numbers)].filter((name) => !isNamed(name)),
        [],
      );
      const all = [...sources, ...list('src/actions/follow/*.ts').map(read)].join('\n');
      assert.deepEqual(
        named.map(([, name = '']) => name).filter((name) => !new RegExp(`\\b${name}`).test(all)),
        [],
      );
    });

    test(`${folder} names tests that exist`, () => {
      const files = rows.flatMap((row) => {
        const proof = row.split('|').at(-2) ?? '';
        return [...proof.matchAll(/`([a-z][\w/-]*?)(?:\.test\.ts)?`/g)].map(([, name = '']) => name);
      });
      const existing = list(`${tests}/**/*.test.ts`).map((file) => file.replaceAll('\\', '/'));
      assert.deepEqual(
        files.filter((name) => !existing.some((file) => file.endsWith(`/${name}.test.ts`))),
        [],
      );
    });
  }
});

test('README.md names the settings that an untrusted workspace can change', () => {
  const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
  const named = /Restricted Mode.*only (.*) are read from settings of the workspace/.exec(read('README.md'))?.[1] ?? '';
  const { capabilities, contributes } = z.parse(
    z.object({
      capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
      contributes: z.object({
        configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.optional(z.string()) })) }),
      }),
    }),
    JSON.parse(read('package.json')),
  );
  const { restrictedConfigurations: restricted } = capabilities.untrustedWorkspaces;
  const isOfWorkspace = (scope = 'window'): boolean => scope !== 'application' && scope !== 'machine';
  const settings = Object.entries(contributes.configuration.properties).flatMap(([name, { scope }]) =>
    isOfWorkspace(scope) && !restricted.includes(name)
      ? [name.replace('smartObjects.', '').replace(/^logs\..*/, 'logs.…')]
      : [],
  );
  assert.deepEqual(
    [...named.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort(),
    [...new Set(settings)].sort(),
  );
});

suite('CONTRIBUTING.md', () => {
  const text = fs.readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

  test('the picture of the architecture has each folder of the sources', () => {
    const picture = /```mermaid\n(.*?)```/s.exec(text)?.[1] ?? '';
    const folders = fs
      .readdirSync(path.join(ROOT, 'src'), { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    assert.deepEqual(
      folders.filter((name) => !new RegExp(`\\b${name}\\b`).test(picture)),
      [],
    );
  });

  test('names commands and files that exist', () => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    assert.deepEqual(
      [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name).filter((name) => !(name in scripts)),
      [],
    );
    const isExample = (file: string): boolean => /NAME|LANGUAGE|webhooks|outdated|\*/.test(file);
    const files = [...text.matchAll(/`((?:src|test|docs|l10n|\.config)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 20);
    assert.deepEqual(
      files.filter((file) => !isExample(file) && !fs.existsSync(path.join(ROOT, file))),
      [],
    );
  });
});
