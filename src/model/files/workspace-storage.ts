import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { getOrAdd } from '../../platform/get-or-add.ts';

/** The part of an extension context that says where to store files. */
interface StorageContext {
  readonly storageUri: { readonly fsPath: string } | undefined;
  readonly globalStorageUri: { readonly fsPath: string };
}

/** The part of `vscode.workspace` that identifies a workspace. */
interface OpenWorkspace {
  readonly workspaceFile: { readonly scheme: string; toString(): string } | undefined;
  readonly workspaceFolders: readonly { readonly uri: { toString(): string } }[] | undefined;
}

/** What earlier versions stored in `storageUri`. */
const ADOPTED_FOLDERS = ['runs', 'batches'];
const opened = new WeakMap<StorageContext, Promise<string>>();

/**
 * The path of the storage of a workspace, the same in all windows of it: VS Code gives a second window another
 * `storageUri`. Once a context, moves the runs and batches of earlier versions there. Never rejects.
 */
export function openWorkspaceStorage(context: StorageContext, workspace: OpenWorkspace): Promise<string> {
  return getOrAdd(opened, context, () => open(context, workspace));
}

async function open({ storageUri, globalStorageUri }: StorageContext, workspace: OpenWorkspace): Promise<string> {
  const key = getWorkspaceKey(workspace);
  if (storageUri === undefined || key === undefined) return globalStorageUri.fsPath;
  const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const storage = path.join(globalStorageUri.fsPath, 'workspaces', name);
  for (const former of await listFormerStorages(storageUri.fsPath))
    for (const folder of ADOPTED_FOLDERS) await moveEntries(path.join(former, folder), path.join(storage, folder));
  return storage;
}

/** A folder that is opened a second time is in an untitled workspace, with the folder alone. */
function getWorkspaceKey({ workspaceFile, workspaceFolders = [] }: OpenWorkspace): string | undefined {
  const [folder] = workspaceFolders;
  const isSaved = workspaceFile !== undefined && workspaceFile.scheme !== 'untitled';
  return folder !== undefined && workspaceFolders.length === 1 && !isSaved
    ? folder.uri.toString()
    : workspaceFile?.toString();
}

/** The `storageUri` of all windows of a workspace: `ID/EXTENSION`, `ID-1/EXTENSION`. */
async function listFormerStorages(storage: string): Promise<readonly string[]> {
  const extension = path.basename(storage);
  const all = path.dirname(path.dirname(storage));
  const id = path.basename(path.dirname(storage)).replace(/-\d+$/, '');
  const names = await fs.readdir(all).catch(() => []);
  return names
    .filter((name) => name === id || (name.startsWith(`${id}-`) && /^\d+$/.test(name.slice(id.length + 1))))
    .map((name) => path.join(all, name, extension));
}

/** What cannot be moved stays, and is tried again at the next start. */
async function moveEntries(from: string, to: string): Promise<void> {
  const names = await fs.readdir(from).catch(() => []);
  if (names.length === 0) return;
  await fs.mkdir(to, { recursive: true, mode: 0o700 }).catch(() => undefined);
  for (const name of names) await fs.rename(path.join(from, name), path.join(to, name)).catch(() => undefined);
}
