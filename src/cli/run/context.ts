import type { Connection } from '../connection/open-connection.ts';
import type { RunOptions } from './options.ts';

/** What a run of action files works with. */
export interface RunContext {
  readonly options: RunOptions;
  readonly connection: Connection;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** sends nothing more, and stops following */
  readonly signal: AbortSignal;
  /** stops waiting for the response of a request that was sent */
  readonly stopWaiting: AbortSignal;
  /** prints one line */
  readonly print: (line: string) => void;
  /** prints one line on standard error */
  readonly printError: (line: string) => void;
}
