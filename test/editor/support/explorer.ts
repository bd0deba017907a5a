/** Helpers for tests of the explorer: the rows of the tree as VS Code gets them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Node } from '../../../src/explorer/tree/nodes.ts';
import type { ExplorerHooks } from '../../../src/explorer/register.ts';
import type { TestHooks } from './hooks.ts';
import { getTestHooks } from './connections.ts';

export async function explorer(): Promise<ExplorerHooks> {
  const all: TestHooks & { readonly explorer?: ExplorerHooks } = await getTestHooks();
  assert.ok(all.explorer, 'the hooks have no explorer');
  return all.explorer;
}

export interface TreeRow {
  readonly node: Node;
  readonly item: vscode.TreeItem;
  readonly label: string;
  readonly description: string;
  readonly contextValues: readonly string[];
}

export async function getRowsBelow(node?: Node): Promise<readonly TreeRow[]> {
  const { provider } = await explorer();
  const nodes = (await provider.getChildren(node)) ?? [];
  return Promise.all(
    nodes.map(async (each) => {
      const item = await provider.getTreeItem(each);
      return {
        node: each,
        item,
        label: typeof item.label === 'string' ? item.label : (item.label?.label ?? ''),
        description: typeof item.description === 'string' ? item.description : '',
        contextValues: (item.contextValue ?? '').split(' '),
      };
    }),
  );
}

/** The row at the end of a path of labels. */
export async function findRow(...labels: readonly string[]): Promise<TreeRow> {
  let at: TreeRow | undefined;
  for (const label of labels) {
    const rows = await getRowsBelow(at?.node);
    at = rows.find((each) => each.label === label);
    assert.ok(at, `no row ${label} among ${rows.map((each) => each.label).join(', ')}`);
  }
  assert.ok(at);
  return at;
}

export const getLabels = (rows: readonly TreeRow[]): readonly string[] => rows.map(({ label }) => label);
export const filterResources = (rows: readonly TreeRow[]): readonly TreeRow[] =>
  rows.filter(({ contextValues }) => contextValues.includes('resource'));

/** The first resource of a list. */
export async function getFirst(list: TreeRow): Promise<TreeRow> {
  return filterResources(await getRowsBelow(list.node))[0] ?? assert.fail('no rows');
}

export const getId = ({ node }: TreeRow): string => (node.type === 'resource' ? (node.resource?.id ?? '') : '');

/** Runs the row's command, for which VS Code selects the row. */
export async function click({ item, label, node }: TreeRow): Promise<unknown> {
  assert.ok(item.command, `a click on ${label} does nothing`);
  const args: readonly unknown[] = item.command.arguments ?? [node];
  return vscode.commands.executeCommand(item.command.command, ...args);
}

/** VS Code rejects a tree with duplicate ids. */
export function assertUniqueIds(rows: readonly TreeRow[]): void {
  const ids = rows.map(({ item }) => item.id);
  assert.equal(new Set(ids).size, ids.length, 'duplicate id');
}

/** Unloads the children of a row by collapsing and refreshing it. */
export async function unload(treeRow: TreeRow): Promise<TreeRow> {
  await (await explorer()).collapse(treeRow.node);
  await vscode.commands.executeCommand('smartObjects.refresh', treeRow.node);
  return treeRow;
}
