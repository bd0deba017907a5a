/** Every secret that this window has met, so that none is shown, also when a server sends one back (pure). */

/** Older tokens make room: renewals would add one every few minutes. */
const MOST = 100;

export class KnownSecrets {
  #values: readonly string[] = [];

  /** Longest first, so that a secret which holds another is masked whole. */
  get values(): readonly string[] {
    return this.#values;
  }

  add(secrets: Iterable<string | undefined>): void {
    const added = [...secrets].filter((secret) => secret !== undefined && secret !== '');
    if (added.every((secret) => secret === undefined || this.#values.includes(secret))) return;
    const all = new Set([...this.#recent, ...added]);
    this.#recent = [...all].filter((secret) => secret !== undefined).slice(-MOST);
    this.#values = [...this.#recent].sort((one, other) => other.length - one.length);
  }

  #recent: readonly string[] = [];
}
