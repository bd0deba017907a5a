/** The history of runs, kept in one small file a run in the workspace's own storage. */
import * as vscode from 'vscode';
import type { Log } from '../ui/log.ts';
import type { RunRecord } from './record.ts';
import { recordFrom } from './record-schema.ts';

const KEPT = 100;

export class RunStore {
  readonly #folder: vscode.Uri;
  readonly #log: Log;
  readonly #runs = new Map<string, RunRecord>();
  readonly #changed = new vscode.EventEmitter<RunRecord | undefined>();
  readonly #writing = new Map<string, Promise<void>>();
  #loading: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(storage: vscode.Uri, log: Log) {
    this.#folder = vscode.Uri.joinPath(storage, 'runs');
    this.#log = log;
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

  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    let entries: [string, vscode.FileType][];
    try {
      entries = await vscode.workspace.fs.readDirectory(this.#folder);
    } catch {
      return;
    }
    const names = entries.map(([name]) => name).filter((name) => /^[\w-]+\.json$/.test(name));
    for (const name of names.sort().slice(-KEPT)) {
      try {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#folder, name));
        const run = recordFrom(JSON.parse(new TextDecoder().decode(bytes)));
        if (run === undefined || this.#runs.has(run.id)) continue;
        // A window that closed in the middle leaves a run that nobody follows.
        this.#runs.set(run.id, run.phase === 'ended' ? run : interrupted(run));
      } catch (error) {
        this.#log.warn(
          `The kept run ${name} cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`,
        );
      }
    }
    this.#changed.fire(undefined);
  }

  put(run: RunRecord): void {
    this.#runs.set(run.id, run);
    this.#changed.fire(run);
    // Only what matters after a restart is worth a write: that it was sent, and how it ended.
    if (run.phase !== 'preparing') this.#write(run);
    this.#trim();
  }

  #write(run: RunRecord): void {
    const before = this.#writing.get(run.id) ?? Promise.resolve();
    const next = before.then(async () => {
      // A later change of the same run is under way: that one writes.
      if (this.#runs.get(run.id) !== run) return;
      try {
        const bytes = new TextEncoder().encode(JSON.stringify(run));
        await vscode.workspace.fs.writeFile(this.#file(run.id), bytes);
      } catch (error) {
        this.#log.warn(`A run could not be kept: ${error instanceof Error ? error.message : 'unknown error'}`);
      }
    });
    this.#writing.set(run.id, next);
    void next.then(() => {
      if (this.#writing.get(run.id) === next) this.#writing.delete(run.id);
    });
  }

  async remove(id: string): Promise<void> {
    this.#runs.delete(id);
    this.#changed.fire(undefined);
    await this.#writing.get(id);
    try {
      await vscode.workspace.fs.delete(this.#file(id));
    } catch {
      // It was never written.
    }
  }

  #trim(): void {
    for (const run of this.all.slice(KEPT)) if (run.phase === 'ended') void this.remove(run.id);
  }

  #file(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${id}.json`);
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function interrupted(run: RunRecord): RunRecord {
  const answered = run.answeredAt !== undefined && run.actionId !== undefined;
  return {
    ...run,
    phase: 'ended',
    interrupted: true,
    outcome: run.outcome ?? (answered ? 'unfinished' : run.sentAt === undefined ? 'notSent' : 'unknown'),
    reason: answered
      ? 'The window closed while the run was followed; how it went on is in the Action Logs'
      : run.sentAt === undefined
        ? 'The window closed before it was sent'
        : 'The window closed before the answer came; it may have been executed: look for it in the Action Logs',
  };
}
