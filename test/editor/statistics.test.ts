/** The statistics dashboard in real VS Code: one panel a connection, from every door, that reads while it is visible. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHooks } from './support/hooks.ts';
import { control, granting, hooks, sandbox, token } from './support/connections.ts';
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

/** Paths of the statistics that the sandbox was asked for in this test. */
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
    // Some of these ask thousands of times, and each look reads the whole list.
    await control('DELETE', 'requests');
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

  /** The minute between two readings passes at once, for as long as `run` takes. */
  async function inHaste(run: () => Promise<void>): Promise<void> {
    const { setTimeout: real } = globalThis;
    const hasty = (run: (...of: unknown[]) => void, delay = 0, ...of: unknown[]): NodeJS.Timeout =>
      // Others' timers, of the transport first of all, are left as they are.
      real(run, of.length === 0 && delay > 59_000 && delay <= 60_000 ? 10 : delay, ...of);
    Reflect.set(globalThis, 'setTimeout', hasty);
    try {
      await run();
    } finally {
      Reflect.set(globalThis, 'setTimeout', real);
    }
  }

  /** Waits until nothing has been asked for while the minute passed many times over. */
  async function silence(): Promise<number> {
    let [count, quiet] = [(await asked()).length, 0];
    return eventually(async () => {
      const now = (await asked()).length;
      quiet = now === count ? quiet + 1 : 0;
      count = now;
      return quiet >= 15 ? count : undefined;
    });
  }

  async function hide(): Promise<void> {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'over it' }));
  }

  test('visible, it reads again and again; hidden, it asks nothing, whoever signs in', async () => {
    await inHaste(async () => {
      const before = (await asked()).length;
      await show(CONNECTION);
      await eventually(async () => ((await asked()).length - before >= 24 ? true : undefined));
      await hide();
      const quiet = await silence();
      await extension.signIn(CONNECTION, { apiKey: sandbox().readOnlyApiKey });
      assert.equal(await silence(), quiet);
      await show(CONNECTION);
      await eventually(async () => ((await asked()).length > quiet + 6 ? true : undefined));
      await extension.signIn(CONNECTION, { apiKey: sandbox().apiKey });
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await silence();
    });
  });

  test('a reading that is under way when it is hidden ends there', async () => {
    const before = (await asked()).length;
    await fault({ route: '*', fault: 'slowHeaders', delay: 150, count: null });
    await show(CONNECTION);
    await eventually(async () => ((await asked()).length > before ? true : undefined));
    await hide();
    await fault(undefined);
    const quiet = await silence();
    await show(CONNECTION);
    await eventually(async () => ((await asked()).length >= quiet + 6 ? true : undefined));
    const whole = (await silence()) - quiet;
    assert.ok(quiet - before < whole, `${String(quiet - before)} of ${String(whole)} requests`);
  });

  test('what the role lacked is read as soon as it is granted', async () => {
    const platform = await granting();
    const asked = (): number => platform.asked.filter((path) => path.startsWith('/stats/')).length;
    await extension.addConnection({ name: 'Later', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    await (await extension.services()).sessions.get('Later')?.loadPermissions();
    await inHaste(async () => {
      await show('Later');
      await eventually(() =>
        panels().length === 1 && platform.asked.includes('/public/templates') ? true : undefined,
      );
      assert.equal(asked(), 0);
      platform.grant('stats.actions', 'stats.objects');
      await eventually(() => (asked() >= 3 ? true : undefined));
    });
    await closeAll();
    await platform.close();
  });

  test('a token that has run out is refused once and not sent again; a new one is read with', async () => {
    await extension.signIn(CONNECTION, { accessToken: await token({ lifetime: -1000 }) });
    await inHaste(async () => {
      const before = (await asked()).length;
      await show(CONNECTION);
      // A clock that is ahead of the answer may end the session before the first request.
      await eventually(() => (panels().length === 1 ? true : undefined));
      const refused = await silence();
      assert.ok(refused - before <= 6, `${String(refused - before)} requests`);
      assert.deepEqual(extension.ui.all, []);
      await extension.signIn(CONNECTION, { accessToken: await token({ lifetime: 3_600_000 }) });
      await eventually(async () => ((await asked()).length >= refused + 6 ? true : undefined));
    });
    await closeAll();
    await extension.signIn(CONNECTION, { apiKey: sandbox().apiKey });
  });
});
