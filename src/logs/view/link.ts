import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { formatPair } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { formatStatus } from '../../model/text/status.ts';
import { formatLocalTime } from '../../model/text/time-format.ts';
import {
  filterParameters,
  viewStateSchema,
  textFilters,
  type Filters,
  type ViewState,
} from '../../webviews/protocol/logs.ts';
import { getFilterField } from '../../model/resources/filter-fields.ts';
import { getBounds } from '../stream/query.ts';
import { getActiveFilters } from './failures-mode.ts';

export const LINK_PATH = '/logs';
/** Longest link in UTF-8 bytes. */
const MAX_LINK_BYTES = 2048;
const EXTENSION_ID = 'smart-objects.smart-object-explorer';

/** Milliseconds since the epoch. `started`: when this window was opened. */
export interface TimeContext {
  readonly now: number;
  readonly started: number;
}

/**
 * Formats a view state as `vscode://…/logs?…`; `undefined` if it is too long. A relative range is replaced by its two
 * times, so that the link shows the same entries later.
 */
export function formatLink(state: ViewState, scheme: string, time: TimeContext): string | undefined {
  const { mode, text, selected, selectedConnection, brush, failure } = state;
  const filters = fixRange(getActiveFilters(state), time);
  const query = new URLSearchParams();
  for (const name of filters.connections) query.append('connection', name);
  for (const id of filters.organizations) query.append('organization', id);
  for (const name of textFilters) {
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
  const link = `${scheme}://${EXTENSION_ID}${LINK_PATH}?${query.toString()}`;
  return getByteLength(link) <= MAX_LINK_BYTES ? link : undefined;
}

/** Formats a link to the history of an object, which is a tab of its page; `undefined` if it is too long. */
export function formatHistoryLink({ connection, id }: ResourceArgument, scheme: string): string | undefined {
  const filters = { connections: [connection], organizations: [], object: id, range: 'latest' as const };
  const link = formatLink({ mode: 'logs', filters, text: '' }, scheme, { now: 0, started: 0 });
  return link === undefined ? undefined : `${link}&mode=history`;
}

const historySchema = z.object({
  mode: z.literal('history'),
  filters: z.object({ connections: z.tuple([z.string()]), object: z.string() }),
});

/** The object whose history a link, or a view that version 0.2.0 stored, shows; `undefined` if it shows logs. */
export function parseHistory(state: unknown): ResourceArgument | undefined {
  const { filters } = z.safeParse(historySchema, state).data ?? {};
  return filters && { connection: filters.connections[0], kind: 'objects', id: filters.object };
}

function fixRange(filters: Filters, { now, started }: TimeContext): Filters {
  return filters.range === 'latest' || filters.range === 'between'
    ? filters
    : { ...filters, range: 'between', ...getBounds(filters, now, started), to: now };
}

const SINGLE_PARAMETERS = new Set<string>([
  ...textFilters,
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
const REPEATED_PARAMETERS = new Set(['connection', 'organization', 'actions']);

/** Parses the query of a link. Throws Error with the reason if it is not a view state. */
export function parseLink(query: string): ViewState {
  if (getByteLength(query) > MAX_LINK_BYTES) throw new Error(l10n.t('the link exceeds 2 KB'));
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    if (!SINGLE_PARAMETERS.has(name) && !REPEATED_PARAMETERS.has(name))
      throw new Error(l10n.t('the link contains an unknown parameter'));
    if (SINGLE_PARAMETERS.has(name) && parameters.getAll(name).length > 1)
      throw new Error(l10n.t('the link contains {0} more than once', name));
  }
  const textValues = Object.fromEntries(
    textFilters.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)]] : [])),
  );
  const numbers = Object.fromEntries(
    (['from', 'to'] as const).flatMap((name) =>
      parameters.has(name) ? [[name, parseNumber(parameters.get(name) ?? '')]] : [],
    ),
  );
  const mode = parameters.get('mode') ?? 'logs';
  const result = viewStateSchema.safeParse({
    // See parseHistory.
    mode: mode === 'history' ? 'logs' : mode,
    filters: {
      connections: parameters.getAll('connection'),
      organizations: parameters.getAll('organization'),
      ...textValues,
      ...(parameters.has('actions') && { actions: parameters.getAll('actions') }),
      range: parameters.get('range') ?? 'latest',
      ...numbers,
    },
    ...(parameters.has('text') && { text: parameters.get('text') }),
    ...(parameters.has('brush') && { brush: parseRange(parameters.get('brush') ?? '') }),
    ...(parameters.has('failure') && { failure: parameters.get('failure') }),
    ...(parameters.has('selected') && { selected: parameters.get('selected') }),
    ...(parameters.has('selectedConnection') && { selectedConnection: parameters.get('selectedConnection') }),
  });
  if (!result.success) {
    const where = result.error.issues[0]?.path.map(String).join('.') ?? '';
    throw new Error(where === '' ? l10n.t('the link is malformed') : l10n.t('the link is malformed at {0}', where));
  }
  if (result.data.filters.connections.length === 0) throw new Error(l10n.t('the link does not specify a connection'));
  return result.data;
}

function parseRange(text: string): unknown {
  const [from = '', to = ''] = text.split('-', 2);
  return { from: parseNumber(from), to: parseNumber(to) };
}

function parseNumber(text: string): unknown {
  return /^\d{1,16}$/.test(text) ? Number(text) : text;
}

function getByteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Describes all that a link will read and show, in lines for the confirmation. */
export function describeViewState(
  { mode, filters, text, brush, selected, selectedConnection, failure }: ViewState,
  { now, started }: TimeContext,
): string[] {
  const { from, to } = getBounds(filters, now, started);
  const line = (name: string, ...values: readonly (string | undefined)[]): string[] =>
    values.flatMap((value) => (value === undefined || value === '' ? [] : toPlainText(formatPair(name, value), 350)));
  const formatFilter = (name: (typeof textFilters)[number]): string | undefined => {
    const value = filters[name];
    return name === 'status' && value !== undefined ? formatStatus(value) : value;
  };
  const time = (value: number | undefined): string | undefined =>
    value === undefined ? value : formatLocalTime(value);
  return [
    ...line(l10n.t('Connection'), ...filters.connections),
    ...line(l10n.t('Organization'), ...filters.organizations),
    ...textFilters.flatMap((name) => line(getFilterField(filterParameters[name]).label, formatFilter(name))),
    ...line(l10n.t('Actions'), ...(filters.actions ?? [])),
    ...line(l10n.t('Created after'), time(from)),
    ...line(l10n.t('Created before'), time(to)),
    ...line(
      l10n.t({ message: 'View', args: [], comment: 'Noun: which view is shown' }),
      mode === 'failures' ? l10n.t('Failures') : undefined,
    ),
    ...line(l10n.t({ message: 'Search', args: [], comment: 'Noun: the text to find' }), text),
    ...line(l10n.t('Selected range'), brush && `${formatLocalTime(brush.from)} – ${formatLocalTime(brush.to)}`),
    ...line(l10n.t('Failure'), failure),
    ...line(l10n.t('Selected action log'), selected),
    ...line(l10n.t('Connection of the selected action log'), selectedConnection),
  ];
}
