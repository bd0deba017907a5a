/** Starts child processes and ends them together with this process. */
import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './paths.ts';

/**
 * What programs that tests start get of the environment of this process. The cache of compiled modules halves the time of
 * their start.
 */
export const CHILD_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(ROOT, '.cache/compile'),
} as const;

export interface ProcessResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a script with the Node of this process; resolves with its exit code and output, also when it fails. */
export function runNode(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** one of `os.constants.priority`; default: normal */
    readonly priority?: number;
  } = {},
): Promise<ProcessResult> {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
  if (options.priority !== undefined && child.pid !== undefined) os.setPriority(child.pid, options.priority);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve({ code: 1, output: `${output}${error.message}\n` });
    });
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Kills the child when this process exits. */
export function killOnExit(child: ChildProcess): void {
  const end = (): void => {
    child.kill();
  };
  process.once('exit', end);
  child.once('close', () => process.removeListener('exit', end));
}

/** Exits on SIGINT, SIGTERM and SIGHUP through `process.exit`, so that exit handlers end the children. */
export function exitOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
}
