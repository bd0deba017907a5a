/** Action files with expectations, and suites, in VS Code's Test Explorer. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { mismatchesOf, parseSuite, sides } from './expect.ts';
import type { Case } from './plan.ts';
import { lineOf, type RunRecord } from './record.ts';
import type { Runner } from './runner.ts';
import { casesAt } from './sources.ts';

const MOST = 1000;

interface TestsRun {
  readonly test: vscode.TestRun;
  readonly signal: AbortSignal;
  readonly on: Session | undefined;
  /** the user wants it though the same was run a moment ago */
  readonly isAgain: boolean;
  /** runs the same request so */
  readonly again: () => Promise<void>;
}

export class ExplorerTests {
  readonly #controller: vscode.TestController;
  readonly #services: Services;
  readonly #runner: Runner;
  readonly #owned: vscode.Disposable[] = [];
  #discovered: Promise<void> | undefined;

  constructor(controller: vscode.TestController, services: Services, runner: Runner) {
    this.#controller = controller;
    this.#services = services;
    this.#runner = runner;
  }

  /** All of them, or the steps of a suite. */
  async resolve(item: vscode.TestItem | undefined): Promise<void> {
    if (item?.uri !== undefined) return this.#steps(item);
    await (this.#discovered ??= this.#discover());
  }

  /** Looks again: a folder that was deleted is told to nobody. */
  async refresh(): Promise<void> {
    await this.resolve(undefined);
    await this.#find();
  }

  async #discover(): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{expect,actions}.json');
    const again = (): void => {
      void this.#find();
    };
    this.#owned.push(watcher, watcher.onDidCreate(again), watcher.onDidDelete(again));
    this.#owned.push(
      watcher.onDidChange((uri) => {
        const item = this.#controller.items.get(uri.toString());
        if (item?.canResolveChildren === true) void this.#steps(item);
      }),
    );
    await this.#find();
  }

  async #find(): Promise<void> {
    const [expectations, suites] = await Promise.all([
      vscode.workspace.findFiles('**/*.expect.json', '**/node_modules/**', MOST),
      vscode.workspace.findFiles('**/*.actions.json', '**/node_modules/**', MOST),
    ]);
    const files = (await Promise.all(expectations.map(actionOf))).filter((uri) => uri !== undefined);
    const wanted = new Map([
      ...files.map((uri) => [uri.toString(), () => this.#item(uri, false)] as const),
      ...suites.map((uri) => [uri.toString(), () => this.#item(uri, true)] as const),
    ]);
    // What is there stays the same item: a run may be under way with it.
    const { items } = this.#controller;
    for (const [id] of [...items]) if (!wanted.has(id)) items.delete(id);
    for (const [id, make] of wanted) if (items.get(id) === undefined) items.add(make());
    await Promise.all([...items].map(([, item]) => this.#steps(item)));
  }

  #item(uri: vscode.Uri, suite: boolean): vscode.TestItem {
    const item = this.#controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = suite;
    return item;
  }

  /** The steps run together, in order: one alone would lack what the earlier ones made. */
  async #steps(suite: vscode.TestItem): Promise<void> {
    const { uri } = suite;
    if (uri === undefined || !suite.canResolveChildren) return;
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const steps = parseSuite(document.getText());
      suite.children.replace(
        steps.map(({ name, offset }, index) => {
          const item = this.#controller.createTestItem(`${suite.id}#${String(index)}`, name, uri);
          const at = document.positionAt(offset);
          item.range = new vscode.Range(at, at);
          item.sortText = String(index).padStart(4, '0');
          return item;
        }),
      );
      suite.error = undefined;
    } catch (error) {
      suite.children.replace([]);
      suite.error = error instanceof Error ? error.message : 'not understood';
    }
  }

  /** Runs a suite that was executed as a file, `on` a connection or the active one; false: it is none of the workspace's. */
  async runFile(uri: vscode.Uri, on?: Session): Promise<boolean> {
    await this.refresh();
    const item = this.#controller.items.get(uri.toString());
    if (item === undefined) return false;
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await this.run(new vscode.TestRunRequest([item]), undefined, on);
    return true;
  }

  async run(
    request: vscode.TestRunRequest,
    token?: vscode.CancellationToken,
    on?: Session,
    isAgain = false,
  ): Promise<void> {
    await this.refresh();
    const test = this.#controller.createTestRun(request);
    const cancel = new AbortController();
    const stop = (token ?? test.token).onCancellationRequested(() => {
      cancel.abort();
    });
    const again = (): Promise<void> => this.run(request, undefined, on, true);
    try {
      await this.#runAll(request, { test, signal: cancel.signal, on, isAgain, again });
    } finally {
      stop.dispose();
      test.end();
    }
  }

  /** Files and suites, in the order of their names; a step stands for its suite. */
  #chosen({ include, exclude }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const all = [...this.#controller.items].map(([, item]) => item);
    const tops = include === undefined ? all : include.map((item) => item.parent ?? item);
    return [...new Set(tops)]
      .filter((item) => exclude?.includes(item) !== true)
      .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  }

  async #runAll(request: vscode.TestRunRequest, { test, signal, on, isAgain, again }: TestsRun): Promise<void> {
    const items = this.#chosen(request);
    const planned: { readonly item: vscode.TestItem; readonly one: Case }[] = [];
    for (const item of items) {
      try {
        const cases = await this.#cases(item);
        cases.forEach((one, index) => {
          const step = item.children.get(`${item.id}#${String(index)}`) ?? item;
          planned.push({ item: step, one });
          test.enqueued(step);
        });
      } catch (error) {
        test.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : 'not understood'));
      }
    }
    if (planned.length === 0) return;
    const { sessions } = this.#services;
    const chosen = on ?? (await sessions.chosen('Run these tests'));
    const sources = planned.map(({ one }) => sourceOf(one));
    // Run All Tests names none.
    const aimed = request.include !== undefined && items.length === 1;
    const confirming = { aimed, onAgain: again, ...(isAgain && { again: true }) };
    const confirm = (session: Session): Promise<Session | undefined> =>
      this.#runner.confirm(sources, session, confirming);
    const session = chosen && (await confirmed(() => confirm(chosen), planned, test));
    const failed = new Set<string>();
    const isCancelled = (): boolean => signal.aborted;
    for (const { item, one } of planned) {
      const suite = item.parent?.id ?? item.id;
      // The rest of a suite builds on what failed.
      if (session === undefined || isCancelled() || failed.has(suite)) {
        test.skipped(item);
        continue;
      }
      test.started(item);
      try {
        const [run] = await this.#runner.execute([sourceOf(one)], { session, signal, quiet: true, confirmed: true });
        // Cancelled, and nothing was sent: that is no failure.
        if (run === undefined || (isCancelled() && run.outcome === 'notSent')) test.skipped(item);
        else if (!(await judge(test, item, one, run))) failed.add(suite);
      } catch (error) {
        failed.add(suite);
        test.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : 'unknown error'));
      }
    }
  }

  async #cases(item: vscode.TestItem): Promise<readonly Case[]> {
    if (item.uri === undefined) return [];
    return casesAt(item.uri, vscode.workspace.getWorkspaceFolder(item.uri)?.uri.path);
  }

  dispose(): void {
    for (const one of this.#owned) one.dispose();
  }
}

/** `undefined` where it was not confirmed; what blocks sending is an error of every test. */
async function confirmed(
  confirm: () => Promise<Session | undefined>,
  planned: readonly { readonly item: vscode.TestItem }[],
  test: vscode.TestRun,
): Promise<Session | undefined> {
  try {
    return await confirm();
  } catch (error) {
    for (const { item } of planned)
      test.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : 'unknown error'));
    return undefined;
  }
}

function sourceOf(one: Case): { readonly name: string; readonly text: string; readonly uri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return { name: one.name, text: one.text, ...(folder !== undefined && { uri: folder.with({ path: one.path }) }) };
}

/** True where it went as expected. */
async function judge(test: vscode.TestRun, item: vscode.TestItem, one: Case, run: RunRecord): Promise<boolean> {
  const took = (run.ended ?? run.started) - run.started;
  const mismatches = await mismatchesOf(run, one.expect);
  test.appendOutput(
    `${lineOf(`${one.name}: ${run.outcome ?? run.phase}. ${run.reason ?? ''}`, 2000)}\r\n`,
    undefined,
    item,
  );
  if (mismatches.length === 0) {
    test.passed(item, took);
    return true;
  }
  const { expected, actual } = sides(mismatches);
  const message = vscode.TestMessage.diff(
    mismatches.map(({ path }) => `${path} is not as expected`).join('\n'),
    expected,
    actual,
  );
  if (item.uri !== undefined)
    message.location = new vscode.Location(item.uri, item.range ?? new vscode.Range(0, 0, 0, 0));
  if (run.outcome === 'notSent' && one.expect.status === undefined) test.errored(item, message, took);
  else test.failed(item, message, took);
  return false;
}

/** `NAME.expect.json` → `NAME.action.json`, else `NAME.json`, whichever is there. */
async function actionOf(expectation: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (const ending of ['.action.json', '.json']) {
    const uri = expectation.with({ path: expectation.path.replace(/\.expect\.json$/, ending) });
    try {
      await vscode.workspace.fs.stat(uri);
      return uri;
    } catch {
      // The other one, perhaps.
    }
  }
  return undefined;
}
