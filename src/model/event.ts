/** An event; `vscode.Event<T>` is assignable to it. */
export type Event<T> = (listener: (event: T) => unknown) => { dispose(): unknown };
