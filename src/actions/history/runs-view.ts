import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatMissingSide, getRunDocumentPath, getOnlyKnownSide } from './run-documents.ts';
import type { RunOutcome } from '../../model/runs/run-outcome.ts';
import {
  OBJECT_DELETED,
  formatLine,
  formatStepAction,
  type AffectedObject,
  type RunRecord,
} from '../../model/runs/run-record.ts';
import { isFullyCompleted, isProduction, canLookUp, formatRunRow, formatRunConnection } from './run-row.ts';
import type { RunStore } from './run-store.ts';
import { RUN_SCHEME } from '../../model/resources/resource-schemes.ts';
import { formatStatus } from '../../model/text/status.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

export interface RunRow {
  readonly run: string;
  /** absent for the row of the run itself */
  readonly child?: vscode.TreeItem;
  /** what a click on it runs: see `SelectedRow` */
  readonly command?: vscode.Command;
}

const icons: Readonly<Record<RunOutcome, readonly [string, string | undefined]>> = {
  completed: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  refused: ['error', 'testing.iconFailed'],
  notSent: ['circle-slash', undefined],
  unfinished: ['watch', 'notificationsWarningIcon.foreground'],
  unknown: ['question', 'notificationsWarningIcon.foreground'],
};

/** The stored runs, and whether one is active in this window. */
interface RunsViewSource {
  readonly store: RunStore;
  isActive(id: string): boolean;
}

/** The Runs view: each run with its steps, log, batch and objects, newest first. */
export class RunsView implements vscode.TreeDataProvider<RunRow> {
  readonly #source: RunsViewSource;
  readonly #getTitle: (resource: ResourceArgument) => string;
  readonly #rows = new Map<string, RunRow>();
  readonly #changed = new vscode.EventEmitter<RunRow | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  /** `getTitle`: returns the title of a resource as plain text, its id if no title is known. */
  constructor(source: RunsViewSource, getTitle: (resource: ResourceArgument) => string) {
    this.#source = source;
    this.#getTitle = getTitle;
  }

  /** The row of a run: always the same object, or the view loses its selection. */
  getRow(id: string): RunRow {
    return getOrAdd(this.#rows, id, () => ({ run: id }));
  }

  refresh(run: RunRecord | undefined): void {
    const known = run !== undefined && this.#rows.has(run.id);
    this.#changed.fire(known ? this.getRow(run.id) : undefined);
  }

  getParent(row: RunRow): RunRow | undefined {
    return row.child === undefined ? undefined : this.getRow(row.run);
  }

  /** Never rejects: runs that cannot be read are left out. */
  async getChildren(row?: RunRow): Promise<RunRow[]> {
    if (row === undefined) {
      await this.#source.store.load();
      const all = this.#source.store.all;
      const ids = new Set(all.map(({ id }) => id));
      for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
      return all.map(({ id }) => this.getRow(id));
    }
    const run = this.#source.store.get(row.run);
    if (row.child !== undefined || run === undefined) return [];
    return createChildren(run, this.#source.store.getKnownLogs(run), this.#getTitle);
  }

  getTreeItem(row: RunRow): vscode.TreeItem {
    if (row.child !== undefined) return row.child;
    const run = this.#source.store.get(row.run);
    return run === undefined
      ? new vscode.TreeItem(l10n.t('no longer in the history'))
      : createRunItem(run, this.#source.isActive(run.id));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function createRunItem(run: RunRecord, active: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(formatLine(run.name, 80), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = run.id;
  const text = formatRunRow(run);
  item.description = text.description;
  const tooltip = new vscode.MarkdownString();
  for (const line of text.tooltip) tooltip.appendText(`${line}\n`);
  item.tooltip = tooltip;
  item.iconPath = getRunIcon(run);
  item.contextValue = [
    'run',
    active ? 'active' : 'ended',
    run.file !== undefined && 'has:file',
    run.response !== undefined && 'has:response',
    run.outcome !== undefined && run.outcome !== 'completed' && 'notCompleted',
    !active && canLookUp(run) && 'lookable',
  ]
    .filter((word) => word !== false)
    .join(' ');
  item.accessibilityInformation = { label: text.label };
  return item;
}

function getRunIcon(run: RunRecord): vscode.ThemeIcon {
  if (run.phase === 'queued') return new vscode.ThemeIcon('watch');
  // A decided run waits only for its batch, which the row shows.
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

function createChild(run: RunRecord, key: string, label: string, options: ChildOptions): RunRow {
  const item = new vscode.TreeItem(formatLine(label, 120));
  item.id = `${run.id}/${key}`;
  if (options.description !== undefined) item.description = formatLine(options.description, 200);
  item.iconPath =
    options.colour === undefined
      ? new vscode.ThemeIcon(options.icon)
      : new vscode.ThemeIcon(options.icon, new vscode.ThemeColor(options.colour));
  const { command } = options;
  if (command !== undefined) item.command = { command: 'smartObjects.openRunRow', title: command.title };
  item.tooltip = formatLine(options.tooltip ?? `${label} ${options.description ?? ''}`, 1000);
  item.contextValue = options.context ?? 'runPart';
  return { run: run.id, child: item, ...(command !== undefined && { command }) };
}

function createChildren(
  run: RunRecord,
  logsOfOthers: ReadonlySet<string>,
  getTitle: (resource: ResourceArgument) => string,
): RunRow[] {
  const failedColor = 'testing.iconFailed';
  const passedColor = 'testing.iconPassed';
  const items: RunRow[] = [];
  // The icon of the run shows the outcome; the colour here is free.
  if (isProduction(run))
    items.push(createChild(run, 'where', formatRunConnection(run), { icon: 'warning', colour: 'errorForeground' }));
  if (run.reason !== undefined && !isFullyCompleted(run))
    items.push(createChild(run, 'reason', run.reason, { icon: 'info', tooltip: run.reason }));
  items.push(
    createChild(run, 'request', l10n.t('Request'), {
      icon: 'arrow-up',
      description: run.effect,
      command: createOpenCommand(run, 'request'),
    }),
  );
  const { response, status } = run;
  if (response !== undefined || status !== undefined) {
    items.push(
      createChild(run, 'response', l10n.t('Response'), {
        icon: 'arrow-down',
        description: [status === undefined ? '' : `HTTP ${String(status)}`, run.actionId ?? ''].join(' ').trim(),
        ...((response === undefined || (status ?? 200) >= 400) && { colour: failedColor }),
        ...(response !== undefined && { command: createOpenCommand(run, 'response') }),
      }),
    );
  }
  for (const [index, step] of run.steps.slice(0, 100).entries()) {
    items.push(
      createChild(run, `step-${String(index)}`, l10n.t('Step {0}: {1}', index + 1, formatStepAction(step)), {
        icon: step.error === undefined ? 'check' : 'error',
        colour: step.error === undefined ? passedColor : failedColor,
        description: step.error ?? formatOutput(step.output),
        command: createOpenCommand(run, 'response'),
      }),
    );
  }
  if (run.log !== undefined) {
    const tone = run.logStatus === 'completed' ? passedColor : run.logStatus === 'failed' ? failedColor : undefined;
    items.push(
      createChild(run, 'log', l10n.t('Action log'), {
        icon: run.logStatus === 'completed' ? 'check' : run.logStatus === 'failed' ? 'error' : 'history',
        ...(tone !== undefined && { colour: tone }),
        description: `${formatStatusOrNone(run.logStatus)} ${run.logId ?? ''}`,
        command: createOpenCommand(run, 'log'),
      }),
    );
  } else if (run.phase === 'following' && run.actionId !== undefined) {
    const waiting = { icon: 'loading~spin', description: l10n.t('not indexed yet') };
    items.push(createChild(run, 'log', l10n.t('Action log'), waiting));
  }
  if (run.batch !== undefined) {
    const tone = run.batchStatus === 'completed' ? passedColor : run.batchStatus === 'failed' ? failedColor : undefined;
    items.push(
      createChild(run, 'batch', l10n.t('Batch'), {
        icon: 'layers',
        ...(tone !== undefined && { colour: tone }),
        description: `${formatStatusOrNone(run.batchStatus)} ${run.batchId ?? ''}`,
        command: createOpenCommand(run, 'batch'),
      }),
    );
  }
  if (run.transaction !== undefined) {
    items.push(
      createChild(run, 'transaction', l10n.t('Transaction'), {
        icon: 'link-external',
        description: run.transaction,
        command: { command: 'smartObjects.openRunTransaction', title: l10n.t('Open'), arguments: [run.id] },
      }),
    );
  }
  run.affected.slice(0, 100).forEach((object, index) => {
    const title = getTitle({ connection: run.connection, kind: 'objects', id: object.id });
    items.push(createObjectItem(run, object, index, title));
  });
  run.possible.forEach((log, index) => {
    if (logsOfOthers.has(log.id)) return;
    const label = log.sameParams
      ? l10n.t('Possible action log of this run')
      : l10n.t('Action log from about the same time');
    const signer = log.signer === undefined ? l10n.t('no signer') : l10n.t('signed by {0}', log.signer);
    items.push(
      createChild(run, `possible-${String(index)}`, label, {
        icon: 'question',
        description: [formatStatus(log.status ?? ''), signer, log.when ?? '', log.id].join(' · '),
        tooltip: l10n.t('Matched by parameters and time. It may belong to another run.'),
        command: createOpenCommand(run, 'possible', index),
      }),
    );
  });
  if (run.note !== undefined && run.note !== '' && run.outcome !== 'completed')
    items.push(createChild(run, 'note', run.note, { icon: 'info' }));
  return items;
}

function formatStatusOrNone(status: string | undefined): string {
  return status === undefined ? l10n.t('no status') : formatStatus(status);
}

function formatOutput(output: string | undefined): string {
  return output === undefined ? l10n.t('done') : formatLine(output, 160);
}

function createObjectItem(run: RunRecord, object: AffectedObject, index: number, title: string): RunRow {
  const short = (root: string | undefined): string => (root === undefined ? '—' : root.slice(0, 12));
  const roots = object.nextRoot === undefined ? '' : `${short(object.previousRoot)} → ${short(object.nextRoot)}`;
  const { before, after } = object;
  const some = before !== undefined || after !== undefined;
  const changed = before === undefined ? 'diff-added' : after === undefined ? 'diff-removed' : 'diff-modified';
  return createChild(run, `object-${String(index)}`, title, {
    icon: some && getOnlyKnownSide(object) === undefined ? changed : 'symbol-object',
    description: [roots, formatMissingSide(run, object), title === object.id ? '' : object.id]
      .filter((part) => part !== '')
      .join(' · '),
    tooltip: [
      object.id,
      l10n.t('State root before: {0}', object.previousRoot ?? '—'),
      l10n.t('State root after: {0}', object.nextRoot ?? '—'),
    ].join('\n'),
    ...getObjectCommand(run, object, index),
    context: 'runObject',
  });
}

/** Opens the versions of an object that an ended run read; before that, the current object. */
function getObjectCommand(
  run: RunRecord,
  object: AffectedObject,
  index: number,
): { readonly command?: vscode.Command } {
  const { id, before, after } = object;
  if (after !== undefined || (run.phase === 'ended' && before !== undefined))
    return { command: { command: 'smartObjects.openRunDiff', title: l10n.t('Compare'), arguments: [run.id, index] } };
  // A redacted id links to nothing.
  if (id.includes(MASK) || object.note === OBJECT_DELETED) return {};
  const resource = { connection: run.connection, kind: 'objects', id };
  return { command: { command: 'smartObjects.openResource', title: l10n.t('Open'), arguments: [resource] } };
}

function createOpenCommand(run: RunRecord, part: string, index?: number): vscode.Command {
  const uri = vscode.Uri.from({ scheme: RUN_SCHEME, path: getRunDocumentPath(run, part, index) });
  return { command: 'vscode.open', title: l10n.t('Open'), arguments: [uri, { preview: true }] };
}
