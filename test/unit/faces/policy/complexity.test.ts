import assert from 'node:assert/strict';
import { parseFace } from '../../../../src/faces/source/face.ts';
import { renderFace } from '../../../../src/faces/render/render.ts';
import { parseObjectSubject } from '../../../../src/faces/source/subject.ts';
import { findComplexityWarning } from '../../../../src/faces/policy/complexity.ts';
import { heavyFaces } from '../../../support/faces/heavy-faces.ts';

const count = (length: number, make: (index: number) => string): string =>
  Array.from({ length }, (_x, index) => make(index)).join('');
const next = (index: number): string => `p${String(index + 1)}`;

const CHAINS: Readonly<Record<string, (depth: number) => string>> = {
  patterns: (depth) =>
    `<svg>${count(depth, (i) => `<pattern id="p${String(i)}"><rect fill="url(#${next(i)})"/></pattern>`)}<rect fill="url(#p0)"/></svg>`,
  masks: (depth) =>
    `<svg>${count(depth, (i) => `<mask id="p${String(i)}"><rect mask="url(#${next(i)})"/></mask>`)}<rect mask="url(#p0)"/></svg>`,
  'clip paths': (depth) =>
    `<svg>${count(depth, (i) => `<clipPath id="p${String(i)}"><rect clip-path="url('#${next(i)}')"/></clipPath>`)}<rect clip-path="url(#p0)"/></svg>`,
  markers: (depth) =>
    `<svg>${count(depth, (i) => `<marker id="p${String(i)}"><path marker-start="url(#${next(i)})"/></marker>`)}<path marker-end="url(#p0)"/></svg>`,
  'filter images': (depth) =>
    `<svg>${count(depth, (i) => `<filter id="p${String(i)}"><feImage href="#r${String(i)}"/></filter><rect id="r${String(i)}" filter="url(#${next(i)})"/>`)}<rect filter="url(#p0)"/></svg>`,
  'percent signs': (depth) =>
    `<svg>${count(depth, (i) => `<g id="p${String(i)}"><use href="#%70${String(i + 1)}"/></g>`)}<use xlink:href="#p0"/></svg>`,
  'character references': (depth) =>
    `<svg>${count(depth, (i) => `<mask id="p${String(i)}"><rect mask="url(&#35;&#x70;${String(i + 1)})"/></mask>`)}<rect mask="url(#p0)"/></svg>`,
  'style attributes': (depth) =>
    `<svg>${count(depth, (i) => `<mask id="p${String(i)}"><rect style="mask:u\\72l( '#${next(i)}' )"/></mask>`)}<rect style="mask:url(#p0)"/></svg>`,
  classes: (depth) =>
    `<style>${count(depth + 1, (i) => `@media all{svg .c${String(i)}:not(x),.c${String(i)}{mask:url(#p${String(i)})}}`)}</style><svg>${count(depth, (i) => `<mask id="p${String(i)}"><rect class="b c${String(i + 1)}"/></mask>`)}<rect class="c0"/></svg>`,
  variables: (depth) =>
    `<style>${count(depth + 1, (i) => `:root{--v${String(i)}:url(#p${String(i)})}`)}</style><svg>${count(depth, (i) => `<mask id="p${String(i)}"><rect style="mask:var(--v${String(i + 1)})"/></mask>`)}<rect style="mask:var(--v0)"/></svg>`,
};

suite('complex faces', () => {
  for (const [name, make] of Object.entries(CHAINS))
    test(`a long chain of ${name}`, () => {
      assert.match(findComplexityWarning(make(20)) ?? '', /references/);
      // A custom property can be used by any element, so that few references count as many.
      assert.equal(findComplexityWarning(make(name === 'variables' ? 1 : 3)), undefined);
    });

  test('short chains that unfold into very many', () => {
    const twice = (i: number): string => `<rect mask="url(#${next(i)})"/>`.repeat(8);
    const masks = `<svg>${count(4, (i) => `<mask id="p${String(i)}">${twice(i)}</mask>`)}<rect mask="url(#p0)"/></svg>`;
    assert.match(findComplexityWarning(masks) ?? '', /more than 10,000 elements, including references/);
    const uses = `<svg><g id="p0"><rect/></g>${count(6, (i) => `<g id="${next(i)}">${`<use href="#p${String(i)}"/>`.repeat(10)}</g>`)}<use href="#p6"/></svg>`;
    assert.match(findComplexityWarning(uses) ?? '', /including references/);
    assert.match(
      findComplexityWarning(`<svg><filter id="f"><feTurbulence/></filter>${'<rect filter="url(#f)"/>'.repeat(600)}`) ??
        '',
      /including references/,
    );
  });

  test('nesting, and elements', () => {
    for (const tag of [
      '<table><tr><td>',
      '<div style="display:inline-block">',
      '<svg>',
      '<b><i>',
      '<ul><li>',
      '<select><option>',
    ])
      assert.match(findComplexityWarning(tag.repeat(1000)) ?? '', /more than 200 levels/, tag);
    assert.match(findComplexityWarning('<p>x'.repeat(50_000)) ?? '', /more than 10,000 elements/);
    assert.match(findComplexityWarning(`<svg>${'<rect/>'.repeat(50_000)}</svg>`) ?? '', /more than 10,000 elements/);
  });

  test('very long markup, not counting inline images', () => {
    assert.match(
      findComplexityWarning(`<p>${'x'.repeat(400_000)}`) ?? '',
      /more than 400,000 characters, not including images/,
    );
    assert.equal(findComplexityWarning(`<img src="data:image/png;base64,${'QUJD'.repeat(300_000)}"><p>x`), undefined);
  });

  test('ordinary faces are not affected', () => {
    const clips = `<style>${count(150, (i) => `.c${String(i)}{clip-path:url(#k${String(i)});fill:url(#g)}`)}</style><svg><defs><linearGradient id="g"/>${count(150, (i) => `<clipPath id="k${String(i)}"><path/></clipPath>`)}</defs>${count(150, (i) => `<g class="c${String(i)}"><path/></g>`)}</svg>`;
    for (const face of [
      `<ul>${'<li>x'.repeat(3000)}</ul>`,
      `<table>${`<tr>${'<td>x'.repeat(6)}`.repeat(500)}</table>`,
      '<p>one<br>two<img src=x><hr>'.repeat(1000),
      `<select>${'<option>x'.repeat(1000)}</select><dl>${'<dt>a<dd>b'.repeat(1000)}</dl>`,
      clips,
      '<svg><g id="a"><use href="#a"/></g><use href="#a"/><symbol id="b"><path/></symbol><use href="#b"/></svg>',
      `${'<div>'.repeat(100)}x`,
      '<a href="#x">y</a><p title="# 1" style="color:#fff">',
    ])
      assert.equal(findComplexityWarning(face), undefined, face.slice(0, 100));
  });

  const SEED = Number(process.env['SEED'] ?? 4711);
  test(`120 heavy faces made from seed ${String(SEED)} are gated, small ones of the same forms are not`, () => {
    const faces = heavyFaces(SEED, 120);
    for (const { name, content, light } of faces) {
      // The number of nested columns is not counted: see the window tests.
      if (!name.endsWith('nested columns'))
        assert.ok(findComplexityWarning(content), `${name}: ${content.slice(0, 500)}`);
      assert.equal(findComplexityWarning(light), undefined, `${name}: ${light.slice(0, 500)}`);
    }
    assert.ok(new Set(faces.map(({ content }) => content)).size > 100);
  });

  test('elements that close themselves do so in SVG only', () => {
    assert.match(findComplexityWarning('<div/>'.repeat(300)) ?? '', /more than 200 levels/);
    assert.equal(findComplexityWarning(`<svg>${'<g/>'.repeat(300)}</svg>`), undefined);
  });

  test('ordinary styles, images and effects are not affected', () => {
    const icon = (text: string): string =>
      `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E${'%3Cpath/%3E'.repeat(20)}${text}%3C/svg%3E")`;
    for (const face of [
      // Properties are used by a few of many elements.
      `<style>:root{--a:${icon('a')};--b:${icon('b')}}.i{background:var(--a)}</style>${'<p class=i>x'.repeat(100)}${'<p>x'.repeat(2000)}`,
      `<style>${count(300, (i) => `.c${String(i)}{color:red;&:hover{color:blue}@media print{& > b{color:black}}}`)}</style>${'<p class=c1>x'.repeat(1000)}`,
      `<style>.card:has(> img){padding:0}li:nth-child(2 of .on){color:red}</style>${'<div class=card><li>x</div>'.repeat(300)}`,
      `<style>.glass{backdrop-filter:blur(8px);animation:in 1s}@keyframes in{from{opacity:0}}b{transition:all 1s}</style>${'<div class=glass>'.repeat(5)}${'<p>x'.repeat(500)}`,
      `<marquee>News</marquee><p>${'\u0928\u092e\u0938\u094d\u0924\u0947 '.repeat(500)}`,
      `<img src="data:image/png;base64,${'QUJD'.repeat(100_000)}">${`<i style='background:${icon('')}'></i>`.repeat(100)}`,
      '<img src="data:image/svg+xml,%3C!DOCTYPE svg [ %3C!ENTITY ns_svg %22http://www.w3.org/2000/svg%22> ]>%3Csvg xmlns=%22%26ns_svg;%22/>">',
    ])
      assert.equal(findComplexityWarning(face), undefined, face.slice(0, 300));
  });

  test('images in lines and removed animations are not affected', () => {
    const faces = [
      `<img src="data:image/png;base64,${`${'A'.repeat(76)}\n`.repeat(6000)}">`,
      `<img src="data:image/png;base64,${'AAA%2B'.repeat(80_000)}">`,
      `<style>*{animation:none}.a{backdrop-filter:blur(8px)}</style>${'<p class="a">x</p>'.repeat(12)}`,
    ];
    assert.deepEqual(faces.map(findComplexityWarning), [undefined, undefined, undefined]);
  });

  test('a card with the reason is shown, and the face itself on request', () => {
    const face = parseFace({ content: '<table><tr><td>'.repeat(1000) }, 'face');
    const context = { scripts: false, fetchedImages: new Map<string, string | null>(), approvals: [] };
    const subject = parseObjectSubject({ id: 'o', metadata: { name: 'Ticket' } }, 'o');
    const card = renderFace(face, face.variants[0], subject, context);
    assert.deepEqual([card.type, card.heavy, card.tone], ['document', true, 'warning']);
    assert.match(card.srcdoc ?? '', /<h1>Ticket<\/h1>/);
    assert.match(card.note ?? '', /more than 200 levels of nested elements.*unresponsive\.$/);
    assert.equal(renderFace(face, face.variants[0], undefined, context).type, 'empty');
    const rendered = renderFace(face, face.variants[0], subject, { ...context, gate: 'none' });
    assert.ok(rendered.heavy !== true && (rendered.srcdoc ?? '').includes('<table><tr><td><table>'));
  });

  test('an image of an asset or of a card that is too complex is not shown either', () => {
    const [heavy] = heavyFaces(1, 1);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(300)}</svg>`;
    const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    const context = { scripts: false, fetchedImages: new Map<string, string | null>(), approvals: [] };
    const subject = parseObjectSubject({ id: 'o', metadata: { name: 'Ticket', image: { url } } }, 'o');
    for (const content of [url, '', heavy?.content]) {
      const face = parseFace({ views: [{ content }] }, 'face');
      const card = renderFace(face, face.variants[0], subject, context);
      assert.equal(card.heavy, true, content);
      assert.ok(card.srcdoc?.includes('<h1>Ticket</h1>') === true && !card.srcdoc.includes('<img'), card.srcdoc);
    }
    // On an asset of the connection, only the fetched image is.
    const face = parseFace({ content: '<img src="/a.svg">', assets: [{ id: 'a', url: '/a.svg' }] }, 'face');
    const fetched = {
      ...context,
      baseUrl: 'https://api.example',
      fetchedImages: new Map([['https://api.example/a.svg', url]]),
    };
    assert.equal(renderFace(face, face.variants[0], undefined, fetched).heavy, true);
  });

  test('complexity is measured in linear time', () => {
    for (const part of [
      '<g id=a>',
      '<use href="#a">',
      '<p>',
      '<li>',
      '<style>',
      '<style>a{b:url(#c)}</style>',
      '<p class="a b c">',
      '<p style="url(#">',
      '</p>',
      '<style>:root{--a0:var(--a1);--a1:var(--a2)}*{mask:var(--a0)}</style><p>',
      '<p style="background:url(data:image/svg+xml,<svg/>)">',
      '<img src="data:image/svg+xml,<svg/>">',
      '&#769;',
    ]) {
      const { user } = process.cpuUsage();
      findComplexityWarning(part.repeat(400_000 / part.length));
      findComplexityWarning(`<style>${part.repeat(390_000 / part.length)}</style>`);
      const spent = (process.cpuUsage().user - user) / 1000;
      assert.ok(spent < 5000, `${part}: ${String(spent)} ms`);
    }
    for (const css of [
      'a{b:url(#c)}',
      '.a,',
      'a.b#c',
      '{',
      '}',
      'url(#',
      'a ',
      'a.a',
      '&{',
      '(',
      '\\',
      '"',
      'url( ',
      '*{mask:url(#a);',
      '--a:var(--b);',
    ]) {
      const { user } = process.cpuUsage();
      findComplexityWarning(`<style>${css.repeat(250_000 / css.length)}</style>${'<p class="a b">'.repeat(9000)}`);
      const spent = (process.cpuUsage().user - user) / 1000;
      assert.ok(spent < 5000, `${css}: ${String(spent)} ms`);
    }
  });
});
