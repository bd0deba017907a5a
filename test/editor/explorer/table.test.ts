/** Open as Table in VS Code: what the panel posts to its page. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isObject } from '../../../src/platform/json/json.ts';
import { readPage } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';
import { tableProtocol, type TableState } from '../../../src/webviews/protocol/table.ts';
import { getTestHooks } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import { findRow } from '../support/explorer.ts';
import { getSessionStore } from '../../../src/connections/session/session-store.ts';
import { clearFaults, fault, getSandbox } from '../support/sandbox.ts';
import { recordPosts } from '../support/webviews.ts';

const CONNECTION = 'Tables';
const stateMessage = z.object({ type: z.literal('state'), body: tableProtocol.toView.state });

suite('a list as a table', () => {
  onSandbox(CONNECTION);
  let posts: ReturnType<typeof recordPosts>;
  setup(() => {
    posts = recordPosts();
  });
  teardown(() => {
    posts.restore();
  });

  const listStates = (): readonly TableState[] =>
    posts.messages.flatMap((message) => z.safeParse(stateMessage, message).data?.body ?? []);
  const waitForState = (isExpected: (state: TableState) => boolean): Promise<TableState> =>
    eventually(() => {
      const state = listStates().at(-1);
      return state !== undefined && isExpected(state) ? state : undefined;
    });
  const open = async (filter: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { node } = await findRow(CONNECTION, 'All organizations', 'Objects');
    await vscode.commands.executeCommand('smartObjects.openTable', { ...node, filter });
  };
  /** The columns of the table of the objects of a template. */
  const listColumns = async (template: string): Promise<TableState['columns']> => {
    await open({ template_id: template });
    const isOfTemplate = ({ list }: TableState): boolean => JSON.stringify(list).includes(template);
    return (await waitForState((state) => isOfTemplate(state) && !state.loading && state.loaded > 0)).columns;
  };

  test('columns of fields that the objects of another template do not have stay stored', async () => {
    const session = (await (await getTestHooks()).services()).sessions.get(CONNECTION);
    const { items } = (await session?.client.listPage('objects', { limit: 100 })) ?? assert.fail('no session');
    const objects = items.map(({ raw, view }) => ({
      template: view?.template_id ?? '',
      fields: Object.keys(isObject(raw) && isObject(raw['custom']) ? raw['custom'] : {}),
    }));
    const { template, fields } = objects.find((object) => object.fields.length > 0) ?? assert.fail('no data');
    const other = objects.find((object) =>
      objects.every((each) => each.template !== object.template || !each.fields.includes(fields[0] ?? '')),
    );
    const key = `custom.${fields[0] ?? ''}`;
    const name = { key: 'summary:Name', width: 260 };
    await listColumns(template);
    posts.send('setColumns', { columns: [{ key, width: 100 }] });
    await waitForState(({ columns }) => columns.length === 1);
    assert.ok((await listColumns(other?.template ?? '')).length > 0, 'a table has columns');
    posts.send('setColumns', { columns: [name] });
    await waitForState(({ columns }) => columns.length === 1);
    assert.deepEqual(await listColumns(template), [name, { key, width: 100 }]);
    posts.send('resetColumns', {});
    await waitForState(({ columns }) => columns.length > 2);
  });

  test('a filter applies while its column is shown', async () => {
    await open();
    const { columns, loaded } = await waitForState(({ loading, loaded }) => !loading && loaded > 0);
    const filters = { 'summary:Name': 'no object has this name' };
    posts.send('filter', { filters });
    await waitForState(({ matching }) => matching === 0);
    posts.send('setColumns', { columns: columns.filter(({ key }) => key !== 'summary:Name') });
    await waitForState(({ matching }) => matching === loaded);
    posts.send('setColumns', { columns });
    assert.deepEqual((await waitForState(({ matching }) => matching === 0)).filters, filters);
    posts.send('resetColumns', {});
  });

  test('items that cannot be shown are counted', async () => {
    const { node } = await findRow(CONNECTION, 'All organizations', 'Faces');
    await vscode.commands.executeCommand('smartObjects.openTable', node);
    assert.equal((await waitForState(({ loading, loaded }) => !loading && loaded > 0)).notice, '');
    fault({ route: 'GET /faces', fault: 'badItem', count: 1 });
    posts.send('refresh', {});
    await waitForState(({ notice }) => notice.startsWith('2 invalid items: the server sent'));
    posts.send('refresh', {});
    await waitForState(({ notice }) => notice === '');
  });

  test('a table that is full says that there are more rows', async () => {
    const client = (await (await getTestHooks()).services()).sessions.get(CONNECTION)?.client ?? assert.fail();
    const read = client.listPageFor.bind(client);
    let page = 0;
    client.listPageFor = (definition) => {
      const next = String(++page);
      const faces = Array.from({ length: 10_000 }, (_, index) => ({ id: `face_${next}_${String(index)}` }));
      return Promise.resolve(readPage(registry.faces.list, definition.schema, { faces, next }));
    };
    try {
      const { node } = await findRow(CONNECTION, 'All organizations', 'Faces');
      await vscode.commands.executeCommand('smartObjects.openTable', node);
      await waitForState(({ loading, loaded }) => !loading && loaded === 10_000);
      posts.send('loadAll', {});
      const full = await waitForState(({ loading, loaded }) => !loading && loaded === 100_000);
      assert.deepEqual([full.hasMore, full.isFull], [true, true]);
      posts.send('sort', { sort: { key: 'summary:ID', descending: false } });
      assert.match((await waitForState(({ sort }) => sort !== undefined)).order, /^only 100,000 loaded rows sorted/);
    } finally {
      client.listPageFor = read;
    }
  });

  test('loading all rows ends when another identity is selected', async () => {
    const { sessions } = await (await getTestHooks()).services();
    const store = getSessionStore({ sessions });
    await store.signIn(
      store.get(CONNECTION) ?? assert.fail('no session'),
      { apiKey: getSandbox().readOnlyApiKey },
      'reader',
    );
    fault({ route: 'GET /objects', fault: 'slowHeaders', delay: 1000, count: null });
    await open();
    await waitForState(({ loading, loaded }) => !loading && loaded > 0);
    posts.send('loadAll', {});
    await waitForState(({ rate }) => rate !== undefined);
    const before = listStates().length;
    await store.selectIdentity(CONNECTION, 'reader');
    try {
      const states = () => listStates().slice(before);
      await eventually(() => (states().some(({ loading, loaded }) => !loading && loaded > 0) ? true : undefined));
      assert.equal(states().find(({ loaded }) => loaded > 0)?.rate, undefined, 'nobody sees these rows');
    } finally {
      clearFaults();
      await store.selectIdentity(CONNECTION, 'default');
    }
  });

  test('a button acts on the rows that it was pressed for, also if more have arrived meanwhile', async () => {
    await open();
    const { rowsVersion, version } = await waitForState(({ loading, loaded }) => !loading && loaded > 0);
    posts.send('loadMore', {});
    await waitForState((state) => !state.loading && state.version > version);
    await vscode.env.clipboard.writeText('');
    posts.send('act', { action: 'copyJson', indexes: [0], rowsVersion });
    await eventually(async () => (await vscode.env.clipboard.readText()).includes('obj_') || undefined);
  });

  test('it is loading until everything that was requested is there', async () => {
    await open();
    const { version } = await waitForState(({ loading, loaded }) => !loading && loaded > 0);
    for (const message of ['loadMore', 'refresh'] as const) posts.send(message, {});
    await waitForState((state) => !state.loading && state.version > version);
    const first = listStates().find((state) => state.version > version);
    assert.equal(first?.loading, true, 'the refresh is not complete');
  });
});
