import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseFace, type Face } from '../../../../src/faces/source/face.ts';
import { renderFace } from '../../../../src/faces/render/render.ts';
import type { RenderContext, RenderResult } from '../../../../src/faces/render/result.ts';
import { parseObjectSubject, type Subject } from '../../../../src/faces/source/subject.ts';

const BASE = 'https://api.example/v1';
const PICTURE = 'data:image/png;base64,AAAA';
const object = {
  id: 'obj 1',
  template_id: 't',
  metadata: { name: 'Ticket', edition: 3, description: '<b>x</b>', image: { id: 'a', url: '/pic.png' } },
  owner: '0xabc',
  custom: { seat: 'A&B', site: 'https://cdn.example/x.png' },
};
const subject = parseObjectSubject(object, 'obj 1');

function context(
  more: { allowed?: readonly string[]; fetched?: Readonly<Record<string, string | null>>; scripts?: boolean } = {},
): RenderContext {
  return {
    scripts: more.scripts === true,
    baseUrl: BASE,
    fetchedImages: new Map(Object.entries(more.fetched ?? {})),
    approvals: more.allowed ?? [],
  };
}

function show(raw: unknown, subjectShown?: Subject, renderContext: RenderContext = context(), index = 0): RenderResult {
  const face: Face = parseFace(raw, 'face');
  return renderFace(face, face.variants[index], subjectShown, renderContext);
}

suite('face rendering', () => {
  test('an HTML document begins with its doctype and the policy, and lines keep their numbers', () => {
    const { srcdoc = '' } = show({ content: '<!DOCTYPE html>\n<html><body>\n<p>three</p></body></html>' });
    assert.match(
      srcdoc,
      /^<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src/,
    );
    assert.equal(srcdoc.split('\n')[2], '<p>three</p></body></html>');
    assert.ok(!srcdoc.includes('script-src'));
    // Without a doctype browsers use quirks mode, and so does the preview.
    assert.match(show({ content: '<p>x</p>' }).srcdoc ?? '', /^<meta/);
  });

  test('placeholders are filled, and unresolved ones are listed', () => {
    const filled = show({ content: '<p>{{.metadata.name}} {{.custom.seat}}</p>\n<i>{{.custom.none}}</i>' }, subject);
    assert.match(filled.srcdoc ?? '', /<p>Ticket A&amp;B<\/p>/);
    assert.deepEqual(
      filled.unresolved.map(({ placeholder, line }) => [placeholder, line]),
      [['{{.custom.none}}', 2]],
    );
    const open = show({ content: '<p>{{.id}}</p>' });
    assert.deepEqual(
      open.unresolved.map(({ reason }) => reason),
      ['No object selected'],
    );
  });

  test('a template that Go rejects is shown unfilled, with the reason first', () => {
    const { srcdoc = '', unresolved } = show({ content: '<p>{{if}}</p>' }, subject);
    assert.match(srcdoc, /\{\{if\}\}/);
    assert.match(unresolved[0]?.reason ?? '', /if/);
  });

  test('links are listed with filled addresses, also of email and telephone; internal and other links are not', () => {
    const content =
      '<a href="https://a.example/{{.id}}?x=1&amp;y">x</a>\n<svg><a xlink:href="//b.example"/></svg><a href=#c><a href="mailto:d@e.example?subject={{.id}}"><a href=" tel:+41 44"><a href="sms:1"><a href="mailto:">';
    assert.deepEqual(
      show({ content }, subject).links.map(({ url, line }) => [url, line]),
      [
        ['https://a.example/obj%201?x=1&y', 1],
        ['https://b.example/', 2],
        ['mailto:d@e.example?subject=obj%201', 2],
        ['tel:+41 44', 2],
      ],
    );
  });

  test('assets on the origin of the connection are fetched and inlined; others need an approval', () => {
    const content = '<img src="{{.metadata.image.url}}" alt="a"><img src="https://cdn.example/b.png">';
    const first = show({ content }, subject);
    assert.deepEqual(first.missingImages, ['https://api.example/pic.png']);
    assert.deepEqual(first.approvalRequests, [{ kind: 'images', origin: 'https://cdn.example', sends: 'data' }]);
    const then = show({ content }, subject, context({ fetched: { 'https://api.example/pic.png': PICTURE } }));
    assert.match(then.srcdoc ?? '', /<img src="data:image\/png;base64,AAAA" alt="a">/);
    assert.deepEqual(then.missingImages, []);
    const failed = show({ content }, subject, context({ fetched: { 'https://api.example/pic.png': null } }));
    assert.ok(failed.findings.some(({ reason: why }) => why === 'The asset could not be loaded as an image'));
  });

  test('assets in styles and single-image sets are inlined too; otherwise the reason is listed', () => {
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
      assert.deepEqual(show({ content }, subject).missingImages, ['https://api.example/pic.png'], content);
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
      assert.match(findings[0]?.reason ?? '', /only supported without srcset and character references/);
    }
  });

  test('a bounded number of assets is fetched, and the others are listed', () => {
    const assets = Array.from({ length: 42 }, (_x, index) => ({
      id: `a${String(index)}`,
      url: `/${String(index)}.png`,
    }));
    const face = { content: assets.map(({ url }) => `<img src="${url}">`).join('\n'), assets };
    const first = show(face);
    assert.equal(first.missingImages.length, 42);
    const fetched = Object.fromEntries(first.missingImages.slice(0, 40).map((url) => [url, PICTURE]));
    const { findings, missingImages: missing } = show(face, undefined, context({ fetched }));
    assert.deepEqual(missing, []);
    assert.deepEqual(
      findings.map(({ line, reason: why }) => [line, why]),
      [41, 42].map((line) => [line, 'A preview can load up to 40 assets']),
    );
  });

  test('a view with an image type is shown as an image', () => {
    const url = 'https://cdn.example/pictures/7';
    const face = { views: [{ media_type: 'image/png', url }] };
    assert.deepEqual(show(face, subject).approvalRequests, [
      { kind: 'images', origin: 'https://cdn.example', sends: 'nothing' },
    ]);
    const allowed = show(face, subject, context({ allowed: ['images https://cdn.example'] }));
    assert.match(allowed.srcdoc ?? '', /<img src="https:\/\/cdn\.example\/pictures\/7"/);
    assert.equal(show({ url: 'https://cdn.example/a.webp' }).approvalRequests[0]?.kind, 'images');
    assert.equal(show({ url }).approvalRequests[0]?.kind, 'page');
  });

  test('addresses on the connection’s origin that are no assets are not fetched', () => {
    const rendered = show(
      { content: '<img src="/delete?id={{.id}}"><img src="https://api.example/other.png">' },
      subject,
    );
    assert.deepEqual(rendered.missingImages, []);
    assert.deepEqual(
      rendered.approvalRequests.map(({ origin }) => origin),
      ['https://api.example'],
    );
  });

  test('only approved origins are added to the frame’s policy', () => {
    const content = '<img src="https://cdn.example/b.png"><img src="https://other.example/c.png">';
    const rendered = show({ content }, subject, context({ allowed: ['images https://cdn.example'] }));
    assert.deepEqual(rendered.imageOrigins, ['https://cdn.example']);
    assert.match(rendered.srcdoc ?? '', /img-src data: https:\/\/cdn\.example;/);
    assert.deepEqual(
      rendered.approvalRequests.map(({ origin }) => origin),
      ['https://other.example'],
    );
  });

  test('an address with object data needs another approval, for its whole origin', () => {
    const content = '<img src="https://cdn.example/b.png"><img src="https://cdn.example/{{.id}}.png">';
    const plain = show({ content }, subject, context({ allowed: ['images https://cdn.example'] }));
    assert.deepEqual(plain.imageOrigins, []);
    assert.deepEqual(plain.approvalRequests, [{ kind: 'images', origin: 'https://cdn.example', sends: 'data' }]);
    const approved = show({ content }, subject, context({ allowed: ['images+data https://cdn.example'] }));
    assert.deepEqual(approved.imageOrigins, ['https://cdn.example']);
    // The same with an unfilled placeholder.
    assert.deepEqual(
      show({ content: '<img src="https://cdn.example/{{.id}}.png">' }).approvalRequests.map(({ sends }) => sends),
      ['data'],
    );
  });

  test('no spelling of an address lets a filled face use an approval without object data', () => {
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
      assert.deepEqual(plain.approvalRequests, [{ kind: 'images', origin: 'https://cdn.example', sends: 'data' }]);
      const approved = show({ content }, subject, context({ allowed: ['images+data https://cdn.example'] }));
      assert.match(approved.srcdoc ?? '', /img-src data: https:\/\/cdn\.example;/);
    }
    // A script can create any address.
    const scripted = context({ scripts: true, allowed: ['images https://cdn.example'] });
    assert.deepEqual(show({ content: literal }, subject, scripted).imageOrigins, []);
  });

  test('findings from object data are distinguished from those of the face', () => {
    const rendered = show(
      { content: '<img src="{{.custom.site}}">' },
      subject,
      context({ allowed: ['images https://cdn.example'] }),
    );
    assert.deepEqual(rendered.approvalRequests, [{ kind: 'images', origin: 'https://cdn.example', sends: 'data' }]);
  });

  test('a page needs an approval; the object’s id is its query parameter', () => {
    const face = { url: 'https://user:pass@live.example/page?x=1#y' };
    const closed = show(face, subject);
    assert.equal(closed.type, 'empty');
    assert.equal(closed.pageUrl, 'https://live.example/page?x=1&object_id=obj+1#y');
    assert.deepEqual(closed.approvalRequests, [{ kind: 'page', origin: 'https://live.example', sends: 'id' }]);
    const withoutObject = show(face);
    assert.equal(withoutObject.pageUrl, 'https://live.example/page?x=1#y');
    assert.deepEqual(withoutObject.approvalRequests, [
      { kind: 'page', origin: 'https://live.example', sends: 'nothing' },
    ]);
    assert.equal(show(face, subject, context({ allowed: ['page https://live.example'] })).type, 'empty');
    const open = show(face, subject, context({ allowed: ['page+id https://live.example'] }));
    assert.equal(open.type, 'page');
    assert.match(open.note ?? '', /not from the platform/);
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '/relative', 'http://'])
      assert.equal(show({ url }, subject, context({ allowed: ['page null'] })).type, 'empty', url);
  });

  test('a page’s address is filled as an address', () => {
    const { pageUrl: page, approvalRequests: wishes } = show(
      { url: 'https://live.example/?seat={{.custom.seat}}' },
      subject,
    );
    assert.equal(page, 'https://live.example/?seat=A%26B&object_id=obj+1');
    assert.equal(wishes[0]?.sends, 'data');
  });

  test('the kinds of content', () => {
    assert.match(show({ content: 'just text & more\n' }).srcdoc ?? '', /just text &amp; more/);
    assert.match(show({ content: 'seat {{.custom.seat}}' }, subject).srcdoc ?? '', /seat A&amp;B/);
    assert.match(
      show({ content: '<?xml version="1.0"?><!-- x --><svg viewBox="0 0 1 1"></svg>' }).srcdoc ?? '',
      /^<!doctype html>.*<svg viewBox/,
    );
    assert.match(show({ content: PICTURE }).srcdoc ?? '', /<img src="data:image\/png/);
    assert.deepEqual(show({ content: 'https://cdn.example/a.png' }).approvalRequests[0]?.kind, 'images');
    assert.deepEqual(show({ content: 'https://live.example/page' }).approvalRequests[0]?.kind, 'page');
    // The face's own asset as its whole content needs no approval.
    assert.deepEqual(show({ content: 'https://api.example/a.png' }).missingImages, ['https://api.example/a.png']);
  });

  test('without content a card of the object is shown, with its values as text', () => {
    const { srcdoc = '', missingImages: missing, note } = show({}, subject);
    assert.match(srcdoc, /<h1>Ticket<\/h1>/);
    assert.match(srcdoc, /&lt;b&gt;x&lt;\/b&gt;/);
    assert.deepEqual(missing, ['https://api.example/pic.png']);
    assert.match(note ?? '', /Its metadata is shown/);
    // The address of its image is data of the object.
    const elsewhere = { id: 'o', metadata: { name: 'Ticket', image: { url: 'https://cdn.example/a.png' } } };
    assert.deepEqual(show({}, parseObjectSubject(elsewhere, 'o')).approvalRequests, [
      { kind: 'images', origin: 'https://cdn.example', sends: 'data' },
    ]);
    assert.equal(show({}).type, 'empty');
  });

  test('the card of an object for which the face is empty says so, and what is unresolved', () => {
    const {
      srcdoc = '',
      note,
      unresolved,
    } = show({ content: '{{.custom.none}} {{if .custom.off}}off{{end}}' }, subject);
    assert.match(srcdoc, /<h1>Ticket<\/h1>/);
    assert.match(note ?? '', /^The face is empty for this object\./);
    assert.deepEqual(
      unresolved.map(({ placeholder }) => placeholder),
      ['{{.custom.none}}'],
    );
    assert.match(show({ content: ' ' }, subject).note ?? '', /^The object has no face with content\./);
  });

  test('views are variants with an aspect ratio; the config has that of the content', () => {
    const face = parseFace(
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

  test('faces that could block the window are not rendered', () => {
    const nestedGroups = Array.from(
      { length: 12 },
      (_x, i) => `<g id="l${String(i + 1)}">${`<use href="#l${String(i)}"/>`.repeat(10)}</g>`,
    );
    const bomb = `<svg><g id="l0"><rect/></g>${nestedGroups.join('')}<use href="#l12"/></svg>`;
    assert.equal(show({ content: bomb }).type, 'empty');
    assert.equal(show({ content: 'x'.repeat(2_000_001) }).type, 'empty');
    assert.equal(show({ content: '<svg><g id="a"><use href="#a"/></g><use href="#a"/></svg>' }).type, 'document');
  });

  test('the policy allows scripts only where enabled, after the console script', () => {
    const { srcdoc = '' } = show({ content: '<script>mine()</script>' }, undefined, context({ scripts: true }));
    assert.match(srcdoc, /script-src &#39;unsafe-inline&#39;/);
    assert.match(srcdoc, /require-trusted-types-for &#39;script&#39;; trusted-types default;/);
    assert.ok(srcdoc.indexOf('smartObjects.faceReport') < srcdoc.indexOf('mine()'));
    assert.match(show({ content: '<script>mine()</script>' }).findings[0]?.reason ?? '', /Scripts are disabled/);
  });

  test('any face renders without an error, with the policy first', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ unit: 'binary' }), fc.string(), (raw, content, tag) => {
        show(raw, subject);
        const { srcdoc } = show({ content: `<${tag} ${content}>${content}` }, subject);
        if (srcdoc !== undefined)
          assert.ok(/^(<!doctype[^>]*>)?<meta http-equiv="Content-Security-Policy"/i.test(srcdoc));
      }),
    );
  });

  test('adversarial faces take linear time', () => {
    const maxLength = 100_000;
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
    const render = (content: string): void => {
      const { type, srcdoc = '' } = show({ content });
      assert.ok(
        type === 'empty' || /^(<!doctype[^>]*>)?<meta http-equiv="Content-Security-Policy"/i.test(srcdoc),
        content.slice(0, 40),
      );
    };
    for (const part of parts) render(part.repeat(maxLength / 4));
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
      render(`<style>${css.repeat(maxLength / 10)}`);
    render(`<p ${Array.from({ length: maxLength }, (_x, i) => `a${String(i)}`).join(' ')}>`);
  });

  test('models, videos and sounds have a note that there is no preview', () => {
    for (const view of [
      { url: 'https://cdn.example/hut.glb' },
      { url: 'https://cdn.example/hut.usdz?v=2#x' },
      { url: 'https://cdn.example/7', media_type: 'model/gltf-binary' },
      { url: 'https://cdn.example/7', media_type: 'Model/GLTF+json; charset=x' },
      { url: 'https://cdn.example/film.mp4' },
      { content: 'https://cdn.example/paper.pdf' },
      { content: '{"asset":{"version":"2.0"}}', media_type: 'model/gltf+json' },
    ]) {
      const { type, note, approvalRequests, pageUrl } = show({ views: [view] }, subject);
      assert.deepEqual([type, approvalRequests, pageUrl], ['empty', [], undefined]);
      assert.match(
        note ?? '',
        /^No preview is available for this type \((\.\w+|Model.*|model.*)\)\.$/,
        JSON.stringify(view),
      );
    }
    assert.equal(show({ url: 'https://cdn.example/hut.glb' }, subject).externalUrl, 'https://cdn.example/hut.glb');
    assert.equal(
      show({ url: 'https://live.example/viewer?file=hut.glb.html' }, subject).approvalRequests[0]?.kind,
      'page',
    );
  });

  test('plain http is refused except on this machine', () => {
    const face = { url: 'http://live.example/page' };
    for (const renderContext of [context(), context({ allowed: ['page http://live.example'] })]) {
      const { type, approvalRequests, pageUrl, note, externalUrl } = show(face, subject, renderContext);
      assert.deepEqual([type, approvalRequests, pageUrl], ['empty', [], undefined]);
      assert.match(note ?? '', /uses unencrypted HTTP\. Only HTTPS pages/);
      assert.match(externalUrl ?? '', /^http:\/\/live\.example\/page\?object_id=/);
    }
    assert.equal(show({ url: 'http://127.0.0.1:8080/page' }, subject).approvalRequests.length, 1);
    const image = show(
      { content: '<img src="http://cdn.example/a.png">' },
      subject,
      context({ allowed: ['images http://cdn.example'] }),
    );
    assert.deepEqual([image.approvalRequests, image.imageOrigins], [[], []]);
    assert.match(image.findings[0]?.reason ?? '', /unencrypted HTTP/);
  });
});
