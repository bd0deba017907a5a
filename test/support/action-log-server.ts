/**
 * A platform server for tests of the action logs, written from the API contract: `GET /ebus/action-logs` over a ledger of
 * its own, on a virtual clock. Shares no code with the product.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Order of a list. `arrival`: as published. `shuffled`: by id. `reshuffled`: different for each list. */
export const orders = ['ascending', 'descending', 'arrival', 'shuffled', 'reshuffled'] as const;
export type Order = (typeof orders)[number];

export const faults = [
  'internalError',
  'badGateway',
  'unavailable',
  'tooMany',
  'reset',
  'cutBody',
  'silence',
  'lostCursor',
  'repeatedCursor',
  'nullList',
  'halfPage',
  'badItem',
] as const;
export type Fault = (typeof faults)[number];

/** A virtual clock in milliseconds. Timers run only inside `advance`. */
export class VirtualClock {
  #now: number;
  #timers: { readonly due: number; readonly run: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Runs `run` once after `milliseconds`. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, milliseconds), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Rejects when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancel();
        reject(new Error('aborted'));
      };
      const cancel = this.after(milliseconds, () => {
        signal?.removeEventListener('abort', end);
        resolve();
      });
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Due time of the next timer; `undefined` without timers. */
  get next(): number | undefined {
    return this.#timers.length === 0 ? undefined : Math.min(...this.#timers.map(({ due }) => due));
  }

  /** Advances to a time and runs the timers that are due, in order. */
  advanceTo(moment: number): void {
    for (;;) {
      const due = this.#timers.filter((timer) => timer.due <= moment).sort((a, b) => a.due - b.due)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.due);
      due.run();
    }
    this.#now = Math.max(this.#now, moment);
  }
}

/** A log of the ledger. Times are milliseconds of the server's clock. */
export interface LedgerLog {
  readonly id: string;
  readonly created: number;
  /** when lists first contain it */
  readonly visible: number;
  /** when its status becomes final */
  readonly settles: number;
  readonly final: 'completed' | 'failed';
}

export interface ActionLogServerOptions {
  readonly clock: VirtualClock;
  /** milliseconds that the server's clock is ahead of `clock` */
  readonly ahead?: number;
  readonly order?: Order;
  /** maximum page size, whatever the request's limit */
  readonly maxItems?: number;
  /** milliseconds of virtual time that each answer takes */
  readonly latency?: number;
  /** chosen for each request */
  readonly fault?: (request: number) => Fault | undefined;
  /** Answers instead of the ledger. Returns undefined for the usual answer. */
  readonly answer?: (query: URLSearchParams, request: number) => unknown;
  readonly sendsDate?: boolean;
  /** seconds that the fault `tooMany` asks to wait; default 1 */
  readonly retryAfter?: number;
}

/** Spreads ids: 32 bits. */
function hash(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export class ActionLogServer {
  readonly #options: ActionLogServerOptions;
  readonly #server: http.Server;
  /** sorted by time of creation when read */
  readonly #logs: LedgerLog[] = [];
  #isUnsorted = false;
  /** of the last lists, as sorting takes longer than all else */
  readonly #windows = new Map<string, readonly LedgerLog[]>();
  readonly #silent = new Set<http.ServerResponse>();
  /** virtual times of the requests */
  readonly requests: number[] = [];
  #lists = 0;
  order: Order;

  private constructor(options: ActionLogServerOptions) {
    this.#options = options;
    this.order = options.order ?? 'descending';
    this.#server = http.createServer((request, response) => {
      this.#handle(request, response);
    });
  }

  static async start(options: ActionLogServerOptions): Promise<ActionLogServer> {
    const platform = new ActionLogServer(options);
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve));
    return platform;
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${String(port)}`;
  }

  /** Requests that will never be answered. */
  get silent(): number {
    return this.#silent.size;
  }

  /** The server's clock. */
  now(): number {
    return this.#options.clock.now() + (this.#options.ahead ?? 0);
  }

  add(log: LedgerLog): void {
    this.#logs.push(log);
    this.#isUnsorted = true;
    this.#windows.clear();
  }

  /** The current status. */
  getStatus(log: LedgerLog): string {
    return this.now() < log.settles ? 'pending' : log.final;
  }

  /** Highest number of requests within any period of this many milliseconds. */
  maxRequestsWithin(length: number): number {
    let max = 0;
    let from = 0;
    this.requests.forEach((time, index) => {
      while ((this.requests[from] ?? time) <= time - length) from++;
      max = Math.max(max, index - from + 1);
    });
    return max;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { clock, latency = 30, fault: chooseFault, answer, sendsDate = true, retryAfter = 1 } = this.#options;
    const url = new URL(request.url ?? '/', 'http://server');
    const number = this.requests.push(clock.now());
    if (!sendsDate) response.sendDate = false;
    else response.setHeader('date', new Date(this.now()).toUTCString());
    const fault = chooseFault?.(number);
    if (fault === 'silence') {
      this.#silent.add(response);
      response.on('close', () => this.#silent.delete(response));
      return;
    }
    clock.advanceTo(clock.now() + latency);
    if (fault === 'reset') {
      request.socket.destroy();
      return;
    }
    const status = { internalError: 500, badGateway: 502, unavailable: 503, tooMany: 429 }[String(fault)];
    if (status !== undefined) {
      response.writeHead(status, {
        'content-type': 'text/html',
        ...(status === 429 && { 'retry-after': String(retryAfter) }),
      });
      response.end('<html>sorry</html>');
      return;
    }
    const logs = url.pathname === '/ebus/action-logs';
    const body = (logs ? answer?.(url.searchParams, number) : undefined) ?? this.#list(url, fault);
    response.setHeader('content-type', 'application/json');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (fault === 'cutBody') {
      response.setHeader('content-length', Buffer.byteLength(text));
      response.write(text.slice(0, text.length / 2));
      request.socket.end();
      return;
    }
    response.end(text);
  }

  #list({ pathname, searchParams: query }: URL, fault: Fault | undefined): unknown {
    if (pathname !== '/ebus/action-logs') return { action_logs: [] };
    const { maxItems = 100 } = this.#options;
    const now = this.now();
    const limit = Math.min(Number(query.get('limit') ?? 25), maxItems);
    const token = query.get('next');
    const [at, list] = token === null ? [0, ++this.#lists] : token.split('.').map(Number);
    const bound = (name: string): number => {
      const text = query.get(`when_created[${name}]`) ?? '';
      // Seconds since the epoch, or a date.
      return /^\d{10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
    };
    const [from, to] = [bound('$gte'), bound('$lt')];
    const [id, status] = [query.get('id'), query.get('status')];
    const found = this.#getSortedWindow(from, to, list ?? 0).filter(
      (log) =>
        log.visible <= now && (id === null || log.id === id) && (status === null || this.getStatus(log) === status),
    );
    const start = at ?? 0;
    const page = found.slice(start, start + limit);
    const next = start + limit < found.length ? `${String(start + limit)}.${String(list)}` : undefined;
    const items: unknown[] = page.map((log) => this.#item(log));
    if (fault === 'nullList') return { action_logs: null };
    if (fault === 'halfPage') return { action_logs: items.slice(0, items.length / 2) };
    if (fault === 'lostCursor') return { action_logs: items, next: '' };
    if (fault === 'repeatedCursor' && token !== null) return { action_logs: items, next: token };
    if (fault === 'badItem') items.splice(items.length / 2, 0, 'not an object', null, { status: 'completed' });
    return { action_logs: items, ...(next !== undefined && { next }) };
  }

  /** Those of `#getWindow` in the order of a list. */
  #getSortedWindow(from: number, to: number, list: number): readonly LedgerLog[] {
    const seed = this.order === 'reshuffled' ? list : 7;
    const key = [this.order, seed, from, to].join(' ');
    const sorted = this.#windows.get(key) ?? this.#sort(this.#getWindow(from, to), seed);
    if (this.#windows.size > 20) this.#windows.clear();
    this.#windows.set(key, sorted);
    return sorted;
  }

  /** Logs created in [from, to); NaN: unbounded. */
  #getWindow(from: number, to: number): LedgerLog[] {
    if (this.#isUnsorted) this.#logs.sort((a, b) => a.created - b.created);
    this.#isUnsorted = false;
    return this.#logs.slice(
      Number.isNaN(from) ? 0 : this.#countBefore(from),
      Number.isNaN(to) ? undefined : this.#countBefore(to),
    );
  }

  #countBefore(time: number): number {
    let [low, high] = [0, this.#logs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#logs[middle]?.created ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(logs: readonly LedgerLog[], seed: number): readonly LedgerLog[] {
    const key: Readonly<Record<Order, (log: LedgerLog) => number>> = {
      ascending: ({ created }) => created,
      descending: ({ created }) => -created,
      arrival: ({ visible }) => visible,
      shuffled: ({ id }) => hash(id, seed),
      reshuffled: ({ id }) => hash(id, seed),
    };
    const keyed = logs.map((log) => [key[this.order](log), log] as const).sort(([a], [b]) => a - b);
    return keyed.map(([, log]) => log);
  }

  #item(log: LedgerLog): object {
    const status = this.getStatus(log);
    return {
      id: log.id,
      action_name: 'update',
      params: [{ id: 'obj_1', data: {} }],
      params_hash: '0x1',
      signer: '0xabc',
      signature: '0x2',
      affected_objects: [{ id: 'obj_1', template_id: 't', prev_state_root: '0x3', next_state_root: '0x4' }],
      status,
      fee: '0.001',
      version: 1,
      when_created: new Date(log.created).toISOString(),
      when_modified: new Date(status === 'pending' ? log.visible : log.settles).toISOString(),
    };
  }
}
