/** Adds a resource kind with one file and one line of the registry, and finds it in every feature. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Client from '../../../src/platform/client.ts';
import type * as Registry from '../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import type * as Server from '../../../src/sandbox/server.ts';
import type * as Sections from '../../../src/explorer/rows/section-rows.ts';
import type * as Address from '../../../src/model/resources/resource-uri.ts';
import type * as Undici from '../../../src/platform/http/undici-transport.ts';
import { startProgram, type ProgramResult } from '../cli/support.ts';
import { defaultCredentialHeaderNames } from '../../../src/platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../../src/platform/target.ts';
import { PATIENT } from '../../support/platform-client.ts';

const root = path.resolve(import.meta.dirname, '../../..');

// Exactly what the recipe for a new kind says.
const FILE = `/** Webhooks: where the platform reports to. */
import * as z from 'zod/mini';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { defineResource, nonEmptyStrings } from '../resource.ts';
import { dateTime, optional } from '../schema.ts';

export const webhook = z.looseObject({
  id: z.string(),
  org_id: z.string(),
  name: z.string(),
  url: z.url(),
  state: z.enum(['on', 'off']),
  template_id: optional(z.string()),
  when_created: dateTime,
});

export const webhooks = defineResource({
  kind: 'webhooks',
  label: 'Webhooks',
  singular: 'webhook',
  icon: 'plug',
  section: 'organization',
  schema: webhook,
  list: {
    operation: defineOperation({
      method: 'GET',
      path: '/webhooks',
      repeatable: true,
      query: { id: sharedParameters.id, org_id: sharedParameters.org_id, name: sharedParameters.name, limit: pageParameters.limit, next: pageParameters.next },
      permission: { resource: 'webhooks', verb: 'read' },
    }),
    key: 'webhooks',
  },
  read: { by: 'filter' },
  references: { org_id: 'organizations', template_id: 'templates' },
  summary: (view) => ({ title: view.name ?? view.id ?? 'webhook', details: nonEmptyStrings(view.url) }),
});
`;

suite('a new kind', () => {
  let copy: string;

  suiteSetup(() => {
    // Inside the project, so that packages are resolved.
    fs.mkdirSync(path.join(root, '.cache'), { recursive: true });
    copy = fs.mkdtempSync(path.join(root, '.cache/new-kind-'));
    fs.cpSync(path.join(root, 'src'), copy, { recursive: true });
    fs.copyFileSync(path.join(root, 'package.json'), path.join(copy, 'package.json'));
    fs.writeFileSync(path.join(copy, 'platform/resources/webhooks.ts'), FILE);
    const registry = path.join(copy, 'platform/registry.ts');
    const source = fs.readFileSync(registry, 'utf8');
    const changed = source
      .replace(/^import type/m, "import { webhooks } from './resources/webhooks.ts';\nimport type")
      .replace(/^ {2}wallets,$/m, '  wallets,\n  webhooks,');
    assert.equal(changed.split('\n').length, source.split('\n').length + 2);
    fs.writeFileSync(registry, changed);
  });
  suiteTeardown(() => {
    fs.rmSync(copy, { recursive: true, force: true });
  });

  const load = async <Module>(file: string): Promise<Module> =>
    (await import(pathToFileURL(path.join(copy, file)).href)) as Module;

  test('is listed, paged, read and displayed, in the sandbox, the client, the tree and the documents', async () => {
    const { startSandbox } = await load<typeof Server>('sandbox/server.ts');
    const { PlatformClient } = await load<typeof Client>('platform/client.ts');
    const { createTransport } = await load<typeof Undici>('platform/http/undici-transport.ts');
    const { registry, isKind } = await load<typeof Registry>('platform/registry.ts');
    const definitions: Readonly<Record<string, ResourceDefinition>> = registry;
    const definition = definitions['webhooks'];
    assert.ok(definition !== undefined && isKind('webhooks'));

    const sandbox = await startSandbox({ objects: 10, logs: 10, clock: 'manual' });
    const transport = createTransport({});
    try {
      const client = new PlatformClient({
        target: {
          name: 'Sandbox',
          baseUrl: sandbox.baseUrl,
          credentialHeaderNames: defaultCredentialHeaderNames,
          queryFormat: defaultQueryFormat,
        },
        transport,
        timeouts: PATIENT,
        credential: () => Promise.resolve({ apiKey: sandbox.apiKey }),
      });
      const ids = new Set<string>();
      let pages = 0;
      for await (const page of client.listPagesFor(definition, { limit: 3 })) {
        pages++;
        for (const item of page.items) {
          assert.deepEqual(item.drift, []);
          ids.add(item.id ?? '');
          assert.notEqual(definition.summary(item.raw).title, '');
        }
      }
      assert.ok(pages > 1 && ids.size > 3 && !ids.has(''), `${String(pages)} pages, ${String(ids.size)} ids`);
      const [id = ''] = ids;
      const reading = await client.readFor(definition, [id]);
      assert.equal(reading.item.id, id);
      assert.ok(reading.text.includes(`"id": "${id}"`));
    } finally {
      await transport.close();
      await sandbox.close();
    }

    const { createSectionNodes: sections, createConnectionNode: connectionNode } = await load<typeof Sections>(
      'explorer/rows/section-rows.ts',
    );
    const memory = { filters: { get: () => undefined }, getFavorites: () => [] } as never;
    const organization = { ...connectionNode('Test'), organization: 'o1' };
    const nodes = sections({ definitions, storage: memory }, organization, 'organization');
    assert.ok(nodes.some((node) => 'label' in node && node.label === 'Webhooks'));

    const { formatResourcePath: getPath, parseResourcePath: resourceOfPath } = await load<typeof Address>(
      'model/resources/resource-uri.ts',
    );
    const address = getPath({ connection: 'Test', kind: 'webhooks', id: 'w/1' });
    assert.deepEqual(resourceOfPath(address, isKind), { connection: 'Test', kind: 'webhooks', id: 'w/1' });
  });

  test('has its commands in the terminal', async () => {
    const { startSandbox } = await load<typeof Server>('sandbox/server.ts');
    const sandbox = await startSandbox({ objects: 10, logs: 10 });
    const run = (...args: readonly string[]): Promise<ProgramResult> =>
      startProgram(args, {
        main: path.join(copy, 'cli/main.ts'),
        environment: { SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey },
      }).ended;
    try {
      const { code, stdout, stderr } = await run('list', 'webhooks', '--limit', '2');
      assert.equal(code, 0, stderr);
      const [id = '', name = ''] = stdout.split('\t');
      assert.ok(id !== '' && name !== '');
      assert.match((await run('get', 'webhooks', id)).stdout, new RegExp(`"id": "${id}"`));
      assert.match((await run('list', 'webhooks', '--limit', '1', '--format', 'csv')).stdout, /^id,org_id,name,url,/);
      assert.match((await run('list', '--help')).stdout, /^ {2}webhooks +id, org_id, name$/m);
      assert.equal((await run('__complete', '--', 'get', 'webh')).stdout, 'webhooks\n');
    } finally {
      await sandbox.close();
    }
  });
});
