import path from 'node:path';
import * as vscode from 'vscode';
import { getTitleOrId } from '../cache/title-lookup.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { RunRecord } from '../model/runs/run-record.ts';
import type { Session } from '../model/session/session.ts';
import type { Disposable } from '../ui/disposables.ts';
import { SelectedRow } from '../ui/selected-row.ts';
import type { ActionsContext } from './context.ts';
import type { ActionSource } from './file/action-source.ts';
import { HistoryCommands, offerLookUp } from './history/history-commands.ts';
import { updateRunContextKeys } from './history/run-context-keys.ts';
import { RunStore } from './history/run-store.ts';
import { RunsView, type RunRow } from './history/runs-view.ts';
import { ActionLenses } from './language/action-lenses.ts';
import { LanguageFeatures } from './language/language-features.ts';
import { LiveDataBySession } from './language/live-data.ts';
import type { ActionFileCreator } from './language/new-action-file.ts';
import { RecentStarts } from './run/confirm/recent-starts.ts';
import { RunCommands } from './run/run-commands.ts';
import { Runner } from './run/runner.ts';

/** Objects, and templates of new ones, that may have changed. */
export interface Touched {
  readonly connection: string;
  readonly ids: readonly string[];
}

/** What register.ts creates before the controller is loaded. */
export interface ControllerEvents {
  readonly runs: vscode.EventEmitter<RunRow | undefined>;
  readonly documents: vscode.EventEmitter<vscode.Uri>;
  readonly previews: vscode.EventEmitter<vscode.Uri>;
  readonly lenses: vscode.EventEmitter<void>;
  readonly touched: vscode.EventEmitter<Touched>;
  readonly view: Pick<vscode.TreeView<RunRow>, 'visible' | 'reveal' | 'selection'>;
  readonly testController: vscode.TestController;
}

/** Creates the parts of the actions feature, and connects their events. */
export class ActionsController {
  readonly language: LanguageFeatures;
  readonly history: HistoryCommands;
  readonly lenses: ActionLenses;
  readonly services: Services;
  readonly store: RunStore;
  readonly runner: Runner;
  readonly view: RunsView;
  readonly #context: ActionsContext;
  readonly #features: FeatureContext;
  readonly #events: ControllerEvents;
  readonly #selectedRow: SelectedRow<RunRow>;
  readonly #storage: string;
  readonly runCommands: RunCommands;
  /** stage of each run when the rows of its connection were last refreshed for it */
  readonly #refreshedStages = new Map<string, string>();

  /** The texts of new action files. */
  readonly fileCreator = lazy(async () => {
    const { ActionFileCreator } = await import('./language/new-action-file.ts');
    return new ActionFileCreator(this.#context);
  });

  /** The panels of batches. */
  readonly bulkPanels = lazy(async () => {
    const { BulkPanels } = await import('./bulk/panel/panels.ts');
    const onTouch = (connection: string, ids: readonly string[]): void => this.#showTouched(connection, ids);
    return this.#features.addDisposable(new BulkPanels({ ...this.#context, storage: this.#storage, onTouch }));
  });

  /** Tests and suites in the Test Explorer. */
  readonly testExplorer = lazy(async () => {
    const { TestExplorer } = await import('./testing/test-explorer.ts');
    return this.#features.addDisposable(new TestExplorer(this.#events.testController, this.services, this.runner));
  });

  /** The documents of previews. */
  readonly previews = lazy(async () => {
    const { PreviewDocuments } = await import('./preview/preview-documents.ts');
    return this.#features.addDisposable(new PreviewDocuments(this.#context, this.#events.previews));
  });

  /** The forms of action files. */
  readonly forms = lazy(async () => {
    const { ActionForms } = await import('./form/forms.ts');
    const { runner, language, fileCreator, bulkPanels } = this;
    return new ActionForms({ ...this.#context, runner, language, fileCreator, bulkPanels });
  });

  /** `storage`: path of the storage of the workspace */
  constructor(features: FeatureContext, services: Services, events: ControllerEvents, storage: string) {
    this.#features = features;
    this.services = services;
    this.#events = events;
    const { context } = services;
    this.#storage = storage;
    this.store = features.addDisposable(
      new RunStore({ storage, log: services.log, onInterrupted: (runs) => offerLookUp(runs, services.ui, features) }),
    );
    this.#context = { services, store: this.store, liveData: new LiveDataBySession(services.labels) };
    features.addDisposable(updateRunContextKeys(this.store, context.workspaceState));
    this.runner = features.addDisposable(
      new Runner({
        ...this.#context,
        // All workspaces share them: a window of the same folder can be of another workspace.
        starts: new RecentStarts(path.join(context.globalStorageUri.fsPath, 'starts')),
        isShown: () => events.view.visible,
      }),
    );
    this.view = features.addDisposable(new RunsView(this.runner, (resource) => getTitleOrId(services, resource)));
    this.#selectedRow = new SelectedRow(() => events.view);
    this.history = new HistoryCommands({
      services,
      runner: this.runner,
      rows: this.view,
      view: events.view,
      documents: events.documents,
    });
    this.runCommands = new RunCommands({
      ...this.#context,
      runner: this.runner,
      onRun: (run) => this.history.reveal(run),
      runSuite: async (uri, session) => (await this.testExplorer()).runFile(uri, session),
    });
    this.lenses = features.addDisposable(new ActionLenses(services, this.runner, () => events.lenses.fire()));
    const diagnostics = features.addDisposable(vscode.languages.createDiagnosticCollection('smartObjects'));
    this.language = new LanguageFeatures(this.#context, diagnostics);
    features.addDisposable(this.#listenToSessions());
    features.addDisposable(this.view.onDidChangeTreeData((row) => events.runs.fire(row)));
    features.addDisposable(this.store.onDidChange((run) => this.#handleRunChange(run)));
  }

  #listenToSessions(): Disposable {
    const { sessions } = this.services;
    const getState = (): readonly unknown[] => {
      const { active } = sessions;
      return [active, ...(active === undefined ? [] : sessions.getIdentities(active.profile.name))];
    };
    let state = getState();
    return sessions.onDidChange(() => {
      const now = getState();
      if (now.length === state.length && now.every((part, index) => part === state[index])) return;
      state = now;
      this.language.handleSessionChange();
    });
  }

  /** Updates what shows a run; `undefined`: the list of runs changed. */
  #handleRunChange(run: RunRecord | undefined): void {
    this.view.refresh(run);
    if (run === undefined) return;
    this.history.refreshDocuments(run);
    if (run.phase === 'ended' && (run.outcome === 'refused' || run.outcome === 'failed'))
      this.language.showRefusal(run);
    const session = this.services.sessions.get(run.connection);
    // Objects and supplies change once the log is decided, and perhaps again with the batch.
    const stage = run.phase === 'ended' ? run.phase : run.outcome;
    if (stage === undefined || session === undefined || this.#refreshedStages.get(run.id) === stage) return;
    this.#refreshedStages.set(run.id, stage);
    this.#context.liveData.get(session).clear();
    if (run.outcome === 'notSent') return;
    const ids = run.affected.flatMap(({ id, templateId }) => [id, ...(templateId === undefined ? [] : [templateId])]);
    this.#showTouched(run.connection, ids);
  }

  /** Updates what shows these objects and templates, and the lists that they may be in. */
  #showTouched(connection: string, ids: readonly string[]): void {
    this.#events.touched.fire({ connection, ids });
    for (const kind of ['objects', 'action-logs']) void this.#features.run('refresh', { connection, kind });
  }

  /** Runs a request of an agent: see `ActionHooks`. */
  async runRequest(
    source: ActionSource,
    session: Session,
    signal: AbortSignal,
    request?: string,
  ): Promise<RunRecord | undefined> {
    const options = { isExplicit: true, ...(request !== undefined && { request }) };
    const [confirmed] = (await this.runner.confirm([source], session, options)) ?? [];
    if (confirmed === undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<RunRecord>();
    const onRun = (run: RunRecord): void => {
      // The batch is followed on, but nobody needs to wait for it.
      if (run.outcome === 'completed' || run.outcome === 'failed' || run.outcome === 'refused') resolve(run);
    };
    void this.runner.run(confirmed, { signal, onRun }).then(resolve);
    return promise;
  }

  /** Creates the terminal of a task, which runs when VS Code opens it. Never rejects. */
  async createTaskTerminal(
    name: string,
    definition: vscode.TaskDefinition,
    folder: vscode.WorkspaceFolder | undefined,
  ): Promise<vscode.Pseudoterminal> {
    const { TaskTerminal } = await import('./testing/task-terminal.ts');
    return new TaskTerminal({ services: this.services, runner: this.runner, name, definition, folder });
  }

  /** Opens a new action file. Resolves with its address; rejects with Error. */
  async newFile(
    create: (creator: ActionFileCreator) => Promise<{ readonly text: string } | undefined>,
  ): Promise<vscode.Uri | undefined> {
    const created = await create(await this.fileCreator());
    const { openNewFile } = await import('./language/new-action-file.ts');
    return created && (await openNewFile(created.text)).uri;
  }

  /** The row of a run in the Runs view, which is remembered if it is the selected one. */
  getRowItem(row: RunRow): vscode.TreeItem {
    this.#selectedRow.handleRead();
    return this.view.getTreeItem(row);
  }

  /** Does what a click on the selected row does. Rejects with the error of its command. */
  async openSelectedRow(): Promise<void> {
    const { command } = (await this.#selectedRow.find()) ?? {};
    const args: readonly unknown[] = command?.arguments ?? [];
    if (command !== undefined) await vscode.commands.executeCommand(command.command, ...args);
  }
}

/** Calls `create` on first use only: its modules are loaded then. */
function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => (created ??= create());
}
