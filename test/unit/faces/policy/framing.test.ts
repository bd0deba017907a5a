import assert from 'node:assert/strict';
import { checkFraming, findFramingRefusal } from '../../../../src/faces/policy/framing.ts';

suite('face page framing', () => {
  test('a redirect to another origin is refused', () => {
    const src = 'https://a.example/door/1';
    const to = (location: string, status = 302): ReturnType<typeof checkFraming> =>
      checkFraming(src, { status, headers: { location } });
    for (const other of ['https://b.example/', '//b.example/x', 'http://a.example/door/1', 'https://a.example:444/'])
      assert.match(JSON.stringify(to(other)), /redirects to https?:\/\/[ab]\.example.*, which is not allowed/, other);
    // A frame with an opaque origin.
    assert.match(JSON.stringify(to('javascript:alert(1)')), /redirects to null/);
    for (const own of ['/door/2', 'next', 'https://a.example/', '?again']) assert.deepEqual(to(own), {}, own);
    assert.deepEqual(to('https://b.example/', 200), {}, 'no redirect');
    assert.deepEqual(checkFraming(src, { status: 404, headers: {} }), { note: 'The page responded with HTTP 404.' });
    assert.deepEqual(checkFraming(src, { status: 301, headers: { 'x-frame-options': 'DENY', location: '/x' } }), {
      reason: 'This site does not allow embedding (X-Frame-Options: DENY).',
    });
  });

  test('frame-ancestors and X-Frame-Options refuse framing', () => {
    assert.equal(findFramingRefusal({}), undefined);
    assert.match(findFramingRefusal({ 'x-frame-options': 'sameorigin' }) ?? '', /SAMEORIGIN/);
    assert.match(findFramingRefusal({ 'x-frame-options': 'DENY, DENY' }) ?? '', /DENY/);
    assert.match(
      findFramingRefusal({ 'content-security-policy': "default-src 'self'; Frame-Ancestors 'none'" }) ?? '',
      /'none'/,
    );
    assert.match(
      findFramingRefusal({ 'content-security-policy': 'frame-ancestors *, frame-ancestors https://a.example' }) ?? '',
      /a\.example/,
    );
    // frame-ancestors overrides X-Frame-Options.
    assert.equal(
      findFramingRefusal({ 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' }),
      undefined,
    );
  });
});
