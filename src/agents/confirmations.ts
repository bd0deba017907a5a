/** The calls of one input that were shown to the user and may still be made. */
interface ShownCalls<Session> {
  /** every session that their confirmations named */
  readonly sessions: ReadonlySet<Session>;
  readonly count: number;
}

/**
 * The confirmations that VS Code shows for calls of a tool. VS Code says neither which confirmation a call belongs to nor
 * when one was declined, so a call is known to be confirmed for a session only if all confirmations of its input that may
 * be meant named that session.
 */
export class Confirmations<Session> {
  readonly #shown = new Map<string, ShownCalls<Session>>();

  /** Records that the confirmation of a call is shown, and names a session. */
  record(input: object, session: Session): void {
    const key = JSON.stringify(input);
    const { sessions = [], count = 0 } = this.#shown.get(key) ?? {};
    this.#shown.set(key, { sessions: new Set([...sessions, session]), count: count + 1 });
  }

  /**
   * Uses up one confirmation of a call that is made. Returns the session that the user saw; `several` if it may be one of
   * several; `undefined` for a call that was not shown.
   */
  take(input: object): { readonly session: Session } | 'several' | undefined {
    const key = JSON.stringify(input);
    const shown = this.#shown.get(key);
    if (shown === undefined) return undefined;
    if (shown.count === 1) this.#shown.delete(key);
    else this.#shown.set(key, { ...shown, count: shown.count - 1 });
    const [session, ...others] = shown.sessions;
    return session === undefined || others.length > 0 ? 'several' : { session };
  }
}
