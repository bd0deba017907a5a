import { formatClockTime } from '../../model/time-format.ts';
import { DEFAULT_IDENTITY } from '../../model/session.ts';
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
      text: `Could not refresh since ${clock(failure.since)} · last updated ${clock(readAt)}`,
      detail: `Could not refresh since ${clock(failure.since)}. Last updated ${clock(readAt)}. ${failure.reason}`,
    };
  }
  if (session.ended.aborted || current !== session) {
    const why =
      current === undefined
        ? 'The connection no longer exists'
        : session.ended.aborted
          ? 'The session has ended'
          : `Read as ${session.identityName ?? DEFAULT_IDENTITY}`;
    return {
      type: 'stale',
      text: `${why} · last updated ${clock(readAt)}`,
      detail: `${why}. Last updated ${clock(readAt)}.`,
    };
  }
  return { type: 'current', text: `Updated ${clock(readAt)}` };
}
