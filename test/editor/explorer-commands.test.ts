/** The tree in real VS Code: related resources, favorites, search, exports and sign-in. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Node } from '../../src/explorer/tree/nodes.ts';
import { getFilterParameters, formatParameter } from '../../src/explorer/filter/filter.ts';
import { registry } from '../../src/platform/registry.ts';
import { getTestHooks } from './support/connections.ts';
import { eventually, onSandbox } from './support/documents.ts';
import {
  assertUniqueIds,
  click,
  explorer,
  getLabels,
  filterResources,
  findRow,
  getRowsBelow,
  unload,
  type TreeRow,
} from './support/explorer.ts';
import { ask, clearFaults, countRequests, fault, getSandbox, listRequests } from './support/sandbox.ts';

const CONNECTION = 'Work';
const run = async (id: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.commands.executeCommand(`smartObjects.${id}`, ...args);
const everywhere = (label: string): Promise<TreeRow> => findRow(CONNECTION, 'All organizations', label);
const first = async (list: TreeRow): Promise<TreeRow> =>
  filterResources(await getRowsBelow(list.node))[0] ?? assert.fail('no rows');
const ACTION_ICONS = new Set(['globe', 'lock', 'list-selection', 'key', 'zap']);
const getId = ({ node }: TreeRow): string => (node.type === 'resource' ? (node.resource?.id ?? '') : '');

suite('explorer commands', () => {
  let folder = '';

  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox' });
  suiteSetup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-export-'));
  });
  suiteTeardown(() => fs.rm(folder, { recursive: true }));

  test('an object shows its template, owner, face, actions and logs, and leads on', async () => {
    const object = await first(await everywhere('Objects'));
    const below = await getRowsBelow(object.node);
    assertUniqueIds(below);
    const labels = getLabels(below);
    for (const label of ['Face', 'Template', 'Owner', 'Organization', 'Action Logs'])
      assert.ok(labels.includes(label), labels.join());
    const before = countRequests();
    await getRowsBelow(object.node);
    assert.equal(countRequests(), before, 'expanding again asks nothing');

    const logs = below.find(({ label }) => label === 'Action Logs') ?? assert.fail();
    for (const log of filterResources(await getRowsBelow(logs.node))) {
      const objects = filterResources(await getRowsBelow(log.node)).filter(({ contextValues }) =>
        contextValues.includes('kind:objects'),
      );
      assert.ok(objects.some((reference) => getId(reference) === getId(object)));
    }
    const template = below.find(({ label }) => label === 'Template') ?? assert.fail();
    const facts = await getRowsBelow(template.node);
    assert.ok(
      facts.some(
        ({ contextValues, description }) =>
          contextValues.includes('fact') && /public|private|whitelist|token/.test(description),
      ),
    );
    assert.ok(getLabels(facts).includes('Objects'));
    await click(template);
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.match(document.uri.path, /\/templates\//);
  });

  test('a resource that cannot be read shows the reason and a retry, and keeps its rows', async () => {
    const object = filterResources(await getRowsBelow((await everywhere('Objects')).node))[1] ?? assert.fail();
    const reference = (await getRowsBelow(object.node)).find(({ label }) => label === 'Template') ?? assert.fail();
    const route = 'GET /templates/{templateId}';
    fault({ route, fault: 'forbidden', count: null, message: 'Not for you' });
    const [refused, ...others] = await getRowsBelow(reference.node);
    assert.deepEqual([refused?.description, others.length], ['Retry', 0]);
    assert.match(refused?.label ?? '', /Not for you/);
    clearFaults();
    await click(refused ?? assert.fail());
    const rows = getLabels(await getRowsBelow(reference.node));
    assert.ok(rows.includes('Objects'), rows.join());
    fault({ route, fault: 'forbidden', count: null });
    await run('refresh', reference.node);
    const [stale, ...old] = await getRowsBelow(reference.node);
    assert.match(stale?.label ?? '', /^Not refreshed: as of \d/);
    assert.deepEqual(getLabels(old), rows);
    clearFaults();
    await click(stale ?? assert.fail());
    assert.deepEqual(getLabels(await getRowsBelow(reference.node)), rows);
  });

  test('an object shows the access rules of its actions once its template was read, without another request', async () => {
    const object = await first(await everywhere('Objects'));
    const actions = async (): Promise<ReadonlyMap<string, string>> =>
      new Map(
        (await getRowsBelow(object.node))
          .filter(({ item }) => item.iconPath instanceof vscode.ThemeIcon && ACTION_ICONS.has(item.iconPath.id))
          .map(({ label, description }) => [label, description]),
      );
    const template = (await getRowsBelow(object.node)).find(({ label }) => label === 'Template') ?? assert.fail();
    const descriptions = new Map(
      (await getRowsBelow(template.node)).map(({ label, description }) => [label, description]),
    );
    await run('refresh', object.node);
    const before = countRequests();
    const known = await actions();
    assert.equal(countRequests(), before + 1, 'faces and actions, as ever');
    assert.ok(known.size > 0);
    for (const [label, description] of known) {
      assert.match(description, /public|private|whitelist|token/);
      assert.equal(description, descriptions.get(label));
    }
  });

  test('a batch lists its actions, a log references its batch, and discovered batches are listed in their section', async () => {
    const id = getSandbox().batches['completed'] ?? '';
    const log = JSON.parse(await ask(`/ebus/action-logs?batch_id=${id}&limit=1`)) as { action_logs: { id: string }[] };
    const { ui } = await getTestHooks();
    const list = await everywhere('Action Logs');
    // Discovered batches are offered; any other id can be typed.
    await getRowsBelow(list.node);
    ui.answer('pick', 'batch', id, 'Show Results');
    await run('filter', list.node);
    const filtered = await everywhere('Action Logs');
    assert.match(filtered.description, new RegExp(id));
    const filteredLog = await first(filtered);
    assert.ok(log.action_logs.length > 0);
    const reference =
      (await getRowsBelow(filteredLog.node)).find(({ label }) => label === 'Batch') ??
      assert.fail('no way to the batch');
    assert.equal(getId(reference), id);
    assert.ok(
      filterResources(await getRowsBelow(reference.node)).some(({ contextValues }) =>
        contextValues.includes('kind:action-logs'),
      ),
    );
    assert.ok(
      filterResources(await getRowsBelow((await findRow(CONNECTION, 'Batches')).node)).some(
        (each) => getId(each) === id,
      ),
    );
    await run('clearFilter', filtered.node);
  });

  test('roles are the user’s own, the default and discovered ones; each shows its permissions', async () => {
    const [organization] = getSandbox().organizations;
    const roles = await findRow(CONNECTION, organization?.id ?? '', 'Roles');
    const rows = await getRowsBelow(roles.node);
    assert.deepEqual(getLabels(rows).slice(0, 2), ['My role', 'Default role']);
    assert.equal(rows.at(-1)?.label, 'Open by ID…');
    const grants = await getRowsBelow(rows[0]?.node);
    assert.ok(grants.some(({ label, description }) => label === 'objects' && description.includes('read')));
  });

  test('a referenced organization has its sections', async () => {
    const object = await first(await everywhere('Objects'));
    const reference = (await getRowsBelow(object.node)).find(({ label }) => label === 'Organization') ?? assert.fail();
    assert.deepEqual(getLabels(await getRowsBelow(reference.node)), [
      'Objects',
      'Faces',
      'Action Logs',
      'Support Messages',
      'Roles',
    ]);
  });

  test('states have a shape of their own, and every row an accessible name', async () => {
    const rows = filterResources(await getRowsBelow((await everywhere('Action Logs')).node));
    for (const { item, description } of rows) {
      const icon = item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : '';
      const [state] = description.split(' · ');
      const expected: Readonly<Record<string, string>> = { completed: 'pass', failed: 'error', pending: 'watch' };
      assert.equal(icon, expected[state ?? '']);
      assert.ok(item.accessibilityInformation?.label.includes(state ?? ''));
    }
  });

  test('a state outside the contract is shown unchanged, with the icon for unknown', async () => {
    const list = await unload(await everywhere('Action Logs'));
    fault({ route: 'GET /ebus/action-logs', fault: 'unknownEnum', field: 'status', value: 'anchoring' });
    const rows = filterResources(await getRowsBelow(list.node)).filter(({ description }) =>
      description.startsWith('anchoring'),
    );
    assert.ok(rows.length > 0);
    for (const { item } of rows)
      assert.equal(item.iconPath instanceof vscode.ThemeIcon && item.iconPath.id, 'question');
    await unload(list);
  });

  test('small pictures of the connection’s own origin are icons of their rows, as data: URIs', async () => {
    const list = await findRow(CONNECTION, 'Assets');
    const picture = await eventually(async () => {
      await run('loadMore', list.node);
      return filterResources(await getRowsBelow(list.node)).find(({ item }) => item.iconPath instanceof vscode.Uri);
    });
    const { iconPath } = picture.item;
    assert.match(iconPath instanceof vscode.Uri ? iconPath.toString() : '', /^data:image\/(png|jpeg)/);
  });

  test('the tooltip of a resource is a compact, untrusted card with known names, times and the id', async () => {
    await getRowsBelow((await findRow(CONNECTION, 'Templates')).node);
    const object = await first(await everywhere('Objects'));
    const { provider } = await explorer();
    const token = new vscode.CancellationTokenSource().token;
    const resolved = await provider.resolveTreeItem?.(object.item, object.node, token);
    const tooltip = resolved?.tooltip;
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(tooltip.isTrusted !== true && tooltip.supportHtml !== true);
    const text = tooltip.value.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('!['));
    assert.ok(lines.length <= 9, text);
    assert.match(text, /Template: \w/);
    assert.match(text, /Created: /);
    assert.ok(text.includes(getId(object)), text);
  });

  test('no two rows of objects look alike', async () => {
    const rows = filterResources(await getRowsBelow((await everywhere('Objects')).node));
    const labels = rows.map(({ label }) => label);
    assert.ok(labels.length >= 10, labels.join('\n'));
    assert.equal(new Set(labels).size, labels.length, labels.join('\n'));
  });

  test('a list that is refreshed while it is collapsed is not shown from memory when it is expanded', async () => {
    const list = await everywhere('Support Messages');
    await getRowsBelow(list.node);
    const tree = await explorer();
    await tree.collapse(list.node);
    const changes: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData?.((changed) => changes.push(changed));
    await run('refresh', list.node);
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
    await run('refresh', { connection: CONNECTION, kind: 'action-logs' });
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
    await run('loadAll', list.node);
    const rows = await getRowsBelow(list.node);
    const { assets } = JSON.parse(await ask('/assets?limit=100')) as { assets: readonly unknown[] };
    assert.equal(filterResources(rows).length, assets.length);
    assert.equal(rows.length, assets.length, 'nothing more to load');
    assert.ok(ui.readMessages('progress').some((text) => text.includes('so far')));
  });

  test('a filtered list is pinned under Favorites, keeps its filter, and is removed', async () => {
    const { ui } = await getTestHooks();
    ui.answer('pick', 'status', 'failed', 'Show Results');
    await run('filter', (await everywhere('Action Logs')).node);
    ui.answer('input', 'Failures');
    await run('addFavorite', (await everywhere('Action Logs')).node);
    await run('clearFilter', (await everywhere('Action Logs')).node);
    const favorite = await findRow(CONNECTION, 'Favorites', 'Failures');
    assert.deepEqual(favorite.contextValues.slice(0, 2), ['favorite', 'list']);
    assert.match(favorite.description, /status failed/);
    for (const { description } of filterResources(await getRowsBelow(favorite.node)))
      assert.match(description, /^failed/);
    await run('removeFavorite', favorite.node);
    assert.ok(!getLabels(await getRowsBelow((await findRow(CONNECTION)).node)).includes('Favorites'));
  });

  test('a list below a resource is filtered as a section is; a table keeps the list that it was opened with', async () => {
    const { ui } = await getTestHooks();
    const find = async (): Promise<TreeRow> => {
      const template = await first(await findRow(CONNECTION, 'Templates'));
      return (await getRowsBelow(template.node)).find(({ label }) => label === 'Objects') ?? assert.fail();
    };
    const all = getLabels(filterResources(await getRowsBelow((await find()).node)));
    assert.ok(all.length > 0);
    const [by] = getFilterParameters(registry.objects.list.operation.query).filter(([, { type }]) => type === 'text');
    ui.answer('pick', formatParameter(by?.[0] ?? ''), 'Show Results');
    ui.answer('input', 'nothing is called this');
    await run('filter', (await find()).node);
    const filtered = await find();
    assert.match(filtered.description, /nothing is called this/);
    // The row object of a table that was opened before the sign-in.
    await getRowsBelow({ ...filtered.node, filter: {} } as Node);
    assert.deepEqual(filterResources(await getRowsBelow(filtered.node)), []);
    await run('clearFilter', (await find()).node);
    assert.deepEqual(getLabels(filterResources(await getRowsBelow((await find()).node))), all);
  });

  test('an organization’s id is inserted from its row', async () => {
    const organization = (await getRowsBelow((await findRow(CONNECTION)).node)).find(({ contextValues }) =>
      contextValues.includes('kind:organizations'),
    );
    assert.ok(organization);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
    await run('insertId', organization.node);
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
    await run('copyId', two, selected);
    assert.deepEqual((await clipboard()).split('\n'), ids);
    await run('copyId', two, [two]);
    assert.equal(await clipboard(), ids[1]);
    // A row without an id among them is left out.
    await run('copyId', two, [one, two, (await everywhere('Support Messages')).node]);
    assert.deepEqual((await clipboard()).split('\n'), ids.slice(0, 2));

    await run('copyJson', two, selected);
    assert.match(await clipboard(), /^\[\n {2}\{\n {4}"id"[^]*?\n {2}\},\n {2}\{\n[^]*\n {2}\}\n\]$/);
    assert.deepEqual(
      (JSON.parse(await clipboard()) as readonly { readonly id: string }[]).map(({ id }) => id),
      ids,
    );
    assert.ok(ui.readMessages('progress').some((text) => text.includes('3 of 3')));
    const face = await first(await everywhere('Faces'));
    fault({ route: 'GET /support', fault: 'forbidden', count: null });
    await vscode.env.clipboard.writeText('as before');
    await run('copyJson', two, [face.node, unread]);
    assert.equal(await clipboard(), 'as before', 'all of them or none');
    clearFaults();

    await run('compareResources', two, [one, two]);
    const diff = await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input);
    assert.ok(diff instanceof vscode.TabInputTextDiff);
    assert.ok(diff.original.path.includes(ids[0] ?? '') && diff.modified.path.includes(ids[1] ?? ''));
    await run('compareResources', two, selected);
    const pick = ui.messages.findLast(({ kind }) => kind === 'pick');
    assert.match(pick?.text ?? '', new RegExp(`Compare .*${ids[1] ?? ''} with`));
  });

  test('search requests every list, reports those that fail, and opens the chosen resource', async () => {
    const template = JSON.parse(await ask('/public/templates?limit=1')) as {
      templates: { id: string; name: string }[];
    };
    const { id, name } = template.templates[0] ?? assert.fail();
    const { ui } = await getTestHooks();
    fault({ route: 'GET /faces', fault: 'forbidden' });
    ui.answer('input', name);
    ui.answer('pick', name);
    await run('searchResources');
    const list = ui.messages.find(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.ok(
      list?.choices.some((choice) => choice.includes('Faces could not be searched')),
      list?.choices.join('\n'),
    );
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.ok(document.getText().includes(id));
  });

  test('Refresh in the title reads every visible list, whichever row has the focus; Refresh of a row reads that row', async () => {
    const [objects, assets] = [await everywhere('Objects'), await findRow(CONNECTION, 'Assets')];
    for (const list of [objects, assets]) await getRowsBelow(list.node);
    const reads = (): readonly number[] => ['GET /objects', 'GET /assets'].map(countRequests);
    const focused = await first(assets);
    const before = reads();
    await run('refreshAll', focused.node, [focused.node]);
    const after = reads();
    assert.ok(
      after.every((count, index) => count > (before[index] ?? 0)),
      after.join(),
    );
    await run('refresh', assets.node);
    assert.equal(reads()[0], after[0]);
  });

  test('search while signed out offers Sign In… and sends nothing', async () => {
    const all = await getTestHooks();
    await all.signOut(CONNECTION);
    all.ui.answer('input', 'sought-while-out');
    await run('searchResources');
    await all.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    const list = all.ui.messages.find(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.deepEqual(
      list?.choices.map((choice) => choice.replace(/^\$\(.*?\) /, '')),
      ['Not signed in. Sign In…'],
    );
    assert.doesNotMatch(JSON.stringify(listRequests()), /sought-while-out/);
  });

  const partials = async (): Promise<readonly string[]> =>
    (await fs.readdir(folder)).filter((name) => name.endsWith('.partial'));

  for (const format of ['NDJSON', 'JSON', 'CSV']) {
    test(`exports a list to ${format}, all pages of it`, async () => {
      const { ui } = await getTestHooks();
      const file = path.join(folder, `messages.${format.toLowerCase()}`);
      ui.answer('pick', format);
      ui.answer('input', file);
      await run('exportCollection', (await everywhere('Support Messages')).node);
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
    fault({ route: 'GET /assets', fault: 'forbidden', after: 2, count: null });
    ui.answer('pick', 'NDJSON');
    ui.answer('input', file);
    await run('exportCollection', (await findRow(CONNECTION, 'Assets')).node);
    assert.equal(ui.readMessages('error').length, 1);
    const [name = ''] = await partials();
    const partial = await fs.readFile(path.join(folder, name), 'utf8');
    assert.equal(partial.trim().split('\n').length, 20);
    clearFaults();
    const before = countRequests();
    ui.answer('pick', 'Resume assets.ndjson');
    await run('exportCollection', (await findRow(CONNECTION, 'Assets')).node);
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
      (await getRowsBelow((await findRow('Guest')).node)).some(({ description }) => description.includes('found'))
        ? true
        : undefined,
    );
  });
});
