/**
 * A test platform that records each execution in a ledger. Written from the contract without code of `src`, so that
 * client and server do not share mistakes. Listens on 127.0.0.1 and needs no credential.
 */
import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** A fault of one POST /ebus/execute, before or after the execution. */
export type Fault =
  | { readonly kind: 'reset' | 'hang'; readonly when: 'before' | 'after' }
  | {
      readonly kind: 'status';
      readonly when: 'before' | 'after';
      readonly status: number;
      readonly retryAfter?: string;
    }
  /** delivered twice, as by some proxies; the client gets the 409 of the second delivery */
  | { readonly kind: 'repeated' }
  /** 307 to a path of this server that executes the request */
  | { readonly kind: 'redirect' }
  /** half of the response, then the connection closes */
  | { readonly kind: 'half' }
  /** one byte every 2 ms */
  | { readonly kind: 'slow' }
  /** 200 with a web page */
  | { readonly kind: 'html' }
  /** not executed: the response is a copy of the last one that named an action, as of a gateway that caches */
  | { readonly kind: 'replayed' }
  /** executed: the response is that of the other POST with this fault, which is waited for */
  | { readonly kind: 'swapped' }
  /** executed: the response is a copy of the last one, and every later POST gets the response of the one before it */
  | { readonly kind: 'surplus' };

/** Behaviour of one execution, selected by the marker in its body. */
export interface Plan {
  readonly fault?: Fault;
  /** HTTP status of a successful response; default 200 */
  readonly status?: number;
  /** the 1-based step `at` of `of` steps fails, and nothing is changed */
  readonly failedStep?: { readonly at: number; readonly of: number; readonly error: string };
  /** levels of nesting in the step's output */
  readonly depth?: number;
  /** the response has no action id */
  readonly anonymous?: boolean;
  /** number of log reads before the log is listed; default 1 */
  readonly hiddenFor?: number;
  /** statuses of the log, one per read, then the last one; default pending, completed */
  readonly log?: readonly string[];
  /** additional fields of the log */
  readonly logFields?: Json;
  /** statuses of the batch, one per read, then the last one; empty: no batch; default pending, completed */
  readonly batch?: readonly string[];
  readonly batchError?: string;
}

/** Ledger entry of one marker. */
export interface Entry {
  readonly marker: string;
  /** number of POST requests with this marker */
  posts: number;
  /** number of executions */
  executed: number;
  /** time at which the response was sent or lost, in milliseconds of `now` */
  answered: number | undefined;
  /** ids of created and changed objects */
  readonly objects: string[];
  readonly actionIds: string[];
}

export interface LedgerOptions {
  /** milliseconds since the epoch; default `Date.now` */
  readonly now?: () => number;
  /** ignore the filter `action_id` and list every log */
  readonly ignoreActionId?: boolean;
  /** log ids differ from action ids, and logs contain no action id */
  readonly ownLogIds?: boolean;
  /** plan of markers without their own */
  readonly plan?: Plan;
  /** called with a complete POST, before it is processed */
  readonly onPost?: (marker: string) => void;
}

interface Execution {
  readonly actionId: string;
  readonly log: Json;
  readonly plan: Plan;
  readonly batchId: string;
  reads: number;
  batchReads: number;
}

interface Delivery {
  readonly status: number;
  readonly text: string;
}

export class LedgerServer {
  readonly entries = new Map<string, Entry>();
  /** GET requests by path */
  readonly reads = new Map<string, number>();
  readonly #options: LedgerOptions;
  readonly #plans = new Map<string, Plan>();
  readonly #executions: Execution[] = [];
  readonly #foreign: Json[] = [];
  readonly #objects = new Map<string, Json>();
  readonly #nonces = new Set<string>();
  readonly #server: http.Server;
  /** the last response that named an action */
  #last: Delivery | undefined;
  /** responses that are behind by one */
  readonly #behind: Delivery[] = [];
  #swapped: { readonly response: http.ServerResponse; readonly done: Delivery } | undefined;

  private constructor(options: LedgerOptions) {
    this.#options = options;
    this.#server = http.createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(options: LedgerOptions = {}): Promise<LedgerServer> {
    const ledger = new LedgerServer(options);
    await new Promise<void>((resolve) => ledger.#server.listen(0, '127.0.0.1', resolve));
    return ledger;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  plan(marker: string, plan: Plan): void {
    this.#plans.set(marker, plan);
  }

  entry(marker: string): Entry {
    let entry = this.entries.get(marker);
    if (entry === undefined) {
      entry = { marker, posts: 0, executed: 0, answered: undefined, objects: [], actionIds: [] };
      this.entries.set(marker, entry);
    }
    return entry;
  }

  /** Adds a log of another user. */
  addForeignLog(action: string, params: readonly unknown[], fields: Json = {}): void {
    this.#foreign.push(this.#createLog(`act_${randomUUID()}`, action, params, fields));
  }

  addObject(id: string): void {
    this.#objects.set(id, this.#createObject(id, {}));
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.baseUrl);
    const body = await readBody(request);
    const path = url.pathname;
    if (request.method === 'POST' && (path === '/ebus/execute' || path === '/elsewhere/ebus/execute')) {
      await this.#execute(body, response);
      return;
    }
    this.reads.set(path, (this.reads.get(path) ?? 0) + 1);
    if (path === '/ebus/action-logs') answer(response, 200, this.#logs(url.searchParams));
    else if (path.startsWith('/batches/')) this.#batch(path.slice('/batches/'.length), response);
    else if (path.startsWith('/objects/')) {
      const object = this.#objects.get(decodeURIComponent(path.slice('/objects/'.length)));
      if (object === undefined) answer(response, 404, { message: 'no such object' });
      else answer(response, 200, object);
    } else answer(response, 404, { message: 'no such endpoint' });
  }

  async #execute(text: string, response: http.ServerResponse): Promise<void> {
    const body = asObject(JSON.parse(text));
    const marker = getMarker(body);
    const entry = this.entry(marker);
    entry.posts++;
    this.#options.onPost?.(marker);
    const plan = this.#plans.get(marker) ?? this.#options.plan ?? {};
    const { fault } = plan;
    if (fault?.kind === 'redirect') {
      answer(response, 307, { message: 'moved' }, { location: '/elsewhere/ebus/execute' });
      return;
    }
    if (fault !== undefined && 'when' in fault && fault.when === 'before') {
      this.#fail(fault, response);
      return;
    }
    if (fault?.kind === 'replayed') {
      if (this.#last === undefined) response.destroy();
      else answer(response, this.#last.status, this.#last.text);
      return;
    }
    const last = this.#last;
    let done = this.#deliver(body, marker, plan);
    if (fault?.kind === 'repeated') done = this.#deliver(body, marker, plan);
    entry.answered = this.#now();
    if (fault?.kind === 'surplus' || this.#behind.length > 0) {
      this.#behind.push(done);
      done = (fault?.kind === 'surplus' ? last : this.#behind.shift()) ?? done;
    }
    if (fault?.kind === 'swapped') {
      const other = this.#swapped;
      this.#swapped = other === undefined ? { response, done } : undefined;
      if (other === undefined) return;
      answer(other.response, done.status, done.text);
      done = other.done;
    }
    if (fault !== undefined && 'when' in fault) this.#fail(fault, response);
    else if (fault?.kind === 'html') answer(response, 200, '<!doctype html><title>Welcome</title>');
    else if (fault?.kind === 'half') {
      response.writeHead(done.status, { 'content-type': 'application/json', 'content-length': done.text.length });
      response.write(done.text.slice(0, done.text.length >> 1), () => response.destroy());
    } else if (fault?.kind === 'slow') {
      response.writeHead(done.status, { 'content-type': 'application/json' });
      for (const letter of done.text.match(/.{1,20}/gs) ?? []) {
        response.write(letter);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      response.end();
    } else answer(response, done.status, done.text);
  }

  #fail(fault: Extract<Fault, { readonly when: unknown }>, response: http.ServerResponse): void {
    if (fault.kind === 'reset') response.destroy();
    if (fault.kind !== 'status') return;
    const { status, retryAfter } = fault;
    answer(
      response,
      status,
      { message: `failed with ${String(status)}` },
      retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    );
  }

  /** Executes one delivery of a request. */
  #deliver(body: Json, marker: string, plan: Plan): Delivery {
    const nonce = body['nonce'];
    if (typeof nonce === 'string') {
      if (this.#nonces.has(nonce))
        return { status: 409, text: JSON.stringify({ code: 'duplicate', message: 'nonce was used' }) };
      this.#nonces.add(nonce);
    }
    const entry = this.entry(marker);
    const [action = '', fields] = Object.entries(asObject(body['action']))[0] ?? [];
    const actionId = `act_${randomUUID()}`;
    entry.actionIds.push(actionId);
    const { failedStep, depth } = plan;
    if (failedStep === undefined) {
      entry.executed++;
      entry.objects.push(...this.#apply(action, asObject(fields)));
    }
    const log = this.#createLog(this.#options.ownLogIds === true ? `log_${randomUUID()}` : actionId, action, [fields], {
      ...(typeof body['signature'] === 'string' && { signature: body['signature'] }),
      affected_objects: entry.objects.map((id) => ({ id, template_id: 'tpl_1', next_state_root: hash(`${id} after`) })),
      ...plan.logFields,
    });
    this.#executions.push({ actionId, log, plan, batchId: `bat_${randomUUID()}`, reads: 0, batchReads: 0 });
    const output = { ids: entry.objects, ...(depth !== undefined && { nested: '@' }) };
    const steps = Array.from({ length: failedStep?.of ?? 1 }, (_none, index) =>
      index + 1 === failedStep?.at ? { action, error: failedStep.error } : { action, output },
    );
    const text = JSON.stringify({ ...(plan.anonymous !== true && { action_id: actionId }), steps });
    const nested = '{"a":'.repeat(depth ?? 0) + '1' + '}'.repeat(depth ?? 0);
    const done = { status: plan.status ?? 200, text: text.replaceAll('"@"', nested) };
    if (plan.anonymous !== true) this.#last = done;
    return done;
  }

  #apply(action: string, fields: Json): readonly string[] {
    const id = action === 'mint' ? `obj_${randomUUID()}` : String(fields['id']);
    this.#objects.set(id, this.#createObject(id, asObject(asObject(fields['data'])['custom'])));
    return [id];
  }

  #createObject(id: string, custom: Json): Json {
    const when = new Date(this.#now()).toISOString();
    return {
      id,
      org_id: 'org_1',
      custom,
      metadata: { name: 'Thing' },
      owner: `0x${'11'.repeat(20)}`,
      template_id: 'tpl_1',
      nonce: 1,
      version: 1,
      state_root: hash(JSON.stringify([id, custom])),
      when_created: when,
      when_modified: when,
    };
  }

  #createLog(id: string, action: string, params: readonly unknown[], fields: Json): Json {
    const when = new Date(this.#now()).toISOString();
    return {
      id,
      wallet_id: 'wal_1',
      action_name: action,
      params,
      params_hash: hash(JSON.stringify(params)),
      signer: `0x${'22'.repeat(20)}`,
      signature: hash(id),
      state_root: hash(`${id} root`),
      status: 'completed',
      fee: '0.003',
      version: 1,
      when_modified: when,
      when_created: when,
      ...fields,
    };
  }

  /** A page of logs, newest first; the token of the next page is the number of logs before it. */
  #logs(query: URLSearchParams): Json {
    const filters = ['id', 'action_id', 'object_id', 'status'].filter((name) => query.has(name));
    const within = (log: Json): boolean => {
      const when = Date.parse(String(log['when_created']));
      const [after, before] = ['$gte', '$lte'].map((edge) => Date.parse(query.get(`when_created[${edge}]`) ?? ''));
      return !(when < (after ?? NaN)) && !(when > (before ?? NaN));
    };
    const passes = (log: Json, actionId: string | undefined): boolean =>
      within(log) &&
      filters.every((name) => {
        const wanted = query.get(name);
        if (name === 'action_id') return this.#options.ignoreActionId === true || actionId === wanted;
        if (name === 'object_id') return JSON.stringify(log['affected_objects'] ?? []).includes(JSON.stringify(wanted));
        return log[name] === wanted;
      });
    const own = this.#executions
      .filter(({ log, actionId }) => passes(log, actionId))
      .map((execution) => getVisibleLog(execution))
      .filter((log) => log !== undefined);
    const foreign = this.#foreign.filter((log) => passes(log, undefined));
    const limit = Math.min(100, Number(query.get('limit') ?? 25));
    const all = [...foreign, ...own].sort((a, b) => String(b['when_created']).localeCompare(String(a['when_created'])));
    const end = Number(query.get('next') ?? 0) + limit;
    return { action_logs: all.slice(end - limit, end), ...(end < all.length && { next: String(end) }) };
  }

  #batch(id: string, response: http.ServerResponse): void {
    const execution = this.#executions.find(({ batchId }) => batchId === id);
    if (execution === undefined) {
      answer(response, 404, { message: 'no such batch' });
      return;
    }
    const status = at(execution.plan.batch ?? ['pending', 'completed'], execution.batchReads++);
    answer(response, 200, {
      id,
      hash: hash(id),
      sender: `0x${'33'.repeat(20)}`,
      l1_tx_hash: hash(`tx ${id}`),
      l1_block_num: 1,
      commitment: hash(`commitment ${id}`),
      affected_actions: [{ id: execution.actionId, hash: hash(execution.actionId) }],
      actions_count: 1,
      version: 1,
      status,
      ...(status === 'failed' && execution.plan.batchError !== undefined && { error: execution.plan.batchError }),
      when_created: new Date(this.#now()).toISOString(),
    });
  }
}

/** The log as of this read; `undefined` while it is not listed. */
function getVisibleLog(execution: Execution): Json | undefined {
  const { plan, log, batchId } = execution;
  const readIndex = execution.reads++ - (plan.hiddenFor ?? 1);
  if (readIndex < 0) return undefined;
  const usual = plan.failedStep === undefined ? ['pending', 'completed'] : ['failed'];
  const status = at(plan.log ?? usual, readIndex);
  const batched = ['completed', 'failed'].includes(status) && (plan.batch ?? ['-']).length > 0;
  return { ...log, status, ...(batched && { batch_id: batchId }) };
}

function at(list: readonly string[], index: number): string {
  return list[Math.min(index, list.length - 1)] ?? '';
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** `data.custom.marker` of the action. */
function getMarker(body: Json): string {
  const fields = asObject(Object.values(asObject(body['action']))[0]);
  const marker: unknown = asObject(asObject(fields['data'])['custom'])['marker'];
  return typeof marker === 'string' ? marker : '';
}

function hash(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

function answer(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): void {
  const html = typeof body === 'string' && body.startsWith('<');
  response.writeHead(status, { 'content-type': html ? 'text/html' : 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
