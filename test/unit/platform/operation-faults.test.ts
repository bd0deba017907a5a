/** Every operation of the contract with every fault: the error's code, or the tolerated result. */
import assert from 'node:assert/strict';
import type { PlatformClient } from '../../../src/platform/client.ts';
import { PlatformError, type ErrorCode } from '../../../src/platform/errors.ts';
import { getOperationName, type Operation } from '../../../src/platform/operation.ts';
import { registry } from '../../../src/platform/registry.ts';
import { executeAction } from '../../../src/platform/resources/actions.ts';
import { confirmInvite } from '../../../src/platform/resources/invites.ts';
import { getDefaultRole, getMyRole, getRole } from '../../../src/platform/resources/roles.ts';
import { statisticsSeries } from '../../../src/platform/resources/statistics.ts';
import { registerWallet } from '../../../src/platform/resources/wallets.ts';
import type { Transport } from '../../../src/platform/http/transport.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { faultNames, getFaultGroup, type FaultName, type FaultSpec } from '../../../src/sandbox/faults/faults.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { createTestClient, PATIENT } from '../../support/platform-client.ts';

const MiB = 1024 * 1024;

type Shape = 'list' | 'points' | 'one' | 'tokens' | 'execution';

interface Call {
  readonly operation: Operation;
  readonly shape: Shape;
  /** Resolves to the result: the items of a list, or the resource. */
  readonly run: (client: PlatformClient, known: Known) => Promise<unknown>;
}

interface Known {
  readonly organization: string;
  readonly role: string;
  readonly template: string;
  readonly object: string;
  readonly batch: string;
  readonly invite: { readonly organizationId: string; readonly token: string; readonly memberId: string };
}

const items = async (page: Promise<{ readonly items: readonly unknown[] }>): Promise<unknown> => (await page).items;
const list = (operation: Operation, run: Call['run']): Call => ({ operation, shape: 'list', run });
const one = (operation: Operation, run: Call['run']): Call => ({ operation, shape: 'one', run });

const calls: readonly Call[] = [
  list(registry['api-keys'].list.operation, (client) => items(client.listPage('api-keys'))),
  list(registry.templates.list.operation, (client) => items(client.listPage('templates'))),
  list(registry.objects.list.operation, (client) => items(client.listPage('objects'))),
  list(registry.support.list.operation, (client) => items(client.listPage('support'))),
  list(registry['action-logs'].list.operation, (client) => items(client.listPage('action-logs'))),
  list(registry.faces.list.operation, (client) => items(client.listPage('faces'))),
  list(registry.assets.list.operation, (client) => items(client.listPage('assets'))),
  list(registry['message-templates'].list.operation, (client) => items(client.listPage('message-templates'))),
  one(registry.templates.read.operation, (client, { template }) => client.read('templates', [template])),
  one(registry.objects.read.operation, (client, { object }) => client.read('objects', [object])),
  one(registry.batches.read.operation, (client, { batch }) => client.read('batches', [batch])),
  one(getRole, (client, { organization, role }) => client.read('roles', [organization, role])),
  one(getDefaultRole, (client, { organization }) => client.read('roles', [organization, 'default'])),
  one(getMyRole, (client, { organization }) => client.read('roles', [organization, 'myrole'])),
  {
    operation: statisticsSeries[0].operation,
    shape: 'points',
    run: (client) => items(client.statistics(statisticsSeries[0], {})),
  },
  {
    operation: statisticsSeries[1].operation,
    shape: 'points',
    run: (client) => items(client.statistics(statisticsSeries[1], {})),
  },
  {
    operation: statisticsSeries[2].operation,
    shape: 'points',
    run: (client) => items(client.statistics(statisticsSeries[2], {})),
  },
  {
    operation: registerWallet,
    shape: 'tokens',
    run: (client) => client.registerWallet({ nickname: 'ann', language: 'en' }),
  },
  {
    operation: confirmInvite,
    shape: 'tokens',
    run: (client, { invite }) =>
      client.confirmInvite(
        { organizationId: invite.organizationId },
        { token: invite.token, member_id: invite.memberId },
      ),
  },
  {
    operation: executeAction,
    shape: 'execution',
    run: (client, { object }) =>
      client.execute(JSON.stringify({ action: { update: { id: object, data: { custom: {} } } } })),
  },
];

/** The outcome of a call: an error's code, or `ok` for a tolerated response. */
type Outcome = ErrorCode | 'ok';

/** `retried`: a repeatable operation succeeds after a single fault. */
function expected(
  fault: FaultName,
  { shape, operation }: Call,
): { readonly always: Outcome; readonly retried: boolean } {
  const outcome = (always: Outcome, retried = false) => ({ always, retried: retried && operation.repeatable });
  switch (fault) {
    case 'refuse':
    case 'resetBefore':
    case 'resetBody':
      return outcome('network', true);
    case 'htmlBadGateway':
    case 'unavailable':
    case 'gatewayTimeout':
    case 'emptyServerError':
    case 'serverError':
    case 'echoCredential':
      return outcome('server', true);
    case 'rateLimited':
      return outcome('rateLimited', true);
    case 'unauthorized':
      return outcome('unauthenticated');
    case 'forbidden':
      return outcome('forbidden');
    case 'notFound':
      return outcome('notFound');
    case 'conflict':
    case 'unprocessable':
      return outcome('badRequest');
    case 'truncatedJson':
      return outcome(operation.repeatable ? 'network' : 'notJson', true);
    case 'htmlOk':
      return outcome('notJson');
    case 'redirect':
      // Endless: the sixth is refused.
      return outcome('contract', true);
    case 'slowHeaders':
    case 'slowBody':
      return outcome('timeout');
    case 'hugeBody':
      return outcome('tooLarge');
    default:
      // Changed JSON is tolerated unless the tokens or the entire result are missing.
      return outcome('ok', shape === 'list');
  }
}

async function getOutcome(
  run: () => Promise<unknown>,
): Promise<{ readonly outcome: Outcome; readonly error?: PlatformError; readonly value?: unknown }> {
  try {
    return { outcome: 'ok', value: await run() };
  } catch (error) {
    assert.ok(error instanceof PlatformError, `no PlatformError: ${String(error)}`);
    return { outcome: error.code, error };
  }
}

suite('operations × faults', () => {
  let sandbox: Sandbox;
  let transport: Transport;
  let client: PlatformClient;
  /** for slow faults */
  let impatient: PlatformClient;
  let known: Known;

  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 50, logs: 60, clock: 'manual' });
    transport = createTransport({});
    const credential = { apiKey: sandbox.apiKey, accessToken: sandbox.accessToken };
    const createClient = (patience: number): PlatformClient =>
      createTestClient(sandbox.baseUrl, transport, {
        timeouts: { ...PATIENT, headers: patience, body: patience },
        credential: () => Promise.resolve(credential),
        maxBytes: 24 * MiB,
        secrets: () => Object.values(credential),
        sleep: () => Promise.resolve(),
      });
    client = createClient(PATIENT.headers);
    impatient = createClient(150);
    const [organization] = sandbox.organizations;
    const [invite] = sandbox.invites;
    const batch = Object.values(sandbox.batches)[0];
    const template = (await client.listPage('templates')).items[0]?.id;
    const object = (await client.listPage('objects', { org_id: organization?.id })).items[0]?.id;
    const role = organization?.roles[0]?.id;
    assert.ok(organization && invite && batch && template && object && role);
    known = { organization: organization.id, role, template, object, batch, invite };
  });
  suiteTeardown(async () => {
    await transport.close();
    await sandbox.close();
  });
  teardown(() => {
    sandbox.faults.clear();
    sandbox.recorder.reset();
  });

  test('the contract has twenty operations, each listed once', () => {
    assert.equal(new Set(calls.map(({ operation }) => getOperationName(operation))).size, 20);
    assert.equal(calls.length, 20);
  });

  // Much longer than the client waits, also on a busy machine; it ends with the sandbox.
  const timid: FaultSpec = { fault: 'slowBody', delay: 60_000, count: null };
  for (const call of calls) {
    const name = getOperationName(call.operation);

    test(`${name}: every fault`, async () => {
      for (const fault of faultNames) {
        sandbox.faults.clear();
        sandbox.recorder.reset();
        sandbox.faults.add({
          ...timid,
          fault,
          route: name,
          retryAfter: 'none',
          size: fault === 'hugeBody' ? 25 * MiB : fault === 'hugePage' ? 1000 : 10_000,
        });
        const { always } = expected(fault, call);
        const { outcome, error, value } = await getOutcome(() =>
          call.run(always === 'timeout' ? impatient : client, known),
        );
        const allowed = getAllowedOutcomes(fault, call);
        const text = JSON.stringify([error?.message, error?.detail, value]);
        assert.ok(
          outcome === always || allowed.includes(outcome),
          `${name} with ${fault}: ${outcome} instead of ${always} (${text.slice(0, 200)})`,
        );
        for (const secret of [sandbox.apiKey, sandbox.accessToken])
          assert.equal(text.includes(secret), false, `${fault} leaks`);
        const requestCount = sandbox.recorder.requests.length;
        if (!call.operation.repeatable)
          assert.equal(requestCount, 1, `${name} with ${fault} was sent ${String(requestCount)} times`);
        else
          assert.ok(
            requestCount >= 1 && requestCount <= 3 + (fault === 'redirect' ? 5 : 0),
            `${name} with ${fault}: ${String(requestCount)} requests`,
          );
      }
    });

    if (call.operation.repeatable) {
      test(`${name}: one lost response is retried`, async () => {
        for (const fault of faultNames.filter(
          (one) => expected(one, call).retried && expected(one, call).always !== 'ok',
        )) {
          sandbox.faults.clear();
          sandbox.faults.add({ fault, route: name, count: 1, retryAfter: 'none' });
          assert.equal((await getOutcome(() => call.run(client, known))).outcome, 'ok', fault);
        }
      });
    }
  }

  test('the items of a list with each changed JSON', async () => {
    const page = async (fault: FaultName, more: Partial<FaultSpec> = {}) => {
      sandbox.faults.clear();
      sandbox.faults.add({ fault, route: 'GET /objects', ...more });
      return client.listPage('objects');
    };
    const firstPage = await client.listPage('objects');
    assert.equal((await page('nullList')).items.length, 0);
    for (const fault of [
      'otherListKey',
      'wrapped',
      'unknownField',
      'missingField',
      'wrongType',
      'bigInteger',
      'hugeField',
    ] as const) {
      assert.equal((await page(fault)).items.length, firstPage.items.length, fault);
    }
    const missing = await page('missingField', { field: 'owner' });
    assert.equal(missing.items[0]?.view?.owner, undefined);
    assert.deepEqual(
      missing.items[0]?.drift.map(({ path, problem }) => [path, problem]),
      [['owner', 'missing']],
    );
    const bad = await page('badItem');
    assert.equal(bad.items.filter((item) => item.view === undefined).length, 2);
    assert.ok(bad.items.length >= firstPage.items.length);
    assert.equal((await page('hugePage')).items.length, 10_000);
    assert.equal((await page('emptyCursor')).next, undefined);
  });

  test('a repeated cursor ends the paging', async () => {
    sandbox.faults.add({
      fault: 'repeatedCursor',
      route: getOperationName(registry['action-logs'].list.operation),
      after: 1,
      count: null,
    });
    let pages = 0;
    for await (const _page of client.listPages('action-logs', { limit: 5 })) pages++;
    assert.equal(pages, 2);
  });

  test('each shape of error body yields the server’s message', async () => {
    for (const shape of ['code', 'nested', 'success', 'text', 'plain'] as const) {
      sandbox.faults.clear();
      sandbox.faults.add({ fault: 'conflict', route: 'GET /objects', shape, message: 'the shelf is full' });
      const { error } = await getOutcome(() => client.listPage('objects'));
      assert.match(error?.detail.serverMessage ?? '', /the shelf is full/, shape);
    }
    for (const shape of ['html', 'none'] as const) {
      sandbox.faults.clear();
      sandbox.faults.add({ fault: 'conflict', route: 'GET /objects', shape });
      assert.equal((await getOutcome(() => client.listPage('objects'))).outcome, 'badRequest', shape);
    }
  });

  test('a redirect to another origin gets no credential', async () => {
    const other = await startSandbox({ seed: 2, objects: 1, logs: 1, clock: 'manual' });
    try {
      sandbox.faults.add({
        fault: 'redirect',
        route: 'GET /objects',
        status: 307,
        location: `${other.baseUrl}/objects`,
      });
      const { outcome } = await getOutcome(() => client.listPage('objects'));
      assert.equal(outcome, 'contract');
      assert.equal(other.recorder.requests.length, 1);
    } finally {
      await other.close();
    }
  });
});

/** Exceptions: operations whose required result is removed by a fault. */
function getAllowedOutcomes(fault: FaultName, { shape, operation }: Call): readonly Outcome[] {
  // An invite is valid once, so only the first fault that lets it through succeeds.
  const used: readonly Outcome[] = operation === confirmInvite ? ['badRequest'] : [];
  return shape === 'tokens' && getFaultGroup(fault) === 'json' ? ['ok', 'contract', ...used] : used;
}
