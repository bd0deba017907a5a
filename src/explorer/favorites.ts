/** Adds lists with their filters to the Favorites of a connection, and removes them. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Services } from '../commands/context.ts';
import type { ListNode, Node } from './tree/nodes.ts';
import { formatFilter, isEmptyFilter, type Filter } from './filter/filter.ts';
import { toOneLine, toQuickPickText } from './format.ts';
import type { Tree } from './tree/tree.ts';
import { formatPair } from '../platform/text/localization.ts';

/** Asks for a name, then pins the list with its filter. Rejects if the memento cannot be written. */
export async function addFavorite(tree: Tree, { ui }: Services, list: ListNode | undefined): Promise<void> {
  if (list === undefined) return;
  const { connection, kind, organization } = list;
  const { org_id: _organization, ...fixed } = list.fixed;
  const filter: Filter = { ...fixed, ...list.filter };
  const suggestedName = isEmptyFilter(filter)
    ? list.label
    : formatPair(list.label, formatFilter(filter, tree.getTitleLookup(connection)));
  const name = await ui.input({
    title: l10n.t('Add to Favorites'),
    prompt: l10n.t('Name of the favorite'),
    value: toOneLine(suggestedName, 60),
    validateInput: (text) => (toOneLine(text) === '' ? l10n.t('Enter a name.') : undefined),
  });
  if (name === undefined || toOneLine(name) === '') return;
  await tree.storage.addFavorite(connection, {
    id: randomUUID(),
    name: toOneLine(name),
    kind,
    ...(organization !== undefined && { organization }),
    filter,
  });
  tree.rerender();
}

/**
 * Removes the favorite of the row; without one, shows a quick pick of all favorites. Rejects if the memento cannot
 * be written.
 */
export async function removeFavorite(tree: Tree, { sessions, ui }: Services, node: Node | undefined): Promise<void> {
  if ((node?.type === 'list' || node?.type === 'leaf') && node.favorite !== undefined) {
    await tree.storage.removeFavorite(node.connection, node.favorite);
    tree.rerender();
    return;
  }
  const choices = sessions.all.flatMap(({ profile: { name } }) =>
    tree.storage.getFavorites(name).map((favorite) => ({
      label: toQuickPickText(favorite.name),
      description: toQuickPickText(name),
      connection: name,
      id: favorite.id,
    })),
  );
  if (choices.length === 0) {
    void ui.info(l10n.t('There are no favorites. Use Add to Favorites on a list in Resources to add one.'));
    return;
  }
  const chosen = await ui.pick(choices, { title: l10n.t('Remove from Favorites') });
  if (chosen === undefined) return;
  await tree.storage.removeFavorite(chosen.connection, chosen.id);
  tree.rerender();
}
