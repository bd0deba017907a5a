/** Puts an answer on the wire, whole or as a fault would have it. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Fault } from './faults.ts';
import type { Answer } from './http.ts';

/** Smaller answers are not worth compressing. */
const COMPRESSED_FROM = 1024;
/** 65 MiB: over the limit that clients of this platform usually set. */
const HUGE_BODY = 65 * 1024 * 1024 + 1;

export interface Wire {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly requestId: string;
  /** the client takes gzip, and it is not turned off */
  readonly gzip: boolean;
  readonly fault: Fault | undefined;
  /** resolves when that many milliseconds are over or the server closes */
  pause(milliseconds: number): Promise<void>;
}

export async function send(wire: Wire, answer: Answer): Promise<void> {
  const { response, fault } = wire;
  const json = 'json' in answer;
  let bytes = Buffer.from(json ? JSON.stringify(answer.json) : answer.bytes);
  const headers: Record<string, string> = {
    'content-type': json ? 'application/json; charset=utf-8' : answer.type,
    'x-request-id': wire.requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...answer.headers,
  };
  const compress =
    wire.gzip && bytes.length > COMPRESSED_FROM && fault?.fault !== 'hugeBody' && fault?.fault !== 'truncatedJson';
  if (compress) {
    bytes = gzipSync(bytes, { level: 3 });
    headers['content-encoding'] = 'gzip';
    headers['vary'] = 'accept-encoding';
  }
  switch (fault?.fault) {
    case 'slowHeaders':
      await wire.pause(fault.delay);
      break;
    case 'slowBody': {
      response.writeHead(answer.status, headers);
      const half = Math.ceil(bytes.length / 2);
      response.write(bytes.subarray(0, half));
      await wire.pause(fault.delay);
      response.end(bytes.subarray(half));
      return;
    }
    case 'resetBody':
      response.writeHead(answer.status, { ...headers, 'content-length': String(bytes.length + 64) });
      // The reset must not overtake the first half.
      await new Promise<void>((resolve) => {
        response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
          resolve();
        });
      });
      await wire.pause(20);
      wire.socket.resetAndDestroy();
      return;
    case 'truncatedJson':
      bytes = bytes.subarray(0, Math.max(1, Math.floor(bytes.length * 0.6)));
      break;
    case 'hugeBody':
      await sendHuge(wire, answer.status, headers, fault.size ?? HUGE_BODY);
      return;
    default:
  }
  response.writeHead(answer.status, { ...headers, 'content-length': String(bytes.length) });
  response.end(bytes);
}

/** A JSON string that goes on and on, made as it is sent. */
async function sendHuge(wire: Wire, status: number, headers: Record<string, string>, size: number): Promise<void> {
  const { response } = wire;
  const piece = Buffer.alloc(64 * 1024, 'x');
  response.writeHead(status, headers);
  response.write('{"huge":"');
  for (let sent = 0; sent < size && !wire.socket.destroyed; sent += piece.length) {
    if (!response.write(piece))
      await new Promise<void>((resolve) => {
        const go = (): void => {
          response.off('drain', go).off('close', go);
          resolve();
        };
        response.once('drain', go).once('close', go);
      });
  }
  response.end('"}');
}
