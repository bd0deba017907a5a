import { redactText } from '../actions/run/redact-variables.ts';
import { formatError } from '../model/text/error-message.ts';
import { PlatformError, type ErrorCode } from '../platform/errors.ts';
import { CommandError, type CommandContext } from './command-context.ts';
import { openConnection, type Connection } from './connection/open-connection.ts';
import type { ConnectionValues } from './connection/connection-options.ts';

/** What the user of a terminal can do about an error. */
const NEXT_STEPS: Readonly<Partial<Record<ErrorCode, string>>> = {
  network: 'Check --base-url, the network and HTTPS_PROXY.',
  timeout: 'Try again, or specify a longer --timeout.',
  forbidden: 'Use a credential whose role or API key has this permission.',
  notFound: 'Check the ID and --base-url, which must be the base URL of the API.',
  badRequest: 'Check the ID and the filters.',
  rateLimited: 'Wait a moment, then try again.',
  notJson: 'Check --base-url, which must be the base URL of the API.',
  tooLarge: 'Use a filter or a smaller --limit.',
};

/**
 * Opens the connection of a command, runs it, and closes the connection. `what`: verb and noun, for errors. Rejects with
 * UsageError, with CommandError if the platform fails, and with the PlatformError of a cancellation.
 */
export async function withConnection<T>(
  context: CommandContext,
  values: ConnectionValues,
  what: string,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(values, context);
  try {
    return await run(connection);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code === 'cancelled') throw error;
    const nextStep = error.code === 'unauthenticated' ? getSignInStep(connection) : NEXT_STEPS[error.code];
    throw new CommandError(redactText(formatError(what, error, nextStep), connection.secrets));
  } finally {
    await connection.close();
  }
}

function getSignInStep({ credential, variables }: Connection): string {
  return Object.keys(credential).length === 0
    ? `Set ${variables.apiKey} or ${variables.accessToken}.`
    : 'Check the credential: the platform does not accept it, or it has expired.';
}
