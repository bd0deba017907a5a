/**
 * What in-editor tests control the extension with: `activate` of test/editor/extension.ts returns a `TestHooks`.
 *
 *   const hooks: TestHooks = vscode.extensions.getExtension<TestHooks>('smart-objects.smart-object-explorer').exports;
 *   await hooks.addConnection({ name: 'Test', baseUrl }, { apiKey });      // writes settings and secret, no prompts
 *   hooks.ui.answer('confirm', true);                                      // confirms the next dialog
 *   hooks.ui.answer('pick', 'Organization 1');                             // by label; or a function of the choices
 *   await vscode.commands.executeCommand('smartObjects.executeAction', uri);
 *   hooks.ui.readMessages('error')                                              // the error messages so far
 *
 * No prompt waits: one without a scripted answer counts as closed. The hooks can set a stored secret, not read it.
 */
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../../../src/commands/context.ts';
import { loadAccounts } from '../../../src/connections/credentials/account-provider.ts';
import { runInForeground } from '../../../src/ui/foreground.ts';
import type { Log } from '../../../src/ui/log.ts';
import type { Ui } from '../../../src/ui/ui.ts';
import { FakeLog, FakeUi } from './fake-ui.ts';
import { FakeSecrets } from './fake-secrets.ts';

interface TestCredential {
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

export type Session = Services['sessions']['all'][number];

export interface TestHooks {
  readonly features: FeatureContext;
  readonly ui: FakeUi;
  /** every line of the output channel so far */
  readonly logLines: readonly string[];
  readonly secrets: FakeSecrets;
  services(): Promise<Services>;
  /** Writes the entry to the user's settings, waits for its session, and signs in where a credential is given. */
  addConnection(
    entry: Readonly<Record<string, unknown>> & { readonly name: string },
    credential?: TestCredential,
  ): Promise<void>;
  signIn(connection: string, credential: TestCredential): Promise<void>;
  /** Signs out, without asking. */
  signOut(connection: string): Promise<void>;
  /**
   * Removes every connection, credential, scripted answer and record, and stops the sandbox. Runs do not open their view.
   * Each suite starts with it. If `reusable` is still the only session and signed in, it stays, and so does what it has read.
   */
  reset(reusable?: Session): Promise<void>;
  /** Runs like a command of the user: only then may prompts about credentials appear. */
  inForeground<T>(run: () => Promise<T>): Promise<T>;
  /** The sessions that VS Code (`undefined`) or another extension can obtain from the authentication provider. */
  listAccounts(scopes: readonly string[] | undefined): Promise<readonly vscode.AuthenticationSession[]>;
  /** Signs out of an account, as the Accounts menu does once the user has agreed. */
  removeAccount(id: string): Promise<void>;
  /** The services of a second window: the same settings and secret store, separate sessions. */
  anotherWindow(): Promise<Services>;
}

/** The part of the session store that the hooks use. */
interface SessionControl {
  reload(): Promise<void>;
  get(name: string): Session | undefined;
  signIn(session: Session, credential: TestCredential): Promise<unknown>;
  signOut(name: string): Promise<void>;
  setActive(name: string | undefined): Promise<void>;
}

/** Parameters of `createServices`. */
export interface ServicesInput {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
}

export interface TestDoubles {
  readonly ui: FakeUi;
  readonly log: () => FakeLog;
  readonly secrets: FakeSecrets;
}

export function createTestDoubles(context: vscode.ExtensionContext): TestDoubles {
  const log = new FakeLog();
  return { ui: new FakeUi(), log: () => log, secrets: new FakeSecrets(context.secrets) };
}

export function createTestHooks(
  features: FeatureContext,
  { ui, log, secrets }: TestDoubles,
  createServices: (parts: ServicesInput) => Promise<Services>,
): TestHooks {
  const getSessionControl = async (): Promise<SessionControl> => toSessionControl(await features.services());
  const signIn = async (name: string, credential: TestCredential): Promise<void> => {
    const found = await getSessionControl();
    const session = found.get(name);
    if (session === undefined) throw new Error(`there is no connection named ${name}`);
    await found.signIn(session, credential);
  };
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('smartObjects');
  return {
    features,
    ui,
    secrets,
    logLines: log().lines,
    services: () => features.services(),
    async addConnection(connection, credential) {
      const known: unknown = settings().inspect('connections')?.globalValue;
      const all: readonly unknown[] = Array.isArray(known) ? known : [];
      const others = all.filter((other) => getName(other) !== connection.name);
      await settings().update('connections', [...others, connection], vscode.ConfigurationTarget.Global);
      const found = await getSessionControl();
      await found.reload();
      // The first connection becomes the active one, as with Add Connection…
      if (others.length === 0) await found.setActive(connection.name);
      if (credential !== undefined) await signIn(connection.name, credential);
    },
    signIn,
    async signOut(connection) {
      await (await getSessionControl()).signOut(connection);
    },
    async reset(reusable) {
      ui.reset();
      secrets.clearFault();
      // A visible Runs view takes the place of the message about a completed run.
      if (settings().get('revealRuns') !== false)
        await settings().update('revealRuns', false, vscode.ConfigurationTarget.Global);
      // Tests of documents open them by the commands of users.
      if (settings().get('openResources') !== 'json')
        await settings().update('openResources', 'json', vscode.ConfigurationTarget.Global);
      const { sessions } = await features.services();
      if (reusable !== undefined && isAlone(reusable, sessions)) return;
      for (let sandbox; (sandbox = sessions.all.find(({ profile }) => profile.source === 'memory')) !== undefined;) {
        ui.answer('confirm', true);
        await features.run('stopSandbox', sandbox.profile.name);
      }
      for (const { profile } of sessions.all) await (await getSessionControl()).signOut(profile.name);
      if (settings().inspect('connections')?.globalValue !== undefined)
        await settings().update('connections', undefined, vscode.ConfigurationTarget.Global);
      await (await getSessionControl()).reload();
      await (await getSessionControl()).setActive(undefined);
      ui.reset();
    },
    inForeground: runInForeground,
    listAccounts: async (scopes) => (await loadAccounts(await features.services())).list(scopes),
    removeAccount: async (id) => (await loadAccounts(await features.services())).remove(id),
    anotherWindow: () => createServices({ context: features.context, log: log(), ui }),
  };
}

function isAlone(session: Session, sessions: Services['sessions']): boolean {
  const isSignedIn = !session.ended.aborted && session.signedOutReason === undefined;
  const identities = sessions.getIdentities(session.profile.name);
  return isSignedIn && sessions.active === session && sessions.all.length === 1 && identities.length === 1;
}

function toSessionControl({ sessions }: Services): SessionControl {
  if ('reload' in sessions && 'signIn' in sessions && 'signOut' in sessions && 'setActive' in sessions)
    return sessions as Services['sessions'] & SessionControl;
  throw new Error('the sessions are not the store');
}

function getName(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'name') : undefined;
}
