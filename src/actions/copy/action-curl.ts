/** The credential is a shell variable, and variables are not filled in. */
import { formatSessionCurl, type CurlSession } from '../../connections/session/session-curl.ts';
import { executeAction } from '../../platform/resources/actions.ts';
import { getRequestBody, parseActionFile } from '../file/action-file.ts';

/** Formats the execution of an action file as a cURL command, with the credential as a shell variable. */
export function formatActionCurl(session: CurlSession, source: string): string {
  const file = parseActionFile(source);
  return formatSessionCurl(session, executeAction, {}, {}, file.problems.length === 0 ? getRequestBody(file) : source);
}
