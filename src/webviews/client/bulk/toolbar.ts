/** Buttons, pace and filter of a batch. The elements are made once, so that they keep the focus. */
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import {
  MAX_CONCURRENCY,
  MAX_RATE,
  ROW_FILTERS,
  type BulkRow,
  type BulkState,
  type Phase,
  type RowFilter,
  type bulkProtocol,
} from '../../protocol/bulk.ts';
import { createButton, createToolButton } from '../controls.ts';
import { h, replaceChildren, setText } from '../dom.ts';
import type { Post } from '../host-connection.ts';
import { STATE_LABELS } from './rows.ts';

interface ToolbarActions {
  readonly post: Post<typeof bulkProtocol>;
  /** for the row of the cursor */
  readonly settleRow: () => void;
  readonly dryRun: () => void;
}

const FILTER_LABELS: Readonly<Record<RowFilter, string>> = {
  all: l10n.t('All'),
  problems: l10n.t('Problems'),
  ...STATE_LABELS,
};

/** The controls above the grid. */
export class BulkToolbar {
  readonly element: HTMLElement;
  readonly #run: HTMLButtonElement;
  readonly #reload: HTMLButtonElement;
  readonly #pause: HTMLButtonElement;
  readonly #continue: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #runFailed: HTMLButtonElement;
  readonly #settle: HTMLButtonElement;
  readonly #settleRow: HTMLButtonElement;
  readonly #dryRun: HTMLButtonElement;
  readonly #export: HTMLButtonElement;
  readonly #filter: HTMLSelectElement;
  readonly #concurrency: HTMLInputElement;
  readonly #rate: HTMLInputElement;
  /** The button that had the focus last, until another element of the page gets it. */
  #lastFocused: HTMLButtonElement | undefined;

  constructor({ post, settleRow, dryRun }: ToolbarActions) {
    addEventListener('focusin', ({ target }) => {
      this.#lastFocused = this.#buttons.find((button) => button === target);
    });
    // A dialog returns the focus to the page and not to a button.
    addEventListener('focus', () => this.#restoreFocus());
    const createPostButton = (
      name: 'run' | 'reload' | 'pause' | 'continue' | 'stop' | 'runFailed' | 'settle',
      kind: 'primary' | 'secondary',
      label?: string,
    ): HTMLButtonElement => createButton({ class: kind, name, onClick: () => post(name, {}) }, label);
    this.#run = createPostButton('run', 'primary');
    this.#reload = createPostButton('reload', 'primary', l10n.t('Retry'));
    this.#pause = createPostButton('pause', 'secondary', l10n.t('Pause'));
    this.#continue = createPostButton('continue', 'primary', l10n.t('Continue'));
    this.#stop = createPostButton('stop', 'secondary', l10n.t('Stop After Current Rows'));
    this.#runFailed = createPostButton('runFailed', 'secondary');
    this.#settle = createPostButton('settle', 'secondary');
    this.#settleRow = createToolButton({ label: l10n.t('Settle Row…'), onClick: settleRow });
    this.#dryRun = createToolButton({ label: l10n.t('Preview Row'), onClick: dryRun });
    this.#export = createToolButton({ label: l10n.t('Export Results…'), onClick: () => post('export', {}) });
    this.#filter = h('select', {
      on: {
        change: () => {
          const chosen = ROW_FILTERS.find((filter) => filter === this.#filter.value);
          if (chosen !== undefined) post('filter', { filter: chosen });
        },
      },
    });
    const setPace = (): void => {
      const rate = this.#rate.valueAsNumber;
      if (!this.#concurrency.checkValidity() || !this.#rate.checkValidity() || this.#concurrency.value === '') return;
      post('setPace', { concurrency: this.#concurrency.valueAsNumber, ...(!Number.isNaN(rate) && { rate }) });
    };
    this.#concurrency = createNumberInput({ min: 1, max: MAX_CONCURRENCY, step: 1 }, setPace);
    this.#rate = createNumberInput({ min: 0.1, max: MAX_RATE, step: 'any', placeholder: l10n.t('no limit') }, setPace);
    this.element = h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Batch') },
      h(
        'span',
        { class: 'group' },
        this.#run,
        this.#reload,
        this.#pause,
        this.#continue,
        this.#stop,
        this.#runFailed,
        this.#settle,
      ),
      h('span', { class: 'group' }, this.#dryRun, this.#settleRow, this.#export),
      h('span', { class: 'spring' }),
      h(
        'span',
        { class: 'settings' },
        h('label', { class: 'group' }, l10n.t('Concurrent rows'), this.#concurrency),
        h('label', { class: 'group' }, l10n.t('Rows per second'), this.#rate),
        h('label', { class: 'group' }, l10n.t('Show'), this.#filter),
      ),
    );
  }

  /** Updates the controls. `row`: that of the cursor. A focused button that goes passes the focus on. */
  render(state: BulkState, row: BulkRow | undefined): void {
    const isLost = (): boolean => this.#lastFocused !== undefined && isGone(this.#lastFocused);
    const wasLost = isLost();
    this.#update(state, row);
    if (wasLost || isLost()) this.#restoreFocus();
  }

  /** In the order in which they take the place of another. */
  get #buttons(): readonly HTMLButtonElement[] {
    return [
      this.#pause,
      this.#continue,
      this.#run,
      this.#reload,
      this.#runFailed,
      this.#settle,
      this.#stop,
      this.#settleRow,
      this.#export,
      this.#dryRun,
    ];
  }

  /** Focuses the button that had the focus last, or the first that takes its place. Takes no focus from the workbench. */
  #restoreFocus(): void {
    if (this.#lastFocused === undefined || !document.hasFocus()) return;
    [this.#lastFocused, ...this.#buttons].find((button) => !isGone(button))?.focus();
  }

  #update(state: BulkState, row: BulkRow | undefined): void {
    const { phase, counts, canRun, canReload, concurrency, rate, settleable } = state;
    setText(this.#run, formatRunLabel(state));
    this.#run.hidden = isActive(phase) || canReload || (phase === 'ended' && !canRun);
    this.#run.disabled = !canRun;
    this.#reload.hidden = !canReload;
    this.#pause.hidden = phase !== 'running';
    this.#continue.hidden = phase !== 'paused';
    this.#stop.hidden = !isActive(phase);
    this.#stop.disabled = phase === 'stopping';
    const failed = counts.failed + counts.refused;
    setText(this.#runFailed, l10n.t('Run Failed Rows Again ({0})…', formatNumber(failed)));
    this.#runFailed.hidden = failed === 0 || isActive(phase);
    setText(this.#settle, l10n.t('Settle {0} by Their Logs…', formatNumber(settleable)));
    this.#settle.hidden = settleable === 0;
    this.#settleRow.hidden = counts.unknown === 0 || isActive(phase);
    this.#settleRow.disabled = row?.state !== 'unknown';
    this.#dryRun.disabled = row === undefined;
    this.#export.disabled = phase === 'checking' || phase === 'ready';
    this.#renderFilter(state);
    if (document.activeElement !== this.#concurrency) this.#concurrency.value = String(concurrency);
    if (document.activeElement !== this.#rate) this.#rate.value = rate === undefined ? '' : String(rate);
  }

  /** The options are rebuilt only while the list is not used. */
  #renderFilter({ counts, filter }: BulkState): void {
    const labels = ROW_FILTERS.map((name) => l10n.t('{0} ({1})', FILTER_LABELS[name], formatNumber(counts[name])));
    if (this.#filter.options.length === 0)
      replaceChildren(this.#filter, ...ROW_FILTERS.map((value) => h('option', { value })));
    [...this.#filter.options].forEach((option, index) => setText(option, labels[index] ?? ''));
    this.#filter.value = filter;
  }
}

function formatRunLabel({ phase, sendable, counts }: BulkState): string {
  if (phase === 'checking' || phase === 'ready') return pluralize(sendable, l10n.t('Run {0} Row…|Run {0} Rows…'));
  if (phase === 'ended') return l10n.t('Find Logs of Unknown Rows ({0})', formatNumber(counts.unknown));
  return sendable === 0 ? l10n.t('Resume') : pluralize(sendable, l10n.t('Resume {0} Row…|Resume {0} Rows…'));
}

function isGone({ hidden, disabled }: HTMLButtonElement): boolean {
  return hidden !== false || disabled;
}

function isActive(phase: Phase): boolean {
  return phase === 'running' || phase === 'paused' || phase === 'stopping';
}

function createNumberInput(
  limits: {
    readonly min: number;
    readonly max: number;
    readonly step: number | 'any';
    readonly placeholder?: string;
  },
  onChange: () => void,
): HTMLInputElement {
  // Room for the whole placeholder, and the arrows beside it.
  const width = `max(76px, ${String(limits.placeholder?.length ?? 0)}ch + 36px)`;
  return h('input', { type: 'number', ...limits, style: { width }, on: { change: onChange } });
}
