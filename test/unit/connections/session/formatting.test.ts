/** Formatting of headings, status bar, log lines, probes, permissions and Markdown. */
import assert from 'node:assert/strict';
import { formatHeading } from '../../../../src/model/heading.ts';
import { escapeMarkdown } from '../../../../src/connections/reports/markdown.ts';
import { formatKeyExpiry, formatPermissionMatrix } from '../../../../src/connections/reports/permission-matrix.ts';
import { isGrantedByAny, isGranted, readGrants } from '../../../../src/connections/session/permissions.ts';
import { summarizeProbe } from '../../../../src/connections/check/format-probe.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import { formatRequest } from '../../../../src/connections/session/request-log.ts';
import {
  formatExpiry,
  getNextStatusChange,
  getSessionStatus,
} from '../../../../src/connections/status/format-status.ts';
import { createTimeouts } from '../../../../src/connections/session/shared-transport.ts';
import type { Identity, Profile } from '../../../../src/model/session.ts';
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

suite('words', () => {
  test('a heading begins with the environment, PRODUCTION in capitals', () => {
    const organization = { id: 'o1', label: 'Acme', source: 'settings' } as const;
    assert.equal(formatHeading(profile({ environment: 'production' }), organization), 'PRODUCTION · Shop · Acme');
    assert.equal(formatHeading(profile({ environment: 'staging' }), undefined), 'Staging · Shop');
    const hostile = { id: 'o\u202e1\n', source: 'discovered' } as const;
    assert.equal(formatHeading(profile({ environment: 'staging' }), hostile), 'Staging · Shop · o 1');
    assert.equal(formatHeading(profile(), undefined), 'Environment not named · Shop');
    assert.equal(formatHeading(profile({ baseUrl: 'http://127.0.0.1:1' }), undefined), 'This machine · Shop');
  });

  test('the status bar shows production first and in its colour, problems as text', () => {
    const production = getSessionStatus(session({ environment: 'production' }), undefined, [], 0);
    assert.deepEqual([production.text, production.severity], ['PRODUCTION · Shop', 'production']);
    const out = getSessionStatus(
      session({ environment: 'sandbox' }, undefined, { signedOutReason: 'Not signed in' }),
      undefined,
      [],
      0,
    );
    assert.deepEqual([out.text, out.severity, out.icon], ['Shop · Sandbox (signed out)', 'plain', 'warning']);
    const expired = getSessionStatus(
      session({ environment: 'sandbox' }, { expires: 1 }, { expired: true }),
      undefined,
      [],
      2,
    );
    assert.deepEqual([expired.text, expired.severity], ['Shop · Sandbox (token expired)', 'warning']);
  });

  test('a token shows a warning in its last five minutes, unless it is renewed automatically', () => {
    const at = (expires: number, entry: object = {}, more: object = {}) => session(entry, { expires }, more);
    assert.equal(formatExpiry(at(10 * MINUTE), 0), undefined);
    assert.equal(formatExpiry(at(4.5 * MINUTE), 0), 'token expires in 5 min');
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
    const error = new PlatformError('server', 'The platform failed', { status: 500, serverMessage: 'a\n[fake] b' });
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
      '[Shop] GET /objects https://x/objects → 500 (12 ms, attempt 2, The platform failed, “a [fake] b”)',
    );
  });

  test('a wrong base URL is explained', () => {
    const found = (error: PlatformError) =>
      summarizeProbe({ platform: 'no', credential: 'unknown', error, milliseconds: 1 }, true).text;
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
      summarizeProbe(found, true).text,
      /^The address redirects to https:\/\/other.example\/objects\. The platform/,
    );
  });

  test('server text in a report is shown as it is, never read as Markdown', () => {
    assert.equal(escapeMarkdown('a|b\n# c'), 'a\\|b \\# c');
    assert.equal(escapeMarkdown('<img src=x>'), '\\<img src\\=x\\>');
    assert.equal(escapeMarkdown('![x](https://evil.example)'), '\\!\\[x\\](https\\://evil.example)');
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
    const text = formatPermissionMatrix({ role: 'r', crud: extra });
    assert.match(text, /^\| Resource \| Create \| Read \| Update \| Delete \|\n/);
    assert.match(text, /\| objects \| – no \| ✓ yes \| – no \| – no \|/);
    assert.match(text, /\| x\\\|y \(not in the contract\) \| not said \| ✓ yes \|/);
    assert.equal(text.split('\n').length, 2 + 22 + 1);
  });

  test('the expiry of an API key is formatted', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(formatKeyExpiry('2025-06-01T10:00:00Z', now), 'expired 2025-06-01 10:00 UTC');
    assert.equal(formatKeyExpiry('2027-06-01T10:00:00Z', now), 'expires 2027-06-01 10:00 UTC');
    assert.equal(formatKeyExpiry(undefined, now), 'no expiry named');
    assert.equal(formatKeyExpiry('soon|', now), 'expires soon\\|');
  });
});
