/** Credentials in the editor's SecretStorage: one entry a connection, checked on read, read back after writing (pure). */
import type { Credential } from '../platform/target.ts';
import type { Disposable } from '../ui/disposables.ts';
import { bindingChanges, readStored, writeStored, type Binding, type StoredCredential } from './credential.ts';

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
  | { readonly state: 'usable'; readonly credential: Credential; readonly stored: number }
  /** it belongs to another server or way of presenting it; not used until the person says so */
  | { readonly state: 'bound elsewhere'; readonly changes: readonly string[]; readonly credential: Credential }
  | { readonly state: 'none'; readonly because?: string };

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
    const changes = bindingChanges(found.binding, binding);
    return changes.length === 0
      ? { state: 'usable', credential: found.credential, stored: found.stored }
      : { state: 'bound elsewhere', changes, credential: found.credential };
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
