import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { isKind } from '../../platform/registry.ts';
import { formatError } from '../../model/text/error-message.ts';
import { getResourceKey, type DocumentStore, type ShownDocument } from './document-store.ts';
import { RESOURCE_SCHEME } from '../../model/resources/resource-schemes.ts';
import { formatResourcePath, parseResourcePath } from '../../model/resources/resource-uri.ts';

/** Returns the document address of a resource. */
export function toUri(resource: ResourceArgument): vscode.Uri {
  return vscode.Uri.from({ scheme: RESOURCE_SCHEME, path: formatResourcePath(resource) });
}

/** Returns the resource of a document address. */
export function parseUri(uri: vscode.Uri): ResourceArgument | undefined {
  return uri.scheme === RESOURCE_SCHEME ? parseResourcePath(uri.path, isKind) : undefined;
}

/** Milliseconds to wait for the tab of an editor that requested the text. */
const TAB_TIMEOUT = 2000;

/** Whether a tab shows the resource; VS Code keeps the `TextDocument` minutes longer. */
export function isInTab(resource: ResourceArgument): boolean {
  const key = getResourceKey(resource);
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
      const other = parseUri(uri);
      return other !== undefined && getResourceKey(other) === key;
    });
}

/** Resolves to true once a tab shows the resource, to false after a timeout. */
function waitForTab(resource: ResourceArgument): Promise<boolean> {
  if (isInTab(resource)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (found: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(found);
    };
    const timer = setTimeout(end, TAB_TIMEOUT, false);
    const listener = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (isInTab(resource)) end(true);
    });
  });
}

/**
 * The read-only file system of `smartobject:` documents. Sends requests only for documents in tabs: any file can refer
 * to such an address, for example in `$schema`. Without a tab, only cached documents are returned.
 */
export class ResourceFileSystem {
  readonly #store: DocumentStore;
  constructor(store: DocumentStore) {
    this.#store = store;
  }

  /** Reads size and times. Rejects as `readFile` does. */
  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, changedAt, item } = await this.#read(uri);
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      size: bytes.byteLength,
      mtime: changedAt,
      ctime: getCreationTime(item.raw) ?? changedAt,
    };
  }

  /** Reads the text. Rejects with `FileSystemError.Unavailable`, whose message VS Code shows unchanged. */
  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).bytes;
  }

  async #read(uri: vscode.Uri): Promise<ShownDocument> {
    const resource = parseUri(uri);
    if (resource === undefined) {
      throw vscode.FileSystemError.Unavailable(
        l10n.t('Invalid resource address. Expected {0}', `${RESOURCE_SCHEME}:/<connection>/<kind>/<id>.json`),
      );
    }
    const cached = this.#store.getCached(resource);
    if (cached !== undefined) return cached;
    if (!(await waitForTab(resource))) {
      throw vscode.FileSystemError.Unavailable(
        l10n.t('Platform documents can only be opened in editors. Use Smart Objects: Open Resource by ID…'),
      );
    }
    try {
      return await this.#store.open(resource);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(
        formatError(l10n.t('Open {0}', `${resource.kind}/${resource.id}`), error),
      );
    }
  }
}

function getCreationTime(raw: unknown): number | undefined {
  const created: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'when_created') : undefined;
  const time = typeof created === 'string' ? Date.parse(created) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
