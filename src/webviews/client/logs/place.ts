/** Where the table stands, kept over a reload: by the entry at its top, since new ones come and pixels then mean another. */
import * as z from 'zod/mini';
import type { Table } from './table.ts';

export const placeSchema = z.object({ time: z.number(), id: z.string() });
/** `undefined`: at the newest */
export type Place = z.output<typeof placeSchema> | undefined;

export class PlaceKeeper {
  readonly #table: Table;
  /** looked for until it is there, or a person moves */
  #wanted: Place;
  #now: Place;

  constructor(table: Table, place: Place) {
    this.#table = table;
    this.#wanted = this.#now = place;
    for (const type of ['wheel', 'pointerdown', 'keydown'] as const)
      table.element.addEventListener(
        type,
        () => {
          this.#wanted = undefined;
        },
        { passive: true },
      );
  }

  get place(): Place {
    return this.#now;
  }

  /** Rows have come. `reading`: there may be more between them; `complete`: no older ones will come. */
  restore(reading: boolean, complete: boolean): void {
    if (this.#wanted === undefined) return;
    const reached = this.#table.goTo(this.#wanted);
    if (reached === 'exact' || (reached === 'near' && !reading) || (reached === 'end' && complete))
      this.#wanted = undefined;
  }

  /** The table has moved; tells whether that is to be kept. */
  moved(): boolean {
    if (this.#wanted !== undefined) return false;
    const before = this.#now;
    this.#now = this.#table.topPlace;
    return before?.id !== this.#now?.id;
  }
}
