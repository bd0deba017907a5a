/** Requests of pollers: sent once, and without the body if the platform says that nothing has changed. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TransportResponse } from './transport.ts';

/** Characters of a response that is kept for a 304. */
const MAX_TEXT_LENGTH = 1024 * 1024;

/** The last response of what one poller reads; in memory only. */
export class PollMemory {
  #last: { readonly url: string; readonly etag: string; readonly response: TransportResponse } | undefined;

  /** The header of a conditional request; empty if the platform sent no ETag for this URL. */
  getHeaders({ href }: URL): Readonly<Record<string, string>> {
    return this.#last?.url === href ? { 'if-none-match': this.#last.etag } : {};
  }

  /** Returns the response, or for a 304 the one that is still valid. */
  resolve({ href }: URL, response: TransportResponse): TransportResponse {
    if (response.status === 304 && this.#last?.url === href) return this.#last.response;
    const etag = response.headers['etag'];
    const isKept = response.status === 200 && etag !== undefined && response.text.length <= MAX_TEXT_LENGTH;
    this.#last = isKept ? { url: href, etag, response } : undefined;
    return response;
  }
}

const polls = new AsyncLocalStorage<PollMemory>();

/** Runs one poll: its request is not repeated if it fails, and is conditional if `memory` has a response. Rejects as `run`. */
export function runPoll<T>(memory: PollMemory, run: () => Promise<T>): Promise<T> {
  return polls.run(memory, run);
}

/** The memory of the poll that calls it; `undefined` in other work. */
export function getPollMemory(): PollMemory | undefined {
  return polls.getStore();
}
