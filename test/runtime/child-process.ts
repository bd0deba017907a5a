/** Starts child processes and ends them together with this process. */
import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import { ROOT } from './paths.ts';

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
    /** runs below normal priority */
    readonly lowPriority?: boolean;
  } = {},
): Promise<ProcessResult> {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
  if (options.lowPriority === true && child.pid !== undefined)
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
