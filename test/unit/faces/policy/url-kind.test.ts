import assert from 'node:assert/strict';
import { formatContentSecurityPolicy } from '../../../../src/webviews/html.ts';
import { classifyUrl } from '../../../../src/faces/policy/url-kind.ts';

suite('face addresses', () => {
  test('addresses are read as browsers read them', () => {
    const types = (text: string): string => classifyUrl(text).type;
    assert.equal(types('  \u0001java\nscript:x'), 'script');
    assert.equal(types('//a.example/x'), 'web');
    assert.equal(types('\\\\a.example/x'), 'web');
    assert.equal(types('HTTPS://a.example'), 'web');
    assert.equal(types('#x'), 'fragment');
    assert.equal(types('a/b.png'), 'relative');
    assert.equal(types('data:text/html,x'), 'data');
    assert.equal(types('blob:x'), 'other');
    assert.equal(types('http://['), 'other');
  });

  test('a host that is no plain name is not an address: a policy would read it as several, or as any', () => {
    for (const host of ['*.example', 'a;b.example', 'a,b.example', "a'b.example", '(a).example', '%2a.example', '*'])
      assert.equal(classifyUrl(`https://${host}/a.png`).type, 'other', host);
    for (const host of ['cdn.example', 'a_b.example:8080', '127.0.0.1', '[::1]', 'm\u00fcller.example']) {
      const address = classifyUrl(`https://${host}/a.png`);
      assert.ok(address.type === 'web', host);
      assert.ok(formatContentSecurityPolicy({ cspSource: 'x', nonce: 'n', policy: { images: [address.origin] } }));
    }
  });
});
