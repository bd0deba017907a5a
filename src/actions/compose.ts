/** The request of a run: variables filled in, signed by the user's own program where the file brings no signature. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { UntrustedError } from '../ui/untrusted-error.ts';
import { actionTextOf, isSigned, parseActionFile, signedBodyOf, type ActionFile } from './file.ts';
import { targetsOf } from './kinds.ts';
import type { Source } from './runner.ts';
import type { RunStore } from './store.ts';
import { resolveVariables } from './values.ts';
import { substitute } from './variables.ts';

export interface Composed {
  readonly body: string;
  /** values that nothing kept may hold */
  readonly secrets: readonly string[];
  /** objects to read before sending */
  readonly targets: readonly string[];
}

export interface ComposeParts {
  readonly services: Services;
  readonly store: RunStore;
  readonly source: Source;
  readonly file: ActionFile;
  readonly session: Session;
  readonly signal: AbortSignal;
}

/** Throws, in words, where there is nothing to send. */
export async function compose({ services, store, source, file, session, signal }: ComposeParts): Promise<Composed> {
  const { values, secrets } = await resolveVariables(services, store, source, file, session);
  if (signal.aborted) throw new Error('Cancelled before it was sent');
  const filled = parseActionFile(substitute(file, values), 'request');
  const targets = targetsOf(filled);
  const command = signerFor(file);
  if (command === undefined) return { body: filled.text, secrets, targets };
  const { sign } = await import('./signer.ts');
  const signature = await sign(actionTextOf(filled), { command, timeout: 30_000, secrets, signal });
  return { body: signedBodyOf(filled, signature), secrets, targets };
}

/** The program that signs this file, if one does. Throws where the workspace is not trusted. */
export function signerFor(file: ActionFile): readonly string[] | undefined {
  const command: unknown = vscode.workspace.getConfiguration('smartObjects').get('signer.command');
  if (isSigned(file) || !Array.isArray(command) || command.length === 0) return undefined;
  if (!vscode.workspace.isTrusted)
    throw new UntrustedError(
      'The signer runs only in trusted workspaces: see Manage Workspace Trust, or put a signature into the file. Nothing was sent',
    );
  return command.map(String);
}
