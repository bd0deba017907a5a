/** Formats errors for users: operation, reason and next step. */
import * as l10n from '@vscode/l10n';
import { PlatformError, hasErrorCode, type ErrorCode } from '../../platform/errors.ts';
import { toSingleLine } from '../../platform/text/plain-text.ts';
import { formatPair, quote } from '../../platform/text/localization.ts';

/** What a user of the editor can do. */
const nextSteps: Readonly<Partial<Record<ErrorCode, string>>> = {
  network: l10n.t('Check the base URL, the network and the proxy settings.'),
  timeout: l10n.t('Try again, or increase smartObjects.requestTimeout.'),
  unauthenticated: l10n.t('Sign in again.'),
  forbidden: l10n.t('Use an identity that has this permission.'),
  rateLimited: l10n.t('Wait a moment, then try again.'),
  notJson: l10n.t('Check the base URL of the connection.'),
  tooLarge: l10n.t('Use a filter or a smaller page size.'),
};

/**
 * One or two sentences, plain text, free of secrets. `what`: verb and noun, such as "List objects". `advice`: what the
 * user can do, if it is not the same as in the editor.
 */
export function formatError(what: string, error: unknown, advice?: string): string {
  const reason = `${formatPair(what, formatReason(error))}.`;
  if (!(error instanceof PlatformError)) return reason;
  const nextStep = advice ?? error.detail.nextStep ?? nextSteps[error.code];
  return nextStep === undefined ? reason : toSingleLine(`${reason} ${nextStep}`);
}

/** The reason without its full stop, plain text: the message, what the server wrote, and the id of the request. */
export function formatReason(error: unknown): string {
  const message = toSingleLine(error instanceof Error ? error.message : l10n.t('unknown error')).replace(/\.$/, '');
  if (!(error instanceof PlatformError)) return message;
  const { serverMessage, requestId } = error.detail;
  const quoted = serverMessage === undefined ? '' : ` — ${quote(serverMessage)}`;
  const id = requestId === undefined ? '' : ` (${l10n.t('request {0}', requestId)})`;
  return toSingleLine(`${message}${quoted}${id}`);
}

/** True for cancellations by the user, VS Code or an ended session. */
export function isCancelled(error: unknown): boolean {
  return hasErrorCode(error, 'cancelled');
}

/** Message of anything that was thrown. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : l10n.t('unknown error');
}

/** Message of anything that was thrown, followed by the server's message. Untrusted: sanitize it before display. */
export function getMessageWithServer(error: unknown): string {
  const serverMessage = error instanceof PlatformError ? error.detail.serverMessage : undefined;
  return serverMessage === undefined ? getErrorMessage(error) : formatPair(getErrorMessage(error), serverMessage);
}
