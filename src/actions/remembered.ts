/** What variables remember: inputs and allowed environment names of this workspace, secrets bound to a connection. */
import type * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { bindingOf } from '../connections/credential.ts';
import { readVariableKey, variableKey, type VariableSecret } from '../connections/known-secrets.ts';
import type { Profile } from '../connections/types.ts';
import { isObject } from '../platform/json.ts';
import { lineOf } from './record.ts';

const INPUTS = 'actions.inputs';
const ALLOWED = 'actions.allowedEnvironment';

type Context = Pick<vscode.ExtensionContext, 'workspaceState'>;

export function inputsOf({ workspaceState }: Context): ReadonlyMap<string, string> {
  const kept: unknown = workspaceState.get(INPUTS);
  const entries = isObject(kept) ? Object.entries(kept) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Without a value it is forgotten, and asked for again. */
export async function rememberInput(context: Context, name: string, value: string | undefined): Promise<void> {
  const inputs = new Map(inputsOf(context));
  if (value === undefined) inputs.delete(name);
  else inputs.set(name, value);
  await context.workspaceState.update(INPUTS, Object.fromEntries(inputs));
}

/** Names that the person allowed once. */
export function allowedNames({ workspaceState }: Context): readonly string[] {
  const kept: unknown = workspaceState.get(ALLOWED);
  return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
}

export async function allowName(context: Context, name: string, allowed: boolean): Promise<void> {
  const others = allowedNames(context).filter((other) => other !== name);
  await context.workspaceState.update(ALLOWED, allowed ? [...others, name] : others);
}

/** One `${secret:…}` as it is kept: its value is only read to be sent. */
export interface KeptSecret extends VariableSecret {
  readonly key: string;
}

export function secretOf({ profile }: { readonly profile: Profile }, name: string): KeptSecret {
  const binding = bindingOf(profile);
  return { key: variableKey(name, binding), name, connection: profile.name, origin: binding.origin };
}

export async function keptSecrets({ secrets }: vscode.ExtensionContext): Promise<readonly KeptSecret[]> {
  return (await secrets.keys()).flatMap((key): KeptSecret[] => {
    const found = readVariableKey(key);
    return found === undefined ? [] : [{ key, ...found }];
  });
}

/** Asks for a value and keeps it; `undefined` where none was typed. */
export async function askSecret(
  services: Services,
  { key, name, connection, origin }: KeptSecret,
): Promise<string | undefined> {
  const { context, ui } = services;
  const value = await ui.input({
    title: `Value of \${secret:${lineOf(name)}} for ${connection}`,
    prompt: `Kept in the secret store, and sent to ${origin} only.`,
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined || value === '') return undefined;
  services.hide(value);
  try {
    await context.secrets.store(key, value);
  } catch {
    void ui.warn(
      `The editor did not keep the value of \${secret:${name}}, most likely because this machine has no keyring.`,
    );
  }
  return value;
}
