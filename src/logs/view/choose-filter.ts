import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { actionLogStates } from '../../platform/resources/action-logs.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { formatLocalTime } from '../../model/time-format.ts';
import {
  textFilters,
  type FilterChoice,
  type Filters,
  type LogRow,
  type TextFilter,
} from '../../webviews/protocol/logs.ts';
import { getFilters, parseArgument } from '../command-argument.ts';
import { parseTypedTime } from '../stream/query.ts';
import type { RunRecord } from '../../model/run-record.ts';
import { getActionIds, readRunRecords, getRunsOfFile } from '../history/runs.ts';

export interface FilterContext {
  readonly services: Services;
  readonly filters: Filters;
  /** loaded rows, to suggest values from */
  readonly rows: () => readonly LogRow[];
}

const LABELS: Readonly<Record<FilterChoice, string>> = {
  status: 'Status',
  // An address; statistics filter by the signer's name.
  signer: 'Signer address',
  wallet: 'Wallet',
  object: 'Object',
  batch: 'Batch',
  action: 'Action id',
  organization: 'Organization',
  connection: 'Connection',
  between: 'Between two moments',
  thisObject: 'This object',
  thisFile: 'This file’s runs',
};

/**
 * Asks which filter to add and its value. Resolves to `undefined` if the user cancels. Rejects with Error if nothing
 * can be chosen.
 */
export async function chooseFilter(context: FilterContext, choice?: FilterChoice): Promise<Filters | undefined> {
  const { ui } = context.services;
  const choices = Object.entries(LABELS).flatMap(([name, label]) =>
    isFilterChoice(name) ? [{ label, name, description: getCurrentValue(context.filters, name) }] : [],
  );
  const chosen =
    choice ?? (await ui.pick(choices, { title: 'Add Filter', placeHolder: 'Filter on the server by' }))?.name;
  if (chosen === undefined) return undefined;
  switch (chosen) {
    case 'organization':
      return chooseOrganization(context);
    case 'connection':
      return chooseConnections(context);
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

function isFilterChoice(name: string): name is FilterChoice {
  return Object.hasOwn(LABELS, name);
}

function getCurrentValue(filters: Filters, name: FilterChoice): string {
  const textFilter = textFilters.find((known) => known === name);
  return textFilter === undefined ? '' : (filters[textFilter] ?? '');
}

async function chooseText({ services, filters, rows }: FilterContext, name: TextFilter): Promise<Filters | undefined> {
  const { ui } = services;
  const title = `Filter by ${LABELS[name]}`;
  const suggestions: readonly vscode.QuickPickItem[] =
    name === 'status' ? actionLogStates.map((label) => ({ label })) : suggestValues(rows(), name);
  const value =
    name === 'status'
      ? (await ui.pick(suggestions, { title, placeHolder: 'Only entries of this status' }))?.label
      : await ui.pickOrType(suggestions, {
          title,
          placeHolder: suggestions.length === 0 ? 'Type the value' : 'Choose one of those loaded, or type',
          formatTypedLabel: (text) => text,
        });
  const text = typeof value === 'object' ? value.label : value?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > 300) throw new Error(`a ${LABELS[name].toLowerCase()} has at most 300 characters`);
  return { ...filters, [name]: text };
}

/** Values of loaded rows, the most frequent first. */
function suggestValues(
  rows: readonly LogRow[],
  name: Exclude<TextFilter, 'status'>,
): { label: string; description: string }[] {
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
    .map(([label, count]) => ({ label, description: `${count} loaded` }));
}

async function chooseOrganization({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const known = filters.connections.flatMap((name) => services.sessions.get(name)?.organizations ?? []);
  const choices = known.map(({ id, label }) => ({
    label: toPlainText(label ?? id, 80),
    id,
    ...(label !== undefined && { description: toPlainText(id, 80) }),
  }));
  const chosen = await services.ui.pickOrType(choices, {
    title: 'Filter by Organization',
    placeHolder: 'Choose an organization, or type its id',
    formatTypedLabel: (text) => text,
  });
  const id = typeof chosen === 'object' ? chosen.id : chosen?.trim();
  if (id === undefined || id === '') return undefined;
  const organizations = [...filters.organizations.filter((other) => other !== id), id];
  return { ...filters, organizations: organizations.slice(-16) };
}

async function chooseConnections({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const others = services.sessions.all.filter(({ profile }) => !filters.connections.includes(profile.name));
  if (others.length === 0) throw new Error('every connection is followed already');
  const chosen = await services.ui.pick(
    others.map(({ profile, heading }) => ({ label: profile.name, description: heading })),
    { title: 'Follow Another Connection', placeHolder: 'Its action logs are shown beside the others' },
  );
  return chosen === undefined
    ? undefined
    : { ...filters, connections: [...filters.connections, chosen.label].slice(-16) };
}

async function chooseBetween({ services, filters }: FilterContext): Promise<Filters | undefined> {
  const askTime = async (title: string, value: number, min?: number): Promise<number | undefined> => {
    const typed = await services.ui.input({
      title,
      prompt: 'Date and time, in this machine’s zone: 2026-03-02 10:00:00, or ISO 8601',
      value: new Date(value - new Date(value).getTimezoneOffset() * 60_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' '),
      validateInput: (text) => {
        const time = parseTypedTime(text);
        if (Number.isNaN(time)) return 'Not a date and time, such as 2026-03-02 10:00:00';
        return min !== undefined && time <= min ? 'Not after the beginning' : undefined;
      },
    });
    return typed === undefined ? undefined : parseTypedTime(typed);
  };
  const now = Date.now();
  const from = await askTime('Between: From', filters.from ?? now - 3_600_000);
  if (from === undefined) return undefined;
  const to = await askTime('Between: To', Math.max(filters.to ?? now, from + 60_000), from);
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
  if (sent === undefined) throw new Error('no run of this file has an action id yet');
  const { action: _action, ...others } = filters;
  return { ...others, connections: [sent.connection], organizations: [], actions: sent.actions };
}

async function chooseFile(services: Services, runs: readonly RunRecord[]): Promise<readonly RunRecord[] | undefined> {
  const byName = new Map<string, RunRecord[]>();
  for (const run of runs) byName.set(run.file ?? run.name, [...(byName.get(run.file ?? run.name) ?? []), run]);
  if (byName.size === 0) throw new Error('nothing was run in this workspace yet. Execute an action file first');
  const chosen = await services.ui.pick(
    [...byName].map(([key, list]) => ({
      label: toPlainText(list[0]?.name ?? key, 80),
      description: `${list.length === 1 ? '1 run' : `${list.length} runs`}, last ${formatLocalTime(list[0]?.started ?? 0)}`,
      key,
    })),
    { title: 'Logs of a File’s Runs', placeHolder: 'Which action file?' },
  );
  return chosen === undefined ? undefined : byName.get(chosen.key);
}
