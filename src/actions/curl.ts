/** An action file as a cURL command. Pure: the credential stays a shell variable, and nothing is substituted. */
import type { Profile } from '../connections/types.ts';
import { bodyOf, parseActionFile } from './file.ts';

export function curlOf(profile: Pick<Profile, 'baseUrl' | 'presentation'>, source: string): string {
  const file = parseActionFile(source);
  const body = file.problems.length === 0 ? bodyOf(file) : source;
  const { apiKeyHeader } = profile.presentation;
  return [
    `curl -X POST ${single(`${profile.baseUrl.replace(/\/+$/, '')}/ebus/execute`)}`,
    `-H 'Accept: application/json'`,
    `-H 'Content-Type: application/json'`,
    // Double quotes, so that the shell fills in the variable.
    `-H "${apiKeyHeader.replace(/[^\w-]/g, '')}: $SMART_OBJECTS_API_KEY"`,
    `--data-raw ${single(body)}`,
  ].join(' \\\n  ');
}

function single(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
