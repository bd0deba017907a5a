/** Show Permissions: own role, default role and every API key as matrices, in a read-only document. */
import type { Services } from '../../commands/entry.ts';
import { PlatformError } from '../../platform/errors.ts';
import { errorText } from '../../ui/error-text.ts';
import { sessionFor } from '../choose.ts';
import { organizationWords } from '../heading.ts';
import { plain } from '../markdown.ts';
import { expiryOf, matrix } from '../permission-matrix.ts';
import { grantsOf } from '../permissions.ts';
import { showReport } from '../reports.ts';
import { storeOf } from '../services.ts';
import type { Session } from '../types.ts';

/** API keys shown at most: a report that nobody can read helps nobody. */
const MOST_KEYS = 200;
const MOST_ORGANIZATIONS = 20;

export async function showPermissions(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Show Permissions');
  if (session === undefined) return;
  const text = await services.ui.progress(`${session.heading}: reading permissions …`, async (signal) => {
    const known = session.loadPermissions(signal, true);
    const parts = [
      `# Permissions: ${plain(session.heading)}`,
      `Read ${new Date().toISOString()}. What is not listed by a role is not granted.`,
    ];
    if (session.signedOutBecause !== undefined) parts.push(`Not signed in: ${plain(session.signedOutBecause)}.`);
    if (session.organizations.length === 0)
      parts.push('No organization is known, so no role can be read: use Add Organization…');
    const { length } = session.organizations;
    if (length > MOST_ORGANIZATIONS)
      parts.push(`Only the first ${String(MOST_ORGANIZATIONS)} of ${String(length)} organizations are shown.`);
    for (const organization of session.organizations.slice(0, MOST_ORGANIZATIONS)) {
      parts.push(`## ${plain(organizationWords(organization))}`);
      parts.push(await roleSection(session, organization.id, 'myrole', 'Your role', signal));
      parts.push(await roleSection(session, organization.id, 'default', 'Role of new members', signal));
    }
    parts.push('## API keys', await keySection(session, signal));
    await known;
    return parts.join('\n\n') + '\n';
  });
  if (session.ended.aborted) return;
  await showReport(session.profile.name, 'Permissions', services.redact(text), true);
}

async function roleSection(
  session: Session,
  organization: string,
  role: string,
  title: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { item } = await session.client.read('roles', [organization, role], { signal });
    const grants = grantsOf(item.view);
    const name = plain(item.view?.name ?? 'without a name');
    const about = item.view?.description === undefined ? '' : `\n\n${plain(item.view.description, 500)}`;
    const body = grants === undefined ? 'The answer lists no permissions.' : matrix(grants);
    return `### ${title}: ${name}${about}\n\n${body}`;
  } catch (error) {
    return `### ${title}\n\n${said(error)}`;
  }
}

async function keySection(session: Session, signal: AbortSignal): Promise<string> {
  const sections: string[] = [];
  let count = 0;
  try {
    for await (const page of session.client.pages('api-keys', {}, { signal })) {
      for (const { view } of page.items) {
        if (++count > MOST_KEYS)
          return [...sections, `Only the first ${String(MOST_KEYS)} API keys are shown.`].join('\n\n');
        const grants = grantsOf(view);
        const name = plain(view?.name ?? view?.id ?? 'without a name');
        const body = grants === undefined ? 'The answer lists no permissions.' : matrix(grants);
        sections.push(`### ${name} (${expiryOf(view?.expires_at, Date.now())})\n\n${body}`);
      }
    }
  } catch (error) {
    sections.push(said(error));
  }
  return sections.length === 0 ? 'There are none that this identity may see.' : sections.join('\n\n');
}

function said(error: unknown): string {
  if (error instanceof PlatformError && error.code === 'cancelled') throw error;
  return plain(errorText('Could not be read', error), 500);
}
