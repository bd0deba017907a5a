import assert from 'node:assert/strict';
import { findCssUrls } from '../../../../src/faces/policy/css-urls.ts';

suite('face styles', () => {
  test('styles are scanned in linear time', () => {
    const parts = [
      'url("',
      'url(',
      'url( ',
      '"x"',
      "'\\\\",
      "'\\",
      'image-set("x"',
      'type(',
      '@import ',
      '/*',
      '@font-face{',
      '}',
    ];
    for (const part of parts) {
      const css = part.repeat(500_000 / part.length);
      const { user } = process.cpuUsage();
      findCssUrls(css);
      const spent = (process.cpuUsage().user - user) / 1000;
      assert.ok(spent < 2000, `${part}: ${String(spent)} ms`);
    }
  });

  test('URLs of styles are found in sets, imports, fonts and escapes, not in comments, strings and types', () => {
    const css = `@import "a.css" screen; @import url(b.css); @import url("c.css"); /* url(no) */
      @font-face { src: url( 'f.woff' ), url(g.woff) } p { background: url("h\\2f i.png"); content: "url(no)" }
      q { background: image-set("j" 1x type("image/png"), url(k) 2x) } r { x: "open
      } s { y: url(l) ; z: type("no") ; w: "no" }`;
    assert.deepEqual(
      findCssUrls(css).map(({ kind, url }) => `${kind} ${url}`),
      [
        'import a.css',
        'import b.css',
        'import c.css',
        'font f.woff',
        'font g.woff',
        'image h/i.png',
        'image j',
        'image k',
        'image l',
      ],
    );
  });
});
