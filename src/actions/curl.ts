/** An action file as a cURL command. Pure: the credential stays a shell variable, and nothing is substituted. */
import { curl, type From } from '../connections/curl.ts';
import { executeAction } from '../platform/resources/actions.ts';
import { bodyOf, parseActionFile } from './file.ts';

export function curlOfAction(session: From, source: string): string {
  const file = parseActionFile(source);
  return curl(session, executeAction, {}, {}, file.problems.length === 0 ? bodyOf(file) : source);
}
