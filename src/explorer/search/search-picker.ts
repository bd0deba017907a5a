/** Search…: what is known and loaded at once, then the responses of the lists and the pages of objects as they arrive. */
import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { addTemplateTitle, type IdIndex, type KnownId } from '../../cache/id-index.ts';
import { readRecentResources, type RecentResource } from '../../cache/recent-resources.ts';
import type { Services } from '../../commands/context.ts';
import { getItemTitle } from '../../model/resources/item-title.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Session } from '../../model/session/session.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Page } from '../../platform/page.ts';
import { objects } from '../../platform/resources/objects.ts';
import type { Tree } from '../tree/tree.ts';
import { ListSearch, MAX_RESULTS_PER_KIND, type SearchResults } from './list-search.ts';
import { readNarrowedObjects } from './narrowed-objects.ts';
import { NameScan } from './name-scan.ts';
import { toOneLine } from '../format.ts';
import { parseSearchTerms, searchKnown, selectKinds, type KnownSearchOptions } from './known-search.ts';
import { createChoices, createFirstChoices, formatSearchedCount, type SearchChoice } from './search-choices.ts';

/**
 * Resolves to the resource to open, an id to look up, or undefined when cancelled or saved. `saved`: the search to begin
 * with. Rejects if a search cannot be stored.
 */
export async function pickSearchResult(
  tree: Tree,
  services: Services,
  saved?: { readonly connection: string; readonly text: string },
): Promise<ResourceArgument | string | undefined> {
  const { sessions, ui, labels, context } = services;
  const session =
    saved === undefined
      ? (sessions.active ?? (await sessions.getOrPickActive(l10n.t('Search'))))
      : sessions.get(saved.connection);
  if (session === undefined) return undefined;
  const { name } = session.profile;
  const listSearch = new ListSearch({
    definitions: tree.definitions,
    read: (definition, query, signal) =>
      session.client.listPageFor(definition, query, { signal: AbortSignal.any([signal, session.ended]) }),
  });
  const scan = createObjectScan(tree, session);
  const recents = readRecentResources(context.globalState).filter(({ connection }) => connection === name);
  const search: KnownSearchOptions = {
    connection: name,
    definitions: Object.fromEntries(Object.entries(tree.definitions).filter(([, { read }]) => read.by !== 'cache')),
    labels,
    getTitle: tree.getTitleLookup(name),
    subject: session.identity?.subject,
    // What was opened comes before what was only read.
    get known() {
      return listRecentFirst(tree.knownIds, recents);
    },
  };
  const chosen = await ui.pickLive<SearchChoice>({
    title: l10n.t('Search {0}', session.heading),
    placeHolder: l10n.t('Name, ID, label or value; @owner, #template, :kind'),
    value: saved?.text,
    onDidType: (text, show) => {
      // Every request would be refused.
      if (session.signedOutReason !== undefined) {
        const key = 'sign-in';
        show({
          choices: [{ key, label: `$(sign-in) ${l10n.t('Not signed in. Sign In…')}`, effect: 'signIn' }],
          busy: false,
        });
        return;
      }
      let results: SearchResults | undefined;
      const terms = parseSearchTerms(text);
      const term = terms.words.join(' ');
      const kinds = selectKinds(terms, tree.definitions);
      const update = (): void => {
        if (results === undefined) return;
        const choices = [terms.words, terms.owners, terms.templates, terms.kinds].every((list) => list.length === 0)
          ? createFirstChoices(tree.definitions, recents)
          : createChoices(tree, text, terms, search, results, scan);
        // The item with the progress may be out of view.
        const status = scan.searchedCount === 0 ? undefined : formatSearchedCount(scan.searchedCount);
        show({ choices, busy: results.pendingCount > 0 || scan.isReading, status });
      };
      // Before the lists: they report at once what is known.
      scan.search(kinds[objects.kind] === undefined ? '' : term, update);
      // Nothing that was read matches: the platform can filter objects by both.
      const isNarrowed = term === '' && terms.owners.length + terms.templates.length > 0;
      const isUnknown = isNarrowed && kinds[objects.kind] !== undefined && isEmpty(searchKnown(terms, search, 1));
      const narrowed = {
        definition: objects,
        read: (signal: AbortSignal) =>
          readNarrowedObjects(session.client, terms, search, {
            signal: AbortSignal.any([signal, session.ended]),
            limit: MAX_RESULTS_PER_KIND,
          }),
      };
      listSearch.start(
        term,
        (latest) => {
          results = latest;
          update();
        },
        kinds,
        isUnknown ? [narrowed] : [],
      );
    },
    onDidAccept: ({ effect }) => {
      if (effect === 'searchAll') scan.searchAll();
      if (effect === 'pause') scan.pause();
      return effect === 'searchAll' || effect === 'pause' || effect === 'none';
    },
    onDidClose: () => {
      listSearch.cancel();
      scan.dispose();
    },
  });
  if (chosen?.effect === 'signIn') await vscode.commands.executeCommand('smartObjects.signIn', name);
  if (chosen === undefined || sessions.get(name) !== session) return undefined;
  if (chosen.effect === 'save') {
    const text = chosen.id ?? '';
    await tree.storage.addFavorite(name, {
      id: randomUUID(),
      name: toOneLine(text),
      kind: '',
      filter: {},
      search: text,
    });
    tree.rerender();
    return undefined;
  }
  return chosen.resource ?? chosen.id;
}

function isEmpty({ byName, byField }: ReturnType<typeof searchKnown>): boolean {
  return byName.length + byField.length === 0;
}

function* listRecentFirst(
  index: Pick<IdIndex, 'find' | 'newestFirst'>,
  recents: readonly RecentResource[],
): Generator<KnownId> {
  const opened = new Set(recents.map(({ kind, id }) => `${kind}/${id}`));
  for (const { connection, kind, id } of recents)
    for (const known of index.find(id))
      if (known.connection === connection && known.kind === kind) yield addTemplateTitle(index, known);
  for (const known of index.newestFirst())
    if (!opened.has(`${known.kind}/${known.id}`)) yield addTemplateTitle(index, known);
}

/** Objects have no search by name in the contract: their list is read, newest first. */
function createObjectScan(tree: Tree, session: Session): NameScan {
  const sorted: AnyQuery = { order: 'descending', sortBy: 'when_created' };
  let isSortRefused = false;
  const readPage = (next: string | undefined, signal: AbortSignal): Promise<Page> =>
    session.client.listPageFor(
      objects,
      { ...(!isSortRefused && sorted), ...(next !== undefined && { next }) },
      // Bulk: names of thousands of objects would evict the known ids.
      { signal: AbortSignal.any([signal, session.ended]), bulk: true, largest: true },
    );
  const getTitle = tree.getTitleLookup(session.profile.name);
  return new NameScan({
    loaded: tree.getLoadedItems(session, objects.kind),
    getName: ({ raw }) => getItemTitle(objects, raw, getTitle),
    read: async (next, signal) => {
      try {
        return await readPage(next, signal);
      } catch (error) {
        if (isSortRefused || next !== undefined || !hasErrorCode(error, 'badRequest')) throw error;
        // The contract does not show the values of `sortBy`: then in the platform's own order.
        isSortRefused = true;
        return readPage(next, signal);
      }
    },
  });
}
