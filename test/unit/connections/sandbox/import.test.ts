/** Copies resources of one sandbox into another: ids and so references stay whole, secrets stay behind, states keep them. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { readResources } from '../../../../src/connections/sandbox/read-resources.ts';
import { startSandboxWorker, type RunningSandbox } from '../../../../src/connections/sandbox/sandbox-worker.ts';
import { isObject, type JsonObject } from '../../../../src/platform/json/json.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { importResources } from '../../../../src/sandbox/data/import-resources.ts';
import { startSandbox, type Sandbox } from '../../../../src/sandbox/server.ts';
import { formatState, parseState, type SandboxState } from '../../../../src/sandbox/state.ts';
import { createTestClient } from '../../../support/platform-client.ts';

const script = path.resolve(import.meta.dirname, '../../../../src/sandbox/worker.ts');
const EXTRA = 50;
const NOW = Date.parse('2026-05-01T10:00:00.000Z');

suite('import into a sandbox', () => {
  const transport = createTransport({ environment: {} });
  let source: Sandbox;
  const targets: RunningSandbox[] = [];
  suiteSetup(async () => {
    source = await startSandbox({ seed: 9, objects: 40, start: NOW });
  });
  suiteTeardown(async () => {
    await transport.close();
    await source.close();
  });
  teardown(async () => {
    await Promise.all(targets.splice(0).map((target) => target.stop()));
  });

  const startTarget = async (state?: SandboxState): Promise<RunningSandbox> => {
    const from = state ?? { seed: 1, objects: 5 };
    const target = await startSandboxWorker('Local Sandbox', from, { script, redact: (text) => text });
    targets.push(target);
    return target;
  };
  const createClient = () =>
    createTestClient(source.baseUrl, transport, {
      credential: () => Promise.resolve({ apiKey: source.apiKey }),
      secrets: () => [source.apiKey],
    });
  const get = async ({ profile, credential }: RunningSandbox, target: string): Promise<JsonObject> => {
    const response = await fetch(profile.baseUrl + target, { headers: { 'x-api-key': credential.apiKey ?? '' } });
    assert.equal(response.status, 200, target);
    const json: unknown = await response.json();
    assert(isObject(json));
    return json;
  };
  const getListed = async (target: RunningSandbox, kind: 'faces' | 'assets', id: string): Promise<JsonObject> => {
    const { [kind]: items } = await get(target, `/${kind}?id=${id}`);
    assert(Array.isArray(items) && items.length === 1 && isObject(items[0]), `${kind} ${id}`);
    return items[0];
  };

  /** 50 templates that the target does not know, each with a face and an asset, and 10 objects of each. */
  function addResources(): void {
    const organization = source.organizations[1]?.id;
    const range = [...Array(EXTRA).keys()];
    const when = { when_created: new Date(NOW - 1000).toISOString() };
    importResources(source.world, {
      assets: range.map((n) => ({
        id: `ast_extra_${n}`,
        name: `Picture ${n}`,
        url: `${source.baseUrl}/x.png`,
        ...when,
      })),
      faces: range.map((n) => ({ id: `fac_extra_${n}`, name: `Face ${n}`, content: '<b>{{.id}}</b>', ...when })),
      templates: range.map((n) => ({
        id: `tpl_extra_${n}`,
        name: `Template ${n}`,
        face_id: `fac_extra_${n}`,
        object: {
          metadata: { name: `Object ${n}`, description: `key ${source.apiKey}` },
          assets: [{ id: `ast_extra_${n}` }],
        },
        factory: { max_supply: 12, minted_count: 10 },
        actions: [{ name: 'mint' }, { name: 'transfer', access: { type: 'public' } }],
        ...when,
      })),
      objects: range.flatMap((n) =>
        [...Array(10).keys()].map((each) => ({
          id: `obj_extra_${n}_${each}`,
          org_id: organization,
          template_id: `tpl_extra_${n}`,
          owner: '0x00000000000000000000000000000000000000aa',
          metadata: { name: `Object ${n}`, image: { id: `ast_extra_${n}` } },
          custom: { serial: JSON.rawJSON('9007199254740993123') },
          nonce: 0,
          version: 1,
          state_root: `0x${String(n)}`,
          when_created: new Date(NOW).toISOString(),
          when_modified: new Date(NOW).toISOString(),
        })),
      ),
    });
  }

  test('50 templates, their faces and 500 objects keep every reference', async () => {
    addResources();
    const steps: string[] = [];
    const resources = await readResources(createClient(), new AbortController().signal, (counts) =>
      steps.push(JSON.stringify(counts)),
    );
    const { objects, templates, faces, assets } = resources;
    assert.deepEqual([objects.length, templates.length, faces.length, assets.length], [500, 50, 50, 50]);
    assert.equal(steps.at(-1), '{"templates":50,"objects":500}');
    assert(!JSON.stringify(resources).includes(source.apiKey), 'secrets stay behind');
    const target = await startTarget();
    await target.import(resources);
    assert.equal(target.status.objects, 505);
    const checkAll = async (sandbox: RunningSandbox): Promise<void> => {
      const templateIds = new Set<string>();
      for (let next = '', count = 0; ;) {
        const page = await get(sandbox, `/objects?limit=100&order=desc${next}`);
        assert(Array.isArray(page['objects']));
        for (const item of page['objects']) {
          assert(isObject(item));
          if (!String(item['id']).startsWith('obj_extra_')) continue;
          count++;
          templateIds.add(String(item['template_id']));
          assert.equal(item['org_id'], source.organizations[1]?.id);
        }
        if (typeof page['next'] !== 'string') {
          assert.equal(count, 500);
          break;
        }
        next = `&next=${page['next']}`;
      }
      assert.equal(templateIds.size, 50);
      for (const id of templateIds) {
        const template = await get(sandbox, `/templates/${id}`);
        assert.equal((await getListed(sandbox, 'faces', String(template['face_id'])))['content'], '<b>{{.id}}</b>');
        await getListed(sandbox, 'assets', id.replace('tpl', 'ast'));
      }
    };
    await checkAll(target);
    // They can be used: the supply of the template allows two more.
    const execute = async (body: object): Promise<string> => {
      const response = await fetch(`${target.profile.baseUrl}/ebus/execute`, {
        method: 'POST',
        headers: { 'x-api-key': target.credential.apiKey ?? '' },
        body: JSON.stringify(body),
      });
      return response.text();
    };
    assert.match(
      await execute({ action: { mint: { template_id: 'tpl_extra_7', num: 3 } } }),
      /supply exhausted: 10 of 12/,
    );
    assert.match(
      await execute({ action: { mint: { template_id: 'tpl_extra_7', num: 2 } } }),
      /"ids":\["obj_\w+","obj_\w+"\]/,
    );
    // A saved state has the imported resources and what was executed on them, to the digit.
    const text = formatState(target.state);
    assert(text.includes('9007199254740993123'));
    const state = parseState(text);
    assert(state);
    assert.equal(parseState('{"seed":1}'), undefined);
    assert.equal(parseState('['), undefined);
    const again = await startTarget(state);
    assert.equal(again.status.objects, 507);
    await checkAll(again);
  });

  test('an object without its template stays behind, a missing face or a huge platform does not stop the import', async () => {
    const other = await startSandbox({ seed: 3, objects: 3000, start: NOW });
    const range = [...Array(60).keys()];
    const when = { when_created: new Date(NOW).toISOString() };
    importResources(other.world, {
      assets: [],
      faces: [],
      templates: range.map((n) => ({ id: `tpl_${n}`, name: `T ${n}`, face_id: 'fac_gone', actions: [], ...when })),
      objects: range.map((n) => ({
        id: `obj_${n}`,
        template_id: n === 30 ? 'tpl_gone' : `tpl_${n}`,
        metadata: {},
        ...when,
      })),
    });
    const client = createTestClient(other.baseUrl, transport, {
      credential: () => Promise.resolve({ apiKey: other.apiKey }),
    });
    const { objects, templates, faces } = await readResources(client, new AbortController().signal, () => undefined);
    const count = other.recorder.counts['GET /objects'];
    await other.close();
    assert.deepEqual([objects.length, templates.length, faces.length], [49, 49, 0]);
    assert(!objects.some((item) => item['template_id'] === 'tpl_gone'));
    assert(
      objects.some(({ id }) => id === 'obj_59'),
      'the newest objects',
    );
    assert(count !== undefined && count <= 21, 'the next page is read ahead');
  });

  test('a list that the user may not read does not stop the import of the others', async () => {
    const read = () => readResources(createClient(), new AbortController().signal, () => undefined);
    const whole = await read();
    const others: Awaited<ReturnType<typeof read>>[] = [];
    for (const route of ['GET /assets', 'GET /public/templates', 'GET /objects']) {
      source.faults.add({ route, fault: 'forbidden', count: null });
      others.push(await read().finally(() => source.faults.clear()));
    }
    const [noAssets, noTemplates, noObjects] = others;
    assert.ok(whole.assets.length > 0);
    assert.deepEqual(noAssets, { ...whole, assets: [] });
    assert.deepEqual(noTemplates?.objects, whole.objects);
    assert.deepEqual([noObjects?.objects.length, (noObjects?.templates.length ?? 0) > 0], [0, true]);
    for (const route of ['GET /objects', 'GET /public/templates'])
      source.faults.add({ route, fault: 'forbidden', count: null });
    await assert.rejects(
      read().finally(() => source.faults.clear()),
      /Forbidden|permission/i,
    );
  });

  test('a cancelled import reads no further', async () => {
    const stop = new AbortController();
    const before = source.recorder.total;
    await assert.rejects(
      readResources(createClient(), stop.signal, () => {
        stop.abort();
      }),
    );
    assert(source.recorder.total - before <= 2);
  });
});
