import { hasErrorCode } from '../../platform/errors.ts';
import type { RequestRecord } from '../../platform/client.ts';

/** Whether the platform can be reached, and until when it asks to wait. Calls `onChange` with each change. */
export class Reachability {
  readonly #onChange: () => void;
  #isOffline = false;
  /** the end of the wait, in milliseconds of a clock that is not set back */
  #waitEnd = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isOffline(): boolean {
    return this.#isOffline;
  }

  /** Milliseconds since the epoch; undefined while there is no wait. */
  get waitingUntil(): number | undefined {
    const left = this.#waitEnd - performance.now();
    return left > 0 ? Date.now() + left : undefined;
  }

  /** A response of any status shows that the platform can be reached. */
  record({ status, error }: RequestRecord): void {
    const isOffline = status === undefined && hasErrorCode(error, 'network', 'timeout');
    if (isOffline === this.#isOffline || (status === undefined && !isOffline)) return;
    this.#isOffline = isOffline;
    this.#onChange();
  }

  /** The platform asks to wait: milliseconds. */
  wait(milliseconds: number): void {
    this.#waitEnd = Math.max(this.#waitEnd, performance.now() + milliseconds);
    this.#announceWait();
  }

  /** Ends the wait without announcing it. */
  end(): void {
    clearTimeout(this.#timer);
    this.#waitEnd = 0;
  }

  /** Announces the wait each second, since its text counts down, and its end. */
  #announceWait(): void {
    clearTimeout(this.#timer);
    const left = this.#waitEnd - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#announceWait(), Math.min(left, 1000));
    this.#onChange();
  }
}
