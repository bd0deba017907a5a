/** The items of Search…. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getSearchFields, type KnownId } from '../../cache/id-index.ts';
import type { RecentResource } from '../../cache/recent-resources.ts';
import { getTemplateTitle, getItemTitle } from '../../model/resources/item-title.ts';
import type { Item } from '../../platform/page.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { objects } from '../../platform/resources/objects.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { LiveChoice } from '../../ui/ui.ts';
import { formatList, formatNumber, pluralize } from '../../platform/text/localization.ts';
import { toQuickPickText } from '../format.ts';
import { formatFailure } from '../rows/list-rows.ts';
import type { ResourceRows } from '../rows/related-resources.ts';
import { formatSummaryDetails } from '../rows/row-presentation.ts';
import type { Tree } from '../tree/tree.ts';
import { getSearchParameter, type SearchResults } from './list-search.ts';
import {
  createMatcher,
  explainNoResults,
  searchKnown,
  selectKinds,
  type KnownSearchOptions,
  type SearchTerms,
} from './known-search.ts';
import { isSearchable, type NameScan } from './name-scan.ts';
import { formatStatus } from '../../model/text/status.ts';

export interface SearchChoice extends LiveChoice {
  readonly resource?: ResourceArgument;
  /** an id to look up among all kinds */
  readonly id?: string;
  /** what accepting it does, if it opens nothing */
  readonly effect?: 'signIn' | 'searchAll' | 'pause' | 'save' | 'none';
}

/** What the choices show of a search through the objects. */
type ScanProgress = Pick<NameScan, 'matches' | 'hasMaxMatches' | 'searchedCount' | 'hasMore' | 'isReading' | 'failure'>;

const MAX_KNOWN = 20;

/** Returns the items that are shown before anything is typed: recent resources, and what each list can be searched by. */
export function createFirstChoices(
  definitions: ResourceRows,
  recents: readonly RecentResource[],
): readonly SearchChoice[] {
  const lists = Object.values(definitions).filter(({ list }) => list !== undefined);
  const describe = (how: string, kinds: readonly ResourceDefinition[]): readonly SearchChoice[] =>
    kinds.length === 0
      ? []
      : [
          {
            key: how,
            label: `$(${kinds[0]?.icon ?? 'search'}) ${formatList(
              kinds.map(({ label }) => label),
              'unit',
            )}`,
            description: how,
            effect: 'none',
          },
        ];
  const by = (parameter: string | undefined): readonly ResourceDefinition[] =>
    lists.filter((definition) => definition.kind !== objects.kind && getSearchParameter(definition) === parameter);
  return [
    ...createGroup(
      l10n.t('Recent'),
      recents.slice(0, MAX_KNOWN).map((recent) => createKnownChoice(definitions, recent)),
    ),
    createSeparator(l10n.t('Search Scope')),
    {
      key: 'narrow',
      label: '$(filter) @owner  #template  :kind',
      description: l10n.t('narrow the results, for example {0}', 'jacket @me #"Wool Passport" :objects'),
      effect: 'none',
    },
    ...describe(
      l10n.t('by part of the name, loaded and newest first'),
      definitions[objects.kind] === undefined ? [] : [objects],
    ),
    ...describe(l10n.t('by search term, on the platform'), by('autocomplete')),
    ...describe(l10n.t('by name, on the platform'), by('name')),
    ...describe(l10n.t('by ID, or by name if already known'), by(undefined)),
  ];
}

/** Returns the items for a term: known resources, objects, the responses of the lists, and how to search further. */
export function createChoices(
  tree: Tree,
  text: string,
  terms: SearchTerms,
  search: KnownSearchOptions,
  { term, found, failed, pendingCount }: SearchResults,
  scan: ScanProgress,
): readonly SearchChoice[] {
  const { connection } = search;
  const isMatch = createMatcher({ ...terms, words: [] }, search);
  const isNarrow = ({ kind }: ResourceDefinition, { id = '', raw }: Item): boolean => {
    const definition = tree.definitions[kind] ?? objects;
    const title = getItemTitle(definition, raw, search.getTitle);
    const fields = getSearchFields(definition, raw, title);
    return isMatch({ connection, kind, id, title, ...fields });
  };
  const listed = found
    .filter(({ definition, item }) => isNarrow(definition, item))
    .map(({ definition, item }) => createItemChoice(tree, connection, definition, item));
  const scanned = scan.matches
    .filter((item) => isNarrow(objects, item))
    .map((item) => createItemChoice(tree, connection, objects, item));
  const isNarrowed = terms.owners.length + terms.templates.length + terms.kinds.length > 0;
  const { byName, byField } =
    isNarrowed || isSearchable(term) ? searchKnown(terms, search, MAX_KNOWN) : { byName: [], byField: [] };
  const [known, withValue] = [byName, byField].map((entries) =>
    entries.map((entry) => createKnownChoice(tree.definitions, entry)),
  );
  const kinds: readonly string[] = Object.keys(tree.definitions);
  const shown = new Set<string>();
  // Each resource once, in its first group.
  const [knownOnce, listedOnce, scannedOnce, withValueOnce] = [known, listed, scanned, withValue].map((choices = []) =>
    choices.filter(({ key }) => !shown.has(key) && shown.add(key)),
  );
  const failures = failed.map(({ definition, reason }): SearchChoice => ({
    key: `failed ${definition.kind}`,
    label: `$(warning) ${l10n.t('{0} could not be searched', definition.label)}`,
    description: toQuickPickText(reason, 160),
    effect: 'none',
  }));
  return [
    ...createGroup(l10n.t('Known'), knownOnce ?? []),
    // In the order of the kinds, whichever list came first.
    ...[...Map.groupBy(listedOnce ?? [], ({ resource }) => resource?.kind)]
      .sort(([a = ''], [b = '']) => kinds.indexOf(a) - kinds.indexOf(b))
      .flatMap(([kind, choices]) => createGroup(tree.definitions[kind ?? '']?.label ?? '', choices)),
    ...createGroup(l10n.t('With This Value'), withValueOnce ?? []),
    ...createGroup(l10n.t('Failed'), failures),
    ...createGroup(objects.label, [
      ...(scannedOnce ?? []),
      ...(isSearchable(term) && selectKinds(terms, tree.definitions)[objects.kind] !== undefined
        ? createScanChoices(scan)
        : []),
    ]),
    ...createGroup('', [
      ...(shown.size === 0 && pendingCount === 0 && !scan.isReading
        ? [
            {
              key: 'nothing',
              label: `$(info) ${l10n.t('No results')}`,
              description: explainNoResults(terms, search),
              effect: 'none',
            } as const,
          ]
        : []),
      // Without the text: VS Code would highlight an item that contains it.
      ...(isNarrowed || isSearchable(term)
        ? [
            {
              key: 'save',
              label: `$(star-empty) ${l10n.t('Save This Search')}`,
              effect: 'save',
              id: text,
            } as const,
          ]
        : []),
      ...(!isNarrowed && isOpenable(term, shown.size === 0 && pendingCount === 0)
        ? [{ key: 'open', label: `$(go-to-file) ${l10n.t('Open by ID “{0}”', toQuickPickText(term))}`, id: term }]
        : []),
    ]),
  ];
}

/** Whether a term may be an id: one word with a digit, or any word if nothing else was found. */
function isOpenable(term: string, isNothingFound: boolean): boolean {
  return !/\s/.test(term) && (isNothingFound || /\d/.test(term));
}

/** Returns the item that shows how far the objects were searched, and searches all or pauses. */
function createScanChoices(scan: ScanProgress): readonly SearchChoice[] {
  const { searchedCount, matches, hasMaxMatches, hasMore, isReading, failure } = scan;
  const key = 'scan';
  if (isReading)
    return [
      {
        key,
        label: `$(loading~spin) ${l10n.t('Searching objects… {0} so far', formatNumber(searchedCount))}`,
        description: l10n.t('Select to stop'),
        effect: 'pause',
      },
    ];
  if (failure !== undefined)
    return [
      {
        key,
        label: `$(warning) ${l10n.t('Objects could not be searched. Retry')}`,
        description: toQuickPickText(formatFailure(failure), 160),
        effect: 'searchAll',
      },
    ];
  if (!hasMore && !hasMaxMatches)
    return [
      {
        key,
        label: `$(info) ${l10n.t('All objects searched')}`,
        description: formatNumber(searchedCount),
        effect: 'none',
      },
    ];
  const [label, progress] = hasMaxMatches
    ? [
        l10n.t('Show More Matches'),
        pluralize(matches.length, l10n.t('Showing the first {0} match|Showing the first {0} matches')),
      ]
    : [l10n.t('Search All'), formatSearchedCount(searchedCount)];
  return [{ key, label: `$(search) ${label}`, description: progress, effect: 'searchAll' }];
}

/** Formats how many objects were searched. */
export function formatSearchedCount(count: number): string {
  return pluralize(count, l10n.t('{0} object searched|{0} objects searched'));
}

function createItemChoice(tree: Tree, connection: string, definition: ResourceDefinition, item: Item): SearchChoice {
  const { id } = item;
  const getTitle = tree.getTitleLookup(connection);
  const { details, ...rest } = definition.summary(item.raw);
  const title = getItemTitle(definition, item.raw, getTitle);
  // The id has its own line.
  const summary = { ...rest, details: details.filter((detail) => detail !== id) };
  const templateTitle = getTemplateTitle(definition, item.raw, getTitle);
  const parts = [
    definition.singular,
    templateTitle === undefined || title.includes(templateTitle) ? undefined : templateTitle,
    formatSummaryDetails(summary, Date.now()),
  ];
  return {
    key: createKey(definition.kind, id ?? title),
    label: `$(${definition.icon}) ${toQuickPickText(title)}`,
    description: toQuickPickText(parts.filter((part) => part !== undefined).join(' · '), 160),
    ...(id === undefined
      ? { effect: 'none' }
      : { ...createIdDetail(id, title), resource: { connection, kind: definition.kind, id } }),
  };
}

function createKnownChoice(
  definitions: ResourceRows,
  { connection, kind, documentId, id: knownId, title, state }: KnownId,
): SearchChoice {
  const definition = definitions[kind];
  const id = documentId ?? knownId;
  return {
    key: createKey(kind, id),
    label: `$(${definition?.icon ?? 'circle-outline'}) ${toQuickPickText(title)}`,
    description: toQuickPickText(
      [definition?.singular, state && formatStatus(state)].filter((part) => part !== undefined).join(' · '),
    ),
    ...createIdDetail(id, title),
    resource: { connection, kind, id },
  };
}

/** The line with the id, unless it is the title, as the address of a wallet is. */
function createIdDetail(id: string, title: string): Pick<SearchChoice, 'detail'> {
  return id === title ? {} : { detail: toQuickPickText(id) };
}

function createKey(kind: string, id: string): string {
  return `${kind}/${id}`;
}

function createGroup(label: string, choices: readonly SearchChoice[]): readonly SearchChoice[] {
  return choices.length === 0 ? [] : [createSeparator(label), ...choices];
}

function createSeparator(label: string): SearchChoice {
  return { key: `group ${label}`, label, kind: vscode.QuickPickItemKind.Separator };
}
