/** Show Permissions: own role, default role and API keys as matrices, in a read-only document. */
import type { Services } from '../../commands/context.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import { formatError } from '../../model/error-message.ts';
import { resolveSession } from '../session/pick-session.ts';
import { formatOrganization, formatSessionProblem } from '../../model/heading.ts';
import { escapeMarkdown } from '../reports/markdown.ts';
import { formatKeyExpiry, formatPermissionMatrix } from '../reports/permission-matrix.ts';
import { readGrants } from '../session/permissions.ts';
import { showReport } from '../reports/report-documents.ts';
import { getSessionStore } from '../session/session-store.ts';
import type { Organization, Session } from '../../model/session.ts';

/** Maximum number of API keys in the report. */
const MAX_API_KEYS = 200;
const MAX_ORGANIZATIONS = 20;

/** Opens the report of the given or a picked connection. Rejects with PlatformError. */
export async function showPermissions(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Show Permissions');
  if (session === undefined) return;
  const text = await services.ui.progress(`${session.heading}: loading permissions…`, async (signal) => {
    const permissionsLoaded = session.loadPermissions(signal, true);
    const { length } = session.organizations;
    const organizations = session.organizations.slice(0, MAX_ORGANIZATIONS);
    const roles: RoleSection[] = [];
    for (const organization of organizations) {
      roles.push({ text: `## ${escapeMarkdown(formatOrganization(organization))}` });
      roles.push(await formatRoleSection(session, organization, OWN_ROLE, 'Your role', signal));
      roles.push(await formatRoleSection(session, organization, 'default', 'Role of new members', signal));
    }
    const keys = await formatApiKeySection(session, signal);
    await permissionsLoaded;
    const ownRoles = roles.flatMap(({ ownRole }) => ownRole ?? []);
    const parts = [
      `# Permissions: ${escapeMarkdown(session.heading)}`,
      [
        `- **Session**: ${escapeMarkdown(formatSession(session), 500)}`,
        `- **Your roles**: ${formatOwnRoles(ownRoles)}`,
        `- **API keys**: ${keys.summary}`,
      ].join('\n'),
      `Read ${new Date().toISOString()}. Permissions that a role does not list are not granted.`,
      ...(length === 0 ? ['No organization is known, so no roles can be loaded. Use Add Organization…'] : []),
      ...(length > MAX_ORGANIZATIONS
        ? [`Only the first ${String(MAX_ORGANIZATIONS)} of ${String(length)} organizations are shown.`]
        : []),
      ...roles.map((role) => role.text),
      '## API keys',
      keys.text,
    ];
    return parts.join('\n\n') + '\n';
  });
  if (session.ended.aborted) return;
  await showReport(session.profile.name, 'Permissions', services.redact(text));
}

/** Names the first two, so that the summary stays short. */
function formatOwnRoles(roles: readonly string[]): string {
  if (roles.length === 0) return 'could not be loaded';
  const others = roles.length - 2;
  return roles.slice(0, 2).join(', ') + (others > 0 ? ` and ${String(others)} more` : '');
}

function formatSession(session: Session): string {
  const { signedOutReason, identity } = session;
  if (signedOutReason !== undefined) return signedOutReason;
  const kinds = session.credentialKinds.has('accessToken') ? 'access token' : 'API key';
  return `${formatSessionProblem(session) ?? 'signed in'} with ${kinds}${identity?.subject === undefined ? '' : ` as ${identity.subject}`}`;
}

/** Markdown; `ownRole`: the caller's role and its organization, where it could be read */
interface RoleSection {
  readonly text: string;
  readonly ownRole?: string;
}

async function formatRoleSection(
  session: Session,
  organization: Organization,
  role: string,
  title: string,
  signal: AbortSignal,
): Promise<RoleSection> {
  try {
    const { item } = await session.client.read('roles', [organization.id, role], { signal });
    const grants = readGrants(item.view);
    const name = escapeMarkdown(item.view?.name ?? 'without a name');
    const description = item.view?.description === undefined ? '' : `\n\n${escapeMarkdown(item.view.description, 500)}`;
    const body = grants === undefined ? 'The response contains no permissions.' : formatPermissionMatrix(grants);
    return {
      text: `### ${title}: ${name}${description}\n\n${body}`,
      ...(role === OWN_ROLE && { ownRole: `${name} in ${escapeMarkdown(formatOrganization(organization))}` }),
    };
  } catch (error) {
    return { text: `### ${title}\n\n${formatReadError(error)}` };
  }
}

async function formatApiKeySection(
  session: Session,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly summary: string }> {
  const sections: string[] = [];
  let expiredCount = 0;
  const finish = (note?: string): { readonly text: string; readonly summary: string } => {
    const count = sections.length === 0 ? 'none' : String(sections.length);
    const text = [...sections, ...(note === undefined ? [] : [note])].join('\n\n');
    return {
      text: text === '' ? 'None are visible to this identity.' : text,
      summary: `${note === undefined ? count : `${count} shown`}${expiredCount === 0 ? '' : `, ${String(expiredCount)} expired`}`,
    };
  };
  try {
    for await (const page of session.client.listPages('api-keys', {}, { signal })) {
      for (const { view } of page.items) {
        if (sections.length === MAX_API_KEYS)
          return finish(`Only the first ${String(MAX_API_KEYS)} API keys are shown.`);
        const grants = readGrants(view);
        const name = escapeMarkdown(view?.name ?? view?.id ?? 'without a name');
        const body = grants === undefined ? 'The response contains no permissions.' : formatPermissionMatrix(grants);
        const expiry = formatKeyExpiry(view?.expires_at, Date.now());
        if (expiry.startsWith('expired')) expiredCount++;
        sections.push(`### ${name} (${expiry})\n\n${body}`);
      }
    }
  } catch (error) {
    return finish(formatReadError(error));
  }
  return finish();
}

function formatReadError(error: unknown): string {
  if (hasErrorCode(error, 'cancelled')) throw error;
  return escapeMarkdown(formatError('Could not be loaded', error), 500);
}
