/** Run as a process of its own: prints whether undici's process-wide symbols change by our import and first request. */
import { createServer } from 'node:net';

const KEYS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2', 'undici.globalOrigin.1'].map((name) =>
  Symbol.for(name),
);
const readDispatchers = (): unknown[] =>
  KEYS.map((key) => Object.getOwnPropertyDescriptor(globalThis, key)?.value as unknown);

if (process.argv[2] === 'present') {
  for (const key of KEYS)
    Object.defineProperty(globalThis, key, { value: { owner: 'the host' }, writable: true, configurable: true });
}
const before = readDispatchers();
const state = (): string =>
  readDispatchers().every((value, index) => value === before[index]) ? 'unchanged' : 'changed';

const { createTransport } = await import('../../../../src/platform/http/undici-transport.ts');
const imported = state();
const server = createServer((socket) =>
  socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const transport = createTransport({ environment: {} });
const answer = await transport.send({
  method: 'POST',
  url: new URL(`http://127.0.0.1:${port}/`),
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeouts: { connect: 60_000, headers: 60_000, body: 60_000 },
  redirect: 'error',
  credentialHeaders: [],
  maxBytes: 1000,
});
await transport.close();
server.close();
console.log(JSON.stringify({ status: answer.status, imported, requested: state() }));
