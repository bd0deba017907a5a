/** Says an error as a person needs it: the verb, the thing, the reason, and the next step. */
import { PlatformError, type ErrorCode } from '../platform/errors.ts';
import { singleLine } from '../platform/plain-text.ts';

const nextSteps: Readonly<Partial<Record<ErrorCode, string>>> = {
  network: 'Check the base URL, the network and the proxy settings.',
  timeout: 'Try again, or raise the setting smartObjects.requestTimeout.',
  unauthenticated: 'Sign in again.',
  forbidden: 'Use an identity whose role grants it.',
  rateLimited: 'Wait a moment, then try again.',
  notJson: 'Check the base URL of the connection.',
  tooLarge: 'Ask for less: a filter or a smaller page size helps.',
};

/** One or two sentences, plain text, free of secrets. `what` is the verb and the thing: "List objects". */
export function errorText(what: string, error: unknown): string {
  if (!(error instanceof PlatformError))
    return singleLine(`${what}: ${error instanceof Error ? error.message : 'unknown error'}.`);
  const { serverMessage, requestId } = error.detail;
  const words = serverMessage === undefined ? '' : ` — “${serverMessage}”`;
  const id = requestId === undefined ? '' : ` (request ${requestId})`;
  const step = error.detail.nextStep ?? nextSteps[error.code];
  return singleLine(`${what}: ${error.message}${words}${id}.${step === undefined ? '' : ` ${step}`}`);
}

export function isCancelled(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'cancelled';
}
