import assert from 'node:assert/strict';
import { findRefusedFields } from '../../../../src/actions/file/refused-fields.ts';
import { checkActionFile } from '../../../../src/actions/file/check-action-file.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { preflight } from '../../../../src/actions/file/preflight.ts';
import { checkTestFile } from '../../../../src/actions/testing/check-test-file.ts';
import type { Finding } from '../../../../src/actions/file/findings.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

function actionWith(custom: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ action: { update: { id: 'obj_1', data: { custom } } } });
}

/** The strings with a finding of this code. */
function marked(text: string, findings: readonly Finding[], code: string): readonly string[] {
  return findings.filter((one) => one.code === code).map(({ offset, length }) => text.slice(offset, offset + length));
}
const credentials = (text: string, secrets: readonly string[] = []): readonly string[] =>
  marked(text, checkActionFile(parseActionFile(text), secrets), 'credential');

suite('credentials in action files', () => {
  test('tokens and keys are found by their shape, secrets by their name, at their place', () => {
    for (const custom of [
      { note: JWT },
      { note: `Bearer ${'a1'.repeat(10)}` },
      { note: `sok_${'Ab3-'.repeat(10)}` },
      { note: `sk_live_${'a1'.repeat(12)}` },
      { note: `ghp_${'a1'.repeat(18)}` },
      { note: 'AKIAABCDEFGHIJKLMNOP' },
      { note: '-----BEGIN EC PRIVATE KEY-----\nMHc' },
      { api_key: 'a1b2c3d4e5f6a7b8' },
      { 'x-api-key': 'a1b2c3d4e5f6a7b8' },
      { clientSecret: 'a1b2c3d4e5f6a7b8' },
      { password: 'open sesame' },
    ]) {
      const text = actionWith(custom);
      assert.deepEqual(credentials(text), [JSON.stringify(Object.values(custom)[0])], text);
    }
    for (const custom of [
      { api_key: '${secret:API_KEY}' },
      { password: '${env:PASSWORD}' },
      { token: 'GOLD' },
      { secret: 'the name of the game' },
      { note: `0x${'a1'.repeat(32)}`, id: 'obj_01hzx3k9q8m2v7n5c4b6a1d0e9' },
      { note: 'Bearer of bad news', text: 'task_force_is_a_word_without_a_meaning' },
      { image: `data:image/png;base64,${'iVBORw0KGgo'.repeat(500)}` },
    ])
      assert.deepEqual(credentials(actionWith(custom)), [], JSON.stringify(custom));
    assert.deepEqual(credentials(`{"action": {"burn": {"id": "x"}}, "signature": "${JWT}"}`), []);
  });

  test('a known secret is found anywhere, also if other findings fill the list', () => {
    const secret = 'correct horse battery';
    const text = actionWith({ note: `it is ${secret}!` });
    assert.deepEqual(credentials(text), []);
    assert.deepEqual(credentials(text, [secret]), [`"it is ${secret}!"`]);
    const many = `{"action": {${Array.from({ length: 500 }, (_, index) => `"k${String(index)}": "${index === 499 ? JWT : '1'}"`).join(',')}}}`;
    assert.deepEqual(credentials(many), [`"${JWT}"`]);
  });

  test('a credential in a suite is reported too, and the fix replaces it by a variable', async () => {
    const text = actionWith({ api_key: 'a1b2c3d4e5f6a7b8', note: 'my own words' });
    const live = {
      read: () => Promise.resolve({}),
      can: () => true,
      ownIds: new Set<string>(),
      now: () => 0,
      connection: 'Test',
    };
    const found = await preflight(parseActionFile(text), live, new AbortController().signal, ['my own words']);
    assert.deepEqual(marked(text, found, 'credential'), ['"a1b2c3d4e5f6a7b8"', '"my own words"']);
    const [first] = found.filter(({ code }) => code === 'credential');
    assert.equal(first?.severity, 'warning');
    assert.match(first.message, /^This looks like a secret. It is sent with the file. Use \$\{secret:api_key\} to /);
    assert.equal(first.fixes[0]?.edits()[0]?.text, '"${secret:api_key}"');
    const story = `{"steps": [{"name": "a", "request": ${text}}]}`;
    const inSuite = await checkTestFile('/w/a.actions.json', story, () => Promise.resolve(true), {
      secrets: ['my own words'],
    });
    assert.deepEqual(marked(story, inSuite, 'credential'), ['"a1b2c3d4e5f6a7b8"', '"my own words"']);
  });
});

suite('addresses', () => {
  test('an e-mail address where an account is due is a hint at its place', () => {
    const text = '{"action": {"transfer": {"id": "obj_1", "to": "ann@example.org"}}}';
    const findings = checkActionFile(parseActionFile(text));
    assert.deepEqual(marked(text, findings, 'email'), ['"ann@example.org"']);
    assert.equal(findings[0]?.severity, 'information');
    for (const to of ['0xabc', 'wal_1', '${input:to}', 'ann'])
      assert.deepEqual(checkActionFile(parseActionFile(text.replace('ann@example.org', to))), [], to);
  });

  test('a response that names a field is reported at that field, unless the word `to` is meant', () => {
    const text = '{"action": {"transfer": {"id": "obj_1", "to": "ann@example.org", "template_id": "x"}}}';
    const named = (reason: string): readonly string[] =>
      marked(text, findRefusedFields(parseActionFile(text), reason), 'refused');
    for (const reason of [
      'The platform refused the request (HTTP 400): "to" is no address',
      'HTTP 400: `to`: invalid',
      'HTTP 400: action.transfer.to is not a valid address',
      'to: must be an address',
      'HTTP 400: to must be an address',
      'The field to is invalid',
      "invalid parameter 'to'",
    ])
      assert.deepEqual(named(reason), ['"ann@example.org"'], reason);
    for (const reason of [
      'Failed to parse the body',
      'You are not allowed to do this, to be clear',
      'Go to https://x.example',
    ])
      assert.deepEqual(named(reason), [], reason);
    assert.deepEqual(named('template_id does not exist'), ['"x"']);
    const [finding] = findRefusedFields(parseActionFile(text), '"to" is no\u202e address');
    assert.equal(
      finding?.message,
      'The platform mentions `to`: "to" is no address. This is an email address; an account address or a wallet ID may be required',
    );
  });
});
