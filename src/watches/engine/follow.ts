/** Follows one source, for programs. */
import { systemClock, type Clock } from '../../logs/stream/clock.ts';
import type { WatchClient, WatchSource } from './source.ts';
import { Watcher, type Change } from './watcher.ts';

interface FollowOptions {
  /** milliseconds between two requests */
  readonly interval: number;
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, 'now' | 'sleep'>;
}

/**
 * Yields what a source is and each change of it, until it is final. Rejects with PlatformError for an error that does not
 * pass by itself, and when the signal fires.
 */
export async function* followSource(
  client: WatchClient,
  source: WatchSource,
  { interval, signal, clock = systemClock }: FollowOptions,
): AsyncGenerator<Change> {
  const watcher = new Watcher(source);
  for (;;) {
    yield* await watcher.poll(client, { interval, signal, clock });
    if (watcher.isFinal) return;
    if (watcher.refusal !== undefined) throw watcher.refusal;
    await clock.sleep(watcher.dueAt - clock.now(), signal);
    signal.throwIfAborted();
  }
}
