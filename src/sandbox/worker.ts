/** The sandbox on a thread of its own: options come as workerData; `ready` or `error` is posted, `close` ends it. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SandboxInfo } from './describe.ts';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './server.ts';

export type WorkerMessage =
  ({ readonly type: 'ready' } & SandboxInfo) | { readonly type: 'error'; readonly message: string };

async function run(port: MessagePort): Promise<void> {
  const post = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  try {
    // Written by our own side of the thread.
    const sandbox = await startSandbox((workerData ?? {}) as SandboxOptions);
    port.on('message', (message: unknown) => {
      if (message !== 'close') return;
      void sandbox.close().then(() => {
        port.close();
      });
    });
    post({ type: 'ready', ...sandbox.info });
  } catch (error) {
    post({ type: 'error', message: error instanceof Error ? error.message : String(error) });
  }
}

if (parentPort === null) throw new Error('meant to run as a worker');
void run(parentPort);
