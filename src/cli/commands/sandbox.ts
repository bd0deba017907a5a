/** `sandbox`: a local platform until Ctrl-C. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { UsageError } from '../usage-error.ts';

/** The options that have the same names as those of the sandbox, and `open`. */
export interface SandboxValues extends Pick<
  SandboxOptions,
  | ('port' | 'seed' | 'objects' | 'clock' | 'start' | 'indexDelay' | 'settleDelay' | 'batchDelay')
  | ('tokenLifetime' | 'basePath' | 'logErrors' | 'gzip')
> {
  readonly open?: boolean;
}

/** Declares the options of the sandbox. */
export function addSandboxOptions(command: Command): Command {
  return command
    .option('--port <n>', 'port on 127.0.0.1; 0 selects a free one (default 0)', parseNumber)
    .option('--seed <n>', 'the same seed creates the same data (default 1)', parseNumber)
    .option('--objects <n>', 'number of objects (default 500; a million needs no more memory)', parseNumber)
    .addOption(new Option('--clock <kind>', 'clock (default system)').choices(['system', 'manual']))
    .option('--start <date>', 'start time of the clock, ISO 8601')
    .option('--index-delay <ms>', 'delay until an action log can be listed (default 150)', parseNumber)
    .option('--settle-delay <ms>', 'delay until it is completed or failed (default 1000)', parseNumber)
    .option('--batch-delay <ms>', 'delay of each step of a batch (default 1500)', parseNumber)
    .option('--token-lifetime <ms>', 'lifetime of access tokens (default 12 hours)', parseNumber)
    .option('--open', 'wallets are registered without a credential: any program here can get a token')
    .option('--base-path <path>', 'a path before all others, such as /api/v1')
    .option('--log-errors', 'failed action logs contain the reason in "error", as on some deployments')
    .option('--no-gzip', 'never compress');
}

function parseNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/**
 * Serves until SIGINT or SIGTERM, and prints its `SandboxInfo` as one line of JSON. Resolves as soon as it serves.
 * Rejects with UsageError for invalid values, or with the error of `listen`.
 */
export async function serveSandbox({ open = false, ...options }: SandboxValues): Promise<void> {
  const { startSandbox } = await import('../../sandbox/server.ts');
  // Other users of this computer can reach the port.
  const sandbox = await startSandbox({ ...options, walletCredential: !open }).catch((error: unknown) => {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
  if (open)
    process.stderr.write(
      'Open: any program on this computer can register a wallet, and read and change the data with its token.\n',
    );
  process.stdout.write(`${JSON.stringify(sandbox.info)}\n`);
}
