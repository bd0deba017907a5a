import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { ProgressThrottle } from '../progress-throttle.ts';
import type { ListNode } from './nodes.ts';
import { formatNumber } from '../../platform/text/localization.ts';
import type { Tree } from './tree.ts';

/** Loads every page of a list with cancellable progress; re-renders the tree in growing steps. Never rejects. */
export async function loadAll(tree: Tree, { ui }: Services, list: ListNode | undefined): Promise<void> {
  const pagedList = list === undefined ? undefined : tree.getPagedList(list);
  // A running load already shows its progress.
  if (list === undefined || pagedList === undefined || pagedList.isLoadingAll) return;
  await pagedList.open();
  if (pagedList.hasMore) {
    const throttle = new ProgressThrottle(pagedList.items.length);
    await ui.progress(l10n.t('Loading {0}', list.label), async (stop, report) => {
      report(l10n.t('{0} so far', formatNumber(pagedList.items.length)));
      await pagedList.loadAll((loaded) => {
        const now = Date.now();
        if (throttle.shouldReport(now)) report(l10n.t('{0} so far', formatNumber(loaded)));
        if (throttle.shouldRender(loaded, now)) tree.rerender(list);
      }, stop);
    });
  }
  tree.rerender(list);
}
