/** Credentials in SecretStorage: one entry for each identity, validated on read, read back after writing. */
import * as l10n from '@vscode/l10n';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import type { Disposable } from '../../ui/disposables.ts';
import {
  findBindingChanges,
  isSameAddress,
  isSameCredential,
  parseCredential,
  serializeCredential,
  type Binding,
  type Renewal,
  type StoredCredential,
} from './credential.ts';
import { parseVariableKey } from './known-secrets.ts';
import { compareTexts } from '../../platform/text/localization.ts';

/** The part of `vscode.SecretStorage` that is used, replaceable in tests. */
export interface SecretStorage {
  keys(): PromiseLike<string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  onDidChange(listener: (event: { readonly key: string }) => unknown): Disposable;
}

/** The part of `vscode.Memento` that stores sign-out times. */
export interface SignOutTimes {
  get(key: string, fallback: number): number;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Prefix of the keys of the default identities. */
const KEY_PREFIX = 'connection/';
/** Prefix of the keys of the other identities: `identity/["Shop","buyer"]`. */
const IDENTITY_KEY_PREFIX = 'identity/';
const SIGN_OUT_KEY_PREFIX = 'signedOut/';

/** The key of a credential, in the secret store and among the known secrets. */
export function getCredentialKey(connection: string, identity: string): string {
  return identity === DEFAULT_IDENTITY
    ? KEY_PREFIX + connection
    : IDENTITY_KEY_PREFIX + JSON.stringify([connection, identity]);
}

/** Returns `undefined` for keys of something else. */
function parseCredentialKey(key: string): { readonly connection: string; readonly identity: string } | undefined {
  if (key.startsWith(KEY_PREFIX)) return { connection: key.slice(KEY_PREFIX.length), identity: DEFAULT_IDENTITY };
  const names: unknown = key.startsWith(IDENTITY_KEY_PREFIX)
    ? tryParseJson(key.slice(IDENTITY_KEY_PREFIX.length))
    : undefined;
  if (!Array.isArray(names)) return undefined;
  const [connection, identity] = names.map(String);
  return connection === undefined || identity === undefined ? undefined : { connection, identity };
}

/** The key of a sign-out time; that of a default identity has the form of earlier versions. */
function getSignOutKey(connection: string, identity: string): string {
  const key = getCredentialKey(connection, identity);
  return SIGN_OUT_KEY_PREFIX + (identity === DEFAULT_IDENTITY ? connection : key);
}

export type StoredCredentialState =
  | { readonly state: 'usable'; readonly credential: Credential; readonly binding: Binding }
  /** stored for another server, environment, authentication setting or workspace; not used until the user agrees */
  | {
      readonly state: 'boundElsewhere';
      readonly changes: readonly string[];
      readonly credential: Credential;
      /** same server: the user can agree to use it */
      readonly sameAddress: boolean;
    }
  | { readonly state: 'none'; readonly reason?: string };

/** Compares a stored credential with the connection's current binding. */
export function getCredentialState(
  { binding, credential }: Pick<StoredCredential, 'binding' | 'credential'>,
  now: Binding,
): StoredCredentialState {
  const changes = findBindingChanges(binding, now);
  return changes.length === 0
    ? { state: 'usable', credential, binding }
    : { state: 'boundElsewhere', changes, credential, sameAddress: isSameAddress(binding, now) };
}

/** Reads and writes the credentials of connections by name and identity. */
export class CredentialStore {
  readonly #storage: SecretStorage;
  readonly #signOutTimes: SignOutTimes;

  constructor(storage: SecretStorage, signOutTimes: SignOutTimes) {
    this.#storage = storage;
    this.#signOutTimes = signOutTimes;
  }

  /** Fires with the connection whose entry changed, in any window. */
  onDidChange(changed: (connection: string) => void): Disposable {
    return this.#storage.onDidChange(({ key }) => {
      const found = parseCredentialKey(key);
      if (found !== undefined) changed(found.connection);
    });
  }

  /** Resolves with the identities of a connection that have an entry, sorted. Rejects if the secret store fails. */
  async listIdentities(connection: string): Promise<readonly string[]> {
    const found = (await this.#storage.keys()).map(parseCredentialKey);
    return found.flatMap((each) => (each?.connection === connection ? [each.identity] : [])).sort(compareTexts);
  }

  /** Reads the credential of an identity. Never rejects: resolves with the reason if there is none. */
  async read(binding: Binding, identity = DEFAULT_IDENTITY): Promise<StoredCredentialState> {
    let json: string | undefined;
    try {
      json = await this.#storage.get(getCredentialKey(binding.name, identity));
    } catch {
      return { state: 'none', reason: l10n.t('VS Code’s secret storage could not be read') };
    }
    if (json === undefined) return { state: 'none' };
    const found = parseCredential(json);
    if (found === undefined) return { state: 'none', reason: l10n.t('The stored credential can’t be read') };
    // A window that missed the sign-out may still read the entry from its copy of the store.
    if (found.stored <= this.#signOutTimes.get(getSignOutKey(binding.name, identity), 0)) return { state: 'none' };
    return getCredentialState(found, binding);
  }

  /** Rejects with CredentialNotStoredError if the editor cannot store the entry, for example without a keyring. */
  async write(binding: Binding, credential: Credential, identity = DEFAULT_IDENTITY): Promise<void> {
    const key = getCredentialKey(binding.name, identity);
    const stored = Math.max(Date.now(), this.#signOutTimes.get(getSignOutKey(binding.name, identity), 0) + 1);
    const entry: StoredCredential = { binding, credential, stored };
    const json = serializeCredential(entry);
    let written: string | undefined;
    try {
      await this.#storage.store(key, json);
      written = await this.#storage.get(key);
    } catch {
      written = undefined;
    }
    if (written !== json) throw new CredentialNotStoredError();
  }

  /**
   * Replaces the credential that was renewed, keeping its original binding. Writes nothing, and resolves with false, if
   * another window signed out or stored another credential meanwhile. Rejects as `write` does, and if the entry cannot be
   * read.
   */
  async renew(binding: Binding, { previous, credential }: Renewal, identity = DEFAULT_IDENTITY): Promise<boolean> {
    const state = await this.read(binding, identity);
    if (state.state === 'none' && state.reason !== undefined) throw new CredentialNotStoredError();
    if (state.state !== 'usable' || !isSameCredential(state.credential, previous)) return false;
    await this.write(state.binding, credential, identity);
    return true;
  }

  /**
   * Removes the `${secret:…}` values of a connection; with `origin`, only those for that origin. Rejects if the
   * secret store fails.
   */
  async forgetVariableSecrets(connection: string, origin?: string): Promise<void> {
    for (const key of await this.#storage.keys()) {
      const found = parseVariableKey(key);
      if (found?.connection === connection && (origin === undefined || found.origin === origin))
        await this.#storage.delete(key);
    }
  }

  /**
   * Deletes the entry of an identity, and records the time for windows that miss the event. Rejects with an Error if
   * the entry remains.
   */
  async forget(connection: string, identity = DEFAULT_IDENTITY): Promise<void> {
    const key = getCredentialKey(connection, identity);
    const json = await Promise.resolve(this.#storage.get(key)).catch(() => undefined);
    // The clock may have been set back since it was stored.
    const time = Math.max(Date.now(), parseCredential(json ?? '')?.stored ?? 0);
    await this.#signOutTimes.update(getSignOutKey(connection, identity), time);
    await this.#storage.delete(key);
    if ((await this.#storage.get(key)) !== undefined)
      throw new Error(l10n.t('VS Code could not delete the credential. Delete it in the system keyring'));
  }

  /**
   * Deletes entries of removed connections; resolves with the names that had one. Rejects if the secret store fails.
   */
  async removeOrphans(connections: readonly string[]): Promise<readonly string[]> {
    const orphans: string[] = [];
    for (const name of connections) {
      const identities = await this.listIdentities(name);
      for (const identity of identities) await this.forget(name, identity);
      if (identities.length > 0) orphans.push(name);
    }
    return orphans;
  }
}

/** The credential is used in this window until it closes. */
export class CredentialNotStoredError extends Error {
  constructor() {
    super(
      l10n.t(
        'VS Code could not store the credential, probably because this computer has no keyring. It is available until this window is closed',
      ),
    );
  }
}
