/** What the commands of the program work with. */
import type { ConnectionInput } from './connection/open-connection.ts';
import type { Output } from './output/output.ts';

export interface CommandContext extends ConnectionInput {
  readonly output: Output;
  /** aborted by Ctrl-C, SIGTERM, and when nobody reads standard output: sends nothing more */
  readonly signal: AbortSignal;
}

/** A command that could not be carried out; the message is a whole sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
