/** Working in the tree, in real VS Code: ways between resources, favorites, search, exports, and what a sign-in changes. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Node } from '../../src/explorer/nodes.ts';
import { fillable, parameterWords } from '../../src/explorer/query.ts';
import { registry } from '../../src/platform/registry.ts';
import { hooks, sandbox } from './support/connections.ts';
import { ask, closeAll, connect, eventually, fault, requestCount } from './support/documents.ts';
import {
  assertUniqueIds,
  click,
  explorer,
  labelsOf,
  resourcesOf,
  row,
  rowsBelow,
  unloaded,
  type Seen,
} from './support/explorer.ts';

const CONNECTION = 'Work';
const run = async (id: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.commands.executeCommand(`smartObjects.${id}`, ...args);
const everywhere = (label: string): Promise<Seen> => row(CONNECTION, 'All organizations', label);
const first = async (list: Seen): Promise<Seen> => resourcesOf(await rowsBelow(list.node))[0] ?? assert.fail('no rows');
const ACTION_ICONS = new Set(['globe', 'lock', 'list-selection', 'key', 'zap']);
const idOf = ({ node }: Seen): string => (node.type === 'resource' ? (node.resource?.id ?? '') : '');

suite('explorer at work', () => {
  let folder = '';

  suiteSetup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-export-'));
    await (await hooks()).reset();
    await connect(CONNECTION, { pageSize: 10, environment: 'sandbox' });
  });
  setup(async () => {
    await fault(undefined);
    (await hooks()).ui.reset();
  });
  teardown(closeAll);
  suiteTeardown(async () => {
    await fault(undefined);
    await fs.rm(folder, { recursive: true });
    await (await hooks()).reset();
  });

  test('an object shows its template, owner, face, actions and logs, and leads on', async () => {
    const object = await first(await everywhere('Objects'));
    const below = await rowsBelow(object.node);
    assertUniqueIds(below);
    const labels = labelsOf(below);
    for (const label of ['Face', 'Template', 'Owner', 'Organization', 'Action Logs'])
      assert.ok(labels.includes(label), labels.join());
    const before = await requestCount();
    await rowsBelow(object.node);
    assert.equal(await requestCount(), before, 'expanding again asks nothing');

    const logs = below.find(({ label }) => label === 'Action Logs') ?? assert.fail();
    for (const log of resourcesOf(await rowsBelow(logs.node))) {
      const objects = resourcesOf(await rowsBelow(log.node)).filter(({ words }) => words.includes('kind:objects'));
      assert.ok(objects.some((way) => idOf(way) === idOf(object)));
    }
    const template = below.find(({ label }) => label === 'Template') ?? assert.fail();
    const facts = await rowsBelow(template.node);
    assert.ok(
      facts.some(
        ({ words, description }) => words.includes('fact') && /public|private|whitelist|token/.test(description),
      ),
    );
    assert.ok(labelsOf(facts).includes('Objects'));
    await click(template);
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.match(document.uri.path, /\/templates\//);
  });

  test('a resource that cannot be read says why, with a retry; what it showed before stays', async () => {
    const object = resourcesOf(await rowsBelow((await everywhere('Objects')).node))[1] ?? assert.fail();
    const way = (await rowsBelow(object.node)).find(({ label }) => label === 'Template') ?? assert.fail();
    const route = 'GET /templates/{templateId}';
    await fault({ route, fault: 'forbidden', count: null, message: 'Not for you' });
    const [refused, ...others] = await rowsBelow(way.node);
    assert.deepEqual([refused?.description, others.length], ['Retry', 0]);
    assert.match(refused?.label ?? '', /Not for you/);
    await fault(undefined);
    await click(refused ?? assert.fail());
    const rows = labelsOf(await rowsBelow(way.node));
    assert.ok(rows.includes('Objects'), rows.join());
    await fault({ route, fault: 'forbidden', count: null });
    await run('refresh', way.node);
    const [stale, ...old] = await rowsBelow(way.node);
    assert.match(stale?.label ?? '', /^Not refreshed: as of \d/);
    assert.deepEqual(labelsOf(old), rows);
    await fault(undefined);
    await click(stale ?? assert.fail());
    assert.deepEqual(labelsOf(await rowsBelow(way.node)), rows);
  });

  test('once its template was read, an object says who may run each action, and asks nothing more for it', async () => {
    const object = await first(await everywhere('Objects'));
    const actions = async (): Promise<ReadonlyMap<string, string>> =>
      new Map(
        (await rowsBelow(object.node))
          .filter(({ item }) => item.iconPath instanceof vscode.ThemeIcon && ACTION_ICONS.has(item.iconPath.id))
          .map(({ label, description }) => [label, description]),
      );
    const template = (await rowsBelow(object.node)).find(({ label }) => label === 'Template') ?? assert.fail();
    const told = new Map((await rowsBelow(template.node)).map(({ label, description }) => [label, description]));
    await run('refresh', object.node);
    const before = await requestCount();
    const known = await actions();
    assert.equal(await requestCount(), before + 1, 'faces and actions, as ever');
    assert.ok(known.size > 0);
    for (const [label, description] of known) {
      assert.match(description, /public|private|whitelist|token/);
      assert.equal(description, told.get(label));
    }
  });

  test('a batch leads to its actions, and a log to its batch; batches that were met stand in their section', async () => {
    const { batches } = sandbox() as ReturnType<typeof sandbox> & {
      readonly batches: Readonly<Record<string, string>>;
    };
    const id = batches['completed'] ?? '';
    const log = JSON.parse(await ask(`/ebus/action-logs?batch_id=${id}&limit=1`)) as { action_logs: { id: string }[] };
    const { ui } = await hooks();
    const list = await everywhere('Action Logs');
    // With some batches met, a list of them is offered; any other id can be typed.
    await rowsBelow(list.node);
    ui.answer('pick', 'batch', id, 'Show Results');
    await run('filter', list.node);
    const filtered = await everywhere('Action Logs');
    assert.match(filtered.description, new RegExp(id));
    const met = await first(filtered);
    assert.ok(log.action_logs.length > 0);
    const way =
      (await rowsBelow(met.node)).find(({ label }) => label === 'Batch') ?? assert.fail('no way to the batch');
    assert.equal(idOf(way), id);
    assert.ok(resourcesOf(await rowsBelow(way.node)).some(({ words }) => words.includes('kind:action-logs')));
    assert.ok(resourcesOf(await rowsBelow((await row(CONNECTION, 'Batches')).node)).some((each) => idOf(each) === id));
    await run('clearFilter', filtered.node);
  });

  test('roles are the own, the default, and those that were met; each shows what it grants', async () => {
    const [organization] = sandbox().organizations;
    const roles = await row(CONNECTION, organization?.id ?? '', 'Roles');
    const rows = await rowsBelow(roles.node);
    assert.deepEqual(labelsOf(rows).slice(0, 2), ['My role', 'Default role']);
    assert.equal(rows.at(-1)?.label, 'Open by ID…');
    const grants = await rowsBelow(rows[0]?.node);
    assert.ok(grants.some(({ label, description }) => label === 'objects' && description.includes('read')));
  });

  test('an organization on the way holds its own sections', async () => {
    const object = await first(await everywhere('Objects'));
    const way = (await rowsBelow(object.node)).find(({ label }) => label === 'Organization') ?? assert.fail();
    assert.deepEqual(labelsOf(await rowsBelow(way.node)), [
      'Objects',
      'Faces',
      'Action Logs',
      'Support Messages',
      'Roles',
    ]);
  });

  test('states have a shape of their own, and every row an accessible name', async () => {
    const rows = resourcesOf(await rowsBelow((await everywhere('Action Logs')).node));
    for (const { item, description } of rows) {
      const icon = item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : '';
      const [state] = description.split(' · ');
      const expected: Readonly<Record<string, string>> = { completed: 'pass', failed: 'error', pending: 'watch' };
      assert.equal(icon, expected[state ?? '']);
      assert.ok(item.accessibilityInformation?.label.includes(state ?? ''));
    }
  });

  test('a state that the contract does not know is shown as it stands, and looks unknown', async () => {
    const list = await unloaded(await everywhere('Action Logs'));
    await fault({ route: 'GET /ebus/action-logs', fault: 'unknownEnum', field: 'status', value: 'anchoring' });
    const rows = resourcesOf(await rowsBelow(list.node)).filter(({ description }) =>
      description.startsWith('anchoring'),
    );
    assert.ok(rows.length > 0);
    for (const { item } of rows)
      assert.equal(item.iconPath instanceof vscode.ThemeIcon && item.iconPath.id, 'question');
    await unloaded(list);
  });

  test('small pictures of the connection’s own origin stand before their rows, as data', async () => {
    const list = await row(CONNECTION, 'Assets');
    const picture = await eventually(async () => {
      await run('loadMore', list.node);
      return resourcesOf(await rowsBelow(list.node)).find(({ item }) => item.iconPath instanceof vscode.Uri);
    });
    const { iconPath } = picture.item;
    assert.match(iconPath instanceof vscode.Uri ? iconPath.toString() : '', /^data:image\/(png|jpeg)/);
  });

  test('the tooltip is plain text with the fields of the resource', async () => {
    const object = await first(await everywhere('Objects'));
    const { provider } = await explorer();
    const token = new vscode.CancellationTokenSource().token;
    const resolved = await provider.resolveTreeItem?.(object.item, object.node, token);
    const tooltip = resolved?.tooltip;
    assert.ok(typeof tooltip === 'string' && tooltip.includes(idOf(object)));
  });

  test('a list that is refreshed while it is collapsed is not shown from memory when it is expanded', async () => {
    const list = await everywhere('Support Messages');
    await rowsBelow(list.node);
    const tree = await explorer();
    await tree.collapse(list.node);
    const told: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData?.((changed) => told.push(changed));
    await run('refresh', list.node);
    listening?.dispose();
    // VS Code keeps the rows of the very node that it holds until that one is said to have changed.
    assert.ok(told.includes(list.node));
    const before = await requestCount();
    await rowsBelow(list.node);
    assert.equal(await requestCount(), before + 1);
  });

  test('after a run a collapsed list is read anew when it is expanded, and one of another kind is not', async () => {
    const [logs, objects] = [await everywhere('Action Logs'), await everywhere('Objects')];
    const tree = await explorer();
    for (const { node } of [logs, objects]) {
      await rowsBelow(node);
      await tree.collapse(node);
    }
    const told: unknown[] = [];
    const listening = tree.provider.onDidChangeTreeData?.((changed) => told.push(changed));
    // As a run does once it is over.
    await run('refresh', { connection: CONNECTION, kind: 'action-logs' });
    listening?.dispose();
    assert.ok(told.includes(logs.node));
    const kinds = told.map((changed) => Reflect.get(Object(changed), 'kind') as unknown);
    assert.ok(
      kinds.every((kind) => kind === 'action-logs'),
      kinds.join(', '),
    );
    const before = await requestCount();
    await rowsBelow(logs.node);
    await rowsBelow(objects.node);
    assert.equal(await requestCount(), before + 1);
  });

  test('Load all brings every page, with progress', async () => {
    const { ui } = await hooks();
    const list = await unloaded(await row(CONNECTION, 'Assets'));
    await rowsBelow(list.node);
    await run('loadAll', list.node);
    const rows = await rowsBelow(list.node);
    const { assets } = JSON.parse(await ask('/assets?limit=100')) as { assets: readonly unknown[] };
    assert.equal(resourcesOf(rows).length, assets.length);
    assert.equal(rows.length, assets.length, 'nothing more to load');
    assert.ok(ui.said('progress').some((text) => text.includes('so far')));
  });

  test('a filtered list is pinned under Favorites, survives, and goes', async () => {
    const { ui } = await hooks();
    ui.answer('pick', 'status', 'failed', 'Show Results');
    await run('filter', (await everywhere('Action Logs')).node);
    ui.answer('input', 'Failures');
    await run('addFavorite', (await everywhere('Action Logs')).node);
    await run('clearFilter', (await everywhere('Action Logs')).node);
    const favorite = await row(CONNECTION, 'Favorites', 'Failures');
    assert.deepEqual(favorite.words.slice(0, 2), ['favorite', 'list']);
    assert.match(favorite.description, /status failed/);
    for (const { description } of resourcesOf(await rowsBelow(favorite.node))) assert.match(description, /^failed/);
    await run('removeFavorite', favorite.node);
    assert.ok(!labelsOf(await rowsBelow((await row(CONNECTION)).node)).includes('Favorites'));
  });

  test('a list below a resource is filtered as a section is; a table keeps the list that it was opened with', async () => {
    const { ui } = await hooks();
    const find = async (): Promise<Seen> => {
      const template = await first(await row(CONNECTION, 'Templates'));
      return (await rowsBelow(template.node)).find(({ label }) => label === 'Objects') ?? assert.fail();
    };
    const all = labelsOf(resourcesOf(await rowsBelow((await find()).node)));
    assert.ok(all.length > 0);
    const [by] = fillable(registry.objects.list.operation.query).filter(([, { type }]) => type === 'text');
    ui.answer('pick', parameterWords(by?.[0] ?? ''), 'Show Results');
    ui.answer('input', 'nothing is called this');
    await run('filter', (await find()).node);
    const filtered = await find();
    assert.match(filtered.description, /nothing is called this/);
    // The row as a table holds that was opened before, and asks first after a sign-in.
    await rowsBelow({ ...filtered.node, filter: {} } as Node);
    assert.deepEqual(resourcesOf(await rowsBelow(filtered.node)), []);
    await run('clearFilter', (await find()).node);
    assert.deepEqual(labelsOf(resourcesOf(await rowsBelow((await find()).node))), all);
  });

  test('an organization’s id is inserted from its row', async () => {
    const organization = (await rowsBelow((await row(CONNECTION)).node)).find(({ words }) =>
      words.includes('kind:organizations'),
    );
    assert.ok(organization);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
    await run('insertId', organization.node);
    assert.equal(editor.document.getText(), organization.node.organization);
  });

  test('of several selected rows, all are copied, two are compared, and the rest is about the clicked one', async () => {
    const { ui } = await hooks();
    const rows = resourcesOf(await rowsBelow((await everywhere('Support Messages')).node)).slice(0, 3);
    const [one, two, three] = rows.map(({ node }) => node);
    const unread = resourcesOf(await rowsBelow((await everywhere('Support Messages')).node)).at(-1)?.node;
    const ids = rows.map(idOf);
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
    assert.ok(ui.said('progress').some((text) => text.includes('3 of 3')));
    const face = await first(await everywhere('Faces'));
    await fault({ route: 'GET /support', fault: 'forbidden', count: null });
    await vscode.env.clipboard.writeText('as before');
    await run('copyJson', two, [face.node, unread]);
    assert.equal(await clipboard(), 'as before', 'all of them or none');
    await fault(undefined);

    await run('compareResources', two, [one, two]);
    const diff = await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input);
    assert.ok(diff instanceof vscode.TabInputTextDiff);
    assert.ok(diff.original.path.includes(ids[0] ?? '') && diff.modified.path.includes(ids[1] ?? ''));
    await run('compareResources', two, selected);
    const asked = ui.all.findLast(({ kind }) => kind === 'pick');
    assert.match(asked?.text ?? '', new RegExp(`Compare .*${ids[1] ?? ''} with`));
  });

  test('search asks every list, names those that fail, and opens what is chosen', async () => {
    const template = JSON.parse(await ask('/public/templates?limit=1')) as {
      templates: { id: string; name: string }[];
    };
    const { id, name } = template.templates[0] ?? assert.fail();
    const { ui } = await hooks();
    await fault({ route: 'GET /faces', fault: 'forbidden' });
    ui.answer('input', name);
    ui.answer('pick', name);
    await run('searchResources');
    const list = ui.all.find(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.ok(
      list?.choices.some((choice) => choice.includes('Faces could not be searched')),
      list?.choices.join('\n'),
    );
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.ok(document.getText().includes(id));
  });

  test('Refresh in the title reads every list that is shown, whatever row has the focus; a row’s own reads that row', async () => {
    const [objects, assets] = [await everywhere('Objects'), await row(CONNECTION, 'Assets')];
    for (const list of [objects, assets]) await rowsBelow(list.node);
    const reads = async (): Promise<readonly number[]> => {
      const { requests } = JSON.parse(await ask('/__sandbox/requests')) as { requests: { readonly route?: string }[] };
      return ['GET /objects', 'GET /assets'].map((name) => requests.filter(({ route }) => route === name).length);
    };
    const focused = await first(assets);
    const before = await reads();
    await run('refreshAll', focused.node, [focused.node]);
    const after = await reads();
    assert.ok(
      after.every((count, index) => count > (before[index] ?? 0)),
      after.join(),
    );
    await run('refresh', assets.node);
    assert.equal((await reads())[0], after[0]);
  });

  test('signed out, nothing is searched: the way to sign in stands there instead', async () => {
    const all = await hooks();
    await all.signOut(CONNECTION);
    all.ui.answer('input', 'sought-while-out');
    await run('searchResources');
    await all.signIn(CONNECTION, { apiKey: sandbox().apiKey });
    const list = all.ui.all.find(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.deepEqual(
      list?.choices.map((choice) => choice.replace(/^\$\(.*?\) /, '')),
      ['Not signed in. Sign In…'],
    );
    assert.doesNotMatch(await ask('/__sandbox/requests'), /sought-while-out/);
  });

  const partials = async (): Promise<readonly string[]> =>
    (await fs.readdir(folder)).filter((name) => name.endsWith('.partial'));

  for (const format of ['NDJSON', 'JSON', 'CSV']) {
    test(`exports a list to ${format}, all pages of it`, async () => {
      const { ui } = await hooks();
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

  test('an export that fails keeps what it has, and goes on at that page', async () => {
    const { ui } = await hooks();
    const file = path.join(folder, 'assets.ndjson');
    await fault({ route: 'GET /assets', fault: 'forbidden', after: 2, count: null });
    ui.answer('pick', 'NDJSON');
    ui.answer('input', file);
    await run('exportCollection', (await row(CONNECTION, 'Assets')).node);
    assert.equal(ui.said('error').length, 1);
    const [name = ''] = await partials();
    const partial = await fs.readFile(path.join(folder, name), 'utf8');
    assert.equal(partial.trim().split('\n').length, 20);
    await fault(undefined);
    const before = await requestCount();
    ui.answer('pick', 'Resume assets.ndjson');
    await run('exportCollection', (await row(CONNECTION, 'Assets')).node);
    const { assets } = JSON.parse(await ask('/assets?limit=100')) as { assets: readonly { id: string }[] };
    const lines = (await fs.readFile(file, 'utf8')).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
      assets.map(({ id }) => id),
    );
    // The look at all assets above is one of them.
    assert.equal((await requestCount()) - before, Math.ceil((assets.length - 20) / 10) + 1);
    assert.deepEqual(await partials(), []);
  });

  test('a token of the system scope says why there are no objects', async () => {
    await (
      await hooks()
    ).addConnection({ name: 'System', baseUrl: sandbox().baseUrl }, { accessToken: sandbox().systemToken });
    const [empty, ...others] = await rowsBelow((await row('System', 'All organizations', 'Objects')).node);
    assert.deepEqual(labelsOf(others), []);
    assert.match(empty?.label ?? '', /system scope/);
  });

  test('signing out and in again is seen at once', async () => {
    const all = await hooks();
    await all.addConnection({ name: 'Guest', baseUrl: sandbox().baseUrl });
    const [hint] = await rowsBelow((await row('Guest')).node);
    assert.match(hint?.label ?? '', /Sign In…$/);
    assert.ok((await row('Guest')).words.includes('signedOut'));
    const [refused, way, ...others] = await rowsBelow((await row('Guest', 'All organizations', 'Objects')).node);
    assert.deepEqual([refused?.description, way?.label, others], ['Retry', 'Sign In…', []]);
    assert.ok(refused?.words.includes('error'));
    await all.signIn('Guest', { apiKey: sandbox().apiKey });
    assert.ok((await row('Guest')).words.includes('signedIn'));
    assert.ok(resourcesOf(await rowsBelow((await row('Guest', 'All organizations', 'Objects')).node)).length > 0);
    // What was read tells of organizations that nobody had named.
    await eventually(async () =>
      (await rowsBelow((await row('Guest')).node)).some(({ description }) => description.includes('found'))
        ? true
        : undefined,
    );
  });
});
