/** Edits `smartObjects.connections`: adds, removes and extends entries, and leaves the rest unchanged. */
import * as vscode from 'vscode';
import type { Profile } from '../../model/session/session.ts';
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
 * Adds an entry to the user's settings; workspace settings are shared with others. Rejects if VS Code cannot write
 * them.
 */
export async function addProfileEntry(entry: JsonObject): Promise<void> {
  await writeEntries('user', [...readEntries('user'), entry]);
}

/** Removes the entries of that name from one scope. Rejects if VS Code cannot write the settings. */
export async function removeProfileEntry(name: string, scope: SettingsScope): Promise<void> {
  await writeEntries(
    scope,
    readEntries(scope).filter((entry) => !isNamed(entry, name)),
  );
}

/** The scopes whose entry of the connection names the organization; the user's first. */
export function findOrganizationScopes(name: string, id: string): readonly SettingsScope[] {
  return findScopes(name).filter((scope) =>
    readEntries(scope).some((entry) => isNamed(entry, name) && readOrganizations(entry).some(isOrganization(id))),
  );
}

/**
 * Adds or renames an organization of a connection; `undefined` removes it from every scope. Rejects if VS Code cannot
 * write the settings.
 */
export async function writeOrganizationEntry(
  name: string,
  id: string,
  named: { readonly label?: string } | undefined,
): Promise<void> {
  const isSame = isOrganization(id);
  const naming = findOrganizationScopes(name, id);
  const replacement = named?.label === undefined ? id : { id, label: named.label };
  for (const scope of named === undefined ? naming : [...naming, ...findScopes(name)].slice(0, 1)) {
    const entries = readEntries(scope).map((entry) => {
      if (!isNamed(entry, name)) return entry;
      const { organizations: _previous, ...others } = entry;
      const organizations = replaceEntry(
        readOrganizations(entry),
        isSame,
        named === undefined ? undefined : replacement,
      );
      return organizations.length === 0 ? others : { ...entry, organizations };
    });
    await writeEntries(scope, entries);
  }
}

function isOrganization(id: string): (entry: unknown) => boolean {
  return (entry) => entry === id || (isObject(entry) && entry['id'] === id);
}

function readOrganizations(entry: JsonObject): readonly unknown[] {
  const { organizations } = entry;
  return Array.isArray(organizations) ? organizations : [];
}

/** As `writeOrganizationEntry`, for a profile that is only in memory. */
export function setProfileOrganization(
  profile: Profile,
  id: string,
  named: { readonly label?: string } | undefined,
): Profile {
  const organization = named === undefined ? undefined : ({ id, ...named, source: 'added' } as const);
  return { ...profile, organizations: replaceEntry(profile.organizations, (other) => other.id === id, organization) };
}

/** Replaces an entry in place, or adds it if there is none; `undefined` removes it. */
function replaceEntry<T>(list: readonly T[], isSame: (entry: T) => boolean, replacement: T | undefined): readonly T[] {
  if (replacement === undefined) return list.filter((entry) => !isSame(entry));
  return list.some(isSame) ? list.map((entry) => (isSame(entry) ? replacement : entry)) : [...list, replacement];
}
