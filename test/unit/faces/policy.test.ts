/** What a face would load or run is found with its place; addresses, framing and memory of what is allowed. */
import assert from 'node:assert/strict';
import { addressOf } from '../../../src/faces/address.ts';
import { Approvals, labelOf, scopeOf } from '../../../src/faces/approvals.ts';
import { fetchHeaders, fetchImage } from '../../../src/faces/fetch.ts';
import { fileFace } from '../../../src/faces/file-face.ts';
import { framingOf, framingRefusal } from '../../../src/faces/framing.ts';
import { scan } from '../../../src/faces/scan.ts';
import type { Send } from '../../../src/platform/plain-get.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import { Servers, type LocalServer } from '../platform/net/servers.ts';

suite('face policy', () => {
  test('what is blocked is listed with its line and column', () => {
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
    const { findings, images } = scan(face, false);
    assert.deepEqual(
      findings.map(({ line, column, what }) => `${String(line)}:${String(column)} ${what}`),
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

  test('what else the policy blocks is listed too: sets of images, addresses in drawings, pings', () => {
    const face = [
      `<style>a::after{content:"\\"url(no)";background:image-set("https://a.example/1" 1x type("image/png"), url(b.png) 2x)}</style>`,
      '<svg fill="url(https://a.example/2#x)" stroke="url(#own)"><g filter="url(https://a.example/3)"/>',
      '<g mask="url(https://a.example/4)" clip-path="url(#c)"/></svg>',
      '<a href="#x" ping="https://a.example/5">x</a><p title="url(https://a.example/6)">',
    ].join('\n');
    const { findings, images } = scan(face, false);
    assert.deepEqual(
      findings.map(({ line, what, why }) => `${String(line)} ${what}: ${why}`),
      [
        '2 fill="url(https://a.example/2#x)": only parts of the same face can be used',
        '2 filter="url(https://a.example/3)": only parts of the same face can be used',
        '4 ping="https://a.example/5": nothing is sent from a face',
      ],
    );
    assert.deepEqual(
      images.map(({ url, line }) => `${String(line)} ${url}`),
      ['1 https://a.example/1', '1 b.png', '3 https://a.example/4'],
    );
  });

  test('a range names exactly what is to be replaced', () => {
    for (const face of [
      '<img src="u:x" alt=b>',
      "<img src='u:x' alt=b>",
      '<img src=u:x alt=b>',
      '<img alt=b src = "u:x"/>',
    ]) {
      const html = face.replace('u:x', 'https://a.example/x');
      const [image] = scan(html, false).images;
      assert.ok(image);
      const rest = html.slice(0, image.start) + '=NEW' + html.slice(image.end);
      assert.match(rest, /^<img (alt=b )?src=NEW( alt=b)?\/?>$/, face);
    }
  });

  test('character references in an address, as browsers read them there', () => {
    const urls = (html: string): readonly string[] => scan(html, false).images.map(({ url }) => url);
    assert.deepEqual(urls('<img src="/a?x=1&amp;y=2"><img src="/b?x=1&lt=2&#38;z=&#x33;"><img src="/c&sol;d&amp">'), [
      '/a?x=1&y=2',
      '/b?x=1&lt=2&z=3',
      '/c/d&',
    ]);
    const [finding] = scan('<a href="java&Tab;script&colon;x">', false).findings;
    assert.equal(finding?.what, 'href="javascript:…"');
  });

  test('addresses as browsers read them', () => {
    const types = (text: string): string => addressOf(text).type;
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

  test('framing: a page that leads on to an origin that nobody allowed is not shown', () => {
    const src = 'https://a.example/door/1';
    const to = (location: string, status = 302): ReturnType<typeof framingOf> =>
      framingOf(src, { status, headers: { location } });
    for (const other of ['https://b.example/', '//b.example/x', 'http://a.example/door/1', 'https://a.example:444/'])
      assert.match(
        JSON.stringify(to(other)),
        /leads on to https?:\/\/[ab]\.example.*, which nobody has allowed/,
        other,
      );
    // A frame without an origin of its own.
    assert.match(JSON.stringify(to('javascript:alert(1)')), /leads on to null/);
    for (const own of ['/door/2', 'next', 'https://a.example/', '?again']) assert.deepEqual(to(own), {}, own);
    assert.deepEqual(to('https://b.example/', 200), {}, 'no redirect');
    assert.deepEqual(framingOf(src, { status: 404, headers: {} }), { note: 'The page answers with HTTP 404.' });
    assert.deepEqual(framingOf(src, { status: 301, headers: { 'x-frame-options': 'DENY', location: '/x' } }), {
      why: 'This site does not let itself be framed (X-Frame-Options: DENY).',
    });
  });

  test('framing: what refuses it, and what does not', () => {
    assert.equal(framingRefusal({}), undefined);
    assert.match(framingRefusal({ 'x-frame-options': 'sameorigin' }) ?? '', /SAMEORIGIN/);
    assert.match(framingRefusal({ 'x-frame-options': 'DENY, DENY' }) ?? '', /DENY/);
    assert.match(
      framingRefusal({ 'content-security-policy': "default-src 'self'; Frame-Ancestors 'none'" }) ?? '',
      /'none'/,
    );
    assert.match(
      framingRefusal({ 'content-security-policy': 'frame-ancestors *, frame-ancestors https://a.example' }) ?? '',
      /a\.example/,
    );
    // The newer header counts alone.
    assert.equal(
      framingRefusal({ 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' }),
      undefined,
    );
  });

  test('what is allowed is remembered by connection and place, and forgotten', async () => {
    const kept = new Map<string, unknown>();
    const store = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    const approvals = new Approvals(store);
    const here = scopeOf({ name: 'A', baseUrl: 'https://a.example/v1' });
    const wish = { use: 'images', origin: 'https://cdn.example', personal: true } as const;
    await approvals.allow(here, wish);
    assert.ok(
      approvals.allows(here, 'images', 'https://cdn.example', true) &&
        approvals.allows(here, 'images', 'https://cdn.example', false),
    );
    assert.ok(!approvals.allows(here, 'page', 'https://cdn.example', false));
    assert.ok(
      !approvals.allows(
        scopeOf({ name: 'A', baseUrl: 'https://b.example/v1' }),
        'images',
        'https://cdn.example',
        false,
      ),
    );
    const [id = ''] = new Approvals(store).list(here);
    assert.equal(labelOf(id), 'images of https://cdn.example, with object data');
    await approvals.forget(here, id);
    assert.deepEqual([approvals.list(here), kept.size], [[], 1]);
    await approvals.allow(here, { ...wish, personal: false });
    assert.ok(!approvals.allows(here, 'images', 'https://cdn.example', true));
    kept.set('smartObjects.faces.allowed', { [here]: 'nonsense' });
    assert.deepEqual(approvals.list(here), []);
  });

  test('a file is a face by its name and content', () => {
    const read = (name: string, text: string) => fileFace(name, text);
    assert.match(JSON.stringify(read('a.face.json', '"<p>x</p>"')), /"content":"<p>x<\/p>"/);
    assert.match(JSON.stringify(read('a.face.json', '{"name":"N","url":"https://x.example"}')), /"name":"N"/);
    assert.match(JSON.stringify(read('a.face.json', '{')), /not JSON/);
    assert.match(JSON.stringify(read('a.face.json', '[]')), /holds no face/);
    assert.match(JSON.stringify(read('badge.face.svg', '<p>x')), /"name":"badge".*image\/svg\+xml/);
  });
});

suite('face requests', () => {
  const servers = new Servers();
  const transport = createTransport({ environment: {} });
  const send: Send = (request) => transport.send(request);
  const { signal } = new AbortController();
  let server: LocalServer;
  const asked = (): readonly string[] => server.received.map(({ url }) => url);

  setup(async () => {
    server = await servers.http(({ url }, answer) => {
      if (url === '/moved') answer.writeHead(302, { location: '/pic.png' }).end();
      else if (url === '/page')
        answer.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' }).end('<p>x');
      else if (url === '/big.png') answer.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5_000_000));
      else answer.writeHead(200, { 'content-type': 'image/png; charset=x' }).end(Buffer.from([1, 2, 255]));
    });
  });
  teardown(() => {
    servers.close();
  });
  suiteTeardown(() => transport.close());

  test('an image is fetched without redirects, and only if it is one', async () => {
    const fetched = (path: string): Promise<string | undefined> => fetchImage(send, server.origin + path, signal);
    assert.equal(await fetched('/pic.png'), 'data:image/png;base64,AQL/');
    for (const path of ['/moved', '/page', '/big.png']) assert.equal(await fetched(path), undefined, path);
    assert.equal(await fetchImage(send, 'http://127.0.0.1:1/none.png', signal), undefined);
    assert.deepEqual(asked(), ['/pic.png', '/moved', '/page', '/big.png']);
  });

  test('a page’s headers are asked for once; a private address only where the connection is too', async () => {
    const url = new URL(`${server.origin}/page`);
    const { headers } = await fetchHeaders(send, url, 'http://localhost:1/v1', signal);
    assert.equal(headers['x-frame-options'], 'DENY');
    for (const home of [undefined, 'https://api.example/v1'])
      await assert.rejects(fetchHeaders(send, url, home, signal), /lies on a private address/);
    assert.deepEqual(asked(), ['/page']);
  });
});
