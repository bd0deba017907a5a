/** Labels of the connection, environment and organization that a command affects. */
import { toPlainText } from '../platform/text/plain-text.ts';
import { isLoopback } from '../platform/http/proxy.ts';
import type { Environment, Organization, Profile, Session } from './session.ts';

const environmentLabels: Readonly<Record<Environment, string>> = {
  sandbox: 'Sandbox',
  development: 'Development',
  staging: 'Staging',
  production: 'PRODUCTION',
};

/** Label of a connection's environment, also where none is set. */
export function formatEnvironment({ environment, baseUrl }: Pick<Profile, 'environment' | 'baseUrl'>): string {
  if (environment !== undefined) return environmentLabels[environment];
  return isLoopback(new URL(baseUrl).hostname) ? 'This machine' : 'Environment not named';
}

/** One line without invisible characters: id and label are untrusted. */
export function formatOrganization(organization: Organization): string {
  return toPlainText(organization.label ?? organization.id);
}

/** `PRODUCTION · name · organization` */
export function formatHeading(
  profile: Pick<Profile, 'name' | 'baseUrl' | 'environment'>,
  organization: Organization | undefined,
): string {
  const parts = [formatEnvironment(profile), profile.name];
  return (organization === undefined ? parts : [...parts, formatOrganization(organization)]).join(' · ');
}

/** `Not signed in to PRODUCTION · Live.`, followed by the reason if it adds information. */
export function formatSignedOut({
  profile,
  signedOutReason = '',
}: Pick<Session, 'signedOutReason'> & { readonly profile: Pick<Profile, 'name' | 'baseUrl' | 'environment'> }): string {
  const reason = /^(not signed in)?\.?$/i.test(signedOutReason) ? '' : ` ${signedOutReason.replace(/\.?$/, '.')}`;
  return `Not signed in to ${toPlainText(formatHeading(profile, undefined), 200)}.${reason}`;
}
