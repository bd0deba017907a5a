/** Rows of objects without a name, whose templates were not read yet. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { IdIndex } from '../../../../src/cache/id-index.ts';
import { createTitleLookup } from '../../../../src/cache/title-lookup.ts';
import { createSessionList } from '../../../../src/explorer/tree/session-list.ts';
import { getItemTitle } from '../../../../src/model/resources/item-title.ts';
import type { Session } from '../../../../src/model/session/session.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { createTestProfile, json, useServers } from '../../../support/platform-client.ts';

suite('a list of objects without names', () => {
  const { servers, createClient } = useServers();
  teardown(() => mock.restoreAll());

  test('is called by their templates, which are read once; one that cannot be read does no harm', async () => {
    const objects = [
      { id: 'obj_1', template_id: 'tpl_pass', metadata: { edition: 24 } },
      { id: 'obj_2', template_id: 'tpl_pass' },
      { id: 'obj_3', template_id: 'tpl_gone', metadata: { edition: 7 } },
      { id: 'obj_4', template_id: 'tpl_other', metadata: { name: 'Named', edition: 1 } },
    ];
    const server = await servers.http((request, response) => {
      const [path = ''] = request.url.split('?');
      if (path === '/objects') json({ objects })(request, response);
      else if (path === '/templates/tpl_pass') json({ id: 'tpl_pass', name: 'Backstage Pass' })(request, response);
      else json({ message: 'none' }, 404)(request, response);
    });
    const index = new IdIndex();
    const session: Partial<Session> = {
      profile: createTestProfile(server.origin),
      client: createClient(server, {
        observe: (definition, items, id) => {
          index.record('Test', definition, items, id);
        },
      }),
      organizations: [],
      ended: new AbortController().signal,
    };
    const getTitle = createTitleLookup({ knownIds: { index }, sessions: { get: () => session as Session } }, ['Test']);
    const list = createSessionList(
      session as Session,
      registry.objects,
      { fixed: {}, filter: {} },
      () => undefined,
      getTitle,
    );
    // However long a busy machine takes to read the templates.
    mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
    await list.open();
    assert.deepEqual(
      list.items.map(({ raw }) => getItemTitle(registry.objects, raw, getTitle)),
      ['Backstage Pass #24', 'Backstage Pass …obj_2', '#7', 'Named #1'],
    );
    await list.refresh();
    assert.deepEqual(server.received.map(({ url }) => url.split('?')[0]).sort(), [
      '/objects',
      '/objects',
      '/templates/tpl_gone',
      '/templates/tpl_pass',
    ]);
  });
});
