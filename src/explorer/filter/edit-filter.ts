/** Filter…: edits a list's filter one parameter at a time, from the parameters that the registry declares. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readRecentResources } from '../../cache/recent-resources.ts';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import type { Parameter } from '../../platform/operation.ts';
import { getSortFields } from '../../platform/resource.ts';
import { pickDateRange } from './pick-date-range.ts';
import type { ListNode } from '../tree/nodes.ts';
import { getFilterParameters, formatFilter, isEmptyFilter, type Filter } from './filter.ts';
import { getFilterField, groupFilterFields, type GetTitle } from '../../model/resources/filter-fields.ts';
import { toOneLine, toQuickPickText } from '../format.ts';
import type { Tree } from '../tree/tree.ts';
import { createStatusChoice } from '../../model/text/status.ts';

const MAX_KNOWN_OWNERS = 50;

interface FilterItem {
  readonly label: string;
  readonly description?: string;
  readonly kind?: vscode.QuickPickItemKind;
  readonly name?: string;
  readonly action?: 'apply' | 'clear' | 'sort';
}

/** Shows the filter of a list until it is applied, cleared or cancelled. Rejects with Error for a favorite. */
export async function editFilter(tree: Tree, services: Services, list: ListNode | undefined): Promise<void> {
  const session = list === undefined ? undefined : tree.session(list);
  const operation = list === undefined ? undefined : tree.definitions[list.kind]?.list?.operation;
  if (list === undefined || session === undefined || operation === undefined) return;
  if (list.filterKey === undefined)
    throw new Error(
      l10n.t('The filter of a favorite can’t be changed. Filter its section and add that to the favorites instead'),
    );
  const parameters = getFilterParameters(operation.query, list.fixed);
  const getTitle = tree.getTitleLookup(list.connection);
  let draft = list.filter;
  for (;;) {
    const choices = getFilterItems(parameters, draft, list.filter, getTitle);
    const chosen = await services.ui.pick(choices, {
      title: l10n.t('Filter {0}', list.label),
      placeHolder: isEmptyFilter(draft)
        ? l10n.t('Select a field to filter by')
        : l10n.t('Show the results, or select another field'),
      matchOnDescription: true,
    });
    if (chosen === undefined) return;
    if (chosen.action === 'apply') break;
    if (chosen.action === 'clear') {
      draft = {};
      break;
    }
    if (chosen.action === 'sort') {
      draft = await editSorting(tree, services, list, draft);
      continue;
    }
    const [name, parameter] = parameters.find(([known]) => known === chosen.name) ?? [];
    if (name === undefined || parameter === undefined) return;
    draft = await editParameter(tree, services, session, { list, name, parameter, draft });
  }
  await tree.setFilter(list, draft);
}

function getFilterItems(
  parameters: readonly (readonly [string, Parameter])[],
  draft: Filter,
  before: Filter,
  getTitle: GetTitle,
): readonly FilterItem[] {
  const changed = JSON.stringify(draft) !== JSON.stringify(before);
  const apply: FilterItem[] = changed
    ? [
        {
          label: `$(check) ${l10n.t('Show Results')}`,
          description: isEmptyFilter(draft)
            ? l10n.t('without a filter')
            : toQuickPickText(formatFilter(draft, getTitle)),
          action: 'apply',
        },
      ]
    : [];
  const clear: FilterItem[] =
    isEmptyFilter(before) && isEmptyFilter(draft)
      ? []
      : [{ label: `$(clear-all) ${l10n.t('Clear Filter')}`, action: 'clear' }];
  const isSorting = (name: string): boolean => getFilterField(name).group === 'order';
  const fields = parameters.flatMap(([name]): FilterItem[] => {
    const value = draft[name];
    const label = toQuickPickText(getFilterField(name).label);
    const set = value === undefined ? '' : `$(filter) ${toQuickPickText(formatFilter({ [name]: value }, getTitle))}`;
    return isSorting(name) ? [] : [{ label, description: set, name }];
  });
  const sorting: Filter = Object.fromEntries(Object.entries(draft).filter(([name]) => isSorting(name)));
  const sort: FilterItem[] = parameters.some(([name]) => isSorting(name))
    ? [
        { label: l10n.t('Sorting'), kind: vscode.QuickPickItemKind.Separator },
        {
          label: `$(list-ordered) ${l10n.t('Sort By…')}`,
          description: isEmptyFilter(sorting) ? '' : toQuickPickText(formatFilter(sorting, getTitle)),
          action: 'sort',
        },
      ]
    : [];
  const groups = groupFilterFields(fields, ({ name = '' }) => getFilterField(name).group);
  return [
    ...apply,
    ...groups.flatMap(({ label, items }) => [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items]),
    ...sort,
    ...clear,
  ];
}

/** Asks for a field and a direction together. Resolves to the changed draft, or to the same one when the user goes back. */
async function editSorting(tree: Tree, { ui }: Services, list: ListNode, draft: Filter): Promise<Filter> {
  const definition = tree.definitions[list.kind];
  const { sortBy: _field, order: _order, ...rest } = draft;
  const parameters = definition?.list?.operation.query ?? {};
  const directions = [
    { order: 'descending', description: l10n.t('descending') },
    { order: 'ascending', description: l10n.t('ascending') },
  ].filter(() => 'order' in parameters);
  const fields = definition === undefined || !('sortBy' in parameters) ? [] : getSortFields(definition);
  const sorted = fields.flatMap((sortBy) =>
    directions.map(({ order, description }) => ({
      label: getFilterField(sortBy).label,
      description,
      sorting: { sortBy, order },
    })),
  );
  const byDirection = directions.map(({ order, description }) => ({ label: description, sorting: { order } }));
  const own = { label: l10n.t('Order of the Platform'), sorting: {} };
  const chosen = await ui.pick([...(fields.length === 0 ? byDirection : sorted), own], {
    title: l10n.t('Sort {0}', list.label),
    matchOnDescription: true,
  });
  return chosen === undefined ? draft : { ...rest, ...chosen.sorting };
}

interface ParameterEdit {
  readonly list: ListNode;
  readonly name: string;
  readonly parameter: Parameter;
  readonly draft: Filter;
}

/** Asks for a parameter's value. Resolves to the changed draft, or to the same one when the user goes back. */
async function editParameter(tree: Tree, services: Services, session: Session, edit: ParameterEdit): Promise<Filter> {
  const { name, parameter, draft } = edit;
  const { label, example = '' } = getFilterField(name);
  const title = l10n.t('Filter {0} by {1}', edit.list.label, label);
  const before = draft[name];
  const text = typeof before === 'string' ? before : '';
  switch (parameter.type) {
    case 'flag':
      return pickValue(services, title, edit, [
        { label: l10n.t('yes'), value: true },
        { label: l10n.t('no'), value: false },
        getAnyChoice(),
      ]);
    case 'enum':
      return pickValue(services, title, edit, [...parameter.values.map(createStatusChoice), getAnyChoice()]);
    case 'dates': {
      const dates = await pickDateRange(services, title, typeof before === 'object' ? before : {});
      return dates === undefined ? draft : withValue(draft, name, Object.keys(dates).length === 0 ? undefined : dates);
    }
    case 'text':
    case 'id': {
      const choices =
        parameter.type === 'id'
          ? await getIdChoices(tree, session, parameter.kind)
          : parameter.account === true
            ? getAccountChoices(tree, services, session)
            : (parameter.suggestions ?? []).map((value) => ({ label: value, value }));
      const known = name === 'id' ? tree.getKnownResources(edit.list.connection, edit.list.kind)[0]?.id : undefined;
      const typed = await inputText(services, title, { choices, example: known ?? example }, text);
      return typed === undefined ? draft : withValue(draft, name, typed === '' ? undefined : typed);
    }
    case 'order':
    case 'limit':
    case 'cursor':
      return draft;
  }
}

interface FixedChoice {
  readonly label: string;
  readonly description?: string;
  readonly value: Filter[string] | undefined;
}

function getAnyChoice(): FixedChoice {
  return { label: l10n.t('any'), value: undefined };
}

async function pickValue(
  { ui }: Services,
  title: string,
  { draft, name }: ParameterEdit,
  choices: readonly FixedChoice[],
): Promise<Filter> {
  const chosen = await ui.pick(choices, { title, matchOnDescription: true });
  return chosen === undefined ? draft : withValue(draft, name, chosen.value);
}

interface ValueChoice {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
}

/** Shows known values to choose from, or an input box; an empty value removes the parameter. */
async function inputText(
  { ui }: Services,
  title: string,
  { choices, example }: { readonly choices: readonly ValueChoice[]; readonly example: string },
  before: string,
): Promise<string | undefined> {
  if (choices.length === 0) {
    const typed = await ui.input({
      title,
      value: before,
      placeHolder: example === '' ? '' : l10n.t('For example {0}', toOneLine(example)),
      prompt: l10n.t('Leave empty to remove the field from the filter.'),
    });
    return typed?.trim();
  }
  const none = { label: `$(close) ${l10n.t('Remove from Filter')}`, value: '' };
  const current = choices.find(({ value }) => value === before)?.label ?? toOneLine(before, 60);
  const chosen = await ui.pickOrType<ValueChoice>(before === '' ? choices : [...choices, none], {
    title,
    placeHolder: getPlaceholder(before === '' ? undefined : current, example),
    formatTypedLabel: (text) => l10n.t('Filter by “{0}”', toQuickPickText(text)),
  });
  return typeof chosen === 'string' ? chosen : chosen?.value;
}

function getPlaceholder(current: string | undefined, example: string): string {
  if (current !== undefined) return l10n.t('Current value: {0}', current);
  return example === ''
    ? l10n.t('Select or enter a value')
    : l10n.t('Select or enter a value, for example {0}', toOneLine(example));
}

/** Returns known ids with their names; if there are none, reads the list's first page. */
async function getIdChoices(tree: Tree, session: Session, kind: string): Promise<readonly ValueChoice[]> {
  if (kind === 'organizations')
    return session.organizations.map(({ id, label }) => ({
      label: toQuickPickText(label ?? id),
      description: toQuickPickText(id),
      value: id,
    }));
  const definition = tree.definitions[kind];
  const known = (): ReturnType<Tree['getKnownResources']> => tree.getKnownResources(session.profile.name, kind);
  // Reading a page makes its ids known. If that fails, an id can still be typed.
  if (definition?.list !== undefined && known().length === 0)
    await session.client.listPageFor(definition, {}, { signal: session.ended }).catch(() => undefined);
  const unlisted = definition?.list === undefined ? tree.getDiscoveredIds(session).getIds(kind) : [];
  const named = known().map(({ id, title }) => ({
    label: toQuickPickText(title),
    description: toQuickPickText(id),
    value: id,
  }));
  const labelled = definition?.read.by === 'cache' ? getLabelChoices(tree) : [];
  const choices = [...labelled, ...named];
  const plain = unlisted.filter((id) => choices.every(({ value }) => value !== id));
  return [...choices, ...plain.map((id) => ({ label: toQuickPickText(id), value: id }))];
}

/** Returns accounts, each once: the user, owners of what was opened last, the labelled ones, and other known owners. */
function getAccountChoices(tree: Tree, { context }: Services, session: Session): readonly ValueChoice[] {
  const { name } = session.profile;
  const subject = session.identity?.subject;
  const createOwner = (value: string, title: string): ValueChoice => ({
    label: toQuickPickText(tree.labels.get(value)?.text ?? title),
    description: toQuickPickText(value),
    value,
  });
  const opened = readRecentResources(context.globalState)
    .filter(({ connection }) => connection === name)
    .flatMap(({ id }) => tree.knownIds.find(id).filter(({ connection }) => connection === name))
    .flatMap(({ owner, title }) => (owner === undefined ? [] : [createOwner(owner, l10n.t('owner of {0}', title))]));
  const known = tree.getKnownResources(name, 'wallets').map(({ id, title }) => createOwner(id, title));
  const me = subject === undefined ? [] : [{ ...createOwner(subject, ''), label: l10n.t('Me') }];
  const values = new Set<string>();
  return [...me, ...opened, ...getLabelChoices(tree), ...known.slice(0, MAX_KNOWN_OWNERS)].filter(
    ({ value }) => !values.has(value) && values.add(value),
  );
}

/** Returns every labelled value: the platform does not show which of them are accounts. */
function getLabelChoices({ labels }: Tree): readonly ValueChoice[] {
  return labels.all.map(({ text, value }) => ({
    label: toQuickPickText(text),
    description: toQuickPickText(value, 300),
    value,
  }));
}

function withValue(filter: Filter, name: string, value: Filter[string] | undefined): Filter {
  const { [name]: _before, ...others } = filter;
  return value === undefined ? others : { ...others, [name]: value };
}
