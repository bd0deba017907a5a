/** Records requests for tests, without secrets: of a credential only its kind and hash. */
import { sha256 } from './generation/random.ts';

export interface RecordedRequest {
  readonly number: number;
  /** milliseconds of the machine's clock */
  readonly at: number;
  readonly method: string;
  /** as sent, without the query */
  readonly path: string;
  readonly route: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: readonly string[];
  readonly credential: { readonly kind: 'none' | 'apiKey' | 'token' | 'both'; readonly hash?: string };
  /** 0: the connection was closed without a response */
  status: number;
  fault?: string;
}

const MAX_RECORDED = 20_000;
const SECRET_PARAMETERS = new Set(['token', 'member_id']);

/** The last `MAX_RECORDED` requests, and counts by route. */
export class RequestRecorder {
  #requests: RecordedRequest[] = [];
  #number = 0;
  #counts: Record<string, number> = {};
  #executes = 0;

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** number of requests since the start */
  get total(): number {
    return this.#number;
  }

  /** number of executions that reached the rules, whether they took effect or were refused */
  get executes(): number {
    return this.#executes;
  }

  /** Counts one execution. */
  countExecute(): void {
    this.#executes++;
  }

  /** Records a request. The caller sets `status` and `fault` of the returned entry later. */
  add(request: {
    readonly method: string;
    readonly path: string;
    readonly route: string | undefined;
    readonly query: URLSearchParams;
    readonly headers: readonly string[];
    readonly apiKey: string | undefined;
    readonly token: string | undefined;
  }): RecordedRequest {
    const { apiKey, token, method, path, route } = request;
    const secrets = [apiKey, token].filter((value) => value !== undefined);
    const entry: RecordedRequest = {
      number: ++this.#number,
      at: Date.now(),
      method,
      path,
      route,
      query: Object.fromEntries(
        [...request.query].map(([name, value]) => [name, SECRET_PARAMETERS.has(name) ? '••••' : value]),
      ),
      headers: request.headers,
      credential: {
        kind: apiKey === undefined ? (token === undefined ? 'none' : 'token') : token === undefined ? 'apiKey' : 'both',
        ...(secrets.length > 0 && { hash: sha256(secrets.join(' ')).slice(0, 16) }),
      },
      status: 0,
    };
    if (this.#requests.length >= MAX_RECORDED) this.#requests = this.#requests.slice(MAX_RECORDED / 2);
    this.#requests.push(entry);
    const name = route ?? 'other';
    this.#counts[name] = (this.#counts[name] ?? 0) + 1;
    return entry;
  }

  /** Forgets all requests and counts. */
  reset(): void {
    this.#requests = [];
    this.#counts = {};
    this.#executes = 0;
  }
}
