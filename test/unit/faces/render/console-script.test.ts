import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { CONSOLE_SCRIPT } from '../../../../src/faces/render/console-script.ts';

suite('face console script', () => {
  test('it removes WebRTC, and rejects frames and connecting elements, as markup and by name', () => {
    interface Rules {
      createHTML(text: string, type: string, sink?: string): string | null;
      createScript(text: string, type: string, sink?: string): string | null;
    }
    const rules: Rules[] = [];
    const post = (): void => undefined;
    const self = {
      RTCPeerConnection: Object,
      trustedTypes: { createPolicy: (_name: string, created: Rules) => rules.push(created) },
      parent: { postMessage: post },
      console: { log: post, info: post, warn: post, error: post, debug: post },
      addEventListener: post,
      document: {},
      Document: class {
        createElement(name: string): string {
          return name;
        }
        createElementNS(_namespace: string, name: string): string {
          return name;
        }
      },
    };
    runInNewContext(CONSOLE_SCRIPT, Object.assign(self, { self }));
    assert.equal(self.RTCPeerConnection, undefined);
    const [rule] = rules;
    assert.ok(rule);
    const html = (text: string, sink?: string) => rule.createHTML(text, 'TrustedHTML', sink);
    for (const text of ['<b>ok</b>', '<svg><metadata>x</metadata></svg>'])
      assert.equal(html(text, 'Element innerHTML'), text);
    for (const text of [
      '<iframe>',
      '<svg/><FRAME',
      '<h:iframe xmlns:h="x"/>',
      '<link rel=preconnect>',
      '<object data=x>',
      '<META http-equiv=refresh>',
      '<base/',
      '<!DOCTYPE x [<!ENTITY a "&#60;link/>">]><x>&a;</x>',
    ])
      assert.equal(html(text, 'Element innerHTML'), null, text);
    for (const sink of ['HTMLIFrameElement srcdoc', 'Element setAttribute srcdoc', 'Document write', undefined])
      assert.equal(html('<b>', sink), null, sink);
    assert.equal(rule.createScript('x', 'TrustedScript', 'Element onclick'), 'x');
    assert.equal(rule.createScript('x', 'TrustedScript', 'Location href'), null);

    // Elements that connect are others, also where a name is an object that changes.
    const document = new self.Document();
    for (const name of ['link', 'LINK', 'meta', 'base', 'iframe', 'frame', 'object', 'embed', 'portal']) {
      assert.equal(document.createElement(name), 'x-element', name);
      assert.equal(document.createElementNS('http://www.w3.org/1999/xhtml', `h:${name}`), 'x-element', name);
    }
    let reads = 0;
    const changing: unknown = { toString: () => (reads++ === 0 ? 'div' : 'link') };
    const create: unknown = Reflect.get(document, 'createElement');
    assert.ok(typeof create === 'function');
    assert.equal(Reflect.apply(create, document, [changing]), 'div');
    for (const name of ['a', 'metadata', 'linearGradient', 'foreignObject', 'x-link'])
      assert.equal(document.createElement(name), name);
  });
});
