import type { Profile } from '../../model/session/session.ts';
import { mayBeProduction } from '../../model/session/production.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The confirm stage of the command line: production, and an unknown environment of another machine, must be named.
 * Throws UsageError.
 */
export function requireProductionPermission(
  profile: Pick<Profile, 'environment' | 'baseUrl' | 'name'>,
  allowed: string | undefined,
): void {
  const { environment, name } = profile;
  if (!mayBeProduction(profile) || allowed === name) return;
  const what = environment === 'production' ? `${name} is production` : `the environment of ${name} is not specified`;
  throw new UsageError(
    allowed === undefined
      ? `${what}: nothing is sent without --allow-production ${name}`
      : `${what}: --allow-production names ${allowed}, not ${name}`,
  );
}
