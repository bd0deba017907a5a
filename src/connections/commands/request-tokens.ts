/** Sends the two requests that issue tokens, never repeated, and describes unknown outcomes. */
import { PlatformError } from '../../platform/errors.ts';
import type { KnownSecrets } from '../credentials/known-secrets.ts';

/**
 * Runs `send` with `typedSecrets` as temporary secrets: masked while it runs, then forgotten. Rejects with an Error whose
 * next step begins with `unknownOutcome`, a sentence, if the request may have had its effect; server text that repeats
 * a typed secret is omitted.
 */
export async function requestTokens<T>(
  known: KnownSecrets,
  typedSecrets: readonly string[],
  unknownOutcome: string,
  send: () => Promise<T>,
): Promise<T> {
  return known.withTransient(typedSecrets, async () => {
    try {
      return await send();
    } catch (error) {
      throw error instanceof PlatformError ? explainError(error, known, unknownOutcome) : error;
    }
  });
}

function explainError(error: PlatformError, known: KnownSecrets, unknownOutcome: string): PlatformError {
  const { serverMessage, cause: _cause, nextStep, ...detail } = error.detail;
  const shownMessage = serverMessage === undefined || known.containsTransient(serverMessage) ? {} : { serverMessage };
  const advice = [...(isOutcomeUnknown(error) ? [unknownOutcome] : []), ...(nextStep === undefined ? [] : [nextStep])];
  return new PlatformError(error.code, error.text, {
    ...detail,
    ...shownMessage,
    ...(advice.length > 0 && { nextStep: advice.join(' ') }),
  });
}

/** Network errors, server errors and responses without tokens leave the outcome unknown; a refusal does not. */
export function isOutcomeUnknown({ code, detail }: PlatformError): boolean {
  if (detail.sent === false) return false;
  const { status } = detail;
  return status === undefined || status >= 500 || status < 400 || code === 'notJson' || code === 'contract';
}
