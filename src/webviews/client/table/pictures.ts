import { MAX_REQUESTED_PICTURES } from '../../protocol/table.ts';

/** Pictures that are stored; the least recently shown are dropped first. */
const MAX_PICTURES = 200;
/** Milliseconds without scrolling before pictures are requested. */
const REQUEST_DELAY = 80;

/** The pictures of rows, as data: URIs by their number. */
export class Pictures {
  readonly #request: (pictures: number[]) => void;
  readonly #dataUris = new Map<number, string>();
  /** requested pictures; those that do not exist stay here */
  readonly #requested = new Set<number>();
  #wanted: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(request: (pictures: number[]) => void) {
    this.#request = request;
  }

  /** Returns a picture if it has arrived. */
  get(picture: number): string | undefined {
    return this.#dataUris.get(picture);
  }

  /** Requests the pictures of the visible rows that are missing, once scrolling has ended. */
  want(pictures: readonly number[]): void {
    for (const picture of pictures) {
      const dataUri = this.#dataUris.get(picture);
      if (dataUri === undefined) continue;
      this.#dataUris.delete(picture);
      this.#dataUris.set(picture, dataUri);
    }
    this.#wanted = pictures.filter((picture) => !this.#dataUris.has(picture) && !this.#requested.has(picture));
    clearTimeout(this.#timer);
    if (this.#wanted.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#requestWanted();
    }, REQUEST_DELAY);
  }

  #requestWanted(): void {
    const pictures = [...new Set(this.#wanted)].slice(0, MAX_REQUESTED_PICTURES);
    for (const picture of pictures) this.#requested.add(picture);
    this.#request(pictures);
  }

  /** Stores a picture that has arrived. */
  add(picture: number, dataUri: string): void {
    this.#requested.delete(picture);
    this.#dataUris.set(picture, dataUri);
    if (this.#dataUris.size <= MAX_PICTURES) return;
    const [oldest] = this.#dataUris.keys();
    if (oldest !== undefined) this.#dataUris.delete(oldest);
  }
}
