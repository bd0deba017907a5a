/** The chosen entry and the pane of its details: a person's choice stands before the host has heard of it. */
import type { Details } from '../../protocol-logs.ts';
import { fill } from '../kit.ts';
import { detailParts, type DetailActions } from './details-view.ts';
import { keepingFocus } from './focus.ts';
import type { Model } from './model.ts';
import type { Table } from './table.ts';

export interface ChoiceParts {
  readonly side: HTMLElement;
  readonly table: Table;
  readonly model: Model;
  readonly actions: DetailActions;
  /** the host hears of it */
  readonly select: (key: string | undefined) => void;
  /** to be drawn */
  readonly later: () => void;
}

export class Choice {
  readonly #parts: ChoiceParts;
  #details: Details | undefined;
  #drawn: Details | undefined;
  /** of the entry; before the id nothing where its connection is not known */
  #key: string | undefined;
  #unheard = false;
  /** the keyboard goes there as soon as they are shown */
  #go = false;

  constructor(parts: ChoiceParts) {
    this.#parts = parts;
  }

  get details(): Details | undefined {
    return this.#details;
  }

  /** What the host says is chosen. */
  heard(id: string | undefined, connection = ''): void {
    const key = id && `${connection}\n${id}`;
    if (key === this.#key) this.#unheard = false;
    else if (!this.#unheard) this.#key = key;
  }

  take(details: Details): void {
    this.#details = details;
    this.#parts.later();
  }

  /** Other filters: what is shown may not be among them. */
  forget(): void {
    this.#details = undefined;
  }

  /** `go`: the details get the keyboard */
  choose(key: string, go = false): void {
    this.#tell(key);
    this.#go = go;
  }

  close(): void {
    const { table } = this.#parts;
    this.#details = undefined;
    this.#tell(undefined);
    table.choose(undefined);
    table.element.focus();
  }

  #tell(key: string | undefined): void {
    const { select, later } = this.#parts;
    this.#key = key;
    this.#unheard = true;
    select(key);
    later();
  }

  /** `reveal`: the row comes into view with its details, where they were not asked for here. */
  draw(reveal: boolean): void {
    const { side, table, model, actions } = this.#parts;
    const key = this.#key;
    const shown = this.#details !== undefined && isChosen(this.#details.key, key) ? this.#details : undefined;
    // Between two entries the pane stays: a table that grows and shrinks at each key is hard to follow.
    const coming = table.selected === undefined ? undefined : model.get(table.selected);
    const between =
      shown === undefined && this.#drawn !== undefined && coming !== undefined && isChosen(coming.key, key);
    side.ariaBusy = String(between);
    if (between) return;
    side.hidden = shown === undefined;
    const before = this.#drawn;
    this.#drawn = shown;
    if (shown === undefined) return;
    if (shown !== before) {
      const { scrollTop } = side;
      keepingFocus(() => {
        fill(side, ...detailParts(shown, model.get(shown.key)?.row, actions));
      });
      side.scrollTop = before?.key === shown.key ? scrollTop : 0;
    }
    if (this.#go && shown.key === table.selected) {
      this.#go = false;
      side.querySelector<HTMLElement>('button')?.focus();
    }
    const first = before === undefined && table.selected === undefined;
    if (table.selected !== shown.key) table.choose(shown.key, first && reveal);
  }
}

function isChosen(key: string, chosen: string | undefined): boolean {
  return chosen?.startsWith('\n') === true ? key.endsWith(chosen) : key === chosen;
}
