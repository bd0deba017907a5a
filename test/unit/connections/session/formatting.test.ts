/** Formatting of headings, status bar, log lines, probes, permissions and Markdown. */
import assert from 'node:assert/strict';
import { formatHeading, formatSessionProblem } from '../../../../src/model/text/heading.ts';
import { formatError } from '../../../../src/model/text/error-message.ts';
import { escapeMarkdown, formatCode } from '../../../../src/connections/reports/markdown.ts';
import { formatKeyExpiry, formatPermissionMatrix } from '../../../../src/connections/reports/permission-matrix.ts';
import { isGrantedByAny, isGranted, readGrants } from '../../../../src/connections/session/permissions.ts';
import { formatTokenExpiry, summarizeProbe } from '../../../../src/connections/check/format-probe.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import { formatRequest } from '../../../../src/connections/session/request-log.ts';
import {
  formatExpiry,
  getNextStatusChange,
  getSessionStatus,
} from '../../../../src/connections/status/format-status.ts';
import { createTimeouts } from '../../../../src/connections/session/shared-transport.ts';
import type { Identity, Profile } from '../../../../src/model/session/session.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';

function profile(entry: object = {}): Profile {
  const [found] = readProfiles([{ name: 'Shop', baseUrl: 'https://one.example', ...entry }], undefined).profiles;
  assert.ok(found);
  return found;
}

const session = (entry: object, identity?: Partial<Identity>, more: object = {}) => ({
  profile: profile(entry),
  identity: identity === undefined ? undefined : { systemScoped: false, ...identity },
  expired: false,
  signedOutReason: undefined,
  credentialKinds: new Set(['accessToken'] as const),
  ...more,
});
const MINUTE = 60_000;

suite('formatting of sessions', () => {
  test('a heading begins with the environment, PRODUCTION in capitals', () => {
    assert.equal(formatHeading(profile({ environment: 'production' })), 'PRODUCTION · Shop');
    assert.equal(formatHeading(profile({ environment: 'staging' })), 'Staging · Shop');
    assert.equal(formatHeading(profile({ name: 'staging', environment: 'staging' })), 'staging');
    assert.equal(formatHeading(profile({ name: 'Production', environment: 'production' })), 'PRODUCTION · Production');
    assert.equal(formatHeading(profile()), 'Environment not set · Shop');
    assert.equal(formatHeading(profile({ baseUrl: 'http://127.0.0.1:1' })), 'Local · Shop');
  });

  test('the status bar shows production first and in its colour, problems as text', () => {
    const production = getSessionStatus(session({ environment: 'production' }), [], 0);
    assert.deepEqual([production.text, production.severity], ['PRODUCTION · Shop', 'production']);
    const out = getSessionStatus(
      session({ environment: 'sandbox' }, undefined, { signedOutReason: 'Not signed in' }),
      [],
      0,
    );
    assert.deepEqual([out.text, out.severity, out.icon], ['Shop · Sandbox (not signed in)', 'plain', 'warning']);
    const expired = getSessionStatus(session({ environment: 'sandbox' }, { expires: 1 }, { expired: true }), [], 2);
    assert.deepEqual([expired.text, expired.severity], ['Shop · Sandbox (session expired)', 'warning']);
  });

  test('the status bar counts a wait down that the platform asked for; a problem comes first', () => {
    const waiting = session({ environment: 'sandbox' }, undefined, { waitingUntil: 10_000 });
    const { text, severity, icon } = getSessionStatus(waiting, [], 3_100);
    assert.deepEqual([text, severity, icon], ['Shop · Sandbox (waiting 7 s, asked by the platform)', 'plain', 'watch']);
    assert.equal(getSessionStatus(waiting, [], 10_000).text, 'Shop · Sandbox');
    const expired = getSessionStatus({ ...waiting, expired: true }, [], 3_100);
    assert.equal(expired.text, 'Shop · Sandbox (session expired)');
  });

  test('a token shows a warning in its last five minutes, unless it is renewed automatically', () => {
    const at = (expires: number, entry: object = {}, more: object = {}) => session(entry, { expires }, more);
    assert.equal(formatExpiry(at(10 * MINUTE), 0), undefined);
    assert.equal(formatExpiry(at(4.5 * MINUTE), 0), 'session expires in 5 min');
    assert.equal(getNextStatusChange(at(10 * MINUTE), 0), 5 * MINUTE);
    assert.equal(getNextStatusChange(at(4.5 * MINUTE), 0), MINUTE);
    assert.equal(getNextStatusChange(at(30_000), 0), 30_000);
    assert.equal(getNextStatusChange(at(1), 2), undefined);
    const renewed = at(
      MINUTE,
      { auth: { refreshPath: '/r' } },
      { credentialKinds: new Set(['accessToken', 'refreshToken']) },
    );
    assert.equal(formatExpiry(renewed, 0), undefined);
    assert.equal(getNextStatusChange(renewed, 0), undefined);
  });

  test('a log line is one line, whatever a server writes', () => {
    const error = new PlatformError('server', 'The platform reported an error', {
      status: 500,
      serverMessage: 'a\n[fake] b',
    });
    const record = {
      operation: 'GET /objects',
      url: 'https://x/objects',
      attempt: 2,
      milliseconds: 12,
      status: 500,
      error,
    };
    const line = formatRequest('Shop', record);
    assert.equal(
      line,
      '[Shop] GET /objects https://x/objects → 500 (12 ms, attempt 2, The platform reported an error, “a [fake] b”)',
    );
  });

  test('a wrong base URL is explained, and ends with one full stop', () => {
    const found = (error: PlatformError) => {
      const summary = summarizeProbe({ platform: 'no', credential: 'unknown', error, milliseconds: 1 }, {}, 0);
      assert.equal(summary.fault, 'baseUrl');
      assert.match(summary.text, /[^.]\.$/);
      return summary.text;
    };
    assert.match(found(new PlatformError('notFound', 'x', { status: 404 })), /404.*base URL/);
    assert.match(
      found(new PlatformError('notJson', 'x', { serverMessage: 'web page “Log in”' })),
      /web page “Log in”.*login page/,
    );
    assert.match(found(new PlatformError('contract', 'a redirect to https://login.example')), /redirect/);
  });

  test('a redirect is named, whatever its result', () => {
    const error = new PlatformError('unauthenticated', 'x', { status: 401 });
    const redirected = 'https://other.example/objects';
    const found = { platform: 'yes', credential: 'refused', error, redirected, milliseconds: 1 } as const;
    assert.match(
      summarizeProbe(found, {}, 0).text,
      /^The address redirects to https:\/\/other.example\/objects\. The platform responded, but rejected/,
    );
  });

  test('an unreachable platform is one sentence, although its reason ends with a full stop', () => {
    const error = new PlatformError('network', 'Could not connect: shop.example:443 refused the connection.');
    const { text, fault } = summarizeProbe(
      { platform: 'unknown', credential: 'unknown', error, milliseconds: 1 },
      undefined,
      0,
    );
    assert.deepEqual([text, fault], ['Could not connect: shop.example:443 refused the connection.', 'baseUrl']);
    assert.equal(
      formatError('List objects', error),
      'List objects: Could not connect: shop.example:443 refused the connection. Check the base URL, the network and the proxy settings.',
    );
  });

  test('an expired token is named, whether it is refused or accepted', () => {
    const error = new PlatformError('unauthenticated', 'x', { status: 401 });
    const refused = { platform: 'yes', credential: 'refused', error, milliseconds: 1 } as const;
    const HOUR = 60 * MINUTE;
    assert.deepEqual(summarizeProbe(refused, { expires: HOUR }, 4 * HOUR), {
      ok: false,
      text: 'The platform responded, but the access token expired 3 hours ago.',
      fault: 'credential',
    });
    assert.match(summarizeProbe(refused, { expires: 5 * HOUR }, 4 * HOUR).text, /rejected the credential\.$/);
    const accepted = { platform: 'yes', credential: 'accepted', milliseconds: 1 } as const;
    assert.match(
      summarizeProbe(accepted, { expires: HOUR }, 4 * HOUR).text,
      /accepted the credential, although the access token expired 3 hours ago\.$/,
    );
    assert.match(summarizeProbe(accepted, { expires: 5 * HOUR }, 4 * HOUR).text, /accepted the credential\.$/);
  });

  test('the expiry of a token is exact to its unit', () => {
    const HOUR = 60 * MINUTE;
    const now = 100 * 24 * HOUR;
    const format = (away: number): string | undefined => formatTokenExpiry({ expires: now + away }, now);
    assert.deepEqual([47 * HOUR, 119 * MINUTE, -500, -45 * 24 * HOUR].map(format), [
      'expires in 47 hours',
      'expires in 119 minutes',
      'expired 0 seconds ago',
      'expired 45 days ago',
    ]);
    assert.equal(formatTokenExpiry({}, now), undefined);
  });

  test('a session that needs a sign-in has one name everywhere', () => {
    assert.equal(formatSessionProblem({ signedOutReason: undefined, expired: false }), undefined);
    assert.equal(formatSessionProblem({ signedOutReason: undefined, expired: true }), 'session expired');
    assert.equal(formatSessionProblem({ signedOutReason: 'Not signed in', expired: true }), 'not signed in');
  });

  test('server text in a report is shown as it is, never read as Markdown', () => {
    assert.equal(escapeMarkdown('a|b\n# c'), 'a\\|b \\# c');
    assert.equal(escapeMarkdown('<img src=x>'), '\\<img src\\=x\\>');
    assert.equal(escapeMarkdown('![x](https://evil.example)'), '\\!\\[x\\](https:\\/\\/evil.example)');
    assert.equal(escapeMarkdown('//evil.example'), '\\/\\/evil.example');
    assert.deepEqual(
      ['- a', '+ a', '1. a', '--- a'].map((text) => escapeMarkdown(text)),
      ['\\- a', '\\+ a', '1\\. a', '\\--- a'],
    );
    assert.equal(formatCode('a`b|c\u202e'), '`abc`');
    assert.equal(escapeMarkdown('x'.repeat(300)).length, 200);
    assert.equal(escapeMarkdown('a\u202eb'), 'a b');
  });

  test('seconds of a setting become timeouts', () => {
    assert.deepEqual(createTimeouts(30), { connect: 15_000, headers: 30_000, body: 30_000 });
    assert.deepEqual(createTimeouts(0.2), { connect: 200, headers: 200, body: 200 });
  });
});

suite('permissions', () => {
  const crud = (read: boolean) => ({ read, create: false, update: false, delete: false });
  const role = readGrants({ id: 'r', name: 'Reader', permissions: [{ resource: 'objects', crud: crud(true) }] });

  test('listed permissions are granted as listed, others are denied', () => {
    assert.ok(role);
    assert.equal(isGranted(role, 'objects', 'read'), true);
    assert.equal(isGranted(role, 'objects', 'create'), false);
    assert.equal(isGranted(role, 'faces', 'read'), false);
  });

  test('a role without permissions, or a verb without a flag, leaves the grant unknown', () => {
    assert.equal(readGrants({ id: 'r' }), undefined);
    assert.equal(readGrants(undefined), undefined);
    const odd = readGrants({ permissions: [{ resource: 'objects', crud: undefined }] });
    assert.ok(odd);
    assert.equal(isGranted(odd, 'objects', 'read'), undefined);
  });

  test('wildcards grant; what a wildcard or an unknown form may grant is unknown, never denied', () => {
    const all = { read: true, create: true, update: true, delete: true };
    const cases: readonly (readonly [
      permission: unknown,
      objects: boolean | undefined,
      states: boolean | undefined,
    ])[] = [
      [{ resource: '*', crud: all }, true, true],
      [{ resource: '*', crud: '*' }, true, true],
      [{ resource: '*', crud: { '*': true } }, true, true],
      [{ resource: '*:*' }, true, true],
      ['*:*', true, true],
      ['*', true, true],
      ['*:read', true, true],
      ['objects:read', true, false],
      ['OBJECTS:READ', true, false],
      [{ resource: 'objects.*', crud: all }, undefined, true],
      ['objects.*:*', undefined, true],
      ['faces.*:*', false, false],
      [{ resource: 'faces', crud: all }, false, false],
      [{ resource: '*', crud: crud(false) }, false, false],
      [{ resource: '*', crud: ['read'] }, undefined, undefined],
      [{ resource: 'objects/**', crud: all }, undefined, undefined],
      [{ resource: 'all', crud: all }, undefined, undefined],
      ['ALL:*', undefined, undefined],
      ['admin:*', undefined, undefined],
      ['read:*', undefined, undefined],
      [{ scope: 'everything' }, undefined, undefined],
      ['administrator', undefined, undefined],
      [17, undefined, undefined],
      [null, undefined, undefined],
    ];
    for (const [permission, objects, states] of cases) {
      const grants = readGrants({ permissions: [{ resource: 'templates', crud: crud(true) }, permission] });
      assert.ok(grants);
      const found = [isGranted(grants, 'objects', 'read'), isGranted(grants, 'objects.state-changes', 'read')];
      assert.deepEqual(found, [objects, states], JSON.stringify(permission));
      assert.equal(isGranted(grants, 'templates', 'read'), true);
    }
  });

  test('over several roles, denied requires that all are known to lack it', () => {
    assert.equal(isGrantedByAny([role, undefined], 'objects', 'read'), true);
    assert.equal(isGrantedByAny([role, undefined], 'faces', 'read'), undefined);
    assert.equal(isGrantedByAny([role, role], 'faces', 'read'), false);
    assert.equal(isGrantedByAny([], 'faces', 'read'), undefined);
  });

  test('the matrix has each resource of the contract, and additional ones of the server', () => {
    const grants = readGrants({ permissions: [{ resource: 'objects', crud: crud(true) }] });
    assert.ok(grants);
    const extra = new Map([...grants.crud, ['x|y', { read: true }]]);
    const text = formatPermissionMatrix({ crud: extra });
    assert.match(text, /^\| Resource \| Create \| Read \| Update \| Delete \|\n/);
    assert.match(text, /\| objects \| – no \| ✓ yes \| – no \| – no \|/);
    assert.match(text, /\| x\\\|y \(not in the contract\) \| not provided \| ✓ yes \|/);
    assert.equal(text.split('\n').length, 2 + 22 + 1);
  });

  test('the expiry of an API key is formatted', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(formatKeyExpiry('2025-06-01T10:00:00Z', now), 'expired 2025-06-01 10:00 UTC');
    assert.equal(formatKeyExpiry('2027-06-01T10:00:00Z', now), 'expires 2027-06-01 10:00 UTC');
    assert.equal(formatKeyExpiry(undefined, now), 'no expiration date');
    assert.equal(formatKeyExpiry('soon|', now), 'expires soon\\|');
  });
});
