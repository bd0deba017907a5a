/** What the tests of actions share: the sandbox's counts and faults, files of the workspace, ids that fit. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunRecord } from '../../../src/actions/record.ts';
import type { TestHooks } from './hooks.ts';
import { hooks, sandbox } from './connections.ts';
import { closeAll } from './documents.ts';

export const EXECUTE = 'POST /ebus/execute';
export const CONNECTION = 'Actions';
/** Looked for in everything that is kept or shown. */
export const CANARY = 'canary-5f1e0c77-value-of-a-variable';

export async function control(method: string, name: string, body?: object): Promise<unknown> {
  const response = await fetch(`${sandbox().baseUrl}/__sandbox/${name}`, {
    method,
    headers: { 'x-sandbox-key': sandbox().apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

export async function posts(): Promise<number> {
  const { routes } = (await control('GET', 'stats')) as { readonly routes: Readonly<Record<string, number>> };
  return routes[EXECUTE] ?? 0;
}

export function folder(): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(found, 'no folder is open');
  return found;
}

export async function write(name: string, content: unknown): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folder(), name);
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** As if the last runs were minutes ago: until then the same file is not run again without a question. */
export async function forgetStarts(of: Pick<TestHooks, 'entry'>): Promise<void> {
  const { storageUri } = of.entry.context;
  assert.ok(storageUri);
  const starts = vscode.Uri.joinPath(storageUri, 'starts');
  const names = await Promise.resolve(vscode.workspace.fs.readDirectory(starts)).catch(() => []);
  for (const [name] of names) await vscode.workspace.fs.delete(vscode.Uri.joinPath(starts, name));
}

export async function execute(...args: readonly unknown[]): Promise<readonly RunRecord[]> {
  await forgetStarts(await hooks());
  return executeNow(...args);
}

/** As a second click would: what was run a moment ago is not run again. */
export async function executeNow(...args: readonly unknown[]): Promise<readonly RunRecord[]> {
  return (
    (await vscode.commands.executeCommand<readonly RunRecord[] | undefined>('smartObjects.executeAction', ...args)) ??
    []
  );
}

/** The object's own fields as the platform holds them: what the editor shows of secrets is masked. */
export async function customOf(id: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${sandbox().baseUrl}/objects/${id}`, { headers: { 'x-api-key': sandbox().apiKey } });
  const { custom } = (await response.json()) as { readonly custom: Readonly<Record<string, unknown>> };
  return custom;
}

export interface Ids {
  template(name: string): string;
  object(name: string, dropped?: boolean): string;
}

export async function ids(of: TestHooks): Promise<Ids> {
  const session = (await of.services()).sessions.get(CONNECTION);
  assert.ok(session);
  const templates = (await session.client.page('templates', { limit: 100 })).items.map(({ view }) => view);
  const objects = (await session.client.page('objects', { limit: 100 })).items.map(({ view }) => view);
  const used = new Set<string>();
  const template = (name: string): string => {
    const id = templates.find((one) => one?.name?.includes(name))?.id;
    assert.ok(id, `no template ${name}`);
    return id;
  };
  return {
    template,
    object(name, dropped = false) {
      const id = objects.find(
        (one) =>
          one?.template_id === template(name) &&
          one.id !== undefined &&
          !used.has(one.id) &&
          (one.location !== undefined) === dropped,
      )?.id;
      assert.ok(id, `no object of ${name}`);
      used.add(id);
      return id;
    },
  };
}

/** Chooses a completion at a place, as a person would. */
export async function complete(
  editor: vscode.TextEditor,
  offset: number,
  wanted: (item: vscode.CompletionItem) => boolean,
): Promise<void> {
  const { document } = editor;
  const position = document.positionAt(offset);
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
  );
  const item = list.items.find(wanted);
  assert.ok(
    item,
    `not offered at ${String(offset)}: ${list.items
      .map(({ label }) => (typeof label === 'string' ? label : label.label))
      .slice(0, 40)
      .join(', ')}`,
  );
  const range =
    item.range instanceof vscode.Range ? item.range : (item.range?.replacing ?? new vscode.Range(position, position));
  const text = item.insertText ?? '';
  if (text instanceof vscode.SnippetString) await editor.insertSnippet(text, range);
  else
    await editor.edit((edit) => {
      edit.replace(range, text);
    });
}

/** Signed in to the sandbox and without faults before each test. */
export function actionSuite(title: string, tests: (extension: () => TestHooks) => void): void {
  suite(title, function () {
    this.timeout(60_000);
    let extension: TestHooks | undefined;
    const held = (): TestHooks => {
      assert.ok(extension);
      return extension;
    };
    suiteSetup(async () => {
      extension = await hooks();
    });
    setup(async () => {
      await held().reset();
      await control('DELETE', 'faults');
      await held().addConnection(
        { name: CONNECTION, baseUrl: sandbox().baseUrl, environment: 'sandbox' },
        { apiKey: sandbox().apiKey },
      );
      await closeAll();
    });
    suiteTeardown(async () => {
      await control('DELETE', 'faults');
      await held().reset();
      await closeAll();
    });
    tests(held);
  });
}
