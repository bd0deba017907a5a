/** Runs the local sandbox server in a worker thread, and its in-memory connection. */
import * as l10n from '@vscode/l10n';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { importedSchema, type Imported } from '../../sandbox/data/imported.ts';
import type { SandboxState } from '../../sandbox/state.ts';
import type { SandboxStatus } from '../../sandbox/control-endpoints.ts';
import type { WorkerMessage } from '../../sandbox/worker.ts';
import { Listeners } from '../../model/listeners.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { defaultCredentialHeaderNames, type Credential } from '../../platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../platform/target.ts';
import type { Profile } from '../../model/session/session.ts';

/** What the user chooses of a new sandbox. */
export interface SandboxChoice {
  /** absent: any free port */
  readonly port?: number | undefined;
  readonly seed: number;
  readonly objects: number;
}

export interface RunningSandbox {
  readonly profile: Profile;
  readonly credential: Credential;
  /** of a wallet with fewer permissions */
  readonly buyer: Credential;
  /** resolves when the server has stopped, for any reason */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  readonly state: SandboxState;
  readonly status: SandboxStatus;
  /** Calls back with each change of `status`; with `state` if what a later sandbox continues from has changed too. */
  listen(onChange: (changed: 'state' | 'status') => void): void;
  /** Adds resources of another platform. Rejects with Error if the sandbox has ended. */
  import(resources: Imported): Promise<void>;
  /** Calls a control endpoint of the sandbox. Rejects with Error if it refuses. */
  control(method: 'GET' | 'POST' | 'DELETE', name: string, body?: unknown): Promise<unknown>;
}

type ReadyMessage = Extract<WorkerMessage, { readonly type: 'ready' }>;
type SandboxReply = Pick<Extract<WorkerMessage, { readonly type: 'reply' }>, 'status' | 'text'>;

const NOT_RUNNING: SandboxReply = { status: 0, text: '' };

/** Executions that are repeated: the first ones, since later ones can depend on them. */
export const MAX_EXECUTIONS = 2_000;
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 3_000;

/**
 * Starts the worker. `name`: of its connection; `from`: a choice, or a state to continue from; `redact` masks secrets in
 * what is stored; `script`: the worker's file. Rejects with an Error that contains the reason if the server does not start.
 */
export async function startSandboxWorker(
  name: string,
  from: SandboxChoice | SandboxState,
  { script, redact }: { readonly script: string; readonly redact: (text: string) => string },
): Promise<RunningSandbox> {
  const worker = new Worker(script, {
    workerData: from,
    name: 'smart-objects-sandbox',
  });
  const executions: string[] = [];
  let imported = 'imported' in from && from.imported !== undefined ? readImported(from.imported) : undefined;
  const calls = new Map<number, (reply: SandboxReply) => void>();
  const changes = new Listeners<'state' | 'status'>();
  let status: SandboxStatus = { objects: from.objects, requests: 0, now: Date.now(), paused: false, faults: [] };
  // Posted by src/sandbox/worker.ts with this type.
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'executed' && executions.length < MAX_EXECUTIONS) {
      executions.push(redact(message.execution));
      changes.fire('state');
    } else if (message.type === 'status') {
      const isClockKept = (message.status.paused ? message.status.now : 0) === (status.paused ? status.now : 0);
      status = message.status;
      changes.fire(isClockKept ? 'status' : 'state');
    } else if (message.type === 'reply') calls.get(message.id)?.(message);
  });
  let hasExited = false;
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      hasExited = true;
      for (const settle of calls.values()) settle(NOT_RUNNING);
      resolve();
    });
  });
  let lastCall = 0;
  const control: RunningSandbox['control'] = async (method, name, body) => {
    const id = ++lastCall;
    const reply = await new Promise<SandboxReply>((resolve) => {
      if (hasExited) resolve(NOT_RUNNING);
      calls.set(id, resolve);
      worker.postMessage({ id, method, name, ...(body !== undefined && { body: JSON.stringify(body) }) });
    });
    calls.delete(id);
    const json: unknown = reply.text === '' ? undefined : parseJson(reply.text);
    if (reply.status === 200) return json;
    const reason = isObject(json) && typeof json['message'] === 'string' ? json['message'] : undefined;
    throw new Error(reason ?? l10n.t('The local sandbox is not running.'));
  };
  try {
    const ready = await waitForReady(worker);
    const { profile, ...credentials } = createConnection(name, ready);
    await control('GET', 'status');
    return {
      profile,
      ...credentials,
      ended,
      control,
      async stop() {
        worker.postMessage('close');
        const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
        await ended;
        clearTimeout(timer);
      },
      get state() {
        const { seed, objects } = from;
        const port = Number(new URL(profile.baseUrl).port);
        const { start, firstLog } = ready;
        return {
          seed,
          objects,
          port,
          start,
          firstLog,
          executions,
          ...(status.paused && { pausedAt: status.now }),
          ...(imported !== undefined && { imported: JSON.stringify(imported) }),
        };
      },
      async import(resources) {
        await control('POST', 'import', resources);
        imported = mergeImported(imported, resources);
        changes.fire('state');
      },
      get status() {
        return status;
      },
      listen: changes.add,
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function readImported(text: string): Imported {
  return z.parse(importedSchema, parseJson(text));
}

/** Of two resources with the same id, the newer one is kept. */
function mergeImported(old: Imported | undefined, added: Imported): Imported {
  const merge = (kind: keyof Imported) => [
    ...new Map([...(old?.[kind] ?? []), ...added[kind]].map((item) => [item.id, item])).values(),
  ];
  return { templates: merge('templates'), faces: merge('faces'), assets: merge('assets'), objects: merge('objects') };
}

function waitForReady(worker: Worker): Promise<ReadyMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(l10n.t('The local sandbox did not respond in time'))),
      START_TIMEOUT_MS,
    );
    worker.once('error', (error) => {
      clearTimeout(timer);
      reject(createStartError(error instanceof Error ? error.message : String(error)));
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(l10n.t('The local sandbox stopped while it was starting')));
    });
    worker.on('message', (message: WorkerMessage) => {
      if (message.type !== 'ready' && message.type !== 'error') return;
      clearTimeout(timer);
      if (message.type === 'ready') resolve(message);
      else reject(createStartError(message.message));
    });
  });
}

function createStartError(reason: string): Error {
  return new Error(l10n.t('The local sandbox failed to start: {0}', reason));
}

function createConnection(
  name: string,
  { baseUrl, refreshPath, organizations, apiKey, accessToken, refreshToken, buyer }: ReadyMessage,
): Pick<RunningSandbox, 'profile' | 'credential' | 'buyer'> {
  return {
    profile: {
      name,
      baseUrl,
      environment: 'sandbox',
      organizations: organizations.map(({ id, name }) => ({ id, label: toPlainText(name), source: 'settings' })),
      credentialHeaderNames: defaultCredentialHeaderNames,
      wallets: 'credential',
      refreshPath,
      links: {},
      queryFormat: defaultQueryFormat,
      source: 'memory',
    },
    credential: { apiKey, accessToken, refreshToken },
    buyer: { accessToken: buyer.accessToken, refreshToken: buyer.refreshToken },
  };
}
