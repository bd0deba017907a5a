/** The index of the row and of the button in it. */
interface Position {
  readonly row: number;
  readonly column: number;
}

/** Makes the buttons in the rows of a table or list one tab stop, between which the arrow keys, Home and End move. */
export class RovingFocus {
  readonly #container: HTMLElement;
  readonly #rowSelector: string;
  #position: Position = { row: 0, column: 0 };

  constructor(container: HTMLElement, rowSelector = 'tbody > tr') {
    this.#container = container;
    this.#rowSelector = rowSelector;
    container.addEventListener('focusin', ({ target }) => {
      const found = this.#find(target);
      if (found === undefined) return;
      this.#position = found;
      this.update();
    });
    container.addEventListener('keydown', (event) => {
      const { target, key } = event;
      const at = this.#find(target);
      if (at === undefined) return;
      const to = this.#move(at, key);
      if (to === undefined) return;
      event.preventDefault();
      this.#getButton(to)?.focus();
    });
  }

  /** Sets the tab stop. Call it after the rows have been rendered. */
  update(): void {
    const grid = this.#grid;
    const row = Math.min(this.#position.row, grid.length - 1);
    const column = Math.min(this.#position.column, (grid[row]?.length ?? 0) - 1);
    grid.forEach((buttons, rowIndex) =>
      buttons.forEach((button, index) => {
        button.tabIndex = rowIndex === row && index === column ? 0 : -1;
      }),
    );
  }

  get #grid(): readonly (readonly HTMLButtonElement[])[] {
    return [...this.#container.querySelectorAll(this.#rowSelector)].map((row) => [...row.querySelectorAll('button')]);
  }

  #find(target: EventTarget | null): Position | undefined {
    for (const [row, buttons] of this.#grid.entries()) {
      const column = buttons.findIndex((button) => button === target);
      if (column >= 0) return { row, column };
    }
    return undefined;
  }

  #getButton({ row, column }: Position): HTMLButtonElement | undefined {
    const buttons = this.#grid[row];
    return buttons?.[Math.min(column, buttons.length - 1)];
  }

  #move({ row, column }: Position, key: string): Position | undefined {
    const lastRow = this.#grid.length - 1;
    const lastColumn = (this.#grid[row]?.length ?? 0) - 1;
    const moves: Readonly<Record<string, Position>> = {
      ArrowUp: { row: Math.max(0, row - 1), column },
      ArrowDown: { row: Math.min(lastRow, row + 1), column },
      ArrowLeft: { row, column: Math.max(0, column - 1) },
      ArrowRight: { row, column: Math.min(lastColumn, column + 1) },
      Home: { row: 0, column },
      End: { row: lastRow, column },
    };
    return moves[key];
  }
}
