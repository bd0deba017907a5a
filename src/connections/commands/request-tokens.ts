/** Sends the two requests that issue tokens, never repeated, and describes unknown outcomes. */
import { PlatformError } from '../../platform/errors.ts';
import type { KnownSecrets } from '../credentials/known-secrets.ts';

/**
 * Runs `request` with `typed` as temporary secrets: masked while it runs, then forgotten. Rejects with an Error that
 * states whether the outcome is unknown; server text that repeats a typed secret is omitted.
 */
export async function requestTokens<T>(
  known: KnownSecrets,
  typedSecrets: readonly string[],
  outcome: string,
  send: () => Promise<T>,
): Promise<T> {
  return known.withTransient(typedSecrets, async () => {
    try {
      return await send();
    } catch (error) {
      throw error instanceof PlatformError ? explainError(error, known, outcome) : error;
    }
  });
}

function explainError(error: PlatformError, known: KnownSecrets, outcome: string): PlatformError {
  const { serverMessage, cause: _cause, ...detail } = error.detail;
  const shownMessage = serverMessage === undefined || known.containsTransient(serverMessage) ? {} : { serverMessage };
  return new PlatformError(
    error.code,
    isOutcomeUnknown(error)
      ? `${error.message}. Whether ${outcome} is unknown: the request is not repeated automatically`
      : error.message,
    {
      ...detail,
      ...shownMessage,
    },
  );
}

/** Network errors, server errors and responses without tokens leave the outcome unknown; a refusal does not. */
export function isOutcomeUnknown({ code, detail }: PlatformError): boolean {
  if (detail.sent === false) return false;
  const { status } = detail;
  return status === undefined || status >= 500 || status < 400 || code === 'notJson' || code === 'contract';
}
