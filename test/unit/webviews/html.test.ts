import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPageHtml, formatContentSecurityPolicy, type PagePolicy } from '../../../src/webviews/html.ts';

const base = {
  title: 'A face',
  script: 'https://x.vscode-cdn.net/dist/webviews/faces.js',
  imports: ['https://x.vscode-cdn.net/dist/webviews/shared-1.js', 'https://x.vscode-cdn.net/dist/webviews/shared-2.js'],
  style: 'https://x.vscode-cdn.net/dist/webviews/faces.css',
  cspSource: 'https://*.vscode-cdn.net',
  nonce: 'bm9uY2U=',
};
const directives = (policy?: PagePolicy): Map<string, string[]> =>
  new Map(
    formatContentSecurityPolicy({ ...base, ...(policy !== undefined && { policy }) })
      .split('; ')
      .map((part) => part.split(' '))
      .map(([name = '', ...values]) => [name, values]),
  );

suite('webview page', () => {
  test('by default nothing loads but the bundle', () => {
    assert.deepEqual(
      [...directives()],
      [
        ['default-src', ["'none'"]],
        ['script-src', ["'nonce-bm9uY2U='"]],
        ['style-src', ['https://*.vscode-cdn.net', "'nonce-bm9uY2U='"]],
        ['base-uri', ["'none'"]],
        ['form-action', ["'none'"]],
      ],
    );
  });

  test('no policy allows eval, and inline scripts are for scripted faces only', () => {
    for (const hosts of [undefined, 'face', 'scriptedFace'] as const) {
      const policy = directives(hosts === undefined ? {} : { frameContent: hosts });
      assert.ok(![...policy.values()].flat().includes("'unsafe-eval'"));
      assert.equal(policy.get('script-src')?.includes("'unsafe-inline'"), hosts === 'scriptedFace');
    }
  });

  test('inline styles are for face pages only, without a nonce that would disable them', () => {
    assert.ok(!directives().get('style-src')?.includes("'unsafe-inline'"));
    assert.deepEqual(directives({ frameContent: 'face' }).get('style-src'), [
      'https://*.vscode-cdn.net',
      "'unsafe-inline'",
    ]);
    assert.deepEqual(directives({ frameContent: 'face' }).get('script-src'), ["'nonce-bm9uY2U='"]);
    assert.deepEqual(directives({ frameContent: 'face' }).get('font-src'), ['data:']);
    assert.deepEqual(directives({ frameContent: 'scriptedFace' }).get('script-src'), [
      'https://*.vscode-cdn.net',
      "'unsafe-inline'",
    ]);
  });

  test('images and frames come from exactly the given origins', () => {
    const policy = directives({ images: ['data:', 'https://cdn.example'], frames: ['http://127.0.0.1:8080'] });
    assert.deepEqual(policy.get('img-src'), ['data:', 'https://cdn.example']);
    assert.deepEqual(policy.get('frame-src'), ['http://127.0.0.1:8080']);
  });

  test('a source that is not a plain origin is rejected', () => {
    const bad = [
      '*',
      'https:',
      'https://*.example',
      "'self'",
      'https://a.example/path',
      'https://a.example; script-src *',
    ];
    for (const source of [...bad, 'blob:', 'javascript:', 'https://user@a.example', 'ftp://a.example', '', 'data: *']) {
      assert.throws(() => formatContentSecurityPolicy({ ...base, policy: { images: [source] } }), source);
      assert.throws(() => formatContentSecurityPolicy({ ...base, policy: { frames: [source] } }), source);
    }
    assert.throws(() => formatContentSecurityPolicy({ ...base, policy: { frames: ['data:'] } }));
  });

  test('titles are escaped', () => {
    fc.assert(
      fc.property(fc.string(), (title) => {
        const html = createPageHtml({ ...base, title: `</title><script>${title}"'` });
        assert.equal(html.match(/<script/g)?.length, 1);
        assert.equal(html.match(/<\/title>/g)?.length, 1);
      }),
    );
  });

  test('the translations of the page are data that no message can end', () => {
    const messages = { Open: '</script><script>alert(1)</script><!--' };
    const html = createPageHtml({ ...base, language: 'de', messages });
    const [, data = ''] = /<script type="application\/json" id="messages">(.*?)<\/script>/.exec(html) ?? [];
    assert.deepEqual(JSON.parse(data), messages);
    assert.equal(html.match(/<script/g)?.length, 2);
    assert.match(html, /<html lang="de">/);
    assert.ok(!createPageHtml(base).includes('messages'));
  });

  test('what the script imports is loaded beside it, with the nonce that the policy requires', () => {
    const links = createPageHtml(base).match(/<link rel="modulepreload"[^>]*>/g);
    assert.deepEqual(
      links,
      base.imports.map((address) => `<link rel="modulepreload" href="${address}" nonce="${base.nonce}">`),
    );
  });

  test('the policy comes before anything that loads', () => {
    const html = createPageHtml(base);
    const policy = html.indexOf('Content-Security-Policy');
    assert.ok(policy > 0 && policy < html.indexOf('<link') && policy < html.indexOf('<script'));
  });
});
