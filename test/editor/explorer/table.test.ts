/** Open as Table in VS Code: what the panel posts to its page. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { tableProtocol, type TableState } from '../../../src/webviews/protocol/table.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import { findRow } from '../support/explorer.ts';
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
  const open = async (): Promise<void> => {
    const { node } = await findRow(CONNECTION, 'All organizations', 'Objects');
    await vscode.commands.executeCommand('smartObjects.openTable', node);
  };

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
});
