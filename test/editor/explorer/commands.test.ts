/** The tree in real VS Code: related resources, favorites, search, exports and sign-in. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Node } from '../../../src/explorer/tree/nodes.ts';
import { getFilterParameters } from '../../../src/explorer/filter/filter.ts';
import { getFilterField } from '../../../src/model/resources/filter-fields.ts';
import { registry } from '../../../src/platform/registry.ts';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import {
  click,
  explorer,
  filterResources,
  findRow,
  getFirst,
  getId,
  getLabels,
  getRowsBelow,
  type TreeRow,
  unload,
} from '../support/explorer.ts';
import { ask, clearFaults, countRequests, fault, getSandbox, refuseLargePages } from '../support/sandbox.ts';

const CONNECTION = 'Work';
const everywhere = (label: string): Promise<TreeRow> => findRow(CONNECTION, 'All organizations', label);

suite('explorer commands', () => {
  let folder = '';

  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox' });
  suiteSetup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-export-'));
  });
  suiteTeardown(() => fs.rm(folder, { recursive: true }));

  test('a list that is refreshed while it is collapsed is not shown from memory when it is expanded', async () => {
    const list = await everywhere('Support Messages');
    await getRowsBelow(list.node);
    const tree = await explorer();
    await tree.collapse(list.node);
    const changes: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData?.((changed) => changes.push(changed));
    await runCommand('refresh', list.node);
    listening?.dispose();
    // VS Code keeps the rows of the node object it holds until that object is reported as changed.
    assert.ok(changes.includes(list.node));
    const before = countRequests();
    await getRowsBelow(list.node);
    assert.equal(countRequests(), before + 1);
  });

  test('after a run a collapsed list is read again when it is expanded, and one of another kind is not', async () => {
    const [logs, objects] = [await everywhere('Action Logs'), await everywhere('Objects')];
    const tree = await explorer();
    for (const { node } of [logs, objects]) {
      await getRowsBelow(node);
      await tree.collapse(node);
    }
    const changes: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData?.((changed) => changes.push(changed));
    // As a run does at its end.
    await runCommand('refresh', { connection: CONNECTION, kind: 'action-logs' });
    listening?.dispose();
    assert.ok(changes.includes(logs.node));
    const kinds = changes.map((changed) => Reflect.get(Object(changed), 'kind') as unknown);
    assert.ok(
      kinds.every((kind) => kind === 'action-logs'),
      kinds.join(', '),
    );
    const before = countRequests();
    await getRowsBelow(logs.node);
    await getRowsBelow(objects.node);
    assert.equal(countRequests(), before + 1);
  });

  test('Load all brings every page, with progress', async () => {
    const { ui } = await getTestHooks();
    const list = await unload(await findRow(CONNECTION, 'Assets'));
    await getRowsBelow(list.node);
    await runCommand('loadAll', list.node);
    const rows = await getRowsBelow(list.node);
    const { assets } = JSON.parse(await ask('/assets?limit=100')) as { assets: readonly unknown[] };
    assert.equal(filterResources(rows).length, assets.length);
    assert.equal(rows.length, assets.length, 'nothing more to load');
    assert.ok(ui.readMessages('progress').some((text) => text.includes('so far')));
  });

  test('a filtered list is pinned under Favorites, keeps its filter, and is removed', async () => {
    const { ui } = await getTestHooks();
    ui.answer('pick', 'Status', 'failed', 'Show Results');
    await runCommand('filter', (await everywhere('Action Logs')).node);
    ui.answer('input', 'Failures');
    await runCommand('addFavorite', (await everywhere('Action Logs')).node);
    await runCommand('clearFilter', (await everywhere('Action Logs')).node);
    const favorite = await findRow(CONNECTION, 'Favorites', 'Failures');
    assert.deepEqual(favorite.contextValues.slice(0, 2), ['favorite', 'list']);
    assert.match(favorite.description, /Status: failed/);
    for (const { description } of filterResources(await getRowsBelow(favorite.node)))
      assert.match(description, /^failed/);
    await runCommand('removeFavorite', favorite.node);
    assert.ok(!getLabels(await getRowsBelow((await findRow(CONNECTION)).node)).includes('Favorites'));
  });

  test('sorting is apart from the fields, which are named in words; Owner begins with who is at hand', async () => {
    const { ui } = await getTestHooks();
    const { node } = await everywhere('Objects');
    const object = await getFirst(await everywhere('Objects'));
    await click(object);
    const { owner } = JSON.parse(await ask(`/objects/${getId(object)}`)) as { owner: string };
    await eventually(() => (vscode.window.tabGroups.activeTabGroup.activeTab === undefined ? undefined : true));
    let fields: readonly string[] = [];
    let accounts: readonly string[] = [];
    ui.answer(
      'pick',
      ({ choices }) => ((fields = choices.map((choice) => choice.trim())), 'Sort By…'),
      'Created descending',
      'Owner',
      ({ choices }) => ((accounts = choices), owner),
      'Show Results',
    );
    await runCommand('filter', node);
    assert.ok(fields.includes('ID') && fields.includes('Owner'), fields.join('\n'));
    assert.equal(fields.at(-1), '$(list-ordered) Sort By…');
    assert.ok(!fields.includes('Order') && !fields.includes('Sorted by'), fields.join('\n'));
    assert.match(accounts[0] ?? '', /^owner of /);
    assert.ok(accounts[0]?.includes(owner) === true, accounts.join('\n'));
    const list = await everywhere('Objects');
    assert.ok(list.node.type === 'list');
    assert.deepEqual(list.node.filter, { sortBy: 'when_created', order: 'descending', owner });
    await runCommand('clearFilter', list.node);
  });

  test('Filter by This filters a list by what a row or a place in a webview names', async () => {
    const { ui } = await getTestHooks();
    const object = await getFirst(await everywhere('Objects'));
    const { owner, template_id: template } = JSON.parse(await ask(`/objects/${getId(object)}`)) as Record<
      string,
      string
    >;
    ui.answer('pick', 'Objects Owner');
    await runCommand('filterByThis', {
      webviewSection: 'resource',
      connection: CONNECTION,
      kind: 'wallets',
      id: owner,
    });
    const getFilter = async (): Promise<unknown> => {
      const { node } = await everywhere('Objects');
      return node.type === 'list' ? node.filter : undefined;
    };
    assert.deepEqual(await getFilter(), { owner });
    // In addition to what is filtered by already.
    await runCommand('filterByThis', { connection: CONNECTION, kind: 'templates', id: template });
    assert.deepEqual(await getFilter(), { owner, template_id: template });
    await runCommand('filterByThis', { connection: CONNECTION, kind: 'faces', id: 'fac_1' });
    assert.match(ui.readMessages('error').at(-1) ?? '', /No list can be filtered by/);
    await runCommand('clearFilter', (await everywhere('Objects')).node);
  });

  test('a list that is filtered by a template names it', async () => {
    const { ui } = await getTestHooks();
    const template = await getFirst(await findRow(CONNECTION, 'Templates'));
    const { label } = template;
    ui.answer('pick', 'Template', label, 'Show Results');
    await runCommand('filter', (await everywhere('Objects')).node);
    const filtered = await everywhere('Objects');
    assert.equal(filtered.description, `Template: ${label}`);
    assert.equal(filtered.node.type === 'list' && filtered.node.filter['template_id'], getId(template));
    ui.answer('pick', '$(clear-all) Clear Filter');
    await runCommand('filter', filtered.node);
  });

  test('a list below a resource is filtered as a section is; a table keeps the list that it was opened with', async () => {
    const { ui } = await getTestHooks();
    const find = async (): Promise<TreeRow> => {
      const template = await getFirst(await findRow(CONNECTION, 'Templates'));
      return (await getRowsBelow(template.node)).find(({ label }) => label === 'Objects') ?? assert.fail();
    };
    const all = getLabels(filterResources(await getRowsBelow((await find()).node)));
    assert.ok(all.length > 0);
    const [by] = getFilterParameters(registry.objects.list.operation.query).filter(([, { type }]) => type === 'text');
    ui.answer('pick', getFilterField(by?.[0] ?? '').label, 'Show Results');
    ui.answer('input', 'nothing is called this');
    await runCommand('filter', (await find()).node);
    const filtered = await find();
    assert.match(filtered.description, /nothing is called this/);
    // The row object of a table that was opened before the sign-in.
    await getRowsBelow({ ...filtered.node, filter: {} } as Node);
    assert.deepEqual(filterResources(await getRowsBelow(filtered.node)), []);
    await runCommand('clearFilter', (await find()).node);
    assert.deepEqual(getLabels(filterResources(await getRowsBelow((await find()).node))), all);
  });

  test('an organization’s id is inserted from its row', async () => {
    const organization = (await getRowsBelow((await findRow(CONNECTION)).node)).find(({ contextValues }) =>
      contextValues.includes('kind:organizations'),
    );
    assert.ok(organization);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
    await runCommand('insertId', organization.node);
    assert.equal(editor.document.getText(), organization.node.organization);
  });

  test('of several selected rows, Copy uses all, Compare two, and other commands the clicked one', async () => {
    const { ui } = await getTestHooks();
    const rows = filterResources(await getRowsBelow((await everywhere('Support Messages')).node)).slice(0, 3);
    const [one, two, three] = rows.map(({ node }) => node);
    const unread = filterResources(await getRowsBelow((await everywhere('Support Messages')).node)).at(-1)?.node;
    const ids = rows.map(getId);
    const selected = [one, two, three];
    const clipboard = (): Thenable<string> => vscode.env.clipboard.readText();
    await runCommand('copyId', two, selected);
    assert.deepEqual((await clipboard()).split('\n'), ids);
    await runCommand('copyId', two, [two]);
    assert.equal(await clipboard(), ids[1]);
    // A row without an id among them is left out.
    await runCommand('copyId', two, [one, two, (await everywhere('Support Messages')).node]);
    assert.deepEqual((await clipboard()).split('\n'), ids.slice(0, 2));

    await runCommand('copyJson', two, selected);
    assert.match(await clipboard(), /^\[\n {2}\{\n {4}"id"[^]*?\n {2}\},\n {2}\{\n[^]*\n {2}\}\n\]$/);
    assert.deepEqual(
      (JSON.parse(await clipboard()) as readonly { readonly id: string }[]).map(({ id }) => id),
      ids,
    );
    assert.ok(ui.readMessages('progress').some((text) => text.includes('3 of 3')));
    const face = await getFirst(await everywhere('Faces'));
    fault({ route: 'GET /support', fault: 'forbidden', count: null });
    await vscode.env.clipboard.writeText('as before');
    await runCommand('copyJson', two, [face.node, unread]);
    assert.equal(await clipboard(), 'as before', 'all of them or none');
    clearFaults();

    await runCommand('compareResources', two, [one, two]);
    const diff = await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input);
    assert.ok(diff instanceof vscode.TabInputTextDiff);
    assert.ok(diff.original.path.includes(ids[0] ?? '') && diff.modified.path.includes(ids[1] ?? ''));
    await runCommand('compareResources', two, selected);
    const pick = ui.messages.findLast(({ kind }) => kind === 'pick');
    const title = two?.type === 'resource' ? registry.support.summary(two.item?.raw).title : '';
    assert.ok(pick?.text.startsWith('Compare “') && pick.text.includes(title.slice(0, 20)), pick?.text);
  });

  test('Refresh in the title reads every visible list, whichever row has the focus; Refresh of a row reads that row', async () => {
    const [objects, assets] = [await everywhere('Objects'), await findRow(CONNECTION, 'Assets')];
    for (const list of [objects, assets]) await getRowsBelow(list.node);
    const reads = (): readonly number[] => ['GET /objects', 'GET /assets'].map(countRequests);
    const focused = await getFirst(assets);
    const before = reads();
    await runCommand('refreshAll', focused.node, [focused.node]);
    const after = reads();
    assert.ok(
      after.every((count, index) => count > (before[index] ?? 0)),
      after.join(),
    );
    await runCommand('refresh', assets.node);
    assert.equal(reads()[0], after[0]);
  });

  const partials = async (): Promise<readonly string[]> =>
    (await fs.readdir(folder)).filter((name) => name.endsWith('.partial'));

  for (const format of ['NDJSON', 'JSON', 'CSV']) {
    test(`exports a list to ${format}, all pages of it`, async () => {
      const { ui } = await getTestHooks();
      const file = path.join(folder, `messages.${format.toLowerCase()}`);
      ui.answer('pick', format);
      ui.answer('input', file);
      await runCommand('exportCollection', (await everywhere('Support Messages')).node);
      const text = await fs.readFile(file, 'utf8');
      const { messages } = JSON.parse(await ask('/support?limit=100')) as { messages: readonly { id: string }[] };
      if (format === 'JSON') assert.deepEqual(JSON.parse(text), messages);
      else
        assert.equal(
          text.trim().split(format === 'CSV' ? '\r\n' : '\n').length,
          messages.length + (format === 'CSV' ? 1 : 0),
        );
      for (const { id } of messages) assert.ok(text.includes(id));
      assert.deepEqual(await partials(), []);
    });
  }

  test('a failed export keeps its file and resumes at the failed page', async () => {
    const { ui } = await getTestHooks();
    const file = path.join(folder, 'assets.ndjson');
    const { sessions } = await (await getTestHooks()).services();
    await refuseLargePages(sessions.get(CONNECTION) ?? assert.fail(), 'assets');
    fault({ route: 'GET /assets', fault: 'forbidden', after: 2, count: null });
    ui.answer('pick', 'NDJSON');
    ui.answer('input', file);
    await runCommand('exportCollection', (await findRow(CONNECTION, 'Assets')).node);
    assert.equal(ui.readMessages('error').length, 1);
    const [name = ''] = await partials();
    const partial = await fs.readFile(path.join(folder, name), 'utf8');
    assert.equal(partial.trim().split('\n').length, 20);
    clearFaults();
    const before = countRequests();
    ui.answer('pick', 'Resume assets.ndjson');
    await runCommand('exportCollection', (await findRow(CONNECTION, 'Assets')).node);
    const { assets } = JSON.parse(await ask('/assets?limit=100')) as { assets: readonly { id: string }[] };
    const lines = (await fs.readFile(file, 'utf8')).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
      assets.map(({ id }) => id),
    );
    // One of them listed the assets above.
    assert.equal(countRequests() - before, Math.ceil((assets.length - 20) / 10) + 1);
    assert.deepEqual(await partials(), []);
  });

  test('the empty list of a system-scope token explains the reason', async () => {
    await (
      await getTestHooks()
    ).addConnection({ name: 'System', baseUrl: getSandbox().baseUrl }, { accessToken: getSandbox().systemToken });
    const [empty, ...others] = await getRowsBelow((await findRow('System', 'All organizations', 'Objects')).node);
    assert.deepEqual(getLabels(others), []);
    assert.match(empty?.label ?? '', /system scope/);
  });

  test('signing out and in again updates the tree at once', async () => {
    const all = await getTestHooks();
    await all.addConnection({ name: 'Guest', baseUrl: getSandbox().baseUrl });
    const [hint] = await getRowsBelow((await findRow('Guest')).node);
    assert.match(hint?.label ?? '', /Sign In…$/);
    assert.ok((await findRow('Guest')).contextValues.includes('signedOut'));
    const [refused, signInRow, ...others] = await getRowsBelow(
      (await findRow('Guest', 'All organizations', 'Objects')).node,
    );
    assert.deepEqual([refused?.description, signInRow?.label, others], ['Retry', 'Sign In…', []]);
    assert.ok(refused?.contextValues.includes('error'));
    await all.signIn('Guest', { apiKey: getSandbox().apiKey });
    assert.ok((await findRow('Guest')).contextValues.includes('signedIn'));
    assert.ok(
      filterResources(await getRowsBelow((await findRow('Guest', 'All organizations', 'Objects')).node)).length > 0,
    );
    // The answers name organizations that are not in the settings.
    await eventually(async () =>
      (await getRowsBelow((await findRow('Guest')).node)).some(({ description }) => description.includes('discovered'))
        ? true
        : undefined,
    );
  });
});
