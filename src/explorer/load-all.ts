/** Load all of a list: page after page with progress and a way to stop; the tree is drawn seldom, and in growing steps. */
import type { Services } from '../commands/entry.ts';
import { GrowingSteps } from './growing.ts';
import type { ListNode } from './nodes.ts';
import { countText } from './text.ts';
import type { Tree } from './tree.ts';

export async function loadAll(tree: Tree, { ui }: Services, list: ListNode | undefined): Promise<void> {
  const branch = list === undefined ? undefined : tree.branch(list);
  // It is under way, with a notification of its own.
  if (list === undefined || branch === undefined || branch.loadingAll) return;
  await branch.open();
  if (branch.hasMore) {
    const steps = new GrowingSteps(branch.items.length);
    await ui.progress(`Load all ${list.label}`, async (stop, say) => {
      say(`${countText(branch.items.length)} so far`);
      await branch.all((loaded) => {
        const now = Date.now();
        if (steps.isSayable(now)) say(`${countText(loaded)} so far`);
        if (steps.isDue(loaded, now)) tree.shows(list);
      }, stop);
    });
  }
  tree.shows(list);
}
