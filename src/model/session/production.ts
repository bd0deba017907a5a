import { isLoopback } from '../../platform/http/proxy.ts';
import type { Profile } from './session.ts';

type Address = Pick<Profile, 'baseUrl' | 'environment'>;

/**
 * The profile, as production if a known connection says that its address is: the same origin and base path under another
 * name, on this computer too.
 */
export function markProduction<T extends Address>(profile: T, known: readonly Address[]): T {
  const address = normalizeAddress(profile);
  const isKnown = known.some((one) => one.environment === 'production' && normalizeAddress(one) === address);
  return isKnown ? { ...profile, environment: 'production' } : profile;
}

/** All names of this computer are the same. */
function normalizeAddress({ baseUrl }: Address): string {
  const url = new URL(baseUrl);
  if (isLoopback(url.hostname)) url.hostname = 'localhost';
  return url.origin + url.pathname.replace(/\/+$/, '');
}
