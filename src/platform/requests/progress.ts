/** What the work of a call waits for, told to who started it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../text/localization.ts';

/** `sentence`: without the full stop. `wait`: milliseconds, if it is a wait that the platform asked for. */
export type ProgressListener = (sentence: string, wait: number | undefined) => void;

const listeners = new AsyncLocalStorage<ProgressListener>();

/** Runs work whose progress the listener gets. Rejects as `run` does. */
export function observeProgress<T>(listener: ProgressListener, run: () => Promise<T>): Promise<T> {
  return listeners.run(listener, run);
}

/** Reports to the listener of the work that calls it. The sentence has no server text. */
export function reportProgress(sentence: string, wait?: number): void {
  listeners.getStore()?.(sentence, wait);
}

/** Runs work that reports its steps; a wait is shown as one, and the step before it again when the wait ends. Rejects as `work` does. */
export async function reportWaits<T>(
  report: (step: string) => void,
  work: (report: (step: string) => void) => Promise<T>,
): Promise<T> {
  let step = '';
  let timer: NodeJS.Timeout | undefined;
  const listener: ProgressListener = (_sentence, wait) => {
    if (wait === undefined) return;
    report(l10n.t('Waiting {0} s, asked by the platform', formatNumber(Math.ceil(wait / 1000))));
    clearTimeout(timer);
    timer = setTimeout(() => report(step), wait);
  };
  const reportStep = (next: string): void => {
    clearTimeout(timer);
    step = next;
    report(next);
  };
  try {
    return await observeProgress(listener, () => work(reportStep));
  } finally {
    clearTimeout(timer);
  }
}
