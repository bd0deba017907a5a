import { MAX_REQUESTED_PICTURES } from '../../protocol/table.ts';

/** Pictures that are stored; the least recently shown are dropped first. */
const MAX_PICTURES = 200;
/** Milliseconds without scrolling before pictures are requested. */
const REQUEST_DELAY = 80;

/** The pictures of rows, as data: URIs by their number. */
export class Pictures {
  readonly #request: (pictures: number[]) => void;
  /** `undefined`: there is no such picture */
  readonly #dataUris = new Map<number, string | undefined>();
  /** what has not arrived of the latest request; the host no longer loads those of earlier ones */
  #requested = new Set<number>();
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
      if (!this.#dataUris.has(picture)) continue;
      const dataUri = this.#dataUris.get(picture);
      this.#dataUris.delete(picture);
      this.#dataUris.set(picture, dataUri);
    }
    const missing = new Set(pictures.filter((picture) => !this.#dataUris.has(picture)));
    clearTimeout(this.#timer);
    if ([...missing].every((picture) => this.#requested.has(picture))) return;
    this.#timer = setTimeout(() => {
      const requested = [...missing].slice(0, MAX_REQUESTED_PICTURES);
      this.#requested = new Set(requested);
      this.#request(requested);
    }, REQUEST_DELAY);
  }

  /** Stores a picture that has arrived, or `undefined` if there is none. */
  add(picture: number, dataUri: string | undefined): void {
    this.#requested.delete(picture);
    this.#dataUris.set(picture, dataUri);
    if (this.#dataUris.size <= MAX_PICTURES) return;
    const [oldest] = this.#dataUris.keys();
    if (oldest !== undefined) this.#dataUris.delete(oldest);
  }
}
