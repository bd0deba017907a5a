import type { Services } from '../../commands/context.ts';
import type { ListNode } from './nodes.ts';
import { isEmptyFilter } from '../filter/filter.ts';
import { toQuickPickText } from '../format.ts';
import type { Tree } from './tree.ts';

/** Shows a quick pick of a connection's lists. Resolves to undefined when it is cancelled. Never rejects. */
export async function chooseList(
  tree: Tree,
  { sessions, ui }: Services,
  purpose: string,
): Promise<ListNode | undefined> {
  const session = await sessions.pickSession(purpose);
  if (session === undefined) return undefined;
  const lists = tree.getSections(session).filter((node) => node.type === 'list');
  const choices = lists.map((list) => ({
    label: toQuickPickText(list.label),
    description: list.parent?.type === 'scope' ? toQuickPickText(list.parent.label) : '',
    detail: isEmptyFilter(list.filter) ? '' : 'filtered',
    list,
  }));
  const chosen = await ui.pick(choices, {
    title: `${purpose} which list of ${session.profile.name}?`,
    matchOnDescription: true,
  });
  return chosen?.list;
}
