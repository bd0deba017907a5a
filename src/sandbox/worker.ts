/** Runs the sandbox as a worker thread: reads options from workerData, posts `ready` or `error`, ends on `close`. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SandboxInfo } from './sandbox-info.ts';
import type { RecordedExecution, SandboxOptions } from './options.ts';
import { startSandbox } from './server.ts';

/** `start`, `firstLog` and the executions are what a later sandbox needs to repeat this one. */
type WorkerMessage =
  | ({ readonly type: 'ready'; readonly start: number; readonly firstLog: number } & SandboxInfo)
  | { readonly type: 'executed'; readonly execution: RecordedExecution }
  | { readonly type: 'error'; readonly message: string };

async function run(port: MessagePort): Promise<void> {
  const post = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  try {
    // Set by sandbox-host.ts with this type.
    const sandbox = await startSandbox({
      ...((workerData ?? {}) as SandboxOptions),
      onExecute: (execution) => {
        post({ type: 'executed', execution });
      },
    });
    port.on('message', (message: unknown) => {
      if (message !== 'close') return;
      void sandbox.close().then(() => {
        port.close();
      });
    });
    post({
      type: 'ready',
      start: sandbox.world.context.epoch,
      firstLog: sandbox.settlement.firstLog,
      ...sandbox.info,
    });
  } catch (error) {
    post({ type: 'error', message: error instanceof Error ? error.message : String(error) });
  }
}

if (parentPort === null) throw new Error('meant to run as a worker');
void run(parentPort);
