import * as l10n from '@vscode/l10n';
import { hasPassed } from '../../model/has-passed.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Session, Sessions } from '../../model/session/session.ts';
import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import { tryParseMaskedJson } from '../../platform/json/parse-json.ts';
import { SharedRequests } from '../../platform/requests/shared-requests.ts';
import { Item } from '../../platform/page.ts';
import { isKind, registry } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { formatError, isCancelled } from '../../model/text/error-message.ts';
import { formatSignedOut } from '../../model/text/heading.ts';
import { getRegisteredWallet } from './registered-wallets.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import type { Disposable } from '../../ui/disposables.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';
import { Listeners } from '../../model/listeners.ts';

/** The last successful read of a resource. Times are milliseconds since the epoch. */
export interface ShownDocument {
  readonly resource: ResourceArgument;
  readonly definition: ResourceDefinition;
  /** the session it was read with; once that has ended, the text is stale */
  readonly session: Session;
  readonly item: Item;
  /** the server's own JSON, pretty-printed and masked */
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly readAt: number;
  /** when the text last changed */
  readonly changedAt: number;
  /** set if the last refresh failed: the time of the first failure, and the reason */
  readonly failure?: { readonly since: number; readonly reason: string };
}

interface DocumentStoreOptions {
  readonly sessions: Pick<Sessions, 'get'>;
  /** open documents are never evicted */
  readonly isOpen: (resource: ResourceArgument) => boolean;
  /** called when the content or only its status changed */
  readonly changed: (shownDocument: ShownDocument, what: 'text' | 'status') => void;
  /** The newest text that was read of a resource, by a list or in an earlier window. Never rejects. */
  readonly readStored?: (resource: ResourceArgument) => Promise<StoredText | undefined>;
  readonly now?: () => number;
}

interface StoredText {
  readonly text: string;
  /** milliseconds since the epoch; absent: in this window */
  readonly readAt?: number;
}

/** Milliseconds for which a read is reused: VS Code requests the size first, then the text. */
const OPENING_TIME = 5000;
/** Cached documents that are not open. */
const MAX_CLOSED = 24;
/** Their total size in bytes. */
const MAX_CLOSED_BYTES = 16 * 1024 * 1024;

/** Returns a map key for a resource. */
export function getResourceKey({ connection, kind, id }: ResourceArgument): string {
  return JSON.stringify([connection, kind, id]);
}

/** Caches what documents show. A failed refresh keeps the old text. */
export class DocumentStore {
  readonly #options: DocumentStoreOptions;
  readonly #now: () => number;
  readonly #documents = new Map<string, ShownDocument>();
  readonly #opening = new Set<string>();
  /** documents that pages show, with the number of pages */
  readonly #held = new Map<string, number>();
  readonly #listeners = new Listeners<ShownDocument>();
  /** Calls back when a known document or its status has changed. */
  readonly onDidChange = this.#listeners.add;
  readonly #loading = new WeakMap<Session, SharedRequests<ShownDocument>>();

  constructor(options: DocumentStoreOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Returns the cached document, however old. */
  get(resource: ResourceArgument): ShownDocument | undefined {
    return this.#documents.get(getResourceKey(resource));
  }

  get all(): readonly ShownDocument[] {
    return [...this.#documents.values()];
  }

  /**
   * Returns the cached document while it is open, otherwise reads it; during an outage, what was last read of it, with the
   * failure. Rejects with PlatformError or Error.
   */
  async open(resource: ResourceArgument, signal?: AbortSignal): Promise<ShownDocument> {
    const cached = this.getCached(resource);
    if (cached !== undefined) return cached;
    try {
      return await this.#load(resource, signal);
    } catch (error) {
      const stored = hasErrorCode(error, 'network', 'timeout', 'server') ? await this.#restore(resource) : undefined;
      if (stored === undefined) throw error;
      return this.#saveFailure(stored, error);
    }
  }

  /** What was last read of a resource; `undefined` if nothing is known of it. Never rejects. */
  async #restore(resource: ResourceArgument): Promise<ShownDocument | undefined> {
    const known = this.get(resource);
    const stored = known === undefined ? await this.#options.readStored?.(resource) : undefined;
    if (stored === undefined) return known;
    const { session, definition } = this.#resolve(resource);
    const { text, readAt = this.#now() } = stored;
    const item = new Item(tryParseMaskedJson(text), definition.schema);
    const bytes = new TextEncoder().encode(text);
    return { resource, definition, session, item, text, bytes, readAt, changedAt: readAt };
  }

  #saveFailure(shownDocument: ShownDocument, error: unknown): ShownDocument {
    const since = shownDocument.failure?.since ?? this.#now();
    const reason = formatError(l10n.t('Load {0}', shownDocument.definition.singular), error);
    const failed = { ...shownDocument, failure: { since, reason } };
    this.#save(failed, 'status');
    return failed;
  }

  /** Keeps a document cached until the result is disposed of, as an open editor does. */
  hold(resource: ResourceArgument): Disposable {
    const key = getResourceKey(resource);
    const count = (change: number): void => {
      const holders = (this.#held.get(key) ?? 0) + change;
      if (holders > 0) this.#held.set(key, holders);
      else this.#held.delete(key);
    };
    count(1);
    return { dispose: () => count(-1) };
  }

  /** Returns the cached document if it is open or being opened. */
  getCached(resource: ResourceArgument): ShownDocument | undefined {
    const shownDocument = this.get(resource);
    const isUsable =
      shownDocument !== undefined &&
      (this.#isOpen(resource) || !hasPassed(OPENING_TIME, shownDocument.readAt, this.#now()));
    return isUsable ? shownDocument : undefined;
  }

  /** Keeps the cached document while `show` opens its editor. Rejects as `show` does. */
  async whileOpening<T>(resource: ResourceArgument, show: () => Promise<T>): Promise<T> {
    const key = getResourceKey(resource);
    this.#opening.add(key);
    try {
      return await show();
    } finally {
      this.#opening.delete(key);
    }
  }

  #isOpen(resource: ResourceArgument): boolean {
    const key = getResourceKey(resource);
    return this.#opening.has(key) || this.#held.has(key) || this.#options.isOpen(resource);
  }

  /** Reads again. On failure, keeps the old text, records the failure and rejects with the error. */
  async refresh(resource: ResourceArgument, signal?: AbortSignal): Promise<ShownDocument> {
    try {
      return await this.#load(resource, signal);
    } catch (error) {
      const shownDocument = this.get(resource);
      if (shownDocument !== undefined && !isCancelled(error)) this.#saveFailure(shownDocument, error);
      throw error;
    }
  }

  #load(resource: ResourceArgument, signal?: AbortSignal): Promise<ShownDocument> {
    const { session, definition } = this.#resolve(resource);
    const loading = getOrAdd(this.#loading, session, () => new SharedRequests());
    return loading.join(getResourceKey(resource), signal, (abandoned) =>
      this.#read(resource, definition, session, AbortSignal.any([session.ended, abandoned])),
    );
  }

  /** Finds the session and definition to read with, or throws an error whose message contains the next step. */
  #resolve({ connection, kind }: ResourceArgument): {
    readonly session: Session;
    readonly definition: ResourceDefinition;
  } {
    if (!isKind(kind)) throw new Error(l10n.t('Unknown kind of resource: {0}', kind));
    const session = this.#options.sessions.get(connection);
    if (session === undefined) {
      throw new Error(
        l10n.t(
          'The connection “{0}” does not exist. Add it with Smart Objects: Add Connection…, or start the local sandbox',
          connection,
        ),
      );
    }
    const definition: ResourceDefinition = registry[kind];
    if (session.signedOutReason !== undefined && definition.read.by !== 'cache') {
      throw new PlatformError('unauthenticated', formatSignedOut(session), { sent: false });
    }
    return { session, definition };
  }

  async #read(
    resource: ResourceArgument,
    definition: ResourceDefinition,
    session: Session,
    signal: AbortSignal,
  ): Promise<ShownDocument> {
    const wallet = definition.read.by === 'cache' ? getRegisteredWallet(session, resource) : undefined;
    const reading =
      wallet === undefined
        ? await session.client.readFor(definition, splitResourceId(resource.kind, resource.id), { signal })
        : { item: new Item(wallet.raw, definition.schema), text: wallet.text };
    const before = this.get(resource);
    const current = this.#options.sessions.get(resource.connection);
    // The data belongs to an identity that has signed out, or is older than what the present one has read.
    if (session.ended.aborted || (session !== current && before?.session === current))
      throw new PlatformError('cancelled', l10n.t('The session has ended'), {});
    const same = before?.text === reading.text;
    const readAt = this.#now();
    const shownDocument: ShownDocument = {
      resource,
      definition,
      session,
      item: reading.item,
      text: reading.text,
      bytes: same ? before.bytes : new TextEncoder().encode(reading.text),
      readAt,
      // A new text needs a new time: VS Code compares time and size only.
      changedAt: same ? before.changedAt : Math.max(readAt, (before?.changedAt ?? 0) + 1),
    };
    this.#save(shownDocument, same ? 'status' : 'text');
    return shownDocument;
  }

  #save(shownDocument: ShownDocument, what: 'text' | 'status'): void {
    const key = getResourceKey(shownDocument.resource);
    const known = this.#documents.delete(key);
    this.#documents.set(key, shownDocument);
    const closed = [...this.#documents].filter(([other, { resource }]) => other !== key && !this.#isOpen(resource));
    let bytes = 0;
    for (const [index, [oldestKey, { bytes: text }]] of closed.reverse().entries()) {
      bytes += text.byteLength;
      if (index >= MAX_CLOSED || bytes > MAX_CLOSED_BYTES) this.#documents.delete(oldestKey);
    }
    if (!known) return;
    this.#options.changed(shownDocument, what);
    this.#listeners.fire(shownDocument);
  }
}
