import assert from 'node:assert/strict';
import { scanHtml } from '../../../../src/faces/policy/scan-html.ts';

suite('face scan', () => {
  test('blocked parts are listed with line and column', () => {
    const face = [
      '<p>ok</p><script>x</script>',
      '  <img src=a.png onerror="x">',
      '<link rel=stylesheet href=x><base href=/x><form action=x></form>',
      '<style>@import "a.css"; @font-face { src: url(f.woff2) }',
      ' p { background: url( "https://b.example/c.png" ) }</style>',
      '<a href=" java\tscript:x">j</a><iframe src=x></iframe><video src=v></video>',
      '<constructor x></constructor>',
      '<svg><use href="x.svg#a"/><use href="#a"/></svg><meta http-equiv=Refresh content="0;url=x">',
    ].join('\n');
    const { findings, images } = scanHtml(face, false);
    assert.deepEqual(
      findings.map(({ line, column, snippet: what }) => `${String(line)}:${String(column)} ${what}`),
      [
        '1:10 <script>',
        '2:18 onerror="…"',
        '3:1 <link rel="stylesheet">',
        '3:29 <base>',
        '3:43 <form>',
        '4:8 @import a.css',
        '4:43 Font f.woff2',
        '6:4 href="javascript:…"',
        '6:31 <iframe>',
        '6:54 <video src="v">',
        '8:6 <use href="x.svg#a">',
        '8:49 <meta http-equiv="refresh">',
      ],
    );
    assert.deepEqual(
      images.map(({ url, line, column }) => [url, line, column]),
      [
        ['a.png', 2, 11],
        ['https://b.example/c.png', 5, 18],
      ],
    );
  });

  test('blocked image sets, addresses in drawings and pings are listed', () => {
    const face = [
      `<style>a::after{content:"\\"url(no)";background:image-set("https://a.example/1" 1x type("image/png"), url(b.png) 2x)}</style>`,
      '<svg fill="url(https://a.example/2#x)" stroke="url(#own)"><g filter="url(https://a.example/3)"/>',
      '<g mask="url(https://a.example/4)" clip-path="url(#c)"/></svg>',
      '<a href="#x" ping="https://a.example/5">x</a><p title="url(https://a.example/6)">',
    ].join('\n');
    const { findings, images } = scanHtml(face, false);
    assert.deepEqual(
      findings.map(({ line, snippet: what, reason: why }) => `${String(line)} ${what}: ${why}`),
      [
        '2 fill="url(https://a.example/2#x)": Only elements of the same face can be referenced',
        '2 filter="url(https://a.example/3)": Only elements of the same face can be referenced',
        `4 ping="https://a.example/5": Faces can’t send requests`,
      ],
    );
    assert.deepEqual(
      images.map(({ url, line }) => `${String(line)} ${url}`),
      ['1 https://a.example/1', '1 b.png', '3 https://a.example/4'],
    );
  });

  test('fonts in data: URLs are loaded, others are findings', () => {
    const { findings } = scanHtml(
      '<style>@font-face{font-family:a;src:url(data:font/woff2;base64,AAAA)}@font-face{src:url(https://a.example/f.woff2)}</style>',
      false,
    );
    assert.deepEqual(
      findings.map(({ snippet, reason }) => [snippet, reason]),
      [['Font https://a.example/f.woff2', 'Only fonts in data: URLs are loaded']],
    );
  });

  test('an image on a host that is no plain name is a finding, not a request for permission', () => {
    const { findings, images } = scanHtml('<img src="https://*.example/a.png">', false);
    assert.deepEqual([findings.length, images.length], [1, 0]);
  });

  test('the range of an image covers exactly its address', () => {
    for (const face of [
      '<img src="u:x" alt=b>',
      "<img src='u:x' alt=b>",
      '<img src=u:x alt=b>',
      '<img alt=b src = "u:x"/>',
    ]) {
      const html = face.replace('u:x', 'https://a.example/x');
      const [image] = scanHtml(html, false).images;
      assert.ok(image);
      const rest = html.slice(0, image.start) + '=NEW' + html.slice(image.end);
      assert.match(rest, /^<img (alt=b )?src=NEW( alt=b)?\/?>$/, face);
    }
  });

  test('character references in addresses are decoded like in browsers', () => {
    const urls = (html: string): readonly string[] => scanHtml(html, false).images.map(({ url }) => url);
    assert.deepEqual(
      urls(
        '<img src="/a?x=1&amp;y=2"><img src="/b?x=1&lt=2&#38;z=&#x33;"><img src="/c&sol;d&amp"><img src="/d&eacute;?e&copy=f">',
      ),
      ['/a?x=1&y=2', '/b?x=1&lt=2&z=3', '/c/d&', '/dé?e&copy=f'],
    );
    const [finding] = scanHtml('<a href="java&Tab;script&colon;x">', false).findings;
    assert.equal(finding?.snippet, 'href="javascript:…"');
  });

  test('a bounded number of findings, images and links is listed', () => {
    const { findings, images, links } = scanHtml(
      '<iframe></iframe>'.repeat(501) + '<img src="/x">'.repeat(2001) + '<a href="https://a.example">x</a>'.repeat(101),
      false,
    );
    assert.deepEqual([findings.length, images.length, links.length], [500, 2000, 100]);
  });
});
