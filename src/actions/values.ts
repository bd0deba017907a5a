/** Where the values of variables come from: the person, the environment, the secret store, files and earlier runs. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { UntrustedError } from '../ui/untrusted-error.ts';
import { nameOfFile, parseActionFile, type ActionFile } from './file.ts';
import { lineOf, resultOf } from './record.ts';
import { allowedNames, allowName, askSecret, inputsOf, rememberInput, secretOf } from './remembered.ts';
import type { Source } from './runner.ts';
import type { RunStore } from './store.ts';
import { distinctVariables, substitute, valueOfRun, type Values, type Variable } from './variables.ts';

/** Bytes of a file that a variable may send. */
const MOST = 1024 * 1024;

/** What leaves this machine besides the file's own text, a sentence a line. */
export interface Disclosure {
  readonly lines: readonly string[];
}

/** Every variable of a file; inputs with the value that they have, files by their real path. */
export async function parametersOf(
  { context }: Pick<Services, 'context'>,
  file: ActionFile,
  source: Source,
): Promise<Disclosure> {
  const inputs = inputsOf(context);
  const words = async ({ kind, name }: Variable): Promise<string> => {
    const shown = lineOf(name, 300);
    switch (kind) {
      case 'file':
        return `the content of the file ${await fileText(source, name)}`;
      case 'env':
        return `the environment variable ${shown}`;
      case 'secret':
        return `the secret ${shown}`;
      case 'input':
        return `the input ${shown} (${lineOf(inputs.get(name) ?? '', 80)})`;
      case 'run':
        return `the result ${shown}`;
    }
  };
  const all = await Promise.all(distinctVariables(file).map(words));
  return { lines: all.length === 0 ? [] : [`${lineOf(placeOf(source), 300)} sends ${all.join(', ')}.`] };
}

/** A file by its path in the workspace: another one of the same name is another file. */
function placeOf({ name, uri }: Source): string {
  if (uri?.scheme !== 'file') return name;
  const path = vscode.workspace.asRelativePath(uri);
  return nameOfFile(uri.path) === name ? path : `${name} (${path})`;
}

/** A file that a variable names, and the one that is really read where a link leads elsewhere. */
async function fileText(source: Source, name: string): Promise<string> {
  const { uri } = source;
  if (uri?.scheme !== 'file') return lineOf(name, 300);
  const given = lineOf(vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..', name)), 300);
  const root = rootOf(source);
  if (root?.uri.scheme !== 'file') return given;
  try {
    const { pathsInside } = await import('./inside.ts');
    const paths = await pathsInside(root.uri.fsPath, uri.fsPath, name);
    return paths.real === paths.given ? given : `${lineOf(paths.real, 300)} (through the link ${given})`;
  } catch {
    // Reading it fails for the same reason, and then nothing is sent.
    return given;
  }
}

/** The folder that a source's files are read from. */
function rootOf({ uri }: Source): vscode.WorkspaceFolder | undefined {
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  return folder ?? vscode.workspace.workspaceFolders?.[0];
}

/** Asks for the inputs that are not remembered. The file with them filled in, for words about what it does. */
export async function askInputs(services: Services, file: ActionFile): Promise<ActionFile> {
  const variables = distinctVariables(file);
  if (variables.length === 0) return file;
  demandTrust();
  const values = new Map<string, unknown>();
  for (const { kind, name, text } of variables)
    values.set(text, kind === 'input' ? await askInput(services, name) : text);
  return parseActionFile(substitute(file, values), 'request');
}

function demandTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new UntrustedError(
      'Variables are filled in only in trusted workspaces: see Manage Workspace Trust. Nothing was sent',
    );
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
  if (variables.length > 0) demandTrust();
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
  return { values, secrets: secrets.filter((value) => value !== '') };
}

/** The newest run that was sent under each name: a failed one counts, so that no older result passes for new. */
function runResults(store: RunStore, session: Session): ReadonlyMap<string, unknown> {
  const results = new Map<string, unknown>();
  const { name, baseUrl } = session.profile;
  const { origin } = new URL(baseUrl);
  for (const run of store.all) {
    // Another server under the same name knows nothing of those ids.
    if (run.connection !== name || run.origin !== origin) continue;
    if (run.sentAt === undefined || results.has(run.name)) continue;
    results.set(run.name, resultOf(run));
  }
  return results;
}

async function askInput({ context, ui }: Services, name: string): Promise<string> {
  const known = inputsOf(context).get(name);
  if (known !== undefined) return known;
  const value = await ui.input({
    title: `Value of \${input:${lineOf(name)}}`,
    prompt: 'Asked once, and remembered in this workspace: Manage Action Variables… changes it.',
    ignoreFocusOut: true,
  });
  if (value === undefined) throw new Error(`No value for \${input:${name}}; nothing was sent`);
  await rememberInput(context, name, value);
  return value;
}

async function readEnvironment(services: Services, name: string): Promise<string> {
  const { context, ui } = services;
  if (!allowedNames(context).includes(name)) {
    const yes = await ui.confirm({
      message: `May action files of this workspace read the environment variable ${lineOf(name)}?`,
      detail: 'Its value is sent where the file says. The name is remembered for this workspace.',
      action: 'Allow',
    });
    if (!yes) throw new Error(`\${env:${name}} was not allowed; nothing was sent`);
    await allowName(context, name, true);
  }
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set; nothing was sent`);
  // The platform may return the value in any later read.
  services.hide(value);
  return value;
}

async function readSecret(services: Services, session: Session, name: string): Promise<string> {
  const secret = secretOf(session, name);
  const value = (await services.context.secrets.get(secret.key)) ?? (await askSecret(services, secret));
  if (value === undefined) throw new Error(`No value for \${secret:${name}}; nothing was sent`);
  services.hide(value);
  return value;
}

async function readFile(source: Source, name: string): Promise<string> {
  const root = rootOf(source);
  const shown = `\${file:${name}}`;
  if (root === undefined) throw new Error(`${shown}: no workspace folder is open`);
  if (root.uri.scheme !== 'file') throw new Error(`${shown}: files are read from folders on disk only`);
  const { readInside } = await import('./inside.ts');
  return readInside(root.uri.fsPath, source.uri?.scheme === 'file' ? source.uri.fsPath : undefined, name, MOST);
}
