/** Add Connection… with its verdict, organizations of a connection, and the active connection. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FaultSpec } from '../../../src/sandbox/faults/faults.ts';
import { BACK } from '../../../src/ui/ui.ts';
import { getTestHooks, runCommand, waitUntil } from '../support/connections.ts';
import { explorer, findRow } from '../support/explorer.ts';
import type { ShownMessage } from '../support/fake-ui.ts';
import { clearFaults, createToken, fault, getSandbox, useSandbox } from '../support/sandbox.ts';

const reset = async (): Promise<void> => {
  clearFaults();
  getSandbox().recorder.reset();
  await (await getTestHooks()).reset();
};
const settings = (): unknown =>
  vscode.workspace.getConfiguration('smartObjects').inspect('connections')?.globalValue ?? [];

suite('connections: adding and choosing', () => {
  useSandbox();
  setup(reset);

  suite('Add Connection', () => {
    /** The result of the last check, and what is offered. */
    const verdict = async () => {
      const { ui } = await getTestHooks();
      const message = ui.messages.findLast(({ kind, detail }) => kind === 'pick' && detail?.endsWith('.') === true);
      return message ?? assert.fail('no result was shown');
    };

    test('shows the result in the form, and writes no secret', async () => {
      const h = await getTestHooks();
      h.ui.answer('input', '  ', 'Shop', 'https://user@x', getSandbox().baseUrl, getSandbox().apiKey);
      h.ui.answer('pick', 'Staging', 'API key', 'Add Connection');
      await runCommand('addConnection');
      assert.deepEqual(settings(), [{ name: 'Shop', baseUrl: getSandbox().baseUrl, environment: 'staging' }]);
      assert.equal(h.ui.readMessages('invalid').length, 2);
      assert.match((await verdict()).detail ?? '', /^The platform responded in \d+ ms and accepted the credential\.$/);
      const session = (await h.services()).sessions.get('Shop');
      assert.deepEqual([...(session?.credentialKinds ?? [])], ['apiKey']);
      assert.equal((await h.services()).sessions.active, session);
      assert.equal(h.ui.unusedAnswers, 0);
      assert.deepEqual(h.ui.readMessages('info'), ['Staging · Shop: added and signed in.']);
      assert.deepEqual(h.ui.messages.at(-1)?.choices, ['Add Organization…']);
    });

    test('the organizations of the new connection are offered by their names', async () => {
      const h = await getTestHooks();
      const [organization] = getSandbox().organizations;
      const { id = '' } = organization ?? {};
      await h.addConnection({
        name: 'Test',
        baseUrl: getSandbox().baseUrl,
        organizations: [{ id, label: 'Harbour' }],
      });
      let offered: readonly string[] = [];
      h.ui.answer('input', 'Shop', getSandbox().baseUrl, getSandbox().apiKey, 'Harbour');
      h.ui.answer('pick', 'Staging', 'API key', 'Add Connection', ({ choices }: ShownMessage) => {
        offered = choices;
        return 'Harbour';
      });
      h.ui.answer('info', 'Add Organization…');
      await runCommand('addConnection');
      await waitUntil(() => JSON.stringify(settings()).split('Harbour').length === 3);
      assert.ok(offered.includes(`Harbour ${id} · discovered`), offered.join(', '));
    });

    test('goes back, and saves nothing when cancelled', async () => {
      const h = await getTestHooks();
      h.ui.answer('input', 'Wrong', BACK, 'Right', getSandbox().baseUrl);
      h.ui.answer('pick', 'Sandbox', BACK, 'Development', 'Sign In Later', 'Add Connection');
      await runCommand('addConnection');
      assert.deepEqual(settings(), [{ name: 'Right', baseUrl: getSandbox().baseUrl, environment: 'development' }]);
      assert.match((await verdict()).detail ?? '', /^The platform responded and requires a credential\.$/);
      await reset();
      h.ui.answer('input', 'Left', getSandbox().baseUrl);
      await runCommand('addConnection');
      assert.deepEqual(settings(), []);
    });

    const wrong: readonly (readonly [string, () => string, FaultSpec | undefined, RegExp])[] = [
      ['a wrong path', () => `${getSandbox().baseUrl}/nowhere`, undefined, /404.*base URL/],
      [
        'a web page',
        () => getSandbox().baseUrl,
        { route: 'GET /objects', fault: 'htmlOk', count: 1 },
        /web page.*login page/,
      ],
    ];
    for (const [what, address, spec, message] of wrong) {
      test(`names ${what}, and changing the base URL keeps the rest`, async () => {
        const h = await getTestHooks();
        if (spec !== undefined) fault(spec);
        h.ui.answer('input', 'Shop', address(), getSandbox().apiKey, getSandbox().baseUrl);
        let shown: readonly (string | undefined)[] = [];
        const changeBaseUrl = (result: ShownMessage): string => {
          shown = [result.detail, result.choices[0]];
          return 'Change Base URL';
        };
        h.ui.answer('pick', 'Staging', 'API key', changeBaseUrl, 'Add Connection');
        await runCommand('addConnection');
        assert.match(shown[0] ?? '', message);
        assert.match(shown[0] ?? '', /[^.]\.$/);
        assert.match(shown[1] ?? '', /Change Base URL/, 'the field at fault comes first');
        assert.deepEqual(settings(), [{ name: 'Shop', baseUrl: getSandbox().baseUrl, environment: 'staging' }]);
        assert.equal((await h.services()).sessions.get('Shop')?.credentialKinds.size, 1);
        assert.equal(h.ui.unusedAnswers, 0);
        assert.deepEqual(h.ui.readMessages('warn'), []);
      });
    }

    test('names an expired token before anything is saved, and takes another', async () => {
      const h = await getTestHooks();
      const expired = await createToken({ lifetime: -3 * 3_600_000 });
      h.ui.answer('input', 'Shop', getSandbox().baseUrl, expired, '', getSandbox().accessToken, '');
      let shown: readonly string[] = [];
      const changeCredential = ({ detail, choices }: ShownMessage): string => {
        shown = [detail ?? '', ...choices];
        return 'Change Credential';
      };
      h.ui.answer('pick', 'Staging', 'Access token', changeCredential, 'Access token', 'Add Connection');
      await runCommand('addConnection');
      assert.equal(shown[0], 'The platform responded, but the access token expired 3 hours ago.');
      assert.match(shown[1] ?? '', /Change Credential Access token · expired 3 hours ago$/);
      assert.equal((await h.services()).sessions.get('Shop')?.expired, false);
      assert.equal(h.ui.unusedAnswers, 0);
    });

    test('goes back while it checks, and sends the request no more', async () => {
      const h = await getTestHooks();
      h.ui.answer('input', 'Shop', getSandbox().baseUrl, getSandbox().apiKey);
      h.ui.answer('pick', 'Staging', 'API key', 'Sign In Later', 'Add Connection');
      h.ui.whileOpen('progress', () => Promise.resolve());
      await runCommand('addConnection');
      const session = (await h.services()).sessions.get('Shop');
      assert.equal(session?.credentialKinds.size, 0);
      assert.equal(h.ui.unusedAnswers, 0);
    });

    test('a production connection is not made active, unless the user says so', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Test', baseUrl: getSandbox().baseUrl });
      const add = async (name: string, button?: string): Promise<string | undefined> => {
        h.ui.answer('input', name, getSandbox().baseUrl, getSandbox().apiKey);
        h.ui.answer('pick', 'Production', 'API key', 'Add Connection');
        h.ui.answer('info', button);
        await runCommand('addConnection');
        assert.equal(h.ui.readMessages('info').at(-1), `PRODUCTION · ${name}: added and signed in.`);
        return (await h.services()).sessions.active?.profile.name;
      };
      assert.equal(await add('Live'), 'Test');
      assert.deepEqual(h.ui.messages.at(-1)?.choices, ['Set as Active', 'Add Organization…']);
      await add('Other', 'Set as Active');
      await waitUntil(async () => (await h.services()).sessions.active?.profile.name === 'Other');
    });
  });

  suite('organizations', () => {
    const shop = (organizations?: readonly unknown[]) => [
      { name: 'Shop', baseUrl: getSandbox().baseUrl, ...(organizations !== undefined && { organizations }) },
    ];

    test('Add Organization names one in the settings', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const [organization] = getSandbox().organizations;
      h.ui.answer('pick', 'Enter an ID…');
      h.ui.answer('input', organization?.id, 'Acme');
      await runCommand('addOrganization', 'Shop');
      assert.deepEqual(settings(), shop([{ id: organization?.id, label: 'Acme' }]));
      const session = (await h.services()).sessions.get('Shop');
      assert.equal(session?.organizations[0]?.label, 'Acme');
      assert.equal(session.credentialKinds.size, 1, 'the session goes on');
    });

    test('Add Organization offers those that were discovered, by the name that another connection gives them', async () => {
      const h = await getTestHooks();
      await h.addConnection({ name: 'Shop', baseUrl: getSandbox().baseUrl }, { apiKey: getSandbox().apiKey });
      const { sessions } = await h.services();
      sessions.get('Shop')?.addDiscoveredOrganizations(['org_one', 'org_two']);
      await h.addConnection({
        name: 'Other',
        baseUrl: getSandbox().baseUrl,
        organizations: [{ id: 'org_two', label: 'Harbour' }],
      });
      h.ui.answer('pick', ({ choices }) => {
        assert.deepEqual(choices, ['org_one discovered', 'Harbour org_two · discovered', '$(edit) Enter an ID…']);
        return 'Harbour';
      });
      h.ui.answer('input', 'Harbour');
      await runCommand('addOrganization', 'Shop');
      assert.deepEqual((settings() as readonly unknown[])[0], shop([{ id: 'org_two', label: 'Harbour' }])[0]);
      h.ui.answer('pick', 'Enter an ID…');
      h.ui.answer('input', 'org_two', 'org_three', '');
      await runCommand('addOrganization', 'Shop');
      assert.equal(h.ui.readMessages('invalid').at(-1), 'This organization already exists');
      assert.deepEqual(
        (settings() as readonly unknown[])[0],
        shop([{ id: 'org_two', label: 'Harbour' }, 'org_three'])[0],
      );
    });

    test('an organization is renamed and removed from its row; a discovered one is not', async () => {
      const h = await getTestHooks();
      await h.addConnection(
        {
          name: 'Shop',
          baseUrl: getSandbox().baseUrl,
          organizations: ['org_one', { id: 'org_two', label: 'Harbour' }],
        },
        { apiKey: getSandbox().apiKey },
      );
      const { sessions } = await h.services();
      sessions.get('Shop')?.addDiscoveredOrganizations(['org_found']);
      const row = await findRow('Shop', 'org_one');
      assert.ok(row.contextValues.includes('named'));
      assert.ok(!(await findRow('Shop', 'org_found')).contextValues.includes('named'));
      h.ui.answer('input', 'Quay');
      await runCommand('renameOrganization', row.node);
      assert.deepEqual(
        settings(),
        shop([
          { id: 'org_one', label: 'Quay' },
          { id: 'org_two', label: 'Harbour' },
        ]),
      );
      const renamed = await findRow('Shop', 'Quay');
      await runCommand('removeOrganization', renamed.node);
      assert.match(h.ui.readMessages('confirm').at(-1) ?? '', /Shop: remove the organization Quay\?$/);
      assert.ok(JSON.stringify(settings()).includes('Quay'), 'nothing is removed without consent');
      h.ui.answer('confirm', true, true);
      await runCommand('removeOrganization', renamed.node);
      assert.deepEqual(settings(), shop([{ id: 'org_two', label: 'Harbour' }]));
      h.ui.answer('pick', 'Harbour');
      await runCommand('removeOrganization');
      assert.deepEqual(settings(), shop());
      assert.deepEqual(h.ui.readMessages('error'), []);
    });
  });

  test('Select Connection asks for a connection alone', async () => {
    const h = await getTestHooks();
    const { baseUrl } = getSandbox();
    await h.addConnection({ name: 'One', baseUrl });
    await h.addConnection({
      name: 'Two',
      baseUrl,
      environment: 'production',
      organizations: [{ id: 'o1', label: 'Acme' }],
    });
    h.ui.answer('pick', 'Two');
    await runCommand('selectConnection');
    const { sessions } = await h.services();
    assert.equal(sessions.active?.heading, 'PRODUCTION · Two');
    const lists = h.ui.messages.filter(({ kind }) => kind === 'pick').map(({ choices }) => choices);
    assert.deepEqual(lists, [['One Local · active · not signed in', 'Two $(warning) PRODUCTION · not signed in']]);
  });

  test('the active connection is marked in the tree, and another one is made active from its row', async () => {
    const h = await getTestHooks();
    const { baseUrl } = getSandbox();
    await h.addConnection({ name: 'One', baseUrl });
    await h.addConnection({ name: 'Two', baseUrl, environment: 'staging' });
    const rows = async () => [await findRow('One'), await findRow('Two')] as const;
    const [one, two] = await rows();
    assert.ok(one.contextValues.includes('active') && two.contextValues.includes('inactive'));
    assert.match(one.item.accessibilityInformation?.label ?? '', /^One, active connection/);
    const changed: unknown[] = [];
    const { provider } = await explorer();
    const listening = provider.onDidChangeTreeData?.((node) => changed.push(node));
    await runCommand('setActiveConnection', two.node);
    listening?.dispose();
    assert.deepEqual(new Set(changed), new Set([one.node, two.node]), 'only the two rows are drawn again');
    const [before, after] = await rows();
    assert.ok(!before.description.includes('active'));
    assert.equal(after.description, 'Staging · active · not signed in');
    assert.equal((await h.services()).sessions.active?.profile.name, 'Two');
  });
});
