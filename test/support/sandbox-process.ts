/** Starts the sandbox as a child process. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { killOnExit } from '../runtime/child-process.ts';
import { ROOT } from '../runtime/paths.ts';

const CLI = path.join(ROOT, 'src/sandbox/cli.ts');

export interface Sandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly accessToken: string;
  /** the printed JSON line with all properties */
  readonly line: string;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  readonly port?: number;
  readonly seed?: number;
  readonly objects?: number;
  /** milliseconds until an action log is decided, and for each step of its batch; default: the sandbox's own */
  readonly settleDelay?: number;
  readonly batchDelay?: number;
  /** failed action logs contain the reason */
  readonly logErrors?: boolean;
}

/** Resolves when the sandbox listens. Rejects when it ends before, or prints nothing in 20 s. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, seed = 1, objects = 500, settleDelay, batchDelay, logErrors } = options;
  const args = [CLI, '--port', String(port), '--seed', String(seed), '--objects', String(objects)];
  if (settleDelay !== undefined) args.push('--settle-delay', String(settleDelay));
  if (batchDelay !== undefined) args.push('--batch-delay', String(batchDelay));
  if (logErrors === true) args.push('--log-errors');
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  killOnExit(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`the sandbox printed nothing in 20 s\n${errors}`));
    }, 20_000);
    readline.createInterface({ input: child.stdout }).once('line', (first) => {
      clearTimeout(timer);
      resolve(first);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      reject(new Error(`the sandbox ended (${String(code)})\n${errors}`));
    });
  });
  const printed = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const text = (name: string): string => {
    const value = printed[name];
    if (typeof value !== 'string') throw new Error(`the sandbox printed no ${name}`);
    return value;
  };
  return {
    baseUrl: text('baseUrl'),
    apiKey: text('apiKey'),
    accessToken: text('accessToken'),
    line,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
