/** Outside links: only http(s), only to the template's own host, values escaped, zeros never. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillLinkTemplate } from '../../../../src/model/resources/link-template.ts';

suite('link templates', () => {
  test('fill in the value, escaped', () => {
    assert.equal(fillLinkTemplate('https://x.example/tx/{hash}?n=1', '0xab'), 'https://x.example/tx/0xab?n=1');
    assert.equal(fillLinkTemplate('http://x.example/#/o/{id}', 'a/b ?&#'), 'http://x.example/#/o/a%2Fb%20%3F%26%23');
    assert.equal(fillLinkTemplate('https://x.example/{id}', '$&'), 'https://x.example/%24%26');
  });

  test('are rejected for zeros, dots, empty values, other schemes and no placeholder', () => {
    for (const value of ['', '0x0000000000', '0000', '0x', '.', '..'])
      assert.equal(fillLinkTemplate('https://x.example/{id}', value), undefined, value);
    for (const template of [
      undefined,
      'javascript:alert({id})',
      'file:///{id}',
      'https://x.example/',
      'https://{id}',
      'https://{id}.x.example/',
      'https://',
    ])
      assert.equal(fillLinkTemplate(template, 'abc'), undefined, template);
  });

  test('no value changes the host, and the value can be decoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const url = fillLinkTemplate('https://x.example/tx/{hash}/end?q={hash}', value);
        if (url === undefined) return;
        const { origin, pathname, searchParams } = new URL(url);
        assert.equal(origin, 'https://x.example');
        assert.equal(pathname.split('/').length, 4);
        assert.equal(decodeURIComponent(pathname.split('/')[2] ?? ''), value);
        assert.equal(searchParams.get('q'), value);
      }),
    );
  });
});
