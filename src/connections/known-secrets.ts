/** Every secret that this window has met, so that none is shown, also when a server sends one back (pure). */

/** How the keys of `${secret:…}` values begin in the secret store. */
export const ACTION_SECRET = 'actions.secret/';

/** Older tokens make room: renewals would add one every few minutes. */
const MOST = 100;

export class KnownSecrets {
  #recent: readonly string[] = [];
  readonly #passing = new Set<string>();
  #values: readonly string[] = [];

  /** Longest first, so that a secret which holds another is masked whole. */
  get values(): readonly string[] {
    return this.#values;
  }

  add(secrets: Iterable<string | undefined>): void {
    const all = new Set(this.#recent);
    for (const secret of secrets) if (secret !== undefined && secret !== '') all.add(secret);
    if (all.size === this.#recent.length) return;
    this.#recent = [...all].slice(-MOST);
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
    const all = new Set([...this.#recent, ...this.#passing]);
    this.#values = [...all].sort((one, other) => other.length - one.length);
  }
}
