/** Gives rows their pictures, and has those drawn again whose picture has arrived. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { pictureOf, pictureUrl } from '../connections/picture.ts';
import type { Thumbnails } from '../connections/thumbnails.ts';
import type { Node } from './nodes.ts';

/** Rows that wait at once; the longest waiting go first. */
const MOST_DRAWN = 1000;

export class RowPictures implements vscode.Disposable {
  readonly #sessions: Services['sessions'];
  readonly #thumbnails: Thumbnails;
  /** as VS Code holds them */
  readonly #drawn = new Map<string, Node>();

  readonly #listening: { dispose(): void };

  constructor({ sessions, thumbnails }: Pick<Services, 'sessions' | 'thumbnails'>, changed: (nodes: Node[]) => void) {
    this.#sessions = sessions;
    this.#thumbnails = thumbnails;
    this.#listening = thumbnails.onArrived((keys) => {
      const nodes = [...keys].flatMap((key) => this.#drawn.get(key) ?? []);
      for (const key of keys) this.#drawn.delete(key);
      if (nodes.length > 0) changed(nodes);
    });
  }

  of(node: Node): vscode.Uri | undefined {
    if (node.type !== 'resource' || node.item === undefined) return undefined;
    const session = this.#sessions.get(node.connection);
    const named = pictureOf(node.item.raw);
    const url = session === undefined || named === undefined ? undefined : pictureUrl(named, session.profile.baseUrl);
    if (url === undefined) return undefined;
    const picture = this.#thumbnails.get(url, node.key);
    if (picture !== undefined) return vscode.Uri.parse(picture, true);
    this.#drawn.delete(node.key);
    this.#drawn.set(node.key, node);
    if (this.#drawn.size > MOST_DRAWN) for (const oldest of this.#drawn.keys()) return void this.#drawn.delete(oldest);
    return undefined;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#drawn.clear();
  }
}
