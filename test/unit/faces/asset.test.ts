/** Assets as something to look at: which of them are pictures, what a card says of the others, where an embedded one stands. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assetPreview, embeddedAsset } from '../../../src/faces/asset.ts';
import { render, type Rendered, type Use } from '../../../src/faces/render.ts';

const BASE = 'https://api.example/v1';

function show(raw: unknown, allowed: readonly string[] = [], fetched: Readonly<Record<string, string>> = {}): Rendered {
  const { face, subjects } = assetPreview(raw, 'a1', BASE);
  return render(face, face.variants[0], subjects[0], {
    scripts: false,
    baseUrl: BASE,
    fetched: new Map(Object.entries(fetched)),
    allows: (use: Use, origin: string, personal: boolean) => !personal && allowed.includes(`${use} ${origin}`),
  });
}

suite('asset preview', () => {
  test('a picture of the connection’s own origin is fetched, wherever its address begins', () => {
    for (const url of ['https://api.example/files/1', '/files/1', '../files/1']) {
      const first = show({ id: 'a1', type: 'image/png', url });
      assert.deepEqual([first.type, first.missing], ['empty', ['https://api.example/files/1']]);
      assert.equal(first.open, 'https://api.example/files/1');
    }
    const then = show({ type: 'image/png', url: '/files/1' }, [], {
      'https://api.example/files/1': 'data:image/png;base64,AAAA',
    });
    assert.match(then.srcdoc ?? '', /<img src="data:image\/png;base64,AAAA"/);
    assert.match(show({ url: 'data:image/gif;base64,R0' }).srcdoc ?? '', /<img src="data:image\/gif/);
  });

  test('another host’s waits for a click', () => {
    const asset = { type: 'image/jpeg', url: 'https://cdn.example/a.jpg' };
    const closed = show(asset);
    assert.deepEqual([closed.type, closed.missing], ['empty', []]);
    assert.match(closed.note ?? '', /no image is loaded from https:\/\/cdn\.example unless you allow it/);
    assert.deepEqual(closed.wishes, [{ use: 'images', origin: 'https://cdn.example', personal: false }]);
    const open = show(asset, ['images https://cdn.example']);
    assert.match(open.srcdoc ?? '', /img-src data: https:\/\/cdn\.example;.*<img src="https:\/\/cdn\.example\/a\.jpg"/);
  });

  test('what is no picture is a card of its fields, as text, and can be opened in a browser', () => {
    const card = show({
      id: 'a1',
      name: '<b>manual</b>.pdf',
      type: 'application/pdf',
      url: 'https://cdn.example/manual.png',
      size: 1_234_567,
      folder: 'support',
      is_public: false,
      when_created: '2026-01-02T03:04:05Z',
    });
    const { srcdoc = '' } = card;
    assert.equal(card.type, 'document');
    assert.ok(srcdoc.includes('&lt;b&gt;manual&lt;/b&gt;.pdf') && !srcdoc.includes('<img'));
    for (const row of ['<dt>Size</dt><dd>1.2 MB</dd>', '<dt>Folder</dt><dd>support</dd>', '<dt>Public</dt><dd>no</dd>'])
      assert.ok(srcdoc.includes(row), row);
    assert.deepEqual([card.open, card.wishes, card.missing], ['https://cdn.example/manual.png', [], []]);
    assert.match(card.note ?? '', /Not an image/);
  });

  test('an address that is none of the web is never opened or loaded', () => {
    for (const url of ['javascript:alert(1)//.png', 'file:///etc/a.png', 'data:text/html,x', '', 'http://[']) {
      const { open, wishes, missing } = show({ type: 'image/png', url });
      assert.deepEqual([open, wishes, missing], [undefined, [], []], url);
    }
  });

  test('an embedded asset is found where it stands, whatever surrounds it', () => {
    const image = { id: 'a1', url: '/a.png' };
    for (const holder of [{ metadata: { image } }, { assets: [null, 1, image] }, { object: { assets: [image] } }])
      assert.equal(embeddedAsset(holder, 'a1'), image);
    assert.equal(embeddedAsset({ id: 'a1', metadata: { image: { id: 'a2', url: 'x' } } }, 'a1'), undefined);
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        embeddedAsset(raw, 'a1');
        show(raw);
      }),
    );
  });
});
