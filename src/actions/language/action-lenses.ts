import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { CommandId } from '../../commands/ids.ts';
import { formatConnectionName } from '../../model/text/heading.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import { Disposables, type Disposable } from '../../ui/disposables.ts';
import { parseActionFile } from '../file/action-file.ts';
import { isScenarioPath, isSuitePath } from '../file/file-names.ts';
import { formatLastRun } from '../history/last-run.ts';
import { getChangedObjects } from '../history/run-documents.ts';
import { canLookUp } from '../history/run-row.ts';
import type { Runner } from '../run/runner.ts';
import { createFirstLenses, createLens, formatLensTitle, formatRunTitle, type LensSource } from './code-lenses.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

/** The lenses of action files: how to run them, and the last run of each. */
export class ActionLenses implements LensSource, Disposable {
  readonly #services: Services;
  readonly #runner: Runner;
  readonly #onDidChange: () => void;
  readonly #disposables = new Disposables();
  /** updates the age of the runs that are shown */
  #timer: NodeJS.Timeout | undefined;
  #updateAt = Infinity;

  /** `onDidChange`: called when the lenses of any file may have changed. */
  constructor(services: Services, runner: Runner, onDidChange: () => void) {
    this.#services = services;
    this.#runner = runner;
    this.#onDidChange = onDidChange;
    this.#disposables.add(services.sessions.onDidChange(onDidChange));
    this.#disposables.add(
      runner.store.onDidChange((run) => {
        if (run === undefined || isVisible(run.file)) onDidChange();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    // The history fires when it is read.
    void this.#runner.store.load();
    const { uri } = document;
    if (isScenarioPath(uri.path)) return createFirstLenses(document, formatLensTitle('play', formatRunTitle()));
    const lenses = [...createFirstLenses(document, this.#formatRunTitle()), ...this.#createIdentityLenses(uri)];
    // The steps of a suite are tests, whose results are shown beside them.
    return isSuitePath(uri.path) ? lenses : [...lenses, ...this.#createLastRunLenses(document)];
  }

  #formatRunTitle(): string {
    const { profile, identityName } = this.#services.sessions.activeForEffects ?? {};
    if (profile === undefined) return formatLensTitle('play', formatRunTitle());
    const where = escapeIcons(formatConnectionName(profile.name, profile.environment, identityName));
    return formatLensTitle(profile.environment === 'production' ? 'warning' : 'play', l10n.t('Run on {0}', where));
  }

  #createIdentityLenses(uri: vscode.Uri): readonly vscode.CodeLens[] {
    if (this.#services.sessions.activeForEffects?.identityName === undefined) return [];
    return [createLens(new vscode.Range(0, 0, 0, 0), l10n.t('Run As…'), 'executeAs', uri)];
  }

  #createLastRunLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const file = document.uri.toString();
    // The name of an unsaved file may be that of an earlier one.
    const isSource = ({ source }: RunRecord): boolean => !document.isUntitled || source === document.getText();
    const run = this.#runner.store.all.find((one) => one.file === file && isSource(one));
    if (run === undefined) return [];
    const { icon, text, validFor } = formatLastRun(run, Date.now());
    if (validFor !== undefined) this.#scheduleUpdate(validFor);
    const range = getActionRange(document);
    const lens = (title: string, command: CommandId, tooltip?: string): vscode.CodeLens =>
      createLens(range, title, command, run.id, tooltip);
    return [
      lens(formatLensTitle(icon, escapeIcons(text)), 'showRuns', run.reason ?? l10n.t('Show this run')),
      ...(getChangedObjects(run).length > 0 ? [lens(l10n.t('Show Changes'), 'openRunDiff')] : []),
      ...(this.#runner.isActive(run.id) ? [lens(l10n.t('Cancel'), 'cancelRun')] : this.#createNextLenses(run, lens)),
    ];
  }

  #createNextLenses(run: RunRecord, lens: (title: string, command: CommandId) => vscode.CodeLens): vscode.CodeLens[] {
    if (run.phase !== 'ended') return [];
    return [
      ...(canLookUp(run) ? [lens(l10n.t('Find Action Log'), 'lookUpRun')] : []),
      // What may have been executed is not offered again beside it.
      ...(run.outcome === 'unknown' || run.outcome === 'unfinished' ? [] : [lens(l10n.t('Run Again'), 'rerun')]),
    ];
  }

  /** Updates visible files once the first text is out of date. A hidden one is updated when it is shown again. */
  #scheduleUpdate(delay: number): void {
    const at = Date.now() + delay;
    if (at >= this.#updateAt) return;
    clearTimeout(this.#timer);
    this.#updateAt = at;
    this.#timer = setTimeout(() => {
      this.#updateAt = Infinity;
      if (this.#runner.store.all.some(({ file }) => isVisible(file))) this.#onDidChange();
    }, delay);
  }
}

function isVisible(file: string | undefined): boolean {
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === file);
}

/** The line of `"action"`; the first of a file without it. */
function getActionRange(document: vscode.TextDocument): vscode.Range {
  const key = parseActionFile(document.getText()).action?.parent;
  const { line } = document.positionAt(key?.offset ?? 0);
  return new vscode.Range(line, 0, line, 0);
}
