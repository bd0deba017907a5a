import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getTargetResource, openDocument, type DocumentsContext } from '../context.ts';
import { getLinkedResource } from '../links/link-targets.ts';
import { resolveResource } from '../lookup/resolve-resource.ts';

/** Reads the document again; a failure is shown in the document. Rejects with it. */
export async function refreshDocument(context: DocumentsContext, argument: unknown): Promise<void> {
  const page = argument === undefined ? context.pages.getActive() : undefined;
  if (page !== undefined) return page.refresh();
  const resource = getTargetResource(context, argument);
  if (resource === undefined) throw new Error(l10n.t('Open a platform document first'));
  await context.store.refresh(resource);
}

/** Opens a resource as the setting says: its page, its document, or both. `keep`: not in a preview. Rejects with Error. */
export async function openResource(context: DocumentsContext, argument: unknown, keep: unknown): Promise<void> {
  const resource = await resolveResource(context, argument, l10n.t('Open Resource by ID'));
  if (resource === undefined) return;
  const shown = vscode.workspace.getConfiguration('smartObjects').get('openResources');
  if (shown === 'json') return openDocument(context, resource, { preview: keep !== true });
  await context.features.run('openPage', resource, keep === true);
  if (shown === 'both') await openJson(context, resource, true);
}

/** Opens the document of a resource, which for an organization is that of the user's role there; `beside`: in the next editor group. Rejects with Error. */
export async function openJson(context: DocumentsContext, argument: unknown, beside: unknown): Promise<void> {
  const chosen =
    getTargetResource(context, argument) ?? (await resolveResource(context, argument, l10n.t('Open JSON')));
  if (chosen === undefined) return;
  const session = context.services.sessions.get(chosen.connection);
  const resource = session === undefined ? chosen : (getLinkedResource(session, chosen.kind, chosen.id) ?? chosen);
  const viewColumn = beside === true ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  await openDocument(context, resource, { preview: true, viewColumn });
}
