/** Registers the documents: cheap proxies now, the room itself on first use. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Room } from './room.ts';
import { SCHEME } from './uri.ts';

const COMMANDS = ['openResource', 'copyId'] as const satisfies readonly CommandId[];

export function registerDocuments(entry: Entry): void {
  const changed = entry.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  let loading: Promise<Room> | undefined;
  const room = (): Promise<Room> => (loading ??= load(entry, changed));

  const nothing = new vscode.Disposable(() => undefined);
  const readOnly = (): never => {
    throw vscode.FileSystemError.NoPermissions('Documents of the platform are read-only; actions change its resources');
  };
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => nothing,
    stat: async (uri) => (await room()).files.stat(uri),
    readFile: async (uri) => (await room()).files.readFile(uri),
    readDirectory: () => [],
    createDirectory: readOnly,
    writeFile: readOnly,
    delete: readOnly,
    rename: readOnly,
  };
  entry.own(
    vscode.workspace.registerFileSystemProvider(SCHEME, files, {
      // Ids that differ by case alone are two resources.
      isCaseSensitive: true,
      isReadonly: new vscode.MarkdownString('The platform’s own JSON is read-only here. Actions change its resources.'),
    }),
  );
  for (const id of COMMANDS) {
    entry.command(id, async (_services, ...args: readonly unknown[]) => (await room()).run(id, args[0]));
  }
}

async function load(entry: Entry, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>): Promise<Room> {
  const [services, { createRoom }] = await Promise.all([entry.services(), import('./room.ts')]);
  return createRoom(entry, services, changed);
}
