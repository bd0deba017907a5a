/** Where credentials of connections come from: the secret store, in-memory connections, and this window. */
import type { Profile } from '../../model/session.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Log } from '../../ui/log.ts';
import { getBinding, type Binding } from '../credentials/credential.ts';
import {
  CredentialNotStoredError,
  getCredentialState,
  type CredentialStore,
  type StoredCredentialState,
} from '../credentials/credential-store.ts';
import type { KnownSecrets } from '../credentials/known-secrets.ts';

/** What a session is created from; a change creates another session. */
export interface CredentialSource {
  readonly credential: Credential | undefined;
  readonly signedOutReason: string | undefined;
}

/** Reads and writes credentials by profile; all of them become known secrets. */
export class CredentialSources {
  /** connections that are not in the settings: those on the local sandbox */
  readonly inMemory = new Map<string, { profile: Profile; readonly credential: Credential }>();
  /** credentials that the editor could not store; bound like stored ones, until the window closes */
  readonly #unstored = new Map<string, { readonly binding: Binding; readonly credential: Credential }>();
  readonly #store: CredentialStore;
  readonly #knownSecrets: KnownSecrets;
  readonly #log: Log;

  constructor(store: CredentialStore, knownSecrets: KnownSecrets, log: Log) {
    this.#store = store;
    this.#knownSecrets = knownSecrets;
    this.#log = log;
  }

  /** Resolves with the credential that the profile may use, or why there is none. Never rejects. */
  async read(profile: Profile): Promise<CredentialSource> {
    if (profile.source === 'memory') {
      const credential = this.inMemory.get(profile.name)?.credential ?? {};
      return { credential: Object.keys(credential).length === 0 ? undefined : credential, signedOutReason: undefined };
    }
    const stored = await this.readStored(profile);
    if (stored.state === 'none') return { credential: undefined, signedOutReason: stored.reason };
    this.#knownSecrets.setForConnection(profile.name, Object.values(stored.credential));
    if (stored.state === 'usable') return { credential: stored.credential, signedOutReason: undefined };
    const changes = stored.changes.join(', ');
    return {
      credential: undefined,
      signedOutReason: `Your credential was stored for another ${changes} and is not sent here; sign in again to use this one`,
    };
  }

  /** Resolves with the entry of the secret store, or the one that could not be stored. Never rejects. */
  readStored(profile: Profile): Promise<StoredCredentialState> {
    const unstored = this.#unstored.get(profile.name);
    const binding = getBinding(profile);
    return unstored === undefined ? this.#store.read(binding) : Promise.resolve(getCredentialState(unstored, binding));
  }

  /** Adds or replaces an in-memory connection. */
  addInMemory(profile: Profile, credential: Credential): void {
    this.#knownSecrets.setForConnection(profile.name, Object.values(credential));
    this.inMemory.set(profile.name, { profile, credential });
  }

  /** Writes a credential typed by the user; resolves with false where the editor cannot store it. Never rejects. */
  async write(profile: Profile, credential: Credential): Promise<boolean> {
    const { name } = profile;
    this.#knownSecrets.setForConnection(name, Object.values(credential));
    if (this.#replaceInMemory(name, credential)) return true;
    this.#unstored.delete(name);
    return this.#tryStore(getBinding(profile), credential, () => this.#store.write(getBinding(profile), credential));
  }

  /** Writes the renewal of a credential to where the credential is. Never rejects. */
  async writeRefreshed(profile: Profile, credential: Credential): Promise<void> {
    const { name } = profile;
    this.#knownSecrets.setForConnection(name, Object.values(credential));
    if (this.#replaceInMemory(name, credential)) return;
    const unstored = this.#unstored.get(name);
    const binding = getBinding(profile);
    if (unstored !== undefined) this.#unstored.set(name, { ...unstored, credential });
    else await this.#tryStore(binding, credential, () => this.#store.renew(binding, credential));
  }

  /** Removes the credential from memory; the secret store is the caller's. */
  signOut(name: string): void {
    this.#unstored.delete(name);
    this.#replaceInMemory(name, {});
  }

  #replaceInMemory(name: string, credential: Credential): boolean {
    const connection = this.inMemory.get(name);
    if (connection !== undefined) this.inMemory.set(name, { profile: connection.profile, credential });
    return connection !== undefined;
  }

  async #tryStore(binding: Binding, credential: Credential, store: () => Promise<void>): Promise<boolean> {
    try {
      await store();
      return true;
    } catch (error) {
      if (!(error instanceof CredentialNotStoredError)) throw error;
      this.#unstored.set(binding.name, { binding, credential });
      this.#log.warn(`${binding.name}: ${error.message}.`);
      return false;
    }
  }
}
