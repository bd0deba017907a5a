/** Asks which list a command is for, when no row says so. */
import type { Services } from '../commands/entry.ts';
import type { ListNode } from './nodes.ts';
import { isEmpty } from './query.ts';
import { pickText } from './text.ts';
import type { Tree } from './tree.ts';

export async function chooseList(
  tree: Tree,
  { sessions, ui }: Services,
  purpose: string,
): Promise<ListNode | undefined> {
  const session = await sessions.choose(purpose);
  if (session === undefined) return undefined;
  const lists = tree.sectionsOf(session).filter((node) => node.type === 'list');
  const choices = lists.map((list) => ({
    label: pickText(list.label),
    description: list.parent?.type === 'scope' ? pickText(list.parent.label) : '',
    detail: isEmpty(list.filter) ? '' : 'filtered',
    list,
  }));
  const chosen = await ui.pick(choices, {
    title: `${purpose} which list of ${session.profile.name}?`,
    matchOnDescription: true,
  });
  return chosen?.list;
}
