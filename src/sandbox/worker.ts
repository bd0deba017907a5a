/** Runs the sandbox as a worker thread: reads options from workerData, posts `ready` or `error`, ends on `close`. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SandboxInfo } from './sandbox-info.ts';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './server.ts';

type WorkerMessage = ({ readonly type: 'ready' } & SandboxInfo) | { readonly type: 'error'; readonly message: string };

async function run(port: MessagePort): Promise<void> {
  const post = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  try {
    // Set by sandbox-host.ts with this type.
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
