/** Tasks of type `smartObjects`: run action files in a terminal of VS Code, with lines that a problem matcher reads. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { mismatchesOf } from './expect.ts';
import { lineAndColumn, type Case } from './plan.ts';
import { durationText, lineOf, stateText } from './record.ts';
import type { Runner } from './runner.ts';
import { isSignedOut } from './signed-in.ts';
import { casesAt, filesIn } from './sources.ts';
import { mayStartByItself } from './task-starts.ts';
import { TestFileError } from './test-file-error.ts';

const LAST_LINES_MS = 200;

interface Parts {
  readonly services: Services;
  readonly runner: Runner;
  readonly definition: vscode.TaskDefinition;
  /** the task's label */
  readonly name: string;
  /** the task's own; a task of the whole workspace has none */
  readonly folder: vscode.WorkspaceFolder | undefined;
}

/** The terminal of one task run. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<number>();
  readonly #cancel = new AbortController();
  readonly #parts: Parts;
  readonly onDidWrite = this.#write.event;
  readonly onDidClose = this.#close.event;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  open(): void {
    const end = (code: number): void => {
      // A problem matcher is given the last lines only while the terminal is open.
      setTimeout(() => {
        this.#close.fire(code);
      }, LAST_LINES_MS);
    };
    this.#run().then(end, (error: unknown) => {
      if (error instanceof TestFileError && error.path !== undefined) {
        const file = (this.#parts.folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.with({ path: error.path });
        const shown = file === undefined ? error.path : vscode.workspace.asRelativePath(file, false);
        for (const { line, column, message } of error.problems)
          this.#print(`${shown}:${String(line)}:${String(column)}: error: ${message}`);
      } else this.#print(error instanceof Error ? error.message : 'unknown error');
      end(2);
    });
  }

  close(): void {
    this.#cancel.abort();
  }

  #print(line: string): void {
    this.#write.fire(`${lineOf(line, 2000)}\r\n`);
  }

  async #run(): Promise<number> {
    const { services, runner, definition } = this.#parts;
    const files: unknown = definition['files'];
    if (!Array.isArray(files) || files.length === 0) throw new Error('The task names no `files`');
    const folder = (this.#parts.folder ?? vscode.workspace.workspaceFolders?.[0])?.uri;
    if (folder === undefined) throw new Error('No workspace folder is open');
    const cases: Case[] = [];
    for (const file of files.map(String)) cases.push(...(await casesIn(folder, file)));
    const named: unknown = definition['connection'];
    const { sessions } = services;
    const chosen = typeof named === 'string' ? sessions.get(named) : await sessions.chosen('Run this task');
    if (chosen === undefined)
      throw new Error(typeof named === 'string' ? `There is no connection ${named}` : 'No connection was chosen');
    const sources = cases.map(({ name, text, path }) => ({ name, text, uri: folder.with({ path }) }));
    const session = await runner.confirm(sources, chosen, { aimed: await this.#isAimed(folder, files) });
    if (session === undefined) {
      const out = isSignedOut(sessions.get(chosen.profile.name) ?? chosen);
      throw new Error(`Not ${out ? `signed in to ${chosen.heading}` : 'confirmed'}; nothing was sent`);
    }
    let failures = 0;
    for (const [index, one] of cases.entries()) {
      const source = sources[index];
      if (source === undefined || this.#cancel.signal.aborted) break;
      let state = '';
      const [run] = await runner.execute([source], {
        session,
        signal: this.#cancel.signal,
        quiet: true,
        confirmed: true,
        onRun: (record) => {
          const next = stateText(record);
          if (next !== state) this.#print(`  ${one.name}: ${next}`);
          state = next;
        },
      });
      if (run === undefined) break;
      const mismatches = await mismatchesOf(run, one.expect);
      const took = durationText((run.ended ?? run.started) - run.started);
      this.#print(`${mismatches.length === 0 ? 'ok   ' : 'FAIL '} ${one.name}: ${stateText(run)} (${took})`);
      const { line, column } = lineAndColumn(one.blame.text, one.blame.offset);
      const shown = vscode.workspace.asRelativePath(folder.with({ path: one.blame.path }), false);
      for (const { path, expected, actual } of mismatches)
        this.#print(
          `${shown}:${String(line)}:${String(column)}: error: ${path}: expected ${lineOf(expected)}, got ${lineOf(actual, 400)}`,
        );
      if (mismatches.length > 0) {
        failures++;
        break;
      }
    }
    return failures === 0 && !this.#cancel.signal.aborted ? 0 : 1;
  }

  /** One file, and started by nothing but its own name. */
  async #isAimed(folder: vscode.Uri, files: readonly unknown[]): Promise<boolean> {
    const { name } = this.#parts;
    if (files.length > 1) return false;
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, String(files[0])));
    if (type === vscode.FileType.Directory) return false;
    const tasks = entriesOf('tasks', 'tasks', folder);
    return !mayStartByItself({ name, files }, tasks, entriesOf('launch', 'configurations', folder));
  }
}

function entriesOf(section: string, key: string, folder: vscode.Uri): readonly unknown[] {
  const found = vscode.workspace.getConfiguration(section, folder).inspect<unknown>(key);
  const values = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
  return values.flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : []));
}

async function casesIn(folder: vscode.Uri, file: string): Promise<readonly Case[]> {
  const uri = vscode.Uri.joinPath(folder, file);
  if (!uri.path.startsWith(`${folder.path}/`)) throw new Error(`${file} lies outside the workspace folder`);
  const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
  if (stat === undefined) throw new Error(`${file}: there is no such file`);
  if (stat.type !== vscode.FileType.Directory) return casesAt(uri, folder.path);
  const found = await filesIn(uri, '**/*.{action,actions}.json');
  return (await Promise.all(found.map((one) => casesAt(one, folder.path)))).flat();
}
