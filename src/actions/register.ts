import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import { registerWebviewPanel } from '../commands/register-webviews.ts';
import { registerCommands } from '../commands/register-commands.ts';
import { compareTexts, pluralize } from '../platform/text/localization.ts';
import type { RunRecord } from '../model/runs/run-record.ts';
import type { Session } from '../model/session/session.ts';
import { commands } from './commands.ts';
import type { ActionsController, ControllerEvents, Touched } from './controller.ts';
import type { ActionSource } from './file/action-source.ts';
import { restoreRunContextKeys } from './history/run-context-keys.ts';
import type { RunRow } from './history/runs-view.ts';
import { MAY_HAVE_OPEN_RUNS } from './history/state-keys.ts';
import { ACTION_FILES_AND_SUITES, EXCLUDED_FILES, MAX_FILES } from './file/file-names.ts';
import type { BulkPanels } from './bulk/panel/panels.ts';
import type { TestExplorer } from './testing/test-explorer.ts';
import { MAY_HAVE_OPEN_BATCHES, VIEW_TYPE } from './bulk/panel/state-keys.ts';
import { FORM_VIEW_TYPE } from './form/form-view-type.ts';
import { onFirstActionDocument } from './language/action-documents.ts';
import { registerCodeLenses } from './language/code-lenses.ts';
import { registerLanguage } from './language/register-language.ts';
import { PREVIEW_SCHEME, RUN_SCHEME } from '../model/resources/resource-schemes.ts';

/** What agents and pages use of action files; the first call loads them. */
export interface ActionHooks {
  /** fires when a run or rows of a batch may have changed objects, and again when their ledger batch was decided */
  readonly onDidTouch: vscode.Event<Touched>;
  /**
   * Confirms if the settings ask for it, and runs a request that is not a file. Resolves with the run once its outcome
   * is decided; `undefined` if the user declined, or the same was run a moment ago. `request`: a sentence that is confirmed
   * whatever the settings. Rejects with Error for what blocks sending.
   */
  runRequest(
    source: ActionSource,
    session: Session,
    signal: AbortSignal,
    request?: string,
  ): Promise<RunRecord | undefined>;
}

/** Registers commands, views and providers of action files; their code loads on first use. */
export function registerActions(features: FeatureContext): ActionHooks {
  const emitters = {
    runs: features.addDisposable(new vscode.EventEmitter<RunRow | undefined>()),
    documents: features.addDisposable(new vscode.EventEmitter<vscode.Uri>()),
    previews: features.addDisposable(new vscode.EventEmitter<vscode.Uri>()),
    lenses: features.addDisposable(new vscode.EventEmitter<void>()),
    touched: features.addDisposable(new vscode.EventEmitter<Touched>()),
  };
  let loading: Promise<ActionsController> | undefined;
  const getController = (): Promise<ActionsController> =>
    (loading ??= loadController(features, { ...emitters, view, testController }));
  const testController = registerTests(features, getController);

  registerCommands(features, getController, commands);
  features.addDisposable(
    vscode.workspace.registerTextDocumentContentProvider(RUN_SCHEME, {
      onDidChange: emitters.documents.event,
      provideTextDocumentContent: async (uri) => (await getController()).history.getDocumentText(uri),
    }),
  );
  features.addDisposable(
    vscode.workspace.registerTextDocumentContentProvider(PREVIEW_SCHEME, {
      onDidChange: emitters.previews.event,
      provideTextDocumentContent: async (uri) => (await (await getController()).previews()).getText(uri),
    }),
  );
  const view = features.addDisposable(
    vscode.window.createTreeView<RunRow>('smartObjects.runs', {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: emitters.runs.event,
        getChildren: async (row) => (await getController()).view.getChildren(row),
        getTreeItem: async (row) => (await getController()).getRowItem(row),
        getParent: async (row) => (await getController()).view.getParent(row),
      },
    }),
  );
  restoreRunContextKeys(features.context.workspaceState);
  void offerRunLookUp(features, getController);
  features.onServicesLoaded(({ histories }) => {
    features.addDisposable(
      histories.register({
        formatCount: (count) => pluralize(count, l10n.t('{0} run|{0} runs')),
        count: async (connection) => (await getController()).history.count(connection),
        delete: async (connection) => (await getController()).history.deleteAll(connection),
      }),
    );
  });
  registerBatches(features, getController);
  features.addDisposable(
    vscode.window.registerCustomEditorProvider(FORM_VIEW_TYPE, {
      resolveCustomTextEditor: async (document, panel) =>
        (await (await getController()).forms()).resolve(document, panel),
    }),
  );
  onFirstActionDocument(features, () => {
    registerCodeLenses(features, emitters.lenses, async () => (await getController()).lenses);
    registerLanguage(features, async () => (await getController()).language);
  });
  registerTasks(features, getController);
  return {
    onDidTouch: emitters.touched.event,
    runRequest: async (...call) => (await getController()).runRequest(...call),
  };
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
    const [{ hasOpenRuns }, { openWorkspaceStorage }] = await Promise.all([
      import('../model/runs/run-files.ts'),
      import('../model/files/workspace-storage.ts'),
    ]);
    if (await hasOpenRuns(await openWorkspaceStorage(context, vscode.workspace)))
      await (await getController()).store.load();
    else await context.workspaceState.update(MAY_HAVE_OPEN_RUNS, undefined);
  } catch (error) {
    log().warn(`The run history could not be read: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
}

/** Registers the panel and the history of batches, and offers those that an earlier window left unfinished. */
function registerBatches(features: FeatureContext, getController: () => Promise<ActionsController>): void {
  const getPanels = async (): Promise<BulkPanels> => (await getController()).bulkPanels();
  registerWebviewPanel(features, VIEW_TYPE, async (_services, panel, state) =>
    (await getPanels()).restore(panel, state),
  );
  features.onServicesLoaded(({ histories }) => {
    features.addDisposable(
      histories.register({
        formatCount: (count) =>
          pluralize(
            count,
            l10n.t({
              message: '{0} batch|{0} batches',
              args: [],
              comment: 'Batches of rows: an action for each row of data',
            }),
          ),
        count: async (connection) => (await getPanels()).count(connection),
        delete: async (connection) => (await getPanels()).delete(connection),
      }),
    );
  });
  if (features.context.workspaceState.get(MAY_HAVE_OPEN_BATCHES) !== true) return;
  getPanels()
    .then((panels) => panels.offerInterrupted())
    .catch((error: unknown) =>
      features.log().warn(`The batches could not be read: ${error instanceof Error ? error.message : 'unknown error'}`),
    );
}

function registerTests(
  features: FeatureContext,
  getController: () => Promise<ActionsController>,
): vscode.TestController {
  const controller = features.addDisposable(
    vscode.tests.createTestController('smartObjects.actions', l10n.t('Smart Object Actions')),
  );
  const getExplorer = async (): Promise<TestExplorer> => (await getController()).testExplorer();
  controller.resolveHandler = async (item) => (await getExplorer()).resolve(item);
  controller.refreshHandler = async () => (await getExplorer()).refresh();
  controller.createRunProfile(
    l10n.t({ message: 'Run', args: [], comment: 'Command: runs an action' }),
    vscode.TestRunProfileKind.Run,
    async (request, token) => (await getExplorer()).run(request, token),
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
          .sort((a, b) => compareTexts(a.path, b.path))
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

async function loadController(features: FeatureContext, events: ControllerEvents): Promise<ActionsController> {
  const [services, { ActionsController }, { openWorkspaceStorage }] = await Promise.all([
    features.services(),
    import('./controller.ts'),
    import('../model/files/workspace-storage.ts'),
  ]);
  const storage = await openWorkspaceStorage(features.context, vscode.workspace);
  return new ActionsController(features, services, events, storage);
}
