/** Lets equal requests in flight share one answer, without one caller's cancelling reaching the others. */
import { PlatformError } from './errors.ts';

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  callers: number;
}

export class InFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /**
   * Joins the flight of that key or starts one. The flight's own signal fires only when each of its callers has
   * cancelled. A caller that cancels rejects at once with PlatformError `cancelled`.
   */
  join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(new PlatformError('cancelled', 'Cancelled', { sent: false }));
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.callers++;
    if (signal === undefined) return flight.answer;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.callers--;
        if (flight.callers === 0) {
          this.#forget(key, flight);
          flight.stop.abort();
        }
        reject(new PlatformError('cancelled', 'Cancelled'));
      };
      signal.addEventListener('abort', leave, { once: true });
      flight.answer.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', leave);
      });
    });
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight: Flight<T> = { answer: start(stop.signal), stop, callers: 0 };
    this.#flights.set(key, flight);
    const forget = () => {
      this.#forget(key, flight);
    };
    flight.answer.then(forget, forget);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
