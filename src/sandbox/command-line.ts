/** The command line of the sandbox: prints its `SandboxInfo` as one line of JSON, and serves until interrupted. */
import { parseArgs } from 'node:util';
import { commandLineOptions } from './command-line-options.ts';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './server.ts';

/** The options, an empty string for `--help`, or an error message. */
export function parseOptions(args: readonly string[]): SandboxOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      options: {
        port: { type: 'string' },
        seed: { type: 'string' },
        objects: { type: 'string' },
        clock: { type: 'string' },
        start: { type: 'string' },
        'index-delay': { type: 'string' },
        'settle-delay': { type: 'string' },
        'batch-delay': { type: 'string' },
        'token-lifetime': { type: 'string' },
        'base-path': { type: 'string' },
        'log-errors': { type: 'boolean' },
        open: { type: 'boolean' },
        'no-gzip': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help === true) return '';
    const number = (
      name: 'port' | 'seed' | 'objects' | 'index-delay' | 'settle-delay' | 'batch-delay' | 'token-lifetime',
    ): number | undefined => {
      const text = values[name];
      if (text === undefined) return undefined;
      if (!/^\d+$/.test(text)) throw new RangeError(`--${name}: a whole number`);
      return Number(text);
    };
    const { clock, start } = values;
    if (clock !== undefined && clock !== 'system' && clock !== 'manual')
      throw new RangeError('--clock: system or manual');
    const basePath = values['base-path'];
    const options = {
      port: number('port'),
      seed: number('seed'),
      objects: number('objects'),
      indexDelay: number('index-delay'),
      settleDelay: number('settle-delay'),
      batchDelay: number('batch-delay'),
      tokenLifetime: number('token-lifetime'),
      clock,
      start,
      basePath,
      ...(values['log-errors'] === true && { logErrors: true }),
      // Other users of this computer can reach the port.
      walletCredential: values.open !== true,
      ...(values['no-gzip'] === true && { gzip: false }),
    };
    return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function formatUsage(command: string): string {
  const lines = [...commandLineOptions, { name: 'help', about: '' }].map((option) => {
    const flag = `--${option.name}${'value' in option ? ` ${option.value}` : ''}`;
    return `  ${flag.padEnd(20)} ${option.about}`.trimEnd();
  });
  return `Usage: ${command} [options]\n\n${lines.join('\n')}\n`;
}

/**
 * Serves until SIGINT or SIGTERM. `command`: how it was called, for the usage. Resolves with an exit code as soon as it
 * serves, or cannot; rejects for a port that is not free.
 */
export async function serveSandbox(args: readonly string[], command: string): Promise<number> {
  const fail = (message: string): number => {
    process.stderr.write(`${message}\n\n${formatUsage(command)}`);
    return 2;
  };
  const options = parseOptions(args);
  if (options === '') {
    process.stdout.write(formatUsage(command));
    return 0;
  }
  if (typeof options === 'string') return fail(options);
  try {
    const sandbox = await startSandbox(options);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void sandbox.close());
    }
    if (options.walletCredential === false)
      process.stderr.write(
        'Open: any program on this computer can register a wallet, and read and change the data with its token.\n',
      );
    process.stdout.write(`${JSON.stringify(sandbox.info)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof RangeError) return fail(error.message);
    throw error;
  }
}
