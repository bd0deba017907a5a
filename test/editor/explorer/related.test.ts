/** Related resources below the rows of the tree, and how rows look, in real VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import {
  assertUniqueIds,
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
import { ask, clearFaults, countRequests, fault, getSandbox } from '../support/sandbox.ts';

const CONNECTION = 'Work';
const everywhere = (label: string): Promise<TreeRow> => findRow(CONNECTION, 'All organizations', label);
const ACTION_ICONS = new Set(['globe', 'lock', 'list-selection', 'key', 'zap']);

suite('explorer: related resources', () => {
  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox' });

  test('an object shows its template, owner, face, actions and logs, and leads on', async () => {
    const object = await getFirst(await everywhere('Objects'));
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
    assert.deepEqual([refused?.description, getLabels(others)], ['Retry', ['Select Identity…']]);
    assert.match(refused?.label ?? '', /Not for you/);
    clearFaults();
    await click(refused ?? assert.fail());
    const rows = getLabels(await getRowsBelow(reference.node));
    assert.ok(rows.includes('Objects'), rows.join());
    fault({ route, fault: 'forbidden', count: null });
    await runCommand('refresh', reference.node);
    const [stale, identity, ...old] = await getRowsBelow(reference.node);
    assert.match(stale?.label ?? '', /^Not refreshed since \d/);
    assert.equal(identity?.label, 'Select Identity…');
    assert.deepEqual(getLabels(old), rows);
    clearFaults();
    await click(stale ?? assert.fail());
    assert.deepEqual(getLabels(await getRowsBelow(reference.node)), rows);
  });

  test('an object shows the access rules of its actions once its template was read, without another request', async () => {
    const object = await getFirst(await everywhere('Objects'));
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
    await runCommand('refresh', object.node);
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
    ui.answer('pick', 'Batch', id, 'Show Results');
    await runCommand('filter', list.node);
    const filtered = await everywhere('Action Logs');
    assert.match(filtered.description, /^Batch: /);
    const filteredLog = await getFirst(filtered);
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
    await runCommand('clearFilter', filtered.node);
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
    const object = await getFirst(await everywhere('Objects'));
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
      await runCommand('loadMore', list.node);
      return filterResources(await getRowsBelow(list.node)).find(({ item }) => item.iconPath instanceof vscode.Uri);
    });
    const { iconPath } = picture.item;
    assert.match(iconPath instanceof vscode.Uri ? iconPath.toString() : '', /^data:image\/(png|jpeg)/);
  });

  test('the tooltip of a resource is a compact, untrusted card with known names, times and the id', async () => {
    await getRowsBelow((await findRow(CONNECTION, 'Templates')).node);
    const object = await getFirst(await everywhere('Objects'));
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
});
