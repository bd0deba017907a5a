import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../../model/clock.ts';
import type { Services } from '../../commands/context.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatLine, formatRunState, type RunRecord } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import type { ActionsContext } from '../context.ts';
import type { ActionSource } from '../file/action-source.ts';
import type { RunStore } from '../history/run-store.ts';
import { MAY_HAVE_OPEN_RUNS } from '../history/state-keys.ts';
import { createWorkspaceVariables } from '../variables/workspace-variables.ts';
import { confirmRuns, getSignerCommand } from './confirm/confirm-runs.ts';
import type { RecentStarts, Start } from './confirm/recent-starts.ts';
import { getCommit } from './git-commit.ts';
import { executeRun, resumeRun, startRun, type ConfirmedRun } from './pipeline.ts';
import { prepareSingle } from './prepare.ts';
import { createRunPlatform } from './run-platform.ts';
import { RunReporter } from './run-reporter.ts';
import { formatList, formatPair } from '../../platform/text/localization.ts';

/** A run that may be sent on a session. */
export interface SessionRun extends ConfirmedRun {
  readonly session: Session;
}

export interface RunOptions {
  /** cancels the run until it is sent; afterwards it only stops following */
  readonly signal?: AbortSignal;
  readonly onRun?: (run: RunRecord) => void;
  /** whether the user sees the outcome without a notification; default: yes */
  readonly isShown?: () => boolean;
}

interface ExecuteOptions {
  readonly session: Session;
  readonly onRun?: (run: RunRecord) => void;
  /** the user runs it again although the same was run a moment ago */
  readonly isRepeat?: boolean;
}

export interface ConfirmOptions {
  /** the user started the one file that is run, by a command or in the Test Explorer */
  readonly isExplicit: boolean;
  /** who wants it sent, if not the user: a sentence that is confirmed whatever the setting */
  readonly request?: string;
  /** the user runs it again although the same was run a moment ago */
  readonly isRepeat?: boolean;
  /** what Run Anyway does; without it the button is not offered */
  readonly onRunAnyway?: () => Promise<unknown>;
}

interface ActiveRun {
  readonly cancel: AbortController;
  readonly stopWaiting: AbortController;
  readonly start: Start;
}

interface RunnerOptions extends ActionsContext {
  readonly starts: RecentStarts;
  /** whether the Runs view is shown */
  readonly isShown?: () => boolean;
}

/** Runs action files on connections through the pipeline, and stores their records. */
export class Runner {
  readonly #services: Services;
  readonly #store: RunStore;
  readonly #options: RunnerOptions;
  readonly #reporter: RunReporter;
  readonly #active = new Map<string, ActiveRun>();
  #closing = false;

  constructor(options: RunnerOptions) {
    this.#services = options.services;
    this.#store = options.store;
    this.#options = options;
    this.#reporter = new RunReporter(options.services, options.isShown ?? (() => false));
  }

  get store(): RunStore {
    return this.#store;
  }

  /** True while a run is composed, sent or followed in this window. */
  isActive(id: string): boolean {
    return this.#active.has(id);
  }

  /**
   * Confirms and runs sources in order, with progress and notifications, until one does not complete. Resolves with the
   * ended runs; an empty list if the user declined. Rejects with Error for what blocks sending.
   */
  async execute(
    sources: readonly ActionSource[],
    { session, isRepeat = false, onRun }: ExecuteOptions,
  ): Promise<readonly RunRecord[]> {
    if (sources.length === 0) return [];
    const runs = await this.confirm(sources, session, {
      isExplicit: sources.length === 1,
      isRepeat,
      onRunAnyway: () => this.execute(sources, { session, isRepeat: true, ...(onRun !== undefined && { onRun }) }),
    });
    const first = runs?.[0];
    if (runs === undefined || first === undefined) return [];
    const settledRuns = await this.#services.ui.progress(first.session.heading, async (signal, report) => {
      const settled = await this.#runInOrder(runs, signal, (run) => {
        report(formatPair(run.name, formatRunState(run)));
        onRun?.(run);
      });
      // The batch of a completed action can still fail.
      await Promise.all(settled.filter(({ record }) => record.outcome === 'completed').map(({ ended }) => ended));
      return settled;
    });
    return this.#waitForEnds(settledRuns);
  }

  /**
   * The prepare and confirm stages of a batch. Resolves with the runs to pass to `run`; `undefined` if the user declined,
   * stays signed out, or ran the same a moment ago. Rejects with Error for what blocks sending.
   */
  async confirm(
    sources: readonly ActionSource[],
    givenSession: Session,
    options: ConfirmOptions,
  ): Promise<readonly SessionRun[] | undefined> {
    const prepared = sources.map(prepareSingle);
    await this.#store.load();
    const sessions = await confirmRuns(this.#options, prepared, givenSession, options);
    if (sessions === undefined) return undefined;
    const runs = prepared.map((run, index) => {
      const session = sessions[index] ?? givenSession;
      return { ...run, session, target: createRunTarget(session, run.source.uri) };
    });
    return (await this.#claim(runs, options)) ? runs : undefined;
  }

  /**
   * Runs one confirmed source for a caller that shows its progress and outcome. Resolves with the ended run. Never
   * rejects.
   */
  async run(run: SessionRun, { signal, onRun, isShown = () => true }: RunOptions): Promise<RunRecord> {
    const ended = await this.#start(run, onRun, (id) => {
      const cancel = (): void => this.#cancel(id);
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted === true) cancel();
      return () => signal?.removeEventListener('abort', cancel);
    }).ended;
    // A task and the Test Explorer cannot offer to sign in.
    if (ended.status === 401 || !isShown()) this.#reporter.notify(ended);
    return ended;
  }

  /** Returns false, with a notification, if the same is being sent or was run a moment ago, in this window or another. */
  async #claim(runs: readonly SessionRun[], { isRepeat = false, onRunAnyway }: ConfirmOptions): Promise<boolean> {
    const starts = runs.map(({ source, session }) => createStart(source, session));
    const unsent = [...this.#active].filter(([id]) => this.#isUnsent(id)).map(([, { start }]) => start);
    const sending = starts.findIndex(({ file, connection, identity }) =>
      unsent.some((other) => other.file === file && other.connection === connection && other.identity === identity),
    );
    const isFree = isRepeat || sending < 0;
    try {
      // One that is being sent is recent for longer, too.
      const claimed = await this.#options.starts.claim(isFree ? starts : starts.slice(sending, sending + 1), isRepeat);
      if (claimed && isFree) return true;
    } catch (error) {
      const message = l10n.t('The start could not be recorded, so nothing was sent: {0}', getErrorMessage(error));
      throw new Error(message, { cause: error });
    }
    const { source, session } = runs[Math.max(sending, 0)] ?? {};
    const name = source?.name ?? '';
    const heading = session?.heading ?? '';
    const text =
      sending >= 0
        ? l10n.t('{0} is already being sent to {1}, so it was not run again.', name, heading)
        : runs.length === 1
          ? l10n.t('{0} was just run on {1}, so it was not run again.', name, heading)
          : l10n.t('One of these files was just run on {0}. No file was run.', heading);
    this.#services.log.warn(text);
    const { ui } = this.#services;
    const runAnyway = l10n.t('Run Anyway');
    void ui
      .warn(text, ...(onRunAnyway === undefined ? [] : [runAnyway]))
      .then((chosen) => (chosen === runAnyway ? onRunAnyway?.() : undefined))
      .catch((error: unknown) => ui.error(formatLine(getErrorMessage(error), 1000)));
    return false;
  }

  /** Resolves when the outcome of each run is decided, or of one that did not complete. */
  async #runInOrder(
    runs: readonly SessionRun[],
    signal: AbortSignal,
    onRun: (run: RunRecord) => void,
  ): Promise<readonly SettledRun[]> {
    const settledRuns: SettledRun[] = [];
    for (const [index, run] of runs.entries()) {
      if (signal.aborted) break;
      const { settled, ended } = this.#start(run, onRun, (id) => {
        const cancel = (): void => void this.cancel(id);
        signal.addEventListener('abort', cancel, { once: true });
        return () => signal.removeEventListener('abort', cancel);
      });
      const record = await settled;
      settledRuns.push({ record, ended });
      if (record.outcome === 'completed') continue;
      // Reported at once: nothing that follows makes it complete.
      this.#reporter.notify(record);
      const left = runs.slice(index + 1).map(({ source }) => source.name);
      if (left.length > 0)
        void this.#services.ui.warn(
          formatLine(l10n.t('Not sent because {0} did not complete: {1}', record.name, formatList(left, 'unit')), 300),
        );
      break;
    }
    return settledRuns;
  }

  /** Notifies of completed runs, and of those whose batch changed the outcome. */
  async #waitForEnds(settledRuns: readonly SettledRun[]): Promise<RunRecord[]> {
    const runs: RunRecord[] = [];
    for (const { record, ended } of settledRuns) {
      const run = await ended;
      runs.push(run);
      if (run.outcome === 'completed' || run.outcome !== record.outcome) this.#reporter.notify(run);
    }
    return runs;
  }

  /**
   * Starts the stages after confirmation. `settled` resolves when the outcome is decided, `ended` when the batch is final
   * too; neither rejects. `listen` listens for what cancels the run, and returns a function that stops listening.
   */
  #start(
    confirmed: SessionRun,
    onRun: ((run: RunRecord) => void) | undefined,
    listen: (id: string) => () => void,
  ): { readonly settled: Promise<RunRecord>; readonly ended: Promise<RunRecord> } {
    const { source, session } = confirmed;
    const run = startRun(confirmed, (id) => this.#options.liveData.get(session).getName(id));
    const { id } = run.record;
    const active: ActiveRun = {
      cancel: new AbortController(),
      stopWaiting: new AbortController(),
      start: createStart(source, session),
    };
    this.#active.set(id, active);
    const stopListening = listen(id);
    const cancel = (): void => this.#cancel(id);
    session.ended.addEventListener('abort', cancel, { once: true });
    const settled = Promise.withResolvers<RunRecord>();
    const execute = async (): Promise<RunRecord> => {
      const compose = {
        variables: createWorkspaceVariables(this.#services, this.#store, source, session),
        getSigner: getSignerCommand,
      };
      const record = await executeRun(run, compose, {
        platform: createRunPlatform(session.client),
        time: systemClock,
        signal: active.cancel.signal,
        stopWaiting: active.stopWaiting.signal,
        report: (next) => {
          this.#report(next);
          onRun?.(next);
        },
        save: async (next) => {
          await this.#services.context.workspaceState.update(MAY_HAVE_OPEN_RUNS, true);
          await this.#store.save(next);
        },
        knownLogs: () => this.#store.getKnownLogs(run.record),
        onSettled: settled.resolve,
      });
      stopListening();
      session.ended.removeEventListener('abort', cancel);
      this.#active.delete(id);
      // Nothing was executed, so it may be repeated at once.
      if (record.outcome === 'notSent' || record.outcome === 'refused')
        await this.#options.starts.release(active.start).catch(() => undefined);
      return record;
    };
    return { settled: settled.promise, ended: execute() };
  }

  #report(run: RunRecord): void {
    this.#reporter.logChanges(run, this.#store.get(run.id));
    this.#store.put(run);
  }

  /**
   * Searches for the outcome of a run that ended without one, with progress; only reads. `chosenLog`: id of the action log that
   * the user takes for its own. Resolves with the ended run.
   * Never rejects.
   */
  async lookUp(run: RunRecord, session: Session, chosenLog?: string): Promise<RunRecord> {
    const { name, source: text, file } = run;
    const source = { name, text, ...(file !== undefined && { uri: vscode.Uri.parse(file) }) };
    const cancel = new AbortController();
    this.#active.set(run.id, { cancel, stopWaiting: new AbortController(), start: createStart(source, session) });
    try {
      const result = await this.#services.ui.progress(l10n.t('Searching for the action log of {0}', name), (signal) =>
        resumeRun(
          run,
          {
            platform: createRunPlatform(session.client),
            time: systemClock,
            signal: AbortSignal.any([signal, cancel.signal, session.ended]),
            knownLogs: () => this.#store.getKnownLogs(run),
            report: (next) => this.#report(next),
          },
          chosenLog,
        ),
      );
      this.#reporter.notify(result);
      return result;
    } finally {
      this.#active.delete(run.id);
    }
  }

  #isUnsent(id: string): boolean {
    const phase = this.#store.get(id)?.phase;
    return phase === 'preparing' || phase === 'queued' || phase === 'sending';
  }

  /** Cancels a run that is not sent; stops following one that was. */
  #cancel(id: string): void {
    const phase = this.#store.get(id)?.phase;
    if (this.#closing && phase !== 'preparing' && phase !== 'queued') return;
    this.#active.get(id)?.cancel.abort();
  }

  /**
   * The Cancel command: a run that is being sent cannot be cancelled, so this offers to stop waiting. Never rejects.
   */
  async cancel(id: string): Promise<void> {
    const run = this.#store.get(id);
    const active = this.#active.get(id);
    if (run === undefined || active === undefined) return;
    if (run.phase !== 'sending') {
      active.cancel.abort();
      return;
    }
    const stop = l10n.t('Stop Waiting');
    const chosen = await this.#services.ui.warn(
      l10n.t(
        '{0} was already sent, which can’t be undone. If you stop waiting for the response, its outcome is unknown.',
        run.name,
      ),
      stop,
    );
    if (chosen === stop && this.#store.get(id)?.phase === 'sending') active.stopWaiting.abort();
  }

  /**
   * Cancels what is not sent. A run that is followed stays open in the history, so that the next window offers to search
   * for it.
   */
  dispose(): void {
    this.#closing = true;
    for (const id of this.#active.keys()) this.#cancel(id);
  }
}

/** A run whose outcome is decided, with the end of its following. */
interface SettledRun {
  readonly record: RunRecord;
  readonly ended: Promise<RunRecord>;
}

function createStart({ name, uri, text }: ActionSource, { profile, identityName: identity }: Session): Start {
  return { connection: profile.name, baseUrl: profile.baseUrl, identity, file: uri?.toString() ?? name, text };
}

function createRunTarget({ profile, identityName }: Session, uri: ActionSource['uri']): SessionRun['target'] {
  const commit = getCommit(uri);
  const { name, environment, baseUrl } = profile;
  return {
    connection: name,
    ...(environment !== undefined && { environment }),
    ...(identityName !== undefined && { identity: identityName }),
    origin: new URL(baseUrl).origin,
    ...(commit !== undefined && { commit }),
  };
}
