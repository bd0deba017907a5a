/** The history of the object of a page: the steps to its present state, the states that are known, and its action logs. */
import * as l10n from '@vscode/l10n';
import { getStateRoot } from '../cache/object-states.ts';
import type { Services } from '../commands/context.ts';
import { listKnownStates, type KnownState } from '../logs/history/chain.ts';
import { readKnownStates } from '../logs/history/known-states.ts';
import { readHistory, type HistoryResult } from '../logs/history/read-history.ts';
import { openStateDiff } from '../logs/history/state-diff.ts';
import type { LogsHooks } from '../logs/register.ts';
import { addRowNames, addSignerLabel } from '../logs/view/add-row-names.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { formatError } from '../model/text/error-message.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { ObjectHistory } from '../webviews/protocol/logs.ts';
import type { PageState } from '../webviews/protocol/page.ts';
import type { FieldContext } from './fields.ts';
import { createTimeMachine } from './time-machine.ts';

interface PageHistoryOptions {
  readonly resource: ResourceArgument;
  readonly services: Services;
  readonly logs: LogsHooks;
  /** reads the object; rejects with PlatformError */
  readonly readObject: () => Promise<unknown>;
  readonly onDidChange: () => void;
}

/** Reads the history once it is shown. The last one stays while another is read or reading fails. */
export class PageHistory {
  readonly #options: PageHistoryOptions;
  #result: HistoryResult | undefined;
  /** the known states along the history, oldest first */
  #states: readonly KnownState[] = [];
  #shown: ObjectHistory | undefined;
  #loading = new AbortController();

  constructor(options: PageHistoryOptions) {
    this.#options = options;
  }

  /** With the labels of its signers; `undefined` until it is read. */
  get shown(): ObjectHistory | undefined {
    const { labels } = this.#options.services;
    return this.#shown && { ...this.#shown, steps: this.#shown.steps.map((step) => addSignerLabel(labels, step)) };
  }

  /** Reads it, again with `refresh`. Never rejects: a failure is shown. */
  async load(refresh: boolean): Promise<void> {
    if (!refresh && this.#shown !== undefined) return;
    const { resource, services, readObject } = this.#options;
    const { connection, id: object } = resource;
    this.dispose();
    const { signal } = (this.#loading = new AbortController());
    const session = services.sessions.get(connection);
    const none: ObjectHistory = { object, steps: [], verdict: '', tone: 'unknown', busy: true };
    const former = this.#result?.history ?? none;
    this.#show({ ...former, busy: true });
    try {
      if (session === undefined)
        throw new Error(l10n.t('the connection “{0}” does not exist', toPlainText(connection, 64)));
      if (session.signedOutReason !== undefined) throw new Error(l10n.t('not signed in: {0}', session.signedOutReason));
      const states = await readKnownStates(services, connection, object);
      const anySignal = AbortSignal.any([signal, session.ended]);
      const limits = this.#result?.nextLimits;
      const result = await readHistory(session, object, states, anySignal, limits, readObject);
      if (signal.aborted) return;
      this.#result = result;
      this.#states = listKnownStates(result.steps, states);
      this.#show(result.history);
    } catch (error) {
      if (signal.aborted) return;
      this.#show({ ...former, busy: false, problem: formatError(l10n.t('Read object history'), error) });
    }
  }

  #show(history: ObjectHistory): void {
    this.#shown = history;
    this.#options.onDidChange();
  }

  /** Compares the states before and after a step. Rejects with Error if one is missing. */
  async diff(key: string): Promise<void> {
    const step = this.#result?.steps.find(({ entry }) => entry.key === key);
    if (step === undefined) return;
    const { logs, services, resource } = this.#options;
    // Provides the documents to compare.
    await logs.controller();
    const { alias, action } = step.entry.row;
    await openStateDiff(services, resource.connection, resource.id, step, alias || action);
  }

  /** A state by its root. `present`: the object as it was read last. */
  getState(root: string, present: unknown): unknown {
    return this.#getStates(present).find((state) => state.root === root)?.raw;
  }

  /** With the present one if no log leads to it. */
  #getStates(present: unknown): readonly KnownState[] {
    const states = this.#states;
    const root = getStateRoot(present);
    if (root === undefined || root === states.at(-1)?.root) return states;
    return [...states, { root, raw: present, step: (this.#shown?.steps.length ?? 0) - 1 }];
  }

  /** The states to compare; `undefined` while it is read, and if there is only one. */
  createTimeMachine(definition: ResourceDefinition, present: unknown, context: FieldContext): PageState['timeMachine'] {
    return this.#shown?.busy === false ? createTimeMachine(this.#getStates(present), definition, context) : undefined;
  }

  /** Its action logs. `isLoading`: the page is read, and then the history. */
  createLogs(isLoading: boolean): NonNullable<PageState['logs']> {
    const { busy = isLoading, problem } = this.#shown ?? {};
    const newestFirst = (this.#result?.entries ?? []).map(({ row }) => row).toSorted((a, b) => b.time - a.time);
    const rows = newestFirst.map((row) => addRowNames(this.#options.services, row));
    const isEmpty = this.#shown?.busy === false && rows.length === 0;
    const note = problem ?? (isEmpty ? l10n.t('No action logs that you can access') : undefined);
    return { busy, rows, ...(note !== undefined && { note }) };
  }

  dispose(): void {
    this.#loading.abort();
  }
}
