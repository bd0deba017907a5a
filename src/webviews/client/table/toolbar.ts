import * as l10n from '@vscode/l10n';
import loadAll from '@vscode/codicons/src/icons/arrow-circle-down.svg';
import stop from '@vscode/codicons/src/icons/debug-stop.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import loadMore from '@vscode/codicons/src/icons/fold-down.svg';
import open from '@vscode/codicons/src/icons/go-to-file.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import markdown from '@vscode/codicons/src/icons/markdown.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import runAll from '@vscode/codicons/src/icons/run-all.svg';
import table from '@vscode/codicons/src/icons/table.svg';
import { pluralize } from '../../../platform/text/localization.ts';
import { createToolButton } from '../controls.ts';
import { getFocusedElement, h, setText } from '../dom.ts';
import type { Post } from '../host-connection.ts';
import { MAX_OPENED_ROWS, type RowAction, type tableProtocol, type TableState } from '../../protocol/table.ts';

const ROW_ACTION_LABELS: Readonly<Record<RowAction, string>> = {
  open: l10n.t('Open'),
  compare: l10n.t('Compare'),
  newActionFile: l10n.t('New Action File'),
  runOnSelection: l10n.t('Run Action on Selection…'),
  copyCsv: l10n.t('Copy as CSV'),
  copyMarkdown: l10n.t('Copy as Markdown'),
  copyJson: l10n.t('Copy as JSON'),
};

const ROW_ACTION_ICONS: Readonly<Record<RowAction, string>> = {
  open,
  compare: diff,
  newActionFile: newFile,
  runOnSelection: runAll,
  copyCsv: table,
  copyMarkdown: markdown,
  copyJson: json,
};

/** Shown with their names. */
const PRIMARY_ACTIONS: readonly RowAction[] = ['open', 'runOnSelection'];

interface ToolbarActions {
  readonly post: Post<typeof tableProtocol>;
  /** for the selected rows */
  act(action: RowAction): void;
  readonly export: () => void;
}

/** The buttons above the grid: what can be done with the selected rows, and with the list. */
export class Toolbar {
  readonly element: HTMLElement;
  readonly #selected = h('span', { class: 'selected', role: 'status' });
  readonly #rowActions: readonly (readonly [RowAction, HTMLButtonElement])[];
  readonly #export: HTMLButtonElement;
  readonly #refresh: HTMLButtonElement;
  readonly #loadMore: HTMLButtonElement;
  readonly #loadAll: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  #isLoading = false;

  constructor(actions: ToolbarActions) {
    this.#rowActions = (Object.keys(ROW_ACTION_LABELS) as RowAction[]).map((action) => {
      const onClick = (): void => actions.act(action);
      const [label, icon, text] = [
        ROW_ACTION_LABELS[action],
        ROW_ACTION_ICONS[action],
        PRIMARY_ACTIONS.includes(action),
      ];
      return [action, createToolButton({ label, icon, text, onClick })];
    });
    this.#export = createToolButton({ icon: exportIcon, label: l10n.t('Export…'), onClick: actions.export });
    const createListButton = (
      message: 'refresh' | 'loadMore' | 'loadAll' | 'stop',
      icon: string,
      label: string,
    ): HTMLButtonElement =>
      createToolButton({
        icon,
        label,
        onClick: () => {
          if (message === 'stop' || !this.#isLoading) actions.post(message, {});
        },
      });
    this.#refresh = createListButton('refresh', refresh, l10n.t('Refresh'));
    this.#loadMore = createListButton('loadMore', loadMore, l10n.t('Load More'));
    this.#loadAll = createListButton('loadAll', loadAll, l10n.t('Load All'));
    this.#stop = createListButton('stop', stop, l10n.t('Stop'));
    this.element = h(
      'div',
      { class: 'tools', role: 'toolbar', 'aria-label': l10n.t('Table') },
      h('span', { class: 'group', role: 'group', 'aria-label': l10n.t('Selected rows') }, this.#selected),
      h('span', { class: 'spring' }),
      h(
        'span',
        {
          class: 'group',
          role: 'group',
          'aria-label': l10n.t({ message: 'List', args: [], comment: 'Noun: the list that the table shows' }),
        },
        this.#export,
        this.#refresh,
        this.#loadMore,
        this.#loadAll,
        this.#stop,
      ),
    );
    this.#selected.parentElement?.append(...this.#rowActions.map(([, button]) => button));
  }

  /** Updates the buttons; they keep the focus. */
  render({ actions, hasMore, isFull, loading, rate }: TableState, selectedCount: number): void {
    const canLoad = hasMore && !isFull;
    setText(
      this.#selected,
      pluralize(selectedCount, l10n.t({ message: '{0} selected|{0} selected', args: [], comment: 'Rows of a table' })),
    );
    for (const [action, button] of this.#rowActions) {
      button.hidden = !actions.includes(action);
      button.disabled = !isPossible(action, selectedCount);
    }
    this.#isLoading = loading;
    // A disabled button would lose the focus.
    for (const button of [this.#refresh, this.#loadMore, this.#loadAll])
      button.setAttribute('aria-disabled', String(loading));
    const focused = getFocusedElement();
    const [shown, hidden] = rate === undefined ? [this.#loadAll, this.#stop] : [this.#stop, this.#loadAll];
    this.#loadMore.hidden = shown.hidden = !canLoad;
    hidden.hidden = true;
    if ([this.#loadMore, hidden, shown].some((button) => button.hidden && button === focused))
      (canLoad ? shown : this.#refresh).focus();
  }
}

function isPossible(action: RowAction, selectedCount: number): boolean {
  if (action === 'compare') return selectedCount === 2;
  const limit = action === 'open' || action === 'newActionFile' ? MAX_OPENED_ROWS : Infinity;
  return selectedCount > 0 && selectedCount <= limit;
}
