import { isSigned, type ActionFile } from '../file/action-file.ts';

/**
 * Returns what to do about a signature in the file that the platform rejected, without the full stop; `undefined` if the
 * file has no signature or `reason`, the message of the platform, does not name one.
 */
export function getSignatureHint(file: ActionFile, reason: string): string | undefined {
  if (!/\b(?:signatures?|nonce)\b/i.test(reason) || !isSigned(file)) return undefined;
  return 'The signature in the file was prepared elsewhere: prepare it again for the action as it is now';
}
