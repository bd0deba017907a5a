/** The statistics dashboard in real VS Code: one panel for each connection, reading while visible. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { RecordedRequest } from '../../src/sandbox/request-recorder.ts';
import { statisticsProtocol } from '../../src/webviews/protocol/statistics.ts';
import type { TestHooks } from './support/hooks.ts';
import { startRolePlatform, getTestHooks } from './support/connections.ts';
import { closeAll, eventually, onSandbox } from './support/documents.ts';
import { clearFaults, countRequests, createToken, fault, getSandbox, listRequests } from './support/sandbox.ts';
import { recordPosts } from './support/webviews.ts';

const CONNECTION = 'Statistics';
const stateMessage = z.object({ type: z.literal('state'), body: statisticsProtocol.toView.state });

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

/** Statistics requests that the sandbox has received. */
const listReadings = (): readonly RecordedRequest[] => listRequests().filter(({ path }) => path.startsWith('/stats/'));

suite('statistics', () => {
  let extension: TestHooks;
  onSandbox(CONNECTION, { environment: 'production' });
  suiteSetup(async () => {
    extension = await getTestHooks();
  });
  teardown(() => {
    assert.deepEqual(
      extension.logLines.filter((line) => /The view .* (broke|sent)/.test(line)),
      [],
    );
  });

  test('every argument of the command opens the same panel, which reads three series', async () => {
    const before = listReadings().length;
    await show(CONNECTION);
    await eventually(() => (panels().length === 1 ? true : undefined));
    await eventually(() =>
      new Set(
        listReadings()
          .slice(before)
          .map(({ path }) => path),
      ).size === 3
        ? true
        : undefined,
    );
    await show({ connection: CONNECTION, series: 'fees' });
    await show();
    assert.deepEqual(panels(), [`Statistics: PRODUCTION · ${CONNECTION}`]);
    assert.deepEqual(extension.ui.readMessages('error'), []);
  });

  test('background requests that wait do not delay a reading that the user waits for', async () => {
    const { client } = (await extension.services()).sessions.get(CONNECTION) ?? assert.fail('no session');
    const stop = new AbortController();
    const [before, statistics] = [countRequests('GET /objects'), listReadings().length];
    // More than are sent in a minute.
    const waiting = Array.from({ length: 1000 }, (_, index) =>
      client.listPage('objects', { template_id: `tpl_${String(index)}` }, { signal: stop.signal }),
    );
    try {
      await show(CONNECTION);
      await eventually(() =>
        new Set(
          listReadings()
            .slice(statistics)
            .map(({ path }) => path),
        ).size === 3
          ? true
          : undefined,
      );
    } finally {
      stop.abort();
      await Promise.allSettled(waiting);
    }
    assert.ok(countRequests('GET /objects') - before < waiting.length);
  });

  test('an unknown connection is an error', async () => {
    await show('Nowhere');
    assert.match(extension.ui.readMessages('error').join(), /Show Statistics: The connection “Nowhere” does not exist/);
    assert.deepEqual(panels(), []);
  });

  test('an open panel reads only while signed in', async () => {
    const before = listReadings().length;
    await show(CONNECTION);
    await eventually(() => (listReadings().length - before >= 3 ? true : undefined));
    const already = listReadings().length;
    await extension.signOut(CONNECTION);
    await show({ connection: CONNECTION, series: 'fees' });
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    const statuses = await eventually(() => {
      const since = listReadings().slice(already);
      return since.some(({ status }) => status === 200) ? since.map(({ status }) => status) : undefined;
    });
    assert.ok(!statuses.includes(401), statuses.join());
    assert.deepEqual(panels(), [`Statistics: PRODUCTION · ${CONNECTION}`]);
  });

  test('a failure stays in the panel: nothing pops up', async () => {
    const before = listReadings().length;
    fault({ route: 'GET /stats/actions/fees', fault: 'forbidden', count: 10 });
    await show(CONNECTION);
    await eventually(() => (listReadings().length - before >= 3 ? true : undefined));
    assert.deepEqual(extension.ui.readMessages('error'), []);
  });

  /** Skips the minute between two readings while `run` runs. */
  async function withFastTimers(run: () => Promise<void>): Promise<void> {
    const { setTimeout: real } = globalThis;
    const fastTimeout = (run: (...of: unknown[]) => void, delay = 0, ...of: unknown[]): NodeJS.Timeout =>
      // Other timers, such as those of the transport, are unchanged.
      real(run, of.length === 0 && delay > 59_000 && delay <= 60_000 ? 10 : delay, ...of);
    Reflect.set(globalThis, 'setTimeout', fastTimeout);
    try {
      await run();
    } finally {
      Reflect.set(globalThis, 'setTimeout', real);
    }
  }

  /** Waits until nothing was read for a quarter of an hour of the fast timers. Returns the number of requests so far. */
  async function waitUntilIdle(): Promise<number> {
    return eventually(async () => {
      const count = listReadings().length;
      for (let minute = 0; minute < 15; minute++) await new Promise((resolve) => setTimeout(resolve, 60_000));
      return listReadings().length === count ? count : undefined;
    });
  }

  async function hide(): Promise<void> {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'over it' }));
  }

  test('reads repeatedly while visible, and not while hidden', async () => {
    await withFastTimers(async () => {
      const before = listReadings().length;
      await show(CONNECTION);
      await eventually(() => (listReadings().length - before >= 24 ? true : undefined));
      await hide();
      const quiet = await waitUntilIdle();
      await extension.signIn(CONNECTION, { apiKey: getSandbox().readOnlyApiKey });
      assert.equal(await waitUntilIdle(), quiet);
      await show(CONNECTION);
      await eventually(() => (listReadings().length > quiet + 6 ? true : undefined));
      await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
      await closeAll();
    });
  });

  test('a series that is refused is not requested again each minute', async () => {
    await closeAll();
    fault({ route: 'GET /stats/actions/fees', fault: 'forbidden', count: 1000 });
    await withFastTimers(async () => {
      const before = listReadings().length;
      await show(CONNECTION);
      await eventually(() => (listReadings().length - before >= 24 ? true : undefined));
      const refused = listReadings().filter(({ status }, index) => index >= before && status === 403);
      // The period and the one before it.
      assert.deepEqual(new Set(refused.map(({ path }) => path)), new Set(['/stats/actions/fees']));
      assert.ok(refused.length <= 2, `${String(refused.length)} requests`);
      await closeAll();
    });
    clearFaults();
  });

  test('a panel that is shown again after the clock was set back is read', async () => {
    await closeAll();
    const posts = recordPosts();
    const { now } = Date;
    try {
      await show(CONNECTION);
      await eventually(() => {
        const { body } = z.safeParse(stateMessage, posts.messages.at(-1)).data ?? {};
        const isRead = body?.requestCount === undefined && body?.series.every(({ readAt }) => readAt !== undefined);
        return isRead === true ? true : undefined;
      });
      await hide();
      const before = listReadings().length;
      Date.now = () => now() - 7_200_000;
      await show(CONNECTION);
      await eventually(() => (listReadings().length > before ? true : undefined));
    } finally {
      Date.now = now;
      posts.restore();
    }
    await closeAll();
  });

  test('hiding the panel aborts a reading', async () => {
    const platform = await startRolePlatform();
    await extension.addConnection({ name: 'Slow', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    platform.holdStatistics();
    await show('Slow');
    await eventually(() => (platform.countReadings() > 0 ? true : undefined));
    assert.equal(platform.countAborted(), 0);
    await hide();
    await eventually(() => (platform.countAborted() === platform.countReadings() ? true : undefined));
    await closeAll();
    await platform.close();
  });

  test('the platform decides what may be read, not the role: an API key may grant more', async () => {
    const platform = await startRolePlatform();
    await extension.addConnection({ name: 'Key', baseUrl: platform.origin, organizations: ['one'] }, { apiKey: 'k' });
    const session = (await extension.services()).sessions.get('Key') ?? assert.fail();
    await session.loadPermissions();
    assert.equal(session.hasPermission('stats.actions', 'read'), false);
    await show('Key');
    await eventually(() => (platform.countReadings() >= 3 ? true : undefined));
    await closeAll();
    await platform.close();
  });

  test('an expired token is refused once and not sent again; a new one is used', async () => {
    await extension.signIn(CONNECTION, { accessToken: await createToken({ lifetime: -1000 }) });
    await withFastTimers(async () => {
      const before = listReadings().length;
      await show(CONNECTION);
      // A clock that is ahead of the answer may end the session before the first request.
      await eventually(() => (panels().length === 1 ? true : undefined));
      const refused = await waitUntilIdle();
      assert.ok(refused - before <= 6, `${String(refused - before)} requests`);
      assert.deepEqual(extension.ui.messages, []);
      await extension.signIn(CONNECTION, { accessToken: await createToken({ lifetime: 3_600_000 }) });
      await eventually(() => (listReadings().length >= refused + 6 ? true : undefined));
    });
    await closeAll();
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
  });
});
