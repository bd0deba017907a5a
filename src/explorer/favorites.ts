/** Pins a list with its filter under the connection's Favorites, and takes it away again. */
import { randomUUID } from 'node:crypto';
import type { Services } from '../commands/entry.ts';
import type { ListNode, Node } from './nodes.ts';
import { filterWords, isEmpty, type Filter } from './query.ts';
import { oneLine, pickText } from './text.ts';
import type { Tree } from './tree.ts';

export async function addFavorite(tree: Tree, { ui }: Services, list: ListNode | undefined): Promise<void> {
  if (list === undefined) return;
  const { connection, kind, organization } = list;
  const { org_id: _organization, ...fixed } = list.fixed;
  const filter: Filter = { ...fixed, ...list.filter };
  const words = isEmpty(filter) ? list.label : `${list.label}: ${filterWords(filter)}`;
  const name = await ui.input({
    title: 'Add to Favorites',
    prompt: 'Name of this list',
    value: oneLine(words, 60),
    validateInput: (text) => (oneLine(text) === '' ? 'Enter a name' : undefined),
  });
  if (name === undefined || oneLine(name) === '') return;
  await tree.memory.addFavorite(connection, {
    id: randomUUID(),
    name: oneLine(name),
    kind,
    ...(organization !== undefined && { organization }),
    filter,
  });
  tree.shows();
}

export async function removeFavorite(tree: Tree, { sessions, ui }: Services, node: Node | undefined): Promise<void> {
  if (node?.type === 'list' && node.favorite !== undefined) {
    await tree.memory.removeFavorite(node.connection, node.favorite);
    tree.shows();
    return;
  }
  const choices = sessions.all.flatMap(({ profile: { name } }) =>
    tree.memory.favorites(name).map((favorite) => ({
      label: pickText(favorite.name),
      description: pickText(name),
      connection: name,
      id: favorite.id,
    })),
  );
  if (choices.length === 0) {
    void ui.info('There are no favorites. Add to Favorites, on a list of the Explorer, makes one.');
    return;
  }
  const chosen = await ui.pick(choices, { title: 'Remove from Favorites' });
  if (chosen === undefined) return;
  await tree.memory.removeFavorite(chosen.connection, chosen.id);
  tree.shows();
}
