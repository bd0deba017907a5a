import * as z from 'zod/mini';
import type { Table } from './table.ts';

/** The entry at the top of the table: new rows change pixel offsets. */
export const scrollPositionSchema = z.object({ time: z.number(), id: z.string() });
/** `undefined`: at the newest */
type RowPosition = z.output<typeof scrollPositionSchema> | undefined;

/** Restores the scroll position of the table after a reload. */
export class ScrollPosition {
  readonly #table: Table;
  /** position to restore, until it is loaded or the user scrolls */
  #target: RowPosition;
  #current: RowPosition;

  constructor(table: Table, current: RowPosition) {
    this.#table = table;
    this.#target = this.#current = current;
    for (const type of ['wheel', 'pointerdown', 'keydown'] as const)
      table.element.addEventListener(
        type,
        () => {
          this.#target = undefined;
        },
        { passive: true },
      );
  }

  get place(): RowPosition {
    return this.#current;
  }

  /** Scrolls to the stored position. `reading`: rows may still be missing; `complete`: no older rows will come. */
  restore(reading: boolean, complete: boolean): void {
    if (this.#target === undefined) return;
    const reached = this.#table.scrollTo(this.#target);
    if (reached === 'exact' || (reached === 'near' && !reading) || (reached === 'end' && complete))
      this.#target = undefined;
  }

  /** Records the position after scrolling. Returns true if it changed. */
  update(): boolean {
    if (this.#target !== undefined) return false;
    const before = this.#current;
    this.#current = this.#table.topPosition;
    return before?.id !== this.#current?.id;
  }
}
