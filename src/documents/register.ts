/** Registers the documents: cheap proxies now, the room itself on first use. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Room } from './room.ts';
import { DRAG_MIME } from '../ui/drag.ts';
import { SCHEME, SNAPSHOT_SCHEME } from './uri.ts';

const COMMANDS = [
  'openResource',
  'refreshDocument',
  'copyId',
  'copyJson',
  'copyCurl',
  'openExternal',
  'compareResources',
  'generateTypes',
  'insertId',
] as const satisfies readonly CommandId[];

/** Of two providers the later one is shown first: the picture stands below the card, once it is there. */
const HOVERS = ['provideHoverPicture', 'provideHover'] as const;

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
  registerCode(entry, room);
  entry.own(
    vscode.workspace.registerTextDocumentContentProvider(SNAPSHOT_SCHEME, {
      provideTextDocumentContent: async (uri) => (await room()).seenText(uri),
    }),
  );
  for (const id of COMMANDS) {
    entry.command(id, async (_services, ...args: readonly unknown[]) => (await room()).run(id, args[0], args[1]));
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
  // Of two, the later registered one is shown first: the picture comes below the card, when it comes.
  for (const part of HOVERS) {
    entry.own(
      languages.registerHoverProvider(documents, {
        provideHover: async (document, position) => (await room()).features[part](document, position),
      }),
    );
  }
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

/** Ids in the person's own files. The room is loaded by the first hover over a word that may be one, not before. */
function registerCode(entry: Entry, room: () => Promise<Room>): void {
  const { languages } = vscode;
  const code: vscode.DocumentSelector = [{ scheme: 'file' }, { scheme: 'untitled' }];
  const on = (): boolean => vscode.workspace.getConfiguration('smartObjects').get('linkIds') !== false;
  const mayBeId = (document: vscode.TextDocument, position: vscode.Position): boolean =>
    document.getWordRangeAtPosition(position, /[\w-]{4,}/) !== undefined;
  for (const part of HOVERS) {
    entry.own(
      languages.registerHoverProvider(code, {
        provideHover: async (document, position) =>
          on() && mayBeId(document, position) ? (await room()).code[part](document, position) : undefined,
      }),
    );
  }
  entry.own(
    languages.registerDocumentDropEditProvider(
      '*',
      {
        provideDocumentDropEdits: async (document, position, transfer, token) =>
          (await import('./insert.ts')).dropEdits(document, position, transfer, token),
      },
      { dropMimeTypes: [DRAG_MIME] },
    ),
  );
}

async function load(entry: Entry, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>): Promise<Room> {
  const [services, { createRoom }] = await Promise.all([entry.services(), import('./room.ts')]);
  const room = createRoom(entry, services, changed);
  keepLinks(entry, room);
  return room;
}

/** VS Code asks for links again only when their provider is another: so it is, whenever they may be others. */
function keepLinks(entry: Entry, { code }: Room): void {
  const register = (): vscode.Disposable =>
    vscode.languages.registerDocumentLinkProvider([{ scheme: 'file' }, { scheme: 'untitled' }], {
      provideDocumentLinks: (document) => code.provideDocumentLinks(document),
    });
  let links = register();
  entry.own(
    code.onDidChangeLinks(() => {
      links.dispose();
      links = register();
    }),
  );
  entry.own({
    dispose: () => {
      links.dispose();
    },
  });
}
