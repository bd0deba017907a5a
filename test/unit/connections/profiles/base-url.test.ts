/** Base URLs, friendly and hostile: each works as a URL should, or is refused with a reason. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseBaseUrl } from '../../../../src/connections/profiles/base-url.ts';

const good: readonly (readonly [string, string, boolean?])[] = [
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com/v1///', 'https://api.example.com/v1'],
  ['HTTPS://API.Example.COM/V1', 'https://api.example.com/V1'],
  ['https://api.example.com:443/v1', 'https://api.example.com/v1'],
  ['https://api.example.com:8443', 'https://api.example.com:8443'],
  ['https://[2001:DB8::1]:8443/api', 'https://[2001:db8::1]:8443/api'],
  ['https://münchen.example/api', 'https://xn--mnchen-3ya.example/api'],
  ['https://пример.example', 'https://xn--e1afmkfd.example'],
  ['https://api.example.com/caf%C3%A9', 'https://api.example.com/caf%C3%A9'],
  ['https://api.example.com/café', 'https://api.example.com/caf%C3%A9'],
  ['https://api.example.com/a.b/c..d', 'https://api.example.com/a.b/c..d'],
  ['https://api.example.com.', 'https://api.example.com.'],
  ['http://localhost:3000', 'http://localhost:3000', false],
  ['http://127.0.0.1:3000/api', 'http://127.0.0.1:3000/api', false],
  ['http://[::1]:3000', 'http://[::1]:3000', false],
  ['http://api.example.com', 'http://api.example.com', true],
  ['http://192.168.0.10:8080', 'http://192.168.0.10:8080', true],
  ['http://localhost.example.com', 'http://localhost.example.com', true],
];

const bad: readonly (readonly [string, RegExp])[] = [
  ['', /Enter the base URL/],
  ['api.example.com', /start with https/],
  ['/objects', /start with https/],
  ['localhost:3000', /start with https/],
  ['ftp://api.example.com', /scheme ftp/],
  ['file:///etc/passwd', /scheme file/],
  ['javascript:alert(1)', /scheme javascript/],
  ['data:text/html,x', /scheme data/],
  ['vscode://file/etc', /scheme vscode/],
  ['https:api.example.com', /two slashes/],
  ['https:/api.example.com', /two slashes/],
  ['https://', /no host/],
  ['https:///api.example.com', /no host/],
  ['https://:8443', /no host/],
  ['https://user@api.example.com', /user name or password/],
  ['https://user:secret@api.example.com', /user name or password/],
  ['https://@api.example.com', /user name or password/],
  ['https://api.example.com@evil.example', /user name or password/],
  ['https://api.example.com\\@evil.example', /backslash/],
  ['https:\\\\api.example.com', /backslash/],
  ['https://api.example.com/?key=1', /query/],
  ['https://api.example.com?', /query/],
  ['https://api.example.com/#top', /fragment/],
  ['https://api.example.com/a b', /space/],
  ['https://api .example.com', /space/],
  ['https://api.example.com\u00a0', /space/],
  ['https://api.example.com\n', /invisible/],
  ['https://api.exa\tmple.com', /invisible/],
  ['https://api.exa\u200bmple.com', /invisible/],
  ['https://api.exam\u00adple.com', /invisible/],
  ['https://\u202emoc.elpmaxe', /invisible/],
  ['https://api.example.com/a/../b', /\. or \.\./],
  ['https://api.example.com/./b', /\. or \.\./],
  ['https://api.example.com/%2e%2E/b', /\. or \.\./],
  ['https://api.example.com/.%2e', /\. or \.\./],
  ['https://api.example.com/a%2fb', /escaped slash/],
  ['https://api.example.com/a%5Cb', /escaped slash/],
  ['https://api.example.com/%00', /control character/],
  ['https://api.example.com/%zz', /percent/],
  ['https://ex%61mple.com', /percent/],
  ['https://api.example.com:', /port is missing/],
  ['https://api.example.com:0', /1 and 65535/],
  ['https://api.example.com:65536', /1 and 65535/],
  ['https://api.example.com:80a', /not a URL/],
  ['https://[::1', /not a URL/],
  ['https://[zz::1]', /not a URL/],
  ['https://a..example.com', /not a valid name/],
  ['https://.example.com', /not a valid name/],
  ['https://exa<mple.com', /not a URL/],
  [`https://${'a'.repeat(64)}.example`, /not a valid name/],
  [`https://api.example.com/${'a'.repeat(2100)}`, /longer than/],
];

suite('base URLs', () => {
  for (const [text, url, plain = false] of good) {
    test(`${JSON.stringify(text)} works`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: true, url, plain });
    });
  }
  for (const [text, reason] of bad) {
    test(`${JSON.stringify(text.slice(0, 60))} is refused`, () => {
      const found = parseBaseUrl(text);
      assert.match(found.ok ? 'accepted' : found.reason, reason);
    });
  }

  test('accepted URLs are stable, name the visible host, and contain no credential', () => {
    const part = fc.string({ unit: fc.constantFrom(...Array.from('ab.:/@%2e\\?#[]~-0é \t')), maxLength: 30 });
    fc.assert(
      fc.property(part, (rest) => {
        const found = parseBaseUrl(`https://${rest}`);
        if (!found.ok) return;
        const url = new URL(found.url);
        assert.deepEqual(parseBaseUrl(found.url), found);
        assert.equal(url.username + url.password + url.search + url.hash, '');
        assert.ok(!url.pathname.split('/').includes('..'));
      }),
      { numRuns: 500 },
    );
  });
});
