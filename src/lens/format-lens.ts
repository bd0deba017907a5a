/** The texts of a lens in the display language. */
import * as l10n from '@vscode/l10n';
import type { Session } from '../model/session/session.ts';
import { formatError } from '../model/text/error-message.ts';
import { formatConnectionName } from '../model/text/heading.ts';
import { formatRelativeTime } from '../model/text/time-format.ts';
import { formatAmount, formatList, formatNumber, formatPercent, pluralize } from '../platform/text/localization.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { LensFacts, Presence } from './lens-data.ts';
import { escapeIcons } from '../ui/escape-icons.ts';

interface LensText {
  readonly title: string;
  /** what the numbers were computed from */
  readonly tooltip: string;
}

/** Formats what is known of a mark. `now`: milliseconds since the epoch. `named`: the connection is named, since there are others. */
export function formatLens(facts: LensFacts, now: number, named: boolean): LensText {
  const { session, mark, count, logs, presence, busy, error } = facts;
  const hint = presence === undefined ? undefined : formatPresence(presence, session);
  const parts = [
    hint,
    count === undefined ? undefined : formatCount(mark.kind, Number(count.toFixed())),
    logs === undefined ? undefined : formatLogs(logs),
    logs?.last === undefined ? undefined : l10n.t('last {0}', formatRelativeTime(logs.last, now)),
  ].filter((part) => part !== undefined);
  const name = toPlainText(mark.name, 80);
  const tooltip = [
    `${name} · ${formatConnectionName(session.profile.name, session.profile.environment, session.identityName)}`,
    ...(count === undefined ? [] : [l10n.t('Statistics of the last 30 days')]),
    ...(logs === undefined
      ? []
      : [l10n.t('{0} of the {1} newest action logs', formatNumber(logs.count), formatNumber(logs.sampled))]),
    ...(error === undefined ? [] : [formatError(l10n.t('Read statistics'), error)]),
    l10n.t('Show Action Logs'),
  ].join('\n');
  const empty = busy ? l10n.t('Loading…') : error === undefined ? l10n.t('No runs') : l10n.t('No statistics');
  const text = parts.length > 0 ? parts.join(' · ') : empty;
  // A name may contain what VS Code would show as an icon.
  const title = escapeIcons(named ? l10n.t('{0} · on {1}', text, session.heading) : text);
  return { title: hint === undefined ? title : `$(info) ${title}`, tooltip };
}

function formatCount(kind: 'action' | 'template', count: number): string {
  return kind === 'action'
    ? pluralize(count, l10n.t('{0} run in 30 days|{0} runs in 30 days'))
    : pluralize(count, l10n.t('{0} object created in 30 days|{0} objects created in 30 days'));
}

function formatLogs({ count, failed, medianFee }: NonNullable<LensFacts['logs']>): string | undefined {
  const facts = [
    failed === undefined ? undefined : l10n.t('{0} failed', formatPercent(failed, 1)),
    medianFee === undefined
      ? undefined
      : l10n.t('median fee {0}', `${formatAmount(medianFee.value.toFixed())} ${medianFee.unit}`.trim()),
  ].filter((fact) => fact !== undefined);
  return facts.length === 0
    ? undefined
    : pluralize(count, l10n.t('{1} (of {0} log)|{1} (of {0} logs)'), facts.join(' · '));
}

/** What the user should know about where a template exists; `undefined` for a template of the connection. */
function formatPresence({ found, missing, unread }: Presence, session: Session): string | undefined {
  const format = (sessions: readonly Session[]): string =>
    formatList(
      sessions.map(({ profile, identityName }) => formatConnectionName(profile.name, undefined, identityName)),
    );
  if (missing.length === 0) return undefined;
  if (found.length === 0)
    return unread.length === 0
      ? l10n.t('Unknown template on every connection')
      : l10n.t('Unknown template on {0}', format(missing));
  const isSandbox = ({ profile }: Session): boolean => profile.environment === 'sandbox';
  if (found.every(isSandbox) && !missing.every(isSandbox))
    return l10n.t('Exists only on a sandbox: {0}', format(found));
  return missing.includes(session) ? l10n.t('Exists only on {0}', format(found)) : undefined;
}
