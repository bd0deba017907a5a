/** What to do where the platform rejects a signature that stands in the file. No vscode. */
import { isSigned, parseActionFile } from './file.ts';

/**
 * A sentence without the full stop, or `undefined` where the file brings no signature or `reason`, the platform's words
 * for a refusal or a failure, does not speak of one. `source`: text of the action file.
 */
export function signatureHint(source: string, reason: string): string | undefined {
  if (!/\b(?:signatures?|nonce)\b/i.test(reason) || !isSigned(parseActionFile(source))) return undefined;
  return 'The signature in the file was prepared elsewhere: prepare it again for the action as it is now';
}
