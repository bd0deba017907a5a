/** The tree in real VS Code: its shape, and each kind that is listed, paged, filtered, opened and refreshed after a fault. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fillable, parameterWords } from '../../src/explorer/query.ts';
import { Memory } from '../../src/explorer/memory.ts';
import { Tree } from '../../src/explorer/tree.ts';
import { kinds, registry } from '../../src/platform/registry.ts';
import { nameOf } from '../../src/platform/operation.ts';
import type { ResourceRow } from '../../src/platform/resource.ts';
import { hooks, sandbox } from './support/connections.ts';
import { closeAll, connect, eventually, fault, requestCount } from './support/documents.ts';
import {
  assertUniqueIds,
  click,
  labelsOf,
  resourcesOf,
  row,
  rowsBelow,
  unloaded,
  type Seen,
} from './support/explorer.ts';

const CONNECTION = 'Tree 50% ü/#';
const run = async (id: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.commands.executeCommand(`smartObjects.${id}`, ...args);

/** The section of a kind, where the tree puts it. */
async function section(of: ResourceRow): Promise<Seen> {
  return of.section === 'organization' ? row(CONNECTION, 'All organizations', of.label) : row(CONNECTION, of.label);
}

suite('explorer', () => {
  suiteSetup(async () => {
    await (await hooks()).reset();
    await connect(CONNECTION, { pageSize: 5, environment: 'sandbox' });
  });
  setup(async () => {
    await fault(undefined);
    (await hooks()).ui.reset();
    await run('refresh');
  });
  teardown(closeAll);
  suiteTeardown(async () => {
    await fault(undefined);
    await (await hooks()).reset();
  });

  test('has the sections that belong to a connection and to an organization', async () => {
    const { organizations } = sandbox();
    const below = await rowsBelow((await row(CONNECTION)).node);
    const connected = ['Templates', 'Assets', 'Message Templates', 'API Keys', 'Batches', 'Statistics'];
    assert.deepEqual(labelsOf(below), ['All organizations', ...organizations.map(({ id }) => id), ...connected]);
    const everywhere = ['Objects', 'Faces', 'Action Logs', 'Support Messages'];
    assert.deepEqual(labelsOf(await rowsBelow((await row(CONNECTION, 'All organizations')).node)), everywhere);
    const [first] = organizations;
    assert.deepEqual(labelsOf(await rowsBelow((await row(CONNECTION, first?.id ?? '')).node)), [
      ...everywhere,
      'Roles',
    ]);
    assert.deepEqual(labelsOf(await rowsBelow((await row(CONNECTION, 'Statistics')).node)), [
      'Executions',
      'Fees',
      'Objects created',
    ]);
  });

  for (const kind of kinds) {
    const of: ResourceRow = registry[kind];
    const { list } = of;
    if (list === undefined) continue;

    suite(of.label, () => {
      test('lists, and expanding again asks nothing', async () => {
        const { node, words } = await section(of);
        assert.ok(words.includes('list') && words.includes(`kind:${kind}`), words.join(' '));
        const rows = await rowsBelow(node);
        assertUniqueIds(rows);
        const items = resourcesOf(rows);
        assert.ok(items.length > 0, labelsOf(rows).join(', '));
        for (const { item, label, words: of } of items) {
          assert.notEqual(label, '');
          assert.ok(item.accessibilityInformation?.label.startsWith(label));
          assert.ok(of.includes(`kind:${kind}`) && of.includes('has:id'), of.join(' '));
        }
        const before = await requestCount();
        assert.deepEqual(labelsOf(await rowsBelow((await section(of)).node)), labelsOf(rows));
        assert.equal(await requestCount(), before);
      });

      test('a page that has more ends in Load more…, and clicking fast loads one page', async () => {
        const { node } = await section(of);
        const rows = await rowsBelow(node);
        const more = rows.at(-1);
        assert.equal(more?.label, 'Load more…', `${of.label} of the sandbox must not fit on one page`);
        const before = await requestCount();
        await Promise.all([click(more), click(more), click(more)]);
        assert.equal(await requestCount(), before + 1);
        const after = await rowsBelow(node);
        assertUniqueIds(after);
        assert.ok(resourcesOf(after).length > resourcesOf(rows).length);
        assert.deepEqual(labelsOf(resourcesOf(after)).slice(0, 5), labelsOf(resourcesOf(rows)).slice(0, 5));
      });

      test('another window asks for itself alone, and clicking fast asks once in each', async () => {
        const { node } = await unloaded(await section(of));
        const { sessions, ids } = await (await hooks()).anotherWindow();
        const nothing = { get: () => undefined, update: () => Promise.resolve() };
        const other = new Tree({
          rows: registry,
          sessions,
          ids: ids.index,
          memory: new Memory(nothing, nothing),
          changed: () => undefined,
        });
        const before = await requestCount();
        const opened = await Promise.all([
          rowsBelow(node),
          other.children(node),
          rowsBelow(node),
          other.children(node),
        ]);
        assert.equal(await requestCount(), before + 2);
        const [mine, theirs] = opened;
        assert.deepEqual(
          mine.map(({ node: { key } }) => key),
          theirs.map(({ key }) => key),
        );
        await Promise.all([click(mine.at(-1) ?? assert.fail()), run('loadMore', node)]);
        assert.equal(await requestCount(), before + 3);
      });

      test('opens its document', async () => {
        const [first] = resourcesOf(await rowsBelow((await section(of)).node));
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

      for (const [wrong, reason] of Object.entries({
        forbidden: /403|forbidden|permission/i,
        resetBefore: /connection/i,
      })) {
        test(`keeps its rows when a refresh fails (${wrong}), says so, and recovers with a retry`, async () => {
          const { node } = await section(of);
          const rows = resourcesOf(await rowsBelow(node));
          await fault({ route: nameOf(list.operation), fault: wrong, count: null });
          await run('refresh', node);
          const failed = await rowsBelow(node);
          assert.match(failed[0]?.label ?? '', /^Not refreshed: as of \d/);
          assert.equal(failed[0]?.description, 'Retry');
          assert.match(failed[0].item.accessibilityInformation?.label ?? '', reason);
          assert.deepEqual(labelsOf(resourcesOf(failed)), labelsOf(rows));
          await fault(undefined);
          await click(failed[0]);
          const mended = await rowsBelow(node);
          assert.deepEqual(labelsOf(resourcesOf(mended)), labelsOf(rows));
          assert.ok(!mended.some(({ words }) => words.includes('error')));
        });
      }

      test('a first failure is a row with the reason, and a retry', async () => {
        const { node } = await unloaded(await section(of));
        await fault({ route: nameOf(list.operation), fault: 'forbidden', count: null, message: 'Not for you' });
        const [error, ...others] = await rowsBelow(node);
        assert.deepEqual(labelsOf(others), []);
        assert.ok(error);
        assert.ok(error.words.includes('error'));
        assert.match(error.label, /Not for you/);
        assert.equal(error.description, 'Retry');
        await fault(undefined);
        await click(error);
        assert.ok(resourcesOf(await rowsBelow(node)).length > 0);
      });

      test('filters by what its list takes, says why nothing is left, and shows all again without the filter', async () => {
        const { ui } = await hooks();
        const { node, item } = await section(of);
        const all = labelsOf(resourcesOf(await rowsBelow(node)));
        const [by] = fillable(list.operation.query).filter(([, { type }]) => type === 'text');
        ui.answer('pick', parameterWords(by?.[0] ?? ''), 'Show Results');
        ui.answer('input', 'nothing is called this');
        await run('filter', node);
        const filtered = await section(of);
        assert.equal(filtered.item.id, item.id);
        assert.ok(filtered.words.includes('filtered'));
        assert.match(filtered.description, /nothing is called this/);
        const [empty, ...others] = await rowsBelow(filtered.node);
        assert.deepEqual(labelsOf(others), []);
        assert.match(empty?.label ?? '', /match the filter. Clear Filter$/);
        await click(empty ?? assert.fail());
        const cleared = await section(of);
        assert.equal(cleared.description, '');
        assert.deepEqual(labelsOf(resourcesOf(await rowsBelow(cleared.node))), all);
      });

      test('is read on past empty pages, and says what is missing', async () => {
        const { node } = await unloaded(await section(of));
        await fault({ route: nameOf(list.operation), fault: 'nullList', count: 1 });
        assert.ok(resourcesOf(await rowsBelow(node)).length > 0);
      });
    });
  }
});
