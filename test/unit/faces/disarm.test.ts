/** Whatever a face holds, nothing is left in its document that opens a connection: by a second parser, over every hostile face. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { disarm } from '../../../src/faces/disarm.ts';
import { faceOf } from '../../../src/faces/face.ts';
import { render, type RenderContext } from '../../../src/faces/render.ts';
import { subjectOf } from '../../../src/faces/subject.ts';
import { clickableFaces, hostileFaces } from '../../window/support/hostile-faces.ts';
import { injections } from '../../window/support/injections.ts';
import { leftovers } from './leftovers.ts';

const CANARY = { http: 'http://a.example', https: 'https://a.example' };
const context = (scripts: boolean): RenderContext => ({ scripts, fetched: new Map(), allows: () => true });
const subject = subjectOf({ id: 'o', metadata: { name: 'N' }, owner: '"><link rel=preconnect href=//a.example>' }, 'o');

function documents(content: string, mediaType?: string): readonly string[] {
  const face = faceOf({ views: [{ content, ...(mediaType !== undefined && { media_type: mediaType }) }] }, 'face');
  return [false, true].flatMap((scripts) => render(face, face.variants[0], subject, context(scripts)).srcdoc ?? []);
}

suite('disarmed faces', function () {
  this.timeout(60_000);

  test('the second parser sees what would connect', () => {
    const seen = injections('https://a.example').filter(
      ({ wrapper, content }) => wrapper === '@' && leftovers(content).length > 0,
    );
    assert.ok(seen.length > 60, String(seen.length));
  });

  test('every carrier in every wrapper', () => {
    const faces = injections('https://a.example');
    assert.ok(faces.length > 8000);
    for (const [index, { content }] of faces.entries())
      assert.deepEqual(leftovers(disarm(content, index % 3 === 0)), [], content);
  });

  test('every hostile face, as it is rendered, with scripts and without', () => {
    const samples = injections('https://a.example').filter((_face, index) => index % 13 === 0);
    const faces = [...hostileFaces(CANARY), ...clickableFaces(CANARY), ...samples];
    let read = 0;
    for (const { content, mediaType } of faces.map((face) => ({ mediaType: undefined, ...face })))
      for (const html of content.length > 200_000 ? [] : documents(content, mediaType)) {
        assert.deepEqual(leftovers(html), [], content.slice(0, 500));
        read++;
      }
    assert.ok(read > 1500, String(read));
  });

  test('any mixture of pieces, read from any of its tags on', () => {
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
        const html = disarm(parts.join(''), svg);
        assert.deepEqual(leftovers(html), []);
        // Wherever a parser may believe that markup begins.
        for (const { index } of html.matchAll(/<[a-z]/gi)) {
          const from = html.slice(index);
          assert.deepEqual(leftovers(from), [], from);
          assert.deepEqual(leftovers(`<svg>${from}`), [], from);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('what draws or stays within the face is left alone, and links keep their address as data', () => {
    for (const kept of [
      '<a href="#part">x</a><a name=x>y</a>',
      '<svg><use href="#a"/><image href="https://a.example/x.png"/><linearGradient id=b xlink:href="#a"/></svg>',
      '<svg><animate attributeName="opacity" from=0 to=1 /></svg>',
      '<meta charset=utf-8><meta name=viewport content="width=1"><meta http-equiv="Content-Security-Policy" content="img-src *">',
      '<article><abbr title="href=x">x</abbr><p data-href=x>a < b</article>',
    ])
      assert.equal(disarm(kept), kept);
    assert.equal(
      disarm('<a class=b href="https://a.example/?x=1&amp;y">x</a>'),
      '<a class=b data-href="https://a.example/?x=1&amp;y">x</a>',
    );
    assert.equal(
      disarm('<svg><a href="x<y">z</a></svg>', true),
      '<svg><a data-href="x<y"><title>x&lt;y</title>z</a></svg>',
    );
    assert.equal(disarm('<iframe src=x>y</iframe><link rel=z>'), '<x-iframe src=x>y</x-iframe><meta rel=z>');
  });

  test('what is made to take long is read in one go: quadratic time would be minutes', () => {
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
    ])
      disarm(part.repeat(1_600_000 / part.length));
  });
});
