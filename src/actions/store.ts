/** The history of runs: one small file a run, in the workspace's own storage. Pure: plain files, no editor. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import { writePrivateFile } from '../ui/private-file.ts';
import type { RunRecord } from './record.ts';
import { recordFrom } from './record-schema.ts';

const KEPT = 100;
/** The file of a run that has not ended: found by its name alone, and by the next start. */
const OPEN = '.open.json';
const FILE = /^([\w-]{1,80})(?:\.open)?\.json$/;

/** The folder of a workspace's runs; `storage`: path of the workspace's storage. */
export function runsFolder(storage: string): string {
  return path.join(storage, 'runs');
}

/** True where an earlier window ended before one of its runs did. One look at a folder; never rejects. */
export async function hasOpenRuns(storage: string): Promise<boolean> {
  const names = await fs.readdir(runsFolder(storage)).catch(() => []);
  return names.some((name) => name.endsWith(OPEN));
}

export class RunStore {
  readonly #folder: string;
  readonly #log: Pick<Log, 'warn'>;
  readonly #runs = new Map<string, RunRecord>();
  readonly #listeners = new Set<(run: RunRecord | undefined) => void>();
  readonly #writing = new Map<string, Promise<void>>();
  #interrupted: readonly RunRecord[] = [];
  #loading: Promise<void> | undefined;

  /** `storage`: path of the workspace's storage; made when the first run is written */
  constructor(storage: string, log: Pick<Log, 'warn'>) {
    this.#folder = runsFolder(storage);
    this.#log = log;
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

  /** The runs that an earlier window left without an end, as `load` found them. */
  get interrupted(): readonly RunRecord[] {
    return this.#interrupted;
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
    const open = names.filter((name) => name.endsWith(OPEN) && !ended.includes(name.replace(OPEN, '.json')));
    const read = async (name: string): Promise<RunRecord | undefined> => {
      try {
        const run = recordFrom(JSON.parse(await fs.readFile(path.join(this.#folder, name), 'utf8')));
        return run === undefined || this.#runs.has(run.id) ? undefined : run;
      } catch (error) {
        this.#log.warn(`The kept run ${name} cannot be read: ${errorMessage(error)}`);
        return undefined;
      }
    };
    for (const name of [...ended, ...open]) {
      const run = await read(name);
      if (run === undefined) continue;
      this.#runs.set(run.id, run);
      if (run.phase !== 'ended') this.#interrupt(run);
    }
    this.#fire(undefined);
  }

  /** A window that closed in the middle leaves a run that nobody follows. */
  #interrupt(run: RunRecord): void {
    const now = interrupted(run);
    this.#interrupted = [...this.#interrupted, now];
    this.#runs.set(run.id, now);
    void this.#write(now, false).catch((error: unknown) => {
      this.#warn(error);
    });
  }

  put(run: RunRecord): void {
    this.#runs.set(run.id, run);
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
    this.#log.warn(`The run history could not be written: ${errorMessage(error)}`);
  }

  /** Resolves when everything is written. Never rejects. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }

  dispose(): void {
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
