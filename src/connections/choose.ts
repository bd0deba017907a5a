/** Finds the connection that a command is for: the one it was given, the only one, or the one that the person picks. */
import type * as vscode from 'vscode';
import type { Ui } from '../ui/ui.ts';
import { environmentWords } from './heading.ts';
import type { Session } from './types.ts';

/** Of the session store: what choosing needs. */
export interface Choosable {
  readonly all: readonly Session[];
  readonly active: Session | undefined;
  get(name: string): Session | undefined;
  recheck(name: string): Promise<void>;
}

export interface SessionChoice extends vscode.QuickPickItem {
  readonly name: string;
}

/** The active connection first. */
export function sessionChoices(store: Pick<Choosable, 'all' | 'active'>): SessionChoice[] {
  const { active } = store;
  const rest = store.all.filter((session) => session !== active);
  return (active === undefined ? rest : [active, ...rest]).map((session) => ({
    name: session.profile.name,
    label: session.profile.name,
    description: [
      environmentWords(session.profile),
      session.signedOutBecause !== undefined ? 'signed out' : session.expired ? 'expired' : 'signed in',
    ].join(' · '),
    detail: session.profile.baseUrl,
  }));
}

/** `gone`: a connection that was meant and is not there; another is then never taken unasked. */
export async function chooseSession(
  store: Choosable,
  ui: Ui,
  purpose: string,
  gone?: string,
): Promise<Session | undefined> {
  const [first, second] = store.all;
  if (first === undefined) {
    // Not awaited: the command is over, and the buttons lead on by themselves.
    void offerFirstConnection(ui);
    return undefined;
  }
  const chosen =
    second === undefined && gone === undefined
      ? first.profile.name
      : (
          await ui.pick(sessionChoices(store), {
            title: purpose,
            placeHolder: `${gone === undefined ? '' : `${gone} is not there any more. `}Which connection?`,
            matchOnDescription: true,
            matchOnDetail: true,
          })
        )?.name;
  if (chosen === undefined) return undefined;
  await store.recheck(chosen);
  return store.get(chosen);
}

async function offerFirstConnection(ui: Ui): Promise<void> {
  const [add, sandbox] = ['Add Connection…', 'Start Local Sandbox'];
  const answer = await ui.info(
    'There is no connection yet. Add one, or start a sandbox on this machine.',
    add,
    sandbox,
  );
  const { commands } = await import('vscode');
  if (answer === add) await commands.executeCommand('smartObjects.addConnection');
  if (answer === sandbox) await commands.executeCommand('smartObjects.startSandbox');
}

/** What a command was given, if it names a connection: its name, a tree row, a resource. */
export function connectionName(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const own: unknown = Reflect.get(argument, 'connection');
  if (typeof own === 'string') return own;
  const resource: unknown = Reflect.get(argument, 'resource');
  return resource === undefined ? undefined : connectionName(resource);
}

/** The session that an argument names, freshly checked, or the person's choice. Throws where the name is of none. */
export async function sessionFor(
  store: Choosable & { choose(purpose: string): Promise<Session | undefined> },
  argument: unknown,
  purpose: string,
): Promise<Session | undefined> {
  const name = connectionName(argument);
  if (name === undefined) return store.choose(purpose);
  await store.recheck(name);
  const session = store.get(name);
  if (session === undefined) throw new Error(`there is no connection named ${name}`);
  return session;
}
