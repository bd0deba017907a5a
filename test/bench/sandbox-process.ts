/** Starts the sandbox as a child process, so that its memory and work are not measured. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { killOnExit } from '../runtime/child-process.ts';
import { ROOT } from '../runtime/paths.ts';
import type { SandboxInfo } from '../../src/sandbox/sandbox-info.ts';

export interface SandboxProcess extends SandboxInfo {
  stop(): Promise<void>;
}

/** Resolves when the sandbox listens. Rejects when it ends before. */
export async function startSandboxProcess(objects: number): Promise<SandboxProcess> {
  const cli = path.join(ROOT, 'src/cli/main.ts');
  const child = spawn(process.execPath, [cli, 'sandbox', '--port', '0', '--objects', String(objects)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killOnExit(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const line = await new Promise<string>((resolve, reject) => {
    readline.createInterface({ input: child.stdout }).once('line', resolve);
    child.once('close', (code) => {
      reject(new Error(`the sandbox ended (${String(code)})`));
    });
  });
  return {
    // The line is the JSON of a SandboxInfo.
    ...(JSON.parse(line) as SandboxInfo),
    async stop() {
      child.kill();
      await ended;
    },
  };
}
