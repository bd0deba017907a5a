/** From a face and an object to a frame: what is shown, what waits for a click, what is said about it. */
import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { cssLoads } from '../../../src/faces/css.ts';
import { faceOf, type Face } from '../../../src/faces/face.ts';
import { render, type RenderContext, type Rendered, type Use } from '../../../src/faces/render.ts';
import { reporter } from '../../../src/faces/reporter.ts';
import { subjectOf, type Subject } from '../../../src/faces/subject.ts';

const BASE = 'https://api.example/v1';
const PICTURE = 'data:image/png;base64,AAAA';
const object = {
  id: 'obj 1',
  template_id: 't',
  metadata: { name: 'Ticket', edition: 3, description: '<b>x</b>', image: { id: 'a', url: '/pic.png' } },
  owner: '0xabc',
  custom: { seat: 'A&B', site: 'https://cdn.example/x.png' },
};
const subject = subjectOf(object, 'obj 1');

function context(
  more: { allowed?: readonly string[]; fetched?: Readonly<Record<string, string | null>>; scripts?: boolean } = {},
): RenderContext {
  return {
    scripts: more.scripts === true,
    baseUrl: BASE,
    fetched: new Map(Object.entries(more.fetched ?? {})),
    allows: (use: Use, origin: string, personal: boolean) =>
      (more.allowed ?? []).includes(`${use}${personal ? '+data' : ''} ${origin}`),
  };
}

function show(raw: unknown, of?: Subject, how: RenderContext = context(), index = 0): Rendered {
  const face: Face = faceOf(raw, 'face');
  return render(face, face.variants[index], of, how);
}

suite('face rendering', () => {
  test('HTML comes with the policy first, its own doctype before it, and its lines where they were', () => {
    const { srcdoc = '' } = show({ content: '<!DOCTYPE html>\n<html><body>\n<p>three</p></body></html>' });
    assert.match(
      srcdoc,
      /^<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src/,
    );
    assert.equal(srcdoc.split('\n')[2], '<p>three</p></body></html>');
    assert.ok(!srcdoc.includes('script-src'));
    // Without a doctype browsers lay out as of old, and so do we.
    assert.match(show({ content: '<p>x</p>' }).srcdoc ?? '', /^<meta/);
  });

  test('placeholders are filled, and what stays open is listed', () => {
    const filled = show({ content: '<p>{{.metadata.name}} {{.custom.seat}}</p>\n<i>{{.custom.none}}</i>' }, subject);
    assert.match(filled.srcdoc ?? '', /<p>Ticket A&amp;B<\/p>/);
    assert.deepEqual(
      filled.unresolved.map(({ placeholder, line }) => [placeholder, line]),
      [['{{.custom.none}}', 2]],
    );
    const open = show({ content: '<p>{{.id}}</p>' });
    assert.deepEqual(
      open.unresolved.map(({ reason }) => reason),
      ['no object is chosen'],
    );
  });

  test('a template that Go refuses is shown as it stands, with the reason first', () => {
    const { srcdoc = '', unresolved } = show({ content: '<p>{{if}}</p>' }, subject);
    assert.match(srcdoc, /\{\{if\}\}/);
    assert.match(unresolved[0]?.reason ?? '', /if/);
  });

  test('links are listed with their addresses, filled; those within the face and those that are no web are not', () => {
    const content =
      '<a href="https://a.example/{{.id}}?x=1&amp;y">x</a>\n<svg><a xlink:href="//b.example"/></svg><a href=#c><a href="mailto:d">';
    assert.deepEqual(
      show({ content }, subject).links.map(({ url, line }) => [url, line]),
      [
        ['https://a.example/obj%201?x=1&y', 1],
        ['https://b.example/', 2],
      ],
    );
  });

  test('an asset of the object on the connection’s own origin is fetched and inlined; others wait for a click', () => {
    const content = '<img src="{{.metadata.image.url}}" alt="a"><img src="https://cdn.example/b.png">';
    const first = show({ content }, subject);
    assert.deepEqual(first.missing, ['https://api.example/pic.png']);
    assert.deepEqual(first.wishes, [{ use: 'images', origin: 'https://cdn.example', personal: true }]);
    const then = show({ content }, subject, context({ fetched: { 'https://api.example/pic.png': PICTURE } }));
    assert.match(then.srcdoc ?? '', /<img src="data:image\/png;base64,AAAA" alt="a">/);
    assert.deepEqual(then.missing, []);
    const failed = show({ content }, subject, context({ fetched: { 'https://api.example/pic.png': null } }));
    assert.ok(failed.findings.some(({ why }) => why === 'the asset could not be fetched as an image'));
  });

  test('an own asset is put in from a style and from a set of one picture too; else the list says why not', () => {
    const asset = '/pic.png';
    const inlined = context({ fetched: { 'https://api.example/pic.png': PICTURE } });
    const cases = [
      [`<p style="color:red;background:url('${asset}')">`, `<p style="color:red;background:url(${PICTURE})">`],
      [`<p style='background:url("${asset}") red'>`, `<p style='background:url(${PICTURE}) red'>`],
      [`<img srcset="${asset} 2x" alt="">`, `<img srcset="${PICTURE} 2x" alt="">`],
      [`<img srcset=${asset}>`, `<img srcset=${PICTURE}>`],
      [`<style>p{background:image-set("${asset}" 1x)}</style>`, `image-set(url("${PICTURE}") 1x)`],
      [`<svg><rect mask="url(${asset})"/></svg>`, `mask="url(${PICTURE})"`],
    ] as const;
    for (const [content, expected] of cases) {
      assert.deepEqual(show({ content }, subject).missing, ['https://api.example/pic.png'], content);
      const { srcdoc = '', findings } = show({ content }, subject, inlined);
      assert.ok(srcdoc.endsWith(expected) || srcdoc.includes(expected), srcdoc.slice(-200));
      assert.deepEqual(findings, []);
    }
    for (const content of [
      `<img srcset="${asset}, ${asset} 2x">`,
      `<p style="background:url(&quot;${asset}&quot;)">`,
    ]) {
      const { findings, srcdoc = '' } = show({ content }, subject, inlined);
      assert.ok(srcdoc.endsWith(content));
      assert.match(findings[0]?.why ?? '', /an asset is put in only where it is the one picture, written without/);
    }
  });

  test('of very many own assets the first are fetched, and the list names the others', () => {
    const assets = Array.from({ length: 42 }, (_x, index) => ({
      id: `a${String(index)}`,
      url: `/${String(index)}.png`,
    }));
    const face = { content: assets.map(({ url }) => `<img src="${url}">`).join('\n'), assets };
    const first = show(face);
    assert.equal(first.missing.length, 42);
    const fetched = Object.fromEntries(first.missing.slice(0, 40).map((url) => [url, PICTURE]));
    const { findings, missing } = show(face, undefined, context({ fetched }));
    assert.deepEqual(missing, []);
    assert.deepEqual(
      findings.map(({ line, why }) => [line, why]),
      [41, 42].map((line) => [line, 'only 40 assets are fetched for one preview']),
    );
  });

  test('a view that is a picture by its type is shown as one, not framed', () => {
    const url = 'https://cdn.example/pictures/7';
    const face = { views: [{ media_type: 'image/png', url }] };
    assert.deepEqual(show(face, subject).wishes, [{ use: 'images', origin: 'https://cdn.example', personal: false }]);
    const shown = show(face, subject, context({ allowed: ['images https://cdn.example'] }));
    assert.match(shown.srcdoc ?? '', /<img src="https:\/\/cdn\.example\/pictures\/7"/);
    assert.equal(show({ url: 'https://cdn.example/a.webp' }).wishes[0]?.use, 'images');
    assert.equal(show({ url }).wishes[0]?.use, 'page');
  });

  test('what lies on that origin but is no asset is not fetched: it could be any endpoint', () => {
    const rendered = show(
      { content: '<img src="/delete?id={{.id}}"><img src="https://api.example/other.png">' },
      subject,
    );
    assert.deepEqual(rendered.missing, []);
    assert.deepEqual(
      rendered.wishes.map(({ origin }) => origin),
      ['https://api.example'],
    );
  });

  test('an allowed origin enters the frame’s policy, and only that', () => {
    const content = '<img src="https://cdn.example/b.png"><img src="https://other.example/c.png">';
    const rendered = show({ content }, subject, context({ allowed: ['images https://cdn.example'] }));
    assert.deepEqual(rendered.imageOrigins, ['https://cdn.example']);
    assert.match(rendered.srcdoc ?? '', /img-src data: https:\/\/cdn\.example;/);
    assert.deepEqual(
      rendered.wishes.map(({ origin }) => origin),
      ['https://other.example'],
    );
  });

  test('an address made with the object’s data asks anew, for its whole origin', () => {
    const content = '<img src="https://cdn.example/b.png"><img src="https://cdn.example/{{.id}}.png">';
    const plain = show({ content }, subject, context({ allowed: ['images https://cdn.example'] }));
    assert.deepEqual(plain.imageOrigins, []);
    assert.deepEqual(plain.wishes, [{ use: 'images', origin: 'https://cdn.example', personal: true }]);
    const asked = show({ content }, subject, context({ allowed: ['images+data https://cdn.example'] }));
    assert.deepEqual(asked.imageOrigins, ['https://cdn.example']);
    // The same holds while the placeholder still stands there.
    assert.deepEqual(
      show({ content: '<img src="https://cdn.example/{{.id}}.png">' }).wishes.map(({ personal }) => personal),
      [true],
    );
  });

  test('no writing of an address opens a filled face to an origin that was allowed without the object’s data', () => {
    const literal = '<img src="https://cdn.example/b.png">';
    const url = 'https://cdn.example/{{.owner}}';
    const hidden = [
      `<style>p{background:image-set("${url}" 1x)}</style>`,
      `<img srcset="https://cdn.example/a.png 1x,${url} 2x">`,
      `<style>p{background:u\\72l("${url}")}</style>`,
      `<table><tr background="${url}"></table>`,
      `<svg><rect mask="url(${url})"/></svg>`,
      `<svg cursor="url(${url}), auto"/>`,
      `<svg><image><set attributeName="href" to="${url}"/></image></svg>`,
      `${literal.repeat(2001)}<img src="${url}">`,
      '<p id="{{.owner}}"><style>[id^="0x"]{background:url(https://cdn.example/x)}</style>',
      '{{if .owner}}<img src="https://cdn.example/owned.png">{{end}}',
    ];
    for (const content of [...hidden.map((part) => literal + part), `<h1>{{.owner}}</h1>${literal}`]) {
      const plain = show({ content }, subject, context({ allowed: ['images https://cdn.example'] }));
      assert.match(plain.srcdoc ?? '', /img-src data:;/, content.slice(-80));
      assert.deepEqual(plain.wishes, [{ use: 'images', origin: 'https://cdn.example', personal: true }]);
      const asked = show({ content }, subject, context({ allowed: ['images+data https://cdn.example'] }));
      assert.match(asked.srcdoc ?? '', /img-src data: https:\/\/cdn\.example;/);
    }
    // A script can make any address.
    const scripted = context({ scripts: true, allowed: ['images https://cdn.example'] });
    assert.deepEqual(show({ content: literal }, subject, scripted).imageOrigins, []);
  });

  test('an address that comes from the data altogether is told apart from one that the face names', () => {
    const rendered = show(
      { content: '<img src="{{.custom.site}}">' },
      subject,
      context({ allowed: ['images https://cdn.example'] }),
    );
    assert.deepEqual(rendered.wishes, [{ use: 'images', origin: 'https://cdn.example', personal: true }]);
  });

  test('a page is not loaded without a click; the object’s id goes along', () => {
    const face = { url: 'https://user:pass@live.example/page?x=1#y' };
    const closed = show(face, subject);
    assert.equal(closed.type, 'empty');
    assert.equal(closed.page, 'https://live.example/page?x=1&object_id=obj+1#y');
    assert.deepEqual(closed.wishes, [{ use: 'page', origin: 'https://live.example', personal: false }]);
    const open = show(face, subject, context({ allowed: ['page https://live.example'] }));
    assert.equal(open.type, 'page');
    assert.match(open.note ?? '', /not of the platform/);
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '/relative', 'http://'])
      assert.equal(show({ url }, subject, context({ allowed: ['page null'] })).type, 'empty', url);
  });

  test('a page’s address is filled as an address', () => {
    const { page, wishes } = show({ url: 'https://live.example/?seat={{.custom.seat}}' }, subject);
    assert.equal(page, 'https://live.example/?seat=A%26B&object_id=obj+1');
    assert.equal(wishes[0]?.personal, true);
  });

  test('the kinds of content', () => {
    assert.match(show({ content: 'just text & more\n' }).srcdoc ?? '', /just text &amp; more/);
    assert.match(show({ content: 'seat {{.custom.seat}}' }, subject).srcdoc ?? '', /seat A&amp;B/);
    assert.match(
      show({ content: '<?xml version="1.0"?><!-- x --><svg viewBox="0 0 1 1"></svg>' }).srcdoc ?? '',
      /^<!doctype html>.*<svg viewBox/,
    );
    assert.match(show({ content: PICTURE }).srcdoc ?? '', /<img src="data:image\/png/);
    assert.deepEqual(show({ content: 'https://cdn.example/a.png' }).wishes[0]?.use, 'images');
    assert.deepEqual(show({ content: 'https://live.example/page' }).wishes[0]?.use, 'page');
    // An own asset as the whole content needs no click.
    assert.deepEqual(show({ content: 'https://api.example/a.png' }).missing, ['https://api.example/a.png']);
  });

  test('with nothing to render there is a card of the object, its words as text', () => {
    const { srcdoc = '', missing, note } = show({}, subject);
    assert.match(srcdoc, /<h1>Ticket<\/h1>/);
    assert.match(srcdoc, /&lt;b&gt;x&lt;\/b&gt;/);
    assert.deepEqual(missing, ['https://api.example/pic.png']);
    assert.match(note ?? '', /card/);
    assert.equal(show({}).type, 'empty');
  });

  test('views are variants with their shape; the config tells the plain content’s', () => {
    const face = faceOf(
      {
        name: 'F',
        content: '<p>a',
        config: { aspect_ratio: '4:3' },
        views: [{ variant: 'card', content: '<p>b', aspect_ratio: '16/10' }, null, { url: 'https://x.example' }],
      },
      'x',
    );
    assert.deepEqual(
      face.variants.map(({ label, aspect }) => [label, aspect]),
      [
        ['Content', 4 / 3],
        ['card', 1.6],
        ['View 3', undefined],
      ],
    );
  });

  test('what would stop the window is not drawn', () => {
    const laughs = Array.from(
      { length: 12 },
      (_x, i) => `<g id="l${String(i + 1)}">${`<use href="#l${String(i)}"/>`.repeat(10)}</g>`,
    );
    const bomb = `<svg><g id="l0"><rect/></g>${laughs.join('')}<use href="#l12"/></svg>`;
    assert.equal(show({ content: bomb }).type, 'empty');
    assert.equal(show({ content: 'x'.repeat(2_000_001) }).type, 'empty');
    assert.equal(show({ content: '<svg><g id="a"><use href="#a"/></g><use href="#a"/></svg>' }).type, 'document');
  });

  test('scripts enter the policy only when they are let, after the reporter', () => {
    const { srcdoc = '' } = show({ content: '<script>mine()</script>' }, undefined, context({ scripts: true }));
    assert.match(srcdoc, /script-src &#39;unsafe-inline&#39;/);
    assert.ok(srcdoc.indexOf('smartObjects.faceReport') < srcdoc.indexOf('mine()'));
    assert.match(show({ content: '<script>mine()</script>' }).findings[0]?.why ?? '', /no scripts/);
  });

  test('with scripts there is no WebRTC and no way to write frames: those know no policy', () => {
    const { srcdoc = '' } = show({ content: '<p>x' }, undefined, context({ scripts: true }));
    assert.match(srcdoc, /require-trusted-types-for &#39;script&#39;; trusted-types default;/);

    interface Rules {
      createHTML(text: string, type: string, sink?: string): string | null;
      createScript(text: string, type: string, sink?: string): string | null;
    }
    const rules: Rules[] = [];
    const post = (): void => undefined;
    const self = {
      RTCPeerConnection: Object,
      trustedTypes: { createPolicy: (_name: string, given: Rules) => rules.push(given) },
      parent: { postMessage: post },
      console: { log: post, info: post, warn: post, error: post, debug: post },
      addEventListener: post,
      document: {},
    };
    runInNewContext(reporter, Object.assign(self, { self }));
    assert.equal(self.RTCPeerConnection, undefined);
    const [rule] = rules;
    assert.ok(rule);
    const html = (text: string, sink?: string) => rule.createHTML(text, 'TrustedHTML', sink);
    for (const text of ['<b>ok</b>', '<svg><metadata>x</metadata></svg>'])
      assert.equal(html(text, 'Element innerHTML'), text);
    for (const text of [
      '<iframe>',
      '<svg/><FRAME',
      '<h:iframe xmlns:h="x"/>',
      '<link rel=preconnect>',
      '<object data=x>',
      '<META http-equiv=refresh>',
      '<base/',
    ])
      assert.equal(html(text, 'Element innerHTML'), null, text);
    for (const sink of ['HTMLIFrameElement srcdoc', 'Element setAttribute srcdoc', 'Document write', undefined])
      assert.equal(html('<b>', sink), null, sink);
    assert.equal(rule.createScript('x', 'TrustedScript', 'Element onclick'), 'x');
    assert.equal(rule.createScript('x', 'TrustedScript', 'Location href'), null);
  });

  test('anything renders without a throw, with the policy in front', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ unit: 'binary' }), fc.string(), (raw, content, tag) => {
        show(raw, subject);
        const { srcdoc } = show({ content: `<${tag} ${content}>${content}` }, subject);
        if (srcdoc !== undefined)
          assert.ok(/^(<!doctype[^>]*>)?<meta http-equiv="Content-Security-Policy"/i.test(srcdoc));
      }),
    );
  });

  test('what is made to take long does not: each of these is read in one go', () => {
    const most = 100_000;
    const parts = [
      '<!---->',
      '<!--',
      '<!',
      '<?',
      '<!doctype ',
      '<!doctype [',
      '<a ',
      '<style>',
      '<p style="url(\'',
      '&amp',
      '{{',
      '<svg><use href="#a"><g id=a>',
    ];
    for (const part of parts) show({ content: part.repeat(most / 4) });
    for (const css of [
      'url("',
      'url(x)',
      '"x"',
      "'\\",
      'image-set(',
      'image-set(")',
      'type(',
      '@import ',
      '/*',
      '@import' + ' '.repeat(50),
    ])
      show({ content: `<style>${css.repeat(most / 10)}` });
    show({ content: `<p ${Array.from({ length: most }, (_x, i) => `a${String(i)}`).join(' ')}>` });
  });

  test('a face that is a model, a film or a sound says that there is no preview for it', () => {
    for (const view of [
      { url: 'https://cdn.example/hut.glb' },
      { url: 'https://cdn.example/hut.usdz?v=2#x' },
      { url: 'https://cdn.example/7', media_type: 'model/gltf-binary' },
      { url: 'https://cdn.example/7', media_type: 'Model/GLTF+json; charset=x' },
      { url: 'https://cdn.example/film.mp4' },
      { content: 'https://cdn.example/paper.pdf' },
      { content: '{"asset":{"version":"2.0"}}', media_type: 'model/gltf+json' },
    ]) {
      const { type, note, wishes, page } = show({ views: [view] }, subject);
      assert.deepEqual([type, wishes, page], ['empty', [], undefined]);
      assert.match(
        note ?? '',
        /^There is no preview for this type \((\.\w+|Model.*|model.*)\)\.$/,
        JSON.stringify(view),
      );
    }
    assert.equal(show({ url: 'https://cdn.example/hut.glb' }, subject).open, 'https://cdn.example/hut.glb');
    assert.equal(show({ url: 'https://live.example/viewer?file=hut.glb.html' }, subject).wishes[0]?.use, 'page');
  });

  test('nothing is offered over plain http, but for this machine', () => {
    const face = { url: 'http://live.example/page' };
    for (const how of [context(), context({ allowed: ['page http://live.example'] })]) {
      const { type, wishes, page, note, open } = show(face, subject, how);
      assert.deepEqual([type, wishes, page], ['empty', [], undefined]);
      assert.match(note ?? '', /over plain http, .* begins with https\.$/);
      assert.match(open ?? '', /^http:\/\/live\.example\/page\?object_id=/);
    }
    assert.equal(show({ url: 'http://127.0.0.1:8080/page' }, subject).wishes.length, 1);
    const image = show(
      { content: '<img src="http://cdn.example/a.png">' },
      subject,
      context({ allowed: ['images http://cdn.example'] }),
    );
    assert.deepEqual([image.wishes, image.imageOrigins], [[], []]);
    assert.match(image.findings[0]?.why ?? '', /plain http/);
  });

  test('styles of any shape are read in linear time', () => {
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
      cssLoads(css);
      const spent = (process.cpuUsage().user - user) / 1000;
      assert.ok(spent < 2000, `${part}: ${String(spent)} ms`);
    }
  });

  test('what a style loads: strings of sets and imports, fonts, escapes; not what stands in comments, strings and types', () => {
    const css = `@import "a.css" screen; @import url(b.css); @import url("c.css"); /* url(no) */
      @font-face { src: url( 'f.woff' ), url(g.woff) } p { background: url("h\\2f i.png"); content: "url(no)" }
      q { background: image-set("j" 1x type("image/png"), url(k) 2x) } r { x: "open
      } s { y: url(l) ; z: type("no") ; w: "no" }`;
    assert.deepEqual(
      cssLoads(css).map(({ use, url }) => `${use} ${url}`),
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
