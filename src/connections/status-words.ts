/** What the status bar and tooltips say of a session (pure). */
import { environmentWords, organizationWords } from './heading.ts';
import type { Organization, Session } from './types.ts';

/** Milliseconds before its end that a token is warned about. */
export const WARN_BEFORE = 5 * 60_000;

export type Mood = 'production' | 'warning' | 'plain';

export interface StatusWords {
  readonly icon: string;
  readonly text: string;
  readonly mood: Mood;
  /** label and value, plain text */
  readonly lines: readonly (readonly [string, string])[];
}

type Shown = Pick<Session, 'profile' | 'identity' | 'expired' | 'signedOutBecause' | 'holds'>;

export function statusWords(
  session: Shown,
  organization: Organization | undefined,
  problems: readonly string[],
  now: number,
): StatusWords {
  const production = session.profile.environment === 'production';
  const trouble = session.signedOutBecause !== undefined ? 'signed out' : expiryWords(session, now);
  const parts = [
    ...(production ? [environmentWords(session.profile)] : []),
    session.profile.name,
    ...(organization === undefined ? [] : [organizationWords(organization)]),
    ...(production ? [] : [environmentWords(session.profile)]),
  ];
  return {
    icon: trouble === undefined ? 'plug' : 'warning',
    text: parts.join(' · ') + (trouble === undefined ? '' : ` (${trouble})`),
    mood: production ? 'production' : trouble === undefined || trouble === 'signed out' ? 'plain' : 'warning',
    lines: [...sessionLines(session, now), ...problems.map((problem) => ['Settings', problem] as const)],
  };
}

/** `undefined` while there is nothing to say: no token, time enough, or it is renewed by itself. */
export function expiryWords(session: Shown, now: number): string | undefined {
  const expires = session.identity?.expires;
  if (session.expired) return 'token expired';
  if (expires === undefined || expires - now > WARN_BEFORE || renewsItself(session)) return undefined;
  const minutes = Math.max(1, Math.ceil((expires - now) / 60_000));
  return `token expires in ${String(minutes)} min`;
}

/** When the words change next by time alone; `undefined`: not of themselves. */
export function nextChange(session: Shown, now: number): number | undefined {
  const expires = session.identity?.expires;
  if (expires === undefined || expires <= now || renewsItself(session)) return undefined;
  return expires - now > WARN_BEFORE ? expires - WARN_BEFORE : Math.min(expires, now + 60_000);
}

function renewsItself({ profile, holds }: Shown): boolean {
  return profile.refreshPath !== undefined && holds.has('refreshToken');
}

/** What the credential reaches, or why that is not known; `undefined` when signed out. */
export function formatScope({ identity, holds }: Pick<Shown, 'identity' | 'holds'>): string | undefined {
  if (holds.size === 0) return undefined;
  if (identity?.systemScoped === true) return 'system: lists of an organization’s objects stay empty with this token';
  return (
    identity?.fqdn ?? `not known: ${holds.has('accessToken') ? 'the token names none' : 'an API key does not tell it'}`
  );
}

/** For tooltips: who is signed in where, until when. */
export function sessionLines(session: Shown, now: number): (readonly [string, string])[] {
  const { profile, identity, holds } = session;
  const lines: (readonly [string, string])[] = [
    ['Environment', environmentWords(profile)],
    ['Address', profile.baseUrl],
  ];
  if (session.signedOutBecause !== undefined) lines.push(['Signed out', session.signedOutBecause]);
  else {
    const held = [
      holds.has('accessToken') && 'access token',
      holds.has('apiKey') && 'API key',
      holds.has('refreshToken') && 'refresh token',
    ].filter((part) => part !== false);
    lines.push(['Signed in with', held.join(', ')]);
  }
  if (identity?.subject !== undefined) lines.push(['Subject', identity.subject]);
  if (identity?.organization !== undefined) lines.push(['Organization of the token', identity.organization]);
  const scope = formatScope(session);
  if (scope !== undefined) lines.push(['Scope', scope]);
  if (identity?.expires !== undefined) {
    const words = expiryWords(session, now) ?? (renewsItself(session) ? 'renewed by itself' : undefined);
    const at = new Date(identity.expires).toLocaleString();
    lines.push([identity.expires <= now ? 'Expired' : 'Expires', words === undefined ? at : `${at} (${words})`]);
  }
  return lines;
}
