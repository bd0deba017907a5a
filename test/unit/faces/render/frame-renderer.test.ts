import assert from 'node:assert/strict';
import { FrameRenderer } from '../../../../src/faces/render/frame-renderer.ts';
import type { RenderContext } from '../../../../src/faces/render/result.ts';
import { parseFace } from '../../../../src/faces/source/face.ts';
import { parseObjectSubject } from '../../../../src/faces/source/subject.ts';

const IMAGE = 'https://api.example/pic.png';
const face = parseFace(
  { name: 'Badge', content: `<p>{{.id}}</p><img src="${IMAGE}">`, assets: [{ id: 'a', url: IMAGE }] },
  'x',
);
const [variant] = face.variants;
const subject = parseObjectSubject({ id: 'o' }, 'o');
const context = (change: Partial<RenderContext> = {}): RenderContext => ({
  scripts: false,
  baseUrl: 'https://api.example/v1',
  approvals: [],
  fetchedImages: new Map(),
  ...change,
});

function createRenderer(onDidChange = (): void => undefined): FrameRenderer {
  return new FrameRenderer(onDidChange, new AbortController().signal);
}

suite('face frame renderer', () => {
  test('a template that takes long is filled in turns with other work', async () => {
    const face = parseFace({ content: `${'{{range .list}}'.repeat(3)}<b>{{.}}</b>${'{{end}}'.repeat(3)}` }, 'x');
    const subject = parseObjectSubject({ id: 'o', list: Array.from({ length: 40 }, () => ({ list: [1, 2] })) }, 'o');
    const slow = parseFace(
      { content: '{{range $.list}}{{range $.list}}{{range $.list}}<b>{{$.id}}</b>{{end}}{{end}}{{end}}' },
      'y',
    );
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    const filled = Promise.withResolvers<undefined>();
    const { render } = createRenderer(() => {
      filled.resolve(undefined);
    });
    assert.equal(render(face, face.variants[0], subject, context()).type, 'document', 'a quick one at once');
    const pending = render(slow, slow.variants[0], subject, context());
    assert.deepEqual([pending.type, pending.note], ['empty', 'Rendering…']);
    assert.equal(render(slow, slow.variants[0], subject, context()).type, 'empty');
    await filled.promise;
    clearInterval(other);
    assert.ok(turns > 2, 'other work had its turns');
    const result = render(slow, slow.variants[0], subject, context({ gate: 'none' }));
    assert.equal(result.srcdoc?.match(/<b>o<\/b>/g)?.length, 64_000);
    assert.equal(render(slow, slow.variants[0], subject, context({ gate: 'none' })), result, 'cached');
  });

  test('an unchanged face is rendered once', () => {
    const { render } = createRenderer();
    const first = render(face, variant, subject, context());
    assert.equal(render(face, variant, subject, context()), first);
    // Images of other faces do not matter.
    const others = new Map([['https://api.example/other.png', 'data:image/png;base64,AA']]);
    assert.equal(render(face, variant, subject, context({ fetchedImages: others })), first);
    const other = parseFace({ content: '<p>other</p>' }, 'y');
    render(other, other.variants[0], undefined, context());
    assert.equal(render(face, variant, subject, context()), first);
  });

  test('a face is rendered again when its data, approvals, assets or scripts change', () => {
    const { render } = createRenderer();
    const first = render(face, variant, subject, context());
    const changes = [
      render(face, variant, undefined, context()),
      render(face, variant, parseObjectSubject({ id: 'p' }, 'p'), context()),
      render(face, variant, subject, context({ approvals: ['images https://cdn.example'] })),
      render(face, variant, subject, context({ fetchedImages: new Map([[IMAGE, 'data:image/png;base64,AA']]) })),
      render(face, variant, subject, context({ scripts: true })),
      render(face, variant, subject, context({ sharesPage: true })),
      render(parseFace({ content: 'x' }, 'x'), variant, subject, context()),
    ];
    for (const result of changes) assert.notEqual(result, first);
    assert.match(changes[3]?.srcdoc ?? '', /base64,AA/);
  });

  test('a view that is a picture itself is rendered again when the picture is fetched', () => {
    const { render } = createRenderer();
    const picture = parseFace({ name: 'Print', views: [{ variant: 'print', url: IMAGE, type: 'image/png' }] }, 'x');
    const before = render(picture, picture.variants[0], subject, context());
    const images = new Map([[IMAGE, 'data:image/png;base64,AA']]);
    const after = render(picture, picture.variants[0], subject, context({ fetchedImages: images }));
    assert.notEqual(after, before);
    assert.match(after.srcdoc ?? '', /base64,AA/);
  });
});
