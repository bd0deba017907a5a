/** The words that say which platform a click touches (pure). */
import { plainText } from '../platform/plain-text.ts';
import { isLoopback } from '../platform/proxy.ts';
import type { Environment, Organization, Profile } from './types.ts';

const words: Readonly<Record<Environment, string>> = {
  sandbox: 'Sandbox',
  development: 'Development',
  staging: 'Staging',
  production: 'PRODUCTION',
};

export function environmentWords({ environment, baseUrl }: Pick<Profile, 'environment' | 'baseUrl'>): string {
  if (environment !== undefined) return words[environment];
  return isLoopback(new URL(baseUrl).hostname) ? 'This machine' : 'Environment not named';
}

/** One line without invisible characters: a server chose the id, a workspace may have chosen the label. */
export function organizationWords(organization: Organization): string {
  return plainText(organization.label ?? organization.id);
}

/** `PRODUCTION · name · organization` */
export function headingOf(
  profile: Pick<Profile, 'name' | 'baseUrl' | 'environment'>,
  organization: Organization | undefined,
): string {
  const parts = [environmentWords(profile), profile.name];
  return (organization === undefined ? parts : [...parts, organizationWords(organization)]).join(' · ');
}
