import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { defineProtocol, dispatchMessage, createMessage } from '../../../../src/webviews/protocol/index.ts';
import { logsProtocol } from '../../../../src/webviews/protocol/logs.ts';
import { pageProtocol } from '../../../../src/webviews/protocol/page.ts';

const protocol = defineProtocol({
  toView: { state: z.strictObject({ count: z.number() }) },
  toHost: { choose: z.strictObject({ id: z.string().check(z.maxLength(10)) }) },
});

suite('webview protocol', () => {
  const received: string[] = [];
  const handlers = { choose: ({ id }: { id: string }) => received.push(id) };
  setup(() => received.splice(0));

  test('a message that fits reaches its handler', async () => {
    assert.equal(
      await dispatchMessage(
        protocol.toHost,
        handlers,
        createMessage<typeof protocol.toHost, 'choose'>('choose', { id: 'a' }),
      ),
      undefined,
    );
    assert.deepEqual(received, ['a']);
  });

  test('a message that does not fit is reported without its content', async () => {
    assert.equal(
      await dispatchMessage(protocol.toHost, handlers, { type: 'choose', body: { id: 'x'.repeat(11) } }),
      'a malformed message choose at id',
    );
    assert.equal(await dispatchMessage(protocol.toHost, handlers, { type: 'evil', body: {} }), 'an unknown message');
    assert.equal(
      await dispatchMessage(protocol.toHost, handlers, { type: 'toString', body: {} }),
      'an unknown message',
    );
    assert.equal(
      await dispatchMessage(protocol.toHost, handlers, { type: 'choose', body: { id: 'a' }, more: 1 }),
      'not a message',
    );
    assert.deepEqual(received, []);
  });

  test('pages open web addresses only: no command, file or script', async () => {
    const opened: string[] = [];
    const openUrl = ({ url }: { url: string }) => opened.push(url);
    for (const { openUrl: schema } of [pageProtocol.toHost, logsProtocol.toHost])
      for (const url of [
        'command:workbench.action.quit',
        'file:///etc/passwd',
        'javascript:1',
        ' https://a',
        '//a',
        '',
      ])
        assert.equal(
          await dispatchMessage({ openUrl: schema }, { openUrl }, { type: 'openUrl', body: { url } }),
          'a malformed message openUrl at url',
        );
    const body = { url: 'HTTPS://scan.example/a?b' };
    const { openUrl: schema } = logsProtocol.toHost;
    assert.equal(await dispatchMessage({ openUrl: schema }, { openUrl }, { type: 'openUrl', body }), undefined);
    assert.deepEqual(opened, [body.url]);
  });

  test('malformed messages never reject', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withNullPrototype: true, withBigInt: true }), async (value) => {
        assert.notEqual(await dispatchMessage(protocol.toHost, handlers, value), undefined);
      }),
    );
  });

  test('a failing handler rejects the dispatch', async () => {
    const message = createMessage<typeof protocol.toHost, 'choose'>('choose', { id: 'a' });
    for (const choose of [
      () => Promise.reject(new Error('broken')),
      () => {
        throw new Error('broken');
      },
    ])
      await assert.rejects(dispatchMessage(protocol.toHost, { choose }, message), /broken/);
  });

  test('the message names of every webview are reserved', () => {
    assert.throws(() => defineProtocol({ toView: {}, toHost: { ready: z.strictObject({}) } }), /ready/);
  });
});
