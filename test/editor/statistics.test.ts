/** The statistics dashboard in real VS Code: one panel a connection, from every door, that reads while it is visible. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHooks } from '../../src/ui/test-hooks.ts';
import { hooks, sandbox } from './support/connections.ts';
import { ask, closeAll, connect, eventually, fault } from './support/documents.ts';

const CONNECTION = 'Statistics';

function panels(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('smartObjects.statistics'),
    )
    .map(({ label }) => label);
}

async function show(argument?: unknown): Promise<void> {
  await vscode.commands.executeCommand('smartObjects.showStatistics', argument);
}

/** Paths of the statistics that the sandbox was asked for, since its start. */
async function asked(): Promise<readonly string[]> {
  const { requests } = JSON.parse(await ask('/__sandbox/requests')) as {
    requests: readonly { readonly path?: string }[];
  };
  return requests.map(({ path = '' }) => path).filter((path) => path.startsWith('/stats/'));
}

suite('statistics', () => {
  let extension: TestHooks;
  suiteSetup(async () => {
    extension = await hooks();
    await extension.reset();
    await connect(CONNECTION, { environment: 'production' });
  });
  setup(async () => {
    extension.ui.reset();
    await closeAll();
  });
  teardown(async () => {
    await fault(undefined);
    assert.deepEqual(
      extension.logLines.filter((line) => /The view .* (broke|sent)/.test(line)),
      [],
    );
    await closeAll();
  });
  suiteTeardown(async () => {
    await (await hooks()).reset();
  });

  test('a connection has one panel, whichever door is taken, and reads its three series', async () => {
    const before = (await asked()).length;
    await show(CONNECTION);
    await eventually(() => (panels().length === 1 ? true : undefined));
    await eventually(async () => {
      const paths = new Set((await asked()).slice(before).map((path) => path.split('?')[0]));
      return paths.size === 3 ? true : undefined;
    });
    await show({ connection: CONNECTION, series: 'fees' });
    await show();
    assert.deepEqual(panels(), [`Statistics: PRODUCTION · ${CONNECTION}`]);
    assert.deepEqual(extension.ui.said('error'), []);
  });

  test('a connection that there is not is told', async () => {
    await show('Nowhere');
    assert.match(extension.ui.said('error').join(), /Show statistics: there is no connection named Nowhere/);
    assert.deepEqual(panels(), []);
  });

  test('signed out, an open panel asks nothing; signed in again, it reads', async () => {
    const recorded = async (): Promise<readonly { readonly path: string; readonly status: number }[]> => {
      const { requests } = JSON.parse(await ask('/__sandbox/requests')) as {
        requests: readonly { readonly path: string; readonly status: number }[];
      };
      return requests;
    };
    const before = (await asked()).length;
    await show(CONNECTION);
    await eventually(async () => ((await asked()).length - before >= 3 ? true : undefined));
    const already = (await recorded()).length;
    await extension.signOut(CONNECTION);
    await show({ connection: CONNECTION, series: 'fees' });
    await extension.signIn(CONNECTION, { apiKey: sandbox().apiKey });
    const statuses = await eventually(async () => {
      const since = (await recorded()).slice(already).filter(({ path }) => path.startsWith('/stats/'));
      return since.some(({ status }) => status === 200) ? since.map(({ status }) => status) : undefined;
    });
    assert.ok(!statuses.includes(401), statuses.join());
    assert.deepEqual(panels(), [`Statistics: PRODUCTION · ${CONNECTION}`]);
  });

  test('a failure stays in the panel: nothing pops up', async () => {
    const before = (await asked()).length;
    await fault({ route: 'GET /stats/actions/fees', fault: 'forbidden', count: 10 });
    await show(CONNECTION);
    await eventually(async () => ((await asked()).length - before >= 3 ? true : undefined));
    assert.deepEqual(extension.ui.said('error'), []);
  });
});
