import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatPair } from '../../platform/text/localization.ts';

/** True for an error that a later request would return too. */
export function isPermanentError(error: unknown): boolean {
  return hasErrorCode(error, 'unauthenticated', 'forbidden');
}

/** The message of an error with the message of the server, for users. */
export function formatRunError(error: unknown): string {
  const message = getErrorMessage(error);
  const serverMessage = error instanceof PlatformError ? error.detail.serverMessage : undefined;
  // Without the full stop: more may follow.
  return (
    serverMessage === undefined ? message : formatPair(message.replace(/\.$/, ''), formatLine(serverMessage, 300))
  ).replace(/\.$/, '');
}

/** As `formatRunError`, with the message of the server first: in a list of refusals it tells them apart. */
export function formatRefusal(error: unknown): string {
  const serverMessage = error instanceof PlatformError ? error.detail.serverMessage : undefined;
  if (serverMessage === undefined) return formatRunError(error);
  return `${formatLine(serverMessage, 300).replace(/\.$/, '')} (${getErrorMessage(error).replace(/\.$/, '')})`;
}
