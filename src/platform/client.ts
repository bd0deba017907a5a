/** The platform client: sends operations of the contract, reads responses tolerantly and masks secrets. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { hasErrorCode, PlatformError } from './errors.ts';
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
import { findItemPath, getItemId, isRefusedList, Item, readPage, type Page } from './page.ts';
import { isEndlessListError, PageFollower, paginate, type PageLimits } from './paginate.ts';
import { formatJson, getJsonSlice } from './json/format-json.ts';
import { registry, type Kind } from './registry.ts';
import type { ListDefinition, ResourceDefinition } from './resource.ts';
import { executeAction, executionResult, isExecuted } from './resources/actions.ts';
import { confirmInvite, tokens } from './resources/invites.ts';
import { statisticsPoint } from './resources/statistics.ts';
import { registerWallet, wallet, type WalletRegistration } from './resources/wallets.ts';
import { findDrift, createView, type Drift, type SchemaView } from './schema.ts';
import {
  RequestSender,
  type ServiceResponse,
  type CallOptions,
  type EffectOptions,
  type OutgoingRequest,
  type RequestSenderOptions,
} from './requests/request-sender.ts';
import type { Target } from './target.ts';

export type { CallOptions, EffectOptions, RequestRecord } from './requests/request-sender.ts';

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

/** The kinds that have a list. */
type ListKind = {
  [K in Kind]: (typeof registry)[K] extends { readonly list: ListDefinition } ? K : never;
}[Kind];
type KindList<K extends ListKind> = Extract<(typeof registry)[K], { readonly list: ListDefinition }>['list'];
/** The typed query of a kind's list. */
type KindQuery<K extends ListKind> = OperationQuery<KindList<K>['operation']['query']>;
type KindSchema<K extends Kind> = (typeof registry)[K]['schema'];

export interface Execution {
  /** the result as the server sent it, masked */
  readonly raw: unknown;
  readonly view: SchemaView<typeof executionResult>;
  readonly drift: readonly Drift[];
  /** the HTTP status as it was: 200, 201, 202 … */
  readonly status: number;
  readonly requestId?: string;
}

/** Tokens go from here into the secret store and nowhere else. */
interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Pages read in one search for an id. */
const MAX_SEARCHED_PAGES = 50;
/** Unfinished searches whose cursor is remembered. */
const MAX_SEARCHES = 20;

/** A client of one connection. Every method that sends a request rejects with PlatformError. */
export class PlatformClient {
  readonly #options: ClientOptions;
  readonly #sender: RequestSender;
  /** cursors at which unfinished searches for an id stopped, by `kind/id` */
  readonly #searchCursors = new Map<string, string>();
  /** kinds whose largest page the platform refused */
  readonly #refusesLargest = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#sender = new RequestSender(options);
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
    const definition = registry[kind];
    return this.listPageFor<KindSchema<K>>(definition, query, options);
  }

  /** Every page of a kind's list, fetched lazily. Rejects with `tooLarge` if the list does not end. */
  listPages<K extends ListKind>(
    kind: K,
    query: KindQuery<K> = {},
    options: CallOptions & PageLimits = {},
  ): AsyncGenerator<Page<KindSchema<K>>> {
    return paginate<KindSchema<K>>(
      (next) => this.listPage(kind, next === undefined ? query : { ...query, next }, options),
      options,
    );
  }

  /** The limit to request for `largest`, if it differs from that of other requests and was not refused. */
  #getLargestLimit(definition: ResourceDefinition, query: AnyQuery, { largest }: CallOptions): number | undefined {
    const limit = definition.list?.operation.query['limit'];
    const isWanted = largest === true && query['limit'] === undefined && !this.#refusesLargest.has(definition.kind);
    return isWanted && limit?.type === 'limit' && limit.max !== this.target.pageSize ? limit.max : undefined;
  }

  /** As `listPage`, for a kind that is known only at run time. */
  async listPageFor<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    query: AnyQuery = {},
    options: CallOptions = {},
  ): Promise<Page<S>> {
    const list = definition.list;
    if (list === undefined)
      throw new PlatformError('contract', l10n.t('The API has no list of this kind: {0}', definition.label), {
        sent: false,
      });
    const send = (limit: number | undefined): Promise<ServiceResponse> => {
      const sized = query['limit'] === undefined && limit !== undefined ? { ...query, limit } : query;
      return this.#sender.send(list.operation, { path: {}, query: sized, ...options });
    };
    const largest = this.#getLargestLimit(definition, query, options);
    const response = await (largest === undefined
      ? send(this.target.pageSize)
      : send(largest).catch(async (error: unknown) => {
          if (!hasErrorCode(error, 'badRequest')) throw error;
          const smaller = await send(this.target.pageSize);
          this.#refusesLargest.add(definition.kind);
          return smaller;
        }));
    // Views use the kind's own schema; only drift is compared with the list's.
    const page = this.#readPage(list, definition.schema, response, definition.secretNames);
    if (options.bulk !== true) this.#options.observe?.(definition, page.items);
    return page;
  }

  /** As `listPages`, for a kind that is known only at run time. Starts at the cursor `from`, if given. */
  listPagesFor(
    definition: ResourceDefinition,
    query: AnyQuery = {},
    options: CallOptions & PageLimits = {},
    from?: string,
  ): AsyncGenerator<Page> {
    return paginate((next) => this.listPageFor(definition, next === undefined ? query : { ...query, next }, options), {
      ...options,
      from,
    });
  }

  /**
   * Reads one resource. `id` is `[organization, role id | "default" | OWN_ROLE]` for roles, one segment for all other
   * kinds. Rejects with `notFound`, also if a filtered list does not contain the id. A search through an unfiltered list
   * stops after `MAX_SEARCHED_PAGES` with `tooLarge`; calling again continues it.
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
        const answer = await this.#sender.send(operation, { path, query: {}, ...options });
        return this.#parseItem(definition, operation, answer);
      }
      case 'filter':
      case 'paging':
        return this.#find(definition, id.join('/'), source.by, options);
      case 'cache':
        throw new PlatformError(
          'notFound',
          l10n.t('The API can’t read this kind by its ID, and this one is not cached: {0}', definition.singular),
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
    const list = definition.list;
    if (list === undefined)
      throw new PlatformError('contract', l10n.t('The API has no list of this kind: {0}', definition.label), {
        sent: false,
      });
    const key = `${definition.kind}/${id}`;
    let cursor = by === 'paging' ? this.#searchCursors.get(key) : undefined;
    this.#searchCursors.delete(key);
    const follower = new PageFollower({ maxPages: MAX_SEARCHED_PAGES });
    do {
      const query: AnyQuery = {
        ...(by === 'filter' ? { id } : { limit: 100 }),
        ...(cursor !== undefined && { next: cursor }),
      };
      const answer = await this.#sender.send(list.operation, { path: {}, query, ...options });
      const page = this.#readPage(list, definition.schema, answer, definition.secretNames);
      const index = page.items.findIndex((item) => item.id === id);
      const item = page.items[index];
      if (item !== undefined) {
        const wrapperPath = item.wrapper === undefined ? [] : [item.wrapper];
        const slice = getJsonSlice(answer.text, [...page.path, index, ...wrapperPath]) ?? JSON.stringify(item.raw);
        return {
          item: new Item(item.raw, definition.schema),
          text: formatJson(slice, this.#secrets(definition.secretNames)),
        };
      }
      if (by === 'filter') break;
      cursor = this.#follow(follower, page, list.operation, definition, key);
    } while (cursor !== undefined);
    throw new PlatformError(
      'notFound',
      l10n.t('No resource with this ID is visible to this identity ({0})', definition.singular),
      {
        operation: getOperationName(list.operation),
      },
    );
  }

  #follow(
    follower: PageFollower,
    page: Page,
    operation: Operation,
    definition: ResourceDefinition,
    key: string,
  ): string | undefined {
    try {
      return follower.follow(page);
    } catch (error) {
      if (!isEndlessListError(error)) throw error;
      if (this.#searchCursors.size >= MAX_SEARCHES) this.#searchCursors.clear();
      if (error.detail.next !== undefined) this.#searchCursors.set(key, error.detail.next);
      const message = l10n.t(
        'No resource with this ID found so far ({0}). {1}. Try again to continue searching',
        definition.singular,
        error.message,
      );
      throw new PlatformError(error.code, message, { ...error.detail, operation: getOperationName(operation) });
    }
  }

  #readPage<S extends z.core.SomeType>(
    list: ListDefinition,
    schema: S,
    response: ServiceResponse,
    secretNames?: readonly string[],
  ): ReturnType<typeof readPage<S>> {
    const parsed = this.#parse(list.operation, response, secretNames);
    if (isRefusedList(list, parsed)) throw this.#sender.createRefusalError(list.operation, response);
    return readPage(list, schema, parsed);
  }

  #parseItem<S extends z.core.SomeType>(
    definition: ResourceDefinition<S>,
    operation: Operation,
    answer: ServiceResponse,
  ): ReadResult<S> {
    const parsed = this.#parse(operation, answer, definition.secretNames);
    const path = findItemPath(definition.schema, parsed);
    const raw = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), parsed);
    if (getItemId(raw) === undefined && isObject(parsed) && reportsError(parsed))
      throw this.#sender.createRefusalError(operation, answer);
    if (!isObject(raw))
      throw new PlatformError('contract', l10n.t('The response is not valid. Expected: {0}', definition.singular), {
        operation: getOperationName(operation),
      });
    const text = path.length === 0 ? answer.text : (getJsonSlice(answer.text, [...path]) ?? answer.text);
    return { item: new Item(raw, definition.schema), text: formatJson(text, this.#secrets(definition.secretNames)) };
  }

  /** The points of a statistics series in the server's order. The contract has no further pages. */
  async statistics<P extends Parameters>(
    series: { readonly operation: Operation<string, P> },
    query: OperationQuery<P>,
    options: CallOptions = {},
  ): Promise<Page<typeof statisticsPoint>> {
    const answer = await this.#sender.send(series.operation, { path: {}, query, ...options });
    const list: ListDefinition = { operation: series.operation, key: 'data', keyRequired: true };
    return this.#readPage(list, statisticsPoint, answer);
  }

  /**
   * `POST /ebus/execute`: one request, never repeated. `body` is the JSON text, sent unchanged. After a rejection whose
   * `detail.sent` is not false, the outcome is unknown unless `detail.status` is a refusal. The request is queued until
   * `options.onSent` is called; cancelled before that, it rejects with `detail.sent` false.
   */
  async execute(body: string, options: EffectOptions = {}): Promise<Execution> {
    const answer = await this.#sender.send(executeAction, { path: {}, query: {}, body, ...options });
    const raw = this.#parse(executeAction, answer);
    if (isObject(raw) && !isExecuted(raw) && reportsError(raw))
      throw this.#sender.createRefusalError(executeAction, answer);
    const view = createView(executionResult, raw);
    if (view === undefined) {
      throw new PlatformError('contract', l10n.t('The response is not an execution result'), {
        status: answer.status,
        operation: getOperationName(executeAction),
        ...this.#sender.getErrorBody(executeAction, answer.text),
      });
    }
    return {
      raw,
      view,
      drift: findDrift(executionResult, raw),
      status: answer.status,
      ...(answer.requestId !== undefined && { requestId: answer.requestId }),
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
    const answer = await this.#sendForTokens(registerWallet, { path: {}, query: {}, body, ...options });
    const issued = this.#parseTokens(registerWallet, answer);
    const secrets = this.#secrets(undefined, Object.values(issued));
    const slice = getJsonSlice(answer.text, ['wallet']);
    if (slice === undefined)
      throw new PlatformError('contract', l10n.t('The response contains no wallet'), {
        operation: getOperationName(registerWallet),
        status: answer.status,
      });
    return { ...issued, item: new Item(parseJson(slice, secrets), wallet), text: formatJson(slice, secrets) };
  }

  /** `GET …/invite`: has an effect, so it is never repeated. Presents the credential as `registerWallet` does. */
  async confirmInvite(
    path: PathParameters<typeof confirmInvite.path>,
    query: { readonly token: string; readonly member_id: string },
    options: EffectOptions = {},
  ): Promise<IssuedTokens> {
    return this.#parseTokens(confirmInvite, await this.#sendForTokens(confirmInvite, { path, query, ...options }));
  }

  async #sendForTokens(operation: Operation, outgoing: OutgoingRequest): Promise<ServiceResponse> {
    const authenticated = this.target.wallets === 'credential';
    try {
      return await this.#sender.send(operation, { ...outgoing, authenticated });
    } catch (error) {
      if (authenticated || !(error instanceof PlatformError) || error.detail.status !== 401) throw error;
      // Another sign-in would not be sent either.
      const { connection: _connection, ...detail } = error.detail;
      throw new PlatformError(error.code, error.message, {
        ...detail,
        nextStep: l10n.t(
          'Set auth.wallets of {0} to “credential” in the setting smartObjects.connections.',
          this.target.name,
        ),
      });
    }
  }

  /**
   * `GET` of a path below the base URL, with its query as it is. Resolves to the response as pretty JSON, masked with
   * `names`. The caller refuses paths whose requests have an effect.
   */
  async getJson(path: string, names: readonly string[], options: CallOptions = {}): Promise<string> {
    const operation: Operation = { method: 'GET', path, query: {}, repeatable: true };
    const answer = await this.#sender.send(operation, { path: {}, query: {}, ...options });
    this.#parse(operation, answer);
    return formatJson(answer.text, this.#secrets(names));
  }

  #parseTokens(operation: Operation, answer: ServiceResponse): IssuedTokens {
    let value: unknown;
    try {
      value = JSON.parse(answer.text) as unknown;
    } catch {
      throw this.#sender.createNotJsonError(operation, answer);
    }
    const view = createView(tokens, isObject(value) && value['access_token'] === undefined ? value['data'] : value);
    if (view?.access_token === undefined || view.refresh_token === undefined) {
      if (isObject(value) && reportsError(value)) throw this.#sender.createRefusalError(operation, answer);
      throw new PlatformError('contract', l10n.t('The response contains no tokens'), {
        operation: getOperationName(operation),
        status: answer.status,
      });
    }
    return { accessToken: view.access_token, refreshToken: view.refresh_token };
  }

  #secrets(names?: readonly string[], more: readonly string[] = []): Secrets {
    const values = [...this.#sender.secrets, ...more];
    return names === undefined ? { values } : { values, names };
  }

  #parse(operation: Operation, answer: ServiceResponse, names?: readonly string[]): unknown {
    try {
      return parseJson(answer.text, this.#secrets(names));
    } catch {
      throw this.#sender.createNotJsonError(operation, answer);
    }
  }
}
