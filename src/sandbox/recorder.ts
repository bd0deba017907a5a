/** What was asked of the sandbox, for tests: never a secret, only which kind of credential came and its hash. */
import { sha256 } from './random.ts';

export interface Recorded {
  readonly number: number;
  /** milliseconds of the machine's clock */
  readonly at: number;
  readonly method: string;
  /** as it was sent, without the query */
  readonly path: string;
  readonly route: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: readonly string[];
  readonly credential: { readonly kind: 'none' | 'apiKey' | 'token' | 'both'; readonly hash?: string };
  /** 0: the connection was ended without an answer */
  status: number;
  fault?: string;
}

const KEPT = 20_000;
const SECRET = new Set(['token', 'member_id']);

export class Recorder {
  #requests: Recorded[] = [];
  #number = 0;
  #counts: Record<string, number> = {};
  #executes = 0;

  get requests(): readonly Recorded[] {
    return this.#requests;
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** how many executions took effect or were refused by a rule: those that reached the platform */
  get executes(): number {
    return this.#executes;
  }

  countExecute(): void {
    this.#executes++;
  }

  add(of: {
    readonly method: string;
    readonly path: string;
    readonly route: string | undefined;
    readonly query: URLSearchParams;
    readonly headers: readonly string[];
    readonly apiKey: string | undefined;
    readonly token: string | undefined;
  }): Recorded {
    const { apiKey, token, method, path, route } = of;
    const secrets = [apiKey, token].filter((value) => value !== undefined);
    const entry: Recorded = {
      number: ++this.#number,
      at: Date.now(),
      method,
      path,
      route,
      query: Object.fromEntries([...of.query].map(([name, value]) => [name, SECRET.has(name) ? '••••' : value])),
      headers: of.headers,
      credential: {
        kind: apiKey === undefined ? (token === undefined ? 'none' : 'token') : token === undefined ? 'apiKey' : 'both',
        ...(secrets.length > 0 && { hash: sha256(secrets.join(' ')).slice(0, 16) }),
      },
      status: 0,
    };
    if (this.#requests.length >= KEPT) this.#requests = this.#requests.slice(KEPT / 2);
    this.#requests.push(entry);
    const name = route ?? 'other';
    this.#counts[name] = (this.#counts[name] ?? 0) + 1;
    return entry;
  }

  reset(): void {
    this.#requests = [];
    this.#counts = {};
    this.#executes = 0;
  }
}
