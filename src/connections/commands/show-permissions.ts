/** Show Permissions: own role, default role and API keys as matrices, in a read-only document. */
import type { Services } from '../../commands/context.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import { formatError } from '../../model/error-message.ts';
import { resolveSession } from '../session/pick-session.ts';
import { formatOrganization } from '../../model/heading.ts';
import { escapeMarkdown } from '../reports/markdown.ts';
import { formatKeyExpiry, formatPermissionMatrix } from '../reports/permission-matrix.ts';
import { readGrants } from '../session/permissions.ts';
import { showReport } from '../reports/report-documents.ts';
import { getSessionStore } from '../session/session-store.ts';
import type { Session } from '../../model/session.ts';

/** Maximum number of API keys in the report. */
const MAX_API_KEYS = 200;
const MAX_ORGANIZATIONS = 20;

/** Opens the report of the given or a picked connection. Rejects with PlatformError. */
export async function showPermissions(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Show Permissions');
  if (session === undefined) return;
  const text = await services.ui.progress(`${session.heading}: reading permissions …`, async (signal) => {
    const permissionsLoaded = session.loadPermissions(signal, true);
    const parts = [
      `# Permissions: ${escapeMarkdown(session.heading)}`,
      `Read ${new Date().toISOString()}. What is not listed by a role is not granted.`,
    ];
    if (session.signedOutReason !== undefined) parts.push(`Not signed in: ${escapeMarkdown(session.signedOutReason)}.`);
    if (session.organizations.length === 0)
      parts.push('No organization is known, so no role can be read: use Add Organization…');
    const { length } = session.organizations;
    if (length > MAX_ORGANIZATIONS)
      parts.push(`Only the first ${String(MAX_ORGANIZATIONS)} of ${String(length)} organizations are shown.`);
    for (const organization of session.organizations.slice(0, MAX_ORGANIZATIONS)) {
      parts.push(`## ${escapeMarkdown(formatOrganization(organization))}`);
      parts.push(await formatRoleSection(session, organization.id, OWN_ROLE, 'Your role', signal));
      parts.push(await formatRoleSection(session, organization.id, 'default', 'Role of new members', signal));
    }
    parts.push('## API keys', await formatApiKeySection(session, signal));
    await permissionsLoaded;
    return parts.join('\n\n') + '\n';
  });
  if (session.ended.aborted) return;
  await showReport(session.profile.name, 'Permissions', services.redact(text), true);
}

async function formatRoleSection(
  session: Session,
  organization: string,
  role: string,
  title: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { item } = await session.client.read('roles', [organization, role], { signal });
    const grants = readGrants(item.view);
    const name = escapeMarkdown(item.view?.name ?? 'without a name');
    const description = item.view?.description === undefined ? '' : `\n\n${escapeMarkdown(item.view.description, 500)}`;
    const body = grants === undefined ? 'The answer lists no permissions.' : formatPermissionMatrix(grants);
    return `### ${title}: ${name}${description}\n\n${body}`;
  } catch (error) {
    return `### ${title}\n\n${formatReadError(error)}`;
  }
}

async function formatApiKeySection(session: Session, signal: AbortSignal): Promise<string> {
  const sections: string[] = [];
  let count = 0;
  try {
    for await (const page of session.client.listPages('api-keys', {}, { signal })) {
      for (const { view } of page.items) {
        if (++count > MAX_API_KEYS)
          return [...sections, `Only the first ${String(MAX_API_KEYS)} API keys are shown.`].join('\n\n');
        const grants = readGrants(view);
        const name = escapeMarkdown(view?.name ?? view?.id ?? 'without a name');
        const body = grants === undefined ? 'The answer lists no permissions.' : formatPermissionMatrix(grants);
        sections.push(`### ${name} (${formatKeyExpiry(view?.expires_at, Date.now())})\n\n${body}`);
      }
    }
  } catch (error) {
    sections.push(formatReadError(error));
  }
  return sections.length === 0 ? 'There are none that this identity may see.' : sections.join('\n\n');
}

function formatReadError(error: unknown): string {
  if (hasErrorCode(error, 'cancelled')) throw error;
  return escapeMarkdown(formatError('Could not be read', error), 500);
}
