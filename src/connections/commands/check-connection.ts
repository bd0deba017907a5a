/** Check Connection: a report of how the platform answers each operation. */
import type { Services } from '../../commands/context.ts';
import { isObject } from '../../platform/json/json.ts';
import { PlatformError } from '../../platform/errors.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import { formatCheckReport } from '../check/check-report.ts';
import { resolveSession } from '../session/pick-session.ts';
import { checkContract, type OperationResult } from '../check/check-contract.ts';
import { formatOrganization } from '../../model/heading.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { probe } from '../check/probe.ts';
import { showReport } from '../reports/report-documents.ts';
import { getSessionStore } from '../session/session-store.ts';
import type { ConnectionSession } from '../session/connection-session.ts';

/** Checks the given or a picked connection and opens the report. Rejects with an Error for an unknown connection. */
export async function checkConnection(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const chosen = await resolveSession(store, argument, 'Check Connection');
  const session = chosen === undefined ? undefined : store.get(chosen.profile.name);
  if (session === undefined) return;
  if (!(await requestPlainHttpConsent(store, session.profile))) return;
  const { transport, knownSecrets: known } = store;
  const text = await services.ui.progress(`${session.heading}: checking …`, async (signal, report) => {
    const found = await probe({
      profile: session.profile,
      credential: session.credential,
      transport,
      secrets: () => known.values,
      signal,
    });
    if (found.error?.code === 'cancelled') throw found.error;
    const reached = found.error?.code !== 'network' && found.error?.code !== 'timeout' && found.platform !== 'no';
    const results: readonly OperationResult[] = reached ? await checkContract(session, signal, report) : [];
    return formatCheckReport({
      session,
      probe: found,
      roles: reached ? await readRoles(session, signal) : [],
      results,
      version: readVersion(services.context.extension.packageJSON),
      now: new Date(),
    });
  });
  if (session.ended.aborted) return;
  await showReport(session.profile.name, 'Check', services.redact(text), false);
}

function readVersion(manifest: unknown): string {
  return isObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : '';
}

async function readRoles(session: ConnectionSession, signal: AbortSignal): Promise<(readonly [string, string])[]> {
  const roles: (readonly [string, string])[] = [];
  for (const organization of session.organizations.slice(0, 20)) {
    try {
      const { item } = await session.client.read('roles', [organization.id, OWN_ROLE], { signal });
      roles.push([formatOrganization(organization), item.view?.name ?? item.id ?? 'without a name']);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code === 'cancelled') throw error;
      roles.push([formatOrganization(organization), `not known: ${error.message}`]);
    }
  }
  return roles;
}
