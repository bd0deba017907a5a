import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import type { ListNode } from './nodes.ts';
import { isEmptyFilter } from '../filter/filter.ts';
import { toQuickPickText } from '../format.ts';
import type { Tree } from './tree.ts';

/** Shows a quick pick of a connection's lists; `title`: that of the command. Resolves to undefined when it is cancelled. Never rejects. */
export async function chooseList(tree: Tree, { sessions, ui }: Services, title: string): Promise<ListNode | undefined> {
  const session = await sessions.pickSession(title);
  if (session === undefined) return undefined;
  const lists = tree.getSections(session).filter((node) => node.type === 'list');
  const choices = lists.map((list) => ({
    label: toQuickPickText(list.label),
    description: list.parent?.type === 'scope' ? toQuickPickText(list.parent.label) : '',
    detail: isEmptyFilter(list.filter) ? '' : l10n.t('filtered'),
    list,
  }));
  const chosen = await ui.pick(choices, {
    title,
    placeHolder: l10n.t('Select a list of {0}', session.profile.name),
    matchOnDescription: true,
  });
  return chosen?.list;
}
