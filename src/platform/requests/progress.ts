/** What the work of a call waits for, told to who started it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** `sentence`: without the full stop. `isWait`: the platform asked for it. */
export type ProgressListener = (sentence: string, isWait: boolean) => void;

const listeners = new AsyncLocalStorage<ProgressListener>();

/** Runs work whose progress the listener gets. Rejects as `run` does. */
export function observeProgress<T>(listener: ProgressListener, run: () => Promise<T>): Promise<T> {
  return listeners.run(listener, run);
}

/** Reports to the listener of the work that calls it. The sentence has no server text. */
export function reportProgress(sentence: string, isWait = false): void {
  listeners.getStore()?.(sentence, isWait);
}
