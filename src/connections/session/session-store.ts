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
import { compactCredential } from '../credentials/credential.ts';
import type { IdIndex } from '../../cache/id-index.ts';
import { KnownSecrets } from '../credentials/known-secrets.ts';
import { SharedTransport } from './shared-transport.ts';
import { forgetReports } from '../reports/report-documents.ts';
import { logRequest } from './request-log.ts';
import { requestPlainHttpConsent, isPlainHttpAllowed } from '../profiles/plain-http.ts';
import { CredentialStore, type SecretStorage } from '../credentials/credential-store.ts';
import { ConnectionSession } from './connection-session.ts';
import { CredentialSources, type CredentialSource } from './credential-sources.ts';
import { canContinueSession, isSameIdentity } from './session-identity.ts';
import type { Snapshots } from '../../cache/snapshots.ts';
import {
  readExecuteTimeouts,
  readMaxConcurrentRequests,
  readNetworkSettings,
  readProfileSettings,
  readRequestTimeouts,
} from '../profiles/settings.ts';
import { replaceEntry, writeOrganizationEntry } from '../profiles/write-profiles.ts';
import type { Organization, Profile, Session, SessionChange, Sessions, SessionsChange } from '../../model/session.ts';

interface SessionStoreOptions {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
  /** `context.secrets`; replaced in tests */
  readonly secrets: SecretStorage;
  /** records the ids of everything that is read */
  readonly ids?: IdIndex;
  /** records the texts of single reads */
  readonly snapshots?: Snapshots;
  /** another identity signed in, in any window: removes the ids that the previous one discovered */
  readonly forgetIds?: (name: string) => void;
  /** removes all data of a connection that was removed, signed out of, or changed identity */
  readonly forget?: (name: string) => Promise<void>;
  /**
   * prompts for another credential, with the reason as a sentence without its full stop; resolves with true when one
   * was saved
   */
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
  readonly #sessionChanged = new vscode.EventEmitter<SessionChange>();
  readonly #active: ActiveConnection;
  readonly #sources: CredentialSources;
  #sessions = new Map<string, ConnectionSession>();
  #problems: readonly string[] = [];
  #isStarted = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: SessionStoreOptions) {
    this.#options = parts;
    this.credentialStore = new CredentialStore(parts.secrets, parts.context.globalState);
    this.#sources = new CredentialSources(this.credentialStore, this.knownSecrets, parts.log);
    this.transport = new SharedTransport(() =>
      readNetworkSettings((path) => {
        parts.log.warn(`A certificate file of smartObjects.caCertificates cannot be read: ${path}`);
      }),
    );
    this.#active = createActiveConnection(parts.context.workspaceState);
    this.#disposables.add(this.#changed);
    this.#disposables.add(this.#sessionChanged);
    this.#disposables.add({ dispose: () => void this.transport.close() });
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }
  get problems(): readonly string[] {
    return this.#problems;
  }
  get onDidChange(): vscode.Event<SessionsChange> {
    return this.#changed.event;
  }
  get onDidChangeSession(): vscode.Event<SessionChange> {
    return this.#sessionChanged.event;
  }
  get ui(): Ui {
    return this.#options.ui;
  }
  /** state of the installation; no secrets */
  get globalState(): vscode.Memento {
    return this.#options.context.globalState;
  }

  get active(): Session | undefined {
    const chosen = this.#active.connection;
    return (chosen === undefined ? undefined : this.get(chosen)) ?? this.all[0];
  }

  get(name: string): ConnectionSession | undefined {
    return this.#sessions.get(name);
  }

  async pickSession(purpose: string): Promise<Session | undefined> {
    return pickSession(this, this.#options.ui, purpose);
  }

  get activeForEffects(): Session | undefined {
    const { connection } = this.#active;
    const [first, second] = this.all;
    return connection === undefined && second === undefined ? first : this.get(connection ?? '');
  }

  async getOrPickActive(purpose: string): Promise<Session | undefined> {
    const session = this.activeForEffects;
    if (session !== undefined) return session;
    const picked = await pickSession(this, this.#options.ui, purpose, this.#active.connection);
    if (picked !== undefined) await this.setActive(picked.profile.name);
    return picked;
  }

  /** Stores the user's choice for the workspace. Rejects where the memento cannot be written. */
  async setActive(connection: string | undefined): Promise<void> {
    await this.#active.select(connection);
    this.#changed.fire({ type: 'active' });
  }

  /** Reads settings and secrets again; calls are serialized. Rejects where the secret store or the memento fails. */
  reload(): Promise<void> {
    return this.#enqueue(() => this.#reload());
  }

  /** Reads one connection's secret again: some hosts do not announce changes of other windows. Never rejects. */
  reloadCredential(name: string): Promise<void> {
    return this.#enqueue(() => this.#reloadCredential(name));
  }

  async #reloadCredential(name: string): Promise<void> {
    const session = this.get(name);
    if (session === undefined) return;
    const next = await this.#reuseOrOpenSession(session.profile);
    if (next === session) return;
    this.#sessions.set(name, next);
    this.#endReplaced(session, next);
    this.#changed.fire({ type: 'replaced', connection: name });
  }

  /**
   * Stores a credential for `session`, bound to its destination; resolves with `stored: false` where the editor cannot
   * store it. Rejects with SessionChangedError where the session has ended: the connection changed since the user was
   * asked.
   */
  signIn(session: Session, credential: Credential): Promise<{ readonly stored: boolean }> {
    return this.#enqueue(async () => {
      const { name } = session.profile;
      const current = this.get(name);
      if (current === undefined || current !== session || current.ended.aborted) throw new SessionChangedError(name);
      const previousCredential = current.credential;
      const isInMemory = this.isInMemory(name);
      const stored = await this.#sources.write(current.profile, compactCredential(credential));
      await this.#reloadCredential(name);
      // Another identity: removes the data of the previous one.
      if (!isInMemory && previousCredential !== undefined && this.get(name) !== current)
        await this.#forgetConnection(name);
      return { stored };
    });
  }

  /** A credential stored for the same address, but unused since the rest of its binding changed. Never rejects. */
  async unusedCredential({ profile }: Session): Promise<Credential | undefined> {
    const reading = profile.source === 'memory' ? undefined : await this.#sources.readStored(profile);
    return reading?.state === 'bound elsewhere' && reading.sameAddress ? reading.credential : undefined;
  }

  /**
   * Removes the stored credential and all data read with it. Requests stop at the call. Rejects where the secret store
   * fails.
   */
  signOut(name: string): Promise<void> {
    this.get(name)?.end();
    return this.#enqueue(async () => {
      this.get(name)?.end();
      const isInMemory = this.isInMemory(name);
      this.#sources.signOut(name);
      try {
        await this.#forgetConnection(name);
        if (!isInMemory) await this.credentialStore.forget(name);
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

  /** Ends in-memory connections at once, and removes their data. Rejects where the secret store fails. */
  async removeFromMemory(...names: readonly string[]): Promise<void> {
    const removed = names.flatMap((name) => this.#sources.inMemory.get(name)?.profile ?? []);
    for (const { name } of removed) {
      this.#sources.inMemory.delete(name);
      this.get(name)?.end();
    }
    await this.reload();
    for (const { name, baseUrl } of removed) {
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
   * Rejects where VS Code cannot write the settings.
   */
  async setOrganization(name: string, id: string, named: { readonly label?: string } | undefined): Promise<void> {
    const memory = this.#sources.inMemory.get(name);
    const isSame = (other: Organization): boolean => other.id === id;
    if (memory === undefined) await writeOrganizationEntry(name, id, named);
    else {
      const organization = named === undefined ? undefined : ({ id, ...named, source: 'added' } as const);
      const organizations = replaceEntry(memory.profile.organizations, isSame, organization);
      memory.profile = { ...memory.profile, organizations };
    }
    await this.reload();
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.end();
    this.#sessions.clear();
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
    const shadowed = profiles.filter(({ name }) => this.isInMemory(name)).map(({ name }) => name);
    const problems = [
      ...found,
      ...shadowed.map(
        (name) => `${name}: the entry is left out while a connection of the local sandbox has this name.`,
      ),
    ];
    for (const problem of problems) if (!this.#problems.includes(problem)) this.#options.log.warn(problem);
    this.#problems = problems;
    const all = [
      ...profiles.filter(({ name }) => !this.isInMemory(name)),
      ...[...this.#sources.inMemory.values()].map(({ profile }) => profile),
    ];
    const next = new Map<string, ConnectionSession>();
    const sessions = await Promise.all(all.map((profile) => this.#reuseOrOpenSession(profile)));
    for (const session of sessions) next.set(session.profile.name, session);
    const previous = this.#sessions;
    this.#sessions = next;
    const ended = [...previous].filter(([name, session]) => next.get(name) !== session);
    for (const [name, session] of ended) this.#endReplaced(session, next.get(name));
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
    else for (const [connection] of ended) this.#changed.fire({ type: 'replaced', connection });
  }

  /** Returns the current session where nothing essential changed, else a new one; the caller ends the old one. */
  async #reuseOrOpenSession(profile: Profile): Promise<ConnectionSession> {
    const source = await this.#sources.read(profile);
    const now = this.get(profile.name);
    if (now !== undefined && !now.ended.aborted && canContinueSession(now.profile, profile)) {
      const same = JSON.stringify(now.credential) === JSON.stringify(source.credential);
      if (
        same &&
        (source.credential !== undefined || now.signedOutReason === (source.signedOutReason ?? 'Not signed in'))
      ) {
        now.updateProfile(profile);
        return now;
      }
      if (isSameIdentity(now.credential, source.credential) && source.credential !== undefined) {
        now.updateProfile(profile);
        now.replaceCredential(source.credential);
        return now;
      }
    }
    return this.#openSession(profile, source);
  }

  #endReplaced(session: ConnectionSession, next: ConnectionSession | undefined): void {
    const { credential, profile } = session;
    session.end();
    const now = next?.credential;
    // An unreadable store is not a sign-out, and another address is not another identity.
    const signedOut = now === undefined && next?.signedOutReason === 'Not signed in';
    const other = now !== undefined && JSON.stringify(now) !== JSON.stringify(credential);
    if (credential !== undefined && (signedOut || (other && !isSameIdentity(credential, now))))
      this.#options.forgetIds?.(profile.name);
  }

  #openSession(profile: Profile, { credential, signedOutReason }: CredentialSource): ConnectionSession {
    return new ConnectionSession({
      profile,
      credential,
      signedOutReason,
      transport: this.transport,
      timeouts: readRequestTimeouts,
      executeTimeouts: readExecuteTimeouts,
      maxConcurrent: readMaxConcurrentRequests(),
      secrets: () => this.knownSecrets.values,
      onRequest: (record) => {
        const serverMessage = record.error?.detail.serverMessage;
        if (serverMessage === undefined || !this.knownSecrets.containsTransient(serverMessage))
          logRequest(this.#options.log, profile.name, record);
        else this.#options.log.info(`[${profile.name}] ${record.operation} failed; its answer repeats a secret.`);
      },
      onChange: (session, type) => {
        // Replaced sessions are announced by `onDidChange`.
        if (this.get(profile.name) === session) this.#sessionChanged.fire({ session, type });
      },
      ...(this.#options.ids !== undefined && { ids: this.#options.ids }),
      ...(this.#options.snapshots !== undefined && { snapshots: this.#options.snapshots }),
      isPlainHttpAllowed: (of, ask) =>
        ask ? requestPlainHttpConsent(this, of) : Promise.resolve(isPlainHttpAllowed(this, of)),
      storeRefreshed: (session, refreshed) => this.#enqueue(() => this.#storeRefreshed(session, refreshed)),
      signInAgain: (session, why) => this.#options.signInAgain(this, session, why),
    });
  }

  /**
   * Stores a refreshed credential unless the session has ended. Serialized with reads of the store, so that no session
   * reverts to an older token.
   */
  async #storeRefreshed(session: ConnectionSession, credential: Credential): Promise<void> {
    if (session.ended.aborted) return;
    const writing = this.#sources.writeRefreshed(session.profile, credential);
    session.replaceCredential(credential);
    await writing;
  }

  async #forgetConnection(name: string): Promise<void> {
    forgetReports(name);
    await this.#options.forget?.(name);
  }
}

/** The connection has changed since the credential was given for it. */
export class SessionChangedError extends Error {
  constructor(name: string) {
    super(
      `The connection ${name} has changed since you were asked, so the credential is not kept for it; sign in again`,
    );
  }
}

/** The store behind `services.sessions`, for the commands of this folder. */
export function getSessionStore({ sessions }: Pick<Services, 'sessions'>): SessionStore {
  if (sessions instanceof SessionStore) return sessions;
  throw new Error('The sessions are not those of a SessionStore');
}
