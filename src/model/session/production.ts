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

/** True for production, and for another machine whose environment is not known. */
export function mayBeProduction({ environment, baseUrl }: Address): boolean {
  return environment === 'production' || (environment === undefined && !isLoopback(new URL(baseUrl).hostname));
}

/** Addresses that reach this computer too, besides those of loopback: the unspecified ones, and IPv4 written as IPv6. */
const LOCAL = /^(?:0\.0\.0\.0|\[::\]|\[::ffff:(?:7f..|0):)/;

/** All names of this computer are the same, and a name with or without the dot of the root. */
function normalizeAddress({ baseUrl }: Address): string {
  const url = new URL(baseUrl);
  url.hostname = isLoopback(url.hostname) || LOCAL.test(url.hostname) ? 'localhost' : url.hostname.replace(/\.$/, '');
  return url.origin + url.pathname.replace(/\/+$/, '');
}
