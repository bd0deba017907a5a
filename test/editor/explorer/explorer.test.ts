/** The tree in real VS Code: sections, and each kind listed, paged, filtered, opened and refreshed after a fault. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getFilterParameters } from '../../../src/explorer/filter/filter.ts';
import { getFilterField } from '../../../src/model/resources/filter-fields.ts';
import { ExplorerStorage } from '../../../src/explorer/storage.ts';
import { Tree } from '../../../src/explorer/tree/tree.ts';
import { kinds, registry } from '../../../src/platform/registry.ts';
import { getOperationName } from '../../../src/platform/operation.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { eventually, onSandbox } from '../support/documents.ts';
import {
  assertUniqueIds,
  click,
  getLabels,
  filterResources,
  findRow,
  getRowsBelow,
  unload,
  type TreeRow,
} from '../support/explorer.ts';
import { clearFaults, countRequests, fault, getSandbox } from '../support/sandbox.ts';

const CONNECTION = 'Tree 50% ü/#';

/** The section of a kind. */
async function section(of: ResourceDefinition): Promise<TreeRow> {
  return of.section === 'organization'
    ? findRow(CONNECTION, 'All organizations', of.label)
    : findRow(CONNECTION, of.label);
}

suite('explorer', () => {
  onSandbox(CONNECTION, { pageSize: 5, environment: 'sandbox' });
  setup(() => runCommand('refresh'));

  test('shows the sections of a connection and of an organization', async () => {
    const { organizations } = getSandbox();
    const below = await getRowsBelow((await findRow(CONNECTION)).node);
    const connected = ['Templates', 'Assets', 'Message Templates', 'API Keys', 'Batches', 'Statistics'];
    assert.deepEqual(getLabels(below), ['All organizations', ...organizations.map(({ id }) => id), ...connected]);
    const everywhere = ['Objects', 'Faces', 'Action Logs', 'Support Messages'];
    assert.deepEqual(getLabels(await getRowsBelow((await findRow(CONNECTION, 'All organizations')).node)), everywhere);
    const [first] = organizations;
    assert.deepEqual(getLabels(await getRowsBelow((await findRow(CONNECTION, first?.id ?? '')).node)), [
      ...everywhere,
      'Roles',
    ]);
    assert.deepEqual(getLabels(await getRowsBelow((await findRow(CONNECTION, 'Statistics')).node)), [
      'Executions',
      'Fees',
      'Objects created',
    ]);
  });

  for (const kind of kinds) {
    const of: ResourceDefinition = registry[kind];
    const { list } = of;
    if (list === undefined) continue;

    suite(of.label, () => {
      test('lists, and expanding again sends nothing', async () => {
        const { node, contextValues } = await section(of);
        assert.ok(contextValues.includes('list') && contextValues.includes(`kind:${kind}`), contextValues.join(' '));
        const rows = await getRowsBelow(node);
        assertUniqueIds(rows);
        const items = filterResources(rows);
        assert.ok(items.length > 0, getLabels(rows).join(', '));
        for (const { item, label, contextValues: of } of items) {
          assert.notEqual(label, '');
          assert.ok(item.accessibilityInformation?.label.startsWith(label));
          assert.ok(of.includes(`kind:${kind}`) && of.includes('has:id'), of.join(' '));
        }
        const before = countRequests();
        assert.deepEqual(getLabels(await getRowsBelow((await section(of)).node)), getLabels(rows));
        assert.equal(countRequests(), before);
      });

      /** Names of objects may need their templates. */
      const countPages = (): number => countRequests() - countRequests('GET /templates/{templateId}');

      test('a page with a next page ends in Load More, and fast clicks load one page', async () => {
        const { node } = await section(of);
        const rows = await getRowsBelow(node);
        const more = rows.at(-1);
        assert.equal(more?.label, 'Load More', `${of.label} of the sandbox must not fit on one page`);
        const before = countPages();
        await Promise.all([click(more), click(more), click(more)]);
        assert.equal(countPages(), before + 1);
        const after = await getRowsBelow(node);
        assertUniqueIds(after);
        assert.ok(filterResources(after).length > filterResources(rows).length);
        assert.deepEqual(getLabels(filterResources(after)).slice(0, 5), getLabels(filterResources(rows)).slice(0, 5));
      });

      test('each window loads its own rows, and fast clicks send one request in each', async () => {
        const { node } = await unload(await section(of));
        const { sessions, knownIds: ids, labels } = await (await getTestHooks()).anotherWindow();
        const nothing = { get: () => undefined, update: () => Promise.resolve() };
        const other = new Tree({
          definitions: registry,
          sessions,
          ids: ids.index,
          labels,
          storage: new ExplorerStorage(nothing, nothing),
          changed: () => undefined,
        });
        const before = countPages();
        const opened = await Promise.all([
          getRowsBelow(node),
          other.getChildren(node),
          getRowsBelow(node),
          other.getChildren(node),
        ]);
        assert.equal(countPages(), before + 2);
        const [mine, theirs] = opened;
        assert.deepEqual(
          mine.map(({ node: { key } }) => key),
          theirs.map(({ key }) => key),
        );
        await Promise.all([click(mine.at(-1) ?? assert.fail()), runCommand('loadMore', node)]);
        assert.equal(countPages(), before + 3);
      });

      test('opens its document', async () => {
        const [first] = filterResources(await getRowsBelow((await section(of)).node));
        assert.ok(first);
        await click(first);
        const document = await eventually(() => vscode.window.activeTextEditor?.document);
        assert.equal(document.uri.scheme, 'smartobject');
        assert.ok(
          document
            .getText()
            .includes(`"id": "${first.node.type === 'resource' ? (first.node.resource?.id ?? '') : ''}"`),
        );
      });

      for (const [wrong, reason] of [
        ['forbidden', /403|forbidden|permission/i],
        ['resetBefore', /connection/i],
      ] as const) {
        test(`keeps its rows when a refresh fails (${wrong}), shows a notice, and recovers with a retry`, async () => {
          const { node } = await section(of);
          const rows = filterResources(await getRowsBelow(node));
          fault({ route: getOperationName(list.operation), fault: wrong, count: null });
          await runCommand('refresh', node);
          const failed = await getRowsBelow(node);
          assert.match(failed[0]?.label ?? '', /^Not refreshed since \d/);
          assert.equal(failed[0]?.description, 'Retry');
          assert.match(failed[0].item.accessibilityInformation?.label ?? '', reason);
          assert.deepEqual(getLabels(filterResources(failed)), getLabels(rows));
          clearFaults();
          await click(failed[0]);
          const mended = await getRowsBelow(node);
          assert.deepEqual(getLabels(filterResources(mended)), getLabels(rows));
          assert.ok(!mended.some(({ contextValues }) => contextValues.includes('error')));
        });
      }

      test('a failed first read shows a row with the reason and a retry', async () => {
        const { node } = await unload(await section(of));
        fault({
          route: getOperationName(list.operation),
          fault: 'forbidden',
          count: null,
          message: 'Not for you',
        });
        const [error, ...others] = await getRowsBelow(node);
        assert.deepEqual(getLabels(others), ['Select Identity…']);
        assert.ok(error);
        assert.ok(error.contextValues.includes('error'));
        assert.match(error.label, /Not for you/);
        assert.equal(error.description, 'Retry');
        clearFaults();
        await click(error);
        assert.ok(filterResources(await getRowsBelow(node)).length > 0);
      });

      test('filters by the list’s parameters, explains an empty result, and shows all again without the filter', async () => {
        const { ui } = await getTestHooks();
        const { node, item } = await section(of);
        const all = getLabels(filterResources(await getRowsBelow(node)));
        const [by] = getFilterParameters(list.operation.query).filter(([, { type }]) => type === 'text');
        ui.answer('pick', getFilterField(by?.[0] ?? '').label, 'Show Results');
        ui.answer('input', 'nothing is called this');
        await runCommand('filter', node);
        const filtered = await section(of);
        assert.equal(filtered.item.id, item.id);
        assert.ok(filtered.contextValues.includes('filtered'));
        assert.match(filtered.description, /nothing is called this/);
        const [empty, ...others] = await getRowsBelow(filtered.node);
        assert.deepEqual(getLabels(others), []);
        assert.match(empty?.label ?? '', /^No matches for the filter\. Clear Filter$/);
        await click(empty ?? assert.fail());
        const cleared = await section(of);
        assert.equal(cleared.description, '');
        assert.deepEqual(getLabels(filterResources(await getRowsBelow(cleared.node))), all);
      });

      test('skips empty pages, and reports invalid items', async () => {
        const { node } = await unload(await section(of));
        fault({ route: getOperationName(list.operation), fault: 'nullList', count: 1 });
        assert.ok(filterResources(await getRowsBelow(node)).length > 0);
      });
    });
  }
});
