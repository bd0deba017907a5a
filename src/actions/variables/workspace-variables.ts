import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { MessageError, stored } from '../../platform/text/message.ts';
import { formatLine, getRunResult } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import { UntrustedWorkspaceError } from '../../model/command-errors.ts';
import { parseActionFile, type ActionFile } from '../file/action-file.ts';
import type { ActionSource } from '../file/action-source.ts';
import { getDistinctVariables, getRunValue, substitute } from '../file/variables.ts';
import type { RunStore } from '../history/run-store.ts';
import {
  getAllowedEnvironment,
  getSecretReference,
  getStoredInputs,
  promptSecret,
  setEnvironmentAllowed,
  storeInput,
} from './stored-variables.ts';
import type { VariableSource } from './variable-source.ts';

/** Bytes of a file that a variable may send. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Variables from the stores of this workspace and from its files; prompts for missing ones. */
export function createWorkspaceVariables(
  services: Services,
  store: RunStore,
  source: ActionSource,
  session: Session,
): VariableSource {
  return {
    row: (column) => {
      throw new MessageError(
        stored('Nothing was sent: {0} is a column of a data file. Use Run with Data…', `\${row:${column}}`),
      );
    },
    input: (name) => getInput(services, name),
    env: (name) => readEnvironment(services, name),
    secret: (name) => readSecret(services, session, name),
    file: (name) => readVariableFile(source, name),
    run: (name) => getRunValue(name, getRunResults(store, session)),
  };
}

/** Variables that have a value already. Never prompts: rejects, or throws, with the reason if there is none. */
export function createStoredVariables(
  { context }: Pick<Services, 'context'>,
  store: RunStore,
  source: ActionSource,
  session: Session | undefined,
): VariableSource {
  const getText = async (label: string, read: () => PromiseLike<string | undefined> | string | undefined) => {
    requireTrust();
    const value = await read();
    if (value === undefined)
      throw new MessageError(stored('{0} has no value yet. You are prompted for it when the action is run', label));
    return value;
  };
  return {
    row: (column) => {
      throw new MessageError(stored('{0} is a column of data: each row has its own value', `\${row:${column}}`));
    },
    input: (name) => getText(`\${input:${name}}`, () => getStoredInputs(context).get(name)),
    env: (name) =>
      getText(`\${env:${name}}`, () => {
        if (!getAllowedEnvironment(context).includes(name)) return undefined;
        return (
          process.env[name] ?? Promise.reject(new MessageError(stored('The environment variable {0} is not set', name)))
        );
      }),
    secret: (name) =>
      getText(`\${secret:${name}}`, () => session && context.secrets.get(getSecretReference(session, name).key)),
    file: (name) => getText(`\${file:${name}}`, () => readVariableFile(source, name)),
    run: (name) => {
      requireTrust();
      return getRunValue(name, session === undefined ? new Map() : getRunResults(store, session));
    },
  };
}

/** The folder that the files of a source are read from. */
export function getVariableRoot({ uri }: ActionSource): vscode.WorkspaceFolder | undefined {
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  return folder ?? vscode.workspace.workspaceFolders?.[0];
}

/**
 * Prompts for the inputs that have no stored value, and returns the file with all inputs filled in, to describe it. Rejects
 * in an untrusted workspace and for an input without a value.
 */
export async function fillInputs(services: Services, file: ActionFile): Promise<ActionFile> {
  const variables = getDistinctVariables(file);
  if (variables.length === 0) return file;
  requireTrust();
  const values = new Map<string, unknown>();
  for (const { kind, name, text } of variables)
    values.set(text, kind === 'input' ? await getInput(services, name) : text);
  return parseActionFile(substitute(file, values), 'request');
}

function requireTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new UntrustedWorkspaceError(
      stored('Variables are filled in only in trusted workspaces. Use Manage Workspace Trust'),
    );
}

/** Results of the newest sent run of each name, failed ones too, so that an older result is not used instead. */
function getRunResults(store: RunStore, session: Session): ReadonlyMap<string, unknown> {
  const results = new Map<string, unknown>();
  const { name, baseUrl } = session.profile;
  const { origin } = new URL(baseUrl);
  for (const run of store.all) {
    // Ids of another server under the same name do not exist here.
    if (run.connection !== name || run.origin !== origin) continue;
    if (run.sentAt === undefined || results.has(run.name)) continue;
    results.set(run.name, getRunResult(run));
  }
  return results;
}

async function getInput({ context, ui }: Services, name: string): Promise<string> {
  const known = getStoredInputs(context).get(name);
  if (known !== undefined) return known;
  const value = await ui.input({
    title: l10n.t('Value of {0}', `\${input:${formatLine(name)}}`),
    prompt: l10n.t('The value is stored for this workspace. Use Manage Action Variables… to change it.'),
    ignoreFocusOut: true,
  });
  if (value === undefined) throw new MessageError(stored('No value for {0}. Nothing was sent', `\${input:${name}}`));
  await storeInput(context, name, value);
  return value;
}

async function readEnvironment(services: Services, name: string): Promise<string> {
  const { context, ui } = services;
  if (!getAllowedEnvironment(context).includes(name)) {
    const yes = await ui.confirm({
      message: l10n.t('Allow action files of this workspace to read the environment variable {0}?', formatLine(name)),
      detail: l10n.t('Its value is sent where an action file uses it. The permission is stored for this workspace.'),
      confirmLabel: l10n.t('Allow'),
    });
    if (!yes) throw new MessageError(stored('{0} was not allowed. Nothing was sent', `\${env:${name}}`));
    await setEnvironmentAllowed(context, name, true);
  }
  const value = process.env[name];
  if (value === undefined)
    throw new MessageError(stored('The environment variable {0} is not set. Nothing was sent', name));
  // The platform may return the value in a later response.
  services.addSecret(value);
  return value;
}

async function readSecret(services: Services, session: Session, name: string): Promise<string> {
  const secret = getSecretReference(session, name);
  const value = (await services.context.secrets.get(secret.key)) ?? (await promptSecret(services, secret));
  if (value === undefined) throw new MessageError(stored('No value for {0}. Nothing was sent', `\${secret:${name}}`));
  services.addSecret(value);
  return value;
}

async function readVariableFile(source: ActionSource, name: string): Promise<string> {
  const root = getVariableRoot(source);
  const label = `\${file:${name}}`;
  if (root === undefined) throw new MessageError(stored('{0}: no workspace folder is open', label));
  if (root.uri.scheme !== 'file')
    throw new MessageError(stored('{0}: files are read only from folders on disk', label));
  const { readWorkspaceFile } = await import('../../model/files/read-workspace-file.ts');
  return readWorkspaceFile(
    root.uri.fsPath,
    source.uri?.scheme === 'file' ? source.uri.fsPath : undefined,
    name,
    MAX_FILE_BYTES,
  );
}
