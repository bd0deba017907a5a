import type * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { RECENT_RESOURCES_KEY, readRecentResources, type RecentResource } from '../../cache/recent-resources.ts';
import { getResourceKey } from '../content/document-store.ts';

const MAX_RECENT = 30;
const MAX_TITLE_LENGTH = 80;

/** The resources that the user opened, newest first, stored for all windows. */
export class RecentResources {
  readonly #memento: vscode.Memento;
  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get all(): readonly RecentResource[] {
    return readRecentResources(this.#memento);
  }

  /** Adds a resource as the most recent one. Rejects if the memento cannot be written. */
  async add(resource: ResourceArgument, title: string): Promise<void> {
    const { connection, kind, id } = resource;
    const others = this.all.filter((known) => getResourceKey(known) !== getResourceKey(resource));
    const recent: RecentResource = { connection, kind, id, title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed() };
    await this.#memento.update(RECENT_RESOURCES_KEY, [recent, ...others].slice(0, MAX_RECENT));
  }
}
