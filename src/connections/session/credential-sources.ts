/** Where credentials of connections come from: the secret store, in-memory connections, and this window. */
import * as l10n from '@vscode/l10n';
import { DEFAULT_IDENTITY, type Profile } from '../../model/session/session.ts';
import { formatList } from '../../platform/text/localization.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Log } from '../../ui/log.ts';
import { getBinding, type Binding, type Renewal } from '../credentials/credential.ts';
import {
  CredentialNotStoredError,
  getCredentialKey,
  getCredentialState,
  type CredentialStore,
  type StoredCredentialState,
} from '../credentials/credential-store.ts';
import type { KnownSecrets } from '../credentials/known-secrets.ts';
import type { WorkspaceSignIns } from '../profiles/workspace-sign-ins.ts';

/** What a session is created from; a change creates another session. */
export interface CredentialSource {
  readonly credential: Credential | undefined;
  readonly signedOutReason: string | undefined;
}

interface UnstoredCredential {
  readonly binding: Binding;
  readonly identity: string;
  readonly credential: Credential;
}

/** Reads and writes credentials by profile and identity; all of them become known secrets. */
export class CredentialSources {
  /** connections that are not in the settings: those on the local sandbox, with their credentials by identity */
  readonly inMemory = new Map<string, { profile: Profile; readonly credentials: Map<string, Credential> }>();
  /** credentials that the editor could not store; bound like stored ones, until the window closes */
  readonly #unstored = new Map<string, UnstoredCredential>();
  readonly #store: CredentialStore;
  readonly #signIns: Pick<WorkspaceSignIns, 'isAllowed' | 'add'>;
  readonly #knownSecrets: KnownSecrets;
  readonly #log: Pick<Log, 'warn'>;

  constructor(
    store: CredentialStore,
    signIns: Pick<WorkspaceSignIns, 'isAllowed' | 'add'>,
    knownSecrets: KnownSecrets,
    log: Pick<Log, 'warn'>,
  ) {
    this.#store = store;
    this.#signIns = signIns;
    this.#knownSecrets = knownSecrets;
    this.#log = log;
  }

  /**
   * Resolves with the credential of each identity that the profile may use, or why there is none; the default identity
   * comes first. Those of another address are left out. `known`: identities to read if the secret store cannot list
   * them. `chosen`: the identity that the user chose, which is never left out. Never rejects.
   */
  async readAll(
    profile: Profile,
    known: readonly string[] = [],
    chosen?: string,
  ): Promise<ReadonlyMap<string, CredentialSource>> {
    const { name } = profile;
    const unstored = [...this.#unstored.values()].filter(({ binding }) => binding.name === name);
    const identities = new Set([
      ...(this.inMemory.get(name)?.credentials.keys() ?? []),
      ...unstored.map(({ identity }) => identity),
      ...(profile.source === 'memory' ? [] : await this.#store.listIdentities(name).catch(() => known)),
      ...(chosen === undefined ? [] : [chosen]),
    ]);
    identities.delete(DEFAULT_IDENTITY);
    const read = async (identity: string): Promise<readonly [string, CredentialSource][]> => {
      const source = await this.#read(profile, identity, [DEFAULT_IDENTITY, chosen].includes(identity));
      return source === undefined ? [] : [[identity, source]];
    };
    const own = await read(DEFAULT_IDENTITY);
    const others = await Promise.all([...identities].map(read));
    return new Map([...own, ...others.flat()]);
  }

  /**
   * Resolves with `undefined` for an identity without an entry for this address, unless it `isListed` anyway. Never
   * rejects.
   */
  async #read(profile: Profile, identity: string, isListed: boolean): Promise<CredentialSource | undefined> {
    if (profile.source === 'memory') {
      const credential = this.inMemory.get(profile.name)?.credentials.get(identity) ?? {};
      return { credential: Object.keys(credential).length === 0 ? undefined : credential, signedOutReason: undefined };
    }
    const stored = await this.readStored(profile, identity);
    // One that cannot be read stays, signed out: the connection must not go on as another.
    const hasEntry = stored.state !== 'none' || stored.reason !== undefined;
    if (!isListed && (!hasEntry || isElsewhere(stored))) return undefined;
    if (stored.state === 'none') return { credential: undefined, signedOutReason: stored.reason };
    this.#knownSecrets.setForIdentity(getCredentialKey(profile.name, identity), Object.values(stored.credential));
    if (stored.state === 'usable') return { credential: stored.credential, signedOutReason: undefined };
    const signedOutReason =
      stored.changes.length === 0
        ? l10n.t(
            'Your stored credential is not sent because the settings of this workspace define the connection. Sign in once to use it here',
          )
        : l10n.t(
            'Your stored credential is not sent because the connection has changed since you signed in ({0}). Sign in again to use it',
            formatList(stored.changes, 'unit'),
          );
    return { credential: undefined, signedOutReason };
  }

  /**
   * Resolves with the entry of the secret store, or the one that could not be stored; without changes, it is bound
   * elsewhere for a workspace that the user did not sign in to it in. Never rejects.
   */
  async readStored(profile: Profile, identity: string): Promise<StoredCredentialState> {
    const unstored = this.#unstored.get(getCredentialKey(profile.name, identity));
    const binding = getBinding(profile);
    const found =
      unstored === undefined ? await this.#store.read(binding, identity) : getCredentialState(unstored, binding);
    return found.state === 'usable' && !this.#signIns.isAllowed(profile)
      ? { state: 'boundElsewhere', changes: [], credential: found.credential, sameAddress: true }
      : found;
  }

  /** Adds or replaces an in-memory connection. */
  addInMemory(profile: Profile, credential: Credential): void {
    this.inMemory.set(profile.name, { profile, credentials: new Map() });
    this.#replace(profile.name, DEFAULT_IDENTITY, credential);
  }

  /**
   * Writes a credential that the user entered or chose; resolves with false if the editor cannot store it. Rejects if
   * the memento cannot be written.
   */
  async write(profile: Profile, identity: string, credential: Credential): Promise<boolean> {
    if (this.#replace(profile.name, identity, credential)) return true;
    await this.#signIns.add(profile);
    this.#unstored.delete(getCredentialKey(profile.name, identity));
    const binding = getBinding(profile);
    return this.#tryStore({ binding, identity, credential }, () => this.#store.write(binding, credential, identity));
  }

  /**
   * Writes a renewed credential to where the previous one is. Resolves with false, without writing, if there is another
   * one or none now. Never rejects.
   */
  async writeRenewed(profile: Profile, identity: string, renewal: Renewal): Promise<boolean> {
    const { credential } = renewal;
    if (this.#replace(profile.name, identity, credential)) return true;
    const key = getCredentialKey(profile.name, identity);
    const unstored = this.#unstored.get(key);
    const binding = getBinding(profile);
    let isCurrent = true;
    if (unstored !== undefined) this.#unstored.set(key, { ...unstored, credential });
    else
      await this.#tryStore({ binding, identity, credential }, async () => {
        isCurrent = await this.#store.renew(binding, renewal, identity);
      });
    return isCurrent;
  }

  /** Removes credentials of some identities, by default of all, from memory; the secret store is the caller's. */
  signOut(name: string, identities?: readonly string[]): void {
    const isEnded = (identity: string): boolean => identities?.includes(identity) !== false;
    for (const [key, { binding, identity }] of this.#unstored)
      if (binding.name === name && isEnded(identity)) this.#unstored.delete(key);
    const inMemory = this.inMemory.get(name)?.credentials;
    for (const identity of inMemory?.keys() ?? []) if (isEnded(identity)) inMemory?.delete(identity);
  }

  /** Makes the credential a known secret; returns false if the connection is not in memory. */
  #replace(name: string, identity: string, credential: Credential): boolean {
    this.#knownSecrets.setForIdentity(getCredentialKey(name, identity), Object.values(credential));
    const connection = this.inMemory.get(name);
    connection?.credentials.set(identity, credential);
    return connection !== undefined;
  }

  async #tryStore(unstored: UnstoredCredential, store: () => Promise<void>): Promise<boolean> {
    const { binding, identity } = unstored;
    try {
      await store();
      return true;
    } catch (error) {
      if (!(error instanceof CredentialNotStoredError)) throw error;
      this.#unstored.set(getCredentialKey(binding.name, identity), unstored);
      this.#log.warn(`${binding.name}: ${error.message}.`);
      return false;
    }
  }
}

/** True for a credential that was stored for another server. */
function isElsewhere(stored: StoredCredentialState): boolean {
  return stored.state === 'boundElsewhere' && !stored.sameAddress;
}
