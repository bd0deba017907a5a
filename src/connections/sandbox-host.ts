/** Runs the local platform server off this thread, and its connection in memory. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { isObject } from '../platform/json.ts';
import { plainText } from '../platform/plain-text.ts';
import { defaultPresentation, defaultQueryWords, type Credential } from '../platform/target.ts';
import { onlyHeld } from './credential.ts';
import { LOCAL_SANDBOX } from './profiles.ts';
import type { Organization, Profile } from './types.ts';

/** As `src/sandbox/worker.ts` takes them. */
export interface SandboxOptions {
  readonly port?: number;
  readonly seed?: number;
  readonly objects?: number;
}

export interface RunningSandbox {
  readonly profile: Profile;
  readonly credential: Credential;
  /** resolves when the server has ended, wanted or not */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const START_LIMIT = 20_000;
const STOP_LIMIT = 3_000;

/** Rejects with an Error that says why the server did not start. */
export async function startSandboxWorker(extensionPath: string, options: SandboxOptions = {}): Promise<RunningSandbox> {
  const worker = new Worker(path.join(extensionPath, 'dist', 'sandbox.mjs'), {
    // Any local user reaches its port: without a credential nobody gets a wallet, and with that a look at the data.
    workerData: { walletCredential: true, ...options },
    name: 'smart-objects-sandbox',
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  try {
    const ready = await firstMessage(worker);
    return {
      ...read(ready),
      ended,
      async stop() {
        worker.postMessage('close');
        const timer = setTimeout(() => void worker.terminate(), STOP_LIMIT);
        await ended;
        clearTimeout(timer);
      },
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function firstMessage(worker: Worker): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('the local sandbox did not answer in time'));
    }, START_LIMIT);
    worker.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`the local sandbox could not start: ${error instanceof Error ? error.message : String(error)}`));
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the local sandbox ended before it was ready'));
    });
    worker.once('message', (message: unknown) => {
      clearTimeout(timer);
      if (isObject(message) && message['type'] === 'ready') resolve(message);
      else reject(new Error(`the local sandbox could not start: ${wordsOf(message)}`));
    });
  });
}

function wordsOf(message: unknown): string {
  const words = isObject(message) ? message['message'] : undefined;
  return typeof words === 'string' ? words : 'it said nothing that we know';
}

function read(ready: Readonly<Record<string, unknown>>): Pick<RunningSandbox, 'profile' | 'credential'> {
  const text = (name: string): string | undefined => {
    const value = ready[name];
    return typeof value === 'string' ? value : undefined;
  };
  const baseUrl = text('baseUrl');
  if (baseUrl === undefined) throw new Error('the local sandbox named no address');
  const organizations: unknown = ready['organizations'];
  const refreshPath = text('refreshPath');
  return {
    profile: {
      name: LOCAL_SANDBOX,
      baseUrl,
      environment: 'sandbox',
      organizations: Array.isArray(organizations) ? organizations.flatMap(organizationOf) : [],
      presentation: defaultPresentation,
      wallets: 'credential',
      ...(refreshPath !== undefined && { refreshPath }),
      links: {},
      words: defaultQueryWords,
      source: 'memory',
    },
    credential: onlyHeld({
      apiKey: text('apiKey'),
      accessToken: text('accessToken'),
      refreshToken: text('refreshToken'),
    }),
  };
}

function organizationOf(value: unknown): readonly Organization[] {
  if (typeof value === 'string') return [{ id: value, source: 'settings' }];
  if (!isObject(value) || typeof value['id'] !== 'string') return [];
  const label = value['label'] ?? value['name'];
  return [{ id: value['id'], ...(typeof label === 'string' && { label: plainText(label) }), source: 'settings' }];
}
