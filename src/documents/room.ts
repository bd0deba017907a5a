/** The documents room, loaded on first use: one store, its file system, and what each command does. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { CommandId, ResourceArgument } from '../commands/ids.ts';
import { plainText } from '../platform/plain-text.ts';
import { CodeIds } from './code.ts';
import { connectionFrom, organizationFrom, resourceFrom, selectedFrom } from './argument.ts';
import { chooseResource, findById } from './choose.ts';
import { openDocument, targetOf, type Desk } from './desk.ts';
import { inTabs, ResourceFiles, resourceOf, uriOf } from './file-system.ts';
import { DocumentFeatures } from './features.ts';
import { DocumentStatus } from './status.ts';
import { seenText } from './seen.ts';
import { Recents } from './recents.ts';
import { DocumentStore, keyOf } from './store.ts';

export interface Room {
  readonly files: ResourceFiles;
  readonly features: DocumentFeatures;
  readonly status: DocumentStatus;
  readonly code: CodeIds;
  seenText(uri: vscode.Uri): Promise<string>;
  run(id: CommandId, argument: unknown, selection: unknown): Promise<unknown>;
}

export function createRoom(
  entry: Entry,
  services: Services,
  changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
): Room {
  const store = new DocumentStore({
    sessions: services.sessions,
    isOpen: inTabs,
    changed: ({ resource }, what) => {
      const uris = [uriOf(resource), ...openUris(resource)];
      if (what === 'text') changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
      else status.update();
    },
  });
  const desk: Desk = { entry, services, store, recents: new Recents(services.context.globalState) };
  const features = new DocumentFeatures(desk);
  const status = entry.own(new DocumentStatus(desk, features));
  const code = entry.own(new CodeIds(desk));
  return {
    files: new ResourceFiles(store),
    features,
    status,
    code,
    seenText: (uri) => seenText(services.snapshots, uri),
    run: (id, argument, selection) => run(desk, id, argument, selection),
  };
}

/** The rarer commands load on their first use. */
async function run(desk: Desk, id: CommandId, argument: unknown, selection: unknown): Promise<unknown> {
  switch (id) {
    case 'openResource':
      return openResource(desk, argument);
    case 'refreshDocument':
      return refreshDocument(desk, argument);
    case 'copyId':
      return copyId(desk, argument, selection);
    case 'copyJson':
      return (await import('./take-away.ts')).copyJson(desk, argument, selection);
    case 'copyCurl':
      return (await import('./take-away.ts')).copyCurl(desk, argument);
    case 'openExternal':
      return (await import('./take-away.ts')).openExternal(desk, argument);
    case 'compareResources':
      return (await import('./compare.ts')).compareResources(desk, argument, selection);
    case 'generateTypes':
      return (await import('./generate-types.ts')).generateTypes(desk, argument);
    case 'insertId':
      return (await import('./insert.ts')).insertId(desk, argument);
    default:
      throw new Error(`The documents know no command ${id}`);
  }
}

/** The addresses under which a resource is open; a person may have typed another than ours. */
function openUris(resource: ResourceArgument): vscode.Uri[] {
  const key = keyOf(resource);
  return vscode.workspace.textDocuments.flatMap(({ uri }) => {
    const other = resourceOf(uri);
    return other !== undefined && keyOf(other) === key ? [uri] : [];
  });
}

/** What fails is said in the document, and thrown. */
async function refreshDocument(desk: Desk, argument: unknown): Promise<void> {
  const resource = targetOf(argument);
  if (resource === undefined) throw new Error('No document of the platform is in front');
  await desk.store.refresh(resource);
}

async function openResource(desk: Desk, argument: unknown): Promise<void> {
  // Without an argument the document in front is no answer: the person wants another one.
  const given = argument === undefined ? undefined : targetOf(argument);
  const on = desk.services.sessions.get(connectionFrom(argument) ?? '');
  const resource =
    given ??
    (typeof argument === 'string'
      ? await findById(desk, argument)
      : await chooseResource(desk, 'Open Resource by ID', on));
  if (resource !== undefined) await openDocument(desk, resource);
}

/** Of several selected rows, one a line. */
async function copyId(desk: Desk, argument: unknown, selection: unknown): Promise<string | undefined> {
  const selected = selectedFrom(selection).flatMap((one) => idFrom(one) ?? []);
  if (selected.length > 1) return copy(selected.join('\n'), `${String(selected.length)} ids`);
  const target = targetOf(argument);
  const id = idFrom(target ?? argument) ?? idFrom(await chooseResource(desk, 'Copy ID'));
  return id === undefined ? undefined : copy(id, plainText(id, 60));
}

function idFrom(argument: unknown): string | undefined {
  const resource = resourceFrom(argument);
  if (resource === undefined) return organizationFrom(argument);
  return resource.id.slice(resource.kind === 'roles' ? resource.id.indexOf('/') + 1 : 0);
}

async function copy(text: string, what: string): Promise<string> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) Copied ${what}`, 2500);
  return text;
}
