/** Every secret that this window has met, so that none is shown, also when a server sends one back (pure). */

import { isObject } from '../platform/json.ts';
import type { Binding } from './credential.ts';

/** How the keys of `${secret:…}` values begin in the secret store. */
export const ACTION_SECRET = 'actions.secret/';

/** A `${secret:name}` by its key: where it may be sent. */
export interface VariableSecret {
  readonly name: string;
  readonly connection: string;
  /** with the port, if it has one of its own */
  readonly origin: string;
}

/** Another server, port, environment or way of presenting a credential under the same name is another secret. */
export function variableKey(name: string, binding: Binding): string {
  return ACTION_SECRET + JSON.stringify([name, binding]);
}

/** `undefined` for a key of something else. */
export function readVariableKey(key: string): VariableSecret | undefined {
  if (!key.startsWith(ACTION_SECRET)) return undefined;
  const [name, binding]: unknown[] = JSON.parse(key.slice(ACTION_SECRET.length)) as unknown[];
  const { name: connection, origin } = isObject(binding) ? binding : {};
  return { name: String(name), connection: String(connection), origin: String(origin) };
}

/** Of the tokens that were replaced: renewals would add one every few minutes. */
const MOST = 100;

export class KnownSecrets {
  readonly #kept = new Set<string>();
  /** by connection */
  readonly #held = new Map<string, readonly string[]>();
  #past: readonly string[] = [];
  readonly #passing = new Set<string>();
  #values: readonly string[] = [];

  /** Longest first, so that a secret which holds another is masked whole. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** Those that a person gave: known as long as the window. */
  add(secrets: Iterable<string | undefined>): void {
    for (const secret of given(secrets)) this.#kept.add(secret);
    this.#order();
  }

  /** What a connection holds now; what it held before is known until many came after it. */
  hold(connection: string, secrets: Iterable<string | undefined>): void {
    const now = given(secrets);
    const before = this.#held.get(connection)?.filter((secret) => !now.includes(secret)) ?? [];
    this.#held.set(connection, now);
    this.#past = [...this.#past.filter((secret) => !before.includes(secret)), ...before].slice(-MOST);
    this.#order();
  }

  /** Knows secrets only while `work` runs: a password that is typed and never kept. */
  async during<T>(secrets: readonly string[], work: () => Promise<T>): Promise<T> {
    const added = secrets.filter((secret) => secret !== '' && !this.#passing.has(secret));
    for (const secret of added) this.#passing.add(secret);
    this.#order();
    try {
      return await work();
    } finally {
      for (const secret of added) this.#passing.delete(secret);
      this.#order();
    }
  }

  /** True for words that repeat a secret of the moment, however short it is. */
  hides(words: string): boolean {
    return [...this.#passing].some((secret) => words.includes(secret));
  }

  #order(): void {
    const all = new Set([...this.#kept, ...[...this.#held.values()].flat(), ...this.#past, ...this.#passing]);
    this.#values = [...all].sort((one, other) => other.length - one.length);
  }
}

function given(secrets: Iterable<string | undefined>): readonly string[] {
  return [...secrets].filter((secret): secret is string => secret !== undefined && secret !== '');
}
