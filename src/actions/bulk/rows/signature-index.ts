/**
 * Which signatures of a batch are of one row only. A signer can give equal actions equal signatures, so that only such a
 * one proves which row a log is of. Signatures are named by their SHA-256.
 */
export class SignatureIndex {
  /** `undefined`: of several rows */
  readonly #rows = new Map<string, number | undefined>();

  add(signature: string, row: number): void {
    const isShared = this.#rows.has(signature) && this.#rows.get(signature) !== row;
    this.#rows.set(signature, isShared ? undefined : row);
  }

  /** False for a signature of several rows, or of none. */
  isOfOneRow(signature: string): boolean {
    return this.#rows.get(signature) !== undefined;
  }
}
