/** How much of the tree is re-rendered: the `onDidChangeTreeData` events of an action, and the rows that they name. */
import assert from 'node:assert/strict';
import type { Node } from '../../../src/explorer/tree/nodes.ts';
import { getTestHooks } from '../support/connections.ts';
import { onSandbox } from '../support/documents.ts';
import { click, explorer, findRow, getRowsBelow } from '../support/explorer.ts';

const CONNECTION = 'Events';

suite('events of the tree', () => {
  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox', organizations: [] });

  /** The keys of the rows in each event during `run`, without events for thumbnails. */
  async function recordEvents(run: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
    const events: string[][] = [];
    const listener = (await explorer()).provider.onDidChangeTreeData?.((changed) => {
      const nodes: readonly (Node | undefined | null)[] = Array.isArray(changed) ? changed : [changed ?? undefined];
      if (nodes.every((node) => node?.type === 'resource')) return;
      events.push(nodes.map((node) => node?.key ?? 'the whole tree'));
    });
    await run();
    listener?.dispose();
    return events;
  }

  test('a list that names new organizations re-renders its connection once, and the next list nothing', async () => {
    const [objects, logs] = [
      await findRow(CONNECTION, 'All organizations', 'Objects'),
      await findRow(CONNECTION, 'All organizations', 'Action Logs'),
    ];
    assert.deepEqual(await recordEvents(() => getRowsBelow(objects.node)), [[CONNECTION]]);
    assert.deepEqual(await recordEvents(() => getRowsBelow(logs.node)), []);
    assert.deepEqual(await recordEvents(() => getRowsBelow(objects.node)), []);
  });

  test('expanding a connection re-renders nothing where its role reads all sections', async () => {
    const { sessions } = await (await getTestHooks()).services();
    const connection = await findRow(CONNECTION);
    const events = await recordEvents(async () => {
      await getRowsBelow(connection.node);
      await sessions.get(CONNECTION)?.loadPermissions();
    });
    assert.deepEqual(events, []);
    assert.equal(sessions.get(CONNECTION)?.hasPermission('objects', 'read'), true);
  });

  test('Load More re-renders its list', async () => {
    const objects = await findRow(CONNECTION, 'All organizations', 'Objects');
    const more = (await getRowsBelow(objects.node)).at(-1) ?? assert.fail();
    assert.equal(more.label, 'Load More');
    const events = await recordEvents(() => click(more));
    assert.deepEqual(events, [[objects.node.key]]);
  });

  test('a sign-in re-renders its connection', async () => {
    const hooks = await getTestHooks();
    const { sessions } = await hooks.services();
    const session = sessions.get(CONNECTION);
    const events = await recordEvents(() => hooks.signIn(CONNECTION, { apiKey: 'another-key' }));
    assert.notEqual(sessions.get(CONNECTION), session);
    assert.deepEqual(events, [[CONNECTION]]);
  });
});
