/** The bridge: what fits its schema reaches its handler, anything else is dropped with a reason. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { defineProtocol, receive, wrap } from '../../../src/webviews/protocol.ts';

const protocol = defineProtocol({
  toView: { state: z.strictObject({ count: z.number() }) },
  toHost: { choose: z.strictObject({ id: z.string().check(z.maxLength(10)) }) },
});

suite('webview protocol', () => {
  const seen: string[] = [];
  const handlers = { choose: ({ id }: { id: string }) => seen.push(id) };
  setup(() => seen.splice(0));

  test('a message that fits reaches its handler', () => {
    assert.equal(
      receive(protocol.toHost, handlers, wrap<typeof protocol.toHost, 'choose'>('choose', { id: 'a' })),
      undefined,
    );
    assert.deepEqual(seen, ['a']);
  });

  test('what does not fit is named without its content', () => {
    assert.equal(
      receive(protocol.toHost, handlers, { type: 'choose', body: { id: 'x'.repeat(11) } }),
      'a malformed message choose at id',
    );
    assert.equal(receive(protocol.toHost, handlers, { type: 'evil', body: {} }), 'an unknown message');
    assert.equal(receive(protocol.toHost, handlers, { type: 'toString', body: {} }), 'an unknown message');
    assert.equal(receive(protocol.toHost, handlers, { type: 'choose', body: { id: 'a' }, more: 1 }), 'not a message');
    assert.deepEqual(seen, []);
  });

  test('nothing that arrives throws', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        assert.notEqual(receive(protocol.toHost, handlers, value), undefined);
      }),
    );
  });

  test('the names of the bridge itself are taken', () => {
    assert.throws(() => defineProtocol({ toView: {}, toHost: { ready: z.strictObject({}) } }), /ready/);
  });
});
