import * as l10n from '@vscode/l10n';
import { createTitleLookup } from '../../cache/title-lookup.ts';
import type { Services } from '../../commands/context.ts';
import { formatError, isCancelled } from '../../model/text/error-message.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { Filters, LogRow, ObjectHistory } from '../../webviews/protocol/logs.ts';
import type { LogEntry } from '../entry.ts';
import { listKnownStates, type KnownState, type Step } from './chain.ts';
import { readHistory, type HistoryResult } from './read-history.ts';
import { readKnownStates } from './known-states.ts';

interface HistoryControllerOptions {
  readonly services: Services;
  readonly post: (history: ObjectHistory) => void;
  /** Returns the object's present JSON; default: it is requested. */
  readonly readObject?: () => Promise<unknown>;
}

/** Reads the history of an object for a view. The last one stays while another is read or reading fails. */
export class HistoryController {
  readonly #options: HistoryControllerOptions;
  #result: HistoryResult | undefined;
  #states: readonly KnownState[] = [];
  #loading = new AbortController();

  constructor(options: HistoryControllerOptions) {
    this.#options = options;
  }

  get history(): ObjectHistory | undefined {
    return this.#result?.history;
  }

  /** The rows of the logs, the newest first. */
  get rows(): readonly LogRow[] {
    return (this.#result?.entries ?? []).map(({ row }) => row).toSorted((a, b) => b.time - a.time);
  }

  /** The known states along the history, oldest first. */
  get knownStates(): readonly KnownState[] {
    return this.#states;
  }

  getEntry(key: string): LogEntry | undefined {
    return this.#result?.entries.find((entry) => entry.key === key);
  }

  getStep(key: string): Step | undefined {
    return this.#result?.steps.find(({ entry }) => entry.key === key);
  }

  /** Posts the last history. Returns false if there is none because reading was stopped. */
  show(): boolean {
    if (this.#result !== undefined) this.#options.post(this.#result.history);
    return this.#result !== undefined || !this.#loading.signal.aborted;
  }

  stop(): void {
    this.#loading.abort();
  }

  clear(): void {
    this.stop();
    this.#result = undefined;
    this.#states = [];
  }

  /** Reads and posts the history. Never rejects: a failure is posted. */
  async read({ object = '', connections: [connection = ''] }: Filters): Promise<void> {
    const { services, post, readObject } = this.#options;
    this.stop();
    const { signal } = (this.#loading = new AbortController());
    const session = services.sessions.get(connection);
    const emptyHistory = {
      connection,
      object,
      title: toPlainText(object, 80),
      steps: [],
      verdict: '',
      tone: 'unknown' as const,
    };
    post({ ...(this.history ?? emptyHistory), busy: true });
    try {
      if (session === undefined)
        throw new Error(l10n.t('the connection “{0}” does not exist', toPlainText(connection, 64)));
      if (session.signedOutReason !== undefined) throw new Error(l10n.t('not signed in: {0}', session.signedOutReason));
      const states = await readKnownStates(services, connection, object);
      const anySignal = AbortSignal.any([signal, session.ended]);
      const limits = this.#result?.nextLimits;
      const getTitle = createTitleLookup(services, [connection]);
      const result = await readHistory(session, object, states, anySignal, limits, readObject, getTitle);
      if (signal.aborted) return;
      this.#result = result;
      this.#states = listKnownStates(result.steps, states);
      post(result.history);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const problem = formatError(l10n.t('Read object history'), error);
      post({ ...(this.history ?? emptyHistory), busy: false, problem });
    }
  }
}
