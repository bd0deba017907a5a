/** The page's side of the messages, with as much of a browser as it needs. */
import assert from 'node:assert/strict';
import { connectToHost } from '../../../../src/webviews/client/host-connection.ts';

suite('webviews: connection of a page', () => {
  const style = { visibility: '' };
  let receive: (event: unknown) => void = () => undefined;
  const fakes = {
    document: { body: { style } },
    window: { origin: 'page' },
    acquireVsCodeApi: () => ({ postMessage: () => undefined }),
    addEventListener: (type: string, listener: typeof receive) => {
      if (type === 'message') receive = listener;
    },
  };
  suiteSetup(() => Object.assign(globalThis, fakes));
  suiteTeardown(() => {
    for (const name of Object.keys(fakes)) Reflect.deleteProperty(globalThis, name);
  });

  test('a page is hidden until its host has sent something: its controls would do nothing', () => {
    connectToHost({ toView: {}, toHost: {} }, {});
    assert.equal(style.visibility, 'hidden');
    receive({ origin: 'null', data: {} });
    assert.equal(style.visibility, 'hidden', 'a frame of the page is not the host');
    receive({ origin: 'page', data: {} });
    assert.equal(style.visibility, '');
  });
});
