/** Objects of an owner or a template of which nothing was read, as the contract filters them. */
import assert from 'node:assert/strict';
import type { KnownSearchOptions } from '../../../../src/explorer/search/known-search.ts';
import { parseSearchTerms } from '../../../../src/explorer/search/known-search.ts';
import { readNarrowedObjects } from '../../../../src/explorer/search/narrowed-objects.ts';
import { useServers } from '../../../support/platform-client.ts';

const ANNA = '0xaaaa000000000000000000000000000000000001';
const OBJECTS = [
  { id: 'obj_1', template_id: 'tpl_wool', owner: ANNA },
  { id: 'obj_2', template_id: 'tpl_pass', owner: ANNA },
  { id: 'obj_3', template_id: 'tpl_wool', owner: '0xbbbb000000000000000000000000000000000002' },
];
const TEMPLATES = [
  { id: 'tpl_wool', name: 'Wool Passport' },
  { id: 'tpl_pass', name: 'Alpine Pass' },
];

suite('search by owner and template on the platform', () => {
  const { servers, createClient } = useServers();

  test('reads the objects of both; a template is looked up by its name unless it is known', async () => {
    const server = await servers.http(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      const matches = (name: string, value: string): boolean =>
        searchParams.get(name) === null || searchParams.get(name) === value;
      const body = pathname.endsWith('/templates')
        ? {
            templates: TEMPLATES.filter(({ name }) =>
              name.toLowerCase().includes(searchParams.get('autocomplete') ?? '?'),
            ),
          }
        : {
            objects: OBJECTS.filter(
              ({ owner, template_id }) => matches('owner', owner) && matches('template_id', template_id),
            ),
          };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const client = createClient(server);
    const options = (known: KnownSearchOptions['known'] = []): KnownSearchOptions => ({
      connection: 'Test',
      known,
      definitions: {},
      labels: {
        get: () => undefined,
        all: [{ value: ANNA, text: 'Anna', source: 'user' }],
      },
      getTitle: () => undefined,
      subject: ANNA,
    });
    const find = async (text: string, search = options()): Promise<readonly (string | undefined)[]> => {
      const { signal } = new AbortController();
      const { items } = await readNarrowedObjects(client, parseSearchTerms(text), search, { signal, limit: 10 });
      return items.map(({ id }) => id);
    };
    assert.deepEqual(await find('@anna'), ['obj_1', 'obj_2']);
    assert.deepEqual(await find('@me #wool'), ['obj_1']);
    assert.deepEqual(await find('#"alpine pass"'), ['obj_2']);
    assert.deepEqual(await find('#nothing'), []);
    const before = server.received.length;
    const known = { connection: 'Test', kind: 'templates', id: 'tpl_wool', title: 'Wool Passport' };
    assert.deepEqual(await find('#wool', options([known])), ['obj_1', 'obj_3']);
    assert.equal(server.received.length, before + 1);
    assert.match(server.received.at(-1)?.url ?? '', /\/objects\?.*template_id=tpl_wool/);
  });
});
