/** The row that a click on a tree is about: VS Code forgets a command with arguments once it reads the row again. */
import type * as vscode from 'vscode';

/** Longest time to wait for a row that VS Code reads again. */
const MAX_READ_MS = 2000;

/** Finds the selected row of a view, also while its rows are read again. */
export class SelectedRow<Row> {
  readonly #view: () => Pick<vscode.TreeView<Row>, 'selection'>;
  readonly #onRead = new Set<() => void>();

  constructor(view: () => Pick<vscode.TreeView<Row>, 'selection'>) {
    this.#view = view;
  }

  /** Call when VS Code reads a row. */
  handleRead(): void {
    // It knows the row only afterwards.
    for (const check of this.#onRead) setImmediate(check);
  }

  /** Resolves with the selected row. While its list is read again, VS Code says that none is selected. */
  find(): Promise<Row | undefined> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#onRead.delete(check);
        resolve(this.#view().selection[0]);
      };
      const check = (): void => {
        if (this.#view().selection.length > 0) finish();
      };
      // The row may be gone.
      const timer = setTimeout(finish, MAX_READ_MS);
      this.#onRead.add(check);
      check();
    });
  }
}
