/** Remembers, in this workspace, which variables were confirmed to go into which action on which connection. */
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Session } from '../connections/types.ts';
import { bodyOf, type ActionFile } from './file.ts';
import type { Disclosure } from './values.ts';

const DISCLOSED = 'actions.disclosed';
const MAX_KEPT = 600;

/** What a file sends besides its own text, with the action that it goes into. */
export interface DisclosedFile extends Disclosure {
  readonly file: ActionFile;
}

type Context = Pick<vscode.ExtensionContext, 'workspaceState'>;
type Target = Pick<Session, 'profile'>;

/** True where the same variables of the same action were confirmed for this connection before. */
export function isDisclosed(context: Context, session: Target, disclosed: DisclosedFile): boolean {
  return confirmed(context).includes(fingerprint(session, disclosed));
}

export async function rememberDisclosed(
  context: Context,
  session: Target,
  all: readonly DisclosedFile[],
): Promise<void> {
  const prints = all.map((one) => fingerprint(session, one));
  const known = confirmed(context).filter((print) => !prints.includes(print));
  await context.workspaceState.update(DISCLOSED, [...known, ...prints].slice(-MAX_KEPT));
}

function confirmed({ workspaceState }: Context): readonly string[] {
  const kept: unknown = workspaceState.get(DISCLOSED);
  return Array.isArray(kept) ? kept.filter((print) => typeof print === 'string') : [];
}

/** A hash: the lines name the values of inputs. Comments and white space of the file do not count. */
function fingerprint({ profile }: Target, { lines, file }: DisclosedFile): string {
  const parts = [profile.name, profile.baseUrl, [...lines].sort(), bodyOf(file)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
