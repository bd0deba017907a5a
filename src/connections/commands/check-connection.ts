/** Check Connection: a report of how the platform responds to each operation. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { isObject } from '../../platform/json/json.ts';
import { formatCheckReport } from '../check/check-report.ts';
import { checkSession } from '../check/check-session.ts';
import { resolveSession } from '../session/pick-session.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { showReport } from '../reports/report-documents.ts';
import { getSessionStore } from '../session/session-store.ts';

/** Checks the given or a picked connection and opens the report. Rejects with an Error for an unknown connection. */
export async function checkConnection(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const chosen = await resolveSession(store, argument, l10n.t('Check Connection'));
  const session = chosen === undefined ? undefined : store.get(chosen.profile.name);
  if (session === undefined) return;
  if (!(await requestPlainHttpConsent(store, session.profile))) return;
  const { transport, knownSecrets: known } = store;
  const text = await services.ui.progress(
    l10n.t('{0}: checking the connection…', session.heading),
    async (signal, report) => {
      const found = await checkSession(session, {
        credential: session.credential,
        transport,
        secrets: () => known.values,
        signal,
        report,
      });
      return formatCheckReport({
        session,
        ...found,
        version: readVersion(services.context.extension.packageJSON),
        now: new Date(),
      });
    },
  );
  if (session.ended.aborted) return;
  await showReport(
    session.profile.name,
    l10n.t({ message: 'Check', args: [], comment: 'Noun: the title of a report' }),
    services.redact(text),
  );
}

function readVersion(manifest: unknown): string {
  return isObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : '';
}
