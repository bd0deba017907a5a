/** Pure: the state of a view as a link, there and back. A link carries names and filters, nothing that could ask or do. */
import { plainText } from '../platform/plain-text.ts';
import { localTime } from '../ui/times.ts';
import { viewState, wordFilters, type Filters, type ViewState } from '../webviews/protocol-logs.ts';
import { MOST } from './object-history.ts';
import { boundsOf } from './query.ts';

export const LINK_PATH = '/logs';
/** UTF-8 bytes of a whole link. */
export const LONGEST_LINK = 2048;
const EXTENSION = 'smart-objects.smart-object-explorer';

/** Milliseconds since the epoch; `started`: when this window began. */
export interface Moment {
  readonly now: number;
  readonly started: number;
}

/**
 * `vscode://…/logs?…`; `undefined` where the state is too large for a link. The last hour of who copies it is no other
 * for who opens it: a range that is told from now stands with its two moments.
 */
export function linkOf(state: ViewState, scheme: string, moment: Moment): string | undefined {
  const { mode, text, selected, selectedConnection, brush, failure } = state;
  const filters = fixed(state.filters, moment);
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
  if (failure !== undefined) query.set('failure', failure);
  if (selected !== undefined) query.set('selected', selected);
  if (selected !== undefined && selectedConnection !== undefined && filters.connections.length > 1)
    query.set('selectedConnection', selectedConnection);
  const link = `${scheme}://${EXTENSION}${LINK_PATH}?${query.toString()}`;
  return bytesOf(link) <= LONGEST_LINK ? link : undefined;
}

function fixed(filters: Filters, { now, started }: Moment): Filters {
  return filters.range === 'latest' || filters.range === 'between'
    ? filters
    : { ...filters, range: 'between', ...boundsOf(filters, now, started), to: now };
}

const SINGLE = new Set<string>([
  ...wordFilters,
  'range',
  'from',
  'to',
  'mode',
  'text',
  'selected',
  'selectedConnection',
  'brush',
  'failure',
]);
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
    ...(read.has('failure') && { failure: read.get('failure') }),
    ...(read.has('selected') && { selected: read.get('selected') }),
    ...(read.has('selectedConnection') && { selectedConnection: read.get('selectedConnection') }),
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

/** All that will be read and shown, one thing a line: what a person reads before agreeing. */
export function stateWords(
  { mode, filters, text, brush, selected, selectedConnection, failure }: ViewState,
  { now, started }: Moment,
): string[] {
  const { from, to } = mode === 'history' ? {} : boundsOf(filters, now, started);
  const line = (name: string, ...values: readonly (string | undefined)[]): string[] =>
    values.flatMap((value) => (value === undefined || value === '' ? [] : plainText(`${name}: ${value}`, 350)));
  const time = (value: number | undefined): string | undefined => (value === undefined ? value : localTime(value));
  return [
    ...line('connection', ...filters.connections),
    ...line('organization', ...filters.organizations),
    ...wordFilters.flatMap((name) => line(name, filters[name])),
    ...line('actions', ...(filters.actions ?? [])),
    ...line('from', time(from)),
    ...line('to', time(to)),
    ...line('mode', MODES[mode]),
    ...line('text', text),
    ...line('brush', brush && `${localTime(brush.from)} – ${localTime(brush.to)}`),
    ...line('failure', failure),
    ...line('selected', selected),
    ...line('selected of', selectedConnection),
  ];
}

const MODES: Readonly<Partial<Record<ViewState['mode'], string>>> = {
  failures: 'failures',
  history: `history, which reads up to ${MOST.toLocaleString('en')} logs of the object`,
};
