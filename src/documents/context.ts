import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { hasErrorCode } from '../platform/errors.ts';
import { formatError } from '../model/text/error-message.ts';
import { parseResource } from '../model/resources/parse-argument.ts';
import { parseUri, toUri } from './content/file-system.ts';
import type { RecentResources } from './lookup/recent-resources.ts';
import { formatDocumentName, showDocument } from './content/tab-titles.ts';
import type { DocumentStore, ShownDocument } from './content/document-store.ts';

/** The page of a resource that has the focus. */
interface ActivePage {
  readonly resource: ResourceArgument;
  /** Reads everything again. Never rejects. */
  refresh(): Promise<void>;
}

/** Shared by the commands and language features of documents. */
export interface DocumentsContext {
  readonly features: FeatureContext;
  readonly services: Services;
  readonly store: DocumentStore;
  readonly recents: RecentResources;
  /** `getActive` returns the active page, once pages are loaded */
  readonly pages: { getActive: () => ActivePage | undefined };
}

/** Returns the resource of the argument; without an argument, that of the active page or editor. */
export function getTargetResource(
  { pages }: Pick<DocumentsContext, 'pages'>,
  argument: unknown,
): ResourceArgument | undefined {
  if (argument !== undefined) return parseResource(argument);
  const page = pages.getActive();
  if (page !== undefined) return page.resource;
  const active = vscode.window.activeTextEditor?.document.uri;
  return active === undefined ? undefined : parseUri(active);
}

/** Opens a resource's document, or offers Sign In…. Rejects with PlatformError or Error. */
export async function openDocument(
  context: DocumentsContext,
  resource: ResourceArgument,
  options: vscode.TextDocumentShowOptions = { preview: true },
): Promise<void> {
  const shownDocument = await readOrOfferSignIn(context, resource);
  if (shownDocument === undefined) return;
  await context.store.whileOpening(resource, async () => {
    // Rejects with the reason if the document cannot be read, which `vscode.open` shows in the editor only.
    await vscode.workspace.openTextDocument(toUri(resource));
    await showDocument(context.services, shownDocument, options);
  });
  await context.recents.add(resource, formatDocumentName(context.services, shownDocument, 80));
}

/** Resolves to the cached or read document, or to `undefined` if signing in was offered instead. Rejects as `DocumentStore.open`. */
export async function readOrOfferSignIn(
  context: DocumentsContext,
  resource: ResourceArgument,
): Promise<ShownDocument | undefined> {
  try {
    return await context.store.open(resource);
  } catch (error) {
    if (!hasErrorCode(error, 'unauthenticated')) throw error;
    const signIn = l10n.t('Sign In…');
    void context.services.ui.warn(formatError(l10n.t('Open document'), error), signIn).then((chosen) => {
      if (chosen === signIn) void context.features.run('signIn', resource.connection);
    });
    return undefined;
  }
}
