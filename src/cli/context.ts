import type { CliOptions } from './options.ts';

/** What a command of the terminal runner works with. */
export interface CliContext {
  readonly options: CliOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** sends nothing more, and stops following */
  readonly signal: AbortSignal;
  /** stops waiting for the response of a request that was sent */
  readonly stopWaiting: AbortSignal;
  /** prints one line */
  readonly print: (line: string) => void;
}
