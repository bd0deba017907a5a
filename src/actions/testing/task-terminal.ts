import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { findMismatches } from './expectation.ts';
import { formatMismatch, formatTestResult } from './format-test-result.ts';
import { getTestLocation, type TestCase } from './test-cases.ts';
import { formatLine, formatRunState } from '../../model/runs/run-record.ts';
import type { Runner, SessionRun } from '../run/runner.ts';
import { isSignedOut } from '../run/confirm/ensure-signed-in.ts';
import { findFilesIn } from '../run/sources.ts';
import { readWorkspaceCases } from './workspace-cases.ts';
import { TestFileError } from './test-file-error.ts';
import { ACTION_FILES_AND_SUITES, isScenarioPath } from '../file/file-names.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';

const CLOSE_DELAY = 200;

interface TaskTerminalOptions {
  readonly services: Services;
  readonly runner: Runner;
  readonly definition: vscode.TaskDefinition;
  /** the task's label */
  readonly name: string;
  /** folder of the task; absent for a task of the workspace */
  readonly folder: vscode.WorkspaceFolder | undefined;
}

/** The terminal of a task of type `smartObjects`: prints lines that the problem matcher reads. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<number>();
  readonly #cancel = new AbortController();
  readonly #options: TaskTerminalOptions;
  readonly onDidWrite = this.#write.event;
  readonly onDidClose = this.#close.event;

  constructor(options: TaskTerminalOptions) {
    this.#options = options;
  }

  open(): void {
    const end = (code: number): void => {
      // A problem matcher misses the last lines if the terminal closes at once.
      setTimeout(() => this.#close.fire(code), CLOSE_DELAY);
    };
    this.#run().then(end, (error: unknown) => {
      if (error instanceof TestFileError && error.path !== undefined) {
        const file = (this.#options.folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.with({ path: error.path });
        const relative = file === undefined ? error.path : vscode.workspace.asRelativePath(file, false);
        for (const { line, column, message } of error.problems)
          this.#print(`${relative}:${String(line)}:${String(column)}: error: ${message}`);
      } else this.#print(getErrorMessage(error));
      end(2);
    });
  }

  close(): void {
    this.#cancel.abort();
  }

  #print(line: string): void {
    this.#write.fire(`${formatLine(line, 2000)}\r\n`);
  }

  async #run(): Promise<number> {
    const { services, runner, definition } = this.#options;
    const files: unknown = definition['files'];
    if (!Array.isArray(files) || files.length === 0) throw new Error(l10n.t('The task has no {0}', '`files`'));
    const folder = (this.#options.folder ?? vscode.workspace.workspaceFolders?.[0])?.uri;
    if (folder === undefined) throw new Error(l10n.t('No workspace folder is open'));
    const cases: TestCase[] = [];
    for (const file of files.map(String)) cases.push(...(await readCasesIn(folder, file)));
    const named: unknown = definition['connection'];
    const { sessions } = services;
    const chosen = typeof named === 'string' ? sessions.get(named) : await sessions.getOrPickActive(l10n.t('Run Task'));
    if (chosen === undefined)
      throw new Error(
        typeof named === 'string'
          ? l10n.t('The connection “{0}” does not exist', named)
          : l10n.t('No connection was selected'),
      );
    const sources = cases.map(({ name, text, path, as }) => ({
      name,
      text,
      uri: folder.with({ path }),
      ...(as !== undefined && { as }),
    }));
    // VS Code does not say who started a task: the user, the folder, another task or a debug session.
    const runs = await runner.confirm(sources, chosen, { isExplicit: false });
    if (runs === undefined) {
      const out = sources
        .flatMap(({ as }) => sessions.getIdentity(chosen.profile.name, as ?? chosen.identityName) ?? [])
        .find(isSignedOut);
      throw new Error(
        out === undefined
          ? l10n.t('Not confirmed. Nothing was sent')
          : l10n.t('Not signed in to {0}. Nothing was sent', out.heading),
      );
    }
    const { signal } = this.#cancel;
    for (const [index, testCase] of cases.entries()) {
      const run = runs[index];
      if (run === undefined || signal.aborted) break;
      if (!(await this.#runCase(testCase, run, folder))) return 1;
    }
    return signal.aborted ? 1 : 0;
  }

  /** Runs one action and prints its result. Resolves with true if it went as expected. */
  async #runCase(testCase: TestCase, confirmed: SessionRun, folder: vscode.Uri): Promise<boolean> {
    let previousState = '';
    const run = await this.#options.runner.run(confirmed, {
      signal: this.#cancel.signal,
      onRun: (record) => {
        const state = formatRunState(record);
        if (state !== previousState) this.#print(`  ${testCase.name}: ${state}`);
        previousState = state;
      },
    });
    const mismatches = await findMismatches(run, testCase.expect);
    this.#print(formatTestResult(testCase, run, mismatches));
    const { path, line, column } = getTestLocation(testCase);
    const place = `${vscode.workspace.asRelativePath(folder.with({ path }), false)}:${String(line)}:${String(column)}`;
    for (const mismatch of mismatches) this.#print(`${place}: error: ${formatMismatch(mismatch)}`);
    return mismatches.length === 0;
  }
}

async function readCasesIn(folder: vscode.Uri, file: string): Promise<readonly TestCase[]> {
  const uri = vscode.Uri.joinPath(folder, file);
  if (!uri.path.startsWith(`${folder.path}/`)) throw new Error(l10n.t('{0} is outside the workspace folder', file));
  const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
  if (stat === undefined) throw new Error(l10n.t('File {0} was not found', file));
  if (isScenarioPath(uri.path))
    throw new Error(l10n.t('{0} is a scenario. Run it in the Test Explorer or with {1}', file, '`smart-objects run`'));
  if (stat.type !== vscode.FileType.Directory) return readWorkspaceCases(uri, folder.path);
  const found = await findFilesIn(uri, ACTION_FILES_AND_SUITES);
  return (await Promise.all(found.map((one) => readWorkspaceCases(one, folder.path)))).flat();
}
