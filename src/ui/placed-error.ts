/** An error about a place in a text: whoever shows it can offer to go there. Pure. */
export class PlacedError extends Error {
  /** URI of the document */
  readonly uri: string;
  /** from 1, as `column` */
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: { readonly uri: string; readonly line: number; readonly column: number }) {
    super(message);
    this.name = 'PlacedError';
    this.uri = place.uri;
    this.line = place.line;
    this.column = place.column;
  }
}
