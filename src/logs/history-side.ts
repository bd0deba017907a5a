/** The history of an object as a view shows it: read when it is asked for, kept while another is read, told with what went wrong. */
import type { Services } from '../commands/entry.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import type { Filters, History } from '../webviews/protocol-logs.ts';
import type { LogEntry } from './entry.ts';
import type { Step } from './history.ts';
import { readHistory, type ReadHistory } from './object-history.ts';
import { seenStates } from './seen-states.ts';

export interface HistoryParts {
  readonly services: Services;
  readonly post: (history: History) => void;
  /** another one has been read */
  readonly changed: () => void;
}

export class HistorySide {
  readonly #parts: HistoryParts;
  #read: ReadHistory | undefined;
  #loading = new AbortController();

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  get history(): History | undefined {
    return this.#read?.history;
  }

  entryOf(key: string): LogEntry | undefined {
    return this.#read?.entries.find((entry) => entry.key === key);
  }

  stepOf(key: string): Step | undefined {
    return this.#read?.steps.find(({ entry }) => entry.key === key);
  }

  /** What was read, or, where that was cut off, what is read now. */
  show(filters: Filters): void {
    if (this.#read !== undefined) this.#parts.post(this.#read.history);
    else if (this.#loading.signal.aborted) void this.read(filters);
  }

  stop(): void {
    this.#loading.abort();
  }

  forget(): void {
    this.stop();
    this.#read = undefined;
  }

  async read({ object = '', connections: [connection = ''] }: Filters): Promise<void> {
    const { services, post, changed } = this.#parts;
    this.stop();
    const { signal } = (this.#loading = new AbortController());
    const session = services.sessions.get(connection);
    const none = { connection, object, title: plainText(object, 80), steps: [], verdict: '', tone: 'unknown' as const };
    post({ ...(this.history ?? none), busy: true });
    try {
      if (session === undefined) throw new Error(`there is no connection “${plainText(connection, 64)}” now`);
      if (session.signedOutBecause !== undefined) throw new Error(`not signed in: ${session.signedOutBecause}`);
      const states = await seenStates(services, connection, object);
      const stop = AbortSignal.any([signal, session.ended]);
      const read = await readHistory(session, object, states, stop, this.#read?.further);
      if (signal.aborted) return;
      this.#read = read;
      post(read.history);
      changed();
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const problem = errorText('Read history of object', error);
      post({ ...(this.history ?? none), busy: false, problem });
    }
  }
}
