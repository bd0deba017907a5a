import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { getChangedObjects } from '../history/run-documents.ts';
import { isFullyCompleted } from '../history/run-row.ts';
import { formatConnectionName, formatIdentity } from '../../model/text/heading.ts';
import {
  formatDuration,
  formatLine,
  formatOutcome,
  formatRunState,
  type RunRecord,
} from '../../model/runs/run-record.ts';

/** Reports runs in the log and in notifications. */
export class RunReporter {
  readonly #services: Pick<Services, 'log' | 'ui'>;
  readonly #isShown: () => boolean;

  /** `isShown`: whether the Runs view is shown. */
  constructor(services: Pick<Services, 'log' | 'ui'>, isShown: () => boolean) {
    this.#services = services;
    this.#isShown = isShown;
  }

  /** Logs one line for each change of a run. */
  logChanges(run: RunRecord, before: RunRecord | undefined): void {
    const { log } = this.#services;
    if (before === undefined)
      log.info(`Run ${run.name} on ${formatIdentity(run.connection, run.identity)}: ${run.effect}`);
    if (run.sentAt !== undefined && before?.sentAt === undefined)
      log.info(`  ${run.name}: sent to ${run.origin}, once`);
    if (run.answeredAt !== undefined && before?.answeredAt === undefined) {
      for (const step of run.steps) {
        if (step.error === undefined) log.info(`  step ${step.action}: done`);
        else log.error(`  step ${step.action} failed: ${step.error}`);
      }
      if (run.actionId !== undefined) log.info(`  action id ${run.actionId}`);
    }
    if (run.phase === 'following' && before !== undefined && formatRunState(run) !== formatRunState(before))
      log.info(`  ${run.name}: ${formatRunState(run)}`);
    if (run.phase === 'ended' && before?.phase !== 'ended') this.#logEnd(run);
  }

  #logEnd(run: RunRecord): void {
    const { log } = this.#services;
    const duration = formatDuration((run.ended ?? run.started) - run.started);
    const line = `  ${run.name}: ${formatRunState(run)} (${duration}). ${run.reason ?? ''}`;
    if (run.outcome === 'completed') log.info(line);
    else log.warn(line);
    for (const { id, status, signer } of run.possible)
      log.warn(
        `  possibly its log: ${formatLine(id)} ${formatLine(status ?? '')} signed by ${formatLine(signer ?? 'nobody named')}`,
      );
  }

  /** Notifies of the outcome of a run; of a completed one only if the Runs view does not show it already. */
  notify(run: RunRecord): void {
    const { ui } = this.#services;
    if (run.outcome === 'completed' && this.#isShown()) return;
    const [show, showChanges, signIn] = [l10n.t('Show Run'), l10n.t('Show Changes'), l10n.t('Sign In…')];
    const runAs = l10n.t('Run As…');
    const where = formatConnectionName(run.connection, run.environment, run.identity);
    const reason = isFullyCompleted(run) ? '' : (run.reason ?? '');
    const text = `${l10n.t('{0}: {1} on {2}.', run.name, formatOutcome(run), where)} ${reason}`.trim();
    const buttons = [
      ...(run.status === 401 ? [signIn] : []),
      ...(run.status === 403 && run.file !== undefined ? [runAs] : []),
      ...(getChangedObjects(run).length > 0 ? [showChanges] : []),
      show,
    ];
    const handleChoice = (chosen: string | undefined): void => {
      if (chosen === showChanges) void vscode.commands.executeCommand('smartObjects.openRunDiff', run.id);
      if (chosen === runAs && run.file !== undefined)
        void vscode.commands.executeCommand('smartObjects.executeAs', vscode.Uri.parse(run.file));
      if (chosen === show) void vscode.commands.executeCommand('smartObjects.showRuns', run.id);
      if (chosen === signIn) {
        const { connection, identity } = run;
        void vscode.commands.executeCommand('smartObjects.signIn', { connection, identity });
      }
    };
    if (run.outcome === 'completed') void ui.info(text, ...buttons).then(handleChoice);
    else if (run.outcome === 'failed' || run.outcome === 'refused') void ui.error(text, ...buttons).then(handleChoice);
    else void ui.warn(text, ...buttons).then(handleChoice);
  }
}
