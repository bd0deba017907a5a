/** What the view is told about several objects and variants, and the policy that its page gets for them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { faceOf } from '../../../src/faces/face.ts';
import { ALL, compose, textOf, type Preview } from '../../../src/faces/state.ts';
import { subjectOf } from '../../../src/faces/subject.ts';
import { facesProtocol } from '../../../src/webviews/protocol-faces.ts';

const subjects = ['a', 'b', 'c'].map((id) =>
  subjectOf({ id, metadata: { name: `Object ${id}` }, custom: id === 'c' ? {} : { x: 1 } }, id),
);
const face = faceOf(
  {
    name: 'Badge',
    content: '<p>{{.custom.x}}</p><script>x</script><img src="https://cdn.example/a.png">',
    url: 'https://live.example/page',
    views: [{ variant: 'card', content: '<b>card</b><img src="https://cdn.example/b.png">' }],
    config: { theme: 'dark' },
    assets: [{ id: 'as', url: 'https://api.example/pic.png' }],
  },
  'x',
);

function preview(more: Partial<Preview> = {}, allowed: readonly string[] = []): Preview {
  return {
    face,
    variant: '',
    subjects,
    context: {
      scripts: false,
      baseUrl: 'https://api.example/v1',
      fetched: new Map(),
      allows: (use, origin, personal) => allowed.includes(`${use}${personal ? '+data' : ''} ${origin}`),
    },
    anyway: new Set(),
    pageState: (href) => ({ status: 'shown', src: href }),
    ...more,
  };
}

suite('face state', () => {
  test('one frame an object; what is blocked is said once, what is open for each', () => {
    const { state, policy } = compose(preview());
    assert.deepEqual(
      state.frames.map(({ title }) => title),
      ['Object a', 'Object b', 'Object c'],
    );
    assert.deepEqual(
      state.problems.map(({ type, where, what }) => [type, where, what]),
      [
        ['blocked', '', '<script>'],
        ['blocked', '', 'Image https://cdn.example/a.png'],
        ['placeholder', 'Object c', '{{.custom.x}}'],
      ],
    );
    assert.deepEqual(policy, { hosts: 'face', images: ['data:'], frames: [] });
    assert.deepEqual(
      state.variants.map(({ label }) => label),
      ['Content', 'Page', 'card', 'All 3 variants'],
    );
    assert.deepEqual(
      state.asks.map(({ text }) => text),
      ['Images of https://cdn.example are not loaded. Loading can send data of the object there.'],
    );
    assert.match(state.config ?? '', /"theme": "dark"/);
  });

  test('the page allows what its frames were allowed, and no more', () => {
    const { policy, state } = compose(
      preview({ variant: ALL, subjects: [undefined] }, [
        'images https://cdn.example',
        'images+data https://cdn.example',
        'page+data https://live.example',
      ]),
    );
    assert.deepEqual(policy, {
      hosts: 'face',
      images: ['data:', 'https://cdn.example'],
      frames: ['https://live.example'],
    });
    assert.deepEqual(
      state.frames.map(({ type }) => type),
      ['document', 'page', 'document'],
    );
    assert.deepEqual(state.asks, []);
    // A link of the face beside it could lead there, with the object's data: that takes the other click.
    const without = compose(preview({ variant: ALL }, ['page https://live.example']));
    assert.deepEqual(without.policy.frames, []);
    assert.ok(without.wishes.has('page+data https://live.example'));
    const alone = compose(preview({ variant: 'url' }, ['page https://live.example']));
    assert.deepEqual(alone.policy.frames, ['https://live.example']);
  });

  test('an unknown variant is the first', () => {
    assert.equal(compose(preview({ variant: 'view-9' })).state.variant, 'content');
  });

  test('a page that may not be framed can still be opened elsewhere', () => {
    const refused = preview(
      { variant: 'url', subjects: [undefined], pageState: () => ({ status: 'refused', why: 'No.' }) },
      ['page https://live.example'],
    );
    const { state, external, policy } = compose(refused);
    assert.deepEqual(
      state.frames.map(({ type, external: open, note }) => [type, open, note]),
      [['empty', true, 'No. Open it in a browser instead.']],
    );
    assert.deepEqual([...external.values()], ['https://live.example/page']);
    assert.deepEqual(policy.frames, []);
  });

  test('many variants of many objects end at a bound', () => {
    const many = faceOf(
      { views: Array.from({ length: 60 }, () => ({ content: '<script>x</script>'.repeat(50) })) },
      'x',
    );
    const { state } = compose(preview({ face: many, variant: ALL }));
    assert.equal(state.frames.length, 40);
    assert.ok(state.problems.length <= 300 && state.moreProblems > 0);
  });

  test('the text to copy is that of the variant that is shown; where there is none, words', () => {
    const views = faceOf({ url: 'https://live.example', views: [{ variant: 'card', content: '<b>card</b>' }] }, 'x');
    assert.deepEqual(textOf(views, 'view-0'), { label: 'card', content: '<b>card</b>' });
    assert.deepEqual(textOf(face, 'view-0').label, 'card');
    assert.deepEqual(textOf(views), { label: 'card', content: '<b>card</b>' });
    assert.throws(() => textOf(views, 'url'), /There is no content, only a page/);
    assert.throws(() => textOf(faceOf({ url: 'https://live.example' }, 'x')), /There is no content/);
    assert.throws(() => textOf(views, ALL), /Choose one variant first/);
    assert.throws(() => textOf(undefined), /There is no content/);
  });

  test('whatever a face and an object hold, their state fits the protocol', () => {
    const long = fc.constantFrom('x', '\u202e', '"').map((letter) => letter.repeat(5000));
    const word = fc.oneof(long, fc.string());
    const content = fc.oneof(
      word.map((text) => `{{.${text}}}`),
      word.map((text) => `<p>{{index .custom "${text}" 1}}{{template "${text}"}}`),
      word.map((text) => `<p>{{.custom.x.${text}}}<img src="https://${text}.example/"><iframe src="${text}">`),
      word.map((text) => `https://${text}.example/a.png`),
    );
    const view = fc.record({ content, url: content, variant: word }, { requiredKeys: [] });
    const raw = fc.record({
      name: word,
      content,
      url: content,
      views: fc.array(view, { maxLength: 3 }),
      config: fc.object(),
    });
    const held = fc.record({
      metadata: fc.record({ name: word, edition: fc.constant(10n ** 5000n) }),
      custom: fc.object(),
    });
    fc.assert(
      fc.property(raw, held, word, fc.boolean(), (of, data, id, scripts) => {
        const { context } = preview();
        const { state } = compose({
          face: faceOf(of, 'x'),
          variant: ALL,
          subjects: [undefined, subjectOf(data, id)],
          context: { ...context, scripts },
          anyway: new Set(),
          pageState: () => ({ status: 'refused', why: 'No.' }),
        });
        const rest = {
          title: '',
          heading: '',
          source: 'file',
          places: true,
          busy: false,
          objects: [],
          canAddObject: true,
        };
        const whole = { ...state, ...rest, allowed: [], scripts, lab: true, keep: undefined };
        const read = facesProtocol.toView.state.safeParse(whole);
        assert.deepEqual(read.error?.issues ?? [], []);
      }),
      {
        examples: [
          [
            { name: '', content: `<p>{{.${'x'.repeat(5000)}}}`, url: '', views: [], config: {} },
            { metadata: { name: '', edition: 1n }, custom: {} },
            '',
            false,
          ],
        ],
      },
    );
  });
});
