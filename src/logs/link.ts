/** Pure: the state of a view as a link, there and back. A link carries names and filters, nothing that could ask or do. */
import { viewState, wordFilters, type Filters, type ViewState } from '../webviews/protocol-logs.ts';

export const LINK_PATH = '/logs';
/** UTF-8 bytes of a whole link. */
export const LONGEST_LINK = 2048;
const EXTENSION = 'smart-objects.smart-object-explorer';

/** `vscode://…/logs?…`; `undefined` where the state is too large for a link. */
export function linkOf(state: ViewState, scheme: string): string | undefined {
  const { mode, filters, text, selected, brush } = state;
  const query = new URLSearchParams();
  for (const name of filters.connections) query.append('connection', name);
  for (const id of filters.organizations) query.append('organization', id);
  for (const name of wordFilters) {
    const value = filters[name];
    if (value !== undefined) query.set(name, value);
  }
  for (const id of filters.actions ?? []) query.append('actions', id);
  if (filters.range !== 'latest') query.set('range', filters.range);
  if (filters.from !== undefined) query.set('from', String(filters.from));
  if (filters.to !== undefined) query.set('to', String(filters.to));
  if (mode !== 'logs') query.set('mode', mode);
  if (text !== '') query.set('text', text);
  if (brush !== undefined) query.set('brush', `${brush.from}-${brush.to}`);
  if (selected !== undefined) query.set('selected', selected);
  const link = `${scheme}://${EXTENSION}${LINK_PATH}?${query.toString()}`;
  return bytesOf(link) <= LONGEST_LINK ? link : undefined;
}

const SINGLE = new Set<string>([...wordFilters, 'range', 'from', 'to', 'mode', 'text', 'selected', 'brush']);
const MANY = new Set(['connection', 'organization', 'actions']);

/** What a link's query says. Throws an Error with the reason where it is no state of a view. */
export function stateOfLink(query: string): ViewState {
  if (bytesOf(query) > LONGEST_LINK) throw new Error('the link is longer than 2 KB');
  const read = new URLSearchParams(query);
  for (const name of new Set(read.keys())) {
    if (!SINGLE.has(name) && !MANY.has(name))
      throw new Error('the link carries something that is no state of the view');
    if (SINGLE.has(name) && read.getAll(name).length > 1) throw new Error(`the link names ${name} twice`);
  }
  const words = Object.fromEntries(wordFilters.flatMap((name) => (read.has(name) ? [[name, read.get(name)]] : [])));
  const numbers = Object.fromEntries(
    (['from', 'to'] as const).flatMap((name) => (read.has(name) ? [[name, numberOf(read.get(name) ?? '')]] : [])),
  );
  const result = viewState.safeParse({
    mode: read.get('mode') ?? 'logs',
    filters: {
      connections: read.getAll('connection'),
      organizations: read.getAll('organization'),
      ...words,
      ...(read.has('actions') && { actions: read.getAll('actions') }),
      range: read.get('range') ?? 'latest',
      ...numbers,
    },
    ...(read.has('text') && { text: read.get('text') }),
    ...(read.has('brush') && { brush: rangeOf(read.get('brush') ?? '') }),
    ...(read.has('selected') && { selected: read.get('selected') }),
  });
  if (!result.success) {
    const where = result.error.issues[0]?.path.map(String).join('.') ?? '';
    throw new Error(`the link is malformed${where === '' ? '' : ` at ${where}`}`);
  }
  if (result.data.filters.connections.length === 0) throw new Error('the link names no connection');
  return result.data;
}

function rangeOf(text: string): unknown {
  const [from = '', to = ''] = text.split('-', 2);
  return { from: numberOf(from), to: numberOf(to) };
}

function numberOf(text: string): unknown {
  return /^\d{1,16}$/.test(text) ? Number(text) : text;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The filters in words, one a line: what a person reads before agreeing. */
export function filterWords(filters: Filters): readonly string[] {
  const many = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${name}: ${values.join(', ')}`];
  return [
    ...many('connection', filters.connections),
    ...many('organization', filters.organizations),
    ...wordFilters.flatMap((name) => (filters[name] === undefined ? [] : [`${name}: ${filters[name]}`])),
    ...many('actions', filters.actions ?? []),
    ...(filters.range === 'latest' ? [] : [`range: ${filters.range}`]),
  ];
}
