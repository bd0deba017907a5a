/** Runs action files on a connection: asks, fills in, signs, sends each once in order, follows, and keeps the history. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { checkFile } from './check.ts';
import { compose, signerFor, type Composed } from './compose.ts';
import { confirmBatch, mustAsk, type ConfirmSetting } from './confirm.ts';
import type { ActionFile } from './file.ts';
import { isDisclosed, rememberDisclosed } from './disclosed.ts';
import { effectOf } from './kinds.ts';
import { objectionsTo } from './objections.ts';
import { realTime, runPlatform } from './platform.ts';
import { prepare, type Prepared } from './prepare.ts';
import { durationText, lineOf, outcomeText, stateText, type RunRecord } from './record.ts';
import { lookAgain, notSent, performRun } from './run.ts';
import { signedIn } from './signed-in.ts';
import type { RecentStarts, Start } from './starts.ts';
import { MAY_HAVE_OPEN_RUNS } from './state-keys.ts';
import type { RunStore } from './store.ts';
import { askInputs, parametersOf } from './values.ts';

/** One thing to execute: the text as shown, saved or not. */
export interface Source {
  readonly name: string;
  readonly uri?: vscode.Uri;
  readonly text: string;
}

export interface ExecuteOptions {
  readonly session: Session;
  /** also cancels, besides the progress' own button */
  readonly signal?: AbortSignal;
  /** the caller shows the progress and the outcome itself */
  readonly quiet?: boolean;
  /** goes on after a run that did not complete */
  readonly keepGoing?: boolean;
  readonly onRun?: (run: RunRecord) => void;
  /** the whole batch was confirmed before, by `confirm` below */
  readonly confirmed?: boolean;
  /** the user wants it though the same was run a moment ago */
  readonly again?: boolean;
}

export interface ConfirmOptions {
  /** the user named the one file that is run */
  readonly aimed: boolean;
  /** the user wants it though the same was run a moment ago */
  readonly again?: boolean;
  /** what Run Anyway does; without it the button is not offered */
  readonly onAgain?: () => Promise<unknown>;
}

interface Active {
  readonly cancel: AbortController;
  readonly stopWaiting: AbortController;
  readonly start: Start;
}

export interface RunnerParts {
  readonly services: Services;
  readonly store: RunStore;
  readonly starts: RecentStarts;
  /** a readable name of an id, from what was read before; sends nothing */
  readonly nameOf?: (session: Session, id: string) => string | undefined;
  /** whether the user sees the runs */
  readonly isShown?: () => boolean;
  /** reads the names that a dialog is to show; never throws, and takes no longer than a user would wait */
  readonly learn?: (session: Session, files: readonly ActionFile[]) => Promise<void>;
}

export class Runner {
  readonly #services: Services;
  readonly #store: RunStore;
  readonly #parts: RunnerParts;
  readonly #active = new Map<string, Active>();
  #closing = false;
  /** the outcome that the user was told of a run that is still followed */
  readonly #told = new Map<string, RunRecord['outcome']>();

  constructor(parts: RunnerParts) {
    this.#services = parts.services;
    this.#store = parts.store;
    this.#parts = parts;
  }

  get store(): RunStore {
    return this.#store;
  }

  isActive(id: string): boolean {
    return this.#active.has(id);
  }

  /** Ended runs in order; fewer than sources where one was declined or did not complete. Throws for what blocks sending. */
  async execute(sources: readonly Source[], options: ExecuteOptions): Promise<readonly RunRecord[]> {
    const prepared = sources.map((source) => prepare(source));
    if (prepared.length === 0) return [];
    await this.#store.load();
    const again = (): Promise<unknown> => this.execute(sources, { ...options, again: true });
    const session =
      options.confirmed === true
        ? options.session
        : await this.#confirm(prepared, options.session, {
            aimed: sources.length === 1,
            onAgain: again,
            ...(options.again === true && { again: true }),
          });
    if (session === undefined) return [];
    if (options.quiet === true) return this.#ended(await this.#runAll(prepared, { ...options, session }), true);
    // Over once the logs are decided: what waits for its batch alone is in the Runs view, and cancelled there.
    const settled = await this.#services.ui.progress(session.heading, (signal, say) =>
      this.#runAll(prepared, {
        ...options,
        session,
        signal,
        onRun: (run) => {
          say(`${run.name}: ${stateText(run)}`);
          options.onRun?.(run);
        },
      }),
    );
    return this.#ended(settled, false);
  }

  /**
   * Asks once for a whole batch; for callers that then execute its parts with `confirmed` on the session that this
   * resolves to (`undefined`: not agreed to, not signed in, or run a moment ago). Throws for what blocks sending.
   */
  async confirm(sources: readonly Source[], session: Session, options: ConfirmOptions): Promise<Session | undefined> {
    const prepared = sources.map((source) => prepare(source));
    await this.#store.load();
    return this.#confirm(prepared, session, options);
  }

  /** The session to go on with; `then`: what happens once the person has signed in. */
  signedIn(session: Session, then?: string): Promise<Session | undefined> {
    const signIn = (name: string): Thenable<unknown> => vscode.commands.executeCommand('smartObjects.signIn', name);
    return signedIn(this.#services, session, signIn, then);
  }

  async #confirm(prepared: readonly Prepared[], given: Session, options: ConfirmOptions): Promise<Session | undefined> {
    for (const { file } of prepared) signerFor(file);
    const files: ActionFile[] = [];
    for (const { file } of prepared) files.push(await askInputs(this.#services, file));
    const session = await this.signedIn(given);
    if (session === undefined) return undefined;
    const { context, log, ui } = this.#services;
    const all = await Promise.all(
      prepared.map(async ({ file, source }) => ({ file, ...(await parametersOf(this.#services, file, source)) })),
    );
    const disclosed = all.filter(({ lines }) => lines.length > 0);
    const fresh = disclosed.some((one) => !isDisclosed(context, session, one));
    const remarks = prepared.flatMap(({ source, file }) => {
      const count = checkFile(file).filter(({ severity }) => severity === 'warning').length;
      return count === 0
        ? []
        : [`${source.name}: ${String(count)} ${count === 1 ? 'warning' : 'warnings'} in Problems.`];
    });
    const setting = knownSetting(vscode.workspace.getConfiguration('smartObjects').get<string>('confirmExecution'));
    const reasons = {
      aimed: options.aimed,
      trusted: vscode.workspace.isTrusted,
      discloses: fresh ? [...new Set(disclosed.flatMap(({ lines }) => lines))] : [],
      objections: objectionsTo(
        prepared.map(({ source, file }) => ({ name: source.name, file })),
        session,
        this.#services.knownSecrets(),
      ),
    };
    const { nameOf = () => undefined, learn } = this.#parts;
    if (mustAsk(session, setting, reasons)) await learn?.(session, files);
    const several = prepared.length > 1;
    const effects = files.map((file, index) => {
      const effect = effectOf(file, (id) => nameOf(session, id));
      return several ? `${prepared[index]?.source.name ?? ''}: ${effect}` : effect;
    });
    // The box in which production is typed shows the first few.
    if (several && session.profile.environment === 'production')
      for (const effect of [`To be executed on ${session.heading}:`, ...effects]) log.info(effect);
    const yes = await confirmBatch(ui, session, setting, { ...reasons, effects, remarks });
    if (session.ended.aborted) throw new Error('The connection changed in the meantime; nothing was sent. Try again');
    if (!yes || !(await this.#claim(prepared, session, options))) return undefined;
    if (fresh) await rememberDisclosed(context, session, disclosed);
    return session;
  }

  /** False, and says so, where the same is being sent or was run a moment ago, in this window or another. */
  async #claim(
    prepared: readonly Prepared[],
    session: Session,
    { again = false, onAgain }: ConfirmOptions,
  ): Promise<boolean> {
    const starts = prepared.map(({ source }) => startOf(source, session));
    const unsent = [...this.#active].filter(([id]) => this.#isUnsent(id)).map(([, { start }]) => start);
    const sending = starts.findIndex(({ file, connection }) =>
      unsent.some((other) => other.file === file && other.connection === connection),
    );
    if (again || sending < 0) {
      try {
        if (await this.#parts.starts.claim(starts, again)) return true;
      } catch (error) {
        const why = error instanceof Error ? error.message : 'unknown error';
        throw new Error(`The start could not be recorded, so nothing was sent: ${why}`, { cause: error });
      }
    }
    const name = prepared[Math.max(sending, 0)]?.source.name ?? '';
    const text =
      sending >= 0
        ? `${name} is being sent to ${session.heading} already, so it was not run again.`
        : prepared.length === 1
          ? `${name} was run on ${session.heading} a moment ago, so it was not run again.`
          : `One of these files was run on ${session.heading} a moment ago, so none was run again.`;
    this.#services.log.warn(text);
    const { ui } = this.#services;
    const runAnyway = 'Run Anyway';
    void ui
      .warn(text, ...(onAgain === undefined ? [] : [runAnyway]))
      .then((chosen) => (chosen === runAnyway ? onAgain?.() : undefined))
      .catch((error: unknown) => ui.error(lineOf(error instanceof Error ? error.message : 'unknown error', 1000)));
    return false;
  }

  /** Resolves when the log of each is decided, with the ends that wait for the batches too. */
  async #runAll(prepared: readonly Prepared[], options: ExecuteOptions): Promise<readonly Promise<RunRecord>[]> {
    const ends: Promise<RunRecord>[] = [];
    for (const [index, one] of prepared.entries()) {
      if (options.signal?.aborted === true) break;
      const { settled, ended } = await this.#start(one, options);
      ends.push(ended);
      const run = await settled;
      // Nothing that is still waited for makes a failure good.
      if (options.quiet !== true && run.outcome !== 'completed') this.#tell(run);
      if (run.outcome !== 'completed' && options.keepGoing !== true && index < prepared.length - 1) {
        const left = prepared.slice(index + 1).map(({ source }) => source.name);
        const words = `Not sent, since ${run.name} did not complete: ${left.join(', ')}`;
        if (options.quiet === true) this.#services.log.warn(words);
        else void this.#services.ui.warn(lineOf(words, 300));
        break;
      }
    }
    return ends;
  }

  async #ended(ends: readonly Promise<RunRecord>[], quiet: boolean): Promise<RunRecord[]> {
    const runs: RunRecord[] = [];
    for (const ended of ends) {
      const run = await ended;
      runs.push(run);
      // Told when it was decided, unless its batch decided otherwise. Where a credential is refused, a task and the Test
      // Explorer cannot offer a sign-in themselves.
      if (quiet ? run.status === 401 : run.outcome !== this.#told.get(run.id)) this.#tell(run);
      this.#told.delete(run.id);
    }
    return runs;
  }

  async #start(
    { source, file }: Prepared,
    { session, signal, quiet, onRun }: ExecuteOptions,
  ): Promise<{ readonly settled: Promise<RunRecord>; readonly ended: Promise<RunRecord> }> {
    const start = startOf(source, session);
    const active: Active = { cancel: new AbortController(), stopWaiting: new AbortController(), start };
    const started = Date.now();
    const entry = file.entries[0];
    const record: RunRecord = {
      id: `${new Date(started).toISOString().replace(/\D/g, '').slice(0, 17)}-${randomUUID().slice(0, 8)}`,
      name: source.name,
      ...(source.uri !== undefined && { file: source.uri.toString() }),
      connection: session.profile.name,
      ...(session.profile.environment !== undefined && { environment: session.profile.environment }),
      origin: new URL(session.profile.baseUrl).origin,
      started,
      phase: 'preparing',
      effect: effectOf(file, (id) => this.#parts.nameOf?.(session, id)),
      source: file.text,
      ...(entry !== undefined && { kind: entry.kind.slice(0, 60) }),
      steps: [],
      affected: [],
      possible: [],
    };
    this.#active.set(record.id, active);
    const report = (run: RunRecord): void => {
      this.#note(run, this.#store.get(run.id));
      this.#store.put(run);
      onRun?.(run);
    };
    report(record);
    // Cancelled by whoever asked, or because another credential took the session's place.
    const cancel = (): void => {
      this.#cancel(record.id);
    };
    const asked = (): void => {
      if (quiet === true) cancel();
      else void this.cancel(record.id);
    };
    signal?.addEventListener('abort', asked, { once: true });
    session.ended.addEventListener('abort', cancel, { once: true });
    let settle: (run: RunRecord) => void = () => undefined;
    const settled = new Promise<RunRecord>((resolve) => (settle = resolve));
    const work = async (): Promise<RunRecord> => {
      try {
        let composed: Composed;
        try {
          composed = await compose({
            services: this.#services,
            store: this.#store,
            source,
            file,
            session,
            signal: active.cancel.signal,
          });
        } catch (error) {
          const run = notSent(record, error);
          report(run);
          settle(run);
          return run;
        }
        return await performRun(
          { record, ...composed },
          {
            platform: runPlatform(session.client),
            time: realTime,
            signal: active.cancel.signal,
            stopWaiting: active.stopWaiting.signal,
            report,
            save: async (run) => {
              await this.#services.context.workspaceState.update(MAY_HAVE_OPEN_RUNS, true);
              await this.#store.save(run);
            },
            knownLogs: () => this.#knownLogs(record.id),
            onSettled: (run) => {
              settle(run);
            },
          },
        );
      } finally {
        signal?.removeEventListener('abort', asked);
        session.ended.removeEventListener('abort', cancel);
        this.#active.delete(record.id);
      }
    };
    const ended = work().then(async (run) => {
      // Nothing was executed: it may be repeated at once. A start that cannot be forgotten is forgotten in seconds.
      if (run.outcome === 'notSent' || run.outcome === 'refused')
        await this.#parts.starts.release(start).catch(() => undefined);
      return run;
    });
    return Promise.resolve({ settled, ended });
  }

  /** Looks again for what became of a run that ended without a known outcome. Sends nothing but reads. */
  async lookUp(run: RunRecord, session: Session): Promise<RunRecord> {
    const { name, source: text, file } = run;
    const source = { name, text, ...(file !== undefined && { uri: vscode.Uri.parse(file) }) };
    const cancel = new AbortController();
    this.#active.set(run.id, { cancel, stopWaiting: new AbortController(), start: startOf(source, session) });
    try {
      const looked = await this.#services.ui.progress(`${name}: look for its action log`, (signal) =>
        lookAgain(run, {
          platform: runPlatform(session.client),
          time: realTime,
          signal: AbortSignal.any([signal, cancel.signal, session.ended]),
          knownLogs: () => this.#knownLogs(run.id),
          report: (next) => {
            this.#note(next, this.#store.get(next.id));
            this.#store.put(next);
          },
        }),
      );
      this.#tell(looked);
      return looked;
    } finally {
      this.#told.delete(run.id);
      this.#active.delete(run.id);
    }
  }

  #knownLogs(own: string): ReadonlySet<string> {
    const others = this.#store.all.filter(({ id }) => id !== own);
    return new Set(others.flatMap(({ logId, actionId }) => [logId, actionId]).filter((id) => id !== undefined));
  }

  #isUnsent(id: string): boolean {
    const phase = this.#store.get(id)?.phase;
    return phase === 'preparing' || phase === 'queued' || phase === 'sending';
  }

  /** Ends what can be ended: before sending everything, afterwards only the following. */
  #cancel(id: string): void {
    const phase = this.#store.get(id)?.phase;
    if (this.#closing && phase !== 'preparing' && phase !== 'queued') return;
    this.#active.get(id)?.cancel.abort();
  }

  /** For the command: says what cancelling could not do. */
  async cancel(id: string): Promise<void> {
    const run = this.#store.get(id);
    const active = this.#active.get(id);
    if (run === undefined || active === undefined) return;
    if (run.phase !== 'sending') {
      active.cancel.abort();
      return;
    }
    const stop = 'Stop Waiting';
    const chosen = await this.#services.ui.warn(
      `${run.name} was sent and cannot be taken back. You can stop waiting for the answer; then its outcome is unknown.`,
      stop,
    );
    if (chosen === stop && this.#store.get(id)?.phase === 'sending') active.stopWaiting.abort();
  }

  /** One line in the output for each thing that changed. */
  #note(run: RunRecord, before: RunRecord | undefined): void {
    const { log } = this.#services;
    if (before === undefined) log.info(`Run ${run.name} on ${run.connection}: ${run.effect}`);
    if (run.sentAt !== undefined && before?.sentAt === undefined)
      log.info(`  ${run.name}: sent to ${run.origin}, once`);
    if (run.answeredAt !== undefined && before?.answeredAt === undefined) {
      for (const step of run.steps) {
        if (step.error === undefined) log.info(`  step ${step.action}: done`);
        else log.error(`  step ${step.action} failed: ${step.error}`);
      }
      if (run.actionId !== undefined) log.info(`  action id ${run.actionId}`);
    }
    if (run.phase === 'following' && before !== undefined && stateText(run) !== stateText(before))
      log.info(`  ${run.name}: ${stateText(run)}`);
    if (run.phase === 'ended' && before?.phase !== 'ended') {
      const took = durationText((run.ended ?? run.started) - run.started);
      const line = `  ${run.name}: ${stateText(run)} after ${took}. ${run.reason ?? ''}`;
      if (run.outcome === 'completed') log.info(line);
      else log.warn(line);
      for (const { id, status, signer } of run.possible)
        log.warn(
          `  possibly its log: ${lineOf(id)} ${lineOf(status ?? '')} signed by ${lineOf(signer ?? 'nobody named')}`,
        );
    }
  }

  #tell(run: RunRecord): void {
    this.#told.set(run.id, run.outcome);
    const { ui } = this.#services;
    const show = 'Show Run';
    // Where the view shows it already, good news would only cover it.
    if (run.outcome === 'completed' && this.#parts.isShown?.() === true) return;
    const text = `${run.name}: ${outcomeText(run)}. ${run.reason ?? ''}`;
    const signIn = 'Sign In…';
    const buttons = run.status === 401 ? [signIn, show] : [show];
    const after = (chosen: string | undefined): void => {
      if (chosen === show) void vscode.commands.executeCommand('smartObjects.showRuns', run.id);
      if (chosen === signIn) void vscode.commands.executeCommand('smartObjects.signIn', run.connection);
    };
    if (run.outcome === 'completed') void ui.info(text, ...buttons).then(after);
    else if (run.outcome === 'failed' || run.outcome === 'refused') void ui.error(text, ...buttons).then(after);
    else void ui.warn(text, ...buttons).then(after);
  }

  /** Takes back what is not sent. What is followed stays open in the history, so that the next start offers to look for it. */
  dispose(): void {
    this.#closing = true;
    for (const id of this.#active.keys()) this.#cancel(id);
  }
}

function startOf({ name, uri, text }: Source, { profile }: Session): Start {
  return { connection: profile.name, baseUrl: profile.baseUrl, file: uri?.toString() ?? name, text };
}

function knownSetting(value: string | undefined): ConfirmSetting {
  // What is not understood is asked about.
  return value === 'never' || value === 'productionOnly' ? value : 'always';
}
