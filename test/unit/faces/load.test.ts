/** What a preview of an object reads: one request where the platform gives the face beside it, and a card where it gives none. */
import assert from 'node:assert/strict';
import { loadSource, type Loaded, type Session } from '../../../src/faces/load.ts';
import { render } from '../../../src/faces/render.ts';
import { PlatformClient } from '../../../src/platform/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import { Servers, type LocalServer } from '../platform/net/servers.ts';

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
const whole = {
  id: 'f1',
  name: 'Whole face',
  content: '<p>{{.id}}</p>',
  views: [{ variant: 'card', content: '<b>c' }],
};

interface Answers {
  /** beside the list of objects; a number: an HTTP status instead of the list */
  readonly list?: unknown;
  readonly object?: unknown;
  readonly template?: unknown;
  readonly face?: unknown;
}

suite('face loading', () => {
  let servers: Servers;
  let transport: Transport;
  let server: LocalServer;
  setup(() => {
    servers = new Servers();
    transport = createTransport({ environment: {} });
  });
  teardown(async () => {
    await transport.close();
    servers.close();
  });

  async function load({ list, ...answers }: Answers, kind: 'objects' | 'templates' = 'objects'): Promise<Loaded> {
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
    const client = new PlatformClient({
      target: { name: 'Test', baseUrl: server.origin, presentation: defaultPresentation, words: defaultQueryWords },
      transport,
      timeouts: { connect: 5000, headers: 15_000, body: 15_000 },
      credential: () => Promise.resolve({ apiKey: 'key' }),
    });
    const profile: Session['profile'] = {
      name: 'Test',
      baseUrl: server.origin,
      organizations: [],
      presentation: defaultPresentation,
      links: {},
      words: defaultQueryWords,
      source: 'user',
    };
    const session: Session = { client, profile, ended: new AbortController().signal };
    const source = { type: 'resource', connection: 'Test', kind, id: kind === 'objects' ? 'o1' : 't1' } as const;
    return loadSource({ get: () => session }, source, new AbortController().signal);
  }

  const beside = (face: unknown): unknown => ({ objects: [object], faces: [{ template_id: 't1', face }] });
  const asked = (): readonly string[] => server.received.map(({ url }) => url);
  const noteOf = ({ face, subjects }: Loaded): string => {
    const context = { scripts: false, fetched: new Map<string, string | null>(), allows: () => false };
    return render(face, face.variants[0], subjects[0], context).note ?? '';
  };

  test('the face that stands beside the object is shown, though neither template nor face may be read', async () => {
    for (const refusal of [403, 404]) {
      const loaded = await load({
        list: beside({ id: 'f1', content: '<p>{{.id}}</p>' }),
        template: refusal,
        face: refusal,
      });
      assert.deepEqual(
        loaded.face.variants.map(({ content }) => content),
        ['<p>{{.id}}</p>'],
      );
      assert.equal(loaded.face.name, 'Ticket');
      assert.equal(loaded.subjects[0]?.id, 'o1');
      assert.match(asked()[0] ?? '', /^\/objects\?(id=o1&faces=true|faces=true&id=o1)$/);
      assert.ok(!asked().some((url) => url.includes('templates')));
    }
  });

  test('one request is all where the face beside has no id; with one its views and name come too', async () => {
    const one = await load({ list: beside({ url: 'https://live.example/x' }) });
    assert.equal(one.face.variants[0]?.url, 'https://live.example/x');
    assert.equal(asked().length, 1);
    const two = await load({ list: beside({ id: 'f1', content: '<p>' }), face: { faces: [whole] } });
    assert.deepEqual([two.face.name, two.face.variants.length, asked().length], ['Whole face', 2, 2]);
  });

  test('a platform that ignores the flags is asked for object, template and face', async () => {
    const loaded = await load({
      list: { objects: [{ ...object, id: 'another' }] },
      object,
      template: { id: 't1', face_id: 'f1' },
      face: { faces: [whole] },
    });
    assert.equal(loaded.face.name, 'Whole face');
    assert.equal(loaded.subjects[0]?.label, 'Ticket');
    assert.equal(
      (await load({ list: 400, object, template: { face_id: 'f1' }, face: { faces: [whole] } })).face.id,
      'f1',
    );
  });

  test('where the face cannot be read the card stands in, and says why', async () => {
    for (const [answers, why] of [
      [{ list: { objects: [object] }, template: 403 }, /^A card made from .* because its face cannot be read: .*403/],
      [{ list: { objects: [object] }, template: { face_id: 'f1' }, face: 404 }, /cannot be read: /],
      [{ list: 403, object, template: 404 }, /cannot be read: .*404/],
    ] as const) {
      const loaded = await load(answers);
      assert.deepEqual(loaded.face.variants, []);
      assert.equal(loaded.subjects[0]?.label, 'Ticket');
      assert.match(noteOf(loaded), why);
    }
    const template = await load(
      { template: { id: 't1', face_id: 'f1', object: { metadata: { name: 'T' } } }, face: 403 },
      'templates',
    );
    assert.match(noteOf(template), /cannot be read: /);
  });

  test('an object that cannot be read, and a platform that fails, are errors as before', async () => {
    await assert.rejects(
      load({ list: 403, object: 403 }),
      (error) => error instanceof PlatformError && error.code === 'forbidden',
    );
    await assert.rejects(load({ list: { objects: [object] }, template: 400 }), PlatformError);
  });
});
