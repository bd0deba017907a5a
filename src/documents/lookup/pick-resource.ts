/** Quick picks for a recent or known resource, or for an id that is looked up. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { getTitleOrId } from '../../cache/title-lookup.ts';
import { addTemplateTitle, type KnownId } from '../../cache/id-index.ts';
import type { Session } from '../../model/session/session.ts';
import { formatError } from '../../model/text/error-message.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getDefinition } from '../../platform/registry.ts';
import { parseOrganization, parseResource } from '../../model/resources/parse-argument.ts';
import type { DocumentsContext } from '../context.ts';
import { getCandidates, lookUpResources, type LookupMatch, type LookupResult } from './find-by-id.ts';
import { formatStatus } from '../../model/text/status.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

interface ResourceChoice extends vscode.QuickPickItem {
  readonly resource: ResourceArgument;
}

/** Known ids that are offered after the recent ones. */
const MAX_KNOWN_CHOICES = 500;

/**
 * Shows a quick pick of resources. A typed id is looked up on `preferredSession`, or on one the user chooses. Resolves to
 * `undefined` if the user cancels or there is no such resource. Rejects with Error if the look-up fails.
 */
export async function pickResource(
  context: DocumentsContext,
  title: string,
  preferredSession?: Session,
): Promise<ResourceArgument | undefined> {
  const chosen = await context.services.ui.pickOrType<ResourceChoice>(await createChoices(context), {
    title,
    placeHolder: l10n.t('Enter an ID, or select a known resource'),
    formatTypedLabel: (text) => l10n.t('Look up “{0}”', text),
  });
  if (chosen === undefined) return undefined;
  return typeof chosen === 'string' ? findById(context, chosen, preferredSession) : chosen.resource;
}

/** Shows a quick pick of ids, wallets included; typed text is returned as an id without a look-up. Never rejects. */
export async function pickKnownResource(
  context: DocumentsContext,
  argument: unknown,
  title: string,
): Promise<Pick<ResourceArgument, 'connection' | 'kind' | 'id'> | undefined> {
  const resource = parseResource(argument);
  if (resource !== undefined) return resource;
  const organization = parseOrganization(argument);
  if (organization !== undefined) return { connection: '', kind: 'organizations', id: organization };
  const chosen = await context.services.ui.pickOrType<ResourceChoice>(await createChoices(context, true), {
    title,
    placeHolder: l10n.t('Select a known ID, or enter any text'),
    formatTypedLabel: (text) => l10n.t('Insert “{0}”', text),
  });
  return typeof chosen === 'string' ? { connection: '', kind: '', id: chosen } : chosen?.resource;
}

async function createChoices(context: DocumentsContext, includeUnreadable = false): Promise<readonly ResourceChoice[]> {
  const { sessions, knownIds: ids } = context.services;
  const hasConnection = ({ connection }: { readonly connection: string }): boolean =>
    sessions.get(connection) !== undefined;
  const recent = context.recents.all
    .filter(hasConnection)
    .map((known) => createChoice(known, known.title, l10n.t('recently opened')));
  const listed = new Set(recent.map(({ resource }) => JSON.stringify(resource)));
  const known: ResourceChoice[] = [];
  for (const knownId of (await ids.load()).newestFirst()) {
    if (known.length >= MAX_KNOWN_CHOICES) break;
    const row = createChoice(
      getAddress(knownId),
      addTemplateTitle(ids.index, knownId).title,
      knownId.state && formatStatus(knownId.state),
    );
    if (
      hasConnection(knownId) &&
      !listed.has(JSON.stringify(row.resource)) &&
      (includeUnreadable || getDefinition(knownId.kind)?.read.by !== 'cache')
    )
      known.push(row);
  }
  return [...recent, ...known];
}

/** Returns the resource whose document shows a known id. */
export function getAddress({ connection, kind, id, documentId }: KnownId): ResourceArgument {
  return { connection, kind, id: documentId ?? id };
}

function createChoice({ connection, kind, id }: ResourceArgument, title: string, note?: string): ResourceChoice {
  const definition = getDefinition(kind);
  return {
    label: escapeIcons(toPlainText(title, 80)),
    description: escapeIcons(toPlainText(id, 80)),
    detail: [definition?.singular ?? kind, connection, note]
      .filter((part) => part !== undefined)
      .map((part) => escapeIcons(toPlainText(part)))
      .join(' · '),
    iconPath: new vscode.ThemeIcon(definition?.icon ?? 'file'),
    resource: { connection, kind, id },
  };
}

/** Looks an id up among all kinds; if several have it, shows a quick pick. Rejects with Error if every request failed. */
export async function findById(
  context: DocumentsContext,
  text: string,
  preferredSession?: Session,
): Promise<ResourceArgument | undefined> {
  const id = text.trim();
  if (id === '') return undefined;
  const address = parseResource(id);
  if (address !== undefined) return address;
  const session =
    preferredSession ?? (await context.services.sessions.pickSession(l10n.t('Select the connection to search')));
  if (session === undefined) return undefined;
  const result = await context.services.ui.progress(
    l10n.t('Looking up {0} on {1}', toPlainText(id, 60), session.profile.name),
    async (signal) => {
      const matches = await lookUpResources(
        getCandidates(session, id),
        async (resource) => (await context.store.refresh(resource, signal)).item.raw,
      );
      return signal.aborted || session.ended.aborted ? undefined : matches;
    },
  );
  return result === undefined ? undefined : pickMatch(context, session, id, result);
}

async function pickMatch(
  context: DocumentsContext,
  session: Session,
  id: string,
  { found, failed }: LookupResult,
): Promise<ResourceArgument | undefined> {
  const { ui } = context.services;
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only.resource;
  if (only !== undefined) {
    const picked = await ui.pick(
      found.map((match) => createMatchChoice(match, context)),
      {
        title: l10n.t('Several Resources Have the ID {0}', toPlainText(id, 60)),
      },
    );
    return picked?.resource;
  }
  const [first] = failed;
  if (first !== undefined) {
    const problem = formatError(l10n.t('Look up {0} in {1}', toPlainText(id, 60), first.definition.label), first.error);
    const others = failed.length - 1;
    if (others === 0) throw new Error(problem);
    const failures = l10n.t('The lookup in {0} other list failed too.|The lookup in {0} other lists failed too.');
    throw new Error(`${problem} ${pluralize(others, failures)}`);
  }
  void ui.warn(
    l10n.t('No resource with the ID {0} is visible to you on {1}.', toPlainText(id, 60), session.profile.name),
  );
  return undefined;
}

function createMatchChoice(
  { resource, definition, summary }: LookupMatch,
  { services }: DocumentsContext,
): ResourceChoice {
  const state = summary.state && formatStatus(summary.state.label);
  return createChoice(resource, getTitleOrId(services, resource), state ?? summary.details[0] ?? definition.singular);
}
