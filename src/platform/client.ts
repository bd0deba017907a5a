/** The platform's client: sends one operation of the contract, reads its answer tolerantly, and keeps secrets out. */
import type * as z from 'zod/mini';
import { PlatformError } from './errors.ts';
import { isObject, own, parseJson, type Secrets } from './json.ts';
import { nameOf, type AnyQuery, type Operation, type Parameters, type PathOf, type QueryOf } from './operation.ts';
import { idOf, Item, readPage, wrapperOf, type Page } from './page.ts';
import { isEndless, PageLook, paginate, type PageLimits } from './paginate.ts';
import { prettyJson, sliceOf } from './pretty.ts';
import { registry, type Kind } from './registry.ts';
import { pluralOf, type ListRow, type ResourceRow } from './resource.ts';
import { executeAction, executionResult } from './resources/actions.ts';
import { confirmInvite, tokens } from './resources/invites.ts';
import { statisticsPoint, type Series } from './resources/statistics.ts';
import { registerWallet, wallet, type WalletRegistration } from './resources/wallets.ts';
import { driftOf, viewOf, type Drift, type ViewOf } from './schema.ts';
import {
  Sender,
  type Answer,
  type CallOptions,
  type EffectOptions,
  type Outgoing,
  type SenderOptions,
} from './sender.ts';
import type { Target } from './target.ts';

export type { CallOptions, EffectOptions, RequestRecord } from './sender.ts';

export interface ClientOptions extends SenderOptions {
  /** told of every resource that was read, masked; of one alone what it was asked for by, and its text. Must not throw. */
  readonly observe?: (row: ResourceRow, items: readonly Item[], id?: readonly string[], text?: string) => void;
}

/** One resource that was read by its identifier. */
export interface Reading<S extends z.core.SomeType = z.core.SomeType> {
  readonly item: Item<S>;
  /** the server's own JSON, pretty-printed, masked */
  readonly text: string;
}

/** The kinds that have a list. */
export type ListKind = {
  [K in Kind]: (typeof registry)[K] extends { readonly list: ListRow } ? K : never;
}[Kind];
type ListOf<K extends ListKind> = Extract<(typeof registry)[K], { readonly list: ListRow }>['list'];
/** The typed query of a kind's list. */
export type QueryFor<K extends ListKind> = QueryOf<ListOf<K>['operation']['query']>;
type SchemaFor<K extends Kind> = (typeof registry)[K]['schema'];

export interface Execution {
  /** the result as the server sent it, masked */
  readonly raw: unknown;
  readonly view: ViewOf<typeof executionResult>;
  readonly drift: readonly Drift[];
  /** the HTTP status as it was: 200, 201, 202 … */
  readonly status: number;
  readonly requestId?: string;
}

/** Tokens go from here into the secret store and nowhere else. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Pages that are searched for one id at a time. */
const MAX_SEARCHED_PAGES = 50;
/** Searches that can be continued. */
const MAX_SEARCHES = 20;

export class PlatformClient {
  readonly #options: ClientOptions;
  readonly #sender: Sender;
  /** where searches for one id through a whole list stopped: `kind/id` → cursor */
  readonly #searched = new Map<string, string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#sender = new Sender(options);
  }

  get target(): Target {
    return this.#options.target;
  }

  /** Milliseconds that the platform's clock was ahead of ours, by the `Date` of its last answer; 0 before there is one. */
  get clockAhead(): number {
    return this.#sender.clockAhead;
  }

  /** One page of a kind's list. Throws PlatformError. */
  page<K extends ListKind>(kind: K, query: QueryFor<K> = {}, options: CallOptions = {}): Promise<Page<SchemaFor<K>>> {
    const row = registry[kind];
    return this.pageOf<SchemaFor<K>>(row, query, options);
  }

  /** Every page of a kind's list, as it is asked for. Throws PlatformError, also for a list that does not end. */
  pages<K extends ListKind>(
    kind: K,
    query: QueryFor<K> = {},
    options: CallOptions & PageLimits = {},
  ): AsyncGenerator<Page<SchemaFor<K>>> {
    return paginate<SchemaFor<K>>(
      (next) => this.page(kind, next === undefined ? query : { ...query, next }, options),
      options,
    );
  }

  /** As `page`, for a row known at run time only. */
  async pageOf<S extends z.core.SomeType>(
    row: ResourceRow<S>,
    query: AnyQuery = {},
    options: CallOptions = {},
  ): Promise<Page<S>> {
    const list = row.list;
    if (list === undefined)
      throw new PlatformError('contract', `The contract has no list of ${pluralOf(row)}`, { sent: false });
    const size = this.target.pageSize;
    const sized = query['limit'] === undefined && size !== undefined ? { ...query, limit: size } : query;
    const answer = await this.#sender.send(list.operation, { path: {}, query: sized, ...options });
    // A list item is viewed by its own kind's schema unless the list has another shape; both views read the same fields.
    const page = readPage(list, row.schema, this.#parse(list.operation, answer, row.secretNames));
    if (options.passing !== true) this.#options.observe?.(row, page.items);
    return page;
  }

  /** As `pages`, for a row known at run time only; from a cursor where one is given. */
  pagesOf(
    row: ResourceRow,
    query: AnyQuery = {},
    options: CallOptions & PageLimits = {},
    from?: string,
  ): AsyncGenerator<Page> {
    return paginate((next) => this.pageOf(row, next === undefined ? query : { ...query, next }, options), {
      ...options,
      from,
    });
  }

  /**
   * One resource by its identifier: a role's is `[organization, role id, "default" or "myrole"]`, any other's one
   * segment. Throws PlatformError, `notFound` too where a filtered list does not hold it. A list that is searched page
   * by page is left at a limit, with `tooLarge`; the next search for the same id goes on there.
   */
  async read<K extends Kind>(
    kind: K,
    id: readonly string[],
    options: CallOptions = {},
  ): Promise<Reading<SchemaFor<K>>> {
    return this.readOf<SchemaFor<K>>(registry[kind], id, options);
  }

  /** As `read`, for a row known at run time only. */
  async readOf<S extends z.core.SomeType>(
    row: ResourceRow<S>,
    id: readonly string[],
    options: CallOptions = {},
  ): Promise<Reading<S>> {
    const reading = await this.#readOf(row, id, options);
    this.#options.observe?.(row, [reading.item], id, reading.text);
    return reading;
  }

  async #readOf<S extends z.core.SomeType>(
    row: ResourceRow<S>,
    id: readonly string[],
    options: CallOptions,
  ): Promise<Reading<S>> {
    const how = row.read;
    switch (how.by) {
      case 'path': {
        const last = id.at(-1) ?? '';
        const operation = own(how.variants, last) ?? how.operation;
        const path = Object.fromEntries(how.parameters.map((name, index) => [name, id[index] ?? '']));
        const answer = await this.#sender.send(operation, { path, query: {}, ...options });
        return this.#reading(row, operation, answer);
      }
      case 'filter':
      case 'paging':
        return this.#find(row, id.join('/'), how.by, options);
      case 'held':
        throw new PlatformError(
          'notFound',
          `The contract reads no ${row.singular} by its id; this one is not held here`,
          { sent: false },
        );
    }
  }

  async #find<S extends z.core.SomeType>(
    row: ResourceRow<S>,
    id: string,
    by: 'filter' | 'paging',
    options: CallOptions,
  ): Promise<Reading<S>> {
    const list = row.list;
    if (list === undefined)
      throw new PlatformError('contract', `The contract has no list of ${pluralOf(row)}`, { sent: false });
    const key = `${row.kind}/${id}`;
    let cursor = by === 'paging' ? this.#searched.get(key) : undefined;
    this.#searched.delete(key);
    const look = new PageLook({ maxPages: MAX_SEARCHED_PAGES });
    do {
      const query: AnyQuery = {
        ...(by === 'filter' ? { id } : { limit: 100 }),
        ...(cursor !== undefined && { next: cursor }),
      };
      const answer = await this.#sender.send(list.operation, { path: {}, query, ...options });
      const page = readPage(list, row.schema, this.#parse(list.operation, answer, row.secretNames));
      const index = page.items.findIndex((item) => item.id === id);
      const item = page.items[index];
      if (item !== undefined) {
        const inside = item.wrapper === undefined ? [] : [item.wrapper];
        const slice = sliceOf(answer.text, [...page.path, index, ...inside]) ?? JSON.stringify(item.raw);
        return { item: new Item(item.raw, row.schema), text: prettyJson(slice, this.#secrets(row.secretNames)) };
      }
      if (by === 'filter') break;
      cursor = this.#follow(look, page, list.operation, row, key);
    } while (cursor !== undefined);
    throw new PlatformError('notFound', `No ${row.singular} with this id is visible to this identity`, {
      operation: nameOf(list.operation),
    });
  }

  #follow(look: PageLook, page: Page, operation: Operation, row: ResourceRow, key: string): string | undefined {
    try {
      return look.follow(page);
    } catch (error) {
      if (!isEndless(error)) throw error;
      if (this.#searched.size >= MAX_SEARCHES) this.#searched.clear();
      if (error.detail.next !== undefined) this.#searched.set(key, error.detail.next);
      const message = `No ${row.singular} with this id so far. ${error.message}. Try again to look further`;
      throw new PlatformError(error.code, message, { ...error.detail, operation: nameOf(operation) });
    }
  }

  #reading<S extends z.core.SomeType>(row: ResourceRow<S>, operation: Operation, answer: Answer): Reading<S> {
    const whole = this.#parse(operation, answer, row.secretNames);
    const path = pathIn(row, whole);
    const raw = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), whole);
    if (!isObject(raw))
      throw new PlatformError('contract', `The answer is no ${row.singular}`, { operation: nameOf(operation) });
    const text = path.length === 0 ? answer.text : (sliceOf(answer.text, [...path]) ?? answer.text);
    return { item: new Item(raw, row.schema), text: prettyJson(text, this.#secrets(row.secretNames)) };
  }

  /** A statistics series: its points in the server's order. There is no next page in the contract. */
  async statistics<P extends Parameters>(
    series: Series & { readonly operation: Operation<string, P> },
    query: QueryOf<P>,
    options: CallOptions = {},
  ): Promise<Page<typeof statisticsPoint>> {
    const answer = await this.#sender.send(series.operation, { path: {}, query, ...options });
    const list: ListRow = { operation: series.operation, key: 'data', keyRequired: true };
    return readPage(list, statisticsPoint, this.#parse(series.operation, answer));
  }

  /**
   * `POST /ebus/execute`: one request, never repeated. `body` is the JSON text to send, as it stands. When this throws
   * with `detail.sent` other than false, the outcome is unknown unless `detail.status` says that it was refused. It is
   * queued until `options.onSent` is called; cancelled before that, it rejects with `detail.sent` false.
   */
  async execute(body: string, options: EffectOptions = {}): Promise<Execution> {
    const answer = await this.#sender.send(executeAction, { path: {}, query: {}, body, ...options });
    const raw = this.#parse(executeAction, answer);
    const view = viewOf(executionResult, raw);
    if (view === undefined) {
      throw new PlatformError('contract', 'The answer is no execution result', {
        status: answer.status,
        operation: nameOf(executeAction),
        ...this.#sender.kept(executeAction, answer.text),
      });
    }
    return {
      raw,
      view,
      drift: driftOf(executionResult, raw),
      status: answer.status,
      ...(answer.requestId !== undefined && { requestId: answer.requestId }),
    };
  }

  /**
   * `POST /wallets`: one request, never repeated. Presents the credential only where `target.wallets` says so. The tokens
   * are the new wallet's.
   */
  async registerWallet(
    registration: WalletRegistration,
    options: EffectOptions = {},
  ): Promise<IssuedTokens & Reading<typeof wallet>> {
    const body = JSON.stringify(registration);
    const answer = await this.#sendForTokens(registerWallet, { path: {}, query: {}, body, ...options });
    const issued = this.#issued(registerWallet, answer);
    const secrets = this.#secrets(undefined, Object.values(issued));
    const slice = sliceOf(answer.text, ['wallet']);
    if (slice === undefined)
      throw new PlatformError('contract', 'The answer holds no wallet', {
        operation: nameOf(registerWallet),
        status: answer.status,
      });
    return { ...issued, item: new Item(parseJson(slice, secrets), wallet), text: prettyJson(slice, secrets) };
  }

  /** `GET …/invite`: a GET with an effect, so one request, never repeated. Presents what `registerWallet` presents. */
  async confirmInvite(
    path: PathOf<typeof confirmInvite.path>,
    query: { readonly token: string; readonly member_id: string },
    options: EffectOptions = {},
  ): Promise<IssuedTokens> {
    return this.#issued(confirmInvite, await this.#sendForTokens(confirmInvite, { path, query, ...options }));
  }

  async #sendForTokens(operation: Operation, outgoing: Outgoing): Promise<Answer> {
    const authenticated = this.target.wallets === 'credential';
    try {
      return await this.#sender.send(operation, { ...outgoing, authenticated });
    } catch (error) {
      if (authenticated || !(error instanceof PlatformError) || error.detail.status !== 401) throw error;
      throw new PlatformError(error.code, error.message, {
        ...error.detail,
        nextStep: `Set auth.wallets of ${this.target.name} to "credential" in the setting smartObjects.connections.`,
      });
    }
  }

  #issued(operation: Operation, answer: Answer): IssuedTokens {
    let value: unknown;
    try {
      value = JSON.parse(answer.text) as unknown;
    } catch {
      throw this.#sender.notJson(operation, answer);
    }
    const view = viewOf(tokens, isObject(value) && value['access_token'] === undefined ? value['data'] : value);
    if (view?.access_token === undefined || view.refresh_token === undefined) {
      throw new PlatformError('contract', 'The answer holds no tokens', {
        operation: nameOf(operation),
        status: answer.status,
      });
    }
    return { accessToken: view.access_token, refreshToken: view.refresh_token };
  }

  /**
   * Sends an operation and yields its parsed answer, masked. For operations that have no function of their own.
   * Throws PlatformError.
   */
  async send<Path extends string, P extends Parameters>(
    operation: Operation<Path, P>,
    path: PathOf<Path>,
    query: QueryOf<P>,
    options: CallOptions = {},
  ): Promise<unknown> {
    return this.#parse(operation, await this.#sender.send(operation, { path, query, ...options }));
  }

  #secrets(names?: readonly string[], more: readonly string[] = []): Secrets {
    const values = [...this.#sender.secrets, ...more];
    return names === undefined ? { values } : { values, names };
  }

  #parse(operation: Operation, answer: Answer, names?: readonly string[]): unknown {
    try {
      return parseJson(answer.text, this.#secrets(names));
    } catch {
      throw this.#sender.notJson(operation, answer);
    }
  }
}

/** Where a resource stands in an answer: usually all of it; in `data`, and there or without that in one more field. */
function pathIn(row: ResourceRow, answer: unknown): readonly string[] {
  const data = isObject(answer) && idOf(answer) === undefined && isObject(answer['data']) ? ['data'] : [];
  const inner = data.length > 0 && isObject(answer) ? answer['data'] : answer;
  const wrapper = wrapperOf(row.schema, inner);
  return wrapper === undefined ? data : [...data, wrapper];
}
