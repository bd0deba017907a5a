import type * as vscode from 'vscode';
import type { KnownId } from '../../cache/id-index.ts';
import { resolvePictureUrl } from '../../cache/picture.ts';
import { createPictureCard } from './hover-card.ts';
import type { DocumentsContext } from '../context.ts';

/**
 * Loads a known resource's picture from the connection's origin into a card; resolves to `undefined` without one. Never
 * rejects.
 */
export async function loadThumbnailCard(
  { services: { sessions, thumbnails } }: DocumentsContext,
  known: KnownId | undefined,
): Promise<vscode.MarkdownString | undefined> {
  const session = known === undefined ? undefined : sessions.get(known.connection);
  if (known?.pictureUrl === undefined || session === undefined || session.signedOutReason !== undefined)
    return undefined;
  const url = resolvePictureUrl(known.pictureUrl, session.profile.baseUrl);
  const picture = url === undefined ? undefined : await thumbnails.load(url);
  return picture === undefined ? undefined : createPictureCard(picture);
}
