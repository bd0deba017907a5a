/** What the tests of the action logs share: the views behind the extension, and logs that come out of nowhere. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LogsHooks } from '../../../src/logs/register.ts';
import type { LogsView } from '../../../src/logs/view.ts';
import type { TestHooks } from './hooks.ts';
import type { Filters } from '../../../src/webviews/protocol-logs.ts';
import { control } from './connections.ts';
import { ask, CONNECTION, eventually } from './documents.ts';

export type Hooks = TestHooks & { readonly logs: LogsHooks };

export async function hooks(): Promise<Hooks> {
  const extension = vscode.extensions.getExtension<Hooks>('smart-objects.smart-object-explorer');
  assert.ok(extension, 'not installed');
  return extension.activate();
}

export async function views(): Promise<readonly LogsView[]> {
  return (await (await hooks()).logs.room()).views;
}

export async function panel(): Promise<LogsView> {
  return eventually(async () => (await views()).find(({ tab }) => !tab));
}

export const base: Filters = { connections: [CONNECTION], organizations: [], range: 'latest' };

export async function show(filters: Partial<Filters> = {}): Promise<LogsView> {
  await vscode.commands.executeCommand('smartObjects.showActionLogs', {
    mode: 'logs',
    filters: { ...base, ...filters },
    text: '',
  });
  return panel();
}

export async function inject(count: number, more: object = {}): Promise<readonly string[]> {
  return ((await control('POST', 'logs', { count, ...more })) as { ids: string[] }).ids;
}

export async function logRequests(): Promise<number> {
  const { requests } = JSON.parse(await ask('/__sandbox/requests')) as { requests: readonly { route?: string }[] };
  return requests.filter(({ route }) => route === 'GET /ebus/action-logs').length;
}

export const holds = (view: LogsView, ids: readonly string[]): boolean => {
  const held = new Set(view.held.map(({ id }) => id));
  return ids.every((id) => held.has(id));
};
