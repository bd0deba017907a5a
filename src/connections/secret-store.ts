/** Credentials in the editor's SecretStorage: one entry a connection, checked on read, read back after writing (pure). */
import type { Credential } from '../platform/target.ts';
import type { Disposable } from '../ui/disposables.ts';
import {
  bindingChanges,
  isSameAddress,
  readStored,
  writeStored,
  type Binding,
  type StoredCredential,
} from './credential.ts';
import { readVariableKey } from './known-secrets.ts';

/** The part of `vscode.SecretStorage` that is used; tests put another in its place. */
export interface Secrets {
  keys(): PromiseLike<string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  onDidChange(listener: (event: { readonly key: string }) => unknown): Disposable;
}

/** The part of `vscode.Memento` that is used: times of sign-outs. */
export interface Markers {
  get(key: string, fallback: number): number;
  update(key: string, value: unknown): PromiseLike<void>;
}

const PREFIX = 'connection/';
const MARKER = 'signedOut/';

export type Reading =
  | { readonly state: 'usable'; readonly credential: Credential; readonly binding: Binding }
  /** it belongs to another server, environment or way of presenting it; not used until the user says so */
  | {
      readonly state: 'bound elsewhere';
      readonly changes: readonly string[];
      readonly credential: Credential;
      /** the server is the same, so the user can agree to go on with it */
      readonly sameAddress: boolean;
    }
  | { readonly state: 'none'; readonly because?: string };

/** What a stored credential is to a connection as it stands now. */
export function readingOf(
  { binding, credential }: Pick<StoredCredential, 'binding' | 'credential'>,
  now: Binding,
): Reading {
  const changes = bindingChanges(binding, now);
  return changes.length === 0
    ? { state: 'usable', credential, binding }
    : { state: 'bound elsewhere', changes, credential, sameAddress: isSameAddress(binding, now) };
}

export class SecretStore {
  readonly #secrets: Secrets;
  readonly #markers: Markers;

  constructor(secrets: Secrets, markers: Markers) {
    this.#secrets = secrets;
    this.#markers = markers;
  }

  /** Another window, or this one, changed the entry of that connection. */
  onDidChange(changed: (connection: string) => void): Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) changed(key.slice(PREFIX.length));
    });
  }

  async read(binding: Binding): Promise<Reading> {
    let json: string | undefined;
    try {
      json = await this.#secrets.get(PREFIX + binding.name);
    } catch {
      return { state: 'none', because: 'The secret store of the editor could not be read' };
    }
    if (json === undefined) return { state: 'none' };
    const found = readStored(json);
    if (found === undefined) return { state: 'none', because: 'What the secret store holds for it cannot be read' };
    // A window that missed the sign-out still has the entry in its own copy of the store.
    if (found.stored <= this.#markers.get(MARKER + binding.name, 0)) return { state: 'none' };
    return readingOf(found, binding);
  }

  /** Rejects with an Error that says so, where the editor does not keep the entry (no keyring, for one). */
  async write(binding: Binding, credential: Credential): Promise<void> {
    const stored = Math.max(Date.now(), this.#markers.get(MARKER + binding.name, 0) + 1);
    const entry: StoredCredential = { binding, credential, stored };
    const json = writeStored(entry);
    let kept: string | undefined;
    try {
      await this.#secrets.store(PREFIX + binding.name, json);
      kept = await this.#secrets.get(PREFIX + binding.name);
    } catch {
      kept = undefined;
    }
    if (kept !== json) throw new NotKept();
  }

  /**
   * Replaces a credential that is usable under `binding` with its renewal, bound to what the first was bound to. Writes
   * nothing where there is none: it was signed out of, here or in another window. Rejects as `write` does.
   */
  async renew(binding: Binding, credential: Credential): Promise<void> {
    const before = await this.read(binding);
    if (before.state === 'usable') await this.write(before.binding, credential);
  }

  /** Removes the values of `${secret:…}` that were given for a connection; with `origin`, only those for that address. */
  async forgetVariables(connection: string, origin?: string): Promise<void> {
    for (const key of await this.#secrets.keys()) {
      const found = readVariableKey(key);
      if (found?.connection === connection && (origin === undefined || found.origin === origin))
        await this.#secrets.delete(key);
    }
  }

  /** Forgets the entry, and marks the time for windows that do not hear of it. */
  async forget(connection: string): Promise<void> {
    await this.#markers.update(MARKER + connection, Date.now());
    await this.#secrets.delete(PREFIX + connection);
    if ((await this.#secrets.get(PREFIX + connection)) !== undefined)
      throw new Error(
        'The secret store of the editor did not remove the credential; remove it in the keyring of the system',
      );
  }

  /** Removes what is left of connections that are gone; the names that had an entry. */
  async removeEntriesOf(connections: readonly string[]): Promise<readonly string[]> {
    if (connections.length === 0) return [];
    const keys = new Set(await this.#secrets.keys());
    const orphans = connections.filter((name) => keys.has(PREFIX + name));
    for (const name of orphans) await this.forget(name);
    return orphans;
  }
}

/** The credential works in this window, until it is closed. */
export class NotKept extends Error {
  constructor() {
    super(
      'The editor did not keep the credential, most likely because this machine has no keyring. It is used until the window closes',
    );
  }
}
