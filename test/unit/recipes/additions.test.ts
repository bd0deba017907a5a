/** Follows the recipes of CONTRIBUTING.md in a copy of the sources: the checks pass, with no other file changed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { runNode } from '../../runtime/child-process.ts';
import { TYPE_CHECK } from '../../runtime/paths.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COPIED = [
  '{src,docs,l10n,media,.config}/**/*',
  'test/{support,runtime}/**/*.{ts,json}',
  'test/unit/*.test.ts',
  'test/editor/extension.ts',
  '{.vscodeignore,*.{json,mjs,md}}',
];

const KIND = `/** Webhooks: where the platform reports to. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defineOperation, pageParameters } from '../operation.ts';
import { defineResource, nonEmptyStrings } from '../resource.ts';

export const webhooks = defineResource({
  kind: 'webhooks',
  label: l10n.t('Webhooks'),
  singular: l10n.t('webhook'),
  icon: 'plug',
  section: 'organization',
  schema: z.looseObject({ id: z.string(), name: z.string(), url: z.url() }),
  list: {
    operation: defineOperation({
      method: 'GET',
      path: '/webhooks',
      repeatable: true,
      query: { ...pageParameters },
      permission: { resource: 'webhooks', verb: 'read' },
    }),
    key: 'webhooks',
  },
  read: { by: 'filter' },
  references: {},
  summary: (view) => ({ title: view.name ?? view.id ?? l10n.t('webhook'), details: nonEmptyStrings(view.url) }),
});
`;

suite('recipes', () => {
  let copy: string;
  const changed = new Set<string>();
  const write = (file: string, text: string): void => {
    fs.writeFileSync(path.join(copy, file), text);
    changed.add(file);
  };
  /** Inserts lines before or after a line that exists once. */
  const insert = (file: string, place: 'before' | 'after', line: string, added: string): void => {
    const lines = fs.readFileSync(path.join(copy, file), 'utf8').split('\n');
    const index = lines.findIndex((other) => other.trim() === line);
    assert.ok(index >= 0, `${file}: ${line}`);
    lines.splice(place === 'before' ? index : index + 1, 0, added);
    write(file, lines.join('\n'));
  };
  /** Returns the files that were changed since the last call. */
  const takeChanged = (): number => {
    const { size } = changed;
    changed.clear();
    return size;
  };

  suiteSetup(() => {
    // Inside the project, so that packages are resolved.
    fs.mkdirSync(path.join(ROOT, '.cache'), { recursive: true });
    copy = fs.mkdtempSync(path.join(ROOT, '.cache/recipes-'));
    const files = fs.globSync(COPIED, { cwd: ROOT, exclude: (file) => /node_modules|\.browser/.test(file) });
    for (const file of files)
      if (fs.statSync(path.join(ROOT, file)).isFile()) {
        fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
        fs.copyFileSync(path.join(ROOT, file), path.join(copy, file));
      }
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  });
  suiteTeardown(() => {
    fs.rmSync(copy, { recursive: true, force: true });
  });

  test('a kind is one file and one line of the registry', () => {
    write('src/platform/resources/webhooks.ts', KIND);
    const registry = 'src/platform/registry.ts';
    insert(
      registry,
      'before',
      "import { wallets } from './resources/wallets.ts';",
      "import { webhooks } from './resources/webhooks.ts';",
    );
    insert(registry, 'after', 'wallets,', '  webhooks,');
    assert.equal(takeChanged(), 2);
  });

  test('a command is four files', () => {
    const title = '"title": "%command.countRows%", "category": "Smart Objects"';
    insert('package.json', 'after', '"commands": [', `{ "command": "smartObjects.countRows", ${title} },`);
    insert('package.json', 'after', '"commandPalette": [', '{ "command": "smartObjects.countRows", "when": "false" },');
    insert('package.nls.json', 'after', '{', '"command.countRows": "Count Rows",');
    insert(
      'src/commands/ids.ts',
      'after',
      'searchResources: [node?: TreeArgument];',
      '  countRows: [node?: TreeArgument];',
    );
    insert(
      'src/explorer/commands.ts',
      'after',
      'export const commands = {',
      '  countRows: async ({ tree }) => (await tree.getChildren(undefined)).length,',
    );
    assert.equal(takeChanged(), 4);
  });

  test('a setting is three files', () => {
    const setting = '"type": "boolean", "default": false, "description": "%setting.openPinned%"';
    insert('package.json', 'before', '"smartObjects.openResources": {', `"smartObjects.openPinned": { ${setting} },`);
    insert('package.nls.json', 'after', '{', '"setting.openPinned": "Opens resources in tabs that stay open.",');
    insert(
      'src/documents/commands/open.ts',
      'after',
      "const shown = vscode.workspace.getConfiguration('smartObjects').get('openResources');",
      "  keep ||= vscode.workspace.getConfiguration('smartObjects').get('openPinned') === true;",
    );
    assert.equal(takeChanged(), 3);
  });

  test('a column of a table is two files, or one if its rows have the value', () => {
    const protocol = 'src/webviews/protocol';
    const client = 'src/webviews/client';
    insert(`${protocol}/log-row.ts`, 'after', 'readonly batch: string;', '  readonly nonce: string;');
    insert(
      `${protocol}/log-row.ts`,
      'before',
      "batch: toPlainText(view?.batch_id ?? '', 160),",
      "    nonce: toPlainText(readText(raw, 'nonce'), 80),",
    );
    insert(
      `${client}/logs/table/table.ts`,
      'after',
      'const columns: readonly (GridColumn<LoadedRow> & { readonly isShown?: boolean })[] = [',
      "    { label: l10n.t('Nonce'), width: '5em', getText: ({ row }) => row.nonce },",
    );
    assert.equal(takeChanged(), 2, 'action logs');
    insert(`${protocol}/bulk.ts`, 'before', 'objects: index,', '  status: index,');
    insert(`${protocol}/bulk.ts`, 'after', 'readonly ledgerBatch?: string;', '  readonly status?: number;');
    insert(`${protocol}/bulk.ts`, 'before', 'objects: objects.length,', '    status: result?.status ?? 0,');
    insert(
      `${client}/bulk/rows.ts`,
      'before',
      '...others,',
      "    { label: l10n.t('HTTP'), width: '60px', getText: ({ status }) => String(status) },",
    );
    assert.equal(takeChanged(), 2, 'rows of a batch');
    insert(`${protocol}/requests.ts`, 'after', 'requestId: z.optional(text),', '  method: text,');
    insert(`${protocol}/requests.ts`, 'before', '...fields,', '    method: trace.method,');
    insert(
      `${client}/requests/columns.ts`,
      'before',
      "{ label: l10n.t('Rate Limit'), width: '160px', getText: ({ rateLimit = '' }) => rateLimit },",
      "    { label: l10n.t('Method'), width: '60px', getText: ({ method }) => method },",
    );
    assert.equal(takeChanged(), 2, 'requests');
    insert(
      'src/explorer/table/table-columns.ts',
      'before',
      '...others.map(create),',
      "    createSummaryColumn('summary:Length', l10n.t('Length'), undefined, ({ raw }) => String(toText(raw).length)),",
    );
    assert.equal(takeChanged(), 1, 'lists');
  });

  test('the types agree', async () => {
    const project = path.join(copy, 'tsconfig.src.json');
    fs.writeFileSync(project, JSON.stringify({ extends: './tsconfig.json', include: ['src'] }));
    const { code, output } = await runNode([TYPE_CHECK, '--project', project, '--singleThreaded', '--pretty', 'false']);
    assert.equal(code, 0, output);
  });

  test('the tests of the whole pass', async () => {
    const { code, output } = await runNode([path.join(copy, 'test/runtime/mocha-suite.ts'), 'test/unit/*.test.ts']);
    assert.equal(code, 0, output);
  });
});
