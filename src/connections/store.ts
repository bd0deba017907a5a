/** All connections of this window: keeps a session for each, in step with settings, secret store and memory. */
import * as vscode from 'vscode';
import type { RequestRecord } from '../platform/client.ts';
import type { Credential } from '../platform/target.ts';
import { Disposables } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import { activeChoice, type ActiveChoice } from './active.ts';
import { chooseSession } from './choose.ts';
import { bindingOf, onlyHeld, type Binding } from './credential.ts';
import { identityOf } from './identity.ts';
import type { IdIndex } from './id-index.ts';
import { KnownSecrets } from './known-secrets.ts';
import { SharedTransport } from './network.ts';
import { forgetReports } from './reports.ts';
import { logRequest } from './request-log.ts';
import { allowPlainHttp, isPlainAllowed } from './plain-http.ts';
import { NotKept, readingOf, SecretStore, type Reading, type Secrets } from './secret-store.ts';
import { ConnectionSession } from './session.ts';
import type { Snapshots } from './snapshots.ts';
import {
  executeTimeouts,
  maxConcurrentRequests,
  networkSettings,
  profilesFromSettings,
  requestTimeouts,
} from './settings.ts';
import type { Organization, Profile, Session, Sessions } from './types.ts';

export interface StoreParts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
  /** `context.secrets`, or another in tests */
  readonly secrets: Secrets;
  /** gets the id of everything that is read */
  readonly ids?: IdIndex;
  /** gets the text of what is read one by one */
  readonly snapshots?: Snapshots;
  /** another person signed in, in whichever window: what this window met is not for that one */
  readonly forgetIds?: (name: string) => void;
  /** a connection is no more, or signed out of, or another person's now: what was learnt of it goes */
  readonly forget?: (name: string) => Promise<void>;
  /** asks the person for another credential, with the reason as a sentence without its full stop; true when one is held afterwards */
  readonly signInAgain: (store: SessionStore, session: Session, why: string) => Promise<boolean>;
}

/** What a session is made from; when it changes, there is another session. */
interface Source {
  readonly credential: Credential | undefined;
  readonly because: string | undefined;
}

export class SessionStore implements Sessions, vscode.Disposable {
  readonly secretStore: SecretStore;
  readonly transport: SharedTransport;
  readonly known = new KnownSecrets();
  readonly #parts: StoreParts;
  readonly #owned = new Disposables();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #requests = new vscode.EventEmitter<RequestRecord>();
  readonly #active: ActiveChoice;
  /** connections that no setting names: the local sandbox */
  readonly #memory = new Map<string, { profile: Profile; readonly credential: Credential }>();
  /** credentials that the editor did not keep; they live as long as the window, bound as if they were stored */
  readonly #unkept = new Map<string, { readonly binding: Binding; readonly credential: Credential }>();
  #sessions = new Map<string, ConnectionSession>();
  #problems: readonly string[] = [];
  #started = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.secretStore = new SecretStore(parts.secrets, parts.context.globalState);
    this.transport = new SharedTransport(() =>
      networkSettings((path) => {
        parts.log.warn(`A certificate file of smartObjects.caCertificates cannot be read: ${path}`);
      }),
    );
    this.#active = activeChoice(parts.context.workspaceState);
    this.#owned.add(this.#changed);
    this.#owned.add(this.#requests);
    this.#owned.add({ dispose: () => void this.transport.close() });
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }
  get problems(): readonly string[] {
    return this.#problems;
  }
  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }
  /** every attempt of every connection, redacted */
  get onDidRequest(): vscode.Event<RequestRecord> {
    return this.#requests.event;
  }
  get ui(): Ui {
    return this.#parts.ui;
  }
  /** what this installation remembers over windows; no secret */
  get memory(): vscode.Memento {
    return this.#parts.context.globalState;
  }

  get active(): Session | undefined {
    const chosen = this.#active.connection;
    return (chosen === undefined ? undefined : this.get(chosen)) ?? this.all[0];
  }

  get activeOrganization(): Organization | undefined {
    const id = this.#active.organization;
    const active = this.active;
    return id === undefined || active?.profile.name !== this.#active.connection
      ? undefined
      : active?.organizations.find((organization) => organization.id === id);
  }

  get(name: string): ConnectionSession | undefined {
    return this.#sessions.get(name);
  }

  async choose(purpose: string): Promise<Session | undefined> {
    return chooseSession(this, this.#parts.ui, purpose);
  }

  async chosen(purpose: string): Promise<Session | undefined> {
    const { connection } = this.#active;
    const [first, second] = this.all;
    const given = connection === undefined && second === undefined ? first : this.get(connection ?? '');
    if (given !== undefined) return given;
    const picked = await chooseSession(this, this.#parts.ui, purpose, connection);
    if (picked !== undefined) await this.activate(picked.profile.name);
    return picked;
  }

  async activate(connection: string | undefined, organization?: string): Promise<void> {
    await this.#active.choose(connection, organization);
    this.#changed.fire();
  }

  /** Reads settings and secrets again; calls are taken one after the other. */
  reload(): Promise<void> {
    return this.#inTurn(() => this.#reload());
  }

  /** Reads one connection's secret again: for hosts that tell nothing of other windows. */
  recheck(name: string): Promise<void> {
    return this.#inTurn(() => this.#recheck(name));
  }

  async #recheck(name: string): Promise<void> {
    const session = this.get(name);
    if (session === undefined) return;
    const next = await this.#sessionFor(session.profile);
    if (next === session) return;
    this.#sessions.set(name, next);
    this.#replace(session, next);
    this.#changed.fire();
  }

  /**
   * Holds and stores a credential that was given for `session`, bound to where that session sends; `kept` is false where
   * the editor has no place for it. Throws where the session has ended: the connection is then another than the one that
   * the user was asked for.
   */
  signIn(session: Session, credential: Credential): Promise<{ readonly kept: boolean }> {
    return this.#inTurn(async () => {
      const { name } = session.profile;
      const before = this.get(name);
      if (before === undefined || before !== session || before.ended.aborted) throw new SessionChanged(name);
      const past = before.credential;
      const held = onlyHeld(credential);
      this.known.hold(name, Object.values(held));
      const memory = this.#memory.get(name);
      let kept = true;
      if (memory !== undefined) this.#memory.set(name, { profile: memory.profile, credential: held });
      else {
        this.#unkept.delete(name);
        kept = await this.#keep(bindingOf(before.profile), held);
      }
      await this.#recheck(name);
      // What another person saw here is not for this one.
      if (memory === undefined && past !== undefined && this.get(name) !== before) await this.#forget(name);
      return { kept };
    });
  }

  /** A credential that is stored for the same address, but not used since the rest of its binding changed. */
  async unusedCredential({ profile }: Session): Promise<Credential | undefined> {
    const reading = profile.source === 'memory' ? undefined : await this.#read(profile);
    return reading?.state === 'bound elsewhere' && reading.sameAddress ? reading.credential : undefined;
  }

  /** Removes the stored secret, what is in memory, and what was learnt with it. Nothing is sent from the call on. */
  signOut(name: string): Promise<void> {
    this.get(name)?.end();
    return this.#inTurn(async () => {
      this.get(name)?.end();
      this.#unkept.delete(name);
      const memory = this.#memory.get(name);
      if (memory !== undefined) this.#memory.set(name, { profile: memory.profile, credential: {} });
      try {
        await this.#forget(name);
        if (memory === undefined) await this.secretStore.forget(name);
      } finally {
        await this.#recheck(name);
      }
    });
  }

  /** Adds or replaces a connection that is never written to settings. */
  async addInMemory(profile: Profile, credential: Credential): Promise<void> {
    this.known.hold(profile.name, Object.values(credential));
    this.#memory.set(profile.name, { profile, credential });
    await this.reload();
  }

  /** Ends connections that no setting names, at once, and removes what is kept of them. */
  async removeFromMemory(...names: readonly string[]): Promise<void> {
    const gone = names.flatMap((name) => this.#memory.get(name)?.profile ?? []);
    for (const { name } of gone) {
      this.#memory.delete(name);
      this.get(name)?.end();
    }
    await this.reload();
    for (const { name, baseUrl } of gone) {
      await this.#forget(name);
      await this.secretStore.forgetVariables(name, new URL(baseUrl).origin);
    }
  }

  /** The names of those that no setting names: on the local sandbox, which they end with. */
  get inMemory(): readonly string[] {
    return [...this.#memory.keys()];
  }

  isInMemory(name: string): boolean {
    return this.#memory.has(name);
  }

  /** Organizations of a connection in memory; the others' stand in settings. */
  async addOrganizationInMemory(name: string, organization: Organization): Promise<void> {
    const memory = this.#memory.get(name);
    if (memory === undefined) return;
    memory.profile = { ...memory.profile, organizations: [...memory.profile.organizations, organization] };
    await this.reload();
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.end();
    this.#sessions.clear();
    this.#owned.dispose();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #reload(): Promise<void> {
    const { profiles, problems: found, userNames } = profilesFromSettings();
    // The credential of the one in memory is not for an entry that takes its name.
    const taken = profiles.filter(({ name }) => this.#memory.has(name)).map(({ name }) => name);
    const problems = [
      ...found,
      ...taken.map((name) => `${name}: the entry is left out while a connection of the local sandbox has this name.`),
    ];
    for (const problem of problems) if (!this.#problems.includes(problem)) this.#parts.log.warn(problem);
    this.#problems = problems;
    const all = [
      ...profiles.filter(({ name }) => !this.#memory.has(name)),
      ...[...this.#memory.values()].map(({ profile }) => profile),
    ];
    const next = new Map<string, ConnectionSession>();
    const sessions = await Promise.all(all.map((profile) => this.#sessionFor(profile)));
    for (const session of sessions) next.set(session.profile.name, session);
    const before = this.#sessions;
    this.#sessions = next;
    for (const [name, session] of before) {
      const now = next.get(name);
      if (now !== session) this.#replace(session, now);
    }
    await this.#forgetOrphans(userNames);
    if (!this.#owned.ended) this.#changed.fire();
  }

  /** The session that goes on where nothing essential changed, else a new one; the old one is the caller's to end. */
  async #sessionFor(profile: Profile): Promise<ConnectionSession> {
    const source = await this.#sourceOf(profile);
    const now = this.get(profile.name);
    if (now !== undefined && !now.ended.aborted && sameEnds(now.profile, profile)) {
      const same = JSON.stringify(now.credential) === JSON.stringify(source.credential);
      if (same && (source.credential !== undefined || now.signedOutBecause === (source.because ?? 'Not signed in'))) {
        now.update(profile);
        return now;
      }
      if (sameIdentity(now.credential, source.credential) && source.credential !== undefined) {
        now.update(profile);
        now.renewed(source.credential);
        return now;
      }
    }
    return this.#open(profile, source);
  }

  #replace(session: ConnectionSession, next: ConnectionSession | undefined): void {
    const { credential, profile } = session;
    session.end();
    const now = next?.credential;
    // A store that cannot be read just now is no sign-out, and another address no other person.
    const signedOut = now === undefined && next?.signedOutBecause === 'Not signed in';
    const other = now !== undefined && JSON.stringify(now) !== JSON.stringify(credential);
    if (credential !== undefined && (signedOut || (other && !sameIdentity(credential, now))))
      this.#parts.forgetIds?.(profile.name);
  }

  #read(profile: Profile): Promise<Reading> {
    const unkept = this.#unkept.get(profile.name);
    const binding = bindingOf(profile);
    return unkept === undefined ? this.secretStore.read(binding) : Promise.resolve(readingOf(unkept, binding));
  }

  async #sourceOf(profile: Profile): Promise<Source> {
    if (profile.source === 'memory') {
      const held = this.#memory.get(profile.name)?.credential ?? {};
      return { credential: Object.keys(held).length === 0 ? undefined : held, because: undefined };
    }
    const reading = await this.#read(profile);
    if (reading.state === 'none') return { credential: undefined, because: reading.because };
    this.known.hold(profile.name, Object.values(reading.credential));
    if (reading.state === 'usable') return { credential: reading.credential, because: undefined };
    const changed = reading.changes.join(', ');
    return {
      credential: undefined,
      because: `Your credential was stored for another ${changed} and is not sent here; sign in again to use this one`,
    };
  }

  #open(profile: Profile, { credential, because }: Source): ConnectionSession {
    return new ConnectionSession({
      profile,
      credential,
      signedOutBecause: because,
      transport: this.transport,
      timeouts: requestTimeouts,
      executeTimeouts,
      maxConcurrent: maxConcurrentRequests(),
      secrets: () => this.known.values,
      record: (record) => {
        const words = record.error?.detail.serverMessage;
        if (words === undefined || !this.known.hides(words)) logRequest(this.#parts.log, profile.name, record);
        else this.#parts.log.info(`[${profile.name}] ${record.operation} failed; its answer repeats a secret.`);
        this.#requests.fire(record);
      },
      ...(this.#parts.ids !== undefined && { ids: this.#parts.ids }),
      ...(this.#parts.snapshots !== undefined && { snapshots: this.#parts.snapshots }),
      activeOrganization: () => (this.active?.profile.name === profile.name ? this.activeOrganization : undefined),
      mayBePlain: (of, ask) => (ask ? allowPlainHttp(this, of) : Promise.resolve(isPlainAllowed(this, of))),
      keep: (session, renewed) => this.#inTurn(() => this.#keepRenewed(session, renewed)),
      signInAgain: (session, why) => this.#parts.signInAgain(this, session, why),
    });
  }

  async #keep(binding: Binding, credential: Credential, renewed = false): Promise<boolean> {
    try {
      await (renewed ? this.secretStore.renew(binding, credential) : this.secretStore.write(binding, credential));
      return true;
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      this.#unkept.set(binding.name, { binding, credential });
      this.#parts.log.warn(`${binding.name}: ${error.message}.`);
      return false;
    }
  }

  /**
   * Stores what a refresh brought, unless the session has ended meanwhile. Whoever reads the store does so in turn too,
   * so no session goes back to a token that was stored before.
   */
  async #keepRenewed(session: ConnectionSession, credential: Credential): Promise<void> {
    if (session.ended.aborted) return;
    const { profile } = session;
    this.known.hold(profile.name, Object.values(credential));
    session.renewed(credential);
    const memory = this.#memory.get(profile.name);
    const unkept = this.#unkept.get(profile.name);
    if (memory !== undefined) this.#memory.set(profile.name, { profile: memory.profile, credential });
    else if (unkept !== undefined) this.#unkept.set(profile.name, { ...unkept, credential });
    else await this.#keep(bindingOf(profile), credential, true);
  }

  async #forget(name: string): Promise<void> {
    forgetReports(name);
    await this.#parts.forget?.(name);
  }

  /**
   * Removes the secrets of connections that this installation has seen in the user's settings and that are no longer
   * there. Only at the start of a window: whoever edits the settings may take an entry out and put it back. Others'
   * entries stay: a workspace or another machine's settings may define them.
   */
  async #forgetOrphans(names: ReadonlySet<string>): Promise<void> {
    const key = `seen/${vscode.env.remoteName ?? 'local'}`;
    const seen = this.memory.get<readonly string[]>(key, []);
    const gone = this.#started ? [] : seen.filter((name) => !names.has(name));
    this.#started = true;
    for (const name of gone) {
      await this.#parts.forget?.(name);
      await this.secretStore.forgetVariables(name);
    }
    for (const name of await this.secretStore.removeEntriesOf(gone))
      this.#parts.log.info(`${name} is no longer in the settings: its credential is removed.`);
    const now = [...new Set([...seen.filter((name) => !gone.includes(name)), ...names])];
    if (JSON.stringify(now) !== JSON.stringify(seen)) await this.memory.update(key, now);
  }
}

/** The connection is another than the one that a credential was given for. */
export class SessionChanged extends Error {
  constructor(name: string) {
    super(
      `The connection ${name} has changed since you were asked, so the credential is not kept for it; sign in again`,
    );
  }
}

/** Whether a session made for the one profile may go on with the other: what a credential is bound to ends it. */
function sameEnds(one: Profile, other: Profile): boolean {
  const ends = (profile: Profile): string => JSON.stringify([bindingOf(profile), profile.words, profile.pageSize]);
  return ends(one) === ends(other);
}

/** Two tokens of one subject in one organization, with the same API key if any: a renewal, not another person. */
function sameIdentity(one: Credential | undefined, other: Credential | undefined): boolean {
  if (one === undefined || other === undefined || one.apiKey !== other.apiKey) return false;
  const [before, after] = [identityOf(one.accessToken), identityOf(other.accessToken)];
  return (
    before?.subject !== undefined &&
    before.subject === after?.subject &&
    before.organization === after.organization &&
    before.fqdn === after.fqdn
  );
}
