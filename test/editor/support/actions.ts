/** Helpers for tests of actions: sandbox control, files of the workspace, ids of suitable objects and templates. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRow } from '../../../src/actions/history/runs-view.ts';
import { ActionsController, type ControllerEvents } from '../../../src/actions/controller.ts';
import type { FeatureContext, Services } from '../../../src/commands/context.ts';
import type { RunRecord } from '../../../src/model/runs/run-record.ts';
import { openWorkspaceStorage } from '../../../src/model/files/workspace-storage.ts';
import { Disposables, type Disposable } from '../../../src/ui/disposables.ts';
import type { Session, TestHooks } from './hooks.ts';
import { getTestHooks } from './connections.ts';
import { closeAll, eventually } from './documents.ts';
import { ask, clearFaults, getSandbox, useSandbox } from './sandbox.ts';

export const CONNECTION = 'Actions';
/** A variable's secret value: tests search stored files and shown text for it. */
export const CANARY = 'canary-5f1e0c77-value-of-a-variable';

export function folder(): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(found, 'no folder is open');
  return found;
}

/** Writes a file of the workspace, and waits until a document that VS Code still has of an earlier test shows its text. */
export async function write(name: string, content: unknown): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folder(), name);
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const isStale = (document: vscode.TextDocument): boolean =>
    document.uri.toString() === uri.toString() && !document.isDirty && document.getText() !== text;
  await eventually(() => (vscode.workspace.textDocuments.some(isStale) ? undefined : true));
  return uri;
}

/** Deletes a file or folder of the workspace. */
export async function remove(name: string): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), name), { recursive: true });
}

/** Runs a task to its end: one of the workspace (`test/fixtures/editor-workspace`), or of an action file by its path. */
export async function runTask(label: string): Promise<void> {
  const task = await eventually(async () =>
    (await vscode.tasks.fetchTasks({ type: 'smartObjects' })).find(({ name }) => name === label),
  );
  const ended = new Promise<void>((resolve) => {
    const watch = vscode.tasks.onDidEndTask(({ execution }) => {
      if (execution.task.name !== label) return;
      watch.dispose();
      resolve();
    });
  });
  await vscode.tasks.executeTask(task);
  await ended;
}

/** Clears recent starts, since a file that ran a moment ago is confirmed first. Runs that start together clear the same ones. */
export async function clearRecentStarts(extension: Pick<TestHooks, 'features'>): Promise<void> {
  for (const file of await listRecentStarts(extension)) await fs.rm(file, { force: true });
}

/** Keeps the starts so far recent for minutes: on a slow computer, the next one may come seconds later. */
export async function keepRecentStarts(extension: Pick<TestHooks, 'features'>): Promise<void> {
  for (const file of await listRecentStarts(extension)) {
    const { dir, name, ext } = path.parse(file);
    for (let later = 1; later < 100; later++)
      await fs.writeFile(path.join(dir, `${name}.${String(Number(ext.slice(1)) + later)}`), '');
  }
}

/** Their files: see `RecentStarts`. */
async function listRecentStarts({ features }: Pick<TestHooks, 'features'>): Promise<readonly string[]> {
  const folder = path.join(features.context.globalStorageUri.fsPath, 'starts');
  return (await fs.readdir(folder).catch(() => [])).map((name) => path.join(folder, name));
}

export async function execute(...args: readonly unknown[]): Promise<readonly RunRecord[]> {
  await clearRecentStarts(await getTestHooks());
  return executeNow(...args);
}

/** Runs without `clearRecentStarts`, like a second click. */
export async function executeNow(...args: readonly unknown[]): Promise<readonly RunRecord[]> {
  return (
    (await vscode.commands.executeCommand<readonly RunRecord[] | undefined>('smartObjects.executeAction', ...args)) ??
    []
  );
}

/** The object's `custom` fields from the platform itself, without masking. */
export async function readCustom(id: string): Promise<Readonly<Record<string, unknown>>> {
  const object = JSON.parse(await ask(`/objects/${id}`)) as { readonly custom: Readonly<Record<string, unknown>> };
  return object.custom;
}

export interface Ids {
  template(name: string): string;
  object(name: string, dropped?: boolean): string;
}

export async function readIds(extension: TestHooks): Promise<Ids> {
  const session = (await extension.services()).sessions.get(CONNECTION);
  assert.ok(session);
  const templates = (await session.client.listPage('templates', { limit: 100 })).items.map(({ view }) => view);
  const objects = (await session.client.listPage('objects', { limit: 100 })).items.map(({ view }) => view);
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

/** Inserts the first matching completion at `offset`. */
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

/** A suite with a signed-in connection to the sandbox and no faults before each test. */
export function actionSuite(title: string, tests: (extension: () => TestHooks) => void): void {
  suite(title, () => {
    useSandbox();
    let extension: TestHooks | undefined;
    const getExtension = (): TestHooks => {
      assert.ok(extension);
      return extension;
    };
    suiteSetup(async () => {
      extension = await getTestHooks();
    });
    let session: Session | undefined;
    setup(async () => {
      clearFaults();
      await getExtension().reset(session);
      const { sessions } = await getExtension().services();
      if (sessions.all.length === 0) {
        const { baseUrl, apiKey } = getSandbox();
        await getExtension().addConnection({ name: CONNECTION, baseUrl, environment: 'sandbox' }, { apiKey });
        session = sessions.get(CONNECTION);
      }
      await closeAll();
    });
    tests(getExtension);
  });
}

/** A controller as of another window of this workspace: it shares the history, though its `storageUri` is another. */
export interface OtherController extends Disposable {
  readonly controller: ActionsController;
  readonly lenses: vscode.EventEmitter<void>;
  /** the features' commands that it ran, with their arguments */
  readonly commands: readonly unknown[][];
}

export async function createOtherController(
  extension: TestHooks,
  view: ControllerEvents['view'] = { visible: false, selection: [], reveal: () => Promise.resolve() },
): Promise<OtherController> {
  const own = new Disposables();
  const lenses = new vscode.EventEmitter<void>();
  const commands: unknown[][] = [];
  const context = openOtherContext(extension.features.context);
  const features: FeatureContext = {
    ...extension.features,
    context,
    addDisposable: (disposable) => own.add(disposable),
    run: (...args: unknown[]) => {
      commands.push(args);
      return Promise.resolve();
    },
  };
  const services: Services = { ...(await extension.services()), context };
  const storage = await openWorkspaceStorage(context, vscode.workspace);
  const events: ControllerEvents = {
    runs: new vscode.EventEmitter<RunRow | undefined>(),
    documents: new vscode.EventEmitter<vscode.Uri>(),
    previews: new vscode.EventEmitter<vscode.Uri>(),
    lenses,
    touched: new vscode.EventEmitter<{ connection: string; ids: readonly string[] }>(),
    view,
    testController: own.add(vscode.tests.createTestController('other-controller', 'Test')),
  };
  const controller = new ActionsController(features, services, events, storage);
  return {
    controller,
    lenses,
    commands,
    dispose: () => {
      own.dispose();
    },
  };
}

/** The context of a second window of a workspace, with the `storageUri` that VS Code gives it. */
function openOtherContext(context: vscode.ExtensionContext): vscode.ExtensionContext {
  const { storageUri } = context;
  assert.ok(storageUri);
  const folder = path.dirname(storageUri.fsPath);
  const other = vscode.Uri.file(path.join(`${folder}-1`, path.basename(storageUri.fsPath)));
  return Object.create(context, { storageUri: { value: other } }) as vscode.ExtensionContext;
}

export async function getLenses(uri: vscode.Uri): Promise<readonly vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
}
