/** Pure: what resources looked like whenever one was read: of this session in memory, over reloads and windows in files. */
import type { ResourceArgument } from '../commands/ids.ts';
import { maskText, parseJson } from '../platform/json.ts';
import type { Log } from '../ui/log.ts';
import { stateRootOf } from './object-states.ts';
import { SnapshotFiles, type FileLimits, type Kept, type Place } from './snapshot-files.ts';
import { MOST_EACH, SnapshotMemory, type Snapshot } from './snapshot-memory.ts';
import type { Session } from './types.ts';

export type { Snapshot } from './snapshot-memory.ts';
type Of = Pick<Session, 'profile' | 'ended' | 'states'>;

export interface SnapshotParts {
  /** path of a folder of ours alone; made when the first is written */
  readonly folder: string;
  readonly session: (connection: string) => Of | undefined;
  /** what must not be shown, also where it was no secret yet when the text was kept */
  readonly secrets: () => readonly string[];
  readonly log: Pick<Log, 'warn'>;
  readonly limits?: Partial<FileLimits>;
  readonly now?: () => number;
}

/** Milliseconds in which readings are written together. */
const PAUSE = 1000;
const MOST_WAITING = 200;

export class Snapshots {
  readonly #parts: SnapshotParts;
  readonly #files: SnapshotFiles;
  readonly #now: () => number;
  readonly #seen = new WeakMap<Of, SnapshotMemory>();
  #waiting: (Kept & { readonly ended: AbortSignal })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#files = new SnapshotFiles(parts.folder, parts.limits);
    this.#now = parts.now ?? Date.now;
  }

  /** Takes in a reading, masked; `id` as the resource's document is addressed. Written a moment later. */
  note(session: Of, kind: string, id: string, text: string): void {
    const snapshot: Snapshot = { readAt: this.#now(), text };
    const isNew = this.#memory(session).add(`${kind}/${id}`, snapshot);
    // What lives in memory alone leaves no files.
    if (!isNew || session.profile.source === 'memory') return;
    this.#waiting.push({ place: placeOf(session, kind, id), snapshot, ended: session.ended });
    this.#waiting = this.#waiting.slice(-MOST_WAITING);
    this.#timer ??= setTimeout(() => void this.flush(), PAUSE);
  }

  /** Those of a resource, the latest first; none of a connection that is not there. */
  async of({ connection, kind, id }: ResourceArgument): Promise<readonly Snapshot[]> {
    const session = this.#parts.session(connection);
    if (session === undefined) return [];
    const own = this.#memory(session).of(`${kind}/${id}`);
    const kept = await this.#files.of(placeOf(session, kind, id), this.#now());
    return [...kept, ...own]
      .map(({ readAt, text }) => ({ readAt, text: maskText(text, this.#parts.secrets()) }))
      .sort((one, other) => other.readAt - one.readAt)
      .filter(({ text }, at, all) => text !== all[at + 1]?.text)
      .slice(0, MOST_EACH);
  }

  /** The states of an object that were seen, in lists too: by state root. */
  async states(connection: string, object: string): Promise<(root: string) => unknown> {
    const session = this.#parts.session(connection);
    const states = new Map<string, unknown>();
    for (const { text } of await this.of({ connection, kind: 'objects', id: object })) {
      const raw = parsed(text);
      const root = stateRootOf(raw);
      if (root !== undefined && !states.has(root)) states.set(root, raw);
    }
    return (root) => states.get(root) ?? session?.states.get(object, root);
  }

  /** Writes what waits, but nothing of a session that has ended. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writing.then(async () => {
      const all = this.#take();
      if (all.length === 0) return;
      await this.#files.add(all, this.#now()).catch((error: unknown) => {
        this.#parts.log.warn(`Keep snapshots: ${error instanceof Error ? error.message : 'unknown error'}`);
      });
    }));
  }

  /** Those of a connection that was removed or signed out of, or is another person's now; its session has ended. */
  async forget(connection: string): Promise<void> {
    await (this.#writing = this.#writing.then(() => this.#files.forget(connection)).catch(() => undefined));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    try {
      this.#files.addNow(this.#take());
    } catch {
      // There is nobody left to tell, and the next reading is as good.
    }
  }

  #take(): readonly Kept[] {
    const all = this.#waiting.filter(({ ended }) => !ended.aborted);
    this.#waiting = [];
    return all;
  }

  #memory(session: Of): SnapshotMemory {
    let memory = this.#seen.get(session);
    if (memory === undefined) this.#seen.set(session, (memory = new SnapshotMemory()));
    return memory;
  }
}

function placeOf({ profile: { name: connection, baseUrl } }: Of, kind: string, id: string): Place {
  return { connection, baseUrl, kind, id };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
