/** A list of thousands in real VS Code: the visible rows, how often it is re-rendered, and the row after the last. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getTestHooks } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import { countRequests } from '../support/sandbox.ts';
import {
  click,
  explorer,
  getLabels,
  filterResources,
  findRow,
  getRowsBelow,
  type TreeRow,
} from '../support/explorer.ts';

const CONNECTION = 'Long';
const OBJECTS = 5600;

suite('a list of thousands of items', () => {
  onSandbox(CONNECTION, { pageSize: 100 }, { objects: OBJECTS });

  const objects = (): Promise<TreeRow> => findRow(CONNECTION, 'All organizations', 'Objects');
  const pages = (): number => countRequests('GET /objects');

  test('reads one page when it is opened, and is re-rendered a few times while all of it is loaded', async () => {
    const list = await objects();
    await getRowsBelow(list.node);
    assert.equal(pages(), 1, 'a million would cost no more');
    let drawn = 0;
    const listening = (await explorer()).provider.onDidChangeTreeData?.((changed) => {
      const nodes = Array.isArray(changed) ? changed : [changed];
      if (nodes.some((node) => node?.key === list.node.key)) drawn++;
    });
    await vscode.commands.executeCommand('smartObjects.loadAll', list.node);
    listening?.dispose();
    assert.equal(pages(), OBJECTS / 100);
    // Drawn at 100, 150, 225 … 5,600 items and at the end, not after each page.
    assert.ok(drawn >= 1 && drawn <= 12, `drawn ${String(drawn)} times for ${String(pages())} pages`);
  });

  test('shows 5,000 rows with a notice, and offers Filter…, Export… and Open as Table', async () => {
    const rows = await getRowsBelow((await objects()).node);
    assert.equal(filterResources(rows).length, 5000);
    const [note, ...commandRows] = rows.slice(5000);
    assert.equal(note?.label, 'Showing the first 5,000 of 5,600');
    assert.deepEqual(getLabels(commandRows), ['Filter…', 'Export…', 'Open as Table']);
    const { ui } = await getTestHooks();
    const [filter, exports, table] = commandRows;
    assert.ok(filter && exports && table);
    const titles = (): readonly string[] => ui.messages.filter(({ kind }) => kind === 'pick').map(({ text }) => text);
    await click(filter);
    assert.equal(titles().at(-1), 'Filter Objects');
    await click(exports);
    assert.equal(titles().at(-1), 'Export Objects');
    const before = pages();
    await click(table);
    const tab = await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab);
    assert.equal(tab.label, 'Objects');
    assert.ok(tab.input instanceof vscode.TabInputWebview);
    await eventually(() => (pages() > before ? true : undefined));
    assert.equal(pages(), before + 1, 'the table has rows of its own and reads its first page');
  });
});
