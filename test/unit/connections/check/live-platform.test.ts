/** Checks, probes, refreshes and the shared transport against the sandbox platform, on real connections. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatCheckReport } from '../../../../src/connections/check/check-report.ts';
import { checkContract, type OperationResult } from '../../../../src/connections/check/check-contract.ts';
import { formatError } from '../../../../src/model/text/error-message.ts';
import { isOutcomeUnknown, requestTokens } from '../../../../src/connections/commands/request-tokens.ts';
import { KnownSecrets } from '../../../../src/connections/credentials/known-secrets.ts';
import { SharedTransport } from '../../../../src/connections/session/shared-transport.ts';
import { probe, type ProbeResult } from '../../../../src/connections/check/probe.ts';
import { summarizeProbe } from '../../../../src/connections/check/format-probe.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import { refreshAccessToken } from '../../../../src/connections/credentials/refresh-token.ts';
import type { Profile } from '../../../../src/model/session/session.ts';
import { PlatformClient } from '../../../../src/platform/client.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Credential } from '../../../../src/platform/http/credential-headers.ts';
import { PATIENT } from '../../../support/platform-client.ts';
import { endpoints, formatEndpointName } from '../../../support/platform-contract.ts';
import { useSandbox } from '../../sandbox/sandbox-client.ts';

function profile(baseUrl: string, entry: object = {}): Profile {
  const [found] = readProfiles([{ name: 'Test', baseUrl, ...entry }], undefined).profiles;
  assert.ok(found);
  return found;
}

suite('connections, live', () => {
  const { sandbox } = useSandbox({ clock: 'system' });
  const transport = new SharedTransport(() => Promise.resolve({ environment: {} }));
  suiteTeardown(() => transport.close());
  setup(() => {
    sandbox().faults.clear();
    sandbox().recorder.reset();
  });

  const createClient = (credential: Credential): PlatformClient => {
    return new PlatformClient({
      target: profile(sandbox().baseUrl),
      transport,
      timeouts: PATIENT,
      credential: () => Promise.resolve(credential),
      secrets: () => [credential.apiKey, credential.accessToken].filter((secret) => secret !== undefined),
      sleep: () => Promise.resolve(),
    });
  };
  const check = (
    credential: Credential,
    organizations: { readonly id: string }[] = [...sandbox().organizations],
  ): Promise<readonly OperationResult[]> =>
    checkContract(
      {
        client: createClient(credential),
        organizations,
        addDiscoveredOrganizations: (ids) => organizations.push(...[...ids].map((id) => ({ id }))),
      },
      new AbortController().signal,
      () => undefined,
    );

  suite('check', () => {
    test('all operations of the contract are listed, safe ones succeed, those with an effect are never sent', async () => {
      const results = await check({ accessToken: sandbox().accessToken, apiKey: sandbox().apiKey });
      const listed = new Set(results.map(({ operation }) => operation));
      assert.deepEqual(
        endpoints.map(formatEndpointName).filter((operation) => !listed.has(operation)),
        [],
      );
      const silent = results.filter(({ outcome }) => outcome !== 'answers');
      assert.deepEqual(silent.map(({ operation, outcome }) => [operation, outcome]).sort(), [
        ['GET /organizations/{organizationId}/invite', 'skipped'],
        ['POST /ebus/execute', 'skipped'],
        ['POST /wallets', 'skipped'],
      ]);
      const sent = new Set(sandbox().recorder.requests.map(({ method, path }) => `${method} ${path}`));
      assert.ok(![...sent].some((request) => /POST|\/invite/.test(request)), [...sent].join('\n'));
    });

    test('with only an API key, roles are read in an organization that the lists contained', async () => {
      const discovered: { id: string }[] = [];
      const results = await check({ apiKey: sandbox().apiKey }, discovered);
      assert.ok(sandbox().organizations.some(({ id }) => id === discovered[0]?.id));
      const roles = results.filter(({ operation }) => operation.includes('role'));
      assert.deepEqual(
        roles.map(({ outcome }) => outcome),
        ['answers', 'answers', 'answers'],
      );
    });

    test('the report contains scope and role, or why they are unknown', () => {
      const session = {
        profile: profile(sandbox().baseUrl),
        identity: undefined,
        expired: false,
        signedOutReason: undefined,
        credentialKinds: new Set(['apiKey'] as const),
        organizations: [],
        heading: 'Test',
      };
      const probed: ProbeResult = { platform: 'yes', credential: 'accepted', milliseconds: 5 };
      const findings = { session, probe: probed, roles: [], results: [], version: '1.2.3', now: new Date(0) };
      assert.match(formatCheckReport(findings), /\*\*Scope\*\*: not provided.*\n- .*\n- \*\*Role\*\*: not checked/);
      const detailed = formatCheckReport({
        ...findings,
        session: { ...session, identity: { fqdn: 'shop', systemScoped: false } },
        roles: [['Acme', 'Owner']],
      });
      assert.match(detailed, /\*\*Scope\*\*: shop\n- .*\n- \*\*Role in Acme\*\*: Owner\n/);
    });

    test('the report starts with three lines that sum it up', async () => {
      sandbox().faults.add({ route: 'GET /support', fault: 'forbidden', count: null });
      sandbox().faults.add({ route: 'GET /faces', fault: 'missingField', field: 'name', count: null });
      const text = formatCheckReport({
        session: {
          profile: profile(sandbox().baseUrl),
          identity: undefined,
          expired: false,
          signedOutReason: undefined,
          credentialKinds: new Set(['apiKey']),
          organizations: [],
          heading: 'Local · Test',
        },
        probe: { platform: 'yes', credential: 'accepted', milliseconds: 5 },
        roles: [],
        results: await check({ apiKey: sandbox().apiKey }),
        version: '1.2.3',
        now: new Date(0),
      });
      const [title, summary = ''] = text.split('\n\n');
      assert.equal(title, '# Check of Local · Test');
      assert.match(
        summary,
        /^- \*\*Connection\*\*: The platform responded in 5 ms and accepted the credential\.\n- \*\*Operations\*\*: \d+ responded, 1 refused, 3 skipped\n- \*\*Differences from the contract\*\*: \d+ in 1 operation$/,
      );
    });

    test('drift is detected, and each difference is reported once', async () => {
      sandbox().faults.add({ route: 'GET /faces', fault: 'missingField', field: 'name', count: null });
      const faces = (await check({ apiKey: sandbox().apiKey })).find(({ operation }) => operation === 'GET /faces');
      const name = faces?.drift.find(({ path }) => path === 'name');
      assert.equal(name?.problem, 'missing');
      assert.ok(name.count >= 1);
    });

    test('missing permissions are refusals, not failures', async () => {
      sandbox().faults.add({ route: 'GET /support', fault: 'forbidden', count: null });
      const results = await check({ apiKey: sandbox().apiKey });
      assert.equal(results.find(({ operation }) => operation === 'GET /support')?.outcome, 'refused');
    });

    test('the report contains no credential, even when the platform repeats it', async () => {
      const credential = { accessToken: sandbox().accessToken, apiKey: sandbox().apiKey };
      sandbox().faults.add({ route: '*', fault: 'echoCredential', count: null });
      const found: ProbeResult = { platform: 'yes', credential: 'accepted', milliseconds: 5 };
      const text = formatCheckReport({
        session: {
          profile: profile(sandbox().baseUrl, { environment: 'production' }),
          identity: undefined,
          expired: false,
          signedOutReason: undefined,
          credentialKinds: new Set(['apiKey', 'accessToken']),
          organizations: [],
          heading: 'PRODUCTION · Test',
        },
        probe: found,
        roles: [],
        results: await check(credential),
        version: '1.2.3',
        now: new Date(0),
      });
      assert.match(text, /could not verify/);
      for (const secret of Object.values(credential)) assert.ok(!text.includes(secret));
      assert.match(text, /^# Check of PRODUCTION/);
    });
  });

  suite('probe', () => {
    const runProbe = (baseUrl: string, credential?: Credential): Promise<ProbeResult> =>
      probe({ profile: profile(baseUrl), credential, transport, secrets: () => [] });

    test('a platform, with a credential that is good, bad or none', async () => {
      const good = await runProbe(sandbox().baseUrl, { apiKey: sandbox().apiKey });
      assert.deepEqual([good.platform, good.credential], ['yes', 'accepted']);
      const bad = await runProbe(sandbox().baseUrl, { apiKey: 'wrong-key-wrong-key' });
      assert.deepEqual([bad.platform, bad.credential], ['yes', 'refused']);
      const none = await runProbe(sandbox().baseUrl);
      assert.deepEqual([none.platform, none.error?.code], ['yes', 'unauthenticated']);
    });

    test('a wrong path, a web page, a login page behind a redirect: not the platform', async () => {
      const wrong = await runProbe(`${sandbox().baseUrl}/nowhere`, { apiKey: sandbox().apiKey });
      assert.deepEqual([wrong.platform, wrong.error?.code], ['no', 'notFound']);
      sandbox().faults.add({ route: 'GET /objects', fault: 'htmlOk' });
      const page = await runProbe(sandbox().baseUrl, { apiKey: sandbox().apiKey });
      assert.deepEqual([page.platform, page.error?.code], ['no', 'notJson']);
      const login = await startServer((_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Log in</title><form></form>');
      });
      sandbox().faults.add({
        route: 'GET /objects',
        fault: 'redirect',
        status: 302,
        location: `${login.origin}/login?next=${sandbox().apiKey}`,
      });
      const redirected = await runProbe(sandbox().baseUrl, { apiKey: sandbox().apiKey });
      await login.close();
      assert.deepEqual([redirected.platform, redirected.error?.code], ['no', 'notJson']);
      assert.equal(redirected.error?.detail.serverMessage, 'web page “Log in”');
      assert.equal(
        summarizeProbe(redirected, {}, 0).text,
        `The address redirects to ${login.origin}/login, which responded with something other than JSON (web page “Log in”), probably a login page.`,
      );
    });

    test('an unreachable address is unknown, since the network may be the cause', async () => {
      const closed = await startServer(() => undefined);
      await closed.close();
      const found = await runProbe(closed.origin);
      assert.deepEqual([found.platform, found.error?.code], ['unknown', 'network']);
    });
  });

  suite('refresh', () => {
    const renew = async (baseUrl: string, refreshToken: string): Promise<Credential> => {
      const { credential } = await refreshAccessToken({
        transport,
        profile: { ...profile(baseUrl), refreshPath: '/auth/refresh' },
        credential: { accessToken: 'old', refreshToken, apiKey: 'k' },
        timeouts: PATIENT,
        secrets: [refreshToken],
      });
      return credential;
    };

    test('a refresh token becomes an access token that works', async () => {
      const renewed = await renew(sandbox().baseUrl, sandbox().refreshToken);
      assert.notEqual(renewed.accessToken, 'old');
      assert.equal(renewed.apiKey, 'k');
      const page = await createClient({ accessToken: renewed.accessToken ?? '' }).listPage('objects', { limit: 1 });
      assert.equal(page.items.length, 1);
    });
  });

  suite('transport', () => {
    test('new settings replace the transport, and running requests finish on the old one', async () => {
      let transportCount = 0;
      const shared = new SharedTransport(() => {
        transportCount++;
        return Promise.resolve({ environment: {} });
      });
      sandbox().faults.add({ route: 'GET /objects', fault: 'slowHeaders', delay: 150 });
      const slow = probe({
        profile: profile(sandbox().baseUrl),
        credential: { apiKey: sandbox().apiKey },
        transport: shared,
        secrets: () => [],
      });
      while (sandbox().recorder.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      shared.replace();
      assert.equal((await slow).platform, 'yes');
      const next = await probe({
        profile: profile(sandbox().baseUrl),
        credential: undefined,
        transport: shared,
        secrets: () => [],
      });
      assert.equal(next.platform, 'yes');
      assert.equal(transportCount, 2);
      await shared.close();
    });
  });

  suite('issue', () => {
    const fail = (error: PlatformError, typed: string): Promise<unknown> =>
      requestTokens(new KnownSecrets(), [typed], 'It may be registered.', () => Promise.reject(error));

    test('an unknown outcome is called unknown, a refusal is not', async () => {
      await assert.rejects(fail(new PlatformError('network', 'Lost'), 'x'), (error: unknown) => {
        assert.equal(formatError('Register', error), 'Register: Lost. It may be registered.');
        return true;
      });
      const refused = new PlatformError('badRequest', 'No', { status: 400, serverMessage: 'bad nickname' });
      await assert.rejects(fail(refused, 'x'), (error: unknown) => {
        assert.ok(error instanceof PlatformError);
        assert.deepEqual(
          [error.message, error.detail.serverMessage, error.detail.nextStep],
          ['No', 'bad nickname', undefined],
        );
        return true;
      });
    });

    test('which outcomes are unknown', () => {
      const unknown = (code: PlatformError['code'], detail: PlatformError['detail']): boolean =>
        isOutcomeUnknown(new PlatformError(code, 'x', detail));
      assert.equal(unknown('network', { sent: false }), false);
      assert.equal(unknown('timeout', { sent: true }), true);
      assert.equal(unknown('server', { status: 502 }), true);
      assert.equal(unknown('notJson', { status: 200 }), true);
      assert.equal(unknown('contract', { status: 307 }), true);
      assert.equal(unknown('forbidden', { status: 403 }), false);
    });

    test('server text that repeats a password is omitted, however short it is', async () => {
      const echo = new PlatformError('badRequest', 'No', { status: 400, serverMessage: 'pw1 is too weak' });
      await assert.rejects(fail(echo, 'pw1'), (error: unknown) => {
        assert.ok(error instanceof PlatformError);
        assert.equal(error.detail.serverMessage, undefined);
        return true;
      });
    });
  });
});

async function startServer(
  answer: Parameters<typeof createServer>[1],
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server: Server = createServer({}, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is no string.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
