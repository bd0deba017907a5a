/** Asks which filter to add and with which value; suggests what is loaded and known. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { actionLogStates } from '../platform/resources/action-logs.ts';
import { plainText } from '../platform/plain-text.ts';
import { localTime } from '../ui/times.ts';
import {
  wordFilters,
  type FilterChoice,
  type Filters,
  type LogRow,
  type WordFilter,
} from '../webviews/protocol-logs.ts';
import { filtersOf, givenOf } from './argument.ts';
import { momentOf } from './query.ts';
import { actionsOf, keptRuns, runsOfFile, type KeptRun } from './runs.ts';

export interface Asking {
  readonly services: Services;
  readonly filters: Filters;
  readonly rows: () => readonly LogRow[];
}

const LABELS: Readonly<Record<FilterChoice, string>> = {
  status: 'Status',
  // Statistics take its name.
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

/** The new filters; `undefined` when the person closes a question. Throws an Error that says what is missing. */
export async function chooseFilter(asking: Asking, what?: FilterChoice): Promise<Filters | undefined> {
  const { ui } = asking.services;
  const choices = Object.entries(LABELS).flatMap(([name, label]) =>
    isChoice(name) ? [{ label, name, description: current(asking.filters, name) }] : [],
  );
  const chosen =
    what ?? (await ui.pick(choices, { title: 'Add Filter', placeHolder: 'Filter on the server by' }))?.name;
  if (chosen === undefined) return undefined;
  switch (chosen) {
    case 'organization':
      return chooseOrganization(asking);
    case 'connection':
      return chooseConnections(asking);
    case 'between':
      return chooseBetween(asking);
    case 'thisObject':
      return thisObject(asking);
    case 'thisFile':
      return thisFile(asking);
    default:
      return chooseWord(asking, chosen);
  }
}

function isChoice(name: string): name is FilterChoice {
  return Object.hasOwn(LABELS, name);
}

function current(filters: Filters, name: FilterChoice): string {
  const word = wordFilters.find((known) => known === name);
  return word === undefined ? '' : (filters[word] ?? '');
}

async function chooseWord({ services, filters, rows }: Asking, name: WordFilter): Promise<Filters | undefined> {
  const { ui } = services;
  const title = `Filter by ${LABELS[name]}`;
  const suggestions: readonly vscode.QuickPickItem[] =
    name === 'status' ? actionLogStates.map((label) => ({ label })) : suggested(rows(), name);
  const value =
    name === 'status'
      ? (await ui.pick(suggestions, { title, placeHolder: 'Only entries of this status' }))?.label
      : await ui.pickOrType(suggestions, {
          title,
          placeHolder: suggestions.length === 0 ? 'Type the value' : 'Choose one of those loaded, or type',
          typed: (text) => text,
        });
  const text = typeof value === 'object' ? value.label : value?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > 300) throw new Error(`a ${LABELS[name].toLowerCase()} has at most 300 characters`);
  return { ...filters, [name]: text };
}

/** What is loaded has the most telling values, the most frequent first. */
function suggested(
  rows: readonly LogRow[],
  name: Exclude<WordFilter, 'status'>,
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

async function chooseOrganization({ services, filters }: Asking): Promise<Filters | undefined> {
  const known = filters.connections.flatMap((name) => services.sessions.get(name)?.organizations ?? []);
  const choices = known.map(({ id, label }) => ({
    label: plainText(label ?? id, 80),
    id,
    ...(label !== undefined && { description: plainText(id, 80) }),
  }));
  const chosen = await services.ui.pickOrType(choices, {
    title: 'Filter by Organization',
    placeHolder: 'Choose an organization, or type its id',
    typed: (text) => text,
  });
  const id = typeof chosen === 'object' ? chosen.id : chosen?.trim();
  if (id === undefined || id === '') return undefined;
  const organizations = [...filters.organizations.filter((other) => other !== id), id];
  return { ...filters, organizations: organizations.slice(-16) };
}

async function chooseConnections({ services, filters }: Asking): Promise<Filters | undefined> {
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

async function chooseBetween({ services, filters }: Asking): Promise<Filters | undefined> {
  const ask = async (title: string, value: number, least?: number): Promise<number | undefined> => {
    const typed = await services.ui.input({
      title,
      prompt: 'Date and time, in this machine’s zone: 2026-03-02 10:00:00, or ISO 8601',
      value: new Date(value - new Date(value).getTimezoneOffset() * 60_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' '),
      validateInput: (text) => {
        const time = momentOf(text);
        if (Number.isNaN(time)) return 'Not a date and time, such as 2026-03-02 10:00:00';
        return least !== undefined && time <= least ? 'Not after the beginning' : undefined;
      },
    });
    return typed === undefined ? undefined : momentOf(typed);
  };
  const now = Date.now();
  const from = await ask('Between: From', filters.from ?? now - 3_600_000);
  if (from === undefined) return undefined;
  const to = await ask('Between: To', Math.max(filters.to ?? now, from + 60_000), from);
  return to === undefined ? undefined : { ...filters, range: 'between', from, to };
}

/** The object whose document is in front, or one that is chosen. */
async function thisObject(asking: Asking): Promise<Filters | undefined> {
  const given = givenOf(vscode.window.activeTextEditor?.document.uri);
  const named = given.kind === 'objects' && given.id !== undefined;
  return (named ? filtersOf(given) : undefined) ?? chooseWord(asking, 'object');
}

/** The action file in front, or one of those that were run. */
async function thisFile({ services, filters }: Asking): Promise<Filters | undefined> {
  const runs = await keptRuns(services.context);
  const front = vscode.window.activeTextEditor?.document.uri;
  const own = front === undefined ? [] : [...runsOfFile(runs, front.toString()), ...runsOfFile(runs, front.fsPath)];
  const found = own.length > 0 ? own : await chooseFile(services, runs);
  if (found === undefined) return undefined;
  const sent = actionsOf(found);
  if (sent === undefined) throw new Error('no run of this file has an action id yet');
  const { action: _action, ...others } = filters;
  return { ...others, connections: [sent.connection], organizations: [], actions: sent.actions };
}

async function chooseFile(services: Services, runs: readonly KeptRun[]): Promise<readonly KeptRun[] | undefined> {
  const byName = new Map<string, KeptRun[]>();
  for (const kept of runs) byName.set(kept.file ?? kept.name, [...(byName.get(kept.file ?? kept.name) ?? []), kept]);
  if (byName.size === 0) throw new Error('nothing was run in this workspace yet. Execute an action file first');
  const chosen = await services.ui.pick(
    [...byName].map(([key, list]) => ({
      label: plainText(list[0]?.name ?? key, 80),
      description: `${list.length === 1 ? '1 run' : `${list.length} runs`}, last ${localTime(list[0]?.started ?? 0)}`,
      key,
    })),
    { title: 'Logs of a File’s Runs', placeHolder: 'Which action file?' },
  );
  return chosen === undefined ? undefined : byName.get(chosen.key);
}
