/**
 * Runs the sandbox as a worker thread: reads options from workerData, posts `ready` or `error`, calls control endpoints on
 * request, posts its status when that changes, and ends on `close`.
 */
import * as z from 'zod/mini';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { parseJson } from '../platform/json/parse-json.ts';
import { readStatus, type SandboxStatus } from './control-endpoints.ts';
import type { SandboxInfo } from './sandbox-info.ts';
import type { SandboxOptions } from './options.ts';
import { createOptions, type SandboxState } from './state.ts';
import { startSandbox, type Sandbox } from './server.ts';

/** `start`, `firstLog` and the executions are what a later sandbox needs to repeat this one. */
export type WorkerMessage =
  | ({ readonly type: 'ready'; readonly start: number; readonly firstLog: number } & SandboxInfo)
  | { readonly type: 'executed'; readonly execution: string }
  | { readonly type: 'status'; readonly status: SandboxStatus }
  /** `text`: JSON, with every digit */
  | { readonly type: 'reply'; readonly id: number; readonly status: number; readonly text: string }
  | { readonly type: 'error'; readonly message: string };

/** A control endpoint to call; `body` is JSON. */
const callSchema = z.object({ id: z.number(), method: z.string(), name: z.string(), body: z.optional(z.string()) });

/** Milliseconds between two messages about the status. */
const STATUS_INTERVAL = 250;

async function run(port: MessagePort): Promise<void> {
  const post = (message: WorkerMessage): void => port.postMessage(message);
  try {
    // Set by sandbox-worker.ts with this type.
    const options = (workerData ?? {}) as SandboxOptions | SandboxState;
    let timer: NodeJS.Timeout | undefined;
    const sandbox: Sandbox = await startSandbox({
      // Other local users can reach the port, so registering a wallet requires a credential.
      walletCredential: true,
      ...createOptions(options),
      onExecute: (execution) => post({ type: 'executed', execution: JSON.stringify(execution) }),
      onRequest: () => {
        timer ??= setTimeout(() => postStatus(), STATUS_INTERVAL);
      },
    });
    const postStatus = (): void => {
      clearTimeout(timer);
      timer = undefined;
      post({ type: 'status', status: readStatus(sandbox) });
    };
    port.on('message', (message: unknown) => {
      if (message === 'close') {
        clearTimeout(timer);
        void sandbox.close().then(() => port.close());
        return;
      }
      const { id, method, name, body } = z.parse(callSchema, message);
      const response = sandbox.control(method, name, body === undefined ? undefined : parseJson(body));
      postStatus();
      const text = 'json' in response ? JSON.stringify(response.json) : '';
      post({ type: 'reply', id, status: response.status, text });
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
