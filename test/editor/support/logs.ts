/** Helpers for tests of the action logs: the views, and logs injected into the sandbox. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LogsHooks } from '../../../src/logs/register.ts';
import type { LogsView } from '../../../src/logs/view/logs-view.ts';
import type { TestHooks } from './hooks.ts';
import type { Filters } from '../../../src/webviews/protocol/logs.ts';
import { CONNECTION, eventually, onSandbox } from './documents.ts';
import { callSandboxControl } from './sandbox.ts';

export type Hooks = TestHooks & { readonly logs: LogsHooks };

export async function hooks(): Promise<Hooks> {
  const extension = vscode.extensions.getExtension<Hooks>('smart-objects.smart-object-explorer');
  assert.ok(extension, 'not installed');
  return extension.activate();
}

/** A suite with a sandbox, a connection to it, and views that poll each second. */
export function onLogs(more: Readonly<Record<string, unknown>> = {}): void {
  const setInterval = (seconds: number | undefined): Thenable<void> =>
    vscode.workspace
      .getConfiguration('smartObjects.logs')
      .update('refreshInterval', seconds, vscode.ConfigurationTarget.Global);
  onSandbox(CONNECTION, more);
  suiteSetup(() => setInterval(1));
  suiteTeardown(async () => {
    await setInterval(undefined);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
}

export async function views(): Promise<readonly LogsView[]> {
  return (await (await hooks()).logs.controller()).views;
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

export async function injectLogs(count: number, more: object = {}): Promise<readonly string[]> {
  return ((await callSandboxControl('logs', { count, ...more })) as { ids: string[] }).ids;
}

/** Opens the logs of the view in a tab too. */
export async function openLogsTab(view: LogsView): Promise<LogsView> {
  view.handlers.openTab({});
  return eventually(async () => (await views()).find((other) => other !== view));
}

/** Injects logs twice and waits each time until the view shows them, so another view would have polled meanwhile. */
export async function injectLogsUntilShown(view: LogsView): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let time = 0; time < 2; time++) {
    ids.push(...(await injectLogs(10)));
    await eventually(() => (hasIds(view, ids) ? true : undefined));
  }
  return ids;
}

export const hasAnyId = (view: LogsView, ids: readonly string[]): boolean =>
  view.entries.some(({ id }) => ids.includes(id));

export const hasIds = (view: LogsView, ids: readonly string[]): boolean => {
  const loaded = new Set(view.entries.map(({ id }) => id));
  return ids.every((id) => loaded.has(id));
};

async function findId(kind: 'objects' | 'templates', matches: (view: object) => boolean): Promise<string> {
  const session = (await (await hooks()).services()).sessions.get(CONNECTION);
  const page = await session?.client.listPage(kind, { limit: 100 });
  const id = page?.items.find(({ view }) => view !== undefined && matches(view))?.id;
  assert.ok(id !== undefined, `no such ${kind}`);
  return id;
}

/** The id of an object that can be updated and transferred. */
export async function findJacket(): Promise<string> {
  const template = await findId('templates', (view) => String(Reflect.get(view, 'name')).includes('Jacket'));
  return findId('objects', (view) => Reflect.get(view, 'template_id') === template);
}
