import * as l10n from '@vscode/l10n';
import { hasPassed } from '../../model/has-passed.ts';
import type { PlatformClient } from '../../platform/client.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import { SharedRequests } from '../../platform/requests/shared-requests.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { getItemId, type Item } from '../../platform/page.ts';
import { isEndlessListError } from '../../platform/paginate.ts';
import { registry } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { NO_LABELS, type Labels } from '../../model/text/labels.ts';
import { getItemTitle } from '../../model/resources/item-title.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import type { LiveLookup } from '../file/preflight.ts';
import type { IdKind } from '../file/action-kinds.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

/** An id with its name and kind. */
export interface KnownResource {
  readonly id: string;
  readonly kind: IdKind;
  readonly name: string;
  readonly details: string;
  /** a wallet that the caller registered */
  readonly isOwn?: boolean;
  readonly raw: JsonObject;
}

/** The part of a session that live data needs. */
interface LiveSource {
  readonly profile: { readonly name: string };
  readonly client: PlatformClient;
  readonly ended: AbortSignal;
  readonly identity: { readonly subject?: string } | undefined;
  readonly issuedResources: ReadonlyMap<string, { readonly raw: unknown }>;
  hasPermission(resource: string, verb: 'create', organization?: string): boolean | undefined;
}

/** Milliseconds that a response is cached. */
const MAX_AGE = 60_000;
/** Items of a kind that are offered; others are found by typing an id. */
const MAX_RESOURCES = 300;
/** Pages that are read for them: some servers send 25 items a page, or empty pages. */
const MAX_PAGES = 30;

/** Action logs in which recent fees are found. */
const MAX_RECENT_LOGS = 100;

interface CacheEntry<T> {
  readonly at: number;
  readonly value: T;
}

function isFresh<T>(entry: CacheEntry<T> | undefined): entry is CacheEntry<T> {
  return entry !== undefined && !hasPassed(MAX_AGE, entry.at, Date.now());
}

/** Resources of one session for completions and checks of action files, cached for a minute. */
export class LiveData {
  /** the labels of this window */
  readonly knownLabels: Pick<Labels, 'get' | 'all'>;
  readonly #source: LiveSource;
  readonly #lists = new Map<IdKind, CacheEntry<readonly KnownResource[]>>();
  #reading = new SharedRequests<readonly KnownResource[]>();
  readonly #reads = new Map<string, CacheEntry<Promise<JsonObject | undefined>>>();
  readonly #names = new Map<string, string>();
  #recentLogs: CacheEntry<Promise<readonly JsonObject[]>> | undefined;

  constructor(source: LiveSource, labels: Pick<Labels, 'get' | 'all'> = NO_LABELS) {
    this.#source = source;
    this.knownLabels = labels;
  }

  /** The user's label of an id or address, else the name that was read before; sends nothing. */
  getName(id: string): string | undefined {
    return this.knownLabels.get(id)?.text ?? this.#names.get(id);
  }

  /**
   * The newest items of a kind, at most 300. Cancelled when the signals of all callers fire. Rejects with
   * PlatformError.
   */
  async list(kind: IdKind, signal?: AbortSignal): Promise<readonly KnownResource[]> {
    if (kind === 'wallets') return this.#getAccounts();
    const cached = this.#lists.get(kind);
    if (isFresh(cached)) return cached.value;
    const reading = this.#reading;
    return reading.join(kind, signal, async (left) => {
      const found = await this.#list(kind, AbortSignal.any([left, this.#source.ended]));
      // Failures are not cached, nor responses from before an action.
      if (this.#reading === reading) this.#lists.set(kind, { at: Date.now(), value: found });
      return found;
    });
  }

  async #list(kind: Exclude<IdKind, 'wallets'>, signal: AbortSignal): Promise<readonly KnownResource[]> {
    const found = new Map<string, KnownResource>();
    try {
      const definition: ResourceDefinition = registry[kind];
      const pages = this.#source.client.listPagesFor(definition, { limit: 100 }, { signal, maxPages: MAX_PAGES });
      for await (const page of pages) {
        for (const item of page.items) {
          const known = this.#toKnownResource(kind, item);
          if (known !== undefined) found.set(known.id, known);
        }
        if (found.size >= MAX_RESOURCES) break;
      }
    } catch (error) {
      // The items that were read before the timeout.
      if (!isEndlessListError(error) || found.size === 0) throw error;
    }
    return [...found.values()].slice(0, MAX_RESOURCES);
  }

  /** Known wallets, and labelled values that are not known as anything else. */
  #getAccounts(): readonly KnownResource[] {
    const wallets = this.#getWallets();
    const labelled = this.knownLabels.all
      .filter(({ value }) => !this.#names.has(value) && wallets.every(({ id }) => id !== value))
      .map(({ value }) => this.#findLabelled(value) ?? []);
    return [...labelled.flat(), ...wallets];
  }

  #findLabelled(id: string): KnownResource | undefined {
    const label = this.knownLabels.get(id);
    return label && { id, kind: 'wallets', name: label.text, details: l10n.t('label'), raw: {} };
  }

  /** The contract has no list of wallets: registered ones, and owners and receivers that were read. */
  #getWallets(): readonly KnownResource[] {
    const found = new Map<string, KnownResource>();
    for (const [key, { raw }] of this.#source.issuedResources) {
      if (!key.startsWith('wallets/') || !isObject(raw)) continue;
      const account = isObject(raw['account']) ? raw['account'] : {};
      const name = formatLine(registry.wallets.summary(raw).title, 80);
      for (const id of [account['address'], raw['id']])
        if (typeof id === 'string')
          found.set(id, { id, kind: 'wallets', name, details: l10n.t('registered in this window'), isOwn: true, raw });
    }
    for (const [id, owner] of this.#owners) if (!found.has(id)) found.set(id, owner);
    return [...found.values()];
  }

  readonly #owners = new Map<string, KnownResource>();

  #toKnownResource(kind: Exclude<IdKind, 'wallets'>, item: Pick<Item, 'raw'>): KnownResource | undefined {
    const id = getItemId(item.raw);
    if (id === undefined || !isObject(item.raw)) return undefined;
    const summary = registry[kind].summary(item.raw);
    const name = formatLine(
      getItemTitle(registry[kind], item.raw, (_kind, template) => this.#names.get(template)),
      80,
    );
    if (name !== id) this.#names.set(id, name);
    const owner = item.raw['owner'];
    if (kind === 'objects' && typeof owner === 'string' && !/^0x0*$/.test(owner) && this.#owners.size < MAX_RESOURCES) {
      const known: KnownResource = {
        id: owner,
        kind: 'wallets',
        name: l10n.t('owner of {0}', name),
        details: l10n.t('found in objects'),
        raw: {},
      };
      if (!this.#owners.has(owner)) this.#owners.set(owner, known);
    }
    return {
      id,
      kind,
      name,
      details: formatLine(summary.details.filter((detail) => detail !== id).join(' · '), 120),
      raw: item.raw,
    };
  }

  /** Reads a resource; `undefined` if it does not exist. Rejects with other PlatformErrors. */
  read(kind: Exclude<IdKind, 'wallets'>, id: string): Promise<JsonObject | undefined> {
    const key = `${kind}/${id}`;
    const cached = this.#reads.get(key);
    if (isFresh(cached)) return cached.value;
    const value = this.#read(kind, id);
    if (this.#reads.size > 500) this.#reads.clear();
    this.#reads.set(key, { at: Date.now(), value });
    value.catch(() => this.#reads.delete(key));
    return value;
  }

  async #read(kind: Exclude<IdKind, 'wallets'>, id: string): Promise<JsonObject | undefined> {
    const definition: ResourceDefinition = registry[kind];
    try {
      const { item } = await this.#source.client.readFor(definition, [id], { signal: this.#source.ended });
      this.#toKnownResource(kind, item);
      return isObject(item.raw) ? item.raw : undefined;
    } catch (error) {
      if (hasErrorCode(error, 'notFound', 'badRequest')) return undefined;
      throw error;
    }
  }

  /** The newest completed action logs. Rejects with PlatformError. */
  readRecentLogs(): Promise<readonly JsonObject[]> {
    const cached = this.#recentLogs;
    if (isFresh(cached)) return cached.value;
    const { client, ended } = this.#source;
    const query = { status: 'completed', order: 'descending', limit: MAX_RECENT_LOGS } as const;
    const value = client
      .listPage('action-logs', query, { signal: ended })
      .then(({ items }) => items.map(({ raw }) => raw).filter(isObject));
    const entry = { at: Date.now(), value };
    this.#recentLogs = entry;
    value.catch(() => {
      if (this.#recentLogs === entry) this.#recentLogs = undefined;
    });
    return value;
  }

  /** Finds the resource of an id, of any kind; `undefined` if there is none. Rejects if a kind could not be read. */
  async identify(
    id: string,
    token?: { readonly isCancellationRequested: boolean },
  ): Promise<KnownResource | undefined> {
    const registered = this.#getWallets().find((wallet) => wallet.id === id);
    if (registered !== undefined) return registered;
    const failed: Promise<unknown>[] = [];
    for (const kind of ['templates', 'objects', 'faces'] as const) {
      if (token?.isCancellationRequested === true) return undefined;
      const reading = this.read(kind, id);
      const raw = await reading.catch(() => void failed.push(reading));
      if (raw !== undefined) return this.#toKnownResource(kind, { raw });
    }
    await Promise.all(failed);
    return this.#findLabelled(id);
  }

  /** Reads the names of a few ids within 1.5 seconds. Never rejects. */
  async prefetchNames(fields: readonly { readonly ids?: IdKind | undefined; readonly id: string }[]): Promise<void> {
    const unknown = fields.filter(({ id }) => !this.#names.has(id)).slice(0, 10);
    const reads = unknown.map(async ({ ids, id }) => {
      if (ids !== undefined && ids !== 'wallets') await this.read(ids, id).catch(() => undefined);
    });
    await waitBriefly(Promise.all(reads));
  }

  /** Clears the cache, since an action changes objects and supplies. */
  clear(): void {
    this.#lists.clear();
    this.#reading = new SharedRequests();
    this.#reads.clear();
    this.#recentLogs = undefined;
  }

  get preflight(): LiveLookup {
    const { subject } = this.#source.identity ?? {};
    const own = new Set(subject === undefined ? [] : [subject]);
    for (const wallet of this.#getWallets()) if (wallet.isOwn === true) own.add(wallet.id);
    return {
      read: (kind, id) => this.read(kind, id),
      can: (resource, verb, organization) => this.#source.hasPermission(resource, verb, organization),
      ownIds: own,
      now: () => Date.now(),
      connection: this.#source.profile.name,
    };
  }
}

/** Resolves with `undefined` after 1.5 seconds, before a user would notice. Rejects as `work` does. */
export async function waitBriefly<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, 1500);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Live data of each session, for as long as the session exists. */
export class LiveDataBySession {
  readonly #live = new WeakMap<LiveSource, LiveData>();
  readonly #labels: Pick<Labels, 'get' | 'all'>;

  constructor(labels: Pick<Labels, 'get' | 'all'>) {
    this.#labels = labels;
  }

  get(session: LiveSource): LiveData {
    return getOrAdd(this.#live, session, () => new LiveData(session, this.#labels));
  }
}
