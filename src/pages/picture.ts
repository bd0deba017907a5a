import type { Thumbnails } from '../cache/thumbnails.ts';
import { fetchImage } from '../faces/source/requests.ts';
import type { Send } from '../platform/http/unauthenticated-get.ts';

/** Fetches an image of a face; the picture of the page itself, which is `pictureUrl`, is requested once for both. Never rejects. */
export async function fetchPicture(
  thumbnails: Pick<Thumbnails, 'load'>,
  send: Send,
  url: string,
  pictureUrl: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const picture = url === pictureUrl ? await thumbnails.load(url, signal) : undefined;
  return picture ?? fetchImage(send, url, signal);
}
