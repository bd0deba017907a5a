/** The picture below a hover card: of a known resource, from its connection's own origin, as data; never an address. */
import type * as vscode from 'vscode';
import type { KnownId } from '../connections/id-index.ts';
import { pictureUrl } from '../connections/picture.ts';
import { pictureCard } from './card.ts';
import type { Desk } from './desk.ts';

/** Resolves when the picture is there: the card is shown meanwhile. */
export async function pictureOfKnown(
  { services: { sessions, thumbnails } }: Desk,
  known: KnownId | undefined,
): Promise<vscode.MarkdownString | undefined> {
  const session = known === undefined ? undefined : sessions.get(known.connection);
  if (known?.picture === undefined || session === undefined || session.signedOutBecause !== undefined) return undefined;
  const url = pictureUrl(known.picture, session.profile.baseUrl);
  const picture = url === undefined ? undefined : await thumbnails.load(url);
  return picture === undefined ? undefined : pictureCard(picture);
}
