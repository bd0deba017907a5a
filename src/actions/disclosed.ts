/** Remembers, in this workspace, which lists of variables were confirmed for which connection. */
import type * as vscode from 'vscode';
import type { Session } from '../connections/types.ts';
import type { Disclosure } from './values.ts';

const DISCLOSED = 'actions.disclosed';

export function isDisclosed(context: vscode.ExtensionContext, session: Session, { lines }: Disclosure): boolean {
  return disclosed(context).includes(fingerprint(session, lines));
}

export async function rememberDisclosed(
  context: vscode.ExtensionContext,
  session: Session,
  { lines }: Disclosure,
): Promise<void> {
  const known = disclosed(context).filter((print) => print !== fingerprint(session, lines));
  await context.workspaceState.update(DISCLOSED, [...known.slice(-199), fingerprint(session, lines)]);
}

function disclosed(context: vscode.ExtensionContext): readonly string[] {
  const kept: unknown = context.workspaceState.get(DISCLOSED);
  return Array.isArray(kept) ? kept.filter((print) => typeof print === 'string') : [];
}

function fingerprint(session: Session, lines: readonly string[]): string {
  return JSON.stringify([session.profile.name, session.profile.baseUrl, [...lines].sort()]);
}
