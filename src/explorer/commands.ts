/** The explorer's commands. What they do is imported on first use. */
import * as l10n from '@vscode/l10n';
import type { CommandHandlers } from '../commands/register-commands.ts';
import type { ExplorerCommands } from './explorer-commands.ts';

export const commands = {
  openRow: (explorer, node) => explorer.openRow(node),
  refresh: (explorer, node) => explorer.refresh(node),
  refreshAll: (explorer) => explorer.refresh(undefined),
  filter: async (explorer, node) =>
    explorer.withList(node, l10n.t('Filter'), (await import('./filter/edit-filter.ts')).editFilter),
  clearFilter: (explorer, node) => explorer.clearFilter(node),
  loadMore: (explorer, node) => explorer.loadMore(node),
  loadAll: async (explorer, node) =>
    explorer.withList(node, l10n.t('Load All'), (await import('./tree/load-all.ts')).loadAll),
  addFavorite: async (explorer, node) =>
    explorer.withList(node, l10n.t('Add to Favorites'), (await import('./favorites.ts')).addFavorite),
  removeFavorite: async ({ tree, services, getNode }, node) =>
    (await import('./favorites.ts')).removeFavorite(tree, services, getNode(node)),
  searchResources: (explorer, node) => explorer.search(node),
  filterByThis: async ({ tree, services, view }, resource) =>
    (await import('./filter/filter-by-this.ts')).filterByThis(tree, services, view(), resource),
  exportCollection: (explorer, node) => explorer.export(node),
  openTable: async (explorer, node) =>
    explorer.withList(node, l10n.t('Open as Table'), (await import('./table/table-panel.ts')).openTable),
  reveal: async ({ tree, services, view }, resource) =>
    (await import('./tree/reveal.ts')).reveal(tree, services, view(), resource),
} satisfies CommandHandlers<ExplorerCommands>;
