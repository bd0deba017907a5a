import { hasErrorCode } from './errors.ts';

/** A page that any platform sends. */
const SMALL_PAGE = 25;

/** Finds out how large the pages of each list may be: a platform may refuse the size that the contract allows. */
export class PageSizes {
  /** by list: the smallest limit that the platform refused */
  readonly #refused = new Map<string, number>();

  /**
   * Requests a page of at most `limit` items; if the platform refuses so many, one of `usual` items, `undefined` for its
   * default. What was refused is not requested again. Rejects as `send` does.
   */
  async request<T>(
    list: string,
    limit: number | undefined,
    usual: number | undefined,
    send: (limit: number | undefined) => Promise<T>,
  ): Promise<T> {
    if (limit === undefined || limit <= (usual ?? SMALL_PAGE)) return send(limit);
    if (limit >= (this.#refused.get(list) ?? Infinity)) return send(usual);
    try {
      return await send(limit);
    } catch (error) {
      if (!hasErrorCode(error, 'badRequest')) throw error;
      const page = await send(usual);
      this.#refused.set(list, limit);
      return page;
    }
  }
}
