/** Edits `smartObjects.connections`: adds, removes and extends entries, and leaves the rest unchanged. */
import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../platform/json/json.ts';

type SettingsScope = 'user' | 'workspace';
const configurationTargets = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
} as const;

function readEntries(scope: SettingsScope): readonly unknown[] {
  const found = vscode.workspace.getConfiguration('smartObjects').inspect('connections');
  const value: unknown = scope === 'user' ? found?.globalValue : found?.workspaceValue;
  return Array.isArray(value) ? value : [];
}

async function writeEntries(scope: SettingsScope, entries: readonly unknown[]): Promise<void> {
  const value = entries.length === 0 ? undefined : entries;
  await vscode.workspace.getConfiguration('smartObjects').update('connections', value, configurationTargets[scope]);
}

function isNamed(entry: unknown, name: string): entry is JsonObject {
  return isObject(entry) && entry['name'] === name;
}

/** The scope that defines an entry; the user's first. */
export function findScopes(name: string): readonly SettingsScope[] {
  return (['user', 'workspace'] as const).filter((scope) => readEntries(scope).some((entry) => isNamed(entry, name)));
}

/**
 * Adds an entry to the user's settings; workspace settings are shared with others. Rejects where VS Code cannot write
 * them.
 */
export async function addProfileEntry(entry: JsonObject): Promise<void> {
  await writeEntries('user', [...readEntries('user'), entry]);
}

/** Removes the entries of that name from one scope. Rejects where VS Code cannot write the settings. */
export async function removeProfileEntry(name: string, scope: SettingsScope): Promise<void> {
  await writeEntries(
    scope,
    readEntries(scope).filter((entry) => !isNamed(entry, name)),
  );
}

/**
 * Adds an organization to the first entry of that name; resolves with false where there is none. Rejects where VS Code
 * cannot write the settings.
 */
export async function addOrganizationEntry(name: string, id: string, label: string | undefined): Promise<boolean> {
  const scope = findScopes(name)[0];
  if (scope === undefined) return false;
  const entries = readEntries(scope).map((entry) => {
    if (!isNamed(entry, name)) return entry;
    const existing: unknown = entry['organizations'];
    const list: readonly unknown[] = Array.isArray(existing) ? existing : [];
    return { ...entry, organizations: [...list, label === undefined ? id : { id, label }] };
  });
  await writeEntries(scope, entries);
  return true;
}
