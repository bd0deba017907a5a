import * as l10n from '@vscode/l10n';
import { formatClockTime } from '../../model/text/time-format.ts';
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';
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
  const updated = clock(readAt);
  if (failure !== undefined) {
    const since = clock(failure.since);
    return {
      type: 'stale',
      text: l10n.t('Refresh has failed since {0} · last updated {1}', since, updated),
      detail: l10n.t('Refresh has failed since {0}. Last updated {1}. {2}', since, updated, failure.reason),
    };
  }
  if (session.ended.aborted || current !== session) {
    const reason = formatStaleReason(session, current);
    return {
      type: 'stale',
      text: l10n.t('{0} · last updated {1}', reason, updated),
      detail: l10n.t('{0}. Last updated {1}.', reason, updated),
    };
  }
  return {
    type: 'current',
    text: l10n.t({ message: 'Updated {0}', args: [updated], comment: 'The argument is a time' }),
  };
}

function formatStaleReason(session: ShownDocument['session'], current: unknown): string {
  if (current === undefined) return l10n.t('The connection no longer exists');
  return session.ended.aborted
    ? l10n.t('The session has ended')
    : l10n.t('Read as {0}', session.identityName ?? DEFAULT_IDENTITY);
}
