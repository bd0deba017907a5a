/** Check Connection: what a platform answers to whom, operation by operation, as a report. */
import type { Services } from '../../commands/entry.ts';
import { isObject } from '../../platform/json.ts';
import { PlatformError } from '../../platform/errors.ts';
import { checkReport } from '../check-report.ts';
import { sessionFor } from '../choose.ts';
import { checkContract, type OperationResult } from '../contract-check.ts';
import { organizationWords } from '../heading.ts';
import { allowPlainHttp } from '../plain-http.ts';
import { probe } from '../probe.ts';
import { showReport } from '../reports.ts';
import { storeOf } from '../services.ts';
import type { ConnectionSession } from '../session.ts';

export async function checkConnection(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const chosen = await sessionFor(store, argument, 'Check Connection');
  const session = chosen === undefined ? undefined : store.get(chosen.profile.name);
  if (session === undefined) return;
  if (!(await allowPlainHttp(store, session.profile))) return;
  const { transport, known } = store;
  const text = await services.ui.progress(`${session.heading}: checking …`, async (signal, say) => {
    const found = await probe({
      profile: session.profile,
      credential: session.credential,
      transport,
      secrets: () => known.values,
      signal,
    });
    if (found.error?.code === 'cancelled') throw found.error;
    const reached = found.error?.code !== 'network' && found.error?.code !== 'timeout' && found.platform !== 'no';
    const results: readonly OperationResult[] = reached ? await checkContract(session, signal, say) : [];
    return checkReport({
      session,
      probe: found,
      roles: reached ? await rolesOf(session, signal) : [],
      results,
      version: versionOf(services.context.extension.packageJSON),
      now: new Date(),
    });
  });
  if (session.ended.aborted) return;
  await showReport(session.profile.name, 'Check', services.redact(text), false);
}

function versionOf(manifest: unknown): string {
  return isObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : '';
}

async function rolesOf(session: ConnectionSession, signal: AbortSignal): Promise<(readonly [string, string])[]> {
  const roles: (readonly [string, string])[] = [];
  for (const organization of session.organizations.slice(0, 20)) {
    try {
      const { item } = await session.client.read('roles', [organization.id, 'myrole'], { signal });
      roles.push([organizationWords(organization), item.view?.name ?? item.id ?? 'without a name']);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code === 'cancelled') throw error;
      roles.push([organizationWords(organization), `not known: ${error.message}`]);
    }
  }
  return roles;
}
