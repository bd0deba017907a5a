/** Runs action files on a connection: asks, fills in, signs, sends each once in order, follows, and keeps the history. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { checkFile } from './check.ts';
import { compose, signerFor } from './compose.ts';
import { confirmBatch, type ConfirmSetting } from './confirm.ts';
import type { ActionFile } from './file.ts';
import { isDisclosed, rememberDisclosed } from './disclosed.ts';
import { effectOf } from './kinds.ts';
import { realTime, runPlatform } from './platform.ts';
import { prepare, type Prepared } from './prepare.ts';
import { durationText, lineOf, stateText, type RunRecord } from './record.ts';
import { performRun } from './run.ts';
import { signedIn } from './signed-in.ts';
import type { RunStore } from './store.ts';
import { askInputs, parametersOf, type Disclosure } from './values.ts';

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
}

interface Active {
  readonly cancel: AbortController;
  readonly stopWaiting: AbortController;
  readonly key: string;
}

export class Runner {
  readonly #services: Services;
  readonly #store: RunStore;
  readonly #active = new Map<string, Active>();
  /** a readable name of an id, from what was read before; asks nothing */
  nameOf: (session: Session, id: string) => string | undefined = () => undefined;
  /** whether the person sees the runs */
  isShown: () => boolean = () => false;
  /** reads the names that a dialog is to show; never throws, and takes no longer than a person would wait */
  learn: (session: Session, files: readonly ActionFile[]) => Promise<void> = () => Promise.resolve();

  constructor(services: Services, store: RunStore) {
    this.#services = services;
    this.#store = store;
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
    const session = options.confirmed === true ? options.session : await this.#confirm(prepared, options.session);
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
   * resolves to (`undefined`: not agreed to, or not signed in). Throws for what blocks sending.
   */
  async confirm(sources: readonly Source[], session: Session): Promise<Session | undefined> {
    return this.#confirm(
      sources.map((source) => prepare(source)),
      session,
    );
  }

  /** The session to go on with; `then`: what happens once the person has signed in. */
  signedIn(session: Session, then?: string): Promise<Session | undefined> {
    const signIn = (name: string): Thenable<unknown> => vscode.commands.executeCommand('smartObjects.signIn', name);
    return signedIn(this.#services, session, signIn, then);
  }

  async #confirm(prepared: readonly Prepared[], given: Session): Promise<Session | undefined> {
    for (const { file } of prepared) signerFor(file);
    const files: ActionFile[] = [];
    for (const { file } of prepared) files.push(await askInputs(this.#services, file));
    const session = await this.signedIn(given);
    if (session === undefined) return undefined;
    const disclosures = prepared.map(({ file, source }) => parametersOf(this.#services, file, source));
    const merged: Disclosure = {
      lines: [...new Set(disclosures.flatMap(({ lines }) => lines))],
    };
    const fresh = merged.lines.length > 0 && !isDisclosed(this.#services.context, session, merged);
    const remarks = prepared.flatMap(({ source, file }) => {
      const count = checkFile(file).filter(({ severity }) => severity === 'warning').length;
      return count === 0
        ? []
        : [`${source.name}: ${String(count)} ${count === 1 ? 'warning' : 'warnings'} in Problems.`];
    });
    const setting = knownSetting(vscode.workspace.getConfiguration('smartObjects').get<string>('confirmExecution'));
    if (session.mustConfirm || setting === 'always' || fresh) await this.learn(session, files);
    const several = prepared.length > 1;
    const effects = files.map((file, index) => {
      const effect = effectOf(file, (id) => this.nameOf(session, id));
      return several ? `${prepared[index]?.source.name ?? ''}: ${effect}` : effect;
    });
    // The box in which production is typed shows the first few.
    if (several && session.profile.environment === 'production')
      for (const effect of [`To be executed on ${session.heading}:`, ...effects]) this.#services.log.info(effect);
    const yes = await confirmBatch(this.#services.ui, session, setting, {
      effects,
      remarks,
      discloses: fresh ? merged.lines : [],
    });
    if (session.ended.aborted) throw new Error('The connection changed in the meantime; nothing was sent. Try again');
    if (yes && fresh) await rememberDisclosed(this.#services.context, session, merged);
    return yes ? session : undefined;
  }

  /** Resolves when the log of each is decided, with the ends that wait for the batches too. */
  async #runAll(prepared: readonly Prepared[], options: ExecuteOptions): Promise<readonly Promise<RunRecord>[]> {
    const ends: Promise<RunRecord>[] = [];
    for (const [index, one] of prepared.entries()) {
      if (options.signal?.aborted === true) break;
      const { settled, ended } = await this.#start(one, options);
      ends.push(ended);
      const run = await settled;
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
      if (!quiet) this.#tell(run);
    }
    return runs;
  }

  async #start(
    { source, file }: Prepared,
    { session, signal, quiet, onRun }: ExecuteOptions,
  ): Promise<{ readonly settled: Promise<RunRecord>; readonly ended: Promise<RunRecord> }> {
    const key = `${session.profile.name}\n${source.uri?.toString() ?? source.name}`;
    if ([...this.#active].some(([id, other]) => other.key === key && this.#isUnsent(id)))
      throw new Error(`${source.name} is being sent already. Wait for its answer, or cancel it`);
    const active: Active = { cancel: new AbortController(), stopWaiting: new AbortController(), key };
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
      effect: effectOf(file, (id) => this.nameOf(session, id)),
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
        const { body, secrets, targets } = await compose({
          services: this.#services,
          store: this.#store,
          source,
          file,
          session,
          signal: active.cancel.signal,
        });
        return await performRun(
          { record, body, targets, secrets },
          {
            platform: runPlatform(session.client),
            time: realTime,
            signal: active.cancel.signal,
            stopWaiting: active.stopWaiting.signal,
            report,
            knownLogs: this.#knownLogs(),
            onSettled: (run) => {
              settle(run);
            },
          },
        );
      } catch (error) {
        const run: RunRecord = {
          ...record,
          phase: 'ended',
          ended: Date.now(),
          outcome: 'notSent',
          reason: lineOf(error instanceof Error ? error.message : 'unknown error', 1000),
        };
        report(run);
        settle(run);
        return run;
      } finally {
        signal?.removeEventListener('abort', asked);
        session.ended.removeEventListener('abort', cancel);
        this.#active.delete(record.id);
      }
    };
    const ended = work();
    return Promise.resolve({ settled, ended });
  }

  #knownLogs(): ReadonlySet<string> {
    return new Set(
      this.#store.all.flatMap(({ logId, actionId }) => [logId, actionId]).filter((id) => id !== undefined),
    );
  }

  #isUnsent(id: string): boolean {
    const phase = this.#store.get(id)?.phase;
    return phase === 'preparing' || phase === 'sending';
  }

  /** Ends what can be ended: before sending everything, afterwards only the following. */
  #cancel(id: string): void {
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
    const { ui } = this.#services;
    const show = 'Show Run';
    // Where the view shows it already, good news would only cover it.
    if (run.outcome === 'completed' && this.isShown()) return;
    const text = `${run.name}: ${stateText(run)}. ${run.reason ?? ''}`;
    const after = (chosen: string | undefined): void => {
      if (chosen === show) void vscode.commands.executeCommand('smartObjects.showRuns', run.id);
    };
    if (run.outcome === 'completed') void ui.info(text, show).then(after);
    else if (run.outcome === 'failed' || run.outcome === 'refused') void ui.error(text, show).then(after);
    else void ui.warn(text, show).then(after);
  }

  dispose(): void {
    for (const { cancel } of this.#active.values()) cancel.abort();
  }
}

function knownSetting(value: string | undefined): ConfirmSetting {
  // What is not understood is asked about.
  return value === 'never' || value === 'productionOnly' ? value : 'always';
}
