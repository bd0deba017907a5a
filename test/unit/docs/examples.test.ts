/** The examples in `docs` run on the sandbox as they are printed, as processes of the package: they use most commands, and each ends. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { readProfile, readProfiles } from '../../../src/connections/profiles/read-profiles.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { readExamples, ROOT } from '../../support/doc-examples.ts';
import { startProgram } from '../cli/support.ts';

suite('examples of the documentation', () => {
  let sandbox: Sandbox;
  let dir = '';
  let publicKey: KeyObject;

  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, logs: 100, indexDelay: 10, settleDelay: 20, batchDelay: 10 });
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-docs-'));
    const pair = generateKeyPairSync('ed25519');
    publicKey = pair.publicKey;
    fs.writeFileSync(path.join(dir, 'key.pem'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  });
  suiteTeardown(async () => {
    fs.rmSync(dir, { recursive: true });
    await sandbox.close();
  });

  /** Defines a test for each command of a page, in their order. */
  function testExamples(page: string): void {
    const { files, commands } = readExamples(page);
    assert.ok(files.size > 0 && commands.length > 0);
    let cwd = '';
    suiteSetup(() => {
      cwd = fs.mkdtempSync(path.join(dir, 'page-'));
      for (const [name, text] of files) fs.writeFileSync(path.join(cwd, name), text);
    });
    for (const { args, environment, output } of commands)
      test(`${page}: ${args.join(' ')}`, async () => {
        const { code, stdout, stderr } = await startProgram(args, {
          cwd,
          environment: {
            SMART_OBJECTS_BASE_URL: sandbox.baseUrl,
            SMART_OBJECTS_API_KEY: sandbox.apiKey,
            SIGNING_KEY: path.join(dir, 'key.pem'),
            ...environment,
          },
        }).ended;
        const printed = stdout + stderr;
        assert.equal(code, 0, printed);
        const lines = output.map((line) => line.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', '.*'));
        assert.match(printed, new RegExp(lines.join('$[^]*^'), 'm'));
      });
  }

  testExamples('docs/action-files.md');
  test('docs/action-files.md: its signer signs the canonical action', async () => {
    const answer = await fetch(`${sandbox.baseUrl}/ebus/action-logs?order=desc&limit=5`, {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    const { action_logs: logs } = z.parse(
      z.object({ action_logs: z.array(z.object({ params: z.unknown(), signature: z.string() })) }),
      await answer.json(),
    );
    const custom = '{"event":"Nordlys Quartet","seat":{"number":1,"row":"A"}}';
    const data = `{"custom":${custom},"metadata":{"name":"Harbour Concert Ticket · Ada"}}`;
    const action = `{"mint":{"data":${data},"num":1,"template_id":"tpl_a988a8ed2db28a1f66a20b18"}}`;
    const isValid = (signature: string): boolean =>
      verify(null, Buffer.from(action), publicKey, Buffer.from(signature, 'base64'));
    assert.equal(logs.filter(({ signature }) => isValid(signature)).length, 1);
  });

  testExamples('docs/tests.md');
  test('docs/tests.md: the table names every field of an expectation', () => {
    const schema = z.parse(
      z.object({ properties: z.record(z.string(), z.unknown()) }),
      JSON.parse(fs.readFileSync(path.join(ROOT, 'media/expect.schema.json'), 'utf8')),
    );
    const markdown = fs.readFileSync(path.join(ROOT, 'docs/tests.md'), 'utf8');
    const documented = [...markdown.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    assert.deepEqual(
      documented.sort(),
      Object.keys(schema.properties)
        .filter((name) => name !== '$schema')
        .sort(),
    );
  });

  testExamples('docs/command-line.md');

  test('docs/connections.md: the entries are valid, and the table names every field of the setting', () => {
    const { files } = readExamples('docs/connections.md');
    const parse = (name: string): unknown => JSON.parse((files.get(name) ?? '').replaceAll(/,(?=\s*[}\]])/g, ''));
    const settings = z.parse(z.object({ 'smartObjects.connections': z.unknown() }), parse('settings.json'));
    const { profiles, problems } = readProfiles(settings['smartObjects.connections'], undefined);
    assert.deepEqual([profiles.length, problems], [1, []]);
    assert.ok('profile' in readProfile(parse('staging.json'), 'user'));

    const markdown = fs.readFileSync(path.join(ROOT, 'docs/connections.md'), 'utf8');
    const documented = [...markdown.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    assert.deepEqual(documented.sort(), listConnectionFields().sort());
  });
});

/** The fields of an entry, those of groups as `auth.tokenHeader`. */
function listConnectionFields(): string[] {
  const field = z.looseObject({ properties: z.optional(z.record(z.string(), z.unknown())) });
  const properties = z.record(z.string(), z.looseObject({ items: z.optional(field) }));
  const manifest = z.parse(
    z.object({ contributes: z.object({ configuration: z.object({ properties }) }) }),
    JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
  );
  const fields = manifest.contributes.configuration.properties['smartObjects.connections']?.items?.properties ?? {};
  return Object.entries(fields).flatMap(([name, value]) => {
    const nested = Object.keys(z.parse(field, value).properties ?? {});
    return nested.length === 0 ? [name] : nested.map((inner) => `${name}.${inner}`);
  });
}
