import type { LogDetails } from '../../../protocol/logs.ts';
import { replaceControls } from '../../dom.ts';
import { renderDetails } from './details.ts';
import type { LogsPost } from '../header/header-actions.ts';
import type { RowsModel } from '../table/rows-model.ts';
import type { Table } from '../table/table.ts';

interface DetailsPaneOptions {
  readonly side: HTMLElement;
  readonly table: Table;
  readonly model: RowsModel;
  readonly post: LogsPost;
  readonly scheduleRender: () => void;
}

/** The selected entry and its details. A selection applies at once; older states from the host do not undo it. */
export class DetailsPane {
  readonly #options: DetailsPaneOptions;
  #details: LogDetails | undefined;
  #rendered: LogDetails | undefined;
  /** key of the selected entry; starts with a line break if its connection is unknown */
  #key: string | undefined;
  #unconfirmed = false;
  /** the details get the focus once they are shown */
  #focusDetails = false;

  constructor(options: DetailsPaneOptions) {
    this.#options = options;
  }

  get details(): LogDetails | undefined {
    return this.#details;
  }

  /** Applies the host's selection. */
  setSelected(id: string | undefined, connection = ''): void {
    const key = id && `${connection}\n${id}`;
    if (key === this.#key) this.#unconfirmed = false;
    else if (!this.#unconfirmed) this.#key = key;
  }

  setDetails(details: LogDetails): void {
    this.#details = details;
    this.#options.scheduleRender();
  }

  /** Hides the details after a change of filters, which may exclude the entry. */
  clearDetails(): void {
    this.#details = undefined;
  }

  select(key: string, focusDetails = false): void {
    this.#postSelection(key);
    this.#focusDetails = focusDetails;
  }

  close(): void {
    const { table } = this.#options;
    this.#details = undefined;
    this.#postSelection(undefined);
    table.select(undefined);
    table.element.focus();
  }

  #postSelection(key: string | undefined): void {
    const { post, scheduleRender } = this.#options;
    this.#key = key;
    this.#unconfirmed = true;
    post('select', key === undefined ? {} : { key });
    scheduleRender();
  }

  /** Renders the details. `reveal`: scrolls to the row of a selection made elsewhere. */
  render(reveal: boolean): void {
    const { side, table, model, post } = this.#options;
    const key = this.#key;
    const details = this.#details !== undefined && isSelected(this.#details.key, key) ? this.#details : undefined;
    // Keeps the previous details while the next load, so that the table does not change size with each key.
    const nextRow = table.selected === undefined ? undefined : model.get(table.selected);
    const isLoading =
      details === undefined && this.#rendered !== undefined && nextRow !== undefined && isSelected(nextRow.key, key);
    side.ariaBusy = String(isLoading);
    if (isLoading) return;
    side.hidden = details === undefined;
    const before = this.#rendered;
    this.#rendered = details;
    if (details === undefined) return;
    if (details !== before) {
      const { scrollTop } = side;
      const row = model.get(details.key)?.row;
      replaceControls(side, () => renderDetails(details, row, post, () => this.close()));
      side.scrollTop = before?.key === details.key ? scrollTop : 0;
    }
    if (this.#focusDetails && details.key === table.selected) {
      this.#focusDetails = false;
      side.querySelector<HTMLElement>('button')?.focus();
    }
    const first = before === undefined && table.selected === undefined;
    if (table.selected !== details.key) table.select(details.key, first && reveal);
  }
}

function isSelected(key: string, chosen: string | undefined): boolean {
  return chosen?.startsWith('\n') === true ? key.endsWith(chosen) : key === chosen;
}
