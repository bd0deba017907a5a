import assert from 'node:assert/strict';
import { loadSource, type PreviewSession } from '../../../../src/faces/source/load.ts';
import type { LoadedPreview } from '../../../../src/faces/source/subject.ts';
import { renderFace } from '../../../../src/faces/render/render.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { LocalServer } from '../../../support/http/servers.ts';
import { createTestClient, createTestProfile, useServers } from '../../../support/platform-client.ts';

const object = {
  id: 'o1',
  org_id: 'g',
  owner: 'w',
  template_id: 't1',
  metadata: { name: 'Ticket' },
  nonce: 1,
  version: 1,
  state_root: 'r',
};
const fullFace = {
  id: 'f1',
  name: 'Whole face',
  content: '<p>{{.id}}</p>',
  views: [{ variant: 'card', content: '<b>c' }],
};

interface Answers {
  /** faces in the list of objects; a number: the HTTP status of the list */
  readonly list?: unknown;
  readonly object?: unknown;
  readonly template?: unknown;
  readonly face?: unknown;
}

suite('face loading', () => {
  const { servers, transport } = useServers();
  let server: LocalServer;

  async function load(
    { list, ...answers }: Answers,
    kind: 'objects' | 'templates' = 'objects',
  ): Promise<LoadedPreview> {
    server = await servers.http(({ url }, response) => {
      const path = url.split('?')[0];
      const answer =
        path === '/objects'
          ? list
          : path === '/objects/o1'
            ? answers.object
            : path?.startsWith('/templates/') === true || path?.startsWith('/public/templates/') === true
              ? answers.template
              : answers.face;
      if (typeof answer === 'number' || answer === undefined)
        response.writeHead(typeof answer === 'number' ? answer : 404).end('{"message":"not yours"}');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const source = { type: 'resource', connection: 'Test', kind, id: kind === 'objects' ? 'o1' : 't1' } as const;
    return loadSource({ get: createSession }, source, new AbortController().signal);
  }

  function createSession(): PreviewSession {
    const client = createTestClient(server.origin, transport);
    return { client, profile: createTestProfile(server.origin), ended: new AbortController().signal };
  }

  const createListResponse = (face: unknown): unknown => ({ objects: [object], faces: [{ template_id: 't1', face }] });
  const getRequestUrls = (): readonly string[] => server.received.map(({ url }) => url);
  const renderNote = ({ face, subjects }: LoadedPreview): string => {
    const context = { scripts: false, fetchedImages: new Map<string, string | null>(), approvals: [] };
    return renderFace(face, face.variants[0], subjects[0], context).note ?? '';
  };

  test('an asset that a page has read is not requested again', async () => {
    server = await servers.http((_request, response) => response.writeHead(404).end());
    const read: string[] = [];
    const source = { type: 'resource', connection: 'Test', kind: 'assets', id: 'a1' } as const;
    const loaded = await loadSource({ get: createSession }, source, new AbortController().signal, (kind, id) => {
      read.push(`${kind}/${id}`);
      return Promise.resolve({ id, name: 'Poster', type: 'image/png', url: '/poster.png' });
    });
    assert.equal(loaded.face.name, 'Poster');
    assert.deepEqual([read, getRequestUrls()], [['assets/a1'], []]);
  });

  test('the face in the list answer is shown where template and face are forbidden', async () => {
    for (const refusal of [403, 404]) {
      const loaded = await load({
        list: createListResponse({ id: 'f1', content: '<p>{{.id}}</p>' }),
        template: refusal,
        face: refusal,
      });
      assert.deepEqual(
        loaded.face.variants.map(({ content }) => content),
        ['<p>{{.id}}</p>'],
      );
      assert.equal(loaded.face.name, 'Ticket');
      assert.equal(loaded.subjects[0]?.id, 'o1');
      assert.match(getRequestUrls()[0] ?? '', /^\/objects\?(id=o1&faces=true|faces=true&id=o1)$/);
      assert.ok(!getRequestUrls().some((url) => url.includes('templates')));
    }
  });

  test('one request suffices where the listed face has no id; with an id its views and name are read', async () => {
    const one = await load({ list: createListResponse({ url: 'https://live.example/x' }) });
    assert.equal(one.face.variants[0]?.url, 'https://live.example/x');
    assert.equal(getRequestUrls().length, 1);
    const two = await load({ list: createListResponse({ id: 'f1', content: '<p>' }), face: { faces: [fullFace] } });
    assert.deepEqual([two.face.name, two.face.variants.length, getRequestUrls().length], ['Whole face', 2, 2]);
  });

  test('object, template and face are read where the platform ignores the flags', async () => {
    const loaded = await load({
      list: { objects: [{ ...object, id: 'another' }] },
      object,
      template: { id: 't1', face_id: 'f1' },
      face: { faces: [fullFace] },
    });
    assert.equal(loaded.face.name, 'Whole face');
    assert.equal(loaded.subjects[0]?.label, 'Ticket');
    assert.equal(
      (await load({ list: 400, object, template: { face_id: 'f1' }, face: { faces: [fullFace] } })).face.id,
      'f1',
    );
  });

  test('a card with the reason is shown where the face cannot be read', async () => {
    for (const [answers, why] of [
      [{ list: { objects: [object] }, template: 403 }, /^The face could not be loaded\. .*403/],
      [{ list: { objects: [object] }, template: { face_id: 'f1' }, face: 404 }, /could not be loaded/],
      [{ list: 403, object, template: 404 }, /could not be loaded\..*404/],
    ] as const) {
      const loaded = await load(answers);
      assert.deepEqual(loaded.face.variants, []);
      assert.equal(loaded.subjects[0]?.label, 'Ticket');
      assert.match(renderNote(loaded), why);
    }
    const template = await load(
      { template: { id: 't1', face_id: 'f1', object: { metadata: { name: 'T' } } }, face: 403 },
      'templates',
    );
    assert.match(renderNote(template), /could not be loaded/);
  });

  test('an unreadable object and a failing platform are errors', async () => {
    await assert.rejects(
      load({ list: 403, object: 403 }),
      (error) => error instanceof PlatformError && error.code === 'forbidden',
    );
    await assert.rejects(load({ list: { objects: [object] }, template: 400 }), PlatformError);
  });
});
