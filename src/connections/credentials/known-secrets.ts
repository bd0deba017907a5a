/** Every known secret of this window, to mask in all output, including server responses. */

import { isObject } from '../../platform/json/json.ts';
import type { Binding } from './credential.ts';

/** Prefix of the SecretStorage keys of `${secret:…}` values. */
export const VARIABLE_KEY_PREFIX = 'actions.secret/';

/** Identifies the secret of an action variable and if it may be sent. */
export interface VariableSecret {
  readonly name: string;
  readonly connection: string;
  /** includes a non-default port */
  readonly origin: string;
}

/** Formats the key; another server, port, environment or authentication setting makes another secret. */
export function formatVariableKey(name: string, binding: Binding): string {
  return VARIABLE_KEY_PREFIX + JSON.stringify([name, binding]);
}

/** Returns `undefined` for other keys. */
export function parseVariableKey(key: string): VariableSecret | undefined {
  if (!key.startsWith(VARIABLE_KEY_PREFIX)) return undefined;
  const [name, binding]: unknown[] = JSON.parse(key.slice(VARIABLE_KEY_PREFIX.length)) as unknown[];
  const { name: connection, origin } = isObject(binding) ? binding : {};
  return { name: String(name), connection: String(connection), origin: String(origin) };
}

/** Maximum of replaced tokens: renewals add one every few minutes. */
const MAX_PAST_SECRETS = 100;

/** The secrets of connections, of user input, and of running requests. */
export class KnownSecrets {
  readonly #entered = new Set<string>();
  /** by the key of the credential */
  readonly #byIdentity = new Map<string, readonly string[]>();
  #past: readonly string[] = [];
  /** those of each running work */
  readonly #transient = new Set<readonly string[]>();
  #values: readonly string[] = [];

  get values(): readonly string[] {
    return this.#values;
  }

  /** Adds secrets typed by the user; known until the window closes. */
  add(secrets: Iterable<string | undefined>): void {
    for (const secret of removeEmpty(secrets)) this.#entered.add(secret);
    this.#updateValues();
  }

  /** Sets the secrets of an identity, by the key of its credential; replaced ones stay known up to a maximum. */
  setForIdentity(key: string, secrets: Iterable<string | undefined>): void {
    const now = removeEmpty(secrets);
    const before = this.#byIdentity.get(key)?.filter((secret) => !now.includes(secret)) ?? [];
    this.#byIdentity.set(key, now);
    this.#past = [...this.#past.filter((secret) => !before.includes(secret)), ...before].slice(-MAX_PAST_SECRETS);
    this.#updateValues();
  }

  /** Adds secrets while `work` runs, such as a password that is not stored. Rejects as `work` does. */
  async withTransient<T>(secrets: readonly string[], work: () => Promise<T>): Promise<T> {
    const added = removeEmpty(secrets);
    this.#transient.add(added);
    this.#updateValues();
    try {
      return await work();
    } finally {
      this.#transient.delete(added);
      this.#updateValues();
    }
  }

  /** True if the text repeats a temporary secret of any length, however deep in JSON it is escaped. */
  containsTransient(text: string): boolean {
    const unescape = (part: string): string => part.replaceAll('\\', '');
    return [...this.#transient].flat().some((secret) => unescape(text).includes(unescape(secret)));
  }

  #updateValues(): void {
    const all = new Set([
      ...this.#entered,
      ...[...this.#byIdentity.values()].flat(),
      ...this.#past,
      ...[...this.#transient].flat(),
    ]);
    this.#values = [...all];
  }
}

function removeEmpty(secrets: Iterable<string | undefined>): readonly string[] {
  return [...secrets].filter((secret): secret is string => secret !== undefined && secret !== '');
}
