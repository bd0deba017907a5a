/** Live data for completions, hovers and preflight: read when asked for, kept a minute, forgotten with the session. Pure: over the client. */
import type { PlatformClient } from '../platform/client.ts';
import { PlatformError } from '../platform/errors.ts';
import { InFlight } from '../platform/in-flight.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { idOf, type Item } from '../platform/page.ts';
import { isEndless } from '../platform/paginate.ts';
import { registry } from '../platform/registry.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { lineOf } from './record.ts';
import type { IdKind, Live } from './preflight.ts';

/** An id with what a person knows it by. */
export interface Known {
  readonly id: string;
  readonly kind: IdKind;
  readonly name: string;
  readonly details: string;
  readonly raw: JsonObject;
}

/** Of a session: what live data needs. */
export interface LiveSource {
  readonly profile: { readonly name: string };
  readonly client: PlatformClient;
  readonly ended: AbortSignal;
  readonly identity: { readonly subject?: string } | undefined;
  readonly held: ReadonlyMap<string, { readonly raw: unknown }>;
  can(resource: string, verb: 'create', organization?: string): boolean | undefined;
}

/** Milliseconds that a read stays good. */
const FRESH = 60_000;
/** How many of a kind are offered; the rest is found by typing an id. */
const OFFERED = 300;
/** Pages that are read for them: some servers send 25 a page, or empty ones between. */
const MAX_PAGES = 30;

interface Kept<T> {
  readonly at: number;
  readonly value: T;
}

export class LiveData {
  readonly #source: LiveSource;
  readonly #lists = new Map<IdKind, Kept<readonly Known[]>>();
  #reading = new InFlight<readonly Known[]>();
  readonly #reads = new Map<string, Kept<Promise<JsonObject | undefined>>>();
  readonly #names = new Map<string, string>();

  constructor(source: LiveSource) {
    this.#source = source;
  }

  /** A readable name of an id that was read before; asks nothing. */
  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  /** The newest of a kind, at most 300. Ends with the last caller whose `signal` fires. Throws PlatformError. */
  async list(kind: IdKind, signal?: AbortSignal): Promise<readonly Known[]> {
    if (kind === 'wallets') return this.#wallets();
    const kept = this.#lists.get(kind);
    if (kept !== undefined && Date.now() - kept.at < FRESH) return kept.value;
    const reading = this.#reading;
    return reading.join(kind, signal, async (left) => {
      const found = await this.#list(kind, AbortSignal.any([left, this.#source.ended]));
      // A failure is not kept, nor what was read before an action.
      if (this.#reading === reading) this.#lists.set(kind, { at: Date.now(), value: found });
      return found;
    });
  }

  async #list(kind: Exclude<IdKind, 'wallets'>, signal: AbortSignal): Promise<readonly Known[]> {
    const found = new Map<string, Known>();
    try {
      const pages = this.#source.client.pagesOf(registry[kind], { limit: 100 }, { signal, maxPages: MAX_PAGES });
      for await (const page of pages) {
        for (const item of page.items) {
          const known = this.#know(kind, item);
          if (known !== undefined) found.set(known.id, known);
        }
        if (found.size >= OFFERED) break;
      }
    } catch (error) {
      // What a list that does not end has brought is offered all the same.
      if (!isEndless(error) || found.size === 0) throw error;
    }
    return [...found.values()].slice(0, OFFERED);
  }

  /** The contract reads no wallets: those of registrations, and owners and receivers met in what was read. */
  #wallets(): readonly Known[] {
    const found = new Map<string, Known>();
    for (const [key, { raw }] of this.#source.held) {
      if (!key.startsWith('wallets/') || !isObject(raw)) continue;
      const account = isObject(raw['account']) ? raw['account'] : {};
      const name = lineOf(registry.wallets.summary(raw).title, 80);
      for (const id of [account['address'], raw['id']])
        if (typeof id === 'string') found.set(id, { id, kind: 'wallets', name, details: 'registered here', raw });
    }
    for (const [id, owner] of this.#owners) if (!found.has(id)) found.set(id, owner);
    return [...found.values()];
  }

  readonly #owners = new Map<string, Known>();

  #know(kind: Exclude<IdKind, 'wallets'>, item: Pick<Item, 'raw'>): Known | undefined {
    const id = idOf(item.raw);
    if (id === undefined || !isObject(item.raw)) return undefined;
    const summary = registry[kind].summary(item.raw);
    const name = lineOf(summary.title, 80);
    if (name !== id) this.#names.set(id, name);
    const owner = item.raw['owner'];
    if (kind === 'objects' && typeof owner === 'string' && !/^0x0*$/.test(owner) && this.#owners.size < OFFERED) {
      const known: Known = { id: owner, kind: 'wallets', name: `owner of ${name}`, details: 'met in objects', raw: {} };
      if (!this.#owners.has(owner)) this.#owners.set(owner, known);
    }
    return { id, kind, name, details: lineOf(summary.details.join(' · '), 120), raw: item.raw };
  }

  /** One resource; `undefined` where the platform says that it is not there. Throws other PlatformErrors. */
  read(kind: Exclude<IdKind, 'wallets'>, id: string): Promise<JsonObject | undefined> {
    const key = `${kind}/${id}`;
    const kept = this.#reads.get(key);
    if (kept !== undefined && Date.now() - kept.at < FRESH) return kept.value;
    const value = this.#read(kind, id);
    if (this.#reads.size > 500) this.#reads.clear();
    this.#reads.set(key, { at: Date.now(), value });
    value.catch(() => this.#reads.delete(key));
    return value;
  }

  async #read(kind: Exclude<IdKind, 'wallets'>, id: string): Promise<JsonObject | undefined> {
    const row: ResourceRow = registry[kind];
    try {
      const { item } = await this.#source.client.readOf(row, [id], { signal: this.#source.ended });
      this.#know(kind, item);
      return isObject(item.raw) ? item.raw : undefined;
    } catch (error) {
      if (error instanceof PlatformError && (error.code === 'notFound' || error.code === 'badRequest'))
        return undefined;
      throw error;
    }
  }

  /** What an id is, of whatever kind; `undefined` where it is of none. Throws where one of them could not be asked. */
  async whatIs(id: string, token?: { readonly isCancellationRequested: boolean }): Promise<Known | undefined> {
    const held = this.#wallets().find((wallet) => wallet.id === id);
    if (held !== undefined) return held;
    const failed: Promise<unknown>[] = [];
    for (const kind of ['templates', 'objects', 'faces'] as const) {
      if (token?.isCancellationRequested === true) return undefined;
      const reading = this.read(kind, id);
      const raw = await reading.catch(() => void failed.push(reading));
      if (raw !== undefined) return this.#know(kind, { raw });
    }
    await Promise.all(failed);
    return undefined;
  }

  /** Reads the names of a few ids, for at most a second and a half; what fails stays nameless. */
  async learn(fields: readonly { readonly ids?: IdKind | undefined; readonly id: string }[]): Promise<void> {
    const unknown = fields.filter(({ id }) => !this.#names.has(id)).slice(0, 10);
    const reads = unknown.map(async ({ ids, id }) => {
      if (ids !== undefined && ids !== 'wallets') await this.read(ids, id).catch(() => undefined);
    });
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, 1500)));
    await Promise.race([Promise.all(reads), patience]);
    clearTimeout(timer);
  }

  /** Everything that is read again after an action: objects have changed, supplies too. */
  forget(): void {
    this.#lists.clear();
    this.#reading = new InFlight();
    this.#reads.clear();
  }

  get preflight(): Live {
    const { subject } = this.#source.identity ?? {};
    const own = new Set(subject === undefined ? [] : [subject]);
    for (const wallet of this.#wallets()) if (wallet.details === 'registered here') own.add(wallet.id);
    return {
      read: (kind, id) => this.read(kind, id),
      can: (resource, verb, organization) => this.#source.can(resource, verb, organization),
      own,
      now: () => Date.now(),
      connection: this.#source.profile.name,
    };
  }
}

/** One for each session, for as long as the session lives. */
export class LiveSessions {
  readonly #live = new WeakMap<LiveSource, LiveData>();

  of(session: LiveSource): LiveData {
    let live = this.#live.get(session);
    if (live === undefined) this.#live.set(session, (live = new LiveData(session)));
    return live;
  }
}
