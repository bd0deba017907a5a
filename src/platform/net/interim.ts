/** Lets interim answers of status 100 pass: undici ends the connection on one that it did not ask for. */
import type { Socket } from 'node:net';

// Up to the last digit of the status. undici ignores 102 as it should ignore 100.
const HEAD = /^HTTP\/1\.[01] 10$/;
const HEAD_LENGTH = 'HTTP/1.1 10'.length;
const LETTER_H = 0x48;
const ZERO = 0x30;
const TWO = 0x32;

/** Rewrites `100` to `102` in the status lines that arrive after a request and before its answer. */
export function passInterim(socket: Socket): void {
  const read = socket.read.bind(socket);
  let written = 0;
  // The first characters of a head, then its last four; `undefined`: the answer itself has begun.
  let head: string | undefined;
  let tail: string | undefined;
  const look = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length && head !== undefined; at++) {
      const byte = chunk[at] ?? 0;
      if (tail !== undefined) {
        tail = (tail + String.fromCharCode(byte)).slice(-4);
        if (tail === '\r\n\r\n') [head, tail] = ['', undefined];
      } else if (head.length < HEAD_LENGTH) {
        head += String.fromCharCode(byte);
      } else if (HEAD.test(head)) {
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
      // A head follows a request only; else it is a part of a body that looks like one.
      if (socket.bytesWritten === written) return chunk;
      written = socket.bytesWritten;
      head = '';
    }
    look(chunk);
    return chunk;
  };
}
