/** Writes `smartObjects.connections`: adds, removes and extends entries, and leaves everything else as it stands. */
import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../platform/json.ts';

type Place = 'user' | 'workspace';
const targets = { user: vscode.ConfigurationTarget.Global, workspace: vscode.ConfigurationTarget.Workspace } as const;

function entriesIn(place: Place): readonly unknown[] {
  const found = vscode.workspace.getConfiguration('smartObjects').inspect('connections');
  const value: unknown = place === 'user' ? found?.globalValue : found?.workspaceValue;
  return Array.isArray(value) ? value : [];
}

async function write(place: Place, entries: readonly unknown[]): Promise<void> {
  const value = entries.length === 0 ? undefined : entries;
  await vscode.workspace.getConfiguration('smartObjects').update('connections', value, targets[place]);
}

function isNamed(entry: unknown, name: string): entry is JsonObject {
  return isObject(entry) && entry['name'] === name;
}

/** Where an entry of that name stands; the user's come first. */
export function placesOf(name: string): readonly Place[] {
  return (['user', 'workspace'] as const).filter((place) => entriesIn(place).some((entry) => isNamed(entry, name)));
}

/** Always the user's settings: a workspace's are shared with others. */
export async function addEntry(entry: JsonObject): Promise<void> {
  await write('user', [...entriesIn('user'), entry]);
}

export async function removeEntry(name: string, place: Place): Promise<void> {
  await write(
    place,
    entriesIn(place).filter((entry) => !isNamed(entry, name)),
  );
}

/** Adds an organization to the first entry of that name; false where there is none. */
export async function addOrganizationTo(name: string, id: string, label: string | undefined): Promise<boolean> {
  const place = placesOf(name)[0];
  if (place === undefined) return false;
  const entries = entriesIn(place).map((entry) => {
    if (!isNamed(entry, name)) return entry;
    const before: unknown = entry['organizations'];
    const list: readonly unknown[] = Array.isArray(before) ? before : [];
    return { ...entry, organizations: [...list, label === undefined ? id : { id, label }] };
  });
  await write(place, entries);
  return true;
}
