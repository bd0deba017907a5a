/** An error at a location in a document, which the user can open. */
export class LocatedError extends Error {
  /** URI of the document */
  readonly uri: string;
  /** from 1, as `column` */
  readonly line: number;
  readonly column: number;

  constructor(message: string, location: { readonly uri: string; readonly line: number; readonly column: number }) {
    super(message);
    this.name = 'PlacedError';
    this.uri = location.uri;
    this.line = location.line;
    this.column = location.column;
  }
}
