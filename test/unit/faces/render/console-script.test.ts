import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { CONSOLE_SCRIPT } from '../../../../src/faces/render/console-script.ts';

suite('face console script', () => {
  test('it removes WebRTC, and rejects markup with frames or connecting elements', () => {
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
    ])
      assert.equal(html(text, 'Element innerHTML'), null, text);
    for (const sink of ['HTMLIFrameElement srcdoc', 'Element setAttribute srcdoc', 'Document write', undefined])
      assert.equal(html('<b>', sink), null, sink);
    assert.equal(rule.createScript('x', 'TrustedScript', 'Element onclick'), 'x');
    assert.equal(rule.createScript('x', 'TrustedScript', 'Location href'), null);
  });
});
