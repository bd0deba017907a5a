/** Gives rows their pictures, and has those drawn again whose picture has arrived. */
import * as vscode from 'vscode';
import type { Sessions } from '../connections/types.ts';
import type { Node } from './nodes.ts';
import { pictureUrl } from './picture.ts';
import { Thumbnails } from './thumbnails.ts';

/** Rows that wait at once; the longest waiting go first. */
const MOST_DRAWN = 1000;

export class RowPictures implements vscode.Disposable {
  readonly #sessions: Pick<Sessions, 'get'>;
  readonly #ending = new AbortController();
  readonly #thumbnails: Thumbnails;
  /** as VS Code holds them */
  readonly #drawn = new Map<string, Node>();

  constructor(sessions: Pick<Sessions, 'get'>, changed: (nodes: Node[]) => void) {
    this.#sessions = sessions;
    this.#thumbnails = new Thumbnails({
      signal: this.#ending.signal,
      arrived: (keys) => {
        const nodes = [...keys].flatMap((key) => this.#drawn.get(key) ?? []);
        for (const key of keys) this.#drawn.delete(key);
        if (nodes.length > 0) changed(nodes);
      },
    });
  }

  of(node: Node): vscode.Uri | undefined {
    if (node.type !== 'resource' || node.item === undefined) return undefined;
    const session = this.#sessions.get(node.connection);
    const url = session === undefined ? undefined : pictureUrl(node.item.raw, session.profile.baseUrl);
    if (url === undefined) return undefined;
    const picture = this.#thumbnails.get(url, node.key);
    if (picture !== undefined) return vscode.Uri.parse(picture, true);
    this.#drawn.delete(node.key);
    this.#drawn.set(node.key, node);
    if (this.#drawn.size > MOST_DRAWN) for (const oldest of this.#drawn.keys()) return void this.#drawn.delete(oldest);
    return undefined;
  }

  dispose(): void {
    this.#ending.abort();
    this.#thumbnails.dispose();
    this.#drawn.clear();
  }
}
