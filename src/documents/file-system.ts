/** The read-only file system behind `smartobject:` documents: sizes, times and texts of what the store shows. */
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import { isKind } from '../platform/registry.ts';
import { errorText } from '../ui/error-text.ts';
import { keyOf, type DocumentStore, type Shown } from './store.ts';
import { pathOf, resourceOfPath, SCHEME } from './uri.ts';

export function uriOf(resource: ResourceArgument): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: pathOf(resource) });
}

export function resourceOf(uri: vscode.Uri): ResourceArgument | undefined {
  return uri.scheme === SCHEME ? resourceOfPath(uri.path, isKind) : undefined;
}

/** How long a tab may take to be known here after its editor asked for the text. */
const TAB_DELAY = 2000;

/** True while a tab shows the resource; VS Code itself keeps documents for minutes longer. */
export function inTabs(resource: ResourceArgument): boolean {
  const key = keyOf(resource);
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputTextDiff
        ? [input.original, input.modified]
        : input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
          ? [input.uri]
          : [],
    )
    .some((uri) => {
      const other = resourceOf(uri);
      return other !== undefined && keyOf(other) === key;
    });
}

/** Resolves with true once a tab shows the resource, and with false where none does soon. */
function inTabsSoon(resource: ResourceArgument): Promise<boolean> {
  if (inTabs(resource)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (found: boolean): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve(found);
    };
    const timer = setTimeout(end, TAB_DELAY, false);
    const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (inTabs(resource)) end(true);
    });
  });
}

/**
 * Reads from the platform only what a tab shows. Anything can name an address of ours, `$schema` of a file that was cloned for
 * example; without a tab it gets what a command of ours has just read, or nothing.
 */
export class ResourceFiles {
  readonly #store: DocumentStore;
  constructor(store: DocumentStore) {
    this.#store = store;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, changedAt, item } = await this.#open(uri);
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      size: bytes.byteLength,
      mtime: changedAt,
      ctime: createdAt(item.raw) ?? changedAt,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#open(uri)).bytes;
  }

  /** VS Code shows the message of `Unavailable` as it stands, so every reason goes that way. */
  async #open(uri: vscode.Uri): Promise<Shown> {
    const resource = resourceOf(uri);
    if (resource === undefined) {
      throw vscode.FileSystemError.Unavailable(
        `This address names no resource. It should read ${SCHEME}:/<connection>/<kind>/<id>.json`,
      );
    }
    const standing = this.#store.standing(resource);
    if (standing !== undefined) return standing;
    if (!(await inTabsSoon(resource))) {
      throw vscode.FileSystemError.Unavailable(
        'Documents of the platform are read only for an editor. Open it with Smart Objects: Open Resource by ID…',
      );
    }
    try {
      return await this.#store.open(resource);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(errorText(`Open ${resource.kind} ${resource.id}`, error));
    }
  }
}

function createdAt(raw: unknown): number | undefined {
  const created: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'when_created') : undefined;
  const time = typeof created === 'string' ? Date.parse(created) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
