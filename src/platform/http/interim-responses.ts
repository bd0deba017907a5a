/** Makes undici accept interim responses of status 100: it closes the connection on one that it did not request. */
import type { Socket } from 'node:net';

// Up to the last digit of the status.
const HEAD = 'HTTP/1.1 10';
const LETTER_H = 0x48;
const ZERO = 0x30;
const TWO = 0x32;

/** Rewrites `100` to `102`, which undici ignores, in status lines between a request and its response. */
export function rewriteInterimResponses(socket: Socket): void {
  const read = socket.read.bind(socket);
  let written = 0;
  // The first characters of a head, then its last four. `head` is undefined once the final response has started.
  let head: string | undefined;
  let tail: string | undefined;
  const scan = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length && head !== undefined; at++) {
      const byte = chunk[at] ?? 0;
      if (tail !== undefined) {
        tail = (tail + String.fromCharCode(byte)).slice(-4);
        if (tail === '\r\n\r\n') [head, tail] = ['', undefined];
      } else if (head.length < HEAD.length) {
        head += String.fromCharCode(byte);
      } else if (head === HEAD) {
        tail = '';
        if (byte === ZERO) chunk[at] = TWO;
      } else {
        head = undefined;
      }
    }
  };
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Buffer) || (head === undefined && chunk[0] !== LETTER_H)) return chunk;
    if (head === undefined) {
      // Without a new request, this is part of a body that looks like a head.
      if (socket.bytesWritten === written) return chunk;
      written = socket.bytesWritten;
      head = '';
    }
    scan(chunk);
    return chunk;
  };
}
