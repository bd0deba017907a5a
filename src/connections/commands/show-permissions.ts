/** Show Permissions: own role, default role and API keys as matrices, in a read-only document. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatList, formatNumber } from '../../platform/text/localization.ts';
import { formatLocalTime } from '../../model/text/time-format.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';
import { formatError } from '../../model/text/error-message.ts';
import { resolveSession } from '../session/pick-session.ts';
import { formatOrganization, formatSessionProblem } from '../../model/text/heading.ts';
import { escapeMarkdown } from '../reports/markdown.ts';
import { formatKeyExpiry, formatPermissionMatrix } from '../reports/permission-matrix.ts';
import { readGrants } from '../session/permissions.ts';
import { showReport } from '../reports/report-documents.ts';
import { getSessionStore } from '../session/session-store.ts';
import type { Organization, Session } from '../../model/session/session.ts';

/** Maximum number of API keys in the report. */
const MAX_API_KEYS = 200;
const MAX_ORGANIZATIONS = 20;

/** Opens the report of the given or a picked connection. Rejects with PlatformError. */
export async function showPermissions(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Show Permissions'));
  if (session === undefined) return;
  const text = await services.ui.progress(l10n.t('{0}: loading permissions…', session.heading), async (signal) => {
    const permissionsLoaded = session.loadPermissions(signal, true);
    const { length } = session.organizations;
    const organizations = session.organizations.slice(0, MAX_ORGANIZATIONS);
    const roles: RoleSection[] = [];
    for (const organization of organizations) {
      roles.push({ text: `## ${escapeMarkdown(formatOrganization(organization))}` });
      roles.push(await formatRoleSection(session, organization, OWN_ROLE, signal));
      roles.push(await formatRoleSection(session, organization, 'default', signal));
    }
    const keys = await formatApiKeySection(session, signal);
    await permissionsLoaded;
    const ownRoles = roles.flatMap(({ ownRole }) => ownRole ?? []);
    const parts = [
      `# ${l10n.t('Permissions: {0}', escapeMarkdown(session.heading))}`,
      [
        ...formatSession(session),
        [l10n.t('Your roles'), formatOwnRoles(ownRoles)] as const,
        [l10n.t('API keys'), keys.summary] as const,
      ]
        .map(([label, value]) => `- **${label}**: ${value}`)
        .join('\n'),
      l10n.t('Loaded {0}. Permissions that a role does not list are denied.', formatLocalTime(Date.now())),
      ...(length === 0 ? [l10n.t('No organization is known, so no roles can be loaded. Use Add Organization…')] : []),
      ...(length > MAX_ORGANIZATIONS
        ? [
            l10n.t(
              'Only the first {0} of {1} organizations are shown.',
              formatNumber(MAX_ORGANIZATIONS),
              formatNumber(length),
            ),
          ]
        : []),
      ...roles.map((role) => role.text),
      `## ${l10n.t('API keys')}`,
      keys.text,
    ];
    return parts.join('\n\n') + '\n';
  });
  if (session.ended.aborted) return;
  await showReport(session.profile.name, l10n.t('Permissions'), services.redact(text));
}

/** Names the first two, so that the summary stays short. */
function formatOwnRoles(roles: readonly string[]): string {
  if (roles.length === 0) return l10n.t('could not be loaded');
  const first = formatList(roles.slice(0, 2), 'unit');
  return roles.length > 2 ? l10n.t('{0} and {1} more', first, formatNumber(roles.length - 2)) : first;
}

/** Markdown: labels with values */
function formatSession(session: Session): readonly (readonly [label: string, value: string])[] {
  const { signedOutReason, identity } = session;
  const problem = signedOutReason ?? formatSessionProblem(session);
  const state = problem === undefined ? [] : [[l10n.t('Session'), escapeMarkdown(problem, 500)] as const];
  if (signedOutReason !== undefined) return state;
  const credential = session.credentialKinds.has('accessToken') ? l10n.t('access token') : l10n.t('API key');
  return [
    ...state,
    [l10n.t('Signed in with'), credential],
    ...(identity?.subject === undefined
      ? []
      : [[l10n.t('Signed in as'), escapeMarkdown(identity.subject, 500)] as const]),
  ];
}

/** Markdown; `ownRole`: the caller's role and its organization, if it could be read */
interface RoleSection {
  readonly text: string;
  readonly ownRole?: string;
}

async function formatRoleSection(
  session: Session,
  organization: Organization,
  role: string,
  signal: AbortSignal,
): Promise<RoleSection> {
  const isOwn = role === OWN_ROLE;
  try {
    const { item } = await session.client.read('roles', [organization.id, role], { signal });
    const grants = readGrants(item.raw);
    const name = escapeMarkdown(item.view?.name ?? l10n.t('Unnamed'));
    const description = item.view?.description === undefined ? '' : `\n\n${escapeMarkdown(item.view.description, 500)}`;
    const body =
      grants === undefined ? l10n.t('The response contains no permissions.') : formatPermissionMatrix(grants);
    const title = isOwn ? l10n.t('Your role: {0}', name) : l10n.t('Role of new members: {0}', name);
    return {
      text: `### ${title}${description}\n\n${body}`,
      ...(isOwn && { ownRole: l10n.t('{0} in {1}', name, escapeMarkdown(formatOrganization(organization))) }),
    };
  } catch (error) {
    const title = isOwn ? l10n.t('Your role') : l10n.t('Role of new members');
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
    const text = [...sections, ...(note === undefined ? [] : [note])].join('\n\n');
    return {
      text: text === '' ? l10n.t('None are visible to this identity.') : text,
      summary: formatKeySummary(sections.length, expiredCount, note === undefined),
    };
  };
  try {
    for await (const page of session.client.listPages('api-keys', {}, { signal, distinct: true })) {
      for (const { view, raw } of page.items) {
        if (sections.length === MAX_API_KEYS)
          return finish(l10n.t('Only the first {0} API keys are shown.', formatNumber(MAX_API_KEYS)));
        const grants = readGrants(raw);
        const name = escapeMarkdown(view?.name ?? view?.id ?? l10n.t('Unnamed'));
        const body =
          grants === undefined ? l10n.t('The response contains no permissions.') : formatPermissionMatrix(grants);
        const now = Date.now();
        if (view?.expires_at !== undefined && Date.parse(view.expires_at) <= now) expiredCount++;
        sections.push(`### ${name} (${formatKeyExpiry(view?.expires_at, now)})\n\n${body}`);
      }
    }
  } catch (error) {
    return finish(formatReadError(error));
  }
  return finish();
}

function formatKeySummary(count: number, expiredCount: number, isComplete: boolean): string {
  if (count === 0) return isComplete ? l10n.t('none') : l10n.t('could not be loaded');
  const [shown, expired] = [formatNumber(count), formatNumber(expiredCount)];
  if (isComplete) return expiredCount === 0 ? shown : l10n.t('{0}, {1} expired', shown, expired);
  return expiredCount === 0 ? l10n.t('{0} shown', shown) : l10n.t('{0} shown, {1} expired', shown, expired);
}

function formatReadError(error: unknown): string {
  if (hasErrorCode(error, 'cancelled')) throw error;
  return escapeMarkdown(formatError(l10n.t('Could not be loaded'), error), 500);
}
