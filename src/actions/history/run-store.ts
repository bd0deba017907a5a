import fs from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../ui/log.ts';
import { writePrivateFile } from '../../model/files/write-file.ts';
import { stored } from '../../platform/text/message.ts';
import { changeRun, collectLogIds, toStoredRun, type RunRecord } from '../../model/runs/run-record.ts';
import { parseRunRecord } from '../../model/runs/parse-run-record.ts';
import { OPEN_RUN_SUFFIX, getRunsFolder } from '../../model/runs/run-files.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { Listeners } from '../../model/listeners.ts';

const MAX_RUNS = 100;
const RUN_FILE = /^([\w-]{1,80})(?:\.open)?\.json$/;

/**
 * Milliseconds between the time stamps that a window writes into the files of its open runs; a silent window is
 * considered closed.
 */
const HEARTBEAT = 2_000;
const HEARTBEAT_TIMEOUT = 3 * HEARTBEAT;

interface StoreOptions {
  /** path of the storage of the workspace; created with the first run */
  readonly storage: string;
  readonly log: Pick<Log, 'warn'>;
  /** called with open runs of closed windows, as they are found */
  readonly onInterrupted?: (runs: readonly RunRecord[]) => void;
  /** milliseconds since 1970 */
  readonly now?: () => number;
}

/** The history of runs: one file a run, in the storage of the workspace. */
export class RunStore {
  readonly #options: StoreOptions;
  readonly #folder: string;
  readonly #runs = new Map<string, RunRecord>();
  readonly #listeners = new Listeners<RunRecord | undefined>();
  /** Fires with the run that changed; with `undefined` if the list changed. */
  readonly onDidChange = this.#listeners.add;
  readonly #writing = new Map<string, Promise<void>>();
  /** ids of open runs of this window */
  readonly #own = new Set<string>();
  /** the time stamp of each open run of another window, and how often it was the same */
  readonly #stamps = new Map<string, { readonly stamp: number; readonly count: number }>();
  #heartbeat: NodeJS.Timeout | undefined;
  #checkTimer: NodeJS.Timeout | undefined;
  #loading: Promise<void> | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#folder = getRunsFolder(options.storage);
  }

  /** All runs, newest first. */
  get all(): readonly RunRecord[] {
    return [...this.#runs.values()].sort((a, b) => b.started - a.started || b.id.localeCompare(a.id));
  }

  get(id: string): RunRecord | undefined {
    return this.#runs.get(id);
  }

  /** Reads the stored runs once. Never rejects: logs and skips files that cannot be read. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const names = await this.#list();
    const ended = names.filter((name) => !name.endsWith(OPEN_RUN_SUFFIX)).slice(-MAX_RUNS);
    for (const name of ended) this.#add(await this.#read(name));
    // Earlier versions used one file name for all.
    const left = this.all.filter(({ id, phase }) => phase !== 'ended' && !this.#own.has(id));
    await this.#checkOpenRuns(
      names,
      left.map((run) => markInterrupted(run)),
    );
    this.#listeners.fire(undefined);
  }

  async #list(): Promise<string[]> {
    return (await fs.readdir(this.#folder).catch(() => [])).filter((name) => RUN_FILE.test(name)).sort();
  }

  #add(run: RunRecord | undefined): void {
    if (run !== undefined && !this.#own.has(run.id)) this.#runs.set(run.id, run);
  }

  async #read(name: string): Promise<RunRecord | undefined> {
    try {
      return parseRunRecord(JSON.parse(await fs.readFile(path.join(this.#folder, name), 'utf8')));
    } catch (error) {
      this.#options.log.warn(`Run ${name} of the history could not be read: ${getErrorMessage(error)}`);
      return undefined;
    }
  }

  /** Checks open runs of other windows: marks those of closed windows as interrupted, re-reads the others. */
  async #checkOpenRuns(files: readonly string[], interruptedRuns: RunRecord[] = []): Promise<void> {
    const names = files.filter((name) => name.endsWith(OPEN_RUN_SUFFIX));
    let alive = false;
    for (const name of names) {
      const id = name.slice(0, -OPEN_RUN_SUFFIX.length);
      if (this.#own.has(id)) continue;
      const stat = await fs.stat(path.join(this.#folder, name)).catch(() => undefined);
      const silent = stat !== undefined && this.#isSilent(id, stat.mtimeMs);
      if (stat !== undefined && !silent) alive = true;
      if (await this.#exists(id)) {
        // The window closed after writing the end of the run, before removing this file.
        if (silent) await fs.rm(this.#file(id, true), { force: true }).catch((error: unknown) => this.#warn(error));
        // It may have ended after the files were listed.
        this.#add(await this.#read(`${id}.json`));
        continue;
      }
      const run = await this.#read(name);
      if (run === undefined) continue;
      if (silent) interruptedRuns.push(markInterrupted(run));
      else this.#add(run);
    }
    for (const run of interruptedRuns) this.put(run);
    if (interruptedRuns.length > 0) this.#options.onInterrupted?.(interruptedRuns);
    for (const run of this.all)
      if (run.phase !== 'ended' && !this.#own.has(run.id) && (await this.#exists(run.id)))
        this.#add(await this.#read(`${run.id}.json`));
    if (alive) this.#scheduleCheck();
  }

  /**
   * Whether a time stamp is too old, and later, whether it stays the same: after the computer slept or its clock was set, the age
   * of one says nothing.
   */
  #isSilent(id: string, stamp: number): boolean {
    const last = this.#stamps.get(id);
    const count = last?.stamp === stamp ? last.count + 1 : 0;
    this.#stamps.set(id, { stamp, count });
    const now = this.#options.now?.() ?? Date.now();
    return last === undefined ? now - stamp >= HEARTBEAT_TIMEOUT : count * HEARTBEAT > HEARTBEAT_TIMEOUT;
  }

  async #exists(id: string): Promise<boolean> {
    return fs.access(this.#file(id, false)).then(
      () => true,
      () => false,
    );
  }

  #scheduleCheck(): void {
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(
      () =>
        void this.#list()
          .then((names) => this.#checkOpenRuns(names))
          .then(() => this.#listeners.fire(undefined)),
      HEARTBEAT,
    ).unref();
  }

  /** Shows other windows that this one is open. */
  #updateHeartbeat(run: RunRecord): void {
    if (run.phase === 'ended') this.#own.delete(run.id);
    else this.#own.add(run.id);
    if (this.#own.size === 0) {
      clearInterval(this.#heartbeat);
      this.#heartbeat = undefined;
      return;
    }
    this.#heartbeat ??= setInterval(() => {
      const now = new Date(this.#options.now?.() ?? Date.now());
      // A run that was not saved has no file.
      for (const id of this.#own) void fs.utimes(this.#file(id, true), now, now).catch(() => undefined);
    }, HEARTBEAT).unref();
  }

  put(run: RunRecord): void {
    this.#runs.set(run.id, run);
    this.#updateHeartbeat(run);
    this.#listeners.fire(run);
    // Written first by `save`: before that the run was not sent.
    if (run.phase !== 'preparing' && run.phase !== 'queued')
      void this.#write(run, false).catch((error: unknown) => this.#warn(error));
    this.#trim();
  }

  /**
   * Writes a run. Resolves when it is on the disk, not only in a buffer of the system. Rejects if it cannot be written.
   */
  async save(run: RunRecord): Promise<void> {
    this.#runs.set(run.id, run);
    this.#updateHeartbeat(run);
    await this.#write(run, true);
  }

  #write(run: RunRecord, flushed: boolean): Promise<void> {
    const before = this.#writing.get(run.id)?.catch(() => undefined) ?? Promise.resolve();
    const next = before.then(async () => {
      // A later change of the same run is being written.
      if (!flushed && this.#runs.get(run.id) !== run) return;
      const hasEnded = run.phase === 'ended';
      // Runs contain whole responses: other users of the machine must not read them.
      await writePrivateFile(this.#file(run.id, !hasEnded), JSON.stringify(toStoredRun(run)), { flush: flushed });
      if (hasEnded) await fs.rm(this.#file(run.id, true), { force: true });
    });
    this.#writing.set(run.id, next);
    const done = (): void => {
      if (this.#writing.get(run.id) === next) this.#writing.delete(run.id);
    };
    next.then(done, done);
    return next;
  }

  /** Removes a run, its file too. Rejects with the file-system error. */
  async remove(id: string): Promise<void> {
    await this.#removeAll([id]);
  }

  /** Removes the ended runs of a connection. Resolves with their number. Rejects with the file-system error. */
  async removeByConnection(connection: string): Promise<number> {
    await this.load();
    const ids = this.all.filter((run) => run.connection === connection && run.phase === 'ended').map(({ id }) => id);
    await this.#removeAll(ids);
    return ids.length;
  }

  async #removeAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#runs.delete(id);
    this.#listeners.fire(undefined);
    for (const id of ids) {
      await this.#writing.get(id)?.catch(() => undefined);
      await fs.rm(this.#file(id, false), { force: true });
      await fs.rm(this.#file(id, true), { force: true });
    }
  }

  #trim(): void {
    const old = this.all.slice(MAX_RUNS).filter(({ phase }) => phase === 'ended');
    if (old.length === 0) return;
    this.#removeAll(old.map(({ id }) => id)).catch((error: unknown) => this.#warn(error));
  }

  /** Ids of logs and actions of other runs on the same server: another server may use the same ids. */
  getKnownLogs(own: RunRecord): ReadonlySet<string> {
    return collectLogIds(this.all.filter(({ id, origin }) => id !== own.id && origin === own.origin));
  }

  #file(id: string, open: boolean): string {
    return path.join(this.#folder, `${id}${open ? OPEN_RUN_SUFFIX : '.json'}`);
  }

  #warn(error: unknown): void {
    this.#options.log.warn(`The run history could not be written: ${getErrorMessage(error)}`);
  }

  /** Resolves when all pending writes are done. Never rejects. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }

  dispose(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#checkTimer);
    this.#listeners.clear();
  }
}

function markInterrupted(run: RunRecord): RunRecord {
  const answered = run.answeredAt !== undefined && run.actionId !== undefined;
  return changeRun(run, {
    phase: 'ended',
    interrupted: true,
    note: '',
    outcome: run.outcome ?? (answered ? 'unfinished' : 'unknown'),
    reason: answered
      ? stored('The window was closed during the run. Use Find Action Log to see the outcome')
      : stored(
          'The window was closed before a response was received. The action may have been executed. Use Find Action Log to see the outcome',
        ),
  });
}
