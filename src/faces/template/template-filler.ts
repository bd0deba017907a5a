import { setImmediate } from 'node:timers/promises';
import { fillInSteps, type FillResult } from './fill-template.ts';
import type { Steps } from './values.ts';

/** Fills that are known; the oldest go first. More than the frames of a preview. */
const MAX_FILLS = 100;

interface Fill {
  readonly source: string;
  readonly data: unknown;
  result: FillResult | undefined;
}

/** Fills templates. Those that take long are filled in steps, between which the process does other work. */
export class TemplateFiller {
  readonly #onDidFill: () => void;
  readonly #signal: AbortSignal;
  #fills: readonly Fill[] = [];
  #queue: Promise<void> = Promise.resolve();

  /** `onDidFill` is called after a template was filled for which `fill` returned nothing. */
  constructor(onDidFill: () => void, signal: AbortSignal) {
    this.#onDidFill = onDidFill;
    this.#signal = signal;
  }

  /** As `fillTemplate`; `undefined` while the template is being filled. */
  readonly fill = (source: string, data: unknown): FillResult | undefined => {
    const known = this.#fills.find((fill) => fill.source === source && fill.data === data);
    if (known !== undefined) return known.result;
    const steps = fillInSteps(source, data);
    const first = steps.next();
    if (first.done === true) return first.value;
    const fill: Fill = { source, data, result: undefined };
    this.#fills = [...this.#fills, fill].slice(-MAX_FILLS);
    this.#queue = this.#queue.then(() => this.#finish(fill, steps));
    return undefined;
  };

  async #finish(fill: Fill, steps: Steps<FillResult>): Promise<void> {
    for (;;) {
      await setImmediate();
      if (this.#signal.aborted || !this.#fills.includes(fill)) return;
      const { done, value } = steps.next();
      if (done !== true) continue;
      fill.result = value;
      this.#onDidFill();
      return;
    }
  }
}
