import { stored, type Message } from '../../platform/text/message.ts';
import { isSigned, type ActionFile } from '../file/action-file.ts';

/**
 * Returns what to do about a signature in the file that the platform rejected, without the full stop; `undefined` if the
 * file has no signature or `reason`, the message of the platform, does not name one.
 */
export function getSignatureHint(file: ActionFile, reason: string): Message | undefined {
  if (!/\b(?:signatures?|nonce)\b/i.test(reason) || !isSigned(file)) return undefined;
  return stored('The file contains a signature. Sign the action again in its current state');
}
