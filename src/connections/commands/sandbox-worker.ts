/** Runs the local sandbox server in a worker thread, and its in-memory connection. */
import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { isObject } from '../../platform/json/json.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { defaultCredentialHeaderNames, type Credential } from '../../platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../platform/target.ts';
import { compactCredential } from '../credentials/credential.ts';
import { LOCAL_SANDBOX_NAME } from '../profiles/read-profiles.ts';
import type { Organization, Profile } from '../../model/session/session.ts';

/** Options of `src/sandbox/worker.ts`. */
export interface SandboxOptions {
  readonly port?: number;
  readonly seed?: number;
  readonly objects?: number;
  readonly start?: number;
  readonly replay?: { readonly firstLog: number; readonly executions: readonly string[] };
}

/** What a later sandbox needs to be as this one is now. */
interface SandboxState {
  readonly start: number;
  readonly firstLog: number;
  /** JSON without secrets */
  readonly executions: readonly string[];
}

export interface RunningSandbox {
  readonly profile: Profile;
  readonly credential: Credential;
  /** of a wallet with fewer permissions */
  readonly buyer: Credential;
  /** resolves when the server has stopped, for any reason */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** Its state with each execution, beginning with the present one. */
  listen(onState: (state: SandboxState) => void): void;
}

/** Executions that are repeated: the first ones, since later ones can depend on them. */
const MAX_EXECUTIONS = 2_000;
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 3_000;

/** Starts the worker. `redact` masks secrets in what is stored. Rejects with an Error that contains the reason if the server does not start. */
export async function startSandboxWorker(
  extensionPath: string,
  redact: (text: string) => string,
  options: SandboxOptions = {},
): Promise<RunningSandbox> {
  const worker = new Worker(path.join(extensionPath, 'dist', 'sandbox.mjs'), {
    // Other local users can reach the port, so registering a wallet requires a credential.
    workerData: { walletCredential: true, ...options },
    name: 'smart-objects-sandbox',
  });
  const executions: string[] = [];
  worker.on('message', (message: unknown) => {
    if (isObject(message) && message['type'] === 'executed' && executions.length < MAX_EXECUTIONS)
      executions.push(redact(String(message['execution'])));
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  try {
    const ready = await waitForFirstMessage(worker);
    return {
      ...readReadyMessage(ready),
      ended,
      async stop() {
        worker.postMessage('close');
        const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
        await ended;
        clearTimeout(timer);
      },
      listen(onState) {
        const report = (): void => {
          onState({ start: Number(ready['start']), firstLog: Number(ready['firstLog']), executions });
        };
        report();
        // After the listener that adds the execution.
        worker.on('message', report);
      },
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function waitForFirstMessage(worker: Worker): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(l10n.t('The local sandbox did not respond in time')));
    }, START_TIMEOUT_MS);
    worker.once('error', (error) => {
      clearTimeout(timer);
      reject(createStartError(error instanceof Error ? error.message : String(error)));
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(l10n.t('The local sandbox stopped while it was starting')));
    });
    worker.on('message', (message: unknown) => {
      if (isObject(message) && message['type'] === 'executed') return;
      clearTimeout(timer);
      if (isObject(message) && message['type'] === 'ready') resolve(message);
      else reject(createStartError(readErrorMessage(message)));
    });
  });
}

function createStartError(reason: string | undefined): Error {
  return new Error(
    reason === undefined
      ? l10n.t('The local sandbox failed to start')
      : l10n.t('The local sandbox failed to start: {0}', reason),
  );
}

function readErrorMessage(message: unknown): string | undefined {
  const text = isObject(message) ? message['message'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function readCredential(value: unknown): Credential {
  const text = (name: string): string | undefined => {
    const part = isObject(value) ? value[name] : undefined;
    return typeof part === 'string' ? part : undefined;
  };
  return compactCredential({
    apiKey: text('apiKey'),
    accessToken: text('accessToken'),
    refreshToken: text('refreshToken'),
  });
}

function readReadyMessage(
  ready: Readonly<Record<string, unknown>>,
): Pick<RunningSandbox, 'profile' | 'credential' | 'buyer'> {
  const text = (name: string): string | undefined => {
    const value = ready[name];
    return typeof value === 'string' ? value : undefined;
  };
  const baseUrl = text('baseUrl');
  if (baseUrl === undefined) throw new Error(l10n.t('The local sandbox did not report its address'));
  const organizations: unknown = ready['organizations'];
  const refreshPath = text('refreshPath');
  return {
    profile: {
      name: LOCAL_SANDBOX_NAME,
      baseUrl,
      environment: 'sandbox',
      organizations: Array.isArray(organizations) ? organizations.flatMap(readOrganization) : [],
      credentialHeaderNames: defaultCredentialHeaderNames,
      wallets: 'credential',
      ...(refreshPath !== undefined && { refreshPath }),
      links: {},
      queryFormat: defaultQueryFormat,
      source: 'memory',
    },
    credential: readCredential(ready),
    buyer: readCredential(ready['buyer']),
  };
}

function readOrganization(value: unknown): readonly Organization[] {
  if (typeof value === 'string') return [{ id: value, source: 'settings' }];
  if (!isObject(value) || typeof value['id'] !== 'string') return [];
  const label = value['label'] ?? value['name'];
  return [{ id: value['id'], ...(typeof label === 'string' && { label: toPlainText(label) }), source: 'settings' }];
}
