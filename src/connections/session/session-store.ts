/** All sessions of this window, kept in sync with settings, secret store and in-memory connections. */
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { Disposables } from '../../ui/disposables.ts';
import type { Log } from '../../ui/log.ts';
import type { Ui } from '../../ui/ui.ts';
import { forgetRemovedConnections } from '../profiles/forget-removed.ts';
import { createActiveConnection, type ActiveConnection } from '../profiles/active-connection.ts';
import { pickSession } from './pick-session.ts';
import { compactCredential, type Renewal } from '../credentials/credential.ts';
import type { IdIndex } from '../../cache/id-index.ts';
import { KnownSecrets } from '../credentials/known-secrets.ts';
import { SharedTransport } from './shared-transport.ts';
import { forgetReports } from '../reports/report-documents.ts';
import { WorkspaceSignIns } from '../profiles/workspace-sign-ins.ts';
import { CredentialStore, type SecretStorage } from '../credentials/credential-store.ts';
import type { ConnectionSession } from './connection-session.ts';
import { CredentialSources } from './credential-sources.ts';
import { SessionChangedError } from './session-changed-error.ts';
import { SessionFactory } from './session-factory.ts';
import { isOtherIdentity } from './session-identity.ts';
import { SessionMap, type IdentitySessions } from './session-map.ts';
import type { RequestRecorder } from '../../model/requests/request-recorder.ts';
import type { Snapshots } from '../../cache/snapshots.ts';
import { formatShadowedProblem } from '../profiles/read-profiles.ts';
import { readNetworkSettings, readProfileSettings } from '../profiles/settings.ts';
import { setProfileOrganization, writeOrganizationEntry } from '../profiles/write-profiles.ts';
import { requireIdentity } from '../../model/session/require-session.ts';
import { resolveChoice } from '../../model/session/stored-choice.ts';
import {
  DEFAULT_IDENTITY,
  type Profile,
  type Session,
  type SessionChange,
  type Sessions,
  type SessionsChange,
} from '../../model/session/session.ts';

interface SessionStoreOptions {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
  /** `context.secrets`; replaced in tests */
  readonly secrets: SecretStorage;
  /** records the ids of everything that is read */
  readonly ids?: Pick<IdIndex, 'record'>;
  /** records the texts of single reads */
  readonly snapshots?: Snapshots;
  /** records what is sent and received */
  readonly requests?: RequestRecorder;
  /** another identity signed in, in any window: removes the ids that the previous one discovered */
  readonly forgetIds?: (name: string) => void;
  /** removes all data of a connection that was removed, signed out of, or changed identity */
  readonly forget?: (name: string) => Promise<void>;
  /** prompts for another credential; resolves with true when one was saved. `why`: a sentence without its full stop */
  readonly signInAgain: (store: SessionStore, session: Session, why: string) => Promise<boolean>;
}

/** Implements `Sessions`; changes are serialized. */
export class SessionStore implements Sessions, vscode.Disposable {
  readonly credentialStore: CredentialStore;
  readonly transport: SharedTransport;
  readonly knownSecrets = new KnownSecrets();
  readonly #options: SessionStoreOptions;
  readonly #disposables = new Disposables();
  readonly #changed = new vscode.EventEmitter<SessionsChange>();
  readonly onDidChange = this.#changed.event;
  readonly #sessionChanged = new vscode.EventEmitter<SessionChange>();
  readonly onDidChangeSession = this.#sessionChanged.event;
  readonly #active: ActiveConnection;
  readonly #sources: CredentialSources;
  readonly #factory: SessionFactory;
  readonly #sessions: SessionMap;
  #problems: readonly string[] = [];
  #isStarted = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: SessionStoreOptions) {
    this.#options = parts;
    this.credentialStore = new CredentialStore(parts.secrets, parts.context.globalState);
    this.#sources = new CredentialSources(
      this.credentialStore,
      new WorkspaceSignIns(parts.context.workspaceState),
      this.knownSecrets,
      parts.log,
    );
    this.transport = new SharedTransport(() =>
      readNetworkSettings((path) =>
        parts.log.warn(`A certificate file of smartObjects.caCertificates cannot be read: ${path}`),
      ),
    );
    this.#active = createActiveConnection(parts.context.workspaceState);
    this.#sessions = new SessionMap((connection) => this.#active.getIdentity(connection));
    this.#factory = new SessionFactory({
      log: parts.log,
      ids: parts.ids,
      snapshots: parts.snapshots,
      requests: parts.requests,
      transport: this.transport,
      knownSecrets: this.knownSecrets,
      consents: this,
      hasOtherIdentities: (connection) => this.getIdentities(connection).length > 1,
      onChange: (session, type) => {
        // Replaced sessions are announced by `onDidChange`.
        if (this.getIdentity(session.profile.name, session.identityKey) === session)
          this.#sessionChanged.fire({ session, type });
      },
      storeRenewed: (session, renewal) => this.#enqueue(() => this.#storeRenewed(session, renewal)),
      reloadCredential: ({ profile }) => this.reloadCredential(profile.name),
      signInAgain: (session, why) => parts.signInAgain(this, session, why),
    });
    const closeTransport = { dispose: (): void => void this.transport.close() };
    for (const each of [this.#changed, this.#sessionChanged, closeTransport]) this.#disposables.add(each);
  }

  get all(): readonly Session[] {
    return this.#sessions.current;
  }
  get problems(): readonly string[] {
    return this.#problems;
  }
  get ui(): Ui {
    return this.#options.ui;
  }
  /** state of the installation; no secrets */
  get globalState(): vscode.Memento {
    return this.#options.context.globalState;
  }

  get active(): Session | undefined {
    return this.#resolveActive(this.all[0]);
  }

  get(name: string): ConnectionSession | undefined {
    return this.#sessions.getCurrent(name);
  }

  getIdentities(connection: string): readonly ConnectionSession[] {
    return this.#sessions.getIdentities(connection);
  }

  getIdentity(connection: string, identity: string | undefined): ConnectionSession | undefined {
    return this.#sessions.get(connection, identity);
  }

  async pickSession(purpose: string): Promise<Session | undefined> {
    return pickSession(this, this.#options.ui, purpose);
  }

  get activeForEffects(): Session | undefined {
    const [first, second] = this.all;
    return this.#resolveActive(second === undefined ? first : undefined);
  }

  #resolveActive(initial: Session | undefined): Session | undefined {
    return resolveChoice(
      this.#active.connection,
      (name) => this.get(name),
      () => initial,
    );
  }

  async getOrPickActive(purpose: string): Promise<Session | undefined> {
    const session = this.activeForEffects;
    if (session !== undefined) return session;
    const picked = await pickSession(this, this.#options.ui, purpose, this.#active.connection);
    if (picked !== undefined) await this.setActive(picked.profile.name);
    return picked;
  }

  /** Stores the user's choice for the workspace. Rejects if the memento cannot be written. */
  async setActive(connection: string | undefined): Promise<void> {
    await this.#active.select(connection);
    this.#changed.fire({ type: 'active' });
  }

  /**
   * Makes an identity the current one of its connection, for the workspace; requests of the former one go on. Rejects
   * for an unknown identity, and if the memento cannot be written.
   */
  async selectIdentity(connection: string, identity: string): Promise<void> {
    requireIdentity(this, connection, identity);
    const previous = this.get(connection);
    await this.#active.selectIdentity(connection, identity);
    if (this.get(connection) !== previous) this.#changed.fire({ type: 'replaced', connection });
    // The former one is no longer listed if it has no credential.
    await this.reloadCredential(connection);
  }

  /** Reads settings and secrets again; calls are serialized. Rejects if the secret store or the memento fails. */
  reload(): Promise<void> {
    return this.#enqueue(() => this.#reload());
  }

  /** Reads one connection's secrets again: some hosts do not announce changes of other windows. Never rejects. */
  reloadCredential(name: string): Promise<void> {
    return this.#enqueue(() => this.#reloadCredential(name));
  }

  async #reloadCredential(name: string): Promise<void> {
    const profile = this.get(name)?.profile;
    if (profile === undefined) return;
    const previous = this.#sessions.getState(name);
    for (const session of this.#sessions.setConnection(name, await this.#openIdentities(profile)))
      this.#endReplaced(session);
    if (this.#sessions.isChanged(name, previous)) this.#changed.fire({ type: 'replaced', connection: name });
  }

  /**
   * Stores a credential for `session`, or for another `identity` of its connection, bound to its destination; resolves
   * with `stored: false` if the editor cannot store it. Rejects with SessionChangedError if the session has ended:
   * the connection changed since the user was asked.
   */
  signIn(
    session: Session,
    credential: Credential,
    identity = session.identityName ?? DEFAULT_IDENTITY,
  ): Promise<{ readonly stored: boolean }> {
    return this.#enqueue(async () => {
      const { name } = session.profile;
      const current = this.getIdentity(name, session.identityName);
      if (current === undefined || current !== session || current.ended.aborted) throw new SessionChangedError(name);
      const replaced = this.getIdentity(name, identity);
      const hadCredential = replaced?.credential !== undefined;
      const isInMemory = this.isInMemory(name);
      const stored = await this.#sources.write(current.profile, identity, compactCredential(credential));
      await this.#reloadCredential(name);
      // Signed in as another: removes the data of the previous one.
      if (!isInMemory && hadCredential && this.getIdentity(name, identity) !== replaced)
        await this.#forgetConnection(name);
      return { stored };
    });
  }

  /** A credential stored for the same address, but unused since the rest of its binding changed. Never rejects. */
  async unusedCredential({ profile }: Session, identity: string): Promise<Credential | undefined> {
    const reading = profile.source === 'memory' ? undefined : await this.#sources.readStored(profile, identity);
    return reading?.state === 'boundElsewhere' && reading.sameAddress ? reading.credential : undefined;
  }

  /**
   * Removes the stored credentials of some identities, by default of all, and all data read with them. Requests stop at
   * the call. Rejects if the secret store fails.
   */
  signOut(name: string, identities?: readonly string[]): Promise<void> {
    const end = (): readonly string[] => {
      const sessions = this.getIdentities(name).filter(
        ({ identityKey }) => identities?.includes(identityKey) !== false,
      );
      for (const session of sessions) session.end();
      return sessions.map(({ identityKey }) => identityKey);
    };
    end();
    return this.#enqueue(async () => {
      const ended = end();
      const isInMemory = this.isInMemory(name);
      this.#sources.signOut(name, identities);
      try {
        if (identities === undefined) await this.#active.forgetIdentity(name);
        await this.#forgetConnection(name);
        if (isInMemory) return;
        // Those of another address have no session.
        const stored = identities === undefined ? await this.credentialStore.listIdentities(name) : [];
        for (const identity of new Set([...ended, ...stored])) await this.credentialStore.forget(name, identity);
      } finally {
        await this.#reloadCredential(name);
      }
    });
  }

  /** Adds or replaces a connection that is never written to settings. Rejects as `reload` does. */
  async addInMemory(profile: Profile, credential: Credential): Promise<void> {
    this.#sources.addInMemory(profile, credential);
    await this.reload();
  }

  /** Ends in-memory connections at once, and removes their data. Rejects if the secret store fails. */
  async removeFromMemory(...names: readonly string[]): Promise<void> {
    const removed = names.flatMap((name) => this.#sources.inMemory.get(name)?.profile ?? []);
    for (const { name } of removed) {
      this.#sources.inMemory.delete(name);
      for (const session of this.getIdentities(name)) session.end();
    }
    await this.reload();
    for (const { name, baseUrl } of removed) {
      await this.#active.forgetIdentity(name);
      await this.#forgetConnection(name);
      await this.credentialStore.forgetVariableSecrets(name, new URL(baseUrl).origin);
    }
  }

  /** Names of the in-memory connections, which end with the local sandbox. */
  get inMemoryNames(): readonly string[] {
    return [...this.#sources.inMemory.keys()];
  }

  isInMemory(name: string): boolean {
    return this.#sources.inMemory.has(name);
  }

  /**
   * Adds or renames an organization that the connection names in its settings or in memory; `undefined` removes it.
   * Rejects if VS Code cannot write the settings.
   */
  async setOrganization(name: string, id: string, named: { readonly label?: string } | undefined): Promise<void> {
    const memory = this.#sources.inMemory.get(name);
    if (memory === undefined) await writeOrganizationEntry(name, id, named);
    else memory.profile = setProfileOrganization(memory.profile, id, named);
    await this.reload();
  }

  dispose(): void {
    for (const session of this.#sessions.setAll(new Map())) session.end();
    this.#disposables.dispose();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #reload(): Promise<void> {
    const { profiles, problems: found, userNames } = readProfileSettings();
    const getSettings = (): string => JSON.stringify([this.all.map(({ profile }) => profile), this.#problems]);
    const previousSettings = getSettings();
    // An in-memory connection's credential is not for a settings entry of the same name.
    const shadowed = profiles.filter(({ name }) => this.isInMemory(name));
    const problems = [...found, ...shadowed.map(formatShadowedProblem)];
    for (const problem of problems) if (!this.#problems.includes(problem)) this.#options.log.warn(problem);
    this.#problems = problems;
    const all = [
      ...profiles.filter((profile) => !shadowed.includes(profile)),
      ...[...this.#sources.inMemory.values()].map(({ profile }) => profile),
    ];
    const next = await Promise.all(
      all.map(async (profile) => [profile.name, await this.#openIdentities(profile)] as const),
    );
    const previous = this.all.map(({ profile: { name } }) => [name, this.#sessions.getState(name)] as const);
    for (const session of this.#sessions.setAll(new Map(next))) this.#endReplaced(session);
    const replaced = previous.filter(([name, state]) => this.#sessions.isChanged(name, state));
    const isStartup = !this.#isStarted;
    this.#isStarted = true;
    await forgetRemovedConnections({
      names: userNames,
      globalState: this.globalState,
      credentialStore: this.credentialStore,
      forget: async (name) => this.#options.forget?.(name),
      log: this.#options.log,
      isStartup,
    });
    if (this.#disposables.isDisposed) return;
    if (getSettings() !== previousSettings) this.#changed.fire({ type: 'connections' });
    else for (const [connection] of replaced) this.#changed.fire({ type: 'replaced', connection });
  }

  async #openIdentities(profile: Profile): Promise<IdentitySessions> {
    const known = this.getIdentities(profile.name).map(({ identityKey }) => identityKey);
    const sources = await this.#sources.readAll(profile, known, this.#active.getIdentity(profile.name));
    return new Map(
      [...sources].map(([identity, source]) => [
        identity,
        this.#factory.reuseOrOpen(this.getIdentity(profile.name, identity), { profile, identity, source }),
      ]),
    );
  }

  #endReplaced(session: ConnectionSession): void {
    const { credential, profile, identityKey } = session;
    const next = this.getIdentity(profile.name, identityKey);
    const isSignedOut = next === undefined && this.get(profile.name) !== undefined;
    session.end();
    if (credential !== undefined && (isSignedOut || isOtherIdentity(credential, next)))
      this.#options.forgetIds?.(profile.name);
  }

  /**
   * Stores a renewed credential unless the session has ended or has a newer one. If another window stored another one,
   * that is used. Serialized with reads of the store, so that no session reverts to an older token.
   */
  async #storeRenewed(session: ConnectionSession, renewal: Renewal): Promise<void> {
    if (session.ended.aborted || session.credential !== renewal.previous) return;
    const { profile, identityKey } = session;
    if (!(await this.#sources.writeRenewed(profile, identityKey, renewal))) await this.#reloadCredential(profile.name);
    else session.replaceCredential(renewal.credential);
  }

  async #forgetConnection(name: string): Promise<void> {
    forgetReports(name);
    await this.#options.forget?.(name);
  }
}

/** The store behind `services.sessions`, for the commands of this folder. */
export function getSessionStore({ sessions }: Pick<Services, 'sessions'>): SessionStore {
  if (sessions instanceof SessionStore) return sessions;
  throw new Error('Not a SessionStore');
}
