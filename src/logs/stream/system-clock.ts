import type { TailClock } from './tail-options.ts';

/** The clock of this machine. */
export const systemClock: TailClock = { now: Date.now, sleep, after };

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(new Error('woken'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => {
    clearTimeout(timer);
  };
}
