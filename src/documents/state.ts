/** Pure: what is to be said of a document's state, so that an old reading never looks like a new one. */
import { clockTime } from '../ui/times.ts';
import type { Shown } from './store.ts';

export type State =
  | { readonly is: 'fresh'; readonly text: string }
  /** `text`: one line; `detail`: the whole sentence */
  | { readonly is: 'old'; readonly text: string; readonly detail: string };

/** `current`: the session that the connection has now, if any. */
export function stateOf(
  { readAt, failure, session }: Pick<Shown, 'readAt' | 'failure' | 'session'>,
  current: unknown,
  clock: (time: number) => string = clockTime,
): State {
  if (failure !== undefined) {
    return {
      is: 'old',
      text: `Could not refresh since ${clock(failure.since)}; this was read at ${clock(readAt)}`,
      detail: `Could not refresh since ${clock(failure.since)}; what stands here was read at ${clock(readAt)}. ${failure.reason}`,
    };
  }
  if (session.ended.aborted || current !== session) {
    const why = current === undefined ? 'The connection is gone' : 'The sign-in it was read with has ended';
    return {
      is: 'old',
      text: `${why}; this was read at ${clock(readAt)}`,
      detail: `${why}; what stands here was read at ${clock(readAt)}.`,
    };
  }
  return { is: 'fresh', text: `Read at ${clock(readAt)}` };
}
