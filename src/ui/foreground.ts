/** Distinguishes work of a command the user waits for from background work, which must not prompt. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface ForegroundTask {
  finished: boolean;
  readonly mayPrompt: boolean;
}

const foregroundTasks = new AsyncLocalStorage<ForegroundTask>();

/**
 * Runs a command in the foreground. Timers and pollers it leaves are background once it settles. Rejects as `run` does.
 * `mayPrompt`: whether its requests may open dialogs about credentials.
 */
export async function runInForeground<T>(run: () => T | Promise<T>, mayPrompt = true): Promise<T> {
  const task: ForegroundTask = { finished: false, mayPrompt };
  try {
    return await foregroundTasks.run(task, run);
  } finally {
    task.finished = true;
  }
}

/** True while the user waits for the command that runs this code. */
export function isForeground(): boolean {
  return foregroundTasks.getStore()?.finished === false;
}

/** True while the user waits for the command that runs this code, and it may open dialogs. */
export function mayPrompt(): boolean {
  return isForeground() && foregroundTasks.getStore()?.mayPrompt === true;
}
