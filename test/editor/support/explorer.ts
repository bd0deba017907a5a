/** What the explorer's tests share: the tree as VS Code gets it, row by row. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Node } from '../../../src/explorer/nodes.ts';
import type { ExplorerHooks } from '../../../src/explorer/register.ts';
import type { TestHooks } from './hooks.ts';
import { hooks } from './connections.ts';

export async function explorer(): Promise<ExplorerHooks> {
  const all: TestHooks & { readonly explorer?: ExplorerHooks } = await hooks();
  assert.ok(all.explorer, 'the hooks have no explorer');
  return all.explorer;
}

export interface Seen {
  readonly node: Node;
  readonly item: vscode.TreeItem;
  readonly label: string;
  readonly description: string;
  readonly words: readonly string[];
}

export async function rowsBelow(node?: Node): Promise<readonly Seen[]> {
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
        words: (item.contextValue ?? '').split(' '),
      };
    }),
  );
}

/** Walks down by labels. */
export async function row(...labels: readonly string[]): Promise<Seen> {
  let at: Seen | undefined;
  for (const label of labels) {
    const rows = await rowsBelow(at?.node);
    at = rows.find((each) => each.label === label);
    assert.ok(at, `no row ${label} among ${rows.map((each) => each.label).join(', ')}`);
  }
  assert.ok(at);
  return at;
}

export const labelsOf = (rows: readonly Seen[]): readonly string[] => rows.map(({ label }) => label);
export const resourcesOf = (rows: readonly Seen[]): readonly Seen[] =>
  rows.filter(({ words }) => words.includes('resource'));

/** What a click on the row does. */
export async function click({ item, label }: Seen): Promise<unknown> {
  assert.ok(item.command, `a click on ${label} does nothing`);
  const args: readonly unknown[] = item.command.arguments ?? [];
  return vscode.commands.executeCommand(item.command.command, ...args);
}

/** The tree must not break on what VS Code would refuse: an id twice among all rows. */
export function assertUniqueIds(rows: readonly Seen[]): void {
  const ids = rows.map(({ item }) => item.id);
  assert.equal(new Set(ids).size, ids.length, 'an id stands twice');
}

/** Forgets what was loaded below a row, as after collapsing it and a refresh. */
export async function unloaded(seen: Seen): Promise<Seen> {
  await (await explorer()).collapse(seen.node);
  await vscode.commands.executeCommand('smartObjects.refresh', seen.node);
  return seen;
}
