/** Registers the actions room: cheap proxies now, everything else on first use. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Room, RoomEvents } from './room.ts';

const COMMANDS = [
  'executeAction',
  'executeOn',
  'checkAction',
  'newActionFile',
  'newActionFileFrom',
  'cancelRun',
  'rerun',
  'compareRuns',
  'showRuns',
  'copyRunner',
  'copyRunCurl',
  'removeRun',
  'openRunDiff',
  'openRunTransaction',
] as const satisfies readonly CommandId[];

export function registerActions(entry: Entry): void {
  const events: RoomEvents = {
    runs: entry.own(new vscode.EventEmitter<object | undefined>()),
    parts: entry.own(new vscode.EventEmitter<vscode.Uri>()),
    lenses: entry.own(new vscode.EventEmitter<void>()),
  };
  let loading: Promise<Room> | undefined;
  const room = (): Promise<Room> => (loading ??= load(entry, events));

  for (const id of COMMANDS) proxy(entry, room, id);
  entry.own(
    vscode.workspace.registerTextDocumentContentProvider('smartobject-run', {
      onDidChange: events.parts.event,
      provideTextDocumentContent: async (uri) => (await room()).partText(uri),
    }),
  );
  const view = entry.own(
    vscode.window.createTreeView<object>('smartObjects.runs', {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: events.runs.event,
        getChildren: async (row) => (await room()).runRows(row),
        getTreeItem: async (row) => (await room()).runItem(row),
        getParent: async (row) => (await room()).runParent(row),
      },
    }),
  );
  events.view = view;
  registerLanguage(entry, events);
}

function proxy(entry: Entry, room: () => Promise<Room>, id: (typeof COMMANDS)[number]): void {
  entry.command(id, async (_services, ...args) => (await room()).run(id, args));
}

function registerLanguage(entry: Entry, events: RoomEvents): void {
  const selector: vscode.DocumentSelector = { pattern: '**/*.action.json' };
  entry.own(
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: events.lenses.event,
      provideCodeLenses: (document) => [
        lens('$(play) Run', 'executeAction', document.uri),
        lens('Check', 'checkAction', document.uri),
        lens('Run on…', 'executeOn', document.uri),
      ],
    }),
  );
}

function lens(title: string, id: CommandId, uri: vscode.Uri): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: `smartObjects.${id}`, arguments: [uri] });
}

async function load(entry: Entry, events: RoomEvents): Promise<Room> {
  const [services, { createRoom }] = await Promise.all([entry.services(), import('./room.ts')]);
  return createRoom(entry, services, events);
}
