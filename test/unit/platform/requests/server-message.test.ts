/** What of an error body is shown: its words, its request id, or the title of a web page. */
import assert from 'node:assert/strict';
import { isHtml, readServerMessage, redactBody } from '../../../../src/platform/requests/server-message.ts';
import { SECRET } from '../../../support/platform-client.ts';

const read = (body: unknown) => readServerMessage(typeof body === 'string' ? body : JSON.stringify(body), [SECRET]);

suite('messages of the server', () => {
  test('of nothing, text and JSON', () => {
    assert.deepEqual(read(''), {});
    assert.deepEqual(read(' \n '), {});
    assert.deepEqual(read('  bad gateway \n'), { message: 'bad gateway' });
    assert.deepEqual(read('{"message": cut'), { message: '{"message": cut' });
    assert.deepEqual(read({ message: 'no' }), { message: 'no' });
    assert.deepEqual(read({ data: { message: 'no' } }), { message: 'no' });
    assert.deepEqual(read({ message: 'outer', data: { message: 'inner' } }), { message: 'outer' });
    assert.deepEqual(read(['one', 'two']), { message: 'one; two' });
    assert.deepEqual(read({}), {});
    assert.deepEqual(read('7'), {});
    assert.deepEqual(read('null'), {});
    assert.deepEqual(read({ data: null }), {});
  });

  test('a long message is cut to 500 characters, and never through a secret', () => {
    assert.equal(read({ message: 'a'.repeat(501) }).message, `${'a'.repeat(499)}…`);
    for (const body of [`${'a'.repeat(490)}${SECRET}`, { message: `${'a'.repeat(490)}${SECRET}` }]) {
      const { message = '' } = read(body);
      assert.equal(message.startsWith('a'.repeat(490)), true);
      assert.equal(message.includes(SECRET.slice(0, 4)), false, message);
    }
  });

  test('the request id, by both of its names', () => {
    assert.deepEqual(read({ x_request_id: 'a' }), { requestId: 'a' });
    assert.deepEqual(read({ request_id: 'b', message: 'no' }), { message: 'no', requestId: 'b' });
    assert.deepEqual(read({ x_request_id: 'a', request_id: 'b' }), { requestId: 'a' });
    assert.deepEqual(read({ x_request_id: 7, request_id: 'b' }), { requestId: 'b' });
    assert.deepEqual(read({ request_id: 7 }), {});
    assert.equal(read({ request_id: SECRET }).requestId?.includes(SECRET), false);
    assert.deepEqual(read({ request_id: 'a\u202eb\u0007' }), { requestId: 'a b' });
  });

  test('a web page has its title at most', () => {
    const page = (head: string): string => `<!doctype html><html><head>${head}</head><body>long</body></html>`;
    assert.deepEqual(read(page('<title>  Sign in </title>')), { message: 'web page “Sign in”' });
    assert.deepEqual(read(page('<TITLE lang="en">Sign in</TITLE>')), { message: 'web page “Sign in”' });
    assert.deepEqual(read(page('')), {});
    assert.deepEqual(read(page('<title></title>')), {});
    assert.deepEqual(read(page(`${' '.repeat(5000)}<title>Late</title>`)), {});
    assert.equal(read(page(`<title>${SECRET}</title>`)).message?.includes(SECRET), false);
  });

  test('web pages are recognized by their beginning', () => {
    for (const page of [
      '<!DOCTYPE html>',
      ' \n<html>',
      '<head>',
      '<BODY class="a">',
      '<script>',
      '<meta>',
      '<!-- a -->',
      '<h1>No</h1>',
    ])
      assert.equal(isHtml(page), true, page);
    for (const text of ['', 'a <html>', '{"a":"<html>"}', '<p>a</p>', '<xml>', 'html', ' '.repeat(512) + '<html>'])
      assert.equal(isHtml(text), false, text);
  });

  test('a body is formatted to the digit, without secrets', () => {
    assert.equal(redactBody('{"num":12345678901234567890}', []), '{\n  "num": 12345678901234567890\n}');
    assert.equal(redactBody('no JSON', []), 'no JSON');
    const bodies = [`{"a":"${SECRET}"}`, `no JSON ${SECRET}`, `"${SECRET}${'x'.repeat(300_000)}"`];
    for (const body of bodies) assert.equal(redactBody(body, [SECRET]).includes(SECRET), false, body.slice(0, 40));
  });

  test('a long body is cut, and marked as cut', () => {
    const limit = 256 * 1024;
    assert.equal(redactBody('x'.repeat(limit), []), 'x'.repeat(limit));
    assert.equal(redactBody('x'.repeat(limit + 1), []), `${'x'.repeat(limit)}…`);
  });
});
