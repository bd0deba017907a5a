/** The documents room, loaded on first use: one store, its file system, and what each command does. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import { plain } from '../ui/plain.ts';
import { chooseResource, findById } from './choose.ts';
import { openDocument, targetOf, type Desk } from './desk.ts';
import { ResourceFiles, resourceOf, uriOf } from './file-system.ts';
import { Recents } from './recents.ts';
import { DocumentStore, keyOf } from './store.ts';

export interface Room {
  readonly files: ResourceFiles;
  run(id: CommandId, argument: unknown): Promise<unknown>;
}

export function createRoom(
  entry: Entry,
  services: Services,
  changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
): Room {
  const openUris = (key: string): vscode.Uri[] =>
    vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter((uri) => {
        const resource = resourceOf(uri);
        return resource !== undefined && keyOf(resource) === key;
      });
  const store = new DocumentStore({
    sessions: services.sessions,
    isOpen: (resource) => openUris(keyOf(resource)).length > 0,
    changed: ({ resource }, what) => {
      if (what !== 'text') return;
      const uris = [uriOf(resource), ...openUris(keyOf(resource))];
      changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
    },
  });
  const desk: Desk = { entry, services, store, recents: new Recents(services.context.globalState) };
  const commands: Partial<Record<CommandId, (argument: unknown) => Promise<unknown>>> = {
    openResource: (argument) => openResource(desk, argument),
    copyId: (argument) => copyId(desk, argument),
  };
  return {
    files: new ResourceFiles(store),
    run: async (id, argument) => commands[id]?.(argument),
  };
}

async function openResource(desk: Desk, argument: unknown): Promise<void> {
  const given = targetFromArgument(argument);
  const resource =
    given ??
    (typeof argument === 'string' ? await findById(desk, argument) : await chooseResource(desk, 'Open Resource by ID'));
  if (resource !== undefined) await openDocument(desk, resource);
}

/** Without an argument the document in front is no answer: the person wants another one. */
function targetFromArgument(argument: unknown): ReturnType<typeof targetOf> {
  return argument === undefined ? undefined : targetOf(argument);
}

async function copyId(desk: Desk, argument: unknown): Promise<string | undefined> {
  const resource = targetOf(argument) ?? (await chooseResource(desk, 'Copy ID'));
  if (resource === undefined) return undefined;
  const id = resource.id.slice(resource.kind === 'roles' ? resource.id.indexOf('/') + 1 : 0);
  await vscode.env.clipboard.writeText(id);
  vscode.window.setStatusBarMessage(`$(check) Copied ${plain(id, 60)}`, 2500);
  return id;
}
