/** The Runs view: each run with its steps, log, batch and objects, newest first. */
import * as vscode from 'vscode';
import { MASK } from '../platform/json.ts';
import { objectWords, partPath, RUN_SCHEME, sideOf } from './parts.ts';
import { GONE, lineOf, type AffectedObject, type Outcome, type RunRecord } from './record.ts';
import { isDone, isProduction, mayLearnMore, runWords, whereOf } from './run-words.ts';
import type { Runner } from './runner.ts';

export interface RunRow {
  readonly run: string;
  /** absent: the run itself */
  readonly child?: vscode.TreeItem;
}

const icons: Readonly<Record<Outcome, readonly [string, string | undefined]>> = {
  completed: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  refused: ['error', 'testing.iconFailed'],
  notSent: ['circle-slash', undefined],
  unfinished: ['watch', 'notificationsWarningIcon.foreground'],
  unknown: ['question', 'notificationsWarningIcon.foreground'],
};

export class RunsView implements vscode.TreeDataProvider<RunRow> {
  readonly #runner: Runner;
  readonly #rows = new Map<string, RunRow>();
  readonly #changed = new vscode.EventEmitter<RunRow | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** The row of a run: always the same object, or the view loses its place. */
  rowOf(id: string): RunRow {
    let row = this.#rows.get(id);
    if (row === undefined) this.#rows.set(id, (row = { run: id }));
    return row;
  }

  refresh(run: RunRecord | undefined): void {
    const known = run !== undefined && this.#rows.has(run.id);
    this.#changed.fire(known ? this.rowOf(run.id) : undefined);
  }

  getParent(row: RunRow): RunRow | undefined {
    return row.child === undefined ? undefined : this.rowOf(row.run);
  }

  async getChildren(row?: RunRow): Promise<RunRow[]> {
    if (row === undefined) {
      await this.#runner.store.load();
      const all = this.#runner.store.all;
      const ids = new Set(all.map(({ id }) => id));
      for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
      return all.map(({ id }) => this.rowOf(id));
    }
    const run = this.#runner.store.get(row.run);
    if (row.child !== undefined || run === undefined) return [];
    return childrenOf(run).map((child) => ({ run: run.id, child }));
  }

  getTreeItem(row: RunRow): vscode.TreeItem {
    if (row.child !== undefined) return row.child;
    const run = this.#runner.store.get(row.run);
    return run === undefined ? new vscode.TreeItem('gone') : runItem(run, this.#runner.isActive(run.id));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function runItem(run: RunRecord, active: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(lineOf(run.name, 80), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = run.id;
  const words = runWords(run);
  item.description = words.description;
  const tooltip = new vscode.MarkdownString();
  for (const line of words.tooltip) tooltip.appendText(`${line}\n`);
  item.tooltip = tooltip;
  item.iconPath = iconOf(run);
  item.contextValue = [
    'run',
    active ? 'active' : 'ended',
    run.file !== undefined && 'has:file',
    run.response !== undefined && 'has:response',
    run.outcome !== undefined && run.outcome !== 'completed' && 'notCompleted',
    !active && mayLearnMore(run) && 'lookable',
  ]
    .filter((word) => word !== false)
    .join(' ');
  item.accessibilityInformation = { label: words.label };
  return item;
}

function iconOf(run: RunRecord): vscode.ThemeIcon {
  if (run.phase === 'queued') return new vscode.ThemeIcon('watch');
  // Decided: what is still waited for is its batch, and the row says so.
  if (run.phase !== 'ended' && run.outcome === undefined) return new vscode.ThemeIcon('loading~spin');
  const [name, colour] = icons[run.outcome ?? 'unfinished'];
  return colour === undefined ? new vscode.ThemeIcon(name) : new vscode.ThemeIcon(name, new vscode.ThemeColor(colour));
}

interface ChildOptions {
  readonly description?: string;
  readonly icon: string;
  readonly colour?: string;
  readonly command?: vscode.Command;
  readonly tooltip?: string;
  readonly context?: string;
}

function child(run: RunRecord, key: string, label: string, options: ChildOptions): vscode.TreeItem {
  const item = new vscode.TreeItem(lineOf(label, 120));
  item.id = `${run.id}/${key}`;
  if (options.description !== undefined) item.description = lineOf(options.description, 200);
  item.iconPath =
    options.colour === undefined
      ? new vscode.ThemeIcon(options.icon)
      : new vscode.ThemeIcon(options.icon, new vscode.ThemeColor(options.colour));
  if (options.command !== undefined) item.command = options.command;
  item.tooltip = lineOf(options.tooltip ?? `${label} ${options.description ?? ''}`, 1000);
  item.contextValue = options.context ?? 'runPart';
  return item;
}

function childrenOf(run: RunRecord): vscode.TreeItem[] {
  const bad = 'testing.iconFailed';
  const good = 'testing.iconPassed';
  const items: vscode.TreeItem[] = [];
  // The icon of the run tells its outcome; here the colour is free.
  if (isProduction(run)) items.push(child(run, 'where', whereOf(run), { icon: 'warning', colour: 'errorForeground' }));
  if (run.reason !== undefined && !isDone(run))
    items.push(child(run, 'reason', run.reason, { icon: 'info', tooltip: run.reason }));
  items.push(
    child(run, 'request', 'Request', {
      icon: 'arrow-up',
      description: run.effect,
      command: openPart(run, 'request'),
    }),
  );
  const { response, status } = run;
  if (response !== undefined || status !== undefined) {
    items.push(
      child(run, 'response', 'Response', {
        icon: 'arrow-down',
        description: [status === undefined ? '' : `HTTP ${String(status)}`, run.actionId ?? ''].join(' ').trim(),
        ...((response === undefined || (status ?? 200) >= 400) && { colour: bad }),
        ...(response !== undefined && { command: openPart(run, 'response') }),
      }),
    );
  }
  for (const [index, step] of run.steps.slice(0, 100).entries()) {
    items.push(
      child(run, `step-${String(index)}`, `Step ${String(index + 1)}: ${step.action}`, {
        icon: step.error === undefined ? 'check' : 'error',
        colour: step.error === undefined ? good : bad,
        description: step.error ?? outputLine(step.output),
        command: openPart(run, 'response'),
      }),
    );
  }
  if (run.log !== undefined) {
    const tone = run.logStatus === 'completed' ? good : run.logStatus === 'failed' ? bad : undefined;
    items.push(
      child(run, 'log', 'Action log', {
        icon: run.logStatus === 'completed' ? 'check' : run.logStatus === 'failed' ? 'error' : 'history',
        ...(tone !== undefined && { colour: tone }),
        description: `${run.logStatus ?? 'without a status'} ${run.logId ?? ''}`,
        command: openPart(run, 'log'),
      }),
    );
  } else if (run.phase === 'following' && run.actionId !== undefined) {
    items.push(child(run, 'log', 'Action log', { icon: 'loading~spin', description: 'not indexed yet' }));
  }
  if (run.batch !== undefined) {
    const tone = run.batchStatus === 'completed' ? good : run.batchStatus === 'failed' ? bad : undefined;
    items.push(
      child(run, 'batch', 'Batch', {
        icon: 'layers',
        ...(tone !== undefined && { colour: tone }),
        description: `${run.batchStatus ?? 'without a status'} ${run.batchId ?? ''}`,
        command: openPart(run, 'batch'),
      }),
    );
  }
  if (run.transaction !== undefined) {
    items.push(
      child(run, 'transaction', 'Transaction', {
        icon: 'link-external',
        description: run.transaction,
        command: { command: 'smartObjects.openRunTransaction', title: 'Open', arguments: [run.id] },
      }),
    );
  }
  run.affected.slice(0, 100).forEach((object, index) => items.push(objectItem(run, object, index)));
  run.possible.forEach((log, index) =>
    items.push(
      child(run, `possible-${String(index)}`, log.sameParams ? 'Possibly its log' : 'A log of about that time', {
        icon: 'question',
        description: [log.status ?? '', `signed by ${log.signer ?? 'nobody named'}`, log.when ?? '', log.id].join(
          ' · ',
        ),
        tooltip: 'Found by parameters and time. Whether it is this run cannot be told.',
        command: openPart(run, 'possible', index),
      }),
    ),
  );
  if (run.note !== undefined && run.note !== '' && run.outcome !== 'completed')
    items.push(child(run, 'note', run.note, { icon: 'info' }));
  return items;
}

function outputLine(output: string | undefined): string {
  return output === undefined ? 'done' : lineOf(output, 160);
}

function objectItem(run: RunRecord, object: AffectedObject, index: number): vscode.TreeItem {
  const short = (root: string | undefined): string => (root === undefined ? '—' : root.slice(0, 12));
  const roots = object.nextRoot === undefined ? '' : `${short(object.previousRoot)} → ${short(object.nextRoot)}`;
  const { before, after } = object;
  const some = before !== undefined || after !== undefined;
  const changed = before === undefined ? 'diff-added' : after === undefined ? 'diff-removed' : 'diff-modified';
  return child(run, `object-${String(index)}`, object.id, {
    icon: some && sideOf(object) === undefined ? changed : 'symbol-object',
    description: [roots, objectWords(run, object)].filter((part) => part !== '').join(' · '),
    tooltip: `${object.id}\nState root before: ${object.previousRoot ?? 'none'}\nState root after: ${object.nextRoot ?? 'none'}`,
    ...objectCommand(run, object, index),
    context: 'runObject',
  });
}

/** What was read of an object in a run that ended; until then the object itself, which is read when it is opened. */
function objectCommand(run: RunRecord, object: AffectedObject, index: number): { readonly command?: vscode.Command } {
  const { id, before, after } = object;
  if (after !== undefined || (run.phase === 'ended' && before !== undefined))
    return { command: { command: 'smartObjects.openRunDiff', title: 'Compare', arguments: [run.id, index] } };
  // An id that a variable brought is hidden, and leads nowhere.
  if (id.includes(MASK) || object.note === GONE) return {};
  const resource = { connection: run.connection, kind: 'objects', id };
  return { command: { command: 'smartObjects.openResource', title: 'Open', arguments: [resource] } };
}

function openPart(run: RunRecord, part: string, index?: number): vscode.Command {
  const uri = vscode.Uri.from({ scheme: RUN_SCHEME, path: partPath(run, part, index) });
  return { command: 'vscode.open', title: 'Open', arguments: [uri, { preview: true }] };
}
