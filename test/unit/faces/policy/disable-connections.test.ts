/** Checks with a second parser that no rendered face contains markup that opens a connection. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { disableConnections } from '../../../../src/faces/policy/disable-connections.ts';
import { parseFace } from '../../../../src/faces/source/face.ts';
import { renderFace } from '../../../../src/faces/render/render.ts';
import type { RenderContext } from '../../../../src/faces/render/result.ts';
import { parseObjectSubject } from '../../../../src/faces/source/subject.ts';
import { clickableFaces, hostileFaces } from '../../../support/faces/hostile-faces.ts';
import { injections } from '../../../support/injections.ts';
import { findConnectingMarkup } from './find-connecting-markup.ts';

const CANARY = { http: 'http://a.example', https: 'https://a.example' };
const context = (scripts: boolean): RenderContext => ({
  scripts,
  fetchedImages: new Map(),
  approvals: Object.values(CANARY).flatMap((origin) => [`images+data ${origin}`, `page+data ${origin}`]),
});
const subject = parseObjectSubject(
  { id: 'o', metadata: { name: 'N' }, owner: '"><link rel=preconnect href=//a.example>' },
  'o',
);

function documents(content: string, mediaType?: string): readonly string[] {
  const face = parseFace({ views: [{ content, ...(mediaType !== undefined && { media_type: mediaType }) }] }, 'face');
  return [false, true].flatMap((scripts) => renderFace(face, face.variants[0], subject, context(scripts)).srcdoc ?? []);
}

suite('faces without connecting markup', () => {
  test('the second parser finds connecting markup', () => {
    const connecting = injections('https://a.example').filter(
      ({ wrapper, content }) => wrapper === '@' && findConnectingMarkup(content).length > 0,
    );
    assert.ok(connecting.length > 60, String(connecting.length));
  });

  test('every connecting element in every wrapper is disabled', () => {
    const faces = injections('https://a.example');
    assert.ok(faces.length > 8000);
    for (const [index, { content }] of faces.entries())
      assert.deepEqual(findConnectingMarkup(disableConnections(content, index % 3 === 0)), [], content);
  });

  test('rendered hostile faces do not connect, with and without scripts', () => {
    const samples = injections('https://a.example').filter((_face, index) => index % 13 === 0);
    const faces = [...hostileFaces(CANARY), ...clickableFaces(CANARY), ...samples];
    let read = 0;
    for (const { content, mediaType } of faces.map((face) => ({ mediaType: undefined, ...face })))
      for (const html of content.length > 200_000 ? [] : documents(content, mediaType)) {
        assert.deepEqual(findConnectingMarkup(html), [], content.slice(0, 500));
        read++;
      }
    assert.ok(read > 1500, String(read));
  });

  test('random mixtures do not connect, read from any of their tags', () => {
    const pieces = [
      ...[
        '<a ',
        '<A/',
        '<area ',
        '<link ',
        '<meta ',
        '<iframe ',
        '<base ',
        '<embed ',
        '<set ',
        '<title>',
        '</title>',
        '<style>',
      ],
      ...[
        '</style>',
        '<svg>',
        '</svg>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<select>',
        '<template>',
        '</a>',
        '</iframe>',
        '</',
      ],
      ...[
        'href',
        'HREF=',
        'xlink:href=',
        'http-equiv=',
        'attributeName=',
        'refresh',
        'https://a.example',
        '#x',
        'ping=',
      ],
      ...['"', "'", '=', '/', '>', '<', ' ', '\t', '\n', '\f', '\r', '\0', '&', '&quot;', '`', 'x', 'é'],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), fc.boolean(), (parts, svg) => {
        const html = disableConnections(parts.join(''), svg);
        assert.deepEqual(findConnectingMarkup(html), []);
        // Every offset at which a parser can see the start of markup.
        for (const { index } of html.matchAll(/<[a-z]/gi)) {
          const from = html.slice(index);
          assert.deepEqual(findConnectingMarkup(from), [], from);
          assert.deepEqual(findConnectingMarkup(`<svg>${from}`), [], from);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('drawing markup and internal links are unchanged, and links keep their address as data', () => {
    for (const markup of [
      '<a name=x>y</a><svg><use href="#a"/><image href="https://a.example/x.png"/><linearGradient id=b xlink:href="#a"/></svg>',
      '<svg><animate attributeName="opacity" from=0 to=1 /></svg>',
      '<meta charset=utf-8><meta name=viewport content="width=1"><meta http-equiv="Content-Security-Policy" content="img-src *">',
      '<article><abbr title="href=x">x</abbr><p data-href=x>a < b</article>',
    ])
      assert.equal(disableConnections(markup), markup);
    assert.equal(
      disableConnections('<a class=b href="https://a.example/?x=1&amp;y">x</a>'),
      '<a class=b data-href="https://a.example/?x=1&amp;y">x</a>',
    );
    assert.equal(
      disableConnections('<svg><a href="x<y">z</a></svg>', true),
      '<svg><a data-href="x<y"><title>x&lt;y</title>z</a></svg>',
    );
    assert.equal(
      disableConnections('<iframe src=x>y</iframe><link rel=z>'),
      '<x-iframe src=x>y</x-iframe><meta rel=z>',
    );
  });

  test('a link to a part of the face names the document of the frame, in which it scrolls', () => {
    assert.equal(
      disableConnections(
        `<a class=b href="#more">x</a><area HREF='#'><a href=#c>y</a><svg><a xlink:href=" #d"/></svg>`,
      ),
      `<a class=b href="about:srcdoc#more">x</a><area HREF='about:srcdoc#'><a href=about:srcdoc#c>y</a><svg><a xlink:href=" about:srcdoc#d"/></svg>`,
    );
    // Elements that refer to others, and attributes that are no addresses.
    for (const markup of [
      '<svg><animate href="#a" attributeName="x"/><set xlink:href="#a" attributeName="y"/></svg>',
      '<a data-href="#x" title="#">x</a>',
    ])
      assert.equal(disableConnections(markup), markup);
  });

  test('adversarial markup takes linear time', () => {
    for (const part of [
      '<a ',
      '<a x="',
      '<a x=\'<a y="',
      '<a href=x ',
      '<a /////',
      '<a x=',
      '<a "\'',
      '<',
      '<aaaaaaaaaa',
      '<a\n\n',
    ]) {
      const markup = part.repeat(1_600_000 / part.length);
      assert.ok(disableConnections(markup) === markup.replaceAll(' href=', ' data-href='), part);
    }
  });
});
