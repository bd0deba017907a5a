/** The cursor and the selected rows of the grid. */
export class GridSelection {
  #row = 0;
  #anchor = 0;
  column = 0;
  #selected = new Set<number>([0]);

  /** The row of the cursor. */
  get row(): number {
    return this.#row;
  }

  /** The selected rows, in order. */
  get rows(): readonly number[] {
    return [...this.#selected].sort((a, b) => a - b);
  }

  /** Whether a row is selected. */
  has(row: number): boolean {
    return this.#selected.has(row);
  }

  /** Moves the cursor and selects its row only. */
  select(row: number): void {
    this.#row = this.#anchor = row;
    this.#selected = new Set([row]);
  }

  /** Restores the cursor and the selected rows. */
  restore(row: number, rows: readonly number[]): void {
    this.move(row);
    this.#selected = new Set(rows);
  }

  /** Moves the cursor only. */
  move(row: number): void {
    this.#row = this.#anchor = row;
  }

  /** Moves the cursor and selects all rows from the row of the last `select`, `move` or `toggle`, at most `limit`. */
  extend(row: number, limit: number): void {
    const step = row < this.#anchor ? -1 : 1;
    const count = Math.min(Math.abs(row - this.#anchor) + 1, limit);
    this.#selected = new Set(Array.from({ length: count }, (_, offset) => this.#anchor + offset * step));
    this.#row = this.#anchor + (count - 1) * step;
  }

  /** Moves the cursor and selects or deselects its row. */
  toggle(row: number): void {
    this.move(row);
    if (!this.#selected.delete(row)) this.#selected.add(row);
  }
}
