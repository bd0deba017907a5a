/** The read-only file system behind `smartobject:` documents: sizes, times and texts of what the store shows. */
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import { isKind } from '../platform/registry.ts';
import { errorText } from '../ui/error-text.ts';
import type { DocumentStore, Shown } from './store.ts';
import { pathOf, resourceOfPath, SCHEME } from './uri.ts';

export function uriOf(resource: ResourceArgument): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: pathOf(resource) });
}

export function resourceOf(uri: vscode.Uri): ResourceArgument | undefined {
  return uri.scheme === SCHEME ? resourceOfPath(uri.path, isKind) : undefined;
}

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
