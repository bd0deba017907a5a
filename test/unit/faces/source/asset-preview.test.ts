import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createAssetPreview, findEmbeddedAsset } from '../../../../src/faces/source/asset-preview.ts';
import { renderFace } from '../../../../src/faces/render/render.ts';
import type { RenderResult } from '../../../../src/faces/render/result.ts';

const BASE = 'https://api.example/v1';

function show(
  raw: unknown,
  allowed: readonly string[] = [],
  fetched: Readonly<Record<string, string>> = {},
): RenderResult {
  const { face, subjects } = createAssetPreview(raw, 'a1', BASE);
  return renderFace(face, face.variants[0], subjects[0], {
    scripts: false,
    baseUrl: BASE,
    fetchedImages: new Map(Object.entries(fetched)),
    approvals: allowed,
  });
}

suite('asset preview', () => {
  test('an image on the origin of the connection is fetched', () => {
    for (const url of ['https://api.example/files/1', '/files/1', '../files/1']) {
      const first = show({ id: 'a1', type: 'image/png', url });
      assert.deepEqual([first.type, first.missingImages], ['empty', ['https://api.example/files/1']]);
      assert.equal(first.externalUrl, 'https://api.example/files/1');
    }
    const loaded = show({ type: 'image/png', url: '/files/1' }, [], {
      'https://api.example/files/1': 'data:image/png;base64,AAAA',
    });
    assert.match(loaded.srcdoc ?? '', /<img src="data:image\/png;base64,AAAA"/);
    assert.match(show({ url: 'data:image/gif;base64,R0' }).srcdoc ?? '', /<img src="data:image\/gif/);
  });

  test('an image of another host needs an approval', () => {
    const asset = { type: 'image/jpeg', url: 'https://cdn.example/a.jpg' };
    const closed = show(asset);
    assert.deepEqual([closed.type, closed.missingImages], ['empty', []]);
    assert.match(closed.note ?? '', /Images from https:\/\/cdn\.example require your permission/);
    assert.deepEqual(closed.approvalRequests, [{ kind: 'images', origin: 'https://cdn.example', sends: 'nothing' }]);
    const open = show(asset, ['images https://cdn.example']);
    assert.match(open.srcdoc ?? '', /img-src data: https:\/\/cdn\.example;.*<img src="https:\/\/cdn\.example\/a\.jpg"/);
  });

  test('other assets are shown as a card of their fields and can be opened in a browser', () => {
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
    assert.deepEqual(
      [card.externalUrl, card.approvalRequests, card.missingImages],
      ['https://cdn.example/manual.png', [], []],
    );
    assert.match(card.note ?? '', /not an image/);
  });

  test('an address that is not a web address is never opened or loaded', () => {
    for (const url of ['javascript:alert(1)//.png', 'file:///etc/a.png', 'data:text/html,x', '', 'http://[']) {
      const { externalUrl: open, approvalRequests: wishes, missingImages: missing } = show({ type: 'image/png', url });
      assert.deepEqual([open, wishes, missing], [undefined, [], []], url);
    }
  });

  test('an embedded asset is found at any place of a resource', () => {
    const image = { id: 'a1', url: '/a.png' };
    for (const holder of [{ metadata: { image } }, { assets: [null, 1, image] }, { object: { assets: [image] } }])
      assert.equal(findEmbeddedAsset(holder, 'a1'), image);
    assert.equal(findEmbeddedAsset({ id: 'a1', metadata: { image: { id: 'a2', url: 'x' } } }, 'a1'), undefined);
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        findEmbeddedAsset(raw, 'a1');
        show(raw);
      }),
    );
  });
});
