/** Variables that the user confirmed to send, by action and connection, stored for the workspace. */
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Session } from '../../model/session/session.ts';
import { getRequestBody, type ActionFile } from '../file/action-file.ts';
import type { Disclosure } from './disclosure.ts';

const CONFIRMED_KEY = 'actions.disclosed';
const MAX_STORED = 600;

/** What a file sends besides its text, with the action. */
interface FileDisclosure extends Pick<Disclosure, 'facts'> {
  readonly file: ActionFile;
}

type Context = Pick<vscode.ExtensionContext, 'workspaceState'>;
type Target = Pick<Session, 'profile'>;

/** True if the same variables of the same action were confirmed for this connection. */
export function isDisclosureConfirmed(context: Context, session: Target, disclosure: FileDisclosure): boolean {
  return readConfirmed(context).includes(fingerprint(session, disclosure));
}

/** Stores disclosures as confirmed. Rejects if the memento cannot be written. */
export async function storeConfirmedDisclosures(
  context: Context,
  session: Target,
  all: readonly FileDisclosure[],
): Promise<void> {
  const prints = all.map((one) => fingerprint(session, one));
  const known = readConfirmed(context).filter((print) => !prints.includes(print));
  await context.workspaceState.update(CONFIRMED_KEY, [...known, ...prints].slice(-MAX_STORED));
}

function readConfirmed({ workspaceState }: Context): readonly string[] {
  const stored: unknown = workspaceState.get(CONFIRMED_KEY);
  return Array.isArray(stored) ? stored.filter((print) => typeof print === 'string') : [];
}

/** A hash, since the facts contain values of inputs. Ignores comments and white space of the file. */
function fingerprint({ profile }: Target, { facts, file }: FileDisclosure): string {
  const parts = [profile.name, profile.baseUrl, [...facts].sort(), getRequestBody(file)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
