/** Sends responses, with the faults that affect their bytes. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Fault } from '../faults/faults.ts';
import type { RouteResponse } from './responses.ts';

/** Smaller responses are not compressed. */
const MIN_COMPRESSED_BYTES = 1024;
/** 65 MiB: over the usual limit of clients. */
const HUGE_BODY = 65 * 1024 * 1024 + 1;

interface ResponseContext {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly requestId: string;
  /** the client accepts gzip, and it is enabled */
  readonly gzip: boolean;
  readonly fault: Fault | undefined;
  /** Resolves after that many milliseconds, or when the server closes. */
  pause(milliseconds: number): Promise<void>;
}

/** Sends a response. Rejects if the socket fails. */
export async function sendResponse(context: ResponseContext, content: RouteResponse): Promise<void> {
  const { response, fault } = context;
  const json = 'json' in content;
  let bytes = Buffer.from(json ? JSON.stringify(content.json) : content.bytes);
  const headers: Record<string, string> = {
    'content-type': json ? 'application/json; charset=utf-8' : content.type,
    'x-request-id': context.requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...content.headers,
  };
  const compress =
    context.gzip &&
    bytes.length > MIN_COMPRESSED_BYTES &&
    fault?.fault !== 'hugeBody' &&
    fault?.fault !== 'truncatedJson';
  if (compress) {
    bytes = gzipSync(bytes, { level: 3 });
    headers['content-encoding'] = 'gzip';
    headers['vary'] = 'accept-encoding';
  }
  switch (fault?.fault) {
    case 'slowHeaders':
      await context.pause(fault.delay);
      break;
    case 'slowBody': {
      response.writeHead(content.status, headers);
      const half = Math.ceil(bytes.length / 2);
      response.write(bytes.subarray(0, half));
      await context.pause(fault.delay);
      response.end(bytes.subarray(half));
      return;
    }
    case 'resetBody':
      response.writeHead(content.status, { ...headers, 'content-length': String(bytes.length + 64) });
      // The reset must not overtake the first half.
      await new Promise<void>((resolve) => {
        response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => resolve());
      });
      await context.pause(20);
      context.socket.resetAndDestroy();
      return;
    case 'truncatedJson':
      bytes = bytes.subarray(0, Math.max(1, Math.floor(bytes.length * 0.6)));
      // In the middle of a value: a text that ends in a bracket may look complete.
      while (bytes.length > 1 && /[}\]]/.test(String.fromCharCode(bytes.at(-1) ?? 0))) bytes = bytes.subarray(0, -1);
      break;
    case 'hugeBody':
      await sendHuge(context, content.status, headers, fault.size ?? HUGE_BODY);
      return;
    default:
  }
  response.writeHead(content.status, { ...headers, 'content-length': String(bytes.length) });
  response.end(bytes);
}

/** Streams a JSON string of `size` bytes. */
async function sendHuge(
  wire: ResponseContext,
  status: number,
  headers: Record<string, string>,
  size: number,
): Promise<void> {
  const { response } = wire;
  const piece = Buffer.alloc(64 * 1024, 'x');
  response.writeHead(status, headers);
  response.write('{"huge":"');
  for (let sent = 0; sent < size && !wire.socket.destroyed; sent += piece.length) {
    if (!response.write(piece))
      await new Promise<void>((resolve) => {
        const resume = (): void => {
          response.off('drain', resume).off('close', resume);
          resolve();
        };
        response.once('drain', resume).once('close', resume);
      });
  }
  response.end('"}');
}
