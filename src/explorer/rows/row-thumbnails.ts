import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Thumbnails } from '../../cache/thumbnails.ts';
import type { Node } from '../tree/nodes.ts';
import { getDefinition } from '../../platform/registry.ts';
import { RowPictures } from './row-pictures.ts';

/** Rows that wait for a thumbnail, or for their template; the oldest are dropped first. */
const MAX_PENDING_ROWS = 1000;

/** Thumbnails of resource rows; reports rows as changed when their thumbnail has loaded or their template was read. */
export class RowThumbnails implements vscode.Disposable {
  readonly #pictures: RowPictures;
  readonly #thumbnails: Thumbnails;
  /** node objects that VS Code holds, by key */
  readonly #pending = new Map<string, Node>();
  /** rows whose template was not read yet, with its id */
  readonly #withoutTemplate = new Map<string, { readonly node: Node; readonly template: string }>();
  readonly #listeners: readonly { dispose(): void }[];

  constructor(
    { sessions, thumbnails, knownIds }: Pick<Services, 'sessions' | 'thumbnails' | 'knownIds'>,
    changed: (nodes: Node[]) => void,
  ) {
    this.#pictures = new RowPictures(sessions, knownIds.index);
    this.#thumbnails = thumbnails;
    this.#listeners = [
      thumbnails.onDidLoad((keys) => {
        const nodes = [...keys].flatMap((key) => this.#pending.get(key) ?? []);
        for (const key of keys) this.#pending.delete(key);
        if (nodes.length > 0) changed(nodes);
      }),
      knownIds.index.onDidChange(() => {
        const nodes = [...this.#withoutTemplate].flatMap(([key, { node, template }]) =>
          this.#pictures.isKnown(node.connection, template) && this.#withoutTemplate.delete(key) ? [node] : [],
        );
        if (nodes.length > 0) changed(nodes);
      }),
    ];
  }

  /** Returns the thumbnail as a data: URI if it is loaded; otherwise requests it. */
  getIcon(node: Node): vscode.Uri | undefined {
    const definition = node.type === 'resource' ? getDefinition(node.kind) : undefined;
    if (node.type !== 'resource' || node.item === undefined || definition === undefined) return undefined;
    const template = this.#pictures.getTemplateId(definition, node.item.raw);
    if (template !== undefined && !this.#pictures.isKnown(node.connection, template))
      addBounded(this.#withoutTemplate, node.key, { node, template });
    const url = this.#pictures.getUrl(node.connection, definition, node.item.raw);
    if (url === undefined) return undefined;
    const dataUri = this.#thumbnails.get(url, node.key);
    if (dataUri !== undefined) return vscode.Uri.parse(dataUri, true);
    addBounded(this.#pending, node.key, node);
    return undefined;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#pending.clear();
    this.#withoutTemplate.clear();
  }
}

function addBounded<Value>(rows: Map<string, Value>, key: string, value: Value): void {
  rows.delete(key);
  rows.set(key, value);
  if (rows.size <= MAX_PENDING_ROWS) return;
  const [oldest] = rows.keys();
  if (oldest !== undefined) rows.delete(oldest);
}
