/** Rows in real VS Code by what tells them apart: names in place of ids, also those that are read later. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getPictureUrl } from '../../../src/cache/picture.ts';
import { getVisibleStart } from '../../../src/explorer/rows/row-names.ts';
import { registry } from '../../../src/platform/registry.ts';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { connect, eventually, onSandbox } from '../support/documents.ts';
import {
  explorer,
  filterResources,
  findRow,
  getFirst,
  getId,
  getRowsBelow,
  type TreeRow,
} from '../support/explorer.ts';
import { getSandbox } from '../support/sandbox.ts';

const CONNECTION = 'Work';

suite('explorer: names of rows', () => {
  onSandbox(CONNECTION, { pageSize: 25, environment: 'sandbox' });

  test('no two rows of objects look alike in a narrow side bar', async () => {
    const list = await findRow(CONNECTION, 'All organizations', 'Objects');
    await getRowsBelow(list.node);
    await runCommand('loadMore', list.node);
    const starts = filterResources(await getRowsBelow(list.node)).map(({ label }) => getVisibleStart(label));
    assert.equal(starts.length, 50);
    assert.equal(new Set(starts).size, starts.length, starts.join('\n'));
  });

  test('templates and organizations are shown by name: in filters, favorites and rows', async () => {
    const { ui } = await getTestHooks();
    const [organization] = getSandbox().organizations;
    const organizations = [{ id: organization?.id ?? '', label: 'Harbour Works' }];
    await connect('Named', { environment: 'sandbox', organizations });
    const find = (): Promise<TreeRow> => findRow('Named', 'Harbour Works', 'Objects');
    const object = await getFirst(await find());
    const reference = (await getRowsBelow(object.node)).find(({ label }) => label === 'Organization');
    assert.equal(reference?.description, 'Harbour Works');

    const template = await getFirst(await findRow('Named', 'Templates'));
    ui.answer('pick', 'Template', getId(template), 'Show Results');
    await runCommand('filter', (await find()).node);
    const filtered = await find();
    assert.ok(filtered.description.includes(template.label), filtered.description);
    assert.ok(!filtered.description.includes(getId(template)), filtered.description);
    ui.answer('input', 'Pinned');
    await runCommand('addFavorite', filtered.node);
    const favorite = await findRow('Named', 'Favorites', 'Pinned');
    assert.ok(favorite.description.includes('Harbour Works'), favorite.description);
    assert.ok(favorite.description.includes(template.label), favorite.description);
    await runCommand('removeFavorite', favorite.node);
    await runCommand('clearFilter', filtered.node);
  });

  test('objects get the picture and name of their template when it is read later', async () => {
    await connect('Late', { environment: 'sandbox', pageSize: 100 });
    const session = (await (await getTestHooks()).services()).sessions.get('Late') ?? assert.fail();
    const templates = await session.client.listPageFor(registry.templates, { limit: 100 }, { bulk: true });
    const withPicture = templates.items.filter(({ raw }) => getPictureUrl(raw) !== undefined).map(({ id }) => id);
    const objects = await session.client.listPageFor(registry.objects, { limit: 100 }, { bulk: true });
    const id = objects.items.find(
      ({ raw, view }) => getPictureUrl(raw) === undefined && withPicture.includes(view?.template_id),
    )?.id;
    assert.ok(id !== undefined, 'an object without a picture of its own, whose template has one');
    const list = await findRow('Late', 'All organizations', 'Objects');
    const row = filterResources(await getRowsBelow(list.node)).find((each) => getId(each) === id) ?? assert.fail();
    assert.ok(!(row.item.iconPath instanceof vscode.Uri));
    const { provider } = await explorer();
    const changed = new Set<string>();
    const listening = provider.onDidChangeTreeData?.((nodes) => {
      for (const node of [nodes ?? []].flat()) changed.add(node.key);
    });
    await getRowsBelow((await findRow('Late', 'Templates')).node);
    await eventually(() => (changed.has(row.node.key) ? true : undefined));
    await eventually(async () =>
      (await provider.getTreeItem(row.node)).iconPath instanceof vscode.Uri ? true : undefined,
    );
    listening?.dispose();
  });
});
