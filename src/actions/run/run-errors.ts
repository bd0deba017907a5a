import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { MessageError, stored, type StoredText } from '../../platform/text/message.ts';

/** True for an error that a later request would return too. */
export function isPermanentError(error: unknown): boolean {
  return hasErrorCode(error, 'unauthenticated', 'forbidden');
}

/** The message of an error with the message of the server, for users. */
export function describeRunError(error: unknown): StoredText {
  const serverMessage = error instanceof PlatformError ? error.detail.serverMessage : undefined;
  if (serverMessage === undefined) return getErrorText(error);
  return stored('{0}: {1}', getErrorText(error), withoutStop(formatLine(serverMessage, 300)));
}

/** Texts lose the full stop here, since more may follow; messages when they are formatted. */
function getErrorText(error: unknown): StoredText {
  return error instanceof MessageError && typeof error.text !== 'string'
    ? error.text
    : withoutStop(getErrorMessage(error));
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

/** As `describeRunError`, with the message of the server first: in a list of refusals it tells them apart. */
export function describeRefusal(error: unknown): StoredText {
  const serverMessage = error instanceof PlatformError ? error.detail.serverMessage : undefined;
  if (serverMessage === undefined) return describeRunError(error);
  return stored('{0} ({1})', withoutStop(formatLine(serverMessage, 300)), getErrorText(error));
}
