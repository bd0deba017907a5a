/** The search text that the host has not confirmed yet: its older states must not overwrite it. */
export class PendingText {
  #text: string | undefined;
  #isPosted = false;

  /** Call for each change of the text, before it is posted. */
  type(text: string): void {
    this.#text = text;
    this.#isPosted = false;
  }

  /** Call when a text is posted to the host. */
  post(text: string): void {
    this.#text = text;
    this.#isPosted = true;
  }

  /** Returns whether the text of a new state may be shown. An equal text from before the post confirms nothing. */
  accepts(text: string): boolean {
    if (this.#isPosted && text === this.#text) this.#text = undefined;
    return this.#text === undefined;
  }
}
