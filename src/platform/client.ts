/** The platform client: sends operations of the contract, reads responses tolerantly and masks secrets. */
import * as l10n from '@vscode/l10n';
import { stored } from './text/message.ts';
import type * as z from 'zod/mini';
import { PlatformError } from './errors.ts';
import { reportsError } from './json/error-text.ts';
import { isObject, getOwn } from './json/json.ts';
import { parseJson } from './json/parse-json.ts';
import type { Secrets } from './json/secrets.ts';
import {
  getOperationName,
  type AnyQuery,
  type Operation,
  type Parameters,
  type PathParameters,
  type OperationQuery,
} from './operation.ts';
import { findItemPath, getItemId, isRefusedList, Item, peekNext, readPage, type Page } from './page.ts';
import { PageSizes } from './page-sizes.ts';
import { isEndlessListError, PageFollower, paginate, type PageLimits } from './paginate.ts';
import { formatJson, getJsonSlice } from './json/format-json.ts';
import { getSecretNames, registry, type Kind, type KindQuery, type KindSchema, type ListKind } from './registry.ts';
import type { ListDefinition, ResourceDefinition } from './resource.ts';
import { executeAction, executionResult, isExecuted } from './resources/actions.ts';
import { confirmInvite, type IssuedTokens } from './resources/invites.ts';
import { statisticsPoint } from './resources/statistics.ts';
import { registerWallet, wallet, type WalletRegistration } from './resources/wallets.ts';
import { createView, type SchemaView } from './schema.ts';
import {
  RequestSender,
  type CallOptions,
  type EffectOptions,
  type RequestSenderOptions,
} from './requests/request-sender.ts';
import { sendForTokens } from './requests/send-for-tokens.ts';
import type { ServiceResponse } from './requests/response-errors.ts';
import type { Target } from './target.ts';

export type { CallOptions, EffectOptions } from './requests/request-sender.ts';
export type { RequestRecord, TraceableRecord } from './requests/request-trace.ts';

export interface ClientOptions extends RequestSenderOptions {
  /** Called with the masked items of every page, and with each single resource, its id and its text. Must not throw. */
  readonly observe?: (
    definition: ResourceDefinition,
    items: readonly Item[],
    id?: readonly string[],
    text?: string,
  ) => void;
}

/** One resource that was read by its identifier. */
export interface ReadResult<S extends z.core.SomeType = z.core.SomeType> {
  readonly item: Item<S>;
  /** the server's own JSON, pretty-printed, masked */
  readonly text: string;
}

export interface Execution {
  /** the result as the server sent it, masked */
  readonly raw: unknown;
  readonly view: SchemaView<typeof executionResult>;
  /** the HTTP status as it was: 200, 201, 202 … */
  readonly status: number;
  readonly requestId?: string;
}

interface PagesOptions extends CallOptions, PageLimits {
  /** leaves out items of earlier pages, which a list that changes while it is read repeats. Remembers the id of every item. */
  readonly distinct?: boolean;
}

/** Pages read in one search for an id. */
const MAX_SEARCHED_PAGES = 50;

/** A client of one connection. Every method that sends a request rejects with PlatformError. */
export class PlatformClient {
  readonly #options: ClientOptions;
  readonly #sender: RequestSender;
  readonly #pageSizes = new PageSizes();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#sender = new RequestSender(options, getSecretNames);
  }

  get target(): Target {
    return this.#options.target;
  }

  /** Milliseconds by which the platform's clock is ahead, from the `Date` header of its last response; 0 before that. */
  get clockAhead(): number {
    return this.#sender.clockAhead;
  }

  /** One page of a kind's list. */
  listPage<K extends ListKind>(
    kind: K,
    query: KindQuery<K> = {},
    options: CallOptions = {},
  ): Promise<Page<KindSchema<K>>> {
    return this.listPageFor<KindSchema<K>>(registry[kind], query, options);
  }

  /** Every page of a kind's list, fetched lazily. Rejects with `tooLarge` if the list does not end. */
  listPages<K extends ListKind>(
    kind: K,
    query: KindQuery<K> = {},
    options: PagesOptions = {},
  ): AsyncGenerator<Page<KindSchema<K>>> {
    return this.listPagesFor<KindSchema<K>>(registry[kind], query, options);
  }

  /** As `listPage`, for a kind that is known only at run time. */
  async listPageFor<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    query: AnyQuery = {},
    options: CallOptions = {},
  ): Promise<Page<S>> {
    const list = requireList(definition);
    const parameter = list.operation.query['limit'];
    const largest = options.largest === true && parameter?.type === 'limit' ? parameter.max : undefined;
    const sized = { ...query, limit: query['limit'] ?? largest ?? this.target.pageSize };
    // Views use the kind's own schema; only drift is compared with the list's.
    const { page } = await this.#requestPage(list, definition.schema, sized, options, definition.secretNames);
    if (options.bulk !== true) this.#options.observe?.(definition, page.items);
    return page;
  }

  /** As `listPages`, for a kind that is known only at run time. Starts at the cursor `from`, if given. */
  async *listPagesFor<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    query: AnyQuery = {},
    options: PagesOptions = {},
    from?: string,
  ): AsyncGenerator<Page<S>> {
    const pages = paginate<S>(
      (next, onNext) =>
        this.listPageFor(definition, next === undefined ? query : { ...query, next }, { ...options, onNext }),
      { ...options, from, ahead: options.largest },
    );
    if (options.distinct !== true) return yield* pages;
    const known = new Set<string>();
    const isNew = ({ id }: Item<S>): boolean => id === undefined || known.size < known.add(id).size;
    for await (const page of pages) yield { ...page, items: page.items.filter(isNew) };
  }

  /**
   * Reads one resource. `id` is `[organization, role id | "default" | OWN_ROLE]` for roles, one segment for all other
   * kinds. Rejects with `notFound`, also if a filtered list does not contain the id. A search through an unfiltered list
   * stops after `MAX_SEARCHED_PAGES` with `tooLarge`.
   */
  async read<K extends Kind>(
    kind: K,
    id: readonly string[],
    options: CallOptions = {},
  ): Promise<ReadResult<KindSchema<K>>> {
    return this.readFor<KindSchema<K>>(registry[kind], id, options);
  }

  /** As `read`, for a kind that is known only at run time. */
  async readFor<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    id: readonly string[],
    options: CallOptions = {},
  ): Promise<ReadResult<S>> {
    const reading = await this.#readItem(definition, id, options);
    this.#options.observe?.(definition, [reading.item], id, reading.text);
    return reading;
  }

  async #readItem<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    id: readonly string[],
    options: CallOptions,
  ): Promise<ReadResult<S>> {
    const source = definition.read;
    switch (source.by) {
      case 'path': {
        const last = id.at(-1) ?? '';
        const operation = getOwn(source.variants, last)?.operation ?? source.operation;
        const path = Object.fromEntries(source.parameters.map((name, index) => [name, id[index] ?? '']));
        const response = await this.#sender.send(operation, { path, query: {}, ...options });
        return this.#parseItem(definition, operation, response);
      }
      case 'filter':
      case 'paging':
        return this.#find(definition, id.join('/'), source.by, options);
      case 'cache':
        throw new PlatformError(
          'notFound',
          stored('The API can’t read this kind by its ID, and this one is not cached: {0}', definition.singular),
          { sent: false },
        );
    }
  }

  async #find<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    id: string,
    by: 'filter' | 'paging',
    options: CallOptions,
  ): Promise<ReadResult<S>> {
    const list = requireList(definition);
    let cursor: string | undefined;
    const follower = new PageFollower({ maxPages: MAX_SEARCHED_PAGES });
    do {
      const query: AnyQuery = {
        ...(by === 'filter' ? { id } : { limit: 100 }),
        ...(cursor !== undefined && { next: cursor }),
      };
      const { page, response } = await this.#requestPage(
        list,
        definition.schema,
        query,
        options,
        definition.secretNames,
      );
      const index = page.items.findIndex((item) => item.id === id);
      const item = page.items[index];
      if (item !== undefined) {
        const wrapperPath = item.wrapper === undefined ? [] : [item.wrapper];
        const slice = getJsonSlice(response.text, [...page.path, index, ...wrapperPath]) ?? JSON.stringify(item.raw);
        return {
          item: new Item(item.raw, definition.schema),
          text: formatJson(slice, this.#secrets(definition.secretNames)),
        };
      }
      if (by === 'filter') break;
      try {
        cursor = follower.follow(page);
      } catch (error) {
        if (!isEndlessListError(error)) throw error;
        const message = l10n.t('No resource with this ID found so far ({0}). {1}', definition.singular, error.message);
        throw new PlatformError(error.code, message, error.detail);
      }
    } while (cursor !== undefined);
    throw new PlatformError(
      'notFound',
      stored('No resource with this ID is visible to this identity ({0})', definition.singular),
    );
  }

  /** Requests a page of at most `limit` items, or a smaller one if the platform refuses that. */
  async #requestPage<S extends z.core.SomeType>(
    list: ListDefinition,
    schema: S,
    { limit, ...query }: AnyQuery,
    options: CallOptions,
    secretNames?: readonly string[],
  ): Promise<{ readonly page: ReturnType<typeof readPage<S>>; readonly response: ServiceResponse }> {
    const wanted = typeof limit === 'number' ? limit : undefined;
    return this.#pageSizes.request(getOperationName(list.operation), wanted, this.target.pageSize, async (size) => {
      const sized = { ...query, limit: size };
      const response = await this.#sender.send(list.operation, { path: {}, query: sized, ...options });
      const next = peekNext(response.text);
      if (next !== undefined) await options.onNext?.(next);
      return { page: this.#readPage(list, schema, response, secretNames), response };
    });
  }

  #readPage<S extends z.core.SomeType>(
    list: ListDefinition,
    schema: S,
    response: ServiceResponse,
    secretNames?: readonly string[],
  ): ReturnType<typeof readPage<S>> {
    const parsed = this.#parse(list.operation, response, secretNames);
    if (isRefusedList(list, parsed)) throw this.#sender.errors.createRefusal(list.operation, response);
    return readPage(list, schema, parsed);
  }

  #parseItem<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    operation: Operation,
    response: ServiceResponse,
  ): ReadResult<S> {
    const parsed = this.#parse(operation, response, definition.secretNames);
    const path = findItemPath(definition.schema, parsed);
    const raw = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), parsed);
    if (getItemId(raw) === undefined && isObject(parsed) && reportsError(parsed))
      throw this.#sender.errors.createRefusal(operation, response);
    if (!isObject(raw))
      throw new PlatformError('contract', stored('The response is not valid. Expected: {0}', definition.singular));
    const text = path.length === 0 ? response.text : (getJsonSlice(response.text, [...path]) ?? response.text);
    return { item: new Item(raw, definition.schema), text: formatJson(text, this.#secrets(definition.secretNames)) };
  }

  /** The points of a statistics series in the server's order. The contract has no further pages. */
  async statistics<P extends Parameters>(
    series: { readonly operation: Operation<string, P> },
    query: OperationQuery<P>,
    options: CallOptions = {},
  ): Promise<Page<typeof statisticsPoint>> {
    const list: ListDefinition = { operation: series.operation, key: 'data', keyRequired: true };
    return (await this.#requestPage(list, statisticsPoint, query, options)).page;
  }

  /**
   * `POST /ebus/execute`: one request, never repeated. `body` is the JSON text, sent unchanged. After a rejection whose
   * `detail.sent` is not false, the outcome is unknown unless `detail.status` is a refusal. The request is queued until
   * `options.onSent` is called; cancelled before that, it rejects with `detail.sent` false.
   */
  async execute(body: string, options: EffectOptions = {}): Promise<Execution> {
    const response = await this.#sender.send(executeAction, { path: {}, query: {}, body, ...options });
    const raw = this.#parse(executeAction, response);
    if (isObject(raw) && !isExecuted(raw) && reportsError(raw))
      throw this.#sender.errors.createRefusal(executeAction, response);
    const view = createView(executionResult, raw);
    if (view === undefined) {
      throw new PlatformError('contract', stored('The response is not an execution result'), {
        status: response.status,
        ...this.#sender.errors.getBody(executeAction, response.text),
      });
    }
    return {
      raw,
      view,
      status: response.status,
      ...(response.requestId !== undefined && { requestId: response.requestId }),
    };
  }

  /**
   * `POST /wallets`: one request, never repeated. Presents the credential only if `target.wallets` is `credential`.
   * Resolves to the new wallet and its tokens.
   */
  async registerWallet(
    registration: WalletRegistration,
    options: EffectOptions = {},
  ): Promise<IssuedTokens & ReadResult<typeof wallet>> {
    const body = JSON.stringify(registration);
    const outgoing = { path: {}, query: {}, body, ...options };
    const { issued, response } = await sendForTokens(this.#sender, this.target, registerWallet, outgoing);
    const secrets = this.#secrets(undefined, Object.values(issued));
    const slice = getJsonSlice(response.text, ['wallet']);
    if (slice === undefined)
      throw new PlatformError('contract', stored('The response contains no wallet'), { status: response.status });
    return { ...issued, item: new Item(parseJson(slice, secrets), wallet), text: formatJson(slice, secrets) };
  }

  /** `GET …/invite`: has an effect, so it is never repeated. Presents the credential as `registerWallet` does. */
  async confirmInvite(
    path: PathParameters<typeof confirmInvite.path>,
    query: { readonly token: string; readonly member_id: string },
    options: EffectOptions = {},
  ): Promise<IssuedTokens> {
    return (await sendForTokens(this.#sender, this.target, confirmInvite, { path, query, ...options })).issued;
  }

  /**
   * `GET` of a path below the base URL, with its query as it is. Resolves to the response as pretty JSON, masked. The caller
   * refuses paths whose requests have an effect.
   */
  async getJson(path: string, options: CallOptions = {}): Promise<string> {
    const operation: Operation = { method: 'GET', path, query: {}, repeatable: true };
    const response = await this.#sender.send(operation, { path: {}, query: {}, ...options });
    this.#parse(operation, response);
    return formatJson(response.text, this.#secrets(getSecretNames(path)));
  }

  #secrets(names?: readonly string[], more: readonly string[] = []): Secrets {
    const values = [...this.#sender.secrets, ...more];
    return names === undefined ? { values } : { values, names };
  }

  #parse(operation: Operation, response: ServiceResponse, names?: readonly string[]): unknown {
    try {
      return parseJson(response.text, this.#secrets(names));
    } catch {
      throw this.#sender.errors.createNotJson(operation, response);
    }
  }
}

function requireList({ list, label }: Pick<ResourceDefinition, 'list' | 'label'>): ListDefinition {
  if (list !== undefined) return list;
  throw new PlatformError('contract', stored('The API has no list of this kind: {0}', label), { sent: false });
}
