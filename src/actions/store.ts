/** The history of runs: one small file a run, in the workspace's own storage. Pure: plain files, no editor. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import { writePrivateFile } from '../ui/private-file.ts';
import type { RunRecord } from './record.ts';
import { recordFrom } from './record-schema.ts';
import { OPEN, runsFolder } from './open-runs.ts';

const KEPT = 100;
const FILE = /^([\w-]{1,80})(?:\.open)?\.json$/;

/** A window writes the time into the files of its open runs this often; one that is silent for longer is gone. */
const HEARTBEAT = 2_000;
const SILENT = 3 * HEARTBEAT;

export interface StoreOptions {
  /** path of the workspace's storage; made when the first run is written */
  readonly storage: string;
  readonly log: Pick<Log, 'warn'>;
  /** called with runs that another window left without an end, as they are found */
  readonly onInterrupted?: (runs: readonly RunRecord[]) => void;
  /** milliseconds since 1970 */
  readonly now?: () => number;
}

export class RunStore {
  readonly #options: StoreOptions;
  readonly #folder: string;
  readonly #runs = new Map<string, RunRecord>();
  readonly #listeners = new Set<(run: RunRecord | undefined) => void>();
  readonly #writing = new Map<string, Promise<void>>();
  /** ids of runs that this window has under way */
  readonly #own = new Set<string>();
  #heart: NodeJS.Timeout | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #loading: Promise<void> | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#folder = runsFolder(options.storage);
  }

  /** Called with the run that changed; without one when the list did. */
  onDidChange(listener: (run: RunRecord | undefined) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Newest first. */
  get all(): readonly RunRecord[] {
    return [...this.#runs.values()].sort((a, b) => b.started - a.started || b.id.localeCompare(a.id));
  }

  get(id: string): RunRecord | undefined {
    return this.#runs.get(id);
  }

  /** The last run that was really sent under a name, on a connection. */
  latest(name: string, connection: string): RunRecord | undefined {
    return this.all.find((run) => run.name === name && run.connection === connection && run.sentAt !== undefined);
  }

  /** Reads the kept runs once. Never rejects: a file that cannot be read is logged and left out. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const names = (await fs.readdir(this.#folder).catch(() => [])).filter((name) => FILE.test(name)).sort();
    const ended = names.filter((name) => !name.endsWith(OPEN)).slice(-KEPT);
    for (const name of ended) this.#take(await this.#read(name));
    // Earlier versions had one name for all.
    const left = this.all.filter(({ id, phase }) => phase !== 'ended' && !this.#own.has(id));
    await this.#lookAtOpen(left.map((run) => interrupted(run)));
    this.#fire(undefined);
  }

  #take(run: RunRecord | undefined): void {
    if (run !== undefined && !this.#own.has(run.id)) this.#runs.set(run.id, run);
  }

  async #read(name: string): Promise<RunRecord | undefined> {
    try {
      return recordFrom(JSON.parse(await fs.readFile(path.join(this.#folder, name), 'utf8')));
    } catch (error) {
      this.#options.log.warn(`The kept run ${name} cannot be read: ${errorMessage(error)}`);
      return undefined;
    }
  }

  /** Open runs of other windows: one whose window is gone is interrupted, and the others are looked at again. */
  async #lookAtOpen(gone: RunRecord[] = []): Promise<void> {
    const names = (await fs.readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(OPEN));
    const now = this.#options.now?.() ?? Date.now();
    let alive = false;
    for (const name of names) {
      const id = name.slice(0, -OPEN.length);
      if (this.#own.has(id)) continue;
      const stat = await fs.stat(path.join(this.#folder, name)).catch(() => undefined);
      if (stat === undefined) continue;
      const silent = now - stat.mtimeMs >= SILENT;
      if (!silent) alive = true;
      if (await this.#exists(id)) {
        // Its window closed between writing its end and removing this.
        if (silent) await fs.rm(this.#file(id, true), { force: true });
        continue;
      }
      const run = await this.#read(name);
      if (run === undefined) continue;
      if (silent) gone.push(interrupted(run));
      else this.#take(run);
    }
    for (const run of gone) this.put(run);
    if (gone.length > 0) this.#options.onInterrupted?.(gone);
    for (const run of this.all)
      if (run.phase !== 'ended' && !this.#own.has(run.id) && (await this.#exists(run.id)))
        this.#take(await this.#read(`${run.id}.json`));
    if (alive) this.#lookLater();
  }

  async #exists(id: string): Promise<boolean> {
    return fs.access(this.#file(id, false)).then(
      () => true,
      () => false,
    );
  }

  #lookLater(): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      void this.#lookAtOpen().then(() => {
        this.#fire(undefined);
      });
    }, HEARTBEAT).unref();
  }

  /** Tells other windows that this one still has the run. */
  #beat(run: RunRecord): void {
    if (run.phase === 'ended') this.#own.delete(run.id);
    else this.#own.add(run.id);
    if (this.#own.size === 0) {
      clearInterval(this.#heart);
      this.#heart = undefined;
      return;
    }
    this.#heart ??= setInterval(() => {
      const now = new Date(this.#options.now?.() ?? Date.now());
      // A run that was not written yet has no file.
      for (const id of this.#own) void fs.utimes(this.#file(id, true), now, now).catch(() => undefined);
    }, HEARTBEAT).unref();
  }

  put(run: RunRecord): void {
    this.#runs.set(run.id, run);
    this.#beat(run);
    this.#fire(run);
    // Before it may be sent there is nothing to remember; `save` writes it then.
    if (run.phase !== 'preparing' && run.phase !== 'queued')
      void this.#write(run, false).catch((error: unknown) => {
        this.#warn(error);
      });
    this.#trim();
  }

  /** Resolves when the run is on the disk itself, not only in a buffer of the system. Rejects where it cannot be written. */
  async save(run: RunRecord): Promise<void> {
    this.#runs.set(run.id, run);
    this.#beat(run);
    await this.#write(run, true);
  }

  #write(run: RunRecord, flushed: boolean): Promise<void> {
    const before = this.#writing.get(run.id)?.catch(() => undefined) ?? Promise.resolve();
    const next = before.then(async () => {
      // A later change of the same run is under way: that one writes.
      if (!flushed && this.#runs.get(run.id) !== run) return;
      const over = run.phase === 'ended';
      // Runs hold whole answers: nobody else on the machine reads them.
      await writePrivateFile(this.#file(run.id, !over), JSON.stringify(run), { flush: flushed });
      if (over) await fs.rm(this.#file(run.id, true), { force: true });
    });
    this.#writing.set(run.id, next);
    const done = (): void => {
      if (this.#writing.get(run.id) === next) this.#writing.delete(run.id);
    };
    next.then(done, done);
    return next;
  }

  async remove(id: string): Promise<void> {
    await this.#removeAll([id]);
  }

  /** Removes every run of a connection that has ended, from disk too; resolves to their number. */
  async removeOf(connection: string): Promise<number> {
    await this.load();
    const ids = this.all.filter((run) => run.connection === connection && run.phase === 'ended').map(({ id }) => id);
    await this.#removeAll(ids);
    return ids.length;
  }

  async #removeAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#runs.delete(id);
    this.#fire(undefined);
    for (const id of ids) {
      await this.#writing.get(id)?.catch(() => undefined);
      await fs.rm(this.#file(id, false), { force: true });
      await fs.rm(this.#file(id, true), { force: true });
    }
  }

  #trim(): void {
    const old = this.all.slice(KEPT).filter(({ phase }) => phase === 'ended');
    if (old.length === 0) return;
    this.#removeAll(old.map(({ id }) => id)).catch((error: unknown) => {
      this.#warn(error);
    });
  }

  #file(id: string, open: boolean): string {
    return path.join(this.#folder, `${id}${open ? OPEN : '.json'}`);
  }

  #fire(run: RunRecord | undefined): void {
    for (const listener of this.#listeners) listener(run);
  }

  #warn(error: unknown): void {
    this.#options.log.warn(`The run history could not be written: ${errorMessage(error)}`);
  }

  /** Resolves when everything is written. Never rejects. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }

  dispose(): void {
    clearInterval(this.#heart);
    clearTimeout(this.#waiting);
    this.#listeners.clear();
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

function interrupted(run: RunRecord): RunRecord {
  const answered = run.answeredAt !== undefined && run.actionId !== undefined;
  return {
    ...run,
    phase: 'ended',
    interrupted: true,
    outcome: run.outcome ?? (answered ? 'unfinished' : 'unknown'),
    reason: answered
      ? 'The window closed while the run was followed; look for its action log to see how it went on'
      : 'The window closed before the answer came; it may have been executed: look for its action log',
  };
}
