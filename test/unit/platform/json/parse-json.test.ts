/** JSON: exact numbers, masked secrets, formatting and redaction. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson, tryParseJson, tryParseMaskedJson } from '../../../../src/platform/json/parse-json.ts';
import { maskText, MASK } from '../../../../src/platform/json/secrets.ts';
import { formatJson, getJsonSlice } from '../../../../src/platform/json/format-json.ts';
import { redactText, redactUrl } from '../../../../src/platform/text/redact.ts';

suite('json', () => {
  test('integers past 2^53, and long decimals are printed to the digit', () => {
    for (const source of ['12345678901234567890', '-9007199254740993', '0.1234567890123456789']) {
      assert.equal(JSON.stringify(parseJson(`{"n":${source}}`)), `{"n":${source}}`);
      assert.equal(JSON.stringify(parseJson(`[${source}]`)), `[${source}]`);
    }
  });

  test('digits are exact after any whitespace', () => {
    for (const blank of ['', ' ', '  ', '\t', ' \t ', '\r\n', '\n    '])
      assert.equal(JSON.stringify(parseJson(`{"n":${blank}9007199254740993}`)), '{"n":9007199254740993}', blank);
  });

  test('plain JSON is parsed as by JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(JSON.stringify(parseJson(text)), text);
      }),
    );
  });

  test('secrets are masked by name and by value, however they are escaped', () => {
    const secret = 'sk/live-0123456789';
    const escaped = Array.from(secret, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const text = `{"access_token":"x","a":"${secret}","b":["key ${escaped}!"],"c":"sk\\/live-0123456789","${secret}":1,"key":{"deep":1},"password":null}`;
    const value = parseJson(text, { values: [secret], names: ['key'] });
    assert.equal(JSON.stringify(value).includes('live-0123456789'), false);
    const expected = {
      access_token: MASK,
      a: MASK,
      b: [`key ${MASK}!`],
      c: MASK,
      [MASK]: 1,
      key: MASK,
      password: null,
    };
    assert.deepEqual(sorted(value), sorted(expected));
  });

  test('secrets that JSON has to escape are masked as well, in values and in print', () => {
    const careful = (text: string): string =>
      JSON.stringify(text).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
    for (const secret of ['p&ssword-1', 'line1\nline2', 'qu"ote-mark', 'back\\slash', 'schlüssel-wort', '<key-value>'])
      for (const written of [
        JSON.stringify(secret),
        careful(secret),
        `"\\u${secret.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(secret.slice(1)).slice(1)}`,
      ]) {
        const text = `{"a":[${written}]}`;
        assert.deepEqual(parseJson(text, { values: [secret] }), { a: [MASK] }, text);
        assert.equal(formatJson(text, { values: [secret] }), `{\n  "a": [\n    "${MASK}"\n  ]\n}\n`, text);
      }
  });

  test('tokens are masked in a response, and usable in text of the extension', () => {
    const text = '{"access_token":"token-token"}';
    assert.deepEqual(tryParseMaskedJson(text), { access_token: MASK });
    assert.deepEqual(tryParseJson(text), { access_token: 'token-token' });
    assert.deepEqual([tryParseJson('{'), tryParseMaskedJson('{')], [undefined, undefined]);
  });

  test('a short secret masks only a string that equals it', () => {
    assert.equal(maskText('the cat', ['cat']), 'the cat');
    assert.equal(maskText('cat', ['cat']), MASK);
    assert.equal(maskText('', ['']), '');
  });

  test('a property called __proto__ changes nothing', () => {
    const value = parseJson('{"__proto__":{"polluted":1},"password":"p"}', { values: ['longer-secret'] });
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(JSON.stringify(value).includes('"p"'), false);
  });
});

suite('formatJson', () => {
  test('formats any JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        assert.equal(formatJson(JSON.stringify(plain), { values: [] }), JSON.stringify(plain, null, 2) + '\n');
      }),
    );
  });

  test('replaces what is nested too deeply, as parsing does', () => {
    const nest = (open: string, close: string, levels: number): string =>
      `{"a":${open.repeat(levels)}1${close.repeat(levels)},"b":[2]}`;
    for (const levels of [98, 99, 100, 101, 5000])
      for (const text of [nest('[', ']', levels), nest('{"x":', '}', levels), nest('[[],{"y":', '}]', levels)])
        assert.equal(
          formatJson(text, { values: [] }),
          JSON.stringify(parseJson(text), null, 2) + '\n',
          `${text.slice(0, 20)} ${String(levels)}`,
        );
  });

  test("keeps the server's order, digits and escapes", () => {
    const text = '{"b":1.10,"2":1e3,"1":12345678901234567890,"s":"\\u0041\\/"}';
    assert.equal(
      formatJson(text, { values: [] }),
      '{\n  "b": 1.10,\n  "2": 1e3,\n  "1": 12345678901234567890,\n  "s": "\\u0041\\/"\n}\n',
    );
  });

  test('masks the values of secret names, and secrets inside strings', () => {
    const printed = formatJson(
      '{"key":{"x":[1,{"y":2}],"z":{}},"n":["a-long-secret"],"password":null,"refresh_token":5,"l":[[]]}',
      {
        values: ['a-long-secret'],
        names: ['key'],
      },
    );
    assert.deepEqual(JSON.parse(printed), { key: MASK, n: [MASK], password: null, refresh_token: MASK, l: [[]] });
  });

  test('returns the source text of a part', () => {
    assert.equal(getJsonSlice('{"a":[1, {"b" : 2.0}]}', ['a', 1]), '{"b" : 2.0}');
    assert.equal(getJsonSlice('{"a":[]}', ['a', 1]), undefined);
  });
});

suite('redact', () => {
  test('a secret that begins with another one is masked to its end, in any order', () => {
    const secrets = ['winter2026', 'winter2026-Kx9q'];
    for (const values of [secrets, secrets.toReversed()]) {
      assert.equal(redactText('no winter2026-Kx9q or winter2026', values), `no ${MASK} or ${MASK}`);
      assert.deepEqual(parseJson('["winter2026-Kx9q"]', { values }), [MASK]);
    }
  });

  test('a secret is masked also in JSON that is within a text', () => {
    const secret = 'qu"ote\\line1\nline2';
    const body = JSON.stringify({ pw: secret });
    assert.equal(redactText(`bad body ${body}`, [secret]), `bad body {"pw":"${MASK}"}`);
    const echo = JSON.stringify({ error: `bad body ${body}` });
    assert.deepEqual(parseJson(echo, { values: [secret] }), { error: `bad body {"pw":"${MASK}"}` });
    assert.ok(formatJson(echo, { values: [secret] }).includes(JSON.stringify(`bad body {"pw":"${MASK}"}`)));
  });

  test('stored secrets, tokens by shape, presented credentials', () => {
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl`;
    const text = redactText(
      `no stored-secret-1 here, ${jwt}, Authorization: Bearer abcdefghijklmnop1, x-api-key=0123456789abcdef`,
      ['stored-secret-1'],
    );
    for (const part of ['stored-secret-1', 'c2lnbmF0dXJl', 'abcdefghijklmnop', '0123456789abcdef']) {
      assert.equal(text.includes(part), false, text);
    }
  });

  test('a word in a sentence is no credential', () => {
    for (const text of [
      'Token organization: org_1',
      'basic authentication',
      'Sign in with basic authentication.',
      'Bearer authentication is required',
    ])
      assert.equal(redactText(text, []), text);
    for (const text of [
      'token=organizations',
      'Basic dXNlcjpwYXNzd29yZA==',
      'token organization-1234',
      'token organization.secret',
    ])
      assert.ok(redactText(text, []).includes(MASK), text);
  });

  test('a URL loses its userinfo and the named query values', () => {
    const redacted = redactUrl(
      new URL('https://u:p@h.example/invite?token=abc&member_id=m&x=1'),
      ['token', 'member_id'],
      [],
    );
    assert.equal(redacted, `https://h.example/invite?token=${MASK}&member_id=${MASK}&x=1`);
  });

  test('a URL has no secret as its path or its query escapes it', () => {
    for (const secret of ['ab+cd/ef==12', 'a secret (of 2)', 'schlüssel&wort']) {
      const url = new URL(`https://h.example/objects/${encodeURIComponent(secret)}`);
      url.searchParams.set('owner', secret);
      assert.equal(redactUrl(url, [], [secret]), `https://h.example/objects/${MASK}?owner=${MASK}`);
    }
  });
});

function sorted(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).sort()) : value;
}
