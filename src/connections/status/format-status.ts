/** Texts of the status bar and tooltips about a session. */
import { formatEnvironment, formatIdentity, formatSessionProblem } from '../../model/heading.ts';
import type { Session } from '../../model/session.ts';

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
  Partial<Pick<Session, 'identityName'>>;

/** Text, icon, severity and tooltip lines of a session; `now` in milliseconds since the epoch. */
export function getSessionStatus(session: StatusSession, problems: readonly string[], now: number): SessionStatus {
  const production = session.profile.environment === 'production';
  const problem = formatSessionProblem(session) ?? formatExpiry(session, now);
  const parts = [
    ...(production ? [formatEnvironment(session.profile)] : []),
    formatIdentity(session.profile.name, session.identityName),
    ...(production ? [] : [formatEnvironment(session.profile)]),
  ];
  return {
    icon: problem === undefined ? 'plug' : 'warning',
    text: parts.join(' · ') + (problem === undefined ? '' : ` (${problem})`),
    severity: production
      ? 'production'
      : problem === undefined || session.signedOutReason !== undefined
        ? 'plain'
        : 'warning',
    lines: [...listSessionDetails(session, now), ...problems.map((problem) => ['Settings', problem] as const)],
  };
}

/** Warning about the end of the session; `undefined` where it is far off or the token is renewed automatically. */
export function formatExpiry(session: StatusSession, now: number): string | undefined {
  const expires = session.identity?.expires;
  if (session.expired) return 'session expired';
  if (expires === undefined || expires - now > EXPIRY_WARNING_MS || refreshesAutomatically(session)) return undefined;
  const minutes = Math.max(1, Math.ceil((expires - now) / 60_000));
  return `session expires in ${String(minutes)} min`;
}

/** Time of the next change of the status text; `undefined` where time does not change it. */
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
  if (identity?.systemScoped === true) return 'system: this token can’t read the objects of organizations';
  const reason = credentialKinds.has('accessToken') ? 'not provided by the token' : 'not provided by API keys';
  return identity?.fqdn ?? reason;
}

/** Tooltip lines: identity, destination and expiry. */
export function listSessionDetails(session: StatusSession, now: number): (readonly [string, string])[] {
  const { profile, identity, credentialKinds } = session;
  const lines: (readonly [string, string])[] = [
    ['Environment', formatEnvironment(profile)],
    ['Address', profile.baseUrl],
  ];
  if (session.identityName !== undefined) lines.push(['Identity', session.identityName]);
  if (session.signedOutReason !== undefined) lines.push(['Session', session.signedOutReason]);
  else {
    const kinds = [
      credentialKinds.has('accessToken') && 'access token',
      credentialKinds.has('apiKey') && 'API key',
      credentialKinds.has('refreshToken') && 'refresh token',
    ].filter((part) => part !== false);
    lines.push(['Signed in with', kinds.join(', ')]);
  }
  if (identity?.subject !== undefined) lines.push(['Subject', identity.subject]);
  if (identity?.organization !== undefined) lines.push(['Token organization', identity.organization]);
  const scope = formatScope(session);
  if (scope !== undefined) lines.push(['Scope', scope]);
  if (identity?.expires !== undefined) {
    const note = formatExpiry(session, now) ?? (refreshesAutomatically(session) ? 'renews automatically' : undefined);
    const at = new Date(identity.expires).toLocaleString();
    lines.push([
      identity.expires <= now ? 'Token expired' : 'Token expires',
      note === undefined ? at : `${at} (${note})`,
    ]);
  }
  return lines;
}
