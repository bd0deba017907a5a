/** Where the values of variables come from: the person, the environment, the secret store, files and earlier runs. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import type { ActionFile } from './file.ts';
import { resultOf } from './record.ts';
import type { Source } from './runner.ts';
import type { RunStore } from './store.ts';
import { distinctVariables, valueOfRun, type Values, type Variable } from './variables.ts';

/** Bytes of a file that a variable may send. */
const MOST = 1024 * 1024;
const INPUTS = 'actions.inputs';
const ALLOWED = 'actions.allowedEnvironment';

/** What leaves this machine besides the file's own text, a sentence a line. */
export interface Disclosure {
  readonly lines: readonly string[];
}

export function parametersOf(file: ActionFile, source: Source, session: Session): Disclosure {
  const origin = new URL(session.profile.baseUrl).origin;
  const line = ({ kind, name }: Variable): string[] => {
    switch (kind) {
      case 'file':
        return [`${source.name}: the content of the file ${name} is sent to ${origin}.`];
      case 'env':
        return [`${source.name}: the environment variable ${name} is sent to ${origin}.`];
      case 'secret':
        return [`${source.name}: the secret ${name} is sent to ${origin}.`];
      case 'input':
      case 'run':
        return [];
    }
  };
  return { lines: distinctVariables(file).flatMap(line) };
}

export interface Resolved {
  readonly values: Values;
  /** what nothing kept may show */
  readonly secrets: readonly string[];
}

/** Throws, naming the variable, where a value cannot be had; nothing is sent then. */
export async function resolveVariables(
  services: Services,
  store: RunStore,
  source: Source,
  file: ActionFile,
  session: Session,
): Promise<Resolved> {
  const variables = distinctVariables(file);
  const values = new Map<string, unknown>();
  const secrets: string[] = [];
  if (variables.length > 0 && !vscode.workspace.isTrusted)
    throw new Error('Variables are filled in only in trusted workspaces. Trust this one first');
  for (const variable of variables) {
    const { kind, name, text } = variable;
    switch (kind) {
      case 'input':
        values.set(text, await askInput(services, name));
        break;
      case 'env': {
        const value = await readEnvironment(services, name);
        values.set(text, value);
        secrets.push(value);
        break;
      }
      case 'secret': {
        const value = await readSecret(services, session, name);
        values.set(text, value);
        secrets.push(value);
        break;
      }
      case 'file':
        values.set(text, await readFile(source, name));
        break;
      case 'run':
        values.set(text, valueOfRun(name, runResults(store, session)));
        break;
    }
  }
  if (session.ended.aborted) throw new Error('The connection changed in the meantime; nothing was sent. Try again');
  return { values, secrets: secrets.filter((value) => value.length >= 4) };
}

/** The newest run that was sent under each name: a failed one counts, so that no older result passes for new. */
function runResults(store: RunStore, session: Session): ReadonlyMap<string, unknown> {
  const results = new Map<string, unknown>();
  for (const run of store.all) {
    if (run.connection !== session.profile.name || run.sentAt === undefined || results.has(run.name)) continue;
    results.set(run.name, resultOf(run));
  }
  return results;
}

async function askInput({ context, ui }: Services, name: string): Promise<string> {
  const kept: unknown = context.workspaceState.get(INPUTS);
  const known = typeof kept === 'object' && kept !== null ? { ...kept } : {};
  const before: unknown = Reflect.get(known, name);
  const value = await ui.input({
    title: `Value of \${input:${name}}`,
    prompt: 'Sent with this action, and remembered in this workspace.',
    ignoreFocusOut: true,
    ...(typeof before === 'string' && { value: before }),
  });
  if (value === undefined) throw new Error(`No value for \${input:${name}}; nothing was sent`);
  Object.defineProperty(known, name, { value, enumerable: true, configurable: true, writable: true });
  await context.workspaceState.update(INPUTS, known);
  return value;
}

async function readEnvironment({ context, ui }: Services, name: string): Promise<string> {
  const kept: unknown = context.workspaceState.get(ALLOWED);
  const allowed: unknown[] = Array.isArray(kept) ? kept : [];
  if (!allowed.includes(name)) {
    const yes = await ui.confirm({
      message: `May action files of this workspace read the environment variable ${name}?`,
      detail: 'Its value is sent where the file says. The name is remembered for this workspace.',
      action: 'Allow',
    });
    if (!yes) throw new Error(`\${env:${name}} was not allowed; nothing was sent`);
    await context.workspaceState.update(ALLOWED, [...allowed, name]);
  }
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set; nothing was sent`);
  return value;
}

/** Bound to the connection's name and origin: another server under the same name does not get it. */
async function readSecret({ context, ui }: Services, session: Session, name: string): Promise<string> {
  const { profile } = session;
  const place = createHash('sha256')
    .update(JSON.stringify([profile.name, profile.baseUrl, name]))
    .digest('hex');
  const key = `actions.secret.${place}`;
  const kept = await context.secrets.get(key);
  if (kept !== undefined) return kept;
  const value = await ui.input({
    title: `Value of \${secret:${name}} for ${profile.name}`,
    prompt: `Kept in the secret store, and sent to ${new URL(profile.baseUrl).origin} only.`,
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined || value === '') throw new Error(`No value for \${secret:${name}}; nothing was sent`);
  await context.secrets.store(key, value);
  return value;
}

async function readFile(source: Source, name: string): Promise<string> {
  const folder = source.uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(source.uri);
  const root = folder ?? vscode.workspace.workspaceFolders?.[0];
  const shown = `\${file:${name}}`;
  if (root === undefined) throw new Error(`${shown}: no workspace folder is open`);
  if (root.uri.scheme !== 'file') throw new Error(`${shown}: files are read from folders on disk only`);
  const { readInside } = await import('./inside.ts');
  return readInside(root.uri.fsPath, source.uri?.scheme === 'file' ? source.uri.fsPath : undefined, name, MOST);
}
