/** Starts child processes and ends what was started. */
import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import { ROOT } from './paths.ts';

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of ours with this very Node; resolves with its exit code and all it printed. */
export function runNode(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** gives way to the other processes of the machine */
    readonly yielding?: boolean;
  } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  if (options.yielding === true && child.pid !== undefined)
    os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
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

/** A child that outlives us would be nobody's. */
export function endWithUs(child: ChildProcess): void {
  const end = (): void => {
    child.kill();
  };
  process.once('exit', end);
  child.once('close', () => process.removeListener('exit', end));
}

/** A signal ends us the orderly way, so that what we started ends too. */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
}
