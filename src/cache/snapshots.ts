/** Texts of resources each time one was read: in memory for this session, in files across windows. */
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { tryParseMaskedJson } from '../platform/json/parse-json.ts';
import { maskText } from '../platform/json/secrets.ts';
import type { Log } from '../ui/log.ts';
import { getStateRoot } from './object-states.ts';
import { SnapshotFiles, type SnapshotLimits, type StoredSnapshot, type ResourceLocation } from './snapshot-files.ts';
import { MAX_SNAPSHOTS_PER_RESOURCE, SnapshotMemory, type Snapshot } from './snapshot-memory.ts';
import type { Session } from '../model/session/session.ts';
import { getErrorMessage } from '../model/text/error-message.ts';
import { getOrAdd } from '../platform/get-or-add.ts';

export type { Snapshot } from './snapshot-memory.ts';
type SnapshotSession = Pick<Session, 'profile' | 'ended' | 'objectStates'>;

interface SnapshotsOptions {
  /** path of a private folder; created with the first write */
  readonly folder: string;
  readonly session: (connection: string) => SnapshotSession | undefined;
  /** current secrets: masked on read too, as a text may have been stored before its secret was known */
  readonly secrets: () => readonly string[];
  readonly log: Pick<Log, 'warn'>;
  readonly limits?: Partial<SnapshotLimits>;
  readonly now?: () => number;
}

/** Milliseconds during which writes are batched. */
const WRITE_DELAY_MS = 1000;
const MAX_PENDING = 200;

/** Records and lists snapshots of all connections. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #files: SnapshotFiles;
  readonly #now: () => number;
  readonly #memories = new WeakMap<SnapshotSession, SnapshotMemory>();
  #pending: (StoredSnapshot & { readonly ended: AbortSignal })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#files = new SnapshotFiles(options.folder, options.limits);
    this.#now = options.now ?? Date.now;
  }

  /** Records a masked text; `id` as in the resource's document. Written after a short delay. */
  record(session: SnapshotSession, kind: string, id: string, text: string): void {
    const snapshot: Snapshot = { readAt: this.#now(), text };
    const isNew = this.#memory(session).add(`${kind}/${id}`, snapshot);
    // In-memory connections leave no files.
    if (!isNew || session.profile.source === 'memory') return;
    this.#pending.push({ location: getLocation(session, kind, id), snapshot, ended: session.ended });
    this.#pending = this.#pending.slice(-MAX_PENDING);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS);
  }

  /** Resolves with the snapshots of a resource, newest first; empty for an unknown connection. Never rejects. */
  async list({ connection, kind, id }: ResourceArgument): Promise<readonly Snapshot[]> {
    const session = this.#options.session(connection);
    if (session === undefined) return [];
    const inMemory = this.#memory(session).get(`${kind}/${id}`);
    const onDisk = await this.#files.read(getLocation(session, kind, id), this.#now());
    return [...onDisk, ...inMemory]
      .map(({ readAt, text }) => ({ readAt, text: maskText(text, this.#options.secrets()) }))
      .sort((one, other) => other.readAt - one.readAt)
      .filter(({ text }, at, all) => text !== all[at + 1]?.text)
      .slice(0, MAX_SNAPSHOTS_PER_RESOURCE);
  }

  /** Resolves with a lookup of an object's recorded states, from lists too, by state root. Never rejects. */
  async getObjectStates(connection: string, object: string): Promise<(root: string) => unknown> {
    const session = this.#options.session(connection);
    const states = new Map<string, unknown>();
    for (const { text } of await this.list({ connection, kind: 'objects', id: object })) {
      const raw = tryParseMaskedJson(text);
      const root = getStateRoot(raw);
      if (root !== undefined && !states.has(root)) states.set(root, raw);
    }
    return (root) => states.get(root) ?? session?.objectStates.get(object, root);
  }

  /** Writes pending texts, except those of ended sessions. Never rejects: a failure is logged. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writing.then(async () => {
      const all = this.#takePending();
      if (all.length === 0) return;
      await this.#files
        .add(all, this.#now())
        .catch((error: unknown) => this.#options.log.warn(`Store snapshots: ${getErrorMessage(error)}`));
    }));
  }

  /** Removes the snapshots of a connection that was removed, signed out of, or changed identity. Never rejects. */
  async forget(connection: string): Promise<void> {
    await (this.#writing = this.#writing.then(() => this.#files.forget(connection)).catch(() => undefined));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    try {
      this.#files.addSync(this.#takePending());
    } catch {
      // The window is closing: errors cannot be shown, and snapshots are optional.
    }
  }

  #takePending(): readonly StoredSnapshot[] {
    const all = this.#pending.filter(({ ended }) => !ended.aborted);
    this.#pending = [];
    return all;
  }

  #memory(session: SnapshotSession): SnapshotMemory {
    return getOrAdd(this.#memories, session, () => new SnapshotMemory());
  }
}

function getLocation(
  { profile: { name: connection, baseUrl } }: SnapshotSession,
  kind: string,
  id: string,
): ResourceLocation {
  return { connection, baseUrl, kind, id };
}
