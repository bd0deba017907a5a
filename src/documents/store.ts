/** What the documents show: the last good reading of each resource, when it was read, and since when a refresh fails. */
import type { ResourceArgument } from '../commands/ids.ts';
import type { Session, Sessions } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';
import { InFlight } from '../platform/in-flight.ts';
import { Item } from '../platform/page.ts';
import { isKind, registry } from '../platform/registry.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { heldWallet } from './held.ts';
import { idSegments } from './uri.ts';

/** Milliseconds since the epoch throughout. */
export interface Shown {
  readonly resource: ResourceArgument;
  readonly row: ResourceRow;
  /** the session it was read with; when that has ended, the text is of the past */
  readonly session: Session;
  readonly item: Item;
  /** the server's own JSON, pretty-printed and masked */
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly readAt: number;
  /** when the text last became another */
  readonly changedAt: number;
  /** the last refresh failed: first of them, and the reason in words */
  readonly failure?: { readonly since: number; readonly reason: string };
}

export interface StoreOptions {
  readonly sessions: Pick<Sessions, 'get'>;
  /** open documents are kept, whatever their number */
  readonly isOpen: (resource: ResourceArgument) => boolean;
  /** `text`: the text is another; otherwise only what is said about it */
  readonly changed: (shown: Shown, what: 'text' | 'status') => void;
  readonly now?: () => number;
}

/** How long a reading stands for a document that is being opened: VS Code asks for its size first, then for its text. */
const OPENING = 5000;
/** Readings kept of documents that are not open. */
const SPARE = 24;
/** Bytes of their texts together. */
const SPARE_BYTES = 16 * 1024 * 1024;

export function keyOf({ connection, kind, id }: ResourceArgument): string {
  return JSON.stringify([connection, kind, id]);
}

export class DocumentStore {
  readonly #options: StoreOptions;
  readonly #now: () => number;
  readonly #shown = new Map<string, Shown>();
  readonly #opening = new Set<string>();
  readonly #loading = new WeakMap<Session, InFlight<Shown>>();

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** What is shown now, without asking the platform. */
  get(resource: ResourceArgument): Shown | undefined {
    return this.#shown.get(keyOf(resource));
  }

  get all(): readonly Shown[] {
    return [...this.#shown.values()];
  }

  /** What an editor shows: as it stands while the document is open, else read now. Throws PlatformError or Error. */
  async open(resource: ResourceArgument): Promise<Shown> {
    return this.standing(resource) ?? this.#load(resource);
  }

  /** What is shown without asking the platform: of a document that is open or being opened. */
  standing(resource: ResourceArgument): Shown | undefined {
    const shown = this.get(resource);
    const stands = shown !== undefined && (this.#isOpen(resource) || this.#now() - shown.readAt < OPENING);
    return stands ? shown : undefined;
  }

  /** What was read stands while `show` opens its document, however long the editor takes. */
  async whileOpening<T>(resource: ResourceArgument, show: () => Promise<T>): Promise<T> {
    const key = keyOf(resource);
    this.#opening.add(key);
    try {
      return await show();
    } finally {
      this.#opening.delete(key);
    }
  }

  #isOpen(resource: ResourceArgument): boolean {
    return this.#opening.has(keyOf(resource)) || this.#options.isOpen(resource);
  }

  /** Reads again. On failure what was shown stays, and says so; the error is thrown. */
  async refresh(resource: ResourceArgument, signal?: AbortSignal): Promise<Shown> {
    try {
      return await this.#load(resource, signal);
    } catch (error) {
      const shown = this.get(resource);
      if (shown !== undefined && !isCancelled(error)) {
        const since = shown.failure?.since ?? this.#now();
        this.#keep({ ...shown, failure: { since, reason: errorText(`Read ${shown.row.singular}`, error) } }, 'status');
      }
      throw error;
    }
  }

  #load(resource: ResourceArgument, signal?: AbortSignal): Promise<Shown> {
    const { session, row } = this.#reach(resource);
    const loading = this.#loading.get(session) ?? new InFlight();
    this.#loading.set(session, loading);
    return loading.join(keyOf(resource), signal, (left) =>
      this.#read(resource, row, session, AbortSignal.any([session.ended, left])),
    );
  }

  /** The session and the row to read with, or an error that says what to do. */
  #reach({ connection, kind }: ResourceArgument): { readonly session: Session; readonly row: ResourceRow } {
    if (!isKind(kind)) throw new Error(`There is no kind of resource called “${kind}”`);
    const session = this.#options.sessions.get(connection);
    if (session === undefined) {
      throw new Error(
        `There is no connection “${connection}” now. Add it with Smart Objects: Add Connection…, or start the local sandbox`,
      );
    }
    const row: ResourceRow = registry[kind];
    if (session.signedOutBecause !== undefined && row.read.by !== 'held') {
      throw new PlatformError('unauthenticated', `Not signed in to “${connection}”: ${session.signedOutBecause}`, {
        sent: false,
      });
    }
    return { session, row };
  }

  async #read(resource: ResourceArgument, row: ResourceRow, session: Session, signal: AbortSignal): Promise<Shown> {
    const held = row.read.by === 'held' ? heldWallet(session, resource) : undefined;
    const reading =
      held === undefined
        ? await session.client.readOf(row, idSegments(resource.kind, resource.id), { signal })
        : { item: new Item(held.raw, row.schema), text: held.text };
    // Another identity may have signed in meanwhile: what this one saw is not for it.
    if (session.ended.aborted) throw new PlatformError('cancelled', 'The sign-in ended while reading', {});
    const before = this.get(resource);
    const same = before?.text === reading.text;
    const readAt = this.#now();
    const shown: Shown = {
      resource,
      row,
      session,
      item: reading.item,
      text: reading.text,
      bytes: same ? before.bytes : new TextEncoder().encode(reading.text),
      readAt,
      // Never the same time for two texts: VS Code compares time and size only.
      changedAt: same ? before.changedAt : Math.max(readAt, (before?.changedAt ?? 0) + 1),
    };
    this.#keep(shown, same ? 'status' : 'text');
    return shown;
  }

  #keep(shown: Shown, what: 'text' | 'status'): void {
    const key = keyOf(shown.resource);
    const known = this.#shown.delete(key);
    this.#shown.set(key, shown);
    const spare = [...this.#shown].filter(([other, { resource }]) => other !== key && !this.#isOpen(resource));
    let bytes = 0;
    for (const [index, [old, { bytes: text }]] of spare.reverse().entries()) {
      bytes += text.byteLength;
      if (index >= SPARE || bytes > SPARE_BYTES) this.#shown.delete(old);
    }
    if (known) this.#options.changed(shown, what);
  }
}
