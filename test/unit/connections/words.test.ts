/** What is said of connections: headings, status bar, log lines, probes, permissions, Markdown. */
import assert from 'node:assert/strict';
import { headingOf } from '../../../src/connections/heading.ts';
import { plain } from '../../../src/connections/markdown.ts';
import { expiryOf, matrix } from '../../../src/connections/permission-matrix.ts';
import { grantedByAny, granted, grantsOf } from '../../../src/connections/permissions.ts';
import { probeWords } from '../../../src/connections/probe-words.ts';
import { readProfiles } from '../../../src/connections/profiles.ts';
import { requestLine } from '../../../src/connections/request-log.ts';
import { expiryWords, nextChange, statusWords } from '../../../src/connections/status-words.ts';
import { timeoutsOf } from '../../../src/connections/network.ts';
import type { Identity, Profile } from '../../../src/connections/types.ts';
import { PlatformError } from '../../../src/platform/errors.ts';

function profile(entry: object = {}): Profile {
  const [found] = readProfiles([{ name: 'Shop', baseUrl: 'https://one.example', ...entry }], undefined).profiles;
  assert.ok(found);
  return found;
}

const session = (entry: object, identity?: Partial<Identity>, more: object = {}) => ({
  profile: profile(entry),
  identity: identity === undefined ? undefined : { systemScoped: false, ...identity },
  expired: false,
  signedOutBecause: undefined,
  holds: new Set(['accessToken'] as const),
  ...more,
});
const MINUTE = 60_000;

suite('words', () => {
  test('a heading begins with the environment, PRODUCTION in capitals', () => {
    const organization = { id: 'o1', label: 'Acme', source: 'settings' } as const;
    assert.equal(headingOf(profile({ environment: 'production' }), organization), 'PRODUCTION · Shop · Acme');
    assert.equal(headingOf(profile({ environment: 'staging' }), undefined), 'Staging · Shop');
    const hostile = { id: 'o\u202e1\n', source: 'discovered' } as const;
    assert.equal(headingOf(profile({ environment: 'staging' }), hostile), 'Staging · Shop · o 1');
    assert.equal(headingOf(profile(), undefined), 'Environment not named · Shop');
    assert.equal(headingOf(profile({ baseUrl: 'http://127.0.0.1:1' }), undefined), 'This machine · Shop');
  });

  test('the status bar shows production first and in its colour, trouble in words', () => {
    const production = statusWords(session({ environment: 'production' }), undefined, [], 0);
    assert.deepEqual([production.text, production.mood], ['PRODUCTION · Shop', 'production']);
    const out = statusWords(
      session({ environment: 'sandbox' }, undefined, { signedOutBecause: 'Not signed in' }),
      undefined,
      [],
      0,
    );
    assert.deepEqual([out.text, out.mood, out.icon], ['Shop · Sandbox (signed out)', 'plain', 'warning']);
    const expired = statusWords(
      session({ environment: 'sandbox' }, { expires: 1 }, { expired: true }),
      undefined,
      [],
      2,
    );
    assert.deepEqual([expired.text, expired.mood], ['Shop · Sandbox (token expired)', 'warning']);
  });

  test('a token is warned about in its last five minutes, unless it is renewed by itself', () => {
    const at = (expires: number, entry: object = {}, more: object = {}) => session(entry, { expires }, more);
    assert.equal(expiryWords(at(10 * MINUTE), 0), undefined);
    assert.equal(expiryWords(at(4.5 * MINUTE), 0), 'token expires in 5 min');
    assert.equal(nextChange(at(10 * MINUTE), 0), 5 * MINUTE);
    assert.equal(nextChange(at(4.5 * MINUTE), 0), MINUTE);
    assert.equal(nextChange(at(30_000), 0), 30_000);
    assert.equal(nextChange(at(1), 2), undefined);
    const renewed = at(MINUTE, { auth: { refreshPath: '/r' } }, { holds: new Set(['accessToken', 'refreshToken']) });
    assert.equal(expiryWords(renewed, 0), undefined);
    assert.equal(nextChange(renewed, 0), undefined);
  });

  test('a log line is one line, whatever a server writes', () => {
    const error = new PlatformError('server', 'The platform failed', { status: 500, serverMessage: 'a\n[fake] b' });
    const record = {
      operation: 'GET /objects',
      url: 'https://x/objects',
      attempt: 2,
      milliseconds: 12,
      status: 500,
      error,
    };
    const line = requestLine('Shop', record);
    assert.equal(
      line,
      '[Shop] GET /objects https://x/objects → 500 (12 ms, attempt 2, The platform failed, “a [fake] b”)',
    );
  });

  test('a wrong base URL is named as what it is', () => {
    const found = (error: PlatformError) =>
      probeWords({ platform: 'no', credential: 'unknown', error, milliseconds: 1 }, true).text;
    assert.match(found(new PlatformError('notFound', 'x', { status: 404 })), /404.*base URL/);
    assert.match(
      found(new PlatformError('notJson', 'x', { serverMessage: 'web page “Log in”' })),
      /web page “Log in”.*login page/,
    );
    assert.match(found(new PlatformError('contract', 'a redirect to https://login.example')), /redirect/);
  });

  test('a redirect is named, whatever came of it', () => {
    const error = new PlatformError('unauthenticated', 'x', { status: 401 });
    const redirected = 'https://other.example/objects';
    const found = { platform: 'yes', credential: 'refused', error, redirected, milliseconds: 1 } as const;
    assert.match(
      probeWords(found, true).text,
      /^The address redirects to https:\/\/other.example\/objects\. The platform/,
    );
  });

  test('server text in a report is shown as it is, never read as Markdown', () => {
    assert.equal(plain('a|b\n# c'), 'a\\|b \\# c');
    assert.equal(plain('<img src=x>'), '\\<img src\\=x\\>');
    assert.equal(plain('![x](https://evil.example)'), '\\!\\[x\\](https\\://evil.example)');
    assert.equal(plain('x'.repeat(300)).length, 200);
    assert.equal(plain('a\u202eb'), 'a b');
  });

  test('seconds of a setting become limits', () => {
    assert.deepEqual(timeoutsOf(30), { connect: 15_000, headers: 30_000, body: 30_000 });
    assert.deepEqual(timeoutsOf(0.2), { connect: 200, headers: 200, body: 200 });
  });
});

suite('permissions', () => {
  const crud = (read: boolean) => ({ read, create: false, update: false, delete: false });
  const role = grantsOf({ id: 'r', name: 'Reader', permissions: [{ resource: 'objects', crud: crud(true) }] });

  test('what is listed is granted as it says, what is not is denied', () => {
    assert.ok(role);
    assert.equal(granted(role, 'objects', 'read'), true);
    assert.equal(granted(role, 'objects', 'create'), false);
    assert.equal(granted(role, 'faces', 'read'), false);
  });

  test('a role without permissions, or a verb without a flag, says nothing', () => {
    assert.equal(grantsOf({ id: 'r' }), undefined);
    assert.equal(grantsOf(undefined), undefined);
    const odd = grantsOf({ permissions: [{ resource: 'objects', crud: undefined }] });
    assert.ok(odd);
    assert.equal(granted(odd, 'objects', 'read'), undefined);
  });

  test('over several roles, denied means that all are known to lack it', () => {
    assert.equal(grantedByAny([role, undefined], 'objects', 'read'), true);
    assert.equal(grantedByAny([role, undefined], 'faces', 'read'), undefined);
    assert.equal(grantedByAny([role, role], 'faces', 'read'), false);
    assert.equal(grantedByAny([], 'faces', 'read'), undefined);
  });

  test('the matrix has each resource of the contract, and what the server has beyond it', () => {
    const grants = grantsOf({ permissions: [{ resource: 'objects', crud: crud(true) }] });
    assert.ok(grants);
    const extra = new Map([...grants.crud, ['x|y', { read: true }]]);
    const text = matrix({ role: 'r', crud: extra });
    assert.match(text, /^\| Resource \| Create \| Read \| Update \| Delete \|\n/);
    assert.match(text, /\| objects \| – no \| ✓ yes \| – no \| – no \|/);
    assert.match(text, /\| x\\\|y \(not in the contract\) \| not said \| ✓ yes \|/);
    assert.equal(text.split('\n').length, 2 + 22 + 1);
  });

  test('the end of an API key in words', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(expiryOf('2025-06-01T10:00:00Z', now), 'expired 2025-06-01 10:00 UTC');
    assert.equal(expiryOf('2027-06-01T10:00:00Z', now), 'expires 2027-06-01 10:00 UTC');
    assert.equal(expiryOf(undefined, now), 'no expiry named');
    assert.equal(expiryOf('soon|', now), 'expires soon\\|');
  });
});
