/** Selection of the proxy by settings and environment. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { isLoopback, getProxy } from '../../../../src/platform/http/proxy.ts';
import { formatText, stored } from '../../../../src/platform/text/message.ts';

const P = 'http://proxy.example:3128';
const to = (url: string, settings: Parameters<typeof getProxy>[1]): string | undefined =>
  getProxy(new URL(url), { environment: {}, ...settings })?.origin;

suite('proxy', () => {
  test('nothing set: direct', () => {
    assert.equal(to('https://api.example', {}), undefined);
    assert.equal(to('https://api.example', { proxy: ' ', environment: { https_proxy: '' } }), undefined);
  });

  test('http.proxy comes before the environment', () => {
    assert.equal(to('https://api.example', { proxy: P, environment: { HTTPS_PROXY: 'http://other:1' } }), P);
  });

  test('the environment: by protocol, lower case first, https falls back to http, ALL_PROXY last', () => {
    const environment = { HTTPS_PROXY: 'http://s:1', HTTP_PROXY: 'http://h:1', ALL_PROXY: 'http://a:1' };
    assert.equal(to('https://api.example', { environment }), 'http://s:1');
    assert.equal(to('http://api.example', { environment }), 'http://h:1');
    assert.equal(
      to('https://api.example', { environment: { ...environment, https_proxy: 'http://l:1' } }),
      'http://l:1',
    );
    assert.equal(
      to('https://api.example', { environment: { HTTP_PROXY: 'http://h:1', all_proxy: 'http://a:1' } }),
      'http://h:1',
    );
    assert.equal(
      to('http://api.example', { environment: { HTTPS_PROXY: 'http://s:1', ALL_PROXY: 'http://a:1' } }),
      'http://a:1',
    );
    assert.equal(to('http://api.example', { environment: { HTTPS_PROXY: 'http://s:1' } }), undefined);
  });

  test('loopback is always direct, as in VS Code', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'app.localhost', '127.0.0.1', '127.8.9.1', '[::1]', '0x7f.1']) {
      assert.equal(to(`http://${host}:8080/x`, { proxy: P }), undefined, host);
    }
    for (const host of ['localhost.example', '128.0.0.1', '127.0.0.1.example', '[::2]']) {
      assert.equal(to(`http://${host}:8080/x`, { proxy: P }), P, host);
    }
    assert.equal(isLoopback('notlocalhost'), false);
  });

  const excluded: readonly [entry: string, direct: readonly string[], proxied: readonly string[]][] = [
    ['*', ['https://any.example', 'http://10.0.0.1'], []],
    [
      'corp.example',
      ['https://corp.example', 'https://a.b.CORP.example.', 'http://corp.example:8080'],
      ['https://notcorp.example', 'https://corp.example.org'],
    ],
    ['.corp.example', ['https://corp.example', 'https://a.corp.example'], ['https://acorp.example']],
    ['*.corp.example', ['https://corp.example', 'https://a.corp.example'], ['https://acorp.example']],
    ['corp.example:8443', ['https://a.corp.example:8443'], ['https://corp.example', 'https://corp.example:8080']],
    ['corp.example:443', ['https://corp.example'], ['http://corp.example']],
    ['*:8080', ['http://any.example:8080'], ['http://any.example']],
    ['10.1.2.3', ['http://10.1.2.3:99'], ['http://10.1.2.4', 'http://4.10.1.2.3.example']],
    ['10.0.0.0/8', ['http://10.1.2.3'], ['http://11.0.0.1', 'http://ten.example']],
    ['fd00::/8', ['http://[fd12::1]'], ['http://[fe80::1]', 'http://10.0.0.1']],
    ['[2001:DB8:0::1]:443', ['https://[2001:db8::1]'], ['https://[2001:db8::1]:8443', 'https://[2001:db8::2]']],
    ['2001:db8:0:0::1', ['https://[2001:db8::1]'], ['https://[2001:db8::2]']],
    ['. , ,10.0.0.0/99,/,:,::', [], ['https://any.example', 'http://10.0.0.1']],
  ];
  for (const [entry, direct, proxied] of excluded) {
    test(`no proxy for ${entry}`, () => {
      for (const settings of [
        { noProxy: [entry] },
        { environment: { NO_PROXY: entry } },
        { noProxy: [`x.example ${entry}`] },
      ]) {
        for (const url of direct) assert.equal(to(url, { proxy: P, ...settings }), undefined, url);
        for (const url of proxied) assert.equal(to(url, { proxy: P, ...settings }), P, url);
      }
    });
  }

  test('the address: without scheme, with credentials, escaped and not', () => {
    const plain = getProxy(new URL('https://api.example'), { proxy: 'proxy.example:3128', environment: {} });
    assert.deepEqual(plain, { origin: P, label: stored('the proxy {0}', 'proxy.example:3128') });
    const cases: readonly [string, string][] = [
      ['us%40er:p%3Aw', 'us@er:p:w'],
      ['user', 'user:'],
      ['user:100%', 'user:100%'],
      ['ü:ß', 'ü:ß'],
    ];
    for (const [userinfo, plainText] of cases) {
      const proxy = getProxy(new URL('https://api.example'), {
        proxy: `http://${userinfo}@proxy.example:3128`,
        environment: {},
      });
      assert.equal(Buffer.from(proxy?.authorization?.slice('Basic '.length) ?? '', 'base64').toString(), plainText);
      assert.equal(proxy?.origin, P);
      assert.equal(formatText(proxy.label), 'the proxy proxy.example:3128');
    }
  });

  test('an unusable address is an error without its text', () => {
    for (const proxy of [
      'socks5://me:secret@proxy:1',
      'http://',
      'http://me:secret@',
      'pac+http://x',
      'http://me:secret@proxy:99999',
    ]) {
      assert.throws(
        () => to('https://api.example', { proxy }),
        (error) =>
          error instanceof PlatformError &&
          error.code === 'contract' &&
          error.detail.sent === false &&
          !error.message.includes('secret'),
        proxy,
      );
    }
  });

  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => `${labels.join('.')}.example`);

  test('property: a name excludes itself and its subdomains, not names with the same ending', () => {
    fc.assert(
      fc.property(domain, label, fc.constantFrom('', '.', '*.'), (name, below, prefix) => {
        const settings = { proxy: P, noProxy: [prefix + name] };
        assert.equal(to(`https://${name}`, settings), undefined);
        assert.equal(to(`https://${below}.${name}`, settings), undefined);
        assert.equal(to(`https://${below}${name}`, settings), P);
        assert.equal(to(`https://${name}.${below}`, settings), P);
      }),
    );
  });

  test('property: any list is accepted, and only makes connections direct', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (list, url) => {
        const found = to(url, { proxy: P, noProxy: [list] });
        assert.ok(found === undefined || found === P);
      }),
    );
  });

  test('property: a range of addresses excludes exactly those with its first bits', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (network, host, bits) => {
        fc.pre(!host.startsWith('127.'));
        const number = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
        const same = Math.floor(number(network) / 2 ** (32 - bits)) === Math.floor(number(host) / 2 ** (32 - bits));
        assert.equal(to(`http://${host}`, { proxy: P, noProxy: [`${network}/${bits}`] }), same ? undefined : P);
      }),
    );
  });
});
