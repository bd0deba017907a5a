/** Resolves the connection of a command: the argument, the only one, or the user's choice. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Ui } from '../../ui/ui.ts';
import { formatIdentity, formatSessionProblem, listEnvironment } from '../../model/text/heading.ts';
import type { Session } from '../../model/session/session.ts';
import { requireIdentity, requireSession } from '../../model/session/require-session.ts';

/** The part of the session store that is used. */
interface PickableSessions {
  readonly all: readonly Session[];
  readonly active: Session | undefined;
  get(name: string): Session | undefined;
  getIdentity(connection: string, identity: string | undefined): Session | undefined;
  reloadCredential(name: string): Promise<void>;
}

interface SessionItem extends vscode.QuickPickItem {
  readonly session: Session;
}

/** The active one first, but production last and marked: a picker highlights its first row, and Enter must not choose production. */
export function createSessionItems(sessions: readonly Session[], active: Session | undefined): SessionItem[] {
  const isProduction = ({ profile }: Session): boolean => profile.environment === 'production';
  const rank = (session: Session): number => (isProduction(session) ? 2 : 0) + (session === active ? 0 : 1);
  return sessions
    .toSorted((one, other) => rank(one) - rank(other))
    .map((session) => ({
      session,
      label: formatIdentity(session.profile.name, session.identityName),
      description: [
        ...listEnvironment(session.profile).map((name) => (isProduction(session) ? `$(warning) ${name}` : name)),
        ...(session === active ? [l10n.t('active')] : []),
        formatSessionProblem(session) ?? l10n.t('signed in'),
      ].join(' · '),
      detail: session.profile.baseUrl,
    }));
}

/** `missingName`: a required connection that no longer exists; another is never used without asking. Never rejects. */
export async function pickSession(
  store: PickableSessions,
  ui: Ui,
  purpose: string,
  missingName?: string,
): Promise<Session | undefined> {
  const [first, second] = store.all;
  if (first === undefined) {
    // Not awaited: the command is finished, and the buttons run other commands.
    void offerFirstConnection(ui);
    return undefined;
  }
  const name =
    second === undefined && missingName === undefined
      ? first.profile.name
      : (
          await ui.pick(createSessionItems(store.all, store.active), {
            title: purpose,
            placeHolder:
              missingName === undefined
                ? l10n.t('Select a connection')
                : l10n.t('{0} no longer exists. Select a connection', missingName),
            matchOnDescription: true,
            matchOnDetail: true,
          })
        )?.session.profile.name;
  if (name === undefined) return undefined;
  await store.reloadCredential(name);
  return store.get(name);
}

async function offerFirstConnection(ui: Ui): Promise<void> {
  const [add, sandbox] = [l10n.t('Add Connection…'), l10n.t('Start Local Sandbox')];
  const answer = await ui.info(
    l10n.t('There are no connections yet. Add a connection or start the local sandbox.'),
    add,
    sandbox,
  );
  const { commands } = await import('vscode');
  if (answer === add) await commands.executeCommand('smartObjects.addConnection');
  if (answer === sandbox) await commands.executeCommand('smartObjects.startSandbox');
}

/** Returns the connection name of a command argument: a name, a tree row or a resource. */
export function readConnectionName(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const connection: unknown = Reflect.get(argument, 'connection');
  if (typeof connection === 'string') return connection;
  const resource: unknown = Reflect.get(argument, 'resource');
  return resource === undefined ? undefined : readConnectionName(resource);
}

/** Returns the identity that a command argument names beside the connection. */
function readIdentityName(argument: unknown): string | undefined {
  const identity: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'identity') : undefined;
  return typeof identity === 'string' ? identity : undefined;
}

/**
 * The session named by an argument, with its credential reloaded, or the user's choice: of the named identity, or of the
 * current one if the argument names none. Rejects with an Error for an unknown name.
 */
export async function resolveSession(
  store: PickableSessions & { pickSession(purpose: string): Promise<Session | undefined> },
  argument: unknown,
  purpose: string,
): Promise<Session | undefined> {
  const name = readConnectionName(argument);
  if (name === undefined) return store.pickSession(purpose);
  await store.reloadCredential(name);
  const identity = readIdentityName(argument);
  return identity === undefined ? requireSession(store, name) : requireIdentity(store, name, identity);
}
