import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { getBinding } from '../../connections/credentials/credential.ts';
import {
  parseVariableKey,
  formatVariableKey,
  type VariableSecret,
} from '../../connections/credentials/known-secrets.ts';
import type { Profile } from '../../model/session/session.ts';
import { isObject } from '../../platform/json/json.ts';
import { formatLine } from '../../model/runs/run-record.ts';

const INPUTS_KEY = 'actions.inputs';
const ALLOWED_ENVIRONMENT_KEY = 'actions.allowedEnvironment';

type Context = Pick<vscode.ExtensionContext, 'workspaceState'>;

/** Returns the stored values of `${input:…}` by name. */
export function getStoredInputs({ workspaceState }: Context): ReadonlyMap<string, string> {
  const stored: unknown = workspaceState.get(INPUTS_KEY);
  const entries = isObject(stored) ? Object.entries(stored) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/**
 * Stores the value of an input; `undefined` removes it, so that it is prompted for again. Rejects if the memento
 * cannot be written.
 */
export async function storeInput(context: Context, name: string, value: string | undefined): Promise<void> {
  const inputs = new Map(getStoredInputs(context));
  if (value === undefined) inputs.delete(name);
  else inputs.set(name, value);
  await context.workspaceState.update(INPUTS_KEY, Object.fromEntries(inputs));
}

/** Names of environment variables that the user allowed. */
export function getAllowedEnvironment({ workspaceState }: Context): readonly string[] {
  const stored: unknown = workspaceState.get(ALLOWED_ENVIRONMENT_KEY);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}

/**
 * Stores whether action files of this workspace may read an environment variable. Rejects if the memento cannot be
 * written.
 */
export async function setEnvironmentAllowed(context: Context, name: string, allowed: boolean): Promise<void> {
  const others = getAllowedEnvironment(context).filter((other) => other !== name);
  await context.workspaceState.update(ALLOWED_ENVIRONMENT_KEY, allowed ? [...others, name] : others);
}

/** The stored value of a `${secret:…}`, which is read only to be sent. */
interface StoredSecret extends VariableSecret {
  readonly key: string;
}

/** Returns where a `${secret:…}` of that name is stored for the connection and its origin. */
export function getSecretReference({ profile }: { readonly profile: Profile }, name: string): StoredSecret {
  const binding = getBinding(profile);
  return { key: formatVariableKey(name, binding), name, connection: profile.name, origin: binding.origin };
}

/** Lists the stored secrets of all connections, without their values. Rejects if the secret store fails. */
export async function getStoredSecrets({ secrets }: vscode.ExtensionContext): Promise<readonly StoredSecret[]> {
  return (await secrets.keys()).flatMap((key): StoredSecret[] => {
    const found = parseVariableKey(key);
    return found === undefined ? [] : [{ key, ...found }];
  });
}

/**
 * Prompts for the value of a secret and stores it; `undefined` if cancelled. Never rejects: warns if the secret
 * store fails.
 */
export async function promptSecret(
  services: Services,
  { key, name, connection, origin }: StoredSecret,
): Promise<string | undefined> {
  const { context, ui } = services;
  const value = await ui.input({
    title: l10n.t('Value of {0} for {1}', `\${secret:${formatLine(name)}}`, connection),
    prompt: l10n.t('Stored in VS Code’s secret storage, and sent only to {0}.', origin),
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined || value === '') return undefined;
  services.addSecret(value);
  try {
    await context.secrets.store(key, value);
  } catch {
    void ui.warn(
      l10n.t(
        'VS Code could not store the value of {0}, probably because this computer has no keyring.',
        `\${secret:${name}}`,
      ),
    );
  }
  return value;
}
