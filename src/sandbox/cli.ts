/** `npm run sandbox`: starts the sandbox, prints its `SandboxInfo` as one line of JSON, and serves until interrupted. */
import { parseArgs } from 'node:util';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './server.ts';

const USAGE = `Usage: npm run sandbox -- [options]

  --port N             port on 127.0.0.1; 0 takes a free one (default 0)
  --seed N             the same seed makes the same data (default 1)
  --objects N          how many objects (default 500; a million costs no more memory)
  --clock KIND         system or manual (default system)
  --start DATE         where time starts, ISO 8601
  --index-delay MS     until an action log can be listed (default 150)
  --settle-delay MS    until it is completed or failed (default 1000)
  --batch-delay MS     for each step of a batch (default 1500)
  --token-lifetime MS  of access tokens (default 12 hours)
  --wallet-credential  registering a wallet and confirming an invite demand a credential
  --base-path PATH     a path before all others, such as /api/v1
  --log-errors         failed action logs say why in "error", as some deployments do
  --no-gzip            never compress
  --help
`;

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
        'wallet-credential': { type: 'boolean' },
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
      ...(values['wallet-credential'] === true && { walletCredential: true }),
      ...(values['no-gzip'] === true && { gzip: false }),
    };
    return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === '') {
    process.stdout.write(USAGE);
    return;
  }
  if (typeof options === 'string') {
    fail(options);
    return;
  }
  try {
    const sandbox = await startSandbox(options);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        void sandbox.close();
      });
    }
    process.stdout.write(`${JSON.stringify(sandbox.info)}\n`);
  } catch (error) {
    if (error instanceof RangeError) fail(error.message);
    else throw error;
  }
}

if (import.meta.main) await main();
