/** Tells work that a person has just asked for from background work, which never asks anything back (pure). */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Errand {
  over: boolean;
}

const errands = new AsyncLocalStorage<Errand>();

/** Runs a command. What it leaves behind (timers, pollers) is background again once it is over. */
export async function inForeground<T>(run: () => T | Promise<T>): Promise<T> {
  const errand: Errand = { over: false };
  try {
    return await errands.run(errand, run);
  } finally {
    errand.over = true;
  }
}

/** True while a person waits for the command that this code runs for. */
export function isForeground(): boolean {
  return errands.getStore()?.over === false;
}
