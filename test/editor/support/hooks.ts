/**
 * What in-editor tests control the extension with: `activate` of test/editor/extension.ts returns a `TestHooks`.
 *
 *   const hooks: TestHooks = vscode.extensions.getExtension<TestHooks>('smart-objects.smart-object-explorer').exports;
 *   await hooks.addConnection({ name: 'Test', baseUrl }, { apiKey });      // settings and secret, no questions
 *   hooks.ui.answer('confirm', true);                                      // the next dialog is agreed to
 *   hooks.ui.answer('pick', 'Organization 1');                             // by label; or a function of the choices
 *   await vscode.commands.executeCommand('smartObjects.executeAction', uri);
 *   hooks.ui.said('error')                                                 // what was told, as plain text
 *
 * Nothing waits for a person: an unanswered question is answered as if it were closed. A stored secret can be set
 * through the hooks, never read.
 */
import * as vscode from 'vscode';
import type { Entry, Services } from '../../../src/commands/entry.ts';
import { inForeground } from '../../../src/ui/foreground.ts';
import type { Log } from '../../../src/ui/log.ts';
import type { Ui } from '../../../src/ui/ui.ts';
import { TestLog, TestUi } from './doubles.ts';
import { TestSecrets } from './secrets.ts';

export interface TestCredential {
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

export interface TestHooks {
  readonly entry: Entry;
  readonly ui: TestUi;
  /** every line of the output channel so far */
  readonly logLines: readonly string[];
  readonly secrets: TestSecrets;
  services(): Promise<Services>;
  /** Writes the entry to the user's settings, waits for its session, and signs in where a credential is given. */
  addConnection(
    entry: Readonly<Record<string, unknown>> & { readonly name: string },
    credential?: TestCredential,
  ): Promise<void>;
  signIn(connection: string, credential: TestCredential): Promise<void>;
  /** Signs out, without asking. */
  signOut(connection: string): Promise<void>;
  /** Removes every connection, credential, queued answer and record, and stops the sandbox: how each suite begins. */
  reset(): Promise<void>;
  /** Runs as a command does that a person waits for: only then is anything asked about a credential. */
  inForeground<T>(run: () => Promise<T>): Promise<T>;
  /** The connections as another window sees them: the same settings and secret store, sessions of its own. */
  anotherWindow(): Promise<Services>;
}

type Session = Services['sessions']['all'][number];

/** Of the session store: what the hooks need. */
interface Writable {
  reload(): Promise<void>;
  get(name: string): Session | undefined;
  signIn(session: Session, credential: TestCredential): Promise<unknown>;
  signOut(name: string): Promise<void>;
  activate(name: string | undefined): Promise<void>;
}

/** What services are made from. */
export interface ServicesOf {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
}

export interface TestParts {
  readonly ui: TestUi;
  readonly log: () => TestLog;
  readonly secrets: TestSecrets;
}

export function testParts(context: vscode.ExtensionContext): TestParts {
  const log = new TestLog();
  return { ui: new TestUi(), log: () => log, secrets: new TestSecrets(context.secrets) };
}

export function createTestHooks(
  entry: Entry,
  { ui, log, secrets }: TestParts,
  createServices: (parts: ServicesOf) => Promise<Services>,
): TestHooks {
  const store = async (): Promise<Writable> => writable(await entry.services());
  const signInTo = async (name: string, credential: TestCredential): Promise<void> => {
    const found = await store();
    const session = found.get(name);
    if (session === undefined) throw new Error(`there is no connection named ${name}`);
    await found.signIn(session, credential);
  };
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('smartObjects');
  return {
    entry,
    ui,
    secrets,
    logLines: log().lines,
    services: () => entry.services(),
    async addConnection(connection, credential) {
      const known: unknown = settings().inspect('connections')?.globalValue;
      const all: readonly unknown[] = Array.isArray(known) ? known : [];
      const others = all.filter((other) => nameOf(other) !== connection.name);
      await settings().update('connections', [...others, connection], vscode.ConfigurationTarget.Global);
      const found = await store();
      await found.reload();
      // The first one is chosen, as Add Connection… chooses what it adds.
      if (others.length === 0) await found.activate(connection.name);
      if (credential !== undefined) await signInTo(connection.name, credential);
    },
    signIn: signInTo,
    async signOut(connection) {
      await (await store()).signOut(connection);
    },
    async reset() {
      ui.reset();
      secrets.heal();
      const { sessions } = await entry.services();
      if (sessions.all.some(({ profile }) => profile.source === 'memory')) {
        ui.answer('confirm', true);
        await entry.run('stopSandbox');
      }
      for (const { profile } of sessions.all) await (await store()).signOut(profile.name);
      await settings().update('connections', undefined, vscode.ConfigurationTarget.Global);
      await (await store()).reload();
      await (await store()).activate(undefined);
      ui.reset();
    },
    inForeground,
    anotherWindow: () => createServices({ context: entry.context, log: log(), ui }),
  };
}

function writable({ sessions }: Services): Writable {
  if ('reload' in sessions && 'signIn' in sessions && 'signOut' in sessions && 'activate' in sessions)
    return sessions as Services['sessions'] & Writable;
  throw new Error('the sessions are not the store');
}

function nameOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'name') : undefined;
}
