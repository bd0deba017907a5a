import assert from 'node:assert/strict';
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
});
