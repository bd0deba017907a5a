/** The resources that were opened by hand, the latest first, over the windows of this machine. */
import type * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import { RECENT } from '../connections/recent.ts';
import { resourceFrom } from './argument.ts';
import { keyOf } from './store.ts';

const MOST = 30;
const LONGEST_TITLE = 80;

export interface Recent extends ResourceArgument {
  /** hostile text, cut */
  readonly title: string;
}

export class Recents {
  readonly #memory: vscode.Memento;
  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get all(): readonly Recent[] {
    const kept: unknown = this.#memory.get(RECENT);
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((entry: unknown) => {
      const resource = resourceFrom(entry);
      const title: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'title') : undefined;
      return resource === undefined ? [] : [{ ...resource, title: typeof title === 'string' ? title : resource.id }];
    });
  }

  async add(resource: ResourceArgument, title: string): Promise<void> {
    const { connection, kind, id } = resource;
    const others = this.all.filter((known) => keyOf(known) !== keyOf(resource));
    const recent: Recent = { connection, kind, id, title: title.slice(0, LONGEST_TITLE).toWellFormed() };
    await this.#memory.update(RECENT, [recent, ...others].slice(0, MOST));
  }
}
