import { formatClockTime } from '../../model/time-format.ts';
import type { ShownDocument } from './document-store.ts';

export type Freshness =
  | { readonly type: 'current'; readonly text: string }
  /** `text`: short form; `detail`: with the reason */
  | { readonly type: 'stale'; readonly text: string; readonly detail: string };

/** Describes whether a document is current. `current`: the connection's session now, if any. */
export function getFreshness(
  { readAt, failure, session }: Pick<ShownDocument, 'readAt' | 'failure' | 'session'>,
  current: unknown,
  clock: (time: number) => string = formatClockTime,
): Freshness {
  if (failure !== undefined) {
    return {
      type: 'stale',
      text: `Could not refresh since ${clock(failure.since)}; this was read at ${clock(readAt)}`,
      detail: `Could not refresh since ${clock(failure.since)}; what stands here was read at ${clock(readAt)}. ${failure.reason}`,
    };
  }
  if (session.ended.aborted || current !== session) {
    const why = current === undefined ? 'The connection is gone' : 'The sign-in it was read with has ended';
    return {
      type: 'stale',
      text: `${why}; this was read at ${clock(readAt)}`,
      detail: `${why}; what stands here was read at ${clock(readAt)}.`,
    };
  }
  return { type: 'current', text: `Read at ${clock(readAt)}` };
}
