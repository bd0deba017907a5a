/** Runs the sandbox as a worker thread: reads options from workerData, posts `ready` or `error`, ends on `close`. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { parseJson } from '../platform/json/parse-json.ts';
import type { SandboxInfo } from './sandbox-info.ts';
import type { RecordedExecution, SandboxOptions } from './options.ts';
import { startSandbox } from './server.ts';

/** `start`, `firstLog` and the executions are what a later sandbox needs to repeat this one. */
type WorkerMessage =
  | ({ readonly type: 'ready'; readonly start: number; readonly firstLog: number } & SandboxInfo)
  | { readonly type: 'executed'; readonly execution: string }
  | { readonly type: 'error'; readonly message: string };

/** Executions as JSON, with every digit. */
interface WorkerOptions extends Omit<SandboxOptions, 'replay'> {
  readonly replay?: { readonly firstLog: number; readonly executions: readonly string[] };
}

async function run(port: MessagePort): Promise<void> {
  const post = (message: WorkerMessage): void => {
    port.postMessage(message);
  };
  try {
    // Set by sandbox-worker.ts with this type.
    const { replay, ...options } = (workerData ?? {}) as WorkerOptions;
    const executions = replay?.executions.map((text) => parseJson(text) as RecordedExecution) ?? [];
    const sandbox = await startSandbox({
      ...options,
      ...(replay !== undefined && { replay: { ...replay, executions } }),
      onExecute: (execution) => {
        post({ type: 'executed', execution: JSON.stringify(execution) });
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
