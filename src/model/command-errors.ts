/** Errors for which the notification of a failed command has a button. */

/** An error at a place in a document, which the user can open. */
export class LocatedError extends Error {
  override readonly name = 'LocatedError';
  /** URI of the document */
  readonly uri: string;
  /** from 1, as `column` */
  readonly line: number;
  readonly column: number;

  constructor(message: string, location: { readonly uri: string; readonly line: number; readonly column: number }) {
    super(message);
    this.uri = location.uri;
    this.line = location.line;
    this.column = location.column;
  }
}

/** An error that trusting the workspace resolves. */
export class UntrustedWorkspaceError extends Error {
  override readonly name = 'UntrustedWorkspaceError';
}
