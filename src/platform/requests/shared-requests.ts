/** Shares the response of equal requests in flight. */
import { cancelledError } from '../http/network-errors.ts';

interface SharedRequest<T> {
  readonly response: Promise<T>;
  readonly stop: AbortController;
  callers: number;
}

/** Requests in flight by key. One caller's cancellation does not affect the others. */
export class SharedRequests<T> {
  readonly #requests = new Map<string, SharedRequest<T>>();

  /**
   * Joins the request of that key or starts one. Its signal fires when all of its callers have cancelled. Rejects as the
   * request does, or at once with PlatformError `cancelled` for a caller that cancels.
   */
  join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(cancelledError(false));
    const request = this.#requests.get(key) ?? this.#start(key, start);
    request.callers++;
    if (signal === undefined) return request.response;
    return new Promise((resolve, reject) => {
      const leave = () => {
        request.callers--;
        if (request.callers === 0) {
          this.#remove(key, request);
          request.stop.abort();
        }
        reject(cancelledError());
      };
      signal.addEventListener('abort', leave, { once: true });
      request.response.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): SharedRequest<T> {
    const stop = new AbortController();
    const request: SharedRequest<T> = { response: start(stop.signal), stop, callers: 0 };
    this.#requests.set(key, request);
    const remove = () => this.#remove(key, request);
    request.response.then(remove, remove);
    return request;
  }

  #remove(key: string, request: SharedRequest<T>): void {
    if (this.#requests.get(key) === request) this.#requests.delete(key);
  }
}
