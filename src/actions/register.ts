/** Registers the actions feature. The controller is loaded on first use. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import { ACTIONS_COMMANDS, type CommandId } from '../commands/ids.ts';
import type { ActionsController, ControllerEvents } from './controller.ts';
import { restoreRunContextKeys } from './history/run-context-keys.ts';
import { MAY_HAVE_OPEN_RUNS } from './history/state-keys.ts';
import { ACTION_FILES, ACTION_FILES_AND_SUITES, EXCLUDED_FILES, MAX_FILES } from './file/file-names.ts';

export function registerActions(features: FeatureContext): void {
  const emitters = {
    runs: features.addDisposable(new vscode.EventEmitter<object | undefined>()),
    documents: features.addDisposable(new vscode.EventEmitter<vscode.Uri>()),
    lenses: features.addDisposable(new vscode.EventEmitter<void>()),
  };
  let loading: Promise<ActionsController> | undefined;
  const getController = (): Promise<ActionsController> =>
    (loading ??= loadController(features, { ...emitters, view, testController }));
  const testController = registerTests(features, getController);

  for (const id of ACTIONS_COMMANDS) registerCommand(features, getController, id);
  features.addDisposable(
    vscode.workspace.registerTextDocumentContentProvider('smartobject-run', {
      onDidChange: emitters.documents.event,
      provideTextDocumentContent: async (uri) => (await getController()).history.getDocumentText(uri),
    }),
  );
  const view = features.addDisposable(
    vscode.window.createTreeView<object>('smartObjects.runs', {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: emitters.runs.event,
        getChildren: async (row) => (await getController()).getRows(row),
        getTreeItem: async (row) => (await getController()).getRowItem(row),
        getParent: async (row) => (await getController()).getRowParent(row),
      },
    }),
  );
  restoreRunContextKeys(features.context.workspaceState);
  void offerRunLookUp(features, getController);
  features.onServicesLoaded(({ histories }) => {
    features.addDisposable(
      histories.register({
        itemLabels: ['run', 'runs'],
        count: async (connection) => (await getController()).history.count(connection),
        delete: async (connection) => (await getController()).history.deleteAll(connection),
      }),
    );
  });
  registerLenses(features, emitters.lenses.event);
  registerLanguage(features, getController);
  registerTasks(features, getController);
}

/**
 * Loads the runs that an earlier window left open, which offers to search for them. Reads files only if a run was sent
 * in this workspace, since activation must not do I/O.
 */
async function offerRunLookUp(
  { context, log }: FeatureContext,
  getController: () => Promise<ActionsController>,
): Promise<void> {
  if (context.workspaceState.get(MAY_HAVE_OPEN_RUNS) !== true) return;
  try {
    const { hasOpenRuns } = await import('../model/run-files.ts');
    if (await hasOpenRuns((context.storageUri ?? context.globalStorageUri).fsPath))
      await (await getController()).loadRuns();
    else await context.workspaceState.update(MAY_HAVE_OPEN_RUNS, undefined);
  } catch (error) {
    log().warn(`The run history could not be read: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
}

function registerCommand(
  features: FeatureContext,
  getController: () => Promise<ActionsController>,
  id: (typeof ACTIONS_COMMANDS)[number],
): void {
  features.registerCommand(id, async (_services, ...args) => (await getController()).run(id, args));
}

// A new action file has no name where no folder is open.
const NEW_FILE = { scheme: 'untitled', language: 'jsonc' };
const SELECTOR: vscode.DocumentSelector = [{ pattern: ACTION_FILES }, NEW_FILE];
const WITH_SUITES: vscode.DocumentSelector = [{ pattern: ACTION_FILES_AND_SUITES }, NEW_FILE];
const isNewActionFile = (document: vscode.TextDocument): boolean =>
  vscode.languages.match(NEW_FILE, document) > 0 && /^\s*\{\s*"action"/.test(document.getText());
/** Excludes the documents of comparisons and file histories. */
const isCheckedDocument = (document: vscode.TextDocument): boolean => {
  const { path, scheme } = document.uri;
  if (!/\.(?:actions?|expect)\.json$/.test(path)) return isNewActionFile(document);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return ['file', 'untitled'].includes(scheme) || folders.some(({ uri }) => uri.scheme === scheme);
};

function registerLenses(features: FeatureContext, onDidChange: vscode.Event<void>): void {
  features.addDisposable(
    vscode.languages.registerCodeLensProvider(WITH_SUITES, {
      onDidChangeCodeLenses: onDidChange,
      provideCodeLenses: (document) => {
        const { uri } = document;
        const named = /\.actions?\.json$/.test(uri.path);
        if (!named && !isNewActionFile(document)) return [];
        return [
          createLens('$(play) Run', 'executeAction', uri),
          // Suites have no live check.
          ...(uri.path.endsWith('.actions.json') ? [] : [createLens('Check', 'checkAction', uri)]),
          createLens('Run on…', 'executeOn', uri),
        ];
      },
    }),
  );
}

function registerLanguage(features: FeatureContext, getController: () => Promise<ActionsController>): void {
  const { languages, workspace } = vscode;
  features.addDisposable(
    languages.registerCompletionItemProvider(
      SELECTOR,
      {
        provideCompletionItems: async (document, position, token) =>
          (await getController()).language.complete(document, position, token),
      },
      '"',
      ':',
    ),
  );
  features.addDisposable(
    languages.registerHoverProvider(SELECTOR, {
      provideHover: async (document, position, token) =>
        (await getController()).language.hover(document, position, token),
    }),
  );
  features.addDisposable(
    languages.registerCodeActionsProvider(
      WITH_SUITES,
      {
        provideCodeActions: async (document, _range, context) =>
          (await getController()).language.getFixes(document, context),
        resolveCodeAction: async (action) => (await getController()).language.resolveFix(action),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = (document: vscode.TextDocument, isTyped = false): void => {
    if (!isCheckedDocument(document)) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    const timer = setTimeout(() => {
      waiting.delete(key);
      if (!document.isClosed)
        void getController()
          .then((loaded) => loaded.language.check(document, isTyped))
          .catch(ignoreError);
    }, 200);
    waiting.set(key, timer);
  };
  features.addDisposable({
    dispose: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  });
  const checkOpened = (document: vscode.TextDocument): void => {
    check(document);
  };
  features.addDisposable(workspace.onDidOpenTextDocument(checkOpened));
  features.addDisposable(
    workspace.onDidChangeTextDocument(({ document }) => {
      check(document, true);
    }),
  );
  features.addDisposable(
    workspace.onDidCloseTextDocument((document) => {
      if (isCheckedDocument(document))
        void getController().then((loaded) => {
          loaded.language.clear(document);
        }, ignoreError);
    }),
  );
  workspace.textDocuments.forEach(checkOpened);
}

function registerTests(
  features: FeatureContext,
  getController: () => Promise<ActionsController>,
): vscode.TestController {
  const controller = features.addDisposable(
    vscode.tests.createTestController('smartObjects.actions', 'Smart Object Actions'),
  );
  controller.resolveHandler = async (item) => (await getController()).resolveTests(item);
  controller.refreshHandler = async () => (await getController()).refreshTests();
  controller.createRunProfile(
    'Run',
    vscode.TestRunProfileKind.Run,
    async (request, token) => (await getController()).runTests(request, token),
    true,
  );
  return controller;
}

function registerTasks(features: FeatureContext, getController: () => Promise<ActionsController>): void {
  const task = (definition: vscode.TaskDefinition, scope: vscode.Task['scope'], name: string): vscode.Task =>
    new vscode.Task(
      definition,
      scope ?? vscode.TaskScope.Workspace,
      name,
      'smartObjects',
      new vscode.CustomExecution(async (resolved) =>
        (await getController()).createTaskTerminal(name, resolved, typeof scope === 'object' ? scope : undefined),
      ),
      '$smartObjects',
    );
  features.addDisposable(
    vscode.tasks.registerTaskProvider('smartObjects', {
      provideTasks: async (token) => {
        const found = await vscode.workspace.findFiles(ACTION_FILES_AND_SUITES, EXCLUDED_FILES, MAX_FILES, token);
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

/** A command reports an error of loading the controller; typing does not. */
function ignoreError(): void {
  return;
}

function createLens(title: string, id: CommandId, uri: vscode.Uri): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: `smartObjects.${id}`, arguments: [uri] });
}

async function loadController(features: FeatureContext, events: ControllerEvents): Promise<ActionsController> {
  const [services, { createController }] = await Promise.all([features.services(), import('./controller.ts')]);
  return createController(features, services, events);
}
