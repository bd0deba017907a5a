/** Registers the documents: cheap proxies now, the room itself on first use. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Room } from './room.ts';
import { SCHEME } from './uri.ts';

const COMMANDS = ['openResource', 'copyId', 'refreshDocument'] as const satisfies readonly CommandId[];

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
  registerFeatures(entry, room);
  for (const id of COMMANDS) {
    entry.command(id, async (_services, ...args: readonly unknown[]) => (await room()).run(id, args[0]));
  }
}

/** A document that is open has loaded the room. */
function registerFeatures(entry: Entry, room: () => Promise<Room>): void {
  const { languages } = vscode;
  const documents: vscode.DocumentSelector = { scheme: SCHEME };
  const lensesChanged = entry.own(new vscode.EventEmitter<void>());
  let listening: vscode.Disposable | undefined;
  entry.own(
    languages.registerDocumentLinkProvider(documents, {
      provideDocumentLinks: async (document) => (await room()).features.provideDocumentLinks(document),
    }),
  );
  entry.own(
    languages.registerHoverProvider(documents, {
      provideHover: async (document, position) => (await room()).features.provideHover(document, position),
    }),
  );
  entry.own(
    languages.registerCodeLensProvider(documents, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document) => {
        const { status } = await room();
        listening ??= entry.own(
          status.onDidChangeCodeLenses(() => {
            lensesChanged.fire();
          }),
        );
        return status.provideCodeLenses(document);
      },
    }),
  );
}

async function load(entry: Entry, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>): Promise<Room> {
  const [services, { createRoom }] = await Promise.all([entry.services(), import('./room.ts')]);
  return createRoom(entry, services, changed);
}
