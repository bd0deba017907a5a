/** Registers the actions room: cheap proxies now, everything else on first use. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Room, RoomEvents } from './room.ts';
import { MAY_HAVE_OPEN_RUNS } from './state-keys.ts';

const COMMANDS = [
  'executeAction',
  'executeOn',
  'checkAction',
  'newActionFile',
  'newActionFileFrom',
  'cancelRun',
  'lookUpRun',
  'rerun',
  'compareRuns',
  'showRuns',
  'copyRunner',
  'copyRunCurl',
  'removeRun',
  'openRunDiff',
  'openRunTransaction',
  'manageVariables',
] as const satisfies readonly CommandId[];

export function registerActions(entry: Entry): void {
  const events: RoomEvents = {
    runs: entry.own(new vscode.EventEmitter<object | undefined>()),
    parts: entry.own(new vscode.EventEmitter<vscode.Uri>()),
    lenses: entry.own(new vscode.EventEmitter<void>()),
  };
  let loading: Promise<Room> | undefined;
  const room = (): Promise<Room> => (loading ??= load(entry, events));

  for (const id of COMMANDS) proxy(entry, room, id);
  entry.own(
    vscode.workspace.registerTextDocumentContentProvider('smartobject-run', {
      onDidChange: events.parts.event,
      provideTextDocumentContent: async (uri) => (await room()).partText(uri),
    }),
  );
  const view = entry.own(
    vscode.window.createTreeView<object>('smartObjects.runs', {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: events.runs.event,
        getChildren: async (row) => (await room()).runRows(row),
        getTreeItem: async (row) => (await room()).runItem(row),
        getParent: async (row) => (await room()).runParent(row),
      },
    }),
  );
  events.view = view;
  void offerLook(entry, room);
  entry.onLoaded(({ histories }) => {
    entry.own(
      histories.register({
        words: ['run', 'runs'],
        count: async (connection) => (await room()).countRuns(connection),
        delete: async (connection) => (await room()).deleteRuns(connection),
      }),
    );
  });
  registerLanguage(entry, room, events);
  registerTests(entry, room, events);
  registerTasks(entry, room);
}

/**
 * A run that an earlier window left without an end is read, and so offered to be looked for, without being asked for. Only a
 * workspace in which something was sent is looked at, so that activation reads no file elsewhere.
 */
async function offerLook({ context, log }: Entry, room: () => Promise<Room>): Promise<void> {
  if (context.workspaceState.get(MAY_HAVE_OPEN_RUNS) !== true) return;
  try {
    const { hasOpenRuns } = await import('./open-runs.ts');
    if (await hasOpenRuns((context.storageUri ?? context.globalStorageUri).fsPath)) await (await room()).loadRuns();
    else await context.workspaceState.update(MAY_HAVE_OPEN_RUNS, undefined);
  } catch (error) {
    log().warn(`The run history could not be read: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
}

function proxy(entry: Entry, room: () => Promise<Room>, id: (typeof COMMANDS)[number]): void {
  entry.command(id, async (_services, ...args) => (await room()).run(id, args));
}

// A new action file has no name where no folder is open.
const NEW = { scheme: 'untitled', language: 'jsonc' };
const SELECTOR: vscode.DocumentSelector = [{ pattern: '**/*.action.json' }, NEW];
const WITH_SUITES: vscode.DocumentSelector = [{ pattern: '**/*.{action,actions}.json' }, NEW];
const isNew = (document: vscode.TextDocument): boolean =>
  vscode.languages.match(NEW, document) > 0 && /^\s*\{\s*"action"/.test(document.getText());
/** Neither what a comparison shows of a file, nor what the history of a file holds. */
const isOurs = (document: vscode.TextDocument): boolean => {
  const { path, scheme } = document.uri;
  if (!/\.(?:actions?|expect)\.json$/.test(path)) return isNew(document);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return ['file', 'untitled'].includes(scheme) || folders.some(({ uri }) => uri.scheme === scheme);
};

function registerLanguage(entry: Entry, room: () => Promise<Room>, events: RoomEvents): void {
  const { languages, workspace } = vscode;
  entry.own(
    languages.registerCodeLensProvider(WITH_SUITES, {
      onDidChangeCodeLenses: events.lenses.event,
      provideCodeLenses: (document) => {
        const { uri } = document;
        const named = /\.actions?\.json$/.test(uri.path);
        if (!named && !isNew(document)) return [];
        return [
          lens('$(play) Run', 'executeAction', uri),
          // Suites are checked while typing alone.
          ...(uri.path.endsWith('.actions.json') ? [] : [lens('Check', 'checkAction', uri)]),
          lens('Run on…', 'executeOn', uri),
        ];
      },
    }),
  );
  entry.own(
    languages.registerCompletionItemProvider(
      SELECTOR,
      {
        provideCompletionItems: async (document, position, token) => (await room()).complete(document, position, token),
      },
      '"',
      ':',
    ),
  );
  entry.own(
    languages.registerHoverProvider(SELECTOR, {
      provideHover: async (document, position, token) => (await room()).hover(document, position, token),
    }),
  );
  entry.own(
    languages.registerCodeActionsProvider(
      WITH_SUITES,
      {
        provideCodeActions: async (document, _range, context) => (await room()).fixes(document, context),
        resolveCodeAction: async (action) => (await room()).resolveFix(action),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = (document: vscode.TextDocument, typed = false): void => {
    if (!isOurs(document)) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    const timer = setTimeout(() => {
      waiting.delete(key);
      if (!document.isClosed)
        void room()
          .then((loaded) => loaded.check(document, typed))
          .catch(ignore);
    }, 200);
    waiting.set(key, timer);
  };
  entry.own({
    dispose: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  });
  const opened = (document: vscode.TextDocument): void => {
    check(document);
  };
  entry.own(workspace.onDidOpenTextDocument(opened));
  entry.own(
    workspace.onDidChangeTextDocument(({ document }) => {
      check(document, true);
    }),
  );
  entry.own(
    workspace.onDidCloseTextDocument((document) => {
      if (isOurs(document))
        void room().then((loaded) => {
          loaded.forget(document);
        }, ignore);
    }),
  );
  workspace.textDocuments.forEach(opened);
}

function registerTests(entry: Entry, room: () => Promise<Room>, events: RoomEvents): void {
  const controller = entry.own(vscode.tests.createTestController('smartObjects.actions', 'Smart Object Actions'));
  events.controller = controller;
  controller.resolveHandler = async (item) => (await room()).resolveTests(item);
  controller.refreshHandler = async () => (await room()).refreshTests();
  controller.createRunProfile(
    'Run',
    vscode.TestRunProfileKind.Run,
    async (request, token) => (await room()).runTests(request, token),
    true,
  );
}

const TASK_FILES = '**/*.{action,actions}.json';
const MAX_TASKS = 500;

function registerTasks(entry: Entry, room: () => Promise<Room>): void {
  const task = (definition: vscode.TaskDefinition, scope: vscode.Task['scope'], name: string): vscode.Task =>
    new vscode.Task(
      definition,
      scope ?? vscode.TaskScope.Workspace,
      name,
      'smartObjects',
      new vscode.CustomExecution(async (resolved) =>
        (await room()).terminal(name, resolved, typeof scope === 'object' ? scope : undefined),
      ),
      '$smartObjects',
    );
  entry.own(
    vscode.tasks.registerTaskProvider('smartObjects', {
      provideTasks: async (token) => {
        const found = await vscode.workspace.findFiles(TASK_FILES, '**/node_modules/**', MAX_TASKS, token);
        return found
          .sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
          .flatMap((uri) => {
            const folder = vscode.workspace.getWorkspaceFolder(uri);
            if (folder === undefined) return [];
            const file = vscode.workspace.asRelativePath(uri, false);
            return [task({ type: 'smartObjects', files: [file] }, folder, file)];
          });
      },
      resolveTask: ({ definition, scope, name }) => task(definition, scope, name),
    }),
  );
}

/** What the room could not load is told by the command that a person runs, not while typing. */
function ignore(): void {
  return;
}

function lens(title: string, id: CommandId, uri: vscode.Uri): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: `smartObjects.${id}`, arguments: [uri] });
}

async function load(entry: Entry, events: RoomEvents): Promise<Room> {
  const [services, { createRoom }] = await Promise.all([entry.services(), import('./room.ts')]);
  return createRoom(entry, services, events);
}
