/** Texts of the status bar and tooltips about a session. */
import * as l10n from '@vscode/l10n';
import { formatList, formatNumber, getDateLocale } from '../../platform/text/localization.ts';
import {
  formatEnvironment,
  formatIdentity,
  formatSessionProblem,
  formatWait,
  listEnvironment,
} from '../../model/text/heading.ts';
import type { Session } from '../../model/session/session.ts';

/** Milliseconds before expiry at which a token shows a warning. */
const EXPIRY_WARNING_MS = 5 * 60_000;

type StatusSeverity = 'production' | 'warning' | 'plain';

interface SessionStatus {
  readonly icon: string;
  readonly text: string;
  readonly severity: StatusSeverity;
  /** label and value, plain text */
  readonly lines: readonly (readonly [string, string])[];
}

type StatusSession = Pick<Session, 'profile' | 'identity' | 'expired' | 'signedOutReason' | 'credentialKinds'> &
  Partial<Pick<Session, 'identityName' | 'offline' | 'waitingUntil'>>;

/** Text, icon, severity and tooltip lines of a session; `now` in milliseconds since the epoch. */
export function getSessionStatus(session: StatusSession, problems: readonly string[], now: number): SessionStatus {
  const production = session.profile.environment === 'production';
  const problem = formatSessionProblem(session) ?? formatExpiry(session, now);
  const wait = problem === undefined ? formatWait(session, now) : undefined;
  const note = problem ?? wait;
  const parts = [
    ...(production ? listEnvironment(session.profile) : []),
    formatIdentity(session.profile.name, session.identityName),
    ...(production ? [] : listEnvironment(session.profile)),
  ];
  return {
    icon: problem !== undefined ? 'warning' : wait === undefined ? 'plug' : 'watch',
    text: note === undefined ? parts.join(' · ') : l10n.t('{0} ({1})', parts.join(' · '), note),
    severity: production
      ? 'production'
      : problem === undefined || session.signedOutReason !== undefined
        ? 'plain'
        : 'warning',
    lines: [...listSessionDetails(session, now), ...problems.map((problem) => [l10n.t('Settings'), problem] as const)],
  };
}

/** Warning about the end of the session; `undefined` if it is far off or the token is renewed automatically. */
export function formatExpiry(session: StatusSession, now: number): string | undefined {
  const expires = session.identity?.expires;
  if (session.expired) return l10n.t('session expired');
  if (expires === undefined || expires - now > EXPIRY_WARNING_MS || refreshesAutomatically(session)) return undefined;
  const minutes = Math.max(1, Math.ceil((expires - now) / 60_000));
  return l10n.t('session expires in {0} min', formatNumber(minutes));
}

/** Time of the next change of the status text; `undefined` if time does not change it. */
export function getNextStatusChange(session: StatusSession, now: number): number | undefined {
  const expires = session.identity?.expires;
  if (expires === undefined || expires <= now || refreshesAutomatically(session)) return undefined;
  return expires - now > EXPIRY_WARNING_MS ? expires - EXPIRY_WARNING_MS : Math.min(expires, now + 60_000);
}

function refreshesAutomatically({ profile, credentialKinds }: StatusSession): boolean {
  return profile.refreshPath !== undefined && credentialKinds.has('refreshToken');
}

/** What the credential can access, or why that is unknown; `undefined` when signed out. */
export function formatScope({
  identity,
  credentialKinds,
}: Pick<StatusSession, 'identity' | 'credentialKinds'>): string | undefined {
  if (credentialKinds.size === 0) return undefined;
  if (identity?.systemScoped === true) return l10n.t('system: this token can’t read the objects of organizations');
  if (identity?.fqdn !== undefined) return identity.fqdn;
  return credentialKinds.has('accessToken') ? l10n.t('not provided by the token') : l10n.t('not provided by API keys');
}

/** Tooltip lines: identity, destination and expiry. */
export function listSessionDetails(session: StatusSession, now: number): (readonly [string, string])[] {
  const { profile, identity, credentialKinds } = session;
  const lines: (readonly [string, string])[] = [
    [l10n.t('Environment'), formatEnvironment(profile)],
    [l10n.t('Address'), profile.baseUrl],
  ];
  if (session.identityName !== undefined) lines.push([l10n.t('Identity'), session.identityName]);
  if (session.signedOutReason !== undefined) lines.push([l10n.t('Session'), session.signedOutReason]);
  else {
    const kinds = [
      credentialKinds.has('accessToken') && l10n.t('access token'),
      credentialKinds.has('apiKey') && l10n.t('API key'),
      credentialKinds.has('refreshToken') && l10n.t('refresh token'),
    ].filter((part) => part !== false);
    lines.push([l10n.t('Signed in with'), formatList(kinds, 'unit')]);
  }
  if (identity?.subject !== undefined) lines.push([l10n.t('Subject'), identity.subject]);
  if (identity?.organization !== undefined) lines.push([l10n.t('Token organization'), identity.organization]);
  const scope = formatScope(session);
  if (scope !== undefined) lines.push([l10n.t('Scope'), scope]);
  if (identity?.expires !== undefined) {
    const note =
      formatExpiry(session, now) ?? (refreshesAutomatically(session) ? l10n.t('renews automatically') : undefined);
    const at = new Date(identity.expires).toLocaleString(getDateLocale());
    lines.push([
      identity.expires <= now ? l10n.t('Token expired') : l10n.t('Token expires'),
      note === undefined ? at : l10n.t('{0} ({1})', at, note),
    ]);
  }
  return lines;
}
