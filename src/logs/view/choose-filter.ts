import * as l10n from '@vscode/l10n';
import { formatList, pluralize } from '../../platform/text/localization.ts';
import * as vscode from 'vscode';
import { createTitleLookup } from '../../cache/title-lookup.ts';
import type { Services } from '../../commands/context.ts';
import { actionLogStates } from '../../platform/resources/action-logs.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { createStatusChoice } from '../../model/text/status.ts';
import { normalizeValue, type Labels } from '../../model/text/labels.ts';
import { formatLocalTime } from '../../model/text/time-format.ts';
import {
  filterParameters,
  rangeLabels,
  textFilters,
  TIME_RANGES,
  type FilterChoice,
  type Filters,
  type LogRow,
  type FilterLabel,
  type TextFilter,
} from '../../webviews/protocol/logs.ts';
import {
  formatFilterText,
  getFilterField,
  getIdKind,
  groupFilterFields,
  type FilterGroup,
  type GetTitle,
} from '../../model/resources/filter-fields.ts';
import { getFilters, parseArgument } from '../command-argument.ts';
import { parseTypedTime } from '../stream/query.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import { getActionIds, readRunRecords, getRunsOfFile } from '../history/runs.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

interface FilterContext {
  readonly services: Services;
  readonly filters: Filters;
  /** only failures are shown: no choice of a status */
  readonly failures: boolean;
  /** loaded rows, to suggest values from */
  readonly rows: () => readonly LogRow[];
}

interface ChoiceItem extends vscode.QuickPickItem {
  readonly name?: FilterChoice | 'clear';
}
interface GroupedItem {
  readonly name: FilterChoice;
  readonly label: string;
  readonly group: FilterGroup;
  readonly description: string;
}
interface ValueItem {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
}

/**
 * Asks which filter to add and its value. Resolves to `undefined` if the user cancels. Rejects with Error if nothing
 * can be chosen.
 */
export async function chooseFilter(context: FilterContext, choice?: FilterChoice): Promise<Filters | undefined> {
  const { filters, services } = context;
  const chosen =
    choice ??
    (
      await services.ui.pick(getChoiceItems(context), {
        title: l10n.t('Filter Action Logs'),
        placeHolder: l10n.t('Select a filter'),
        matchOnDescription: true,
      })
    )?.name;
  switch (chosen) {
    case undefined:
      return undefined;
    case 'clear':
      return { connections: filters.connections, organizations: [], range: 'latest' };
    case 'organization':
      return chooseOrganization(context);
    case 'connection':
      return chooseConnections(context);
    case 'created':
      return chooseRange(context);
    case 'between':
      return chooseBetween(context);
    case 'thisObject':
      return chooseThisObject(context);
    case 'thisFile':
      return chooseThisFile(context);
    default:
      return chooseText(context, chosen);
  }
}

/** Formats the filters of one value each in words: with the name of the resource if it is known. */
export function formatFilterLabels(services: Services, filters: Filters): FilterLabel[] {
  const getTitle = createTitleLookup(services, filters.connections);
  return textFilters.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const label = toPlainText(formatFilterText(filterParameters[name], value, getTitle), 120);
    return [{ name, label, title: label.includes(value) ? label : `${label} (${toPlainText(value, 300)})` }];
  });
}

/** Items for all filters in groups, with the current values. */
function getChoiceItems({ services, filters, failures }: FilterContext): readonly ChoiceItem[] {
  const values = new Map(formatFilterLabels(services, filters).map(({ name, label }) => [name, label]));
  const getTitle = createTitleLookup(services, filters.connections);
  const { organizations, range } = filters;
  const own = filters.actions === undefined ? '' : formatRunCount(filters.actions.length);
  const createItem = (name: FilterChoice, parameter: string, value: string): GroupedItem => {
    const { label, group } = getFilterField(parameter);
    return { name, label, group, description: formatCurrentValue(value) };
  };
  const createTextItem = (name: TextFilter): GroupedItem =>
    createItem(name, filterParameters[name], values.get(name) ?? '');
  // In the order of the lists' filters.
  const items: readonly GroupedItem[] = [
    createTextItem('action'),
    createItem(
      'organization',
      'org_id',
      formatList(
        organizations.map((id) => getTitle('organizations', id) ?? id),
        'unit',
      ),
    ),
    ...(['batch', 'wallet', 'object', 'signer'] as const).map(createTextItem),
    ...(failures ? [] : [createTextItem('status')]),
    createItem('created', 'when_created', formatRange(range)),
    {
      name: 'connection',
      label: l10n.t('Connection'),
      group: 'shown',
      description: l10n.t('Add Another Connection'),
    },
    { name: 'thisFile', label: l10n.t('Runs of an action file'), group: 'shown', description: formatCurrentValue(own) },
    { name: 'thisObject', label: l10n.t('Object of the active editor'), group: 'shown', description: '' },
  ];
  const groups = groupFilterFields(items, ({ group }) => group).flatMap(({ label, items: members }): ChoiceItem[] => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...members.map(({ label, description, name }) => ({ label, description, name })),
  ]);
  const hasFilters = values.size > 0 || organizations.length > 0 || range !== 'latest' || own !== '';
  return hasFilters ? [...groups, { label: l10n.t('$(clear-all) Clear Filters'), name: 'clear' }] : groups;
}

function formatRange(range: Filters['range']): string {
  if (range === 'latest') return '';
  return range === 'between' ? l10n.t('Between two times') : rangeLabels[range];
}

function formatRunCount(count: number): string {
  return pluralize(count, l10n.t('{0} run|{0} runs'));
}

function formatCurrentValue(value: string): string {
  return value === '' ? '' : `$(filter) ${escapeIcons(toPlainText(value, 80))}`;
}

async function chooseText({ services, filters, rows }: FilterContext, name: TextFilter): Promise<Filters | undefined> {
  const { ui } = services;
  const { label, example = '' } = getFilterField(filterParameters[name]);
  const title = l10n.t('Filter Action Logs by {0}', label);
  const getTitle = createTitleLookup(services, filters.connections);
  const suggestions: readonly ValueItem[] =
    name === 'status'
      ? actionLogStates.map(createStatusChoice)
      : [
          ...suggestValues(rows(), name, getTitle),
          ...(getIdKind(filterParameters[name]) === 'wallets' ? suggestLabels(services.labels, rows()) : []),
        ];
  const chosen =
    name === 'status'
      ? await ui.pick(suggestions, { title, matchOnDescription: true })
      : await ui.pickOrType(suggestions, {
          title,
          placeHolder:
            suggestions.length === 0
              ? l10n.t('Enter a value, for example {0}', example)
              : l10n.t('Select a loaded value or enter one, for example {0}', example),
          formatTypedLabel: (text) => l10n.t('Filter by “{0}”', escapeIcons(text)),
        });
  const text = typeof chosen === 'object' ? chosen.value : chosen?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > 300) throw new Error(l10n.t('the filter “{0}” is limited to {1} characters', label, '300'));
  return { ...filters, [name]: text };
}

/** Values of loaded rows, the most frequent first. */
function suggestValues(
  rows: readonly LogRow[],
  name: Exclude<TextFilter, 'status'>,
  getTitle: GetTitle,
): readonly ValueItem[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const values =
      name === 'signer'
        ? [row.signer]
        : name === 'object'
          ? row.objects
          : name === 'batch'
            ? [row.batch]
            : name === 'action'
              ? [row.id]
              : [];
    for (const value of values)
      if (value !== '' && !value.endsWith('…')) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 200)
    .map(([value, count]) => {
      const title = toPlainText(getTitle(getIdKind(filterParameters[name]), value) ?? '', 80);
      const id = escapeIcons(toPlainText(value, 300));
      const loaded = pluralize(count, l10n.t('{0} loaded log|{0} loaded logs'));
      return title === '' || title === id
        ? { label: id, description: loaded, value }
        : { label: escapeIcons(title), description: `${id} · ${loaded}`, value };
    });
}

/** Labelled values that no loaded row was signed by. */
function suggestLabels({ all }: Labels, rows: readonly LogRow[]): readonly ValueItem[] {
  const signers = new Set(rows.map(({ signer }) => normalizeValue(signer)));
  return all
    .filter(({ value }) => !signers.has(normalizeValue(value)))
    .map(({ text, value }) => ({
      label: escapeIcons(text),
      description: escapeIcons(value),
      value,
    }));
}

async function chooseOrganization({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const known = filters.connections.flatMap((name) => services.sessions.get(name)?.organizations ?? []);
  const choices = known.map(({ id, label }) => ({
    label: escapeIcons(toPlainText(label ?? id, 80)),
    id,
    ...(label !== undefined && { description: escapeIcons(toPlainText(id, 80)) }),
  }));
  const chosen = await services.ui.pickOrType(choices, {
    title: l10n.t('Filter Action Logs by Organization'),
    placeHolder: l10n.t(
      'Select an organization or enter its ID, for example {0}',
      getFilterField('org_id').example ?? '',
    ),
    formatTypedLabel: (text) => l10n.t('Filter by “{0}”', escapeIcons(text)),
  });
  const id = typeof chosen === 'object' ? chosen.id : chosen?.trim();
  if (id === undefined || id === '') return undefined;
  const organizations = [...filters.organizations.filter((other) => other !== id), id];
  return { ...filters, organizations: organizations.slice(-16) };
}

async function chooseConnections({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const others = services.sessions.all.filter(({ profile }) => !filters.connections.includes(profile.name));
  if (others.length === 0) throw new Error(l10n.t('all connections are already shown'));
  const chosen = await services.ui.pick(
    others.map(({ profile, heading }) => ({ label: profile.name, description: heading })),
    {
      title: l10n.t('Add Connection to View'),
      placeHolder: l10n.t('Select another connection to show the action logs of'),
    },
  );
  return chosen === undefined
    ? undefined
    : { ...filters, connections: [...filters.connections, chosen.label].slice(-16) };
}

async function chooseRange(context: FilterContext): Promise<Filters | undefined> {
  const { filters, services } = context;
  const chosen = await services.ui.pick(
    TIME_RANGES.map((range) => ({ label: rangeLabels[range], range })),
    { title: l10n.t('Filter Action Logs by Creation Time') },
  );
  if (chosen === undefined) return undefined;
  if (chosen.range === 'between') return chooseBetween(context);
  const { from: _from, to: _to, ...others } = filters;
  return { ...others, range: chosen.range };
}

const EXAMPLE_TIME = '2026-03-02 10:00:00';

async function chooseBetween({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const askTime = async (title: string, value: number, min?: number): Promise<number | undefined> => {
    const typed = await services.ui.input({
      title,
      prompt: l10n.t('Local date and time such as {0}, or ISO 8601', EXAMPLE_TIME),
      value: new Date(value - new Date(value).getTimezoneOffset() * 60_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' '),
      validateInput: (text) => {
        const time = parseTypedTime(text);
        if (Number.isNaN(time)) return l10n.t('Enter a date and time such as {0}.', EXAMPLE_TIME);
        return min !== undefined && time <= min ? l10n.t('The end must be after the start.') : undefined;
      },
    });
    return typed === undefined ? undefined : parseTypedTime(typed);
  };
  const now = Date.now();
  const from = await askTime(l10n.t('Created After'), filters.from ?? now - 3_600_000);
  if (from === undefined) return undefined;
  const to = await askTime(l10n.t('Created Before'), Math.max(filters.to ?? now, from + 60_000), from);
  return to === undefined ? undefined : { ...filters, range: 'between', from, to };
}

/** Filters by the object of the active document, or prompts for one. */
async function chooseThisObject(context: FilterContext): Promise<Filters | undefined> {
  const resource = parseArgument(vscode.window.activeTextEditor?.document.uri);
  const isObject = resource.kind === 'objects' && resource.id !== undefined;
  return (isObject ? getFilters(resource) : undefined) ?? chooseText(context, 'object');
}

/** Filters by the runs of the active action file, or prompts for a file that was run. */
async function chooseThisFile({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const runs = await readRunRecords(services.context);
  const activeUri = vscode.window.activeTextEditor?.document.uri;
  const own =
    activeUri === undefined
      ? []
      : [...getRunsOfFile(runs, activeUri.toString()), ...getRunsOfFile(runs, activeUri.fsPath)];
  const found = own.length > 0 ? own : await chooseFile(services, runs);
  if (found === undefined) return undefined;
  const sent = getActionIds(found);
  if (sent === undefined) throw new Error(l10n.t('no run of this file has an action ID yet'));
  const { action: _action, ...others } = filters;
  return { ...others, connections: [sent.connection], organizations: [], actions: sent.actions };
}

async function chooseFile(services: Services, runs: readonly RunRecord[]): Promise<readonly RunRecord[] | undefined> {
  const byName = new Map<string, RunRecord[]>();
  for (const run of runs) byName.set(run.file ?? run.name, [...(byName.get(run.file ?? run.name) ?? []), run]);
  if (byName.size === 0) throw new Error(l10n.t('no action file has been run in this workspace yet'));
  const chosen = await services.ui.pick(
    [...byName].map(([key, list]) => ({
      label: toPlainText(list[0]?.name ?? key, 80),
      description: pluralize(
        list.length,
        l10n.t('{0} run · last run {1}|{0} runs · last run {1}'),
        formatLocalTime(list[0]?.started ?? 0),
      ),
      key,
    })),
    { title: l10n.t('Filter Action Logs by Action File'), placeHolder: l10n.t('Select an action file') },
  );
  return chosen === undefined ? undefined : byName.get(chosen.key);
}
