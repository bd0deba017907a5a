/** Credentials: what is typed, what is stored, what it is bound to, what a token says of itself. */
import assert from 'node:assert/strict';
import {
  bindingChanges,
  bindingOf,
  readStored,
  secretProblem,
  writeStored,
} from '../../../src/connections/credential.ts';
import { identityOf } from '../../../src/connections/identity.ts';
import { readProfiles } from '../../../src/connections/profiles.ts';
import type { Profile } from '../../../src/connections/types.ts';
import { jwt } from './support.ts';

function profile(entry: object = {}): Profile {
  const [found] = readProfiles([{ name: 'One', baseUrl: 'https://one.example/api', ...entry }], undefined).profiles;
  assert.ok(found);
  return found;
}

suite('credentials', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /Enter the API key/],
    ['   ', /Enter the API key/],
    ['abc\ndef', /line breaks/],
    ['abc\u2028def', /line breaks/],
    ['Bearer abcdef', /Leave out “Bearer”/],
    ['bearer abcdef', /Leave out “Bearer”/],
    ['Bearer', /Leave out “Bearer”/],
    ['x-api-key: abcdef', /name of the header/],
    ['abc def', /space/],
    ['ключ', /no header can carry/],
    ['a'.repeat(16_385), /too long/],
  ];
  for (const [typed, problem] of refused) {
    test(`${JSON.stringify(typed.slice(0, 30))} is refused, without being repeated`, () => {
      const found = secretProblem('API key', typed);
      assert.match(found ?? '', problem);
      if (typed.trim().length > 8) assert.ok(!(found ?? '').includes(typed));
    });
  }

  test('spaces around a secret are no problem, and a prefix of the connection counts', () => {
    assert.equal(secretProblem('API key', '  abc.def-123  '), undefined);
    assert.match(secretProblem('token', 'Token abcdef', 'Token ') ?? '', /Leave out “Token”/);
  });

  test('what is stored is read back, and nothing else is', () => {
    const stored = { binding: bindingOf(profile()), credential: { apiKey: 'k1', accessToken: 't1' }, stored: 5 };
    assert.deepEqual(readStored(writeStored(stored)), stored);
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
    for (const value of broken) assert.equal(readStored(JSON.stringify(value)), undefined, JSON.stringify(value));
    assert.equal(readStored('{'), undefined);
  });

  test('each change of where and how it is sent is a change of its binding', () => {
    const before = bindingOf(profile({ auth: { refreshPath: '/refresh' } }));
    const changes = (entry: object): readonly string[] =>
      bindingChanges(before, bindingOf(profile({ auth: { refreshPath: '/refresh' }, ...entry })));
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

  test('an environment that asks less is a change of the binding, one that asks more is none', () => {
    const local = { baseUrl: 'http://127.0.0.1:1' };
    const changes = (before: object, now: object): readonly string[] =>
      bindingChanges(bindingOf(profile(before)), bindingOf(profile(now)));
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
    // Nothing asks on this machine, named or not.
    assert.deepEqual(changes(local, { ...local, ...sandbox }), []);
  });

  test('what version 0.1 stored is bound to production, as its environment is not known', () => {
    const { environment: _environment, wallets: _wallets, ...old } = bindingOf(profile());
    const json = JSON.stringify({ version: 1, binding: old, credential: { apiKey: 'k1' }, stored: 5 });
    const found = readStored(json);
    assert.ok(found);
    assert.deepEqual(bindingChanges(found.binding, bindingOf(profile({ environment: 'production' }))), []);
    assert.deepEqual(bindingChanges(found.binding, bindingOf(profile({ environment: 'staging' }))), ['environment']);
  });
});

suite('identity', () => {
  test('a token says who, where and until when', () => {
    assert.deepEqual(identityOf(jwt({ sub: 'w1', org_id: 'o1', fqdn: 'a.b', exp: 1_700_000_000 })), {
      subject: 'w1',
      organization: 'o1',
      fqdn: 'a.b',
      expires: 1_700_000_000_000,
      systemScoped: false,
    });
    assert.equal(identityOf(jwt({ fqdn: 'system' }))?.systemScoped, true);
  });

  test('claims of other types are passed over, and hostile ones are cleaned and cut', () => {
    assert.deepEqual(identityOf(jwt({ sub: 5, org_id: null, fqdn: [], exp: 'soon' })), { systemScoped: false });
    assert.equal(identityOf(jwt({ sub: 'a\u202eb\nc' }))?.subject, 'a b c');
    assert.equal(identityOf(jwt({ sub: 'x'.repeat(1000) }))?.subject?.length, 200);
    assert.equal(identityOf(jwt({ exp: 1e300 }))?.expires, undefined);
  });

  test('what is no token says nothing', () => {
    for (const text of [undefined, '', 'abc', 'a.b.c', 'eyJhbGciOiJub25lIn0.bm90IGpzb24.x', jwt([1])])
      assert.equal(identityOf(text), undefined);
  });
});
