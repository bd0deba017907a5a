import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import { findMismatches, parseSuite, formatDiffSides } from './expectation.ts';
import { getTestLocation, type TestCase } from './test-cases.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import { formatMismatch, formatTestOutput } from './format-test-result.ts';
import type { Runner, SessionRun } from '../run/runner.ts';
import type { ActionSource } from '../file/action-source.ts';
import { readWorkspaceCases, readWorkspaceScenario } from './workspace-cases.ts';
import { EXCLUDED_FILES, getActionName, isScenarioPath, MAX_FILES, SUITES } from '../file/file-names.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { compareTexts } from '../../platform/text/localization.ts';

interface TestRunContext {
  readonly test: vscode.TestRun;
  readonly signal: AbortSignal;
  readonly givenSession: Session | undefined;
  /** the user started exactly one file */
  readonly isExplicit: boolean;
  /** the user runs it again although the same was run a moment ago */
  readonly isRepeat: boolean;
  /** runs the request again with `isRepeat` */
  readonly repeat: () => Promise<void>;
}

interface PlannedTest {
  readonly item: vscode.TestItem;
  readonly testCase: TestCase;
}

/** Action files with expectations, suites and scenarios, in the Test Explorer. */
export class TestExplorer {
  readonly #controller: vscode.TestController;
  readonly #services: Services;
  readonly #runner: Runner;
  readonly #disposables: vscode.Disposable[] = [];
  #discovery: Promise<void> | undefined;

  constructor(controller: vscode.TestController, services: Services, runner: Runner) {
    this.#controller = controller;
    this.#services = services;
    this.#runner = runner;
  }

  /** Discovers all files, or the steps of a suite. Never rejects for a broken suite. */
  async resolve(item: vscode.TestItem | undefined): Promise<void> {
    if (item?.uri !== undefined) return this.#updateSteps(item);
    await (this.#discovery ??= this.#discover());
  }

  /** Searches for files again: VS Code does not report deleted folders. Never rejects for a broken suite. */
  async refresh(): Promise<void> {
    await this.resolve(undefined);
    await this.#updateItems();
  }

  async #discover(): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{expect,actions,scenario}.json');
    const update = (): void => void this.#updateItems();
    this.#disposables.push(watcher, watcher.onDidCreate(update), watcher.onDidDelete(update));
    this.#disposables.push(
      watcher.onDidChange((uri) => {
        const item = this.#controller.items.get(uri.toString());
        if (item?.canResolveChildren === true) void this.#updateSteps(item);
      }),
    );
    await this.#updateItems();
  }

  async #updateItems(): Promise<void> {
    const [expectations, suites] = await Promise.all([
      vscode.workspace.findFiles('**/*.expect.json', EXCLUDED_FILES, MAX_FILES),
      vscode.workspace.findFiles(SUITES, EXCLUDED_FILES, MAX_FILES),
    ]);
    const files = (await Promise.all(expectations.map(findActionFile))).filter((uri) => uri !== undefined);
    const wanted = new Map([
      ...files.map((uri) => [uri.toString(), () => this.#createItem(uri, false)] as const),
      ...suites.map((uri) => [uri.toString(), () => this.#createItem(uri, true)] as const),
    ]);
    // Keeps existing items, since a run may use them.
    const { items } = this.#controller;
    for (const [id] of [...items]) if (!wanted.has(id)) items.delete(id);
    for (const [id, create] of wanted) if (items.get(id) === undefined) items.add(create());
    await Promise.all([...items].map(([, item]) => this.#updateSteps(item)));
  }

  #createItem(uri: vscode.Uri, suite: boolean): vscode.TestItem {
    const item = this.#controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = suite;
    return item;
  }

  /** Shows the steps of a suite. They run together, since later ones need the results of earlier ones. */
  async #updateSteps(suite: vscode.TestItem): Promise<void> {
    const { uri } = suite;
    if (uri === undefined || !suite.canResolveChildren) return;
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const steps = parseSuite(document.getText(), isScenarioPath(uri.path));
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
      suite.error = getErrorMessage(error);
    }
  }

  /**
   * Runs a suite as a test, on `givenSession` or the active one. Resolves with false if it is not in the workspace.
   * Never rejects for a broken suite.
   */
  async runFile(uri: vscode.Uri, givenSession?: Session): Promise<boolean> {
    await this.refresh();
    const item = this.#controller.items.get(uri.toString());
    if (item === undefined) return false;
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await this.run(new vscode.TestRunRequest([item]), undefined, givenSession);
    return true;
  }

  /** Runs tests after one confirmation. Never rejects: what fails is reported for its test. */
  async run(
    request: vscode.TestRunRequest,
    token?: vscode.CancellationToken,
    givenSession?: Session,
    isRepeat = false,
  ): Promise<void> {
    await this.refresh();
    const test = this.#controller.createTestRun(request);
    const cancel = new AbortController();
    const stop = (token ?? test.token).onCancellationRequested(() => cancel.abort());
    const repeat = (): Promise<void> => this.run(request, undefined, givenSession, true);
    try {
      await this.#runAll(request, { test, signal: cancel.signal, givenSession, isRepeat, repeat });
    } finally {
      stop.dispose();
      test.end();
    }
  }

  /** The files and suites to run, sorted by name; a step selects its suite. */
  #selectItems({ include, exclude }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const all = [...this.#controller.items].map(([, item]) => item);
    const tops = include === undefined ? all : include.map((item) => item.parent ?? item);
    return [...new Set(tops)]
      .filter((item) => exclude?.includes(item) !== true)
      .sort((a, b) => compareTexts(a.id, b.id));
  }

  async #runAll(request: vscode.TestRunRequest, running: Omit<TestRunContext, 'isExplicit'>): Promise<void> {
    const { test, signal, givenSession } = running;
    const items = this.#selectItems(request);
    // Run All Tests includes no item.
    const context = { ...running, isExplicit: request.include !== undefined && items.length === 1 };
    const planned: PlannedTest[] = [];
    for (const item of items) {
      try {
        const cases = await this.#readCases(item);
        cases.forEach((one, index) => {
          const step = item.children.get(`${item.id}#${String(index)}`) ?? item;
          planned.push({ item: step, testCase: one });
          test.enqueued(step);
        });
      } catch (error) {
        test.errored(item, new vscode.TestMessage(getErrorMessage(error)));
      }
    }
    const { sessions } = this.#services;
    const getScenario = ({ item: { uri } }: PlannedTest): string =>
      uri !== undefined && isScenarioPath(uri.path) ? uri.toString() : '';
    for (const [scenario, tests] of Map.groupBy(planned, getScenario)) {
      if (signal.aborted) await this.#runPlanned(tests, undefined, context);
      else if (scenario !== '') await this.#runScenario(vscode.Uri.parse(scenario), tests, context);
      else {
        const chosen = givenSession ?? (await sessions.getOrPickActive(l10n.t('Run Tests')));
        await this.#runPlanned(tests, chosen, context);
      }
    }
  }

  /** Runs the steps of a scenario in a sandbox of its own, which ends with them. Never rejects. */
  async #runScenario(uri: vscode.Uri, planned: readonly PlannedTest[], context: TestRunContext): Promise<void> {
    try {
      const scenario = await readWorkspaceScenario(uri, vscode.workspace.getWorkspaceFolder(uri)?.uri.path);
      const { withScenarioSandbox } = await import('../../connections/sandbox/scenario-sandbox.ts');
      await withScenarioSandbox(this.#services, getActionName(uri.path), scenario, (session) =>
        this.#runPlanned(planned, context.signal.aborted ? undefined : session, context),
      );
    } catch (error) {
      for (const { item } of planned) context.test.errored(item, new vscode.TestMessage(getErrorMessage(error)));
    }
  }

  /** Runs tests in order on a session after one confirmation; skips all if there is none or it is declined. */
  async #runPlanned(
    planned: readonly PlannedTest[],
    chosen: Session | undefined,
    { test, signal, isExplicit, isRepeat, repeat }: TestRunContext,
  ): Promise<void> {
    const sources = planned.map(({ testCase: one }) => toSource(one));
    const confirming = { isExplicit, onRunAnyway: repeat, ...(isRepeat && { isRepeat: true }) };
    const runs =
      chosen && (await confirmOrReport(() => this.#runner.confirm(sources, chosen, confirming), planned, test));
    const failed = new Set<string>();
    const isCancelled = (): boolean => signal.aborted;
    for (const [index, { item, testCase: one }] of planned.entries()) {
      const confirmed = runs?.[index];
      const suite = item.parent?.id ?? item.id;
      // Later steps of a suite depend on the failed one.
      if (confirmed === undefined || isCancelled() || failed.has(suite)) {
        test.skipped(item);
        continue;
      }
      test.started(item);
      try {
        const run = await this.#runner.run(confirmed, { signal });
        // Cancelled before sending is not a failure.
        if (isCancelled() && run.outcome === 'notSent') test.skipped(item);
        else if (!(await reportResult(test, item, one, run))) failed.add(suite);
      } catch (error) {
        failed.add(suite);
        test.errored(item, new vscode.TestMessage(getErrorMessage(error)));
      }
    }
  }

  async #readCases(item: vscode.TestItem): Promise<readonly TestCase[]> {
    if (item.uri === undefined) return [];
    return readWorkspaceCases(item.uri, vscode.workspace.getWorkspaceFolder(item.uri)?.uri.path);
  }

  dispose(): void {
    for (const one of this.#disposables) one.dispose();
  }
}

/** Resolves with `undefined` if not confirmed; reports what blocks sending as an error of every test. */
async function confirmOrReport(
  confirm: () => Promise<readonly SessionRun[] | undefined>,
  planned: readonly { readonly item: vscode.TestItem }[],
  test: vscode.TestRun,
): Promise<readonly SessionRun[] | undefined> {
  try {
    return await confirm();
  } catch (error) {
    for (const { item } of planned) test.errored(item, new vscode.TestMessage(getErrorMessage(error)));
    return undefined;
  }
}

function toSource(one: TestCase): ActionSource {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const { name, text, as, path } = one;
  return {
    name,
    text,
    ...(as !== undefined && { as }),
    ...(folder !== undefined && { uri: folder.with({ path }) }),
  };
}

/** Reports the result of a test. Resolves with true if it went as expected. */
async function reportResult(
  test: vscode.TestRun,
  item: vscode.TestItem,
  one: TestCase,
  run: RunRecord,
): Promise<boolean> {
  const duration = (run.ended ?? run.started) - run.started;
  const mismatches = await findMismatches(run, one.expect);
  test.appendOutput(formatTestOutput(one, run, mismatches).join('\r\n') + '\r\n', undefined, item);
  if (mismatches.length === 0) {
    test.passed(item, duration);
    return true;
  }
  const { expected, actual } = formatDiffSides(mismatches);
  const message = vscode.TestMessage.diff(mismatches.map(formatMismatch).join('\n'), expected, actual);
  const { path, line, column } = getTestLocation(one);
  // An expectation in a file of its own is shown at its action.
  const at = path === item.uri?.path ? new vscode.Position(line - 1, column - 1) : new vscode.Position(0, 0);
  if (item.uri !== undefined) message.location = new vscode.Location(item.uri, at);
  if (run.outcome === 'notSent' && one.expect.status === undefined) test.errored(item, message, duration);
  else test.failed(item, message, duration);
  return false;
}

/** The action file of an expectation: `NAME.action.json`, else `NAME.json`. */
async function findActionFile(expectation: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (const ending of ['.action.json', '.json']) {
    const uri = expectation.with({ path: expectation.path.replace(/\.expect\.json$/, ending) });
    try {
      await vscode.workspace.fs.stat(uri);
      return uri;
    } catch {
      // Try the next.
    }
  }
  return undefined;
}
