import { hasErrorCode } from '../../platform/errors.ts';
import type { RequestRecord } from '../../platform/client.ts';

/** Whether the platform can be reached, and until when it asks to wait. Calls `onChange` with each change. */
export class Reachability {
  readonly #onChange: () => void;
  #isOffline = false;
  #waitingUntil: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isOffline(): boolean {
    return this.#isOffline;
  }

  /** Milliseconds since the epoch; undefined while there is no wait. */
  get waitingUntil(): number | undefined {
    return this.#waitingUntil;
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
    this.#waitingUntil = Math.max(this.#waitingUntil ?? 0, Date.now() + milliseconds);
    this.#announceWait();
  }

  /** Ends the wait without announcing it. */
  end(): void {
    clearTimeout(this.#timer);
    this.#waitingUntil = undefined;
  }

  /** Announces the wait each second, since its text counts down, and its end. */
  #announceWait(): void {
    clearTimeout(this.#timer);
    const left = (this.#waitingUntil ?? 0) - Date.now();
    if (left <= 0) this.#waitingUntil = undefined;
    else this.#timer = setTimeout(() => this.#announceWait(), Math.min(left, 1000));
    this.#onChange();
  }
}
