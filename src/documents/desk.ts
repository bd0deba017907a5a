/** What the documents' commands and language features share: services, store, recents, and how a document is opened. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { ResourceArgument } from '../commands/ids.ts';
import { PlatformError } from '../platform/errors.ts';
import { errorText } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import { resourceFrom } from './argument.ts';
import { resourceOf, uriOf } from './file-system.ts';
import type { Recents } from './recents.ts';
import type { DocumentStore, Shown } from './store.ts';

export interface Desk {
  readonly entry: Entry;
  readonly services: Services;
  readonly store: DocumentStore;
  readonly recents: Recents;
}

/** The resource that a command is about: its argument, else the document in front. */
export function targetOf(argument: unknown): ResourceArgument | undefined {
  const given = resourceFrom(argument);
  if (given !== undefined || argument !== undefined) return given;
  const active = vscode.window.activeTextEditor?.document.uri;
  return active === undefined ? undefined : resourceOf(active);
}

/** Shows a resource's document. Where signing in would help, offers that. */
export async function openDocument(desk: Desk, resource: ResourceArgument): Promise<void> {
  const shown = await readOrOfferSignIn(desk, resource);
  if (shown === undefined) return;
  await desk.store.whileOpening(resource, async () => {
    const document = await vscode.workspace.openTextDocument(uriOf(resource));
    await vscode.window.showTextDocument(document, { preview: true });
  });
  await desk.recents.add(resource, plainText(shown.row.summary(shown.item.raw).title, 80));
}

/** What is shown or read now; `undefined` when the person was asked to sign in instead. */
export async function readOrOfferSignIn(desk: Desk, resource: ResourceArgument): Promise<Shown | undefined> {
  try {
    return await desk.store.open(resource);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== 'unauthenticated') throw error;
    const signIn = 'Sign In…';
    void desk.services.ui.warn(errorText('Open document', error), signIn).then((chosen) => {
      if (chosen === signIn) void desk.entry.run('signIn', resource.connection);
    });
    return undefined;
  }
}
