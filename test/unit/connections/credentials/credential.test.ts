/** Credentials: validation, storage format, binding, token claims. */
import assert from 'node:assert/strict';
import {
  findBindingChanges,
  getBinding,
  getCredentialKinds,
  isSameCredential,
  parseCredential,
  validateSecret,
  serializeCredential,
} from '../../../../src/connections/credentials/credential.ts';
import { readIdentity } from '../../../../src/connections/credentials/identity.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import type { Profile } from '../../../../src/model/session/session.ts';
import { jwt } from '../support.ts';

function profile(entry: object = {}): Profile {
  const [found] = readProfiles([{ name: 'One', baseUrl: 'https://one.example/api', ...entry }], undefined).profiles;
  assert.ok(found);
  return found;
}

suite('credentials', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /Enter the API key/],
    ['   ', /Enter the API key/],
    ['abc\ndef', /single line/],
    ['abc\u2028def', /single line/],
    ['Bearer abcdef', /Remove “Bearer”/],
    ['bearer abcdef', /Remove “Bearer”/],
    ['Bearer', /Remove “Bearer”/],
    ['x-api-key: abcdef', /name of the header/],
    ['abc def', /space/],
    ['x-api-key : abcdef', /name of the header/],
    ['ключ', /not allowed in headers/],
    ['ключa', /not allowed in headers/],
    ['aключ', /not allowed in headers/],
    ['a'.repeat(16_385), /too long/],
  ];
  for (const [typed, problem] of refused) {
    test(`${JSON.stringify(typed.slice(0, 30))} is refused, without being repeated`, () => {
      const found = validateSecret('Enter the API key', typed);
      assert.match(found ?? '', problem);
      if (typed.trim().length > 8) assert.ok(!(found ?? '').includes(typed));
    });
  }

  test('surrounding spaces are accepted, and the connection’s token prefix is detected', () => {
    assert.equal(validateSecret('API key', '  abc.def-123  '), undefined);
    assert.match(validateSecret('token', 'Token abcdef', 'Token ') ?? '', /Remove “Token”/);
    assert.equal(validateSecret('token', 'Token abcdef', ''), 'Remove the spaces');
    for (const valid of ['abc', 'x-bearer', 'abc:def', 'a'.repeat(16_384)])
      assert.equal(validateSecret('', valid, ''), undefined);
  });

  test('a stored entry is parsed, and other text is not', () => {
    const binding = getBinding(profile({ baseUrl: 'https://one.example/api//', auth: { apiKeyHeader: 'X-API-Key' } }));
    const stored = { binding, credential: { apiKey: 'k1', accessToken: 't1', refreshToken: 'r1' }, stored: 5 };
    const entry = JSON.stringify({
      version: 1,
      binding: {
        name: 'One',
        origin: 'https://one.example',
        basePath: '/api',
        tokenHeader: 'authorization',
        tokenPrefix: 'Bearer ',
        apiKeyHeader: 'x-api-key',
        refreshPath: null,
        wallets: 'none',
        environment: null,
      },
      credential: stored.credential,
      stored: 5,
    });
    assert.equal(serializeCredential(stored), entry);
    assert.deepEqual(parseCredential(entry), stored);
    assert.deepEqual(parseCredential(entry.replace(/"apiKey":.*"r1"/, '"accessToken":"t1"'))?.credential, {
      accessToken: 't1',
    });
    const broken: readonly unknown[] = [
      'x',
      null,
      { ...stored, version: 2 },
      { ...stored, version: 1, credential: { apiKey: 'a\nb' } },
      { ...stored, version: 1, credential: { apiKey: '' } },
      { ...stored, version: 1, credential: { password: 'x' } },
      { version: 1, credential: { apiKey: 'x' }, stored: 5 },
      { ...stored, version: 1, stored: '5' },
    ];
    for (const value of broken) assert.equal(parseCredential(JSON.stringify(value)), undefined, JSON.stringify(value));
    assert.equal(parseCredential('{'), undefined);
  });

  test('each change of destination or authentication changes the binding', () => {
    const before = getBinding(profile({ auth: { refreshPath: '/refresh' } }));
    const changes = (entry: object): readonly string[] =>
      findBindingChanges(before, getBinding(profile({ auth: { refreshPath: '/refresh' }, ...entry })));
    assert.deepEqual(changes({}), []);
    assert.deepEqual(changes({ organizations: ['x'], pageSize: 3 }), []);
    assert.deepEqual(changes({ auth: { refreshPath: '/refresh', wallets: 'credential' } }), ['auth.wallets']);
    assert.deepEqual(changes({ name: 'Two' }), ['name']);
    assert.deepEqual(changes({ baseUrl: 'https://two.example/api' }), ['server']);
    assert.deepEqual(changes({ baseUrl: 'http://one.example/api' }), ['server']);
    assert.deepEqual(changes({ baseUrl: 'https://one.example:8443/api' }), ['server']);
    assert.deepEqual(changes({ baseUrl: 'https://one.example/other' }), ['base path']);
    assert.deepEqual(changes({ auth: { refreshPath: '/steal' } }), ['refresh path']);
    assert.deepEqual(changes({ auth: { refreshPath: '/refresh', tokenHeader: 'X-T' } }), ['token header']);
    assert.deepEqual(changes({ auth: { refreshPath: '/refresh', tokenPrefix: '' } }), ['token prefix']);
    assert.deepEqual(changes({ auth: { refreshPath: '/refresh', apiKeyHeader: 'X-K' } }), ['API key header']);
  });

  test('a less strict environment changes the binding, a stricter one does not', () => {
    const local = { baseUrl: 'http://127.0.0.1:1' };
    const changes = (before: object, now: object): readonly string[] =>
      findBindingChanges(getBinding(profile(before)), getBinding(profile(now)));
    const [production, staging, sandbox] = ['production', 'staging', 'sandbox'].map((environment) => ({ environment }));
    assert.ok(production && staging && sandbox);
    assert.deepEqual(changes(production, sandbox), ['environment']);
    assert.deepEqual(changes(production, {}), ['environment']);
    assert.deepEqual(changes(staging, sandbox), ['environment']);
    assert.deepEqual(changes({}, sandbox), ['environment']);
    assert.deepEqual(changes({ ...local, ...production }, local), ['environment']);
    assert.deepEqual(changes(sandbox, production), []);
    assert.deepEqual(changes(sandbox, {}), []);
    assert.deepEqual(changes({}, production), []);
    assert.deepEqual(changes(production, production), []);
    // Loopback never confirms, with or without an environment.
    assert.deepEqual(changes(local, { ...local, ...sandbox }), []);
  });

  test('entries of version 0.1 are bound to production, as their environment is unknown', () => {
    const { environment: _environment, wallets: _wallets, ...old } = getBinding(profile());
    const json = JSON.stringify({ version: 1, binding: old, credential: { apiKey: 'k1' }, stored: 5 });
    const found = parseCredential(json);
    assert.ok(found);
    assert.deepEqual(findBindingChanges(found.binding, getBinding(profile({ environment: 'production' }))), []);
    assert.deepEqual(findBindingChanges(found.binding, getBinding(profile({ environment: 'staging' }))), [
      'environment',
    ]);
  });
});

suite('parts of a credential', () => {
  test('the kinds that are present', () => {
    assert.deepEqual([...getCredentialKinds({ apiKey: 'k', refreshToken: 'r' })], ['apiKey', 'refreshToken']);
    assert.deepEqual([...getCredentialKinds(undefined)], []);
  });

  test('are compared, in any order', () => {
    const one = { apiKey: 'k', accessToken: 't' };
    assert.ok(isSameCredential(one, { accessToken: 't', apiKey: 'k' }));
    assert.ok(isSameCredential(undefined, undefined));
    for (const other of [undefined, {}, { apiKey: 'k' }, { ...one, refreshToken: 'r' }, { ...one, accessToken: 'u' }])
      assert.ok(!isSameCredential(one, other), JSON.stringify(other));
    assert.ok(!isSameCredential(undefined, {}));
  });
});

suite('identity', () => {
  test('subject, organization and expiry are read from a token', () => {
    assert.deepEqual(readIdentity(jwt({ sub: 'w1', org_id: 'o1', fqdn: 'a.b', exp: 1_700_000_000 })), {
      subject: 'w1',
      organization: 'o1',
      fqdn: 'a.b',
      expires: 1_700_000_000_000,
      systemScoped: false,
    });
    assert.equal(readIdentity(jwt({ fqdn: 'system' }))?.systemScoped, true);
  });

  test('claims of other types are ignored, and hostile ones are sanitized and truncated', () => {
    assert.deepEqual(readIdentity(jwt({ sub: 5, org_id: null, fqdn: [], exp: 'soon' })), { systemScoped: false });
    assert.equal(readIdentity(jwt({ sub: 'a\u202eb\nc' }))?.subject, 'a b c');
    assert.equal(readIdentity(jwt({ sub: 'x'.repeat(1000) }))?.subject?.length, 200);
    assert.deepEqual(readIdentity(jwt({ sub: '\u202e\n' })), { systemScoped: false });
    for (const exp of [1e300, 0, -5, '1700000000'])
      assert.equal(readIdentity(jwt({ exp }))?.expires, undefined, String(exp));
    // Milliseconds, as some servers write them.
    assert.equal(readIdentity(jwt({ exp: 1_700_000_000_000 }))?.expires, 1_700_000_000_000);
  });

  test('other text has no claims', () => {
    const token = jwt({ sub: 'w1' });
    for (const text of [
      undefined,
      '',
      'abc',
      'a.b.c',
      'eyJhbGciOiJub25lIn0.bm90IGpzb24.x',
      jwt([1]),
      `${token}!`,
      `!${token}`,
    ])
      assert.equal(readIdentity(text), undefined);
  });
});
