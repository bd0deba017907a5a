/** Deeply nested documents: what is not shown is marked, and cached documents stay small. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { Session } from '../../../../src/model/session/session.ts';
import { analyse } from '../../../../src/documents/links/json-analysis.ts';
import { DocumentStore } from '../../../../src/documents/content/document-store.ts';
import { TOO_DEEP } from '../../../../src/platform/json/json-limits.ts';
import { registry } from '../../../../src/platform/registry.ts';
import type { Transport } from '../../../../src/platform/http/transport.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { createTestClient } from '../../../support/platform-client.ts';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;
const MiB = 1024 * 1024;

suite('documents: deep answers', () => {
  let server: Server;
  let transport: Transport;
  let store: DocumentStore;
  let body: (id: string) => string;
  let now = 0;

  suiteSetup(async () => {
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body(request.url?.split('/').at(-1) ?? ''));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    transport = createTransport({});
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const client = createTestClient(`http://127.0.0.1:${address.port}`, transport, {
      credential: () => Promise.resolve(undefined),
    });
    const session = {
      client,
      ended: new AbortController().signal,
      signedOutReason: undefined,
      issuedResources: new Map(),
    };
    store = new DocumentStore({
      sessions: { get: () => session as unknown as Session },
      isOpen: () => false,
      changed: () => undefined,
      now: () => (now += 60_000),
    });
  });
  suiteTeardown(async () => {
    await transport.close();
    server.close();
    server.closeAllConnections();
  });

  const heap = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const open = (id: string) => store.open({ connection: 'Deep', kind: 'objects', id });

  test('values nested too deep are marked, and twenty openings retain little memory', async () => {
    body = (id) => `{"id":"${id}","custom":${'['.repeat(15_000)}${']'.repeat(15_000)}}`;
    const before = heap();
    let most = 0;
    for (let index = 0; index < 20; index++) {
      const { text, definition } = await open(`obj_${index}`);
      const cut = analyse(text, definition).marks.filter(({ type: is }) => is === 'tooDeep');
      assert.deepEqual(
        cut.map(({ value }) => value),
        [TOO_DEEP],
      );
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
    assert.ok(most - before < 100 * MiB, `${Math.round((most - before) / MiB)} MiB at most`);
    const retained = heap() - before;
    assert.ok(retained < 8 * MiB, `${Math.round(retained / MiB)} MiB kept`);
  });

  test('closed documents are cached up to a total size', async () => {
    body = (id) => JSON.stringify({ id, custom: { text: 'x'.repeat(3 * MiB) } });
    for (let index = 0; index < 12; index++) await open(`large_${index}`);
    const bytes = store.all.reduce((sum, shown) => sum + shown.bytes.byteLength, 0);
    assert.ok(bytes <= 20 * MiB && store.all.length >= 4, `${Math.round(bytes / MiB)} MiB`);
    assert.ok(
      store.get({ connection: 'Deep', kind: 'objects', id: 'large_11' }) !== undefined,
      'the last one is there',
    );
  });

  test('a string of those very words is marked too; an ordinary one is not', () => {
    const { marks } = analyse(
      JSON.stringify({ id: 'a', custom: { b: TOO_DEEP, c: 'shown' } }, null, 2),
      registry.objects,
    );
    assert.deepEqual(
      marks.map(({ type: is }) => is),
      ['text', 'tooDeep', 'text'],
    );
  });
});
