/** Checks, probes, refreshes and the shared transport against the sandbox platform, on real connections. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkReport } from '../../../src/connections/check-report.ts';
import { checkContract, type OperationResult } from '../../../src/connections/contract-check.ts';
import { isUnknown, issue } from '../../../src/connections/issue.ts';
import { KnownSecrets } from '../../../src/connections/known-secrets.ts';
import { SharedTransport, timeoutsOf } from '../../../src/connections/network.ts';
import { probe, type ProbeResult } from '../../../src/connections/probe.ts';
import { probeWords } from '../../../src/connections/probe-words.ts';
import { readProfiles } from '../../../src/connections/profiles.ts';
import { refresh } from '../../../src/connections/refresh.ts';
import type { Profile } from '../../../src/connections/types.ts';
import { PlatformClient } from '../../../src/platform/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Credential } from '../../../src/platform/target.ts';
import { suiteSandbox } from '../sandbox/kit.ts';

function profile(baseUrl: string, entry: object = {}): Profile {
  const [found] = readProfiles([{ name: 'Test', baseUrl, ...entry }], undefined).profiles;
  assert.ok(found);
  return found;
}

suite('connections, live', () => {
  const { sandbox } = suiteSandbox({ clock: 'system' });
  const transport = new SharedTransport(() => Promise.resolve({ environment: {} }));
  suiteTeardown(() => transport.close());
  setup(() => {
    sandbox().faults.clear();
    sandbox().recorder.reset();
  });

  const clientOf = (credential: Credential): PlatformClient => {
    const { name, baseUrl, presentation, words } = profile(sandbox().baseUrl);
    return new PlatformClient({
      target: { name, baseUrl, presentation, words },
      transport,
      timeouts: timeoutsOf(5),
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
        client: clientOf(credential),
        organizations,
        discover: (ids) => organizations.push(...[...ids].map((id) => ({ id }))),
      },
      new AbortController().signal,
      () => undefined,
    );

  suite('check', () => {
    test('all twenty operations are named, the harmless ones answer, those with an effect are never sent', async () => {
      const results = await check({ accessToken: sandbox().accessToken, apiKey: sandbox().apiKey });
      assert.equal(new Set(results.map(({ operation }) => operation)).size, 20);
      const silent = results.filter(({ outcome }) => outcome !== 'answers');
      assert.deepEqual(silent.map(({ operation, outcome }) => [operation, outcome]).sort(), [
        ['GET /organizations/{organizationId}/invite', 'not asked'],
        ['POST /ebus/execute', 'not asked'],
        ['POST /wallets', 'not asked'],
      ]);
      const sent = new Set(sandbox().recorder.requests.map(({ method, path }) => `${method} ${path}`));
      assert.ok(![...sent].some((request) => /POST|\/invite/.test(request)), [...sent].join('\n'));
    });

    test('an API key alone: the roles are asked for in an organization that the lists named', async () => {
      const met: { id: string }[] = [];
      const results = await check({ apiKey: sandbox().apiKey }, met);
      assert.ok(sandbox().organizations.some(({ id }) => id === met[0]?.id));
      const roles = results.filter(({ operation }) => operation.includes('role'));
      assert.deepEqual(
        roles.map(({ outcome }) => outcome),
        ['answers', 'answers', 'answers'],
      );
    });

    test('the report tells scope and role, or why they are not known', () => {
      const session = {
        profile: profile(sandbox().baseUrl),
        identity: undefined,
        expired: false,
        signedOutBecause: undefined,
        holds: new Set(['apiKey'] as const),
        organizations: [],
        heading: 'Test',
      };
      const probed: ProbeResult = { platform: 'yes', credential: 'accepted', milliseconds: 5 };
      const findings = { session, probe: probed, roles: [], results: [], version: '1.2.3', now: new Date(0) };
      assert.match(checkReport(findings), /\*\*Scope\*\*: not known.*\n- .*\n- \*\*Role\*\*: not known/);
      const told = checkReport({
        ...findings,
        session: { ...session, identity: { fqdn: 'shop', systemScoped: false } },
        roles: [['Acme', 'Owner']],
      });
      assert.match(told, /\*\*Scope\*\*: shop\n- .*\n- \*\*Role in Acme\*\*: Owner\n/);
    });

    test('drift is met, and each difference is told once', async () => {
      sandbox().faults.add({ route: 'GET /faces', fault: 'missingField', field: 'name', count: null });
      const faces = (await check({ apiKey: sandbox().apiKey })).find(({ operation }) => operation === 'GET /faces');
      const name = faces?.drift.find(({ path }) => path === 'name');
      assert.equal(name?.problem, 'missing');
      assert.ok(name.count >= 1);
    });

    test('what the identity may not read is refused, not failed', async () => {
      sandbox().faults.add({ route: 'GET /support', fault: 'forbidden', count: null });
      const results = await check({ apiKey: sandbox().apiKey });
      assert.equal(results.find(({ operation }) => operation === 'GET /support')?.outcome, 'refused');
    });

    test('the report holds no credential, also when the platform repeats it', async () => {
      const credential = { accessToken: sandbox().accessToken, apiKey: sandbox().apiKey };
      sandbox().faults.add({ route: '*', fault: 'echoCredential', count: null });
      const found: ProbeResult = { platform: 'yes', credential: 'accepted', milliseconds: 5 };
      const text = checkReport({
        session: {
          profile: profile(sandbox().baseUrl, { environment: 'production' }),
          identity: undefined,
          expired: false,
          signedOutBecause: undefined,
          holds: new Set(['apiKey', 'accessToken']),
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
    const ask = (baseUrl: string, credential?: Credential): Promise<ProbeResult> =>
      probe({ profile: profile(baseUrl), credential, transport, secrets: () => [] });

    test('a platform, with a credential that is good, bad or none', async () => {
      const good = await ask(sandbox().baseUrl, { apiKey: sandbox().apiKey });
      assert.deepEqual([good.platform, good.credential], ['yes', 'accepted']);
      const bad = await ask(sandbox().baseUrl, { apiKey: 'wrong-key-wrong-key' });
      assert.deepEqual([bad.platform, bad.credential], ['yes', 'refused']);
      const none = await ask(sandbox().baseUrl);
      assert.deepEqual([none.platform, none.error?.code], ['yes', 'unauthenticated']);
    });

    test('a wrong path, a web page, a login page behind a redirect: not the platform', async () => {
      const wrong = await ask(`${sandbox().baseUrl}/nowhere`, { apiKey: sandbox().apiKey });
      assert.deepEqual([wrong.platform, wrong.error?.code], ['no', 'notFound']);
      sandbox().faults.add({ route: 'GET /objects', fault: 'htmlOk' });
      const page = await ask(sandbox().baseUrl, { apiKey: sandbox().apiKey });
      assert.deepEqual([page.platform, page.error?.code], ['no', 'notJson']);
      const login = await listening((_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Log in</title><form></form>');
      });
      sandbox().faults.add({
        route: 'GET /objects',
        fault: 'redirect',
        status: 302,
        location: `${login.origin}/login?next=${sandbox().apiKey}`,
      });
      const redirected = await ask(sandbox().baseUrl, { apiKey: sandbox().apiKey });
      await login.close();
      assert.deepEqual([redirected.platform, redirected.error?.code], ['no', 'notJson']);
      assert.equal(redirected.error?.detail.serverMessage, 'web page “Log in”');
      assert.equal(
        probeWords(redirected, true).text,
        `The address redirects to ${login.origin}/login, which answers with a web page “Log in”: it is probably a login page.`,
      );
    });

    test('nothing there: not known, since the network may be to blame', async () => {
      const gone = await listening(() => undefined);
      await gone.close();
      const found = await ask(gone.origin);
      assert.deepEqual([found.platform, found.error?.code], ['unknown', 'network']);
    });
  });

  suite('refresh', () => {
    const renew = async (baseUrl: string, refreshToken: string): Promise<Credential> => {
      const { credential } = await refresh({
        transport,
        profile: { ...profile(baseUrl), refreshPath: '/auth/refresh' },
        credential: { accessToken: 'old', refreshToken, apiKey: 'k' },
        timeouts: timeoutsOf(5),
        secrets: [refreshToken],
      });
      return credential;
    };

    test('a refresh token becomes an access token that works', async () => {
      const renewed = await renew(sandbox().baseUrl, sandbox().refreshToken);
      assert.notEqual(renewed.accessToken, 'old');
      assert.equal(renewed.apiKey, 'k');
      const page = await clientOf({ accessToken: renewed.accessToken ?? '' }).page('objects', { limit: 1 });
      assert.equal(page.items.length, 1);
    });

    test('it is a POST without a body, and an answer without a new refresh token leaves the old one', async () => {
      const seen: string[] = [];
      const server = await listening((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          seen.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''} [${body}]`);
          response.end(JSON.stringify({ access_token: 'new-token' }));
        });
      });
      assert.deepEqual(await renew(server.origin, 'refresh-1'), {
        accessToken: 'new-token',
        refreshToken: 'refresh-1',
        apiKey: 'k',
      });
      await server.close();
      assert.deepEqual(seen, ['POST /auth/refresh Bearer refresh-1 []']);
    });

    const answers: readonly (readonly [number, string, string])[] = [
      [401, '{}', 'unauthenticated'],
      [400, '{"message":"refresh-1-refresh-1 is over"}', 'unauthenticated'],
      [500, '', 'server'],
      [429, '', 'server'],
      [302, '', 'contract'],
      [200, 'hello', 'contract'],
      [200, '{"access_token":"a\\nb"}', 'contract'],
    ];
    for (const [status, body, code] of answers) {
      test(`an answer ${String(status)} ${body} is ${code}, and is asked for once`, async () => {
        let asked = 0;
        const server = await listening((_request, response) => {
          asked++;
          response.writeHead(status, status === 302 ? { location: 'https://evil.example/' } : {});
          response.end(body);
        });
        await assert.rejects(renew(server.origin, 'refresh-1-refresh-1'), (error: unknown) => {
          assert.ok(error instanceof PlatformError);
          assert.equal(error.code, code);
          assert.ok(!JSON.stringify([error.message, error.detail]).includes('refresh-1-refresh-1'));
          return true;
        });
        await server.close();
        assert.equal(asked, 1);
      });
    }
  });

  suite('transport', () => {
    test('new settings make a new transport, and requests under way end on the old one', async () => {
      let made = 0;
      const shared = new SharedTransport(() => {
        made++;
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
      shared.renew();
      assert.equal((await slow).platform, 'yes');
      const next = await probe({
        profile: profile(sandbox().baseUrl),
        credential: undefined,
        transport: shared,
        secrets: () => [],
      });
      assert.equal(next.platform, 'yes');
      assert.equal(made, 2);
      await shared.close();
    });
  });

  suite('issue', () => {
    const fail = (error: PlatformError, typed: string): Promise<unknown> =>
      issue(new KnownSecrets(), [typed], 'the wallet is registered', () => Promise.reject(error));

    test('an unknown outcome is called unknown, a refusal is not', async () => {
      await assert.rejects(
        fail(new PlatformError('network', 'Lost'), 'x'),
        /Lost\. Whether the wallet is registered is not known/,
      );
      const refused = new PlatformError('badRequest', 'No', { status: 400, serverMessage: 'bad nickname' });
      await assert.rejects(fail(refused, 'x'), (error: unknown) => {
        assert.ok(error instanceof PlatformError);
        assert.deepEqual([error.message, error.detail.serverMessage], ['No', 'bad nickname']);
        return true;
      });
    });

    test('which outcomes are unknown', () => {
      const unknown = (code: PlatformError['code'], detail: PlatformError['detail']): boolean =>
        isUnknown(new PlatformError(code, 'x', detail));
      assert.equal(unknown('network', { sent: false }), false);
      assert.equal(unknown('timeout', { sent: true }), true);
      assert.equal(unknown('server', { status: 502 }), true);
      assert.equal(unknown('notJson', { status: 200 }), true);
      assert.equal(unknown('contract', { status: 307 }), true);
      assert.equal(unknown('forbidden', { status: 403 }), false);
    });

    test('words that repeat a password are left out, however short it is', async () => {
      const echo = new PlatformError('badRequest', 'No', { status: 400, serverMessage: 'pw1 is too weak' });
      await assert.rejects(fail(echo, 'pw1'), (error: unknown) => {
        assert.ok(error instanceof PlatformError);
        assert.equal(error.detail.serverMessage, undefined);
        return true;
      });
    });
  });
});

async function listening(
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
