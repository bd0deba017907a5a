/** Checks a connection: a probe, every safe operation of the contract, and the caller's roles. */
import * as l10n from '@vscode/l10n';
import { formatOrganization } from '../../model/text/heading.ts';
import type { Session } from '../../model/session/session.ts';
import { PlatformError } from '../../platform/errors.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import { checkContract, type CheckTarget, type OperationResult } from './check-contract.ts';
import type { CheckReportData } from './check-report.ts';
import { probe, type ProbeOptions } from './probe.ts';

/** Roles that are read. */
const MAX_ROLES = 20;

interface CheckOptions extends Omit<ProbeOptions, 'profile' | 'signal'> {
  readonly signal: AbortSignal;
  /** called after each operation */
  readonly report: (operation: string) => void;
}

/** Resolves with what the report shows. Sends nothing after the probe if no platform responds. Rejects when aborted. */
export async function checkSession(
  session: Pick<CheckReportData['session'], 'profile'> & Pick<Session, 'organizations'> & CheckTarget,
  { signal, report, ...options }: CheckOptions,
): Promise<Pick<CheckReportData, 'probe' | 'roles' | 'results'>> {
  const found = await probe({ ...options, profile: session.profile, signal });
  if (found.error?.code === 'cancelled') throw found.error;
  const reached = found.error?.code !== 'network' && found.error?.code !== 'timeout' && found.platform !== 'no';
  const results: readonly OperationResult[] = reached ? await checkContract(session, signal, report) : [];
  return { probe: found, results, roles: reached ? await readRoles(session, signal) : [] };
}

async function readRoles(
  { client, organizations }: Pick<Session, 'client' | 'organizations'>,
  signal: AbortSignal,
): Promise<CheckReportData['roles']> {
  const roles: (readonly [string, string])[] = [];
  for (const organization of organizations.slice(0, MAX_ROLES)) {
    try {
      const { item } = await client.read('roles', [organization.id, OWN_ROLE], { signal });
      roles.push([formatOrganization(organization), item.view?.name ?? item.id ?? l10n.t('Unnamed')]);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code === 'cancelled') throw error;
      roles.push([formatOrganization(organization), l10n.t('unknown: {0}', error.message)]);
    }
  }
  return roles;
}
