import type { Profile } from '../../model/session/session.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The confirm stage of the command line: production, and an unknown environment of another machine, must be named.
 * Throws UsageError.
 */
export function requireProductionPermission(
  { environment, baseUrl, name }: Pick<Profile, 'environment' | 'baseUrl' | 'name'>,
  allowed: string | undefined,
): void {
  const isGuarded =
    environment === 'production' || (environment === undefined && !isLoopback(new URL(baseUrl).hostname));
  if (!isGuarded || allowed === name) return;
  const what = environment === 'production' ? `${name} is production` : `the environment of ${name} is not specified`;
  throw new UsageError(
    allowed === undefined
      ? `${what}: nothing is sent without --allow-production ${name}`
      : `${what}: --allow-production names ${allowed}, not ${name}`,
  );
}
