import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { getPictureUrl, resolvePictureUrl } from '../../cache/picture.ts';
import type { Thumbnails } from '../../cache/thumbnails.ts';
import type { Node, ResourceNode } from '../tree/nodes.ts';
import { getDefinition } from '../../platform/registry.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';

/** Rows that wait for a thumbnail; the oldest are dropped first. */
const MAX_PENDING_ROWS = 1000;

/** Thumbnails of resource rows; reports rows as changed when their thumbnail has loaded. */
export class RowThumbnails implements vscode.Disposable {
  readonly #sessions: Services['sessions'];
  readonly #thumbnails: Thumbnails;
  readonly #ids: Services['knownIds']['index'];
  /** node objects that VS Code holds, by key */
  readonly #pending = new Map<string, Node>();

  readonly #listener: { dispose(): void };

  constructor(
    { sessions, thumbnails, knownIds }: Pick<Services, 'sessions' | 'thumbnails' | 'knownIds'>,
    changed: (nodes: Node[]) => void,
  ) {
    this.#ids = knownIds.index;
    this.#sessions = sessions;
    this.#thumbnails = thumbnails;
    this.#listener = thumbnails.onDidLoad((keys) => {
      const nodes = [...keys].flatMap((key) => this.#pending.get(key) ?? []);
      for (const key of keys) this.#pending.delete(key);
      if (nodes.length > 0) changed(nodes);
    });
  }

  /** Returns the thumbnail as a data: URI if it is loaded; otherwise requests it. */
  getIcon(node: Node): vscode.Uri | undefined {
    if (node.type !== 'resource' || node.item === undefined) return undefined;
    const url = this.#getUrl(node, node.item.raw);
    if (url === undefined) return undefined;
    const dataUri = this.#thumbnails.get(url, node.key);
    if (dataUri !== undefined) return vscode.Uri.parse(dataUri, true);
    this.#pending.delete(node.key);
    this.#pending.set(node.key, node);
    if (this.#pending.size > MAX_PENDING_ROWS)
      for (const oldest of this.#pending.keys()) return void this.#pending.delete(oldest);
    return undefined;
  }

  /** Returns the address of the resource's own picture, or of its template's. */
  #getUrl({ connection, kind }: ResourceNode, raw: unknown): string | undefined {
    const session = this.#sessions.get(connection);
    const row = getDefinition(kind);
    const field = row?.templateField;
    const template = field === undefined ? undefined : getValuesAt(raw, field)[0];
    const known = template === undefined ? [] : this.#ids.find(template);
    const reference = getPictureUrl(raw) ?? known.find((each) => each.connection === connection)?.pictureUrl;
    return session === undefined || reference === undefined
      ? undefined
      : resolvePictureUrl(reference, session.profile.baseUrl);
  }

  dispose(): void {
    this.#listener.dispose();
    this.#pending.clear();
  }
}
