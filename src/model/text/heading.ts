/** Labels of the connection and environment that a command affects, and of their session. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import type { Environment, Organization, Profile, Session } from '../session/session.ts';

const environmentLabels: Readonly<Record<Environment, string>> = {
  sandbox: l10n.t('Sandbox'),
  development: l10n.t('Development'),
  staging: l10n.t('Staging'),
  production: l10n.t('PRODUCTION'),
};

/** Label of a connection's environment, even if none is set. */
export function formatEnvironment({ environment, baseUrl }: Pick<Profile, 'environment' | 'baseUrl'>): string {
  if (environment !== undefined) return environmentLabels[environment];
  return isLoopback(new URL(baseUrl).hostname) ? l10n.t('Local') : l10n.t('Environment not set');
}

/** One line without invisible characters: id and label are untrusted. */
export function formatOrganization(organization: Organization): string {
  return toPlainText(organization.label ?? organization.id);
}

/** True if the connection itself names it, so that it can be renamed and removed. */
export function isNamedOrganization({ source }: Organization): boolean {
  return source === 'settings' || source === 'added';
}

/** The environment, or nothing for a connection that is called like it, say `Staging`; production is always named. */
export function listEnvironment(profile: Pick<Profile, 'name' | 'baseUrl' | 'environment'>): readonly string[] {
  const environment = formatEnvironment(profile);
  const isNamed = profile.environment !== 'production' && environment.toLowerCase() === profile.name.toLowerCase();
  return isNamed ? [] : [environment];
}

/** `PRODUCTION · name`, or `PRODUCTION · name as buyer` for one of several identities */
export function formatHeading(profile: Pick<Profile, 'name' | 'baseUrl' | 'environment'>, identity?: string): string {
  return [...listEnvironment(profile), formatIdentity(profile.name, identity)].join(' · ');
}

/** `name`, or `name as buyer` for one of several identities. */
export function formatIdentity(connection: string, identity: string | undefined): string {
  return identity === undefined ? connection : l10n.t('{0} as {1}', connection, toPlainText(identity, 64));
}

/** Why requests fail: no valid credential, or no connection to the platform; `undefined` if neither is known. */
export function formatSessionProblem({
  signedOutReason,
  expired,
  offline = false,
}: Pick<Session, 'signedOutReason' | 'expired'> & Partial<Pick<Session, 'offline'>>): string | undefined {
  if (signedOutReason !== undefined) return l10n.t('not signed in');
  if (expired) return l10n.t('session expired');
  return offline ? l10n.t('offline') : undefined;
}

/** `waiting 7 s, asked by the platform`; `undefined` if no request waits. `now`: milliseconds since 1970. */
export function formatWait({ waitingUntil = 0 }: Pick<Session, 'waitingUntil'>, now: number): string | undefined {
  const seconds = Math.ceil((waitingUntil - now) / 1000);
  return seconds > 0 ? l10n.t('waiting {0} s, asked by the platform', formatNumber(seconds)) : undefined;
}

/** `name as buyer`, of a production connection `name (PRODUCTION)`: for labels that name an effect first. */
export function formatConnectionName(name: string, environment: string | undefined, identity?: string): string {
  const label = formatIdentity(toPlainText(name, 80), identity);
  return environment === 'production' ? `${label} (${environmentLabels.production})` : label;
}

/** Why a session without a credential is signed out, if there is no other reason. */
export const NOT_SIGNED_IN = l10n.t('Not signed in');

/** `Not signed in to PRODUCTION · Live.`, followed by the reason if it adds information. */
export function formatSignedOut({
  profile,
  identityName,
  signedOutReason = '',
}: Pick<Session, 'signedOutReason'> &
  Partial<Pick<Session, 'identityName'>> & {
    readonly profile: Pick<Profile, 'name' | 'baseUrl' | 'environment'>;
  }): string {
  const text = l10n.t('Not signed in to {0}.', toPlainText(formatHeading(profile, identityName), 200));
  if (signedOutReason === '' || signedOutReason === NOT_SIGNED_IN) return text;
  return `${text} ${signedOutReason.replace(/\.?$/, '.')}`;
}
