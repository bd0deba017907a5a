/** Follows one source, for programs. */
import { systemClock, type Clock } from '../../model/clock.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { WatchClient } from './source.ts';
import type { WatchSource } from './stored-watch.ts';
import { Watcher, type Change } from './watcher.ts';

interface FollowOptions {
  /** milliseconds between two requests */
  readonly interval: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** called when the platform fails, and with `undefined` when it responds again */
  readonly onProblem?: (problem: PlatformError | undefined) => void;
}

/**
 * Yields what a source is and each change of it, until it is final. Rejects with PlatformError for an error that does not
 * pass by itself, and when the signal fires.
 */
export async function* followSource(
  client: WatchClient,
  source: WatchSource,
  { interval, signal, clock = systemClock, onProblem }: FollowOptions,
): AsyncGenerator<Change> {
  const watcher = new Watcher(source);
  let isFailing = false;
  for (;;) {
    yield* await watcher.poll(client, { interval, signal, clock });
    const { problem, refusal } = watcher;
    if (refusal !== undefined) throw refusal;
    if (isFailing !== (problem !== undefined)) onProblem?.(problem);
    isFailing = problem !== undefined;
    if (watcher.isFinal) return;
    watcher.checkClock(clock.now());
    await clock.sleep(watcher.dueAt - clock.now(), signal);
    signal.throwIfAborted();
  }
}
