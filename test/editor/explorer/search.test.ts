/** Search… in real VS Code: what it says and reads, objects by their name, failures, and no request while signed out. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registry } from '../../../src/platform/registry.ts';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import { findRow, getLabels, getRowsBelow } from '../support/explorer.ts';
import { ask, countRequests, fault, getSandbox, listRequests, refuseLargePages } from '../support/sandbox.ts';

const CONNECTION = 'Work';

suite('explorer: search', () => {
  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox' });

  test('search requests every list, reports those that fail, and opens the chosen resource', async () => {
    const template = JSON.parse(await ask('/public/templates?limit=1')) as {
      templates: { id: string; name: string }[];
    };
    const { id, name } = template.templates[0] ?? assert.fail();
    const { ui } = await getTestHooks();
    fault({ route: 'GET /faces', fault: 'forbidden' });
    ui.answer('input', name);
    ui.answer('pick', name);
    await runCommand('searchResources');
    const list = ui.messages.findLast(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.ok(
      list?.choices.some((choice) => choice.includes('Faces could not be searched')),
      list?.choices.join('\n'),
    );
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.ok(document.getText().includes(id));
  });

  test('says what each list is searched by, and finds an object by its name beyond the first pages', async () => {
    const hooks = await getTestHooks();
    const { ui } = hooks;
    const session = (await hooks.services()).sessions.get(CONNECTION) ?? assert.fail();
    const names: string[] = [];
    const ids: string[] = [];
    for await (const page of session.client.listPagesFor(registry.objects, { limit: 100 }, { bulk: true })) {
      names.push(...page.items.map(({ raw }) => registry.objects.summary(raw).title));
      ids.push(...page.items.map(({ id }) => id ?? ''));
    }
    await refuseLargePages(session, 'objects');
    // The first pass reads 10 pages of 10.
    const position = names.findIndex(
      (name, index) =>
        index > 105 &&
        index < 180 &&
        // An object without a name has its edition, which the search takes for a template.
        !name.startsWith('#') &&
        names.filter((other) => other.includes(name)).length === 1,
    );
    const name = names[position] ?? assert.fail();
    ui.answer('input', name);
    ui.answer('pick', 'Search All', ({ choices }) => choices.find((choice) => choice.includes(name)));
    await runCommand('searchResources');
    const lists = ui.messages.filter(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    const [atFirst, firstPass] = lists.map(({ choices }) => choices.join('\n'));
    assert.match(atFirst ?? '', /Objects by part of the name, loaded and newest first/);
    assert.match(atFirst ?? '', /Faces, Templates, Assets, Message Templates by search term/);
    assert.match(atFirst ?? '', /Action Logs, .*by ID/);
    assert.match(firstPass ?? '', /Search All 100 objects searched/);
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.ok(document.uri.path.includes(ids[position] ?? ''), document.uri.path);
  });

  test('what narrows is searched in memory without a request; a saved search is a row of the tree', async () => {
    const hooks = await getTestHooks();
    const { ui } = hooks;
    const session = (await hooks.services()).sessions.get(CONNECTION) ?? assert.fail();
    const [template] = (await session.client.listPageFor(registry.templates, { limit: 10 })).items;
    const { id = '', raw } = template ?? assert.fail();
    const name = registry.templates.summary(raw).title;
    const made = await session.client.listPageFor(registry.objects, { template_id: id, limit: 5 });
    const before = listRequests().length;
    ui.answer('input', `#"${name}" :objects`);
    ui.answer('pick', 'Save This Search');
    await runCommand('searchResources');
    const list = ui.messages.findLast(({ kind, detail }) => kind === 'pick' && detail !== 'at first');
    assert.equal(
      list?.choices.filter((choice) => choice.endsWith(' object')).length,
      made.items.length,
      list?.choices.join('\n'),
    );
    assert.equal(listRequests().length, before);
    const { node: row, item } = await findRow(CONNECTION, 'Favorites', `#"${name}" :objects`);
    ui.answer('input', '');
    await runCommand('searchResources', row);
    const first = ui.messages.findLast(({ detail }) => detail === 'at first');
    assert.ok(
      first?.choices.some((choice) => choice.endsWith(' object')),
      first?.choices.join('\n'),
    );
    await runCommand('removeFavorite', row);
    assert.match(item.contextValue ?? '', /\bfavorite\b/);
    const { node } = await findRow(CONNECTION);
    assert.ok(!getLabels(await getRowsBelow(node)).includes('Favorites'));
  });

  test('what narrows and matches nothing that was read is asked of the platform', async () => {
    const { ui } = await getTestHooks();
    const before = countRequests('GET /objects');
    ui.answer('input', '@0x00000000000000000000000000000000000000fe');
    ui.answer('pick', undefined);
    await runCommand('searchResources');
    const list = ui.messages.findLast(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.ok(
      list?.choices.some((choice) => choice.includes('No results')),
      list?.choices.join('\n'),
    );
    assert.equal(countRequests('GET /objects'), before + 1);
    assert.match(JSON.stringify(listRequests().at(-1)), /"owner":"0x0+fe"/);
  });

  test('a platform that refuses the order is searched in its own', async () => {
    const { ui } = await getTestHooks();
    const before = countRequests('GET /objects');
    fault({ route: 'GET /objects', fault: 'unprocessable', count: 1 });
    ui.answer('input', 'nothing is called this');
    ui.answer('pick', undefined);
    await runCommand('searchResources');
    const list = ui.messages.findLast(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.ok(
      list?.choices.some((choice) => choice.includes('100 objects searched')),
      list?.choices.join('\n'),
    );
    // The refused request, and ten pages of 10: larger ones are refused here.
    assert.equal(countRequests('GET /objects') - before, 11);
  });

  test('search while signed out offers Sign In… and sends nothing', async () => {
    const all = await getTestHooks();
    await all.signOut(CONNECTION);
    all.ui.answer('input', 'sought-while-out');
    await runCommand('searchResources');
    await all.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    const list = all.ui.messages.findLast(({ kind, text }) => kind === 'pick' && text.startsWith('Search'));
    assert.deepEqual(
      list?.choices.map((choice) => choice.replace(/^\$\(.*?\) /, '')),
      ['Not signed in. Sign In…'],
    );
    assert.doesNotMatch(JSON.stringify(listRequests()), /sought-while-out/);
  });
});
