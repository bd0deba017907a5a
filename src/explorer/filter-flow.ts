/** Filter…: builds a list's query from what the registry says it takes, one parameter after another, until it is applied. */
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import type { Parameter } from '../platform/operation.ts';
import { sortFields, type ResourceRow } from '../platform/resource.ts';
import { askDates } from './filter-dates.ts';
import type { ListNode } from './nodes.ts';
import { fillable, filterWords, isEmpty, parameterWords, type Filter } from './query.ts';
import { oneLine, pickText } from './text.ts';
import type { Tree } from './tree.ts';

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly name?: string;
  readonly does?: 'apply' | 'clear';
}

export async function askFilter(tree: Tree, services: Services, list: ListNode | undefined): Promise<void> {
  const session = list === undefined ? undefined : tree.session(list);
  const operation = list === undefined ? undefined : tree.rows[list.kind]?.list?.operation;
  if (list === undefined || session === undefined || operation === undefined) return;
  if (list.filterKey === undefined) throw new Error('A favorite keeps its filter. Filter its section, then pin that');
  const parameters = fillable(operation.query, list.fixed);
  let draft = list.filter;
  for (;;) {
    const chosen = await services.ui.pick(rowsOf(parameters, draft, list.filter), {
      title: `Filter ${list.label}`,
      placeHolder: isEmpty(draft) ? 'Filter by…' : 'Show the results, or add to the filter',
      matchOnDescription: true,
    });
    if (chosen === undefined) return;
    if (chosen.does === 'apply') break;
    if (chosen.does === 'clear') {
      draft = {};
      break;
    }
    const [name, parameter] = parameters.find(([known]) => known === chosen.name) ?? [];
    if (name === undefined || parameter === undefined) return;
    draft = await askValue(tree, services, session, { list, name, parameter, draft });
  }
  await tree.setFilter(list, draft);
}

function rowsOf(parameters: readonly (readonly [string, Parameter])[], draft: Filter, before: Filter): readonly Row[] {
  const changed = JSON.stringify(draft) !== JSON.stringify(before);
  const apply: Row[] = changed
    ? [
        {
          label: '$(check) Show Results',
          description: isEmpty(draft) ? 'without a filter' : pickText(filterWords(draft)),
          does: 'apply',
        },
      ]
    : [];
  const clear: Row[] = isEmpty(before) && isEmpty(draft) ? [] : [{ label: '$(clear-all) Clear Filter', does: 'clear' }];
  const fields = parameters.map(([name, parameter]): Row => {
    const value = draft[name];
    const label = pickText(parameterWords(name));
    const about = parameter.type === 'order' ? 'ascending or descending' : 'about' in parameter ? parameter.about : '';
    const set = value === undefined ? '' : `$(filter) ${pickText(filterWords({ [name]: value }))}`;
    return { label, description: set !== '' ? set : about === label ? '' : about, name };
  });
  return [...apply, ...fields, ...clear];
}

interface Ask {
  readonly list: ListNode;
  readonly name: string;
  readonly parameter: Parameter;
  readonly draft: Filter;
}

/** The draft with another value; as it was when the person goes back. */
async function askValue(tree: Tree, services: Services, session: Session, ask: Ask): Promise<Filter> {
  const { name, parameter, draft } = ask;
  const title = `Filter ${ask.list.label} by ${parameterWords(name)}`;
  const before = draft[name];
  const text = typeof before === 'string' ? before : '';
  switch (parameter.type) {
    case 'flag':
      return choose(services, title, ['yes', 'no', ANY], draft, name, (word) =>
        word === ANY ? undefined : word === 'yes',
      );
    case 'order':
      return choose(services, title, ['descending', 'ascending'], draft, name, (word) => word);
    case 'enum':
      return choose(services, title, [...parameter.values, ANY], draft, name, (word) =>
        word === ANY ? undefined : word,
      );
    case 'dates': {
      const dates = await askDates(services, title, typeof before === 'object' ? before : {});
      return dates === undefined ? draft : withValue(draft, name, Object.keys(dates).length === 0 ? undefined : dates);
    }
    case 'text':
    case 'id': {
      const choices =
        parameter.type === 'text'
          ? suggestions(tree.rows[ask.list.kind], name, parameter).map((value) => ({ label: value, value }))
          : await knownIds(tree, session, parameter.kind);
      const typed = await askText(services, title, choices, text);
      return typed === undefined ? draft : withValue(draft, name, typed === '' ? undefined : typed);
    }
    case 'limit':
    case 'cursor':
      return draft;
  }
}

const ANY = 'any';

function suggestions(
  row: ResourceRow | undefined,
  name: string,
  parameter: Extract<Parameter, { type: 'text' }>,
): readonly string[] {
  return name === 'sortBy' && row !== undefined ? sortFields(row) : (parameter.suggestions ?? []);
}

async function choose(
  { ui }: Services,
  title: string,
  words: readonly string[],
  draft: Filter,
  name: string,
  valueOf: (word: string) => Filter[string] | undefined,
): Promise<Filter> {
  const chosen = await ui.pick(
    words.map((label) => ({ label })),
    { title },
  );
  return chosen === undefined ? draft : withValue(draft, name, valueOf(chosen.label));
}

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
}

/** Free text where nothing is known to choose from; empty takes the value away. */
async function askText(
  { ui }: Services,
  title: string,
  choices: readonly Choice[],
  before: string,
): Promise<string | undefined> {
  if (choices.length === 0) {
    const typed = await ui.input({ title, value: before, prompt: 'Empty takes it out of the filter' });
    return typed?.trim();
  }
  const none = { label: '$(close) Not by this', value: '' };
  const chosen = await ui.pickOrType<Choice>(before === '' ? choices : [...choices, none], {
    title,
    placeHolder: before === '' ? 'Choose, or type any other value' : `Now ${oneLine(before, 60)}`,
    typed: (text) => `Filter by “${pickText(text)}”`,
  });
  return typeof chosen === 'string' ? chosen : chosen?.value;
}

/** Ids that were met, with their names; where none was, those of the list's first page. */
async function knownIds(tree: Tree, session: Session, kind: string): Promise<readonly Choice[]> {
  if (kind === 'organizations')
    return session.organizations.map(({ id, label }) => ({
      label: pickText(label ?? id),
      description: pickText(id),
      value: id,
    }));
  const row = tree.rows[kind];
  const known = (): ReturnType<Tree['known']> => tree.known(session.profile.name, kind);
  // Whatever is read is met. Without a list to choose from, the id can still be typed.
  if (row?.list !== undefined && known().length === 0)
    await session.client.pageOf(row, {}, { signal: session.ended }).catch(() => undefined);
  const unlisted = row?.list === undefined ? tree.met(session).ids(kind) : [];
  const named = known().map(({ id, title }) => ({ label: pickText(title), description: pickText(id), value: id }));
  const plain = unlisted.filter((id) => named.every(({ value }) => value !== id));
  return [...named, ...plain.map((id) => ({ label: pickText(id), value: id }))];
}

function withValue(filter: Filter, name: string, value: Filter[string] | undefined): Filter {
  const { [name]: _before, ...others } = filter;
  return value === undefined ? others : { ...others, [name]: value };
}
