/** Responses of status 100 that no request asked for, as some gateways send them. */
import assert from 'node:assert/strict';
import type net from 'node:net';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { getTestCertificateAuthority } from '../../../support/http/certificate-authority.ts';
import { get, post } from '../../../support/http/requests.ts';
import { useServers } from '../../../support/platform-client.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
/** Contains what looks like an interim response. */
const BODY = `H ${CONTINUE}`;
const HEAD = `HTTP/1.1 200 OK\r\ncontent-length: ${String(BODY.length)}\r\n\r\n`;

/** Writes texts one after the other, so that they arrive in pieces. */
function writePieces(socket: net.Socket, [first, ...others]: readonly string[]): void {
  if (first !== undefined) socket.write(first, () => setImmediate(() => writePieces(socket, others)));
}

suite('transport: unrequested interim responses', () => {
  const { servers, transport } = useServers();

  const cases: Readonly<Record<string, readonly string[]>> = {
    'before the response': [CONTINUE, HEAD + BODY],
    'in one piece with it': [CONTINUE + HEAD + BODY],
    'several, with headers and other ones between': [
      `HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n${CONTINUE}${HEAD}${BODY}`,
    ],
    'byte by byte': Array.from(CONTINUE + HEAD + BODY),
    'none, and a body that looks like one': [HEAD, BODY.slice(0, 2), BODY.slice(2)],
    'none, and a body that looks like one after one': [CONTINUE + HEAD, BODY.slice(0, 2), BODY.slice(2)],
  };
  for (const [name, pieces] of Object.entries(cases))
    test(`${name}: the response is read as it is, and its connection stays in use`, async () => {
      const server = await servers.raw((_text, socket) => {
        socket.setNoDelay(true);
        writePieces(socket, pieces);
      });
      for (const make of [get, post, get]) {
        const { status, text } = await transport.send(make(server.origin));
        assert.deepEqual([status, text], [200, BODY]);
      }
      assert.equal(server.connections(), 1);
    });

  test('over TLS too', async () => {
    const authority = await getTestCertificateAuthority();
    const server = await servers.http(
      (_request, response) => {
        response.writeContinue();
        response.end(BODY);
      },
      await authority.issue(['127.0.0.1']),
    );
    const secure = createTransport({ environment: {}, certificates: [authority.certificate] });
    for (let round = 0; round < 3; round++) assert.equal((await secure.send(get(server.origin))).text, BODY);
    assert.equal(server.connections(), 1);
    await secure.close();
  });

  test('100 as the last response is a broken connection', async () => {
    const server = await servers.raw((_text, socket) => socket.end(CONTINUE));
    await assert.rejects(transport.send(get(server.origin)), { code: 'network' });
  });
});
