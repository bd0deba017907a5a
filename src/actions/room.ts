/** The actions room behind its proxies: commands, runs and their documents. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Session } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';
import { idFieldsOf, type Finding } from './check.ts';
import { isSuite } from './expect.ts';
import type { ExplorerTests } from './explorer-tests.ts';
import { nameOfFile } from './file.ts';
import { lineAndColumn } from './plan.ts';
import { Language } from './language.ts';
import { LiveSessions } from './live.ts';
import { partOfPath, partPath, partText, RUN_SCHEME, sideOf } from './parts.ts';
import { lineOf, stateText, type RunRecord } from './record.ts';
import { mayLearnMore, whereOf } from './run-words.ts';
import { Runner } from './runner.ts';
import { RunsView, type RunRow } from './runs-view.ts';
import { ACTION_FILES, sourcesOf } from './sources.ts';
import { RecentStarts } from './starts.ts';
import { copyCurl, copyRunner, openTransaction } from './take-away.ts';
import { RunStore } from './store.ts';
import type { Writing } from './writing.ts';

/** What the proxies own and the room fires. */
export interface RoomEvents {
  readonly runs: vscode.EventEmitter<object | undefined>;
  readonly parts: vscode.EventEmitter<vscode.Uri>;
  readonly lenses: vscode.EventEmitter<void>;
  view?: vscode.TreeView<object>;
  controller?: vscode.TestController;
}

export function createRoom(entry: Entry, services: Services, events: RoomEvents): Room {
  return new Room(entry, services, events);
}

export class Room {
  readonly #entry: Entry;
  readonly #services: Services;
  readonly #events: RoomEvents;
  readonly #store: RunStore;
  readonly #runner: Runner;
  readonly #view: RunsView;
  readonly #live = new LiveSessions();
  readonly #language: Language;
  /** how far each run was when the rows of its connection were last read again for it */
  readonly #seen = new Map<string, string>();
  #writing: Promise<Writing> | undefined;
  #tests: Promise<ExplorerTests> | undefined;

  constructor(entry: Entry, services: Services, events: RoomEvents) {
    this.#entry = entry;
    this.#services = services;
    this.#events = events;
    const { context } = services;
    const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
    this.#store = entry.own(
      new RunStore({
        storage,
        log: services.log,
        onInterrupted: (runs) => {
          this.#offerLook(runs);
        },
      }),
    );
    this.#runner = entry.own(
      new Runner({
        services,
        store: this.#store,
        starts: new RecentStarts(path.join(storage, 'starts')),
        nameOf: (session, id) => this.#live.of(session).nameOf(id),
        isShown: () => events.view?.visible === true,
        learn: (session, files) => this.#live.of(session).learn(files.flatMap(idFieldsOf)),
      }),
    );
    this.#view = entry.own(new RunsView(this.#runner));
    const diagnostics = entry.own(vscode.languages.createDiagnosticCollection('smartObjects'));
    this.#language = new Language(services, this.#live, this.#store, diagnostics);
    let { active } = services.sessions;
    entry.own(
      services.sessions.onDidChange(() => {
        if (services.sessions.active === active) return;
        active = services.sessions.active;
        this.#language.switched();
      }),
    );
    entry.own(
      this.#view.onDidChangeTreeData((row) => {
        events.runs.fire(row);
      }),
    );
    entry.own(
      this.#store.onDidChange((run) => {
        this.#view.refresh(run);
        if (run === undefined) return;
        this.#refreshParts(run);
        if (run.phase === 'ended' && (run.outcome === 'refused' || run.outcome === 'failed'))
          this.#language.answered(run);
        const session = services.sessions.get(run.connection);
        // Objects have changed, and supplies too: once its log is decided, and perhaps again with its batch.
        const stage = run.phase === 'ended' ? run.phase : run.outcome;
        if (stage === undefined || session === undefined || this.#seen.get(run.id) === stage) return;
        this.#seen.set(run.id, stage);
        this.#live.of(session).forget();
        if (run.outcome === 'notSent') return;
        for (const kind of ['objects', 'action-logs']) void entry.run('refresh', { connection: run.connection, kind });
      }),
    );
  }

  async run(id: CommandId, args: readonly unknown[]): Promise<unknown> {
    switch (id) {
      case 'executeAction':
        return this.#execute(args[0], args[1], false);
      case 'executeOn':
        return this.#execute(args[0], args[1], true);
      case 'checkAction':
        return this.#check(args[0]);
      case 'newActionFile':
        return (await (await this.#write()).fresh())?.uri;
      case 'newActionFileFrom':
        return (await (await this.#write()).from(args[0]))?.uri;
      case 'cancelRun':
        return this.#runner.cancel((await this.#runOf(args[0], 'Which run to cancel?', true)).id);
      case 'lookUpRun':
        return this.#lookUp(await this.#runOf(args[0], 'Look for the action log of which run?'));
      case 'rerun':
        return this.#rerun(await this.#runOf(args[0], 'Which run to repeat?'));
      case 'compareRuns':
        return this.#compare(await this.#runOf(args[0], 'Which run to compare?'));
      case 'showRuns':
        return this.#show(args[0]);
      case 'copyRunner':
        return copyRunner(this.#services, args[0]);
      case 'copyRunCurl':
        return copyCurl(this.#services, await this.#runOf(args[0], 'Copy which run?'));
      case 'removeRun':
        return this.#remove(await this.#runOf(args[0], 'Remove which run from the history?'));
      case 'openRunDiff':
        return this.#openDiff(await this.#runOf(args[0], 'Objects of which run?'), args[1]);
      case 'manageVariables':
        return (await import('./manage-variables.ts')).manageVariables(this.#services);
      case 'openRunTransaction':
        return openTransaction(this.#services, await this.#runOf(args[0], 'The transaction of which run?'));
      default:
        return undefined;
    }
  }

  async #execute(argument: unknown, selected: unknown, ask: boolean): Promise<readonly RunRecord[]> {
    const sources = await sourcesOf(this.#services.ui, argument, selected);
    const only = sources.length === 1 ? sources[0] : undefined;
    if (sources.length === 0) return [];
    // With what it expects of each step: a suite is a test.
    const suite = isSuite(only?.uri?.path ?? '') ? only?.uri : undefined;
    if (suite !== undefined) {
      const on = ask ? await this.#session(true, only?.name) : undefined;
      if ((ask && on === undefined) || (await (await this.#explorerTests())?.runFile(suite, on)) === true) return [];
    }
    const session = await this.#session(ask, only?.name ?? `${String(sources.length)} actions`);
    if (session === undefined) return [];
    return this.#runner.execute(sources, {
      session,
      onRun: (run) => {
        this.#reveal(run);
      },
    });
  }

  async #check(argument: unknown): Promise<readonly Finding[]> {
    const { sessions, ui } = this.#services;
    const [source] = await sourcesOf(ui, argument, undefined, ACTION_FILES);
    if (source?.uri === undefined) return [];
    const document = await vscode.workspace.openTextDocument(source.uri);
    const chosen = await sessions.chosen(`Check ${source.name} against`);
    const session = chosen && (await this.#runner.signedIn(chosen, 'the check goes on'));
    if (session === undefined) return [];
    const findings = await ui.progress(`Check ${source.name} on ${session.profile.name}`, (signal) =>
      this.#language.preflight(document, session, signal),
    );
    const unseen = findings.find(({ code }) => code === 'notChecked');
    const worst =
      findings.find(({ severity }) => severity === 'error') ?? findings.find(({ severity }) => severity === 'warning');
    const count = findings.length;
    if (worst === undefined && unseen !== undefined) {
      void ui.warn(`${source.name} on ${session.profile.name}: ${unseen.message}`);
    } else if (worst === undefined) {
      const hints = count === 0 ? '' : ` ${String(count)} ${count === 1 ? 'remark' : 'remarks'} in Problems.`;
      void ui.info(
        `${source.name}: nothing stands against it on ${session.profile.name} as far as can be seen.${hints}`,
      );
    } else {
      const { line } = lineAndColumn(source.text, worst.offset);
      const more = count > 1 ? ` ${String(count - 1)} more in Problems.` : '';
      const shown = source.uri.path.split('/').at(-1) ?? source.name;
      void ui.warn(`${shown}, line ${String(line)}: ${worst.message}.${more}`);
    }
    return findings;
  }

  // What the language features and the Test Explorer ask, for the proxies.

  check(document: vscode.TextDocument, typed: boolean): Promise<void> {
    return this.#language.check(document, typed);
  }

  forget(document: vscode.TextDocument): void {
    this.#language.forget(document);
  }

  complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    return this.#language.complete(document, position, token);
  }

  hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    return this.#language.hover(document, position, token);
  }

  fixes(document: vscode.TextDocument, context: vscode.CodeActionContext): vscode.CodeAction[] {
    return this.#language.fixes(document, context);
  }

  resolveFix(action: vscode.CodeAction): vscode.CodeAction {
    return this.#language.resolveFix(action);
  }

  async resolveTests(item: vscode.TestItem | undefined): Promise<void> {
    await (await this.#explorerTests())?.resolve(item);
  }

  async refreshTests(): Promise<void> {
    await (await this.#explorerTests())?.refresh();
  }

  async runTests(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await (await this.#explorerTests())?.run(request, token);
  }

  async terminal(
    name: string,
    definition: vscode.TaskDefinition,
    folder: vscode.WorkspaceFolder | undefined,
  ): Promise<vscode.Pseudoterminal> {
    const { TaskTerminal } = await import('./tasks.ts');
    return new TaskTerminal({ services: this.#services, runner: this.#runner, name, definition, folder });
  }

  // Loaded on use: few sessions need them.

  async #explorerTests(): Promise<ExplorerTests | undefined> {
    const { controller } = this.#events;
    if (controller === undefined) return undefined;
    const make = async (): Promise<ExplorerTests> => {
      const { ExplorerTests: Tests } = await import('./explorer-tests.ts');
      return this.#entry.own(new Tests(controller, this.#services, this.#runner));
    };
    return (this.#tests ??= make());
  }

  #write(): Promise<Writing> {
    const make = async (): Promise<Writing> => {
      const { Writing: Files } = await import('./writing.ts');
      return new Files(this.#services, this.#live, this.#store);
    };
    return (this.#writing ??= make());
  }

  async #session(ask: boolean, what = 'the action'): Promise<Session | undefined> {
    const { sessions, ui } = this.#services;
    if (!ask || sessions.all.length < 2) return sessions.chosen(`Execute ${what}`);
    const choices = sessions.all.map((session) => ({
      label: session.profile.name,
      description: session.heading,
      session,
    }));
    return (await ui.pick(choices, { title: `Execute ${what} on…` }))?.session;
  }

  /** Reads the history; what another window left without an end is offered to be looked for. */
  loadRuns(): Promise<void> {
    return this.#store.load();
  }

  #offerLook(runs: readonly RunRecord[]): void {
    const open = runs.filter(mayLearnMore);
    const [run] = open;
    if (run === undefined) return;
    const { ui } = this.#services;
    const [look, show] = ['Look for Its Action Log', open.length === 1 ? 'Show Run' : 'Show Runs'];
    const text =
      open.length === 1
        ? `${lineOf(run.name)} was under way on ${whereOf(run)} when its window closed: ${stateText(run)}.`
        : `${String(open.length)} runs were under way when their window closed, and their outcome is not known.`;
    void ui.warn(text, ...(open.length === 1 ? [look] : []), show).then((chosen) => {
      if (chosen === look) void this.#entry.run('lookUpRun', run.id);
      if (chosen === show) void this.#entry.run('showRuns', run.id);
    });
  }

  async #lookUp(run: RunRecord): Promise<RunRecord | undefined> {
    if (this.#runner.isActive(run.id)) throw new Error(`${run.name} is still under way`);
    const session = this.#services.sessions.get(run.connection);
    if (session === undefined) throw new Error(`The connection ${run.connection} is not there any more`);
    if (new URL(session.profile.baseUrl).origin !== run.origin)
      throw new Error(`${session.heading} leads to another server now; ${run.name} was run on ${lineOf(run.origin)}`);
    const signed = await this.#runner.signedIn(session, 'the look goes on');
    return signed && this.#runner.lookUp(run, signed);
  }

  async #rerun(run: RunRecord): Promise<readonly RunRecord[]> {
    const session = this.#services.sessions.get(run.connection);
    if (session === undefined) throw new Error(`The connection ${run.connection} is not there any more`);
    if (!(await this.#mayRunAt(run, session))) return [];
    const uri = run.file === undefined ? undefined : vscode.Uri.parse(run.file);
    const text = await this.#textToRepeat(run, uri);
    if (text === undefined) return [];
    const source = { name: run.name, text, ...(uri !== undefined && { uri }) };
    return this.#runner.execute([source], {
      session,
      onRun: (next) => {
        this.#reveal(next);
      },
    });
  }

  /** A connection may lead to another server by now, under the same name. */
  async #mayRunAt({ name, origin }: RunRecord, { profile, heading }: Session): Promise<boolean> {
    const now = new URL(profile.baseUrl).origin;
    if (now === origin) return true;
    return this.#services.ui.confirm({
      message: `${heading} leads to another server now.`,
      detail: `${name} was run on ${lineOf(origin)}. Run Again would send it to ${now}.`,
      action: 'Run Anyway',
    });
  }

  /** A file that was changed since is what is meant, unless the person says otherwise. */
  async #textToRepeat(run: RunRecord, uri: vscode.Uri | undefined): Promise<string | undefined> {
    // A step of a suite has its own text.
    if (uri === undefined || nameOfFile(uri.path) !== run.name) return run.source;
    const document = await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
    const now = document?.getText();
    if (now === undefined || now === run.source) return run.source;
    const choices = [
      { label: 'The file as it is now', text: now },
      { label: 'What was sent then', text: run.source },
    ];
    const placeHolder = 'The file was changed since. Which one to execute?';
    return (await this.#services.ui.pick(choices, { title: `Run ${run.name} again`, placeHolder }))?.text;
  }

  async #compare(run: RunRecord): Promise<void> {
    const others = this.#store.all.filter(({ id }) => id !== run.id);
    if (others.length === 0) throw new Error('There is no other run to compare with');
    // Runs of the same file are the likely ones.
    others.sort((a, b) => Number(b.name === run.name) - Number(a.name === run.name));
    const chosen = await this.#services.ui.pick(others.map(choiceOf), { title: `Compare ${run.name} with…` });
    if (chosen === undefined) return;
    const [older, newer] = [run, chosen.run].sort((a, b) => a.started - b.started);
    if (older === undefined || newer === undefined) return;
    const [left, right] = [partUri(older, 'summary'), partUri(newer, 'summary')];
    await vscode.commands.executeCommand('vscode.diff', left, right, `${older.name} ↔ ${newer.name}`);
  }

  /** The run that is meant, or the newest, stands open. */
  async #show(argument: unknown): Promise<void> {
    await vscode.commands.executeCommand('smartObjects.runs.focus');
    await this.#store.load();
    const run = idOfArgument(argument) ?? this.#store.all[0]?.id;
    if (run !== undefined && this.#store.get(run) !== undefined) await this.#open(run, true);
  }

  /** Steps show at once: the run opens itself where the view is visible. */
  #reveal(run: RunRecord): void {
    if (run.phase === 'following' && this.#events.view?.visible === true) void this.#open(run.id, false);
  }

  /** Where VS Code is just drawing the rows anew it finds none, and says so: the view stands open with the run in it. */
  async #open(id: string, focus: boolean): Promise<void> {
    const options = { select: true, focus, expand: true };
    await Promise.resolve(this.#events.view?.reveal(this.#view.rowOf(id), options)).catch(() => undefined);
  }

  async #runOf(argument: unknown, title: string, active = false): Promise<RunRecord> {
    await this.#store.load();
    const named = this.#store.get(idOfArgument(argument) ?? '');
    if (named !== undefined) return named;
    const runs = this.#store.all.filter(({ id }) => !active || this.#runner.isActive(id));
    if (runs.length === 0) throw new Error(active ? 'No run is under way' : 'There is no run yet');
    const only = runs.length === 1 ? runs[0] : undefined;
    const chosen = only ?? (await this.#services.ui.pick(runs.map(choiceOf), { title }))?.run;
    if (chosen === undefined) throw new PlatformError('cancelled', 'No run was chosen', { sent: false });
    return chosen;
  }

  // The Runs view and its documents, for the proxies.

  async runRows(row: object | undefined): Promise<object[]> {
    return this.#view.getChildren(row === undefined ? undefined : rowFrom(row));
  }

  runItem(row: object): vscode.TreeItem {
    return this.#view.getTreeItem(rowFrom(row));
  }

  runParent(row: object): object | undefined {
    return this.#view.getParent(rowFrom(row));
  }

  async partText(uri: vscode.Uri): Promise<string> {
    await this.#store.load();
    const part = partOfPath(uri.path);
    const run = part === undefined ? undefined : this.#store.get(part.run);
    if (part === undefined || run === undefined) return 'This run is not kept any more.\n';
    return partText(run, part.part, part.index) ?? 'There is nothing here yet.\n';
  }

  #refreshParts(run: RunRecord): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === RUN_SCHEME && uri.path.startsWith(`/${run.id}/`)) this.#events.parts.fire(uri);
  }

  async #openDiff(run: RunRecord, at: unknown): Promise<void> {
    const index = typeof at === 'number' ? at : 0;
    const object = run.affected[index];
    if (object === undefined) throw new Error('No object of this run is known');
    const side = sideOf(object);
    if (side !== undefined) {
      await vscode.commands.executeCommand('vscode.open', partUri(run, side, index), { preview: true });
      return;
    }
    const [left, right] = [partUri(run, 'before', index), partUri(run, 'after', index)];
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      right,
      `${object.id.slice(0, 60)}: before ↔ after ${run.name}`,
    );
  }

  /** How many ended runs of a connection the history of this workspace holds. */
  async countRuns(connection: string): Promise<number> {
    await this.#store.load();
    return this.#store.all.filter((run) => run.connection === connection && run.phase === 'ended').length;
  }

  /** Deletes those, after the user has agreed. */
  async deleteRuns(connection: string): Promise<void> {
    await this.#store.removeOf(connection);
  }

  async #remove({ id, name }: RunRecord): Promise<void> {
    if (this.#runner.isActive(id)) throw new Error(`${name} is still under way`);
    await this.#store.remove(id);
  }
}

function partUri(run: RunRecord, part: string, index?: number): vscode.Uri {
  return vscode.Uri.from({ scheme: RUN_SCHEME, path: partPath(run, part, index) });
}

function choiceOf(run: RunRecord): vscode.QuickPickItem & { readonly run: RunRecord } {
  return {
    label: run.name,
    description: `${whereOf(run)} · ${stateText(run)} · ${new Date(run.started).toLocaleString()}`,
    detail: run.effect,
    run,
  };
}

function idOfArgument(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const id: unknown = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'run') : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Rows that we handed out come back as they are. */
function rowFrom(row: object): RunRow {
  const run: unknown = Reflect.get(row, 'run');
  const child: unknown = Reflect.get(row, 'child');
  return { run: typeof run === 'string' ? run : '', ...(child instanceof vscode.TreeItem && { child }) };
}
