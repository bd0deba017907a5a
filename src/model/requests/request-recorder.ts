/** Records the requests of all connections, once something wants to show them. */
import type { RequestTrace, TraceableRecord } from '../../platform/requests/request-trace.ts';
import { RequestHistory, type RecordedRequest } from './request-history.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';
import { Listeners } from '../listeners.ts';

/** Keeps nothing, and masks nothing, until `start` is called. All in memory: a reload of the window drops it. */
export class RequestRecorder {
  readonly #histories = new Map<string, RequestHistory>();
  readonly #changed = new Listeners<string>();
  /** Calls back with the connection when its requests change. */
  readonly onDidChange = this.#changed.add;
  #isStarted = false;

  /** Records requests from now on. */
  start(): void {
    this.#isStarted = true;
  }

  /** `containsSecret`: the text has a secret that masking may not find; headers and bodies with it are not kept. */
  record(connection: string, record: TraceableRecord, containsSecret: (text: string) => boolean): void {
    if (!this.#isStarted) return;
    const { details, ...trace }: RequestTrace = record.getTrace();
    const isKept = details !== undefined && !containsSecret(JSON.stringify(details));
    const history = getOrAdd(this.#histories, connection, () => new RequestHistory());
    history.add(isKept ? { ...trace, details } : trace);
    this.#changed.fire(connection);
  }

  /** The requests of a connection, the oldest first. */
  get(connection: string): readonly RecordedRequest[] {
    return this.#histories.get(connection)?.requests ?? [];
  }

  /** The names of the connections that have requests. */
  get connections(): readonly string[] {
    return [...this.#histories].flatMap(([name, { requests }]) => (requests.length === 0 ? [] : [name]));
  }

  /** Drops the requests of a connection. */
  clear(connection: string): void {
    this.#histories.get(connection)?.clear();
    this.#changed.fire(connection);
  }
}
