import path from 'node:path';
import * as vscode from 'vscode';
import { getTitleOrId } from '../cache/title-lookup.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { RunRecord } from '../model/runs/run-record.ts';
import type { Session } from '../model/session/session.ts';
import type { Disposable } from '../ui/disposables.ts';
import { SelectedRow } from '../ui/selected-row.ts';
import type { ActionForms } from './form/forms.ts';
import { getString, type ActionFile } from './file/action-file.ts';
import { getIdFields } from './file/action-kinds.ts';
import type { ActionSource } from './file/action-source.ts';
import { HistoryCommands, offerLookUp } from './history/history-commands.ts';
import { updateRunContextKeys } from './history/run-context-keys.ts';
import { RunStore } from './history/run-store.ts';
import { RunsView, type RunRow } from './history/runs-view.ts';
import type { BulkCommands } from './bulk/panel/bulk-commands.ts';
import type { BulkPanels } from './bulk/panel/panels.ts';
import type { PreviewDocuments } from './preview/preview-documents.ts';
import { ActionLenses } from './language/action-lenses.ts';
import { pickId } from './language/pick-id.ts';
import { LanguageFeatures } from './language/language-features.ts';
import { LiveDataBySession, waitBriefly } from './language/live-data.ts';
import type { ActionFileCreator } from './language/new-action-file.ts';
import { RecentStarts } from './run/confirm/recent-starts.ts';
import { RunCommands } from './run/run-commands.ts';
import { Runner } from './run/runner.ts';
import type { TestExplorer } from './testing/test-explorer.ts';

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

interface Bulk {
  readonly panels: BulkPanels;
  readonly commands: BulkCommands;
}

/** Creates the parts of the actions feature, and connects their events. */
export class ActionsController {
  readonly language: LanguageFeatures;
  readonly history: HistoryCommands;
  readonly lenses: ActionLenses;
  readonly #features: FeatureContext;
  readonly services: Services;
  readonly #events: ControllerEvents;
  readonly #store: RunStore;
  readonly runner: Runner;
  readonly #view: RunsView;
  readonly #selectedRow: SelectedRow<RunRow>;
  readonly #storage: string;
  readonly runCommands: RunCommands;
  readonly #liveData: LiveDataBySession;
  /** stage of each run when the rows of its connection were last refreshed for it */
  readonly #refreshedStages = new Map<string, string>();
  #fileCreator: Promise<ActionFileCreator> | undefined;
  #bulk: Promise<Bulk> | undefined;
  #testExplorer: Promise<TestExplorer> | undefined;
  #previews: Promise<PreviewDocuments> | undefined;
  #forms: Promise<ActionForms> | undefined;

  /** `storage`: path of the storage of the workspace */
  constructor(features: FeatureContext, services: Services, events: ControllerEvents, storage: string) {
    this.#features = features;
    this.services = services;
    this.#events = events;
    this.#liveData = new LiveDataBySession(services.labels);
    const { context } = services;
    this.#storage = storage;
    this.#store = features.addDisposable(
      new RunStore({ storage, log: services.log, onInterrupted: (runs) => offerLookUp(runs, services.ui, features) }),
    );
    features.addDisposable(updateRunContextKeys(this.#store, context.workspaceState));
    this.runner = features.addDisposable(
      new Runner({
        services,
        store: this.#store,
        // All workspaces share them: a window of the same folder can be of another workspace.
        starts: new RecentStarts(path.join(context.globalStorageUri.fsPath, 'starts')),
        getName: (session, id) => this.#liveData.get(session).getName(id),
        isShown: () => events.view.visible,
        prefetchNames: (session, files) => this.#liveData.get(session).prefetchNames(files.flatMap(getIdFields)),
        readFee: (session, file) => this.#readFee(session, file),
      }),
    );
    this.#view = features.addDisposable(new RunsView(this.runner, (resource) => getTitleOrId(services, resource)));
    this.#selectedRow = new SelectedRow(() => events.view);
    this.history = new HistoryCommands({
      services,
      runner: this.runner,
      rows: this.#view,
      view: events.view,
      documents: events.documents,
    });
    this.runCommands = new RunCommands({
      services,
      runner: this.runner,
      pickId: (session, kind) => pickId({ services, liveData: this.#liveData, store: this.#store }, session, kind),
      onRun: (run) => this.history.reveal(run),
      runSuite: async (uri, session) => (await this.#getTestExplorer()).runFile(uri, session),
    });
    this.lenses = features.addDisposable(new ActionLenses(services, this.runner, () => events.lenses.fire()));
    const diagnostics = features.addDisposable(vscode.languages.createDiagnosticCollection('smartObjects'));
    this.language = new LanguageFeatures(services, this.#liveData, this.#store, diagnostics);
    features.addDisposable(this.#listenToSessions());
    features.addDisposable(this.#view.onDidChangeTreeData((row) => events.runs.fire(row)));
    features.addDisposable(this.#store.onDidChange((run) => this.#handleRunChange(run)));
  }

  async #readFee(session: Session, { entries: [entry] }: ActionFile): Promise<string | undefined> {
    const { readFees } = await import('./preview/predict-effect.ts');
    const live = this.#liveData.get(session);
    const fees = readFees(entry?.kind ?? '', getString(entry?.value, 'template_id'), () => live.readRecentLogs());
    return waitBriefly(fees.catch(() => undefined));
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
    this.#view.refresh(run);
    if (run === undefined) return;
    this.history.refreshDocuments(run);
    if (run.phase === 'ended' && (run.outcome === 'refused' || run.outcome === 'failed'))
      this.language.showRefusal(run);
    const session = this.services.sessions.get(run.connection);
    // Objects and supplies change once the log is decided, and perhaps again with the batch.
    const stage = run.phase === 'ended' ? run.phase : run.outcome;
    if (stage === undefined || session === undefined || this.#refreshedStages.get(run.id) === stage) return;
    this.#refreshedStages.set(run.id, stage);
    this.#liveData.get(session).clear();
    if (run.outcome === 'notSent') return;
    const ids = run.affected.flatMap(({ id, templateId }) => [id, ...(templateId === undefined ? [] : [templateId])]);
    this.#showTouched(run.connection, ids);
  }

  /** Updates what shows these objects and templates, and the lists that they may be in. */
  #showTouched(connection: string, ids: readonly string[]): void {
    this.#events.touched.fire({ connection, ids });
    for (const kind of ['objects', 'action-logs']) void this.#features.run('refresh', { connection, kind });
  }

  // Batches.

  /** Returns the panels of batches. Never rejects. */
  async getBulkPanels(): Promise<BulkPanels> {
    return (await this.#getBulk()).panels;
  }

  /** Returns the commands of batches. Never rejects. */
  async getBulkCommands(): Promise<BulkCommands> {
    return (await this.#getBulk()).commands;
  }

  #getBulk(): Promise<Bulk> {
    return (this.#bulk ??= Promise.all([
      import('./bulk/panel/panels.ts'),
      import('./bulk/panel/bulk-commands.ts'),
    ]).then(([{ BulkPanels }, { BulkCommands }]) => {
      const services = this.services;
      const panels = this.#features.addDisposable(
        new BulkPanels({
          services,
          store: this.#store,
          liveData: this.#liveData,
          storage: this.#storage,
          onTouch: (connection, ids) => this.#showTouched(connection, ids),
        }),
      );
      const getFileCreator = (): Promise<ActionFileCreator> => this.#getFileCreator();
      return { panels, commands: new BulkCommands({ services, panels, getFileCreator }) };
    }));
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

  // Tests and tasks.

  /** Discovers the test files, or the steps of a suite. Never rejects for a broken suite. */
  async resolveTests(item: vscode.TestItem | undefined): Promise<void> {
    await (await this.#getTestExplorer()).resolve(item);
  }

  /** Searches for test files again. Never rejects for a broken suite. */
  async refreshTests(): Promise<void> {
    await (await this.#getTestExplorer()).refresh();
  }

  /** Runs tests. Never rejects: what fails is reported for its test. */
  async runTests(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await (await this.#getTestExplorer()).run(request, token);
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

  // Loaded on first use.

  #getTestExplorer(): Promise<TestExplorer> {
    const create = async (): Promise<TestExplorer> => {
      const { TestExplorer } = await import('./testing/test-explorer.ts');
      return this.#features.addDisposable(new TestExplorer(this.#events.testController, this.services, this.runner));
    };
    return (this.#testExplorer ??= create());
  }

  /** The documents of previews. */
  getPreviews(): Promise<PreviewDocuments> {
    const create = async (): Promise<PreviewDocuments> => {
      const { PreviewDocuments } = await import('./preview/preview-documents.ts');
      return this.#features.addDisposable(
        new PreviewDocuments({
          services: this.services,
          store: this.#store,
          liveData: this.#liveData,
          changed: this.#events.previews,
        }),
      );
    };
    return (this.#previews ??= create());
  }

  /** The forms of action files. */
  getForms(): Promise<ActionForms> {
    const create = async (): Promise<ActionForms> => {
      const { ActionForms } = await import('./form/forms.ts');
      return new ActionForms({
        services: this.services,
        store: this.#store,
        runner: this.runner,
        liveData: this.#liveData,
        language: this.language,
        getFileCreator: () => this.#getFileCreator(),
        getBulkPanels: () => this.getBulkPanels(),
      });
    };
    return (this.#forms ??= create());
  }

  /** Opens a new action file. Resolves with its address; rejects with Error. */
  async newFile(
    create: (creator: ActionFileCreator) => Promise<{ readonly text: string } | undefined>,
  ): Promise<vscode.Uri | undefined> {
    const created = await create(await this.#getFileCreator());
    const { openNewFile } = await import('./language/new-action-file.ts');
    return created && (await openNewFile(created.text)).uri;
  }

  #getFileCreator(): Promise<ActionFileCreator> {
    const create = async (): Promise<ActionFileCreator> => {
      const { ActionFileCreator } = await import('./language/new-action-file.ts');
      return new ActionFileCreator(this.services, this.#liveData, this.#store);
    };
    return (this.#fileCreator ??= create());
  }

  /** Reads the history; offers to search for runs that another window left open. Never rejects. */
  loadRuns(): Promise<void> {
    return this.#store.load();
  }

  // Rows of the Runs view.

  /** Returns the rows of the Runs view. Never rejects. */
  async getRows(row: RunRow | undefined): Promise<RunRow[]> {
    return this.#view.getChildren(row);
  }

  getRowItem(row: RunRow): vscode.TreeItem {
    this.#selectedRow.handleRead();
    return this.#view.getTreeItem(row);
  }

  getRowParent(row: RunRow): RunRow | undefined {
    return this.#view.getParent(row);
  }

  /** Does what a click on the selected row does. Rejects with the error of its command. */
  async openSelectedRow(): Promise<void> {
    const { command } = (await this.#selectedRow.find()) ?? {};
    const args: readonly unknown[] = command?.arguments ?? [];
    if (command !== undefined) await vscode.commands.executeCommand(command.command, ...args);
  }
}
