import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getTitleOrId } from '../../cache/title-lookup.ts';
import type { FeatureContext, Services } from '../../commands/context.ts';
import { formatLine, formatRunState, type RunRecord } from '../../model/runs/run-record.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Runner } from '../run/runner.ts';
import {
  getChangedObjects,
  getOnlyKnownSide,
  getRunDocumentPath,
  getRunDocumentText,
  parseRunDocumentPath,
} from './run-documents.ts';
import { canLookUp, formatRunConnection } from './run-row.ts';
import type { RunStore } from './run-store.ts';
import type { RunRow, RunsView } from './runs-view.ts';
import { RUN_SCHEME } from '../../model/resources/resource-schemes.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

interface HistoryCommandOptions {
  readonly services: Services;
  readonly runner: Runner;
  readonly rows: RunsView;
  readonly view: Pick<vscode.TreeView<RunRow>, 'visible' | 'reveal'>;
  readonly documents: vscode.EventEmitter<vscode.Uri>;
}

/** The commands and documents of the stored runs. */
export class HistoryCommands {
  readonly #options: HistoryCommandOptions;
  readonly #services: Services;
  readonly #runner: Runner;
  readonly #store: RunStore;
  readonly #rows: RunsView;
  /** no run was sent in this window yet */
  #isFirst = true;

  constructor(options: HistoryCommandOptions) {
    this.#options = options;
    this.#services = options.services;
    this.#runner = options.runner;
    this.#store = options.runner.store;
    this.#rows = options.rows;
  }

  /** Compares a run with one that the user picks. Rejects with Error if there is no other. */
  async compare(run: RunRecord): Promise<void> {
    const others = this.#store.all.filter(({ id }) => id !== run.id);
    if (others.length === 0) throw new Error(l10n.t('There are no other runs to compare with'));
    // Runs of the same file first.
    others.sort((a, b) => Number(b.name === run.name) - Number(a.name === run.name));
    const chosen = await this.#services.ui.pick(others.map(createRunChoice), {
      title: l10n.t('Compare {0} With…', run.name),
    });
    if (chosen === undefined) return;
    const [older, newer] = [run, chosen.run].sort((a, b) => a.started - b.started);
    if (older === undefined || newer === undefined) return;
    const [left, right] = [getRunDocumentUri(older, 'summary'), getRunDocumentUri(newer, 'summary')];
    await vscode.commands.executeCommand('vscode.diff', left, right, `${older.name} ↔ ${newer.name}`);
  }

  /** Shows the Runs view with the given run, or the newest, open. Never rejects for a run that is not there. */
  async show(argument: unknown): Promise<void> {
    await vscode.commands.executeCommand('smartObjects.runs.focus');
    await this.#store.load();
    const run = getRunId(argument) ?? this.#store.all[0]?.id;
    if (run !== undefined && this.#store.get(run) !== undefined) await this.#revealRow(run, true);
  }

  /** Shows the steps of a run that was sent in the Runs view, without focus. Only the first run opens the view. */
  reveal({ id, phase, sentAt }: RunRecord): void {
    if (sentAt === undefined) return;
    const isVisible = this.#options.view.visible;
    const opensView = this.#isFirst && !isVisible && isRevealEnabled();
    this.#isFirst = false;
    if (opensView || (isVisible && phase === 'following')) void this.#revealRow(id, false);
  }

  /** Ignores the error of a row that VS Code is re-rendering. */
  async #revealRow(id: string, focus: boolean): Promise<void> {
    const options = { select: true, focus, expand: true };
    await Promise.resolve(this.#options.view.reveal(this.#rows.getRow(id), options)).catch(() => undefined);
  }

  /** The run of an argument, else one that the user picks. Rejects with Error if there is none or none was chosen. */
  async getRun(argument: unknown, title: string, active = false): Promise<RunRecord> {
    await this.#store.load();
    const named = this.#store.get(getRunId(argument) ?? '');
    if (named !== undefined) return named;
    const runs = this.#store.all.filter(({ id }) => !active || this.#runner.isActive(id));
    if (runs.length === 0) throw new Error(active ? l10n.t('No run in progress') : l10n.t('There are no runs'));
    const only = runs.length === 1 ? runs[0] : undefined;
    const chosen = only ?? (await this.#services.ui.pick(runs.map(createRunChoice), { title }))?.run;
    if (chosen === undefined) throw new PlatformError('cancelled', l10n.t('No run was selected'), { sent: false });
    return chosen;
  }

  /** The text of a document of a run; a sentence if it is not there. Never rejects. */
  async getDocumentText(uri: vscode.Uri): Promise<string> {
    await this.#store.load();
    const document = parseRunDocumentPath(uri.path);
    const run = document === undefined ? undefined : this.#store.get(document.run);
    if (document === undefined || run === undefined) return `${l10n.t('This run is no longer in the history.')}\n`;
    return getRunDocumentText(run, document.part, document.index) ?? `${l10n.t('No data yet.')}\n`;
  }

  /** Reads the open documents of a run again. */
  refreshDocuments(run: RunRecord): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === RUN_SCHEME && uri.path.startsWith(`/${run.id}/`)) this.#options.documents.fire(uri);
  }

  /** Shows what a run changed about the object at an index, or about all of them. Rejects with Error if there is none. */
  async openDiff(run: RunRecord, at: unknown): Promise<void> {
    const all = getChangedObjects(run);
    // A new object has no difference to show.
    const changed = all.filter((index) => run.affected[index]?.before !== undefined);
    if (typeof at !== 'number' && changed.length > 1) {
      const objects = changed.map((index) =>
        ['after', 'before', 'after'].map((side) => this.#getUri(run, side, index)),
      );
      await vscode.commands.executeCommand('vscode.changes', l10n.t('Changes in {0}', run.name), objects);
      return;
    }
    const index = typeof at === 'number' ? at : (changed[0] ?? (await this.#pickObject(run, all)));
    if (index === undefined) return;
    const object = run.affected[index];
    if (object === undefined) throw new Error(l10n.t('No objects of this run are known'));
    const side = getOnlyKnownSide(object);
    if (side !== undefined) {
      await vscode.commands.executeCommand('vscode.open', this.#getUri(run, side, index), { preview: true });
      return;
    }
    if (object.before === undefined && object.created === true) {
      const resource = { connection: run.connection, kind: 'objects', id: object.id };
      await vscode.commands.executeCommand('smartObjects.openPage', resource);
      return;
    }
    const [left, right] = [this.#getUri(run, 'before', index), this.#getUri(run, 'after', index)];
    const title = l10n.t('{0}: before ↔ after {1}', this.#getTitle(run, index), run.name);
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  }

  /** One of several created objects. */
  async #pickObject(run: RunRecord, indexes: readonly number[]): Promise<number | undefined> {
    if (indexes.length < 2) return indexes[0] ?? 0;
    const choices = indexes.map((index) => ({
      label: escapeIcons(this.#getTitle(run, index)),
      description: escapeIcons(run.affected[index]?.id ?? ''),
      index,
    }));
    return (await this.#services.ui.pick(choices, { title: l10n.t('Select an Object of {0} to Open', run.name) }))
      ?.index;
  }

  #getTitle({ connection, affected }: RunRecord, index: number): string {
    return getTitleOrId(this.#services, { connection, kind: 'objects', id: affected[index]?.id ?? '' }, 60);
  }

  #getUri(run: RunRecord, part: string, index: number): vscode.Uri {
    return getRunDocumentUri(run, part, index, this.#getTitle(run, index));
  }

  /** Number of ended runs of a connection in the history of this workspace. Never rejects. */
  async count(connection: string): Promise<number> {
    await this.#store.load();
    return this.#store.all.filter((run) => run.connection === connection && run.phase === 'ended').length;
  }

  /** Deletes the ended runs of a connection. Rejects with the file-system error. */
  async deleteAll(connection: string): Promise<void> {
    await this.#store.removeByConnection(connection);
  }

  /** Removes an ended run. Rejects with Error if it is under way. */
  async remove({ id, name }: RunRecord): Promise<void> {
    if (this.#runner.isActive(id)) throw new Error(l10n.t('{0} is still in progress', name));
    await this.#store.remove(id);
  }
}

/** Reports runs whose window closed while they were under way, and offers to search for their outcome. */
export function offerLookUp(runs: readonly RunRecord[], ui: Ui, features: FeatureContext): void {
  const open = runs.filter(canLookUp);
  const [first] = open;
  if (first === undefined) return;
  const lookUp = l10n.t('Find Action Log');
  const show = open.length === 1 ? l10n.t('Show Run') : l10n.t('Show Runs');
  const text =
    open.length === 1
      ? l10n.t(
          '{0} was in progress on {1} when its window was closed: {2}.',
          formatLine(first.name),
          formatRunConnection(first),
          formatRunState(first),
        )
      : pluralize(
          open.length,
          l10n.t(
            '{0} run was in progress when its window was closed. Its outcome is unknown.|{0} runs were in progress when their window was closed. Their outcome is unknown.',
          ),
        );
  void ui.warn(text, ...(open.length === 1 ? [lookUp] : []), show).then((chosen) => {
    if (chosen === lookUp) void features.run('lookUpRun', first.id);
    if (chosen === show) void features.run('showRuns', first.id);
  });
}

function isRevealEnabled(): boolean {
  return vscode.workspace.getConfiguration('smartObjects').get('revealRuns') !== false;
}

function getRunDocumentUri(run: RunRecord, part: string, index?: number, title?: string): vscode.Uri {
  return vscode.Uri.from({ scheme: RUN_SCHEME, path: getRunDocumentPath(run, part, index, title) });
}

function createRunChoice(run: RunRecord): vscode.QuickPickItem & { readonly run: RunRecord } {
  return {
    label: escapeIcons(run.name),
    description: `${formatRunConnection(run)} · ${formatRunState(run)} · ${formatTimestamp(run.started)}`,
    detail: escapeIcons(run.effect),
    run,
  };
}

function getRunId(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const id: unknown = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'run') : undefined;
  return typeof id === 'string' ? id : undefined;
}
