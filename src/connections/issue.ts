/** Runs the two requests that issue tokens and are never repeated, and says what an error of theirs leaves unknown (pure). */
import { PlatformError } from '../platform/errors.ts';
import type { KnownSecrets } from './known-secrets.ts';

/**
 * `typed` are secrets of this request alone: masked while it runs, not kept afterwards. An error after which nobody
 * knows whether the platform did it says so, and a server's words that repeat what was typed are left out.
 */
export async function issue<T>(
  known: KnownSecrets,
  typed: readonly string[],
  what: string,
  send: () => Promise<T>,
): Promise<T> {
  return known.during(typed, async () => {
    try {
      return await send();
    } catch (error) {
      throw error instanceof PlatformError ? explained(error, known, what) : error;
    }
  });
}

function explained(error: PlatformError, known: KnownSecrets, what: string): PlatformError {
  const { serverMessage, cause: _cause, ...detail } = error.detail;
  const words = serverMessage === undefined || known.hides(serverMessage) ? {} : { serverMessage };
  return new PlatformError(
    error.code,
    isUnknown(error) ? `${error.message}. Whether ${what} is not known: it is not sent again by itself` : error.message,
    {
      ...detail,
      ...words,
    },
  );
}

/** A refusal is certain; a broken connection, a server's failure, an answer without tokens are not. */
export function isUnknown({ code, detail }: PlatformError): boolean {
  if (detail.sent === false) return false;
  const { status } = detail;
  return status === undefined || status >= 500 || status < 400 || code === 'notJson' || code === 'contract';
}
