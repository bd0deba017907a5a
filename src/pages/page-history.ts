/** The history of the object of a page: the steps to its present state, the states that are known, and its action logs. */
import * as l10n from '@vscode/l10n';
import { getStateRoot } from '../cache/object-states.ts';
import type { Services } from '../commands/context.ts';
import type { KnownState } from '../logs/history/chain.ts';
import { HistoryController } from '../logs/history/history-controller.ts';
import { openStateDiff } from '../logs/history/state-diff.ts';
import type { LogsHooks } from '../logs/register.ts';
import { addRowNames } from '../logs/view/add-row-names.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
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

/** Reads the history once it is shown. */
export class PageHistory {
  readonly #options: PageHistoryOptions;
  readonly #controller: HistoryController;
  #shown: ObjectHistory | undefined;

  constructor(options: PageHistoryOptions) {
    const { services, readObject, onDidChange } = options;
    this.#options = options;
    this.#controller = new HistoryController({
      services,
      post: (history) => {
        this.#shown = history;
        onDidChange();
      },
      readObject,
    });
  }

  /** As it was posted last; `undefined` until it is read. */
  get shown(): ObjectHistory | undefined {
    return this.#shown;
  }

  /** Reads it, again with `refresh`. Never rejects. */
  async load(refresh: boolean): Promise<void> {
    const { connection, id } = this.#options.resource;
    if (refresh || this.#shown === undefined)
      await this.#controller.read({ connections: [connection], organizations: [], object: id, range: 'latest' });
  }

  /** Compares the states before and after a step. Rejects with Error if one is missing. */
  async diff(key: string): Promise<void> {
    const step = this.#controller.getStep(key);
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
    const { knownStates: states } = this.#controller;
    const root = getStateRoot(present);
    if (root === undefined || root === states.at(-1)?.root) return states;
    return [...states, { root, raw: present, step: (this.#shown?.steps.length ?? 0) - 1 }];
  }

  /** The states to compare; `undefined` while it is read, and if there is only one. */
  createTimeMachine(definition: ResourceDefinition, present: unknown, context: FieldContext): PageState['timeMachine'] {
    return this.#shown?.busy === false ? createTimeMachine(this.#getStates(present), definition, context) : undefined;
  }

  /** Its action logs. */
  createLogs(): NonNullable<PageState['logs']> {
    const { busy = true, problem } = this.#shown ?? {};
    const rows = this.#controller.rows.map((row) => addRowNames(this.#options.services, row));
    const note = problem ?? (!busy && rows.length === 0 ? l10n.t('No action logs that you can access') : undefined);
    return { busy, rows, ...(note !== undefined && { note }) };
  }

  dispose(): void {
    this.#controller.stop();
  }
}
