/** A list that is expanded again: VS Code shows the rows that it kept, and the list is read behind them. */
import assert from 'node:assert/strict';
import { ExplorerStorage } from '../../../../src/explorer/storage.ts';
import { createChildKey, createConnectionKey, type ListNode, type Node } from '../../../../src/explorer/tree/nodes.ts';
import { Tree } from '../../../../src/explorer/tree/tree.ts';
import type { Session } from '../../../../src/model/session/session.ts';
import { NO_LABELS } from '../../../../src/model/text/labels.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { createTestProfile, useServers } from '../../../support/platform-client.ts';

const connection = 'Test';
const list: ListNode = {
  type: 'list',
  key: createChildKey(createConnectionKey(connection), 'objects'),
  connection,
  kind: 'objects',
  label: 'Objects',
  fixed: {},
  filter: {},
};

function* noIds(): Generator<never> {
  yield* [];
}

suite('a list that is shown again', () => {
  const { servers, createClient } = useServers();

  test('keeps its rows until it was read again, with one request; the first expansion is read once', async () => {
    let ids = ['obj_1'];
    const server = await servers.http((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ objects: ids.map((id) => ({ id })) }));
    });
    const session: Partial<Session> = {
      profile: { ...createTestProfile(server.origin), name: connection },
      client: createClient(server),
      organizations: [],
      ended: new AbortController().signal,
      addDiscoveredOrganizations: () => undefined,
      hasPermission: () => undefined,
    };
    const memory = { get: () => undefined, update: () => Promise.resolve() };
    let changes: (Node | undefined)[] = [];
    const changed = Promise.withResolvers<undefined>();
    const tree = new Tree({
      definitions: registry,
      sessions: { all: [session as Session], problems: [], get: () => session as Session },
      storage: new ExplorerStorage(memory, memory),
      ids: { find: () => [], newestFirst: noIds },
      labels: NO_LABELS,
      changed: (node) => {
        changes.push(node);
        changed.resolve(undefined);
      },
    });
    const getIds = async (): Promise<readonly unknown[]> =>
      (await tree.getChildren(list)).flatMap((node) => (node.type === 'resource' ? [node.resource?.id] : []));

    tree.markExpanded(list);
    assert.deepEqual(await getIds(), ['obj_1']);
    tree.markExpanded(list);
    assert.equal(server.received.length, 1);

    tree.markCollapsed(list);
    ids = ['obj_2', 'obj_1'];
    tree.markExpanded(list);
    assert.deepEqual(await getIds(), ['obj_1'], 'the rows are there before the response');
    await changed.promise;
    assert.deepEqual(changes, [list]);
    assert.deepEqual(await getIds(), ['obj_2', 'obj_1']);
    assert.equal(server.received.length, 2);

    changes = [];
    tree.markCollapsed(list);
    tree.markExpanded(list);
    await tree.getPagedList(list)?.refresh();
    assert.ok(server.received.length > 2);
    assert.deepEqual(changes, [], 'the same rows are not rendered again');

    // A long list is not read when it is shown again, but Refresh reads all that is loaded.
    ids = Array.from({ length: 1200 }, (_, index) => `obj_${String(index)}`);
    await tree.refresh(list);
    tree.markCollapsed(list);
    const { length } = server.received;
    tree.markExpanded(list);
    const pagedList = tree.getPagedList(list);
    assert.equal(server.received.length, length);
    await tree.refresh();
    assert.equal(tree.getPagedList(list), pagedList);
    assert.ok(server.received.length > length);
  });
});
