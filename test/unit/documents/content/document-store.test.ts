/** The document store: reads are shared, failed refreshes keep the old text, and identities are separate. */
import assert from 'node:assert/strict';
import type { ResourceArgument } from '../../../../src/model/resources/resource-argument.ts';
import type { IssuedResource, Session } from '../../../../src/model/session/session.ts';
import { getFreshness } from '../../../../src/documents/content/freshness.ts';
import { DocumentStore, type ShownDocument } from '../../../../src/documents/content/document-store.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { Item } from '../../../../src/platform/page.ts';
import { registry } from '../../../../src/platform/registry.ts';

const resource: ResourceArgument = { connection: 'Test', kind: 'objects', id: 'obj_1' };

/** A session of which only what the store needs is there. */
function fakeSession(read: (signal: AbortSignal) => Promise<string>): {
  readonly session: Session;
  readonly end: AbortController;
} {
  const end = new AbortController();
  const readFor = async (
    _row: unknown,
    _id: unknown,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<unknown> => {
    const text = await read(signal);
    return { item: new Item(JSON.parse(text), registry.objects.schema), text };
  };
  const parts = {
    client: { readFor },
    ended: end.signal,
    signedOutReason: undefined,
    issuedResources: new Map<string, IssuedResource>(),
  };
  return { session: parts as unknown as Session, end };
}

suite('store of documents', () => {
  let now: number;
  let open: boolean;
  let answer: (signal: AbortSignal) => Promise<string>;
  let reads: number;
  let changes: string[];
  let current: ReturnType<typeof fakeSession> | undefined;
  let store: DocumentStore;
  let stored: { readonly text: string; readonly readAt: number } | undefined;

  setup(() => {
    now = 1000;
    open = false;
    reads = 0;
    changes = [];
    stored = undefined;
    answer = () => Promise.resolve('{"id":"obj_1"}\n');
    current = fakeSession((signal) => {
      reads++;
      return answer(signal);
    });
    store = new DocumentStore({
      sessions: { get: (name) => (name === 'Test' ? current?.session : undefined) },
      isOpen: () => open,
      changed: (_shown, what) => changes.push(what),
      readStored: () => Promise.resolve(stored),
      now: () => now,
    });
  });

  test('consecutive requests of an editor read once; later ones read again unless the document is open', async () => {
    const [one, other] = await Promise.all([store.open(resource), store.open(resource)]);
    assert.equal(one, other);
    await store.open(resource);
    assert.equal(reads, 1);
    now += 60_000;
    await store.open(resource);
    assert.equal(reads, 2);
    now += 60_000;
    open = true;
    await store.open(resource);
    assert.equal(reads, 2);
  });

  test('a closed document is read again after the clock was set back', async () => {
    now += 3_600_000;
    await store.open(resource);
    now -= 3_600_000;
    await store.open(resource);
    assert.equal(reads, 2);
  });

  test('another text has another time, the same text the same', async () => {
    const first = await store.open(resource);
    now += 5;
    assert.equal((await store.refresh(resource)).changedAt, first.changedAt);
    answer = () => Promise.resolve('{"id":"obj_2"}\n');
    now = first.changedAt;
    const changed = await store.refresh(resource);
    assert.ok(changed.changedAt > first.changedAt);
    assert.equal(changed.bytes.byteLength, changed.text.length);
    assert.deepEqual(changes, ['status', 'text']);
  });

  test('during an outage a document opens as it was last read, and says so', async () => {
    answer = () => Promise.reject(new PlatformError('network', 'Could not connect'));
    await assert.rejects(store.open(resource), /Could not connect/, 'nothing is known of it');
    stored = { text: '{"id":"obj_1","owner":"0x1"}\n', readAt: 400 };
    const shown = await store.open(resource);
    assert.deepEqual([shown.text, shown.readAt, shown.failure?.reason], [stored.text, 400, 'Load object: Could not connect. Check the base URL, the network and the proxy settings.']); // prettier-ignore
    assert.equal(getFreshness(shown, now).type, 'stale');
    answer = () => Promise.reject(new PlatformError('forbidden', 'Permission denied'));
    await assert.rejects(store.open({ ...resource, id: 'obj_2' }), /Permission denied/);
    answer = () => Promise.resolve('{"id":"obj_1"}\n');
    now += 60_000;
    assert.equal((await store.open(resource)).failure, undefined);
  });

  test('a failed refresh keeps the text and the time of the first failure until one succeeds', async () => {
    await store.open(resource);
    answer = () =>
      Promise.reject(new PlatformError('server', 'The platform reported an error (HTTP 500)', { status: 500 }));
    for (const at of [2000, 3000]) {
      now = at;
      await assert.rejects(store.refresh(resource), { code: 'server' });
    }
    const old = store.get(resource);
    assert.ok(old);
    assert.equal(old.text, '{"id":"obj_1"}\n');
    assert.deepEqual([old.readAt, old.failure?.since], [1000, 2000]);
    const state = getFreshness(old, current?.session, String);
    assert.match(state.type === 'stale' ? state.detail : '', /since 2000\. Last updated 1000\. .*HTTP 500/);
    answer = () => Promise.resolve('{"id":"obj_1"}\n');
    assert.equal((await store.refresh(resource)).failure, undefined);
  });

  test('cancelling is no failure, and a document that was never read stays unknown', async () => {
    answer = () => Promise.reject(new PlatformError('cancelled', 'cancelled'));
    await assert.rejects(store.refresh(resource));
    assert.equal(store.get(resource), undefined);
    answer = () => Promise.resolve('{"id":"obj_1"}\n');
    await store.open(resource);
    answer = () => Promise.reject(new PlatformError('cancelled', 'cancelled'));
    await assert.rejects(store.refresh(resource));
    assert.equal(store.get(resource)?.failure, undefined);
  });

  test('a document opened during a look-up opens even if the look-up is cancelled', async () => {
    let release: (text: string) => void = () => undefined;
    answer = (signal) =>
      new Promise((resolve, reject) => {
        release = resolve;
        signal.addEventListener('abort', () => {
          reject(new PlatformError('cancelled', 'Cancelled'));
        });
      });
    const lookUpAbort = new AbortController();
    const lookingUp = store.refresh(resource, lookUpAbort.signal);
    const opening = store.open(resource);
    lookUpAbort.abort();
    await assert.rejects(lookingUp, { code: 'cancelled' });
    release('{"id":"obj_1"}\n');
    assert.equal((await opening).text, '{"id":"obj_1"}\n');
    assert.equal(reads, 1);
  });

  test('an answer that comes after the sign-in has ended is not shown', async () => {
    let release: (text: string) => void = () => undefined;
    answer = () => new Promise((resolve) => (release = resolve));
    const opening = store.open(resource);
    current?.end.abort();
    release('{"id":"obj_1"}\n');
    await assert.rejects(opening, { code: 'cancelled' });
    assert.equal(store.get(resource), undefined);
  });

  test('an answer for another identity that comes late does not replace what the present one read', async () => {
    const late = Promise.withResolvers<string>();
    answer = () => late.promise;
    const former = store.refresh(resource);
    current = fakeSession(() => Promise.resolve('{"id":"obj_1","owner":"0x2"}\n'));
    const { text } = await store.refresh(resource);
    late.resolve('{"id":"obj_1"}\n');
    await assert.rejects(former, { code: 'cancelled' });
    assert.equal(store.get(resource)?.text, text);
  });

  test('documents of an ended session are stale', async () => {
    const shown: ShownDocument = await store.open(resource);
    assert.equal(getFreshness(shown, current?.session).type, 'current');
    // Another identity of the connection is the current one now.
    assert.match(getFreshness(shown, fakeSession(answer).session).text, /^Read as default · last updated /);
    assert.equal(getFreshness(shown, undefined).type, 'stale');
    current?.end.abort();
    assert.match(getFreshness(shown, current?.session).text, /^The session has ended · /);
  });

  test('an unknown connection, an unknown kind and an unregistered wallet have their own errors', async () => {
    await assert.rejects(store.open({ ...resource, connection: 'Other' }), /The connection “Other” does not exist/);
    await assert.rejects(store.open({ ...resource, kind: 'gadgets' }), /Unknown kind of resource: gadgets/);
    await assert.rejects(store.open({ ...resource, kind: 'wallets' }), /can’t read wallets by their ID/);
  });

  test('keeps a bounded number of documents that are not open', async () => {
    for (let index = 0; index < 100; index++) await store.open({ ...resource, id: `obj_${String(index)}` });
    assert.ok(store.all.length < 40);
  });
});
