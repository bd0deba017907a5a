import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ALL_VARIANTS, findSameVariant, getVariantText, parseFace } from '../../../../src/faces/source/face.ts';
import { createViewState, type PreviewInput } from '../../../../src/faces/render/view-state.ts';
import { parseObjectSubject } from '../../../../src/faces/source/subject.ts';
import { facesProtocol } from '../../../../src/webviews/protocol/faces.ts';

const subjects = ['a', 'b', 'c'].map((id) =>
  parseObjectSubject({ id, metadata: { name: `Object ${id}` }, custom: id === 'c' ? {} : { x: 1 } }, id),
);
const face = parseFace(
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

function preview(more: Partial<PreviewInput> = {}, allowed: readonly string[] = []): PreviewInput {
  return {
    face,
    variant: '',
    subjects,
    context: {
      scripts: false,
      baseUrl: 'https://api.example/v1',
      fetchedImages: new Map(),
      approvals: allowed,
    },
    forcedFrames: new Set(),
    isUnresponsive: () => false,
    getPageState: (href) => ({ status: 'shown', src: href }),
    ...more,
  };
}

suite('face state', () => {
  test('there is one frame for each object; blocked parts are listed once, placeholders for each', () => {
    const { state, policy } = createViewState(preview());
    assert.deepEqual(
      state.frames.map(({ title }) => title),
      ['Object a', 'Object b', 'Object c'],
    );
    assert.deepEqual(
      state.problems.map(({ type, frameTitle: where, snippet: what }) => [type, where, what]),
      [
        ['blocked', '', '<script>'],
        ['blocked', '', 'Image https://cdn.example/a.png'],
        ['placeholder', 'Object c', '{{.custom.x}}'],
      ],
    );
    assert.deepEqual(policy, { frameContent: 'face', images: ['data:'], frames: [] });
    assert.deepEqual(
      state.variants.map(({ label }) => label),
      ['Content', 'Page', 'card', 'All variants (3)'],
    );
    assert.deepEqual(
      state.approvalRequests.map(({ text }) => text),
      ['Images from https://cdn.example are not loaded. Loading can send object data there.'],
    );
    assert.match(state.config ?? '', /"theme": "dark"/);
  });

  test('the policy of the page allows exactly the approved origins of its frames', () => {
    const { policy, state } = createViewState(
      preview({ variant: ALL_VARIANTS, subjects: [undefined] }, [
        'images https://cdn.example',
        'images+data https://cdn.example',
        'page+data https://live.example',
      ]),
    );
    assert.deepEqual(policy, {
      frameContent: 'face',
      images: ['data:', 'https://cdn.example'],
      frames: ['https://live.example'],
    });
    assert.deepEqual(
      state.frames.map(({ type }) => type),
      ['document', 'page', 'document'],
    );
    assert.deepEqual(state.approvalRequests, []);
    // A link of another frame could navigate there with the object's data, so that needs the other approval.
    const without = createViewState(preview({ variant: ALL_VARIANTS }, ['page https://live.example']));
    assert.deepEqual(without.policy.frames, []);
    assert.ok(without.approvalRequests.has('page+data https://live.example'));
    // Alone it receives the ids of the objects.
    const approvable = createViewState(preview({ variant: 'url' }, ['page https://live.example']));
    assert.deepEqual(
      approvable.state.approvalRequests.map(({ id, text }) => [id, text]),
      [
        [
          'page+id https://live.example',
          'The page from https://live.example is not loaded. Loading sends the ID of the object there.',
        ],
      ],
    );
    const alone = createViewState(preview({ variant: 'url' }, ['page+id https://live.example']));
    assert.deepEqual(alone.policy.frames, ['https://live.example']);
  });

  test('a frame that a page did not survive is a card with the reason, until the user requests it', () => {
    const shown = createViewState(preview());
    // The first two have the same content.
    const [, lost] = shown.hashes;
    const isUnresponsive = (hash: string): boolean => hash === lost;
    const { state, hashes } = createViewState(preview({ isUnresponsive }));
    assert.deepEqual(
      state.frames.map(({ heavy }) => heavy),
      [false, false, true],
    );
    const [, , card] = state.frames;
    assert.equal(card?.note, 'The window did not respond, or was closed, while this face was being shown.');
    assert.match(card.srcdoc ?? '', /<h1>Object c<\/h1>/);
    assert.ok(lost !== undefined && !hashes.includes(lost));
    const forced = createViewState(preview({ isUnresponsive, forcedFrames: new Set([card.key]) }));
    assert.deepEqual(forced.hashes, shown.hashes);
    // Pages are watched too, once they are framed.
    const page = preview({ variant: 'url', subjects: [undefined] }, ['page https://live.example']);
    const {
      hashes: [pageHash],
    } = createViewState(page);
    assert.ok(pageHash);
    const {
      state: { frames },
      hashes: none,
    } = createViewState({ ...page, isUnresponsive: () => true });
    assert.deepEqual([frames[0]?.type, frames[0]?.heavy, none], ['empty', true, []]);
  });

  test('an unknown variant selects the first', () => {
    assert.equal(createViewState(preview({ variant: 'view-9' })).state.variant, 'content');
  });

  test('a page that refuses framing can be opened in a browser', () => {
    const refused = preview(
      { variant: 'url', subjects: [undefined], getPageState: () => ({ status: 'refused', reason: 'No.' }) },
      ['page https://live.example'],
    );
    const { state, externalUrls: external, policy } = createViewState(refused);
    assert.deepEqual(
      state.frames.map(({ type, canOpenInBrowser: open, note }) => [type, open, note]),
      [['empty', true, 'No. Open it in the browser instead.']],
    );
    assert.deepEqual([...external.values()], ['https://live.example/page']);
    assert.deepEqual(policy.frames, []);
  });

  test('the number of frames is bounded', () => {
    const many = parseFace(
      { views: Array.from({ length: 60 }, () => ({ content: '<script>x</script>'.repeat(50) })) },
      'x',
    );
    const { state } = createViewState(preview({ face: many, variant: ALL_VARIANTS }));
    assert.equal(state.frames.length, 40);
    assert.ok(state.problems.length <= 300 && state.omittedProblems > 0);
  });

  test('the variant to compare with is the view of the same name, else the one of the same key', () => {
    const file = { key: 'content', label: 'Inhalt' };
    const platform = parseFace(
      {
        content: '<b>own</b>',
        views: [
          { variant: 'Inhalt', content: '<b>view</b>' },
          { variant: 'card', content: '' },
        ],
      },
      'x',
    );
    assert.equal(findSameVariant(platform, file)?.content, '<b>own</b>');
    assert.equal(findSameVariant(platform, { key: 'view-1', label: 'Inhalt' })?.content, '<b>view</b>');
    assert.equal(findSameVariant(platform, { key: 'view-0', label: 'card' })?.key, 'view-1');
    assert.equal(findSameVariant(platform, { key: 'view-0', label: 'Content' }), undefined);
  });

  test('the copied text is that of the visible variant; without content there is an error', () => {
    const views = parseFace({ url: 'https://live.example', views: [{ variant: 'card', content: '<b>card</b>' }] }, 'x');
    assert.deepEqual(getVariantText(views, 'view-0'), { key: 'view-0', label: 'card', content: '<b>card</b>' });
    assert.deepEqual(getVariantText(face, 'view-0').label, 'card');
    assert.deepEqual(getVariantText(views), { key: 'view-0', label: 'card', content: '<b>card</b>' });
    assert.throws(() => getVariantText(views, 'url'), /The face has no content/);
    assert.throws(() => getVariantText(parseFace({ url: 'https://live.example' }, 'x')), /The face has no content/);
    assert.throws(() => getVariantText(views, ALL_VARIANTS), /Select a single variant first/);
    assert.throws(() => getVariantText(undefined), /The face has no content/);
  });

  test('the state of any face and object fits the protocol', () => {
    const long = fc.constantFrom('x', '\u202e', '"').map((letter) => letter.repeat(5000));
    const arbitraryText = fc.oneof(long, fc.string());
    const content = fc.oneof(
      arbitraryText.map((text) => `{{.${text}}}`),
      arbitraryText.map((text) => `<p>{{index .custom "${text}" 1}}{{template "${text}"}}`),
      arbitraryText.map((text) => `<p>{{.custom.x.${text}}}<img src="https://${text}.example/"><iframe src="${text}">`),
      arbitraryText.map((text) => `https://${text}.example/a.png`),
    );
    const view = fc.record({ content, url: content, variant: arbitraryText }, { requiredKeys: [] });
    const raw = fc.record({
      name: arbitraryText,
      content,
      url: content,
      views: fc.array(view, { maxLength: 3 }),
      config: fc.object(),
    });
    const arbitraryObject = fc.record({
      metadata: fc.record({ name: arbitraryText, edition: fc.constant(10n ** 5000n) }),
      custom: fc.object(),
    });
    fc.assert(
      fc.property(raw, arbitraryObject, arbitraryText, fc.boolean(), (of, data, id, scripts) => {
        const { context } = preview();
        const { state } = createViewState({
          face: parseFace(of, 'x'),
          variant: ALL_VARIANTS,
          subjects: [undefined, parseObjectSubject(data, id)],
          context: { ...context, scripts },
          forcedFrames: new Set(),
          isUnresponsive: () => false,
          getPageState: () => ({ status: 'refused', reason: 'No.' }),
        });
        const rest = {
          title: '',
          heading: '',
          source: 'file',
          hasFilePositions: true,
          loading: false,
          objects: [],
          canAddObject: true,
        };
        const viewState = { ...state, ...rest, approvals: [], scripts, lab: true, preview: undefined };
        const read = facesProtocol.toView.state.safeParse(viewState);
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
