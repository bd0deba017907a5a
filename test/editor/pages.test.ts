/** Pages of resources in VS Code: their requests, what they show, and which panel they are in. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../src/model/resources/resource-argument.ts';
import type { PageState } from '../../src/webviews/protocol/page.ts';
import type { TestHooks } from './support/hooks.ts';
import { execute, write } from './support/actions.ts';
import { getTestHooks } from './support/connections.ts';
import { eventually, getAnyResource, onSandbox } from './support/documents.ts';
import { hooks } from './support/logs.ts';
import { ask, clearFaults, fault, getSandbox, listRequests, sendRequest } from './support/sandbox.ts';
import { listPageStates } from './support/pages.ts';
import { recordPosts } from './support/webviews.ts';

const CONNECTION = 'Pages';

suite('pages', () => {
  let extension: TestHooks;
  let posts: ReturnType<typeof recordPosts>;
  onSandbox(CONNECTION, { environment: 'sandbox' });
  suiteSetup(async () => {
    extension = await getTestHooks();
  });
  setup(async () => {
    await setOpenResources('page');
    posts = recordPosts();
  });
  teardown(async () => {
    posts.restore();
    await setOpenResources('json');
    // A test that failed while it was signed out would let the others fail.
    clearFaults();
    const session = (await extension.services()).sessions.get(CONNECTION);
    if (session?.signedOutReason !== undefined) await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    assert.deepEqual(
      extension.logLines.filter((line) => /The view .* (broke|sent)/.test(line)),
      [],
    );
  });

  const setOpenResources = (value: string): Thenable<void> =>
    vscode.workspace.getConfiguration('smartObjects').update('openResources', value, vscode.ConfigurationTarget.Global);
  const run = (command: string, ...args: readonly unknown[]): Thenable<unknown> =>
    vscode.commands.executeCommand(`smartObjects.${command}`, ...args);
  const listStates = (): readonly PageState[] => listPageStates(posts);
  const listTabs = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('smartObjects.page'));
  /** The last state that a page has posted of a resource, once it has read everything. */
  const waitForPage = ({ id }: { readonly id: string }): Promise<PageState> =>
    eventually(() => {
      const state = listStates().at(-1);
      return state?.key.endsWith(`\n${id}`) === true && !state.busy && state.face?.busy !== true ? state : undefined;
    });
  /** The last state that was posted `since` then, once it has the history of an object. */
  const waitForHistory = ({ id }: ResourceArgument, since = 0): Promise<PageState> =>
    eventually(() => {
      const state = listPageStates({ messages: posts.messages.slice(since) }).at(-1);
      return state?.tab === 'history' && state.history?.object === id && !state.history.busy ? state : undefined;
    });
  const getText = (state: PageState): string => JSON.stringify(state);

  /** An object whose template has a face with pictures. */
  async function findObject(name = 'Harbour Concert Ticket'): Promise<ResourceArgument> {
    const session = (await extension.services()).sessions.get(CONNECTION);
    const templates = (await session?.client.listPage('templates', { limit: 100 }))?.items ?? [];
    const template_id = templates.find(({ view }) => view?.name?.includes(name))?.id;
    assert.ok(template_id !== undefined, name);
    const [object] = (await session?.client.listPage('objects', { template_id, limit: 1 }))?.items ?? [];
    return { connection: CONNECTION, kind: 'objects', id: object?.id ?? assert.fail('no object') };
  }

  test('an object is read with one request for each thing, and its face is rendered once', async () => {
    const object = await findObject();
    const before = listRequests().length;
    await run('openResource', object);
    const state = await waitForPage(object);
    assert.equal(state.face?.frames.length, 1);
    // The tree reads the roles in organizations that become known.
    const sent = listRequests()
      .slice(before)
      .filter(({ path }) => !path.endsWith('/myrole'));
    const requests = sent.map(({ method, path, query }) => `${method} ${path} ${JSON.stringify(query)}`);
    assert.deepEqual(
      requests.filter((request, index) => requests.indexOf(request) !== index),
      [],
    );
    const routes = sent
      .map(({ route, path }) => route ?? path.replace(/\/[^/]+\/[^/]+$/, ''))
      .filter((route) => route !== '/files');
    assert.deepEqual(routes.toSorted(), ['GET /faces', 'GET /objects/{objectId}', 'GET /templates/{templateId}']);
    const documents = new Set(listStates().flatMap(({ face }) => face?.frames.map(({ srcdoc }) => srcdoc) ?? []));
    assert.equal(documents.size, 1, 'the face was rendered again');
    assert.equal(posts.pages.length, 1, 'the page was loaded again');
    // JSON and page share what was read; the history reads the logs only.
    const known = listRequests().length;
    await run('openJson', object, true);
    assert.equal(listRequests().length, known);
  });

  test('it shows names, links, groups and actions, and what it refers to', async () => {
    const object = await findObject();
    await run('openPage', object);
    const state = await waitForPage(object);
    assert.match(state.title, /^Harbour Concert Ticket/);
    assert.equal(state.heading, 'Sandbox · Pages');
    const facts = new Map(state.facts.map((fact) => [fact.label, fact]));
    assert.equal(facts.get('ID')?.copy, object.id);
    assert.equal(facts.get('Template')?.value, 'Harbour Concert Ticket');
    assert.equal(facts.get('Template')?.link?.kind, 'templates');
    assert.equal(facts.get('Owner')?.link?.kind, 'wallets');
    assert.equal(facts.get('Organization')?.link?.kind, 'organizations');
    const groups = state.groups.map(({ title }) => title);
    assert.deepEqual(groups.slice(0, 2), ['Custom fields', 'Metadata']);
    assert.ok(
      state.actions.some(({ name }) => name === 'transfer') && !state.actions.some(({ name }) => name === 'mint'),
    );
    assert.deepEqual(
      state.tabs.map(({ label }) => label),
      ['Overview', 'History', 'Action Logs'],
    );
  });

  test('Show Object History opens the history of an object, of the active page, or of an id that is entered', async () => {
    const { ui } = extension;
    const object = await findObject();
    await run('openPage', object);
    await waitForPage(object);
    await run('showObjectHistory');
    const { history } = await waitForHistory(object);
    assert.match(history?.verdict ?? '', /chain|root|Complete since/);
    assert.equal(listTabs().length, 1, 'the page that shows it is used');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const before = posts.messages.length;
    ui.answer('pick', CONNECTION);
    ui.answer('input', ` ${object.id} `);
    await run('showObjectHistory');
    await waitForHistory(object, before);
  });

  test('a history is opened by its link, and instead of the tab that version 0.2.0 had', async () => {
    const object = await findObject();
    const logs = await (await hooks()).logs.controller();
    await run('showObjectHistory', object);
    await waitForHistory(object);
    posts.send('copyLink', {});
    const link = await eventually(async () => {
      const text = await vscode.env.clipboard.readText();
      return text.includes(`object=${object.id}`) ? text : undefined;
    });
    const view = { mode: 'history', filters: { connections: [CONNECTION], organizations: [], object: object.id } };
    const tab = vscode.window.createWebviewPanel('smartObjects.actionLogsTab', 'History', vscode.ViewColumn.Active);
    const isClosed = new Promise<void>((resolve) => void tab.onDidDispose(resolve));
    for (const open of [
      () => logs.openLink(vscode.Uri.parse(link, true)),
      () => logs.restore(tab, { view: { ...view, text: '' } }),
    ]) {
      for (const page of listTabs()) await vscode.window.tabGroups.close(page);
      const before = posts.messages.length;
      extension.ui.answer('confirm', true);
      await open();
      await waitForHistory(object, before);
    }
    await isClosed;
  });

  test('the history is that of now, also of a page that was read before', async () => {
    const object = await findObject('Jacket');
    /** Changes the object outside of the extension, and waits until that is logged. */
    const changeElsewhere = async (note: string): Promise<void> => {
      await sendRequest('POST', '/ebus/execute', { action: { update: { id: object.id, data: { custom: { note } } } } });
      await eventually(async () => {
        const logs = await ask(`/ebus/action-logs?object_id=${object.id}&limit=100`);
        return logs.includes(note) && !logs.includes('"pending"') ? true : undefined;
      });
    };
    const waitForHistory = (isShown: (history: NonNullable<PageState['history']>) => boolean) =>
      eventually(() => {
        const { history } = listStates().at(-1) ?? {};
        return history?.busy === false && isShown(history) ? history : undefined;
      });
    await run('openPage', object);
    await waitForPage(object);
    await changeElsewhere('before the history');
    posts.send('tab', { tab: 'history' });
    const { verdict, steps } = await waitForHistory(() => true);
    assert.doesNotMatch(verdict, /does not lead/);
    assert.ok(getText(await waitForPage(object)).includes('before the history'));
    await changeElsewhere('after the history');
    await run('showObjectHistory', object);
    const latest = await waitForHistory((history) => history.steps.length > steps.length);
    assert.doesNotMatch(latest.verdict, /does not lead/);
  });

  test('reading that a sign-out ends says so', async () => {
    const object = await findObject();
    await run('openPage', object);
    await waitForPage(object);
    fault({ route: 'GET /ebus/action-logs', fault: 'slowHeaders', delay: 20_000, count: null });
    posts.send('tab', { tab: 'history' });
    await eventually(() => (listStates().at(-1)?.history?.busy === true ? true : undefined));
    await extension.signOut(CONNECTION);
    const { history } = await eventually(() => {
      const state = listStates().at(-1);
      return state?.history?.busy === false ? state : undefined;
    });
    assert.match(history?.problem ?? '', /session .*has ended/);
    posts.send('tab', { tab: 'action-logs object_id' });
    await eventually(() => (listStates().at(-1)?.logs?.busy === false ? true : undefined));
    clearFaults();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    // The page itself.
    fault({ route: 'GET /objects/{objectId}', fault: 'slowHeaders', delay: 20_000, count: null });
    await run('openPage', { ...object, id: 'obj_never_read' });
    await eventually(() => (listStates().at(-1)?.key.endsWith('obj_never_read') === true ? true : undefined));
    await extension.signOut(CONNECTION);
    const { notice } = await waitForPage({ id: 'obj_never_read' });
    clearFaults();
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    assert.equal(notice?.remedy, 'signIn');
  });

  test('every kind has a page, and so have organizations and accounts', async () => {
    const { organizations } = getSandbox();
    const object = await findObject();
    await run('openPage', object);
    const owner = (await waitForPage(object)).facts.find(({ label }) => label === 'Owner')?.link?.id;
    const resources = [
      ...(await Promise.all(
        (
          [
            'templates',
            'faces',
            'assets',
            'action-logs',
            'support',
            'roles',
            'api-keys',
            'batches',
            'message-templates',
          ] as const
        ).map((kind) => getAnyResource(kind, CONNECTION)),
      )),
      { connection: CONNECTION, kind: 'organizations', id: organizations[0]?.id ?? '' },
      { connection: CONNECTION, kind: 'wallets', id: owner ?? assert.fail('no owner') },
    ];
    for (const resource of resources) {
      const before = listRequests().length;
      await run('openPage', resource);
      const state = await waitForPage(resource);
      const sent = listRequests()
        .slice(before)
        // The tree reads roles, too, and pictures have sizes.
        .filter(({ path }) => !path.endsWith('/myrole') && !path.startsWith('/files/'))
        .map(({ path, query }) => `${path} ${JSON.stringify(query)}`);
      assert.deepEqual([...new Set(sent)], sent, 'requested twice');
      assert.notEqual(state.notice?.tone, 'error', `${resource.kind}: ${state.notice?.text ?? ''}`);
      assert.ok(state.groups.length > 0 || (state.list?.items.length ?? 0) > 0, resource.kind);
      if (resource.kind === 'templates') {
        assert.equal(state.chart?.values.length, 30);
        assert.equal(state.groups[0]?.title, 'Rules and supply');
        assert.ok(state.actions.some(({ name }) => name === 'mint'));
      }
      assert.ok(!getText(state).includes(getSandbox().apiKey));
    }
    assert.equal(listTabs().length, 1, 'each replaces the preview');
  });

  test('a face is shown with the data of the newest object that has it', async () => {
    const session = (await extension.services()).sessions.get(CONNECTION);
    const templates = (await session?.client.listPage('templates', { limit: 100 }))?.items ?? [];
    const id = templates.find(({ view }) => view?.name?.includes('Harbour Concert Ticket'))?.view?.face_id;
    const face = { connection: CONNECTION, kind: 'faces', id: id ?? assert.fail('no face') };
    await run('openPage', face);
    const { face: shown } = await waitForPage(face);
    assert.match(shown?.note ?? '', /^With the data of .*Row/);
    assert.equal(shown?.frames.length, 1);
    assert.doesNotMatch(shown.frames[0]?.srcdoc ?? '{{', /\{\{/);
  });

  test('commands of the palette act on the active page', async () => {
    const object = await findObject();
    await run('openPage', object);
    await waitForPage(object);
    extension.ui.messages.length = 0;
    await run('previewFace');
    const faces = (): readonly vscode.Tab[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('face'));
    const [face] = await eventually(() => (faces().length === 1 ? faces() : undefined));
    assert.equal(face?.group.viewColumn, 2, 'beside the page');
    assert.deepEqual(extension.ui.messages, []);
  });

  test('a failed refresh keeps what was read, and says so', async () => {
    const object = await findObject();
    await run('openPage', object);
    const state = await waitForPage(object);
    fault({ route: 'GET /objects/{objectId}', fault: 'serverError', count: null });
    await run('refreshDocument');
    const stale = await eventually(() => {
      const last = listStates().at(-1);
      return last?.notice === undefined || last.busy ? undefined : last;
    });
    assert.match(stale.notice?.text ?? '', /Refresh has failed since/);
    assert.deepEqual([stale.title, stale.groups.length], [state.title, state.groups.length]);
    clearFaults();
    await run('refreshDocument');
    await eventually(() => (listStates().at(-1)?.notice === undefined ? true : undefined));
  });

  test('a template that cannot be read is named, since its actions are missing; opened again, it is read again', async () => {
    const object = await findObject('Loyalty Card');
    await run('openPage', object, true);
    await waitForPage(object);
    fault({ route: 'GET /templates/{templateId}', fault: 'forbidden', count: null });
    await run('refreshDocument');
    const { notice } = await eventually(() => {
      const last = listStates().at(-1);
      return last?.notice === undefined ? undefined : last;
    });
    assert.match(notice?.text ?? '', /^Load template: Permission denied \(HTTP 403\)/);
    assert.deepEqual([notice?.tone, notice?.remedy], ['warning', 'selectIdentity']);
    clearFaults();
    const other = await findObject();
    await run('openPage', other);
    await waitForPage(other);
    await run('openPage', object);
    const state = await eventually(() => {
      const last = listStates().at(-1);
      return last?.key.endsWith(`\n${object.id}`) === true && last.notice === undefined ? last : undefined;
    });
    assert.ok(state.actions.length > 0);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('a run that touches the object refreshes its page', async () => {
    const object = await findObject('Jacket');
    await run('openPage', object);
    await waitForPage(object);
    const uri = await write('touched.action.json', {
      action: { update: { id: object.id, data: { custom: { touched: 'by a run' } } } },
    });
    await execute(uri);
    const state = await eventually(() => {
      const last = listStates().at(-1);
      return last !== undefined && getText(last).includes('by a run') ? last : undefined;
    });
    assert.ok(state.key.endsWith(object.id));
    const owner = state.facts.find(({ label }) => label === 'Owner')?.link?.id ?? '';
    await run('openPage', { connection: CONNECTION, kind: 'wallets', id: owner });
    await waitForPage({ id: owner });
    const before = listRequests().length;
    await execute(uri);
    await eventually(
      () =>
        listRequests()
          .slice(before)
          .some(({ query }) => JSON.stringify(query).includes(owner)) || undefined,
    );
  });

  test('the preview is replaced, unless it is kept; a page is opened once, or beside', async () => {
    const [first, second] = [await findObject(), await getAnyResource('templates', CONNECTION)];
    await run('openPage', first);
    await waitForPage(first);
    await run('openPage', second);
    assert.equal((await waitForPage(second)).isPreview, true);
    assert.equal(listTabs().length, 1);
    await run('openPage', second, true);
    await eventually(() => (listStates().at(-1)?.isPreview === false ? true : undefined));
    await run('openPage', first);
    await waitForPage(first);
    assert.equal(listTabs().length, 2);
    // The second click of a double-click.
    await run('openPage', first);
    await run('openPage', first);
    await eventually(() => (listStates().at(-1)?.isPreview === false ? true : undefined));
    assert.equal(listTabs().length, 2);
    await run('openToSide', second);
    await eventually(() => (listTabs().length === 3 ? true : undefined));
    assert.equal(listTabs().at(-1)?.group.viewColumn, 2);
  });

  test('the setting opens JSON, or both; without arguments commands ask', async () => {
    const object = await findObject();
    const isJsonOpen = (): boolean =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputText && input.uri.path.endsWith(`${object.id}.json`));
    await setOpenResources('json');
    await run('openResource', object);
    await eventually(() => (isJsonOpen() ? true : undefined));
    assert.equal(listTabs().length, 0);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setOpenResources('both');
    await run('openResource', object);
    await eventually(() => (isJsonOpen() && listTabs().length === 1 ? true : undefined));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const command of ['openPage', 'openJson', 'openToSide']) {
      extension.ui.answer('pick', object.id);
      await run(command);
      await eventually(() => (isJsonOpen() || listTabs().length > 0 ? true : undefined));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  test('an object that cannot be read says why', async () => {
    await run('openPage', { connection: CONNECTION, kind: 'objects', id: 'obj_nowhere' });
    const state = await waitForPage({ id: 'obj_nowhere' });
    assert.match(state.notice?.text ?? '', /Load object/);
    assert.equal(state.notice?.tone, 'error');
    assert.equal(state.notice.remedy, undefined);
    assert.deepEqual(state.groups, []);
    fault({ route: 'GET /objects/{objectId}', fault: 'forbidden', count: null });
    await run('openPage', { connection: CONNECTION, kind: 'objects', id: 'obj_elsewhere' });
    assert.equal((await waitForPage({ id: 'obj_elsewhere' })).notice?.remedy, 'selectIdentity');
    clearFaults();
  });
});
