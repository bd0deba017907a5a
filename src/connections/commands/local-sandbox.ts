/** Start Local Sandbox and Stop Local Sandbox. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Services } from '../../commands/context.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { SANDBOX_STATE } from '../profiles/state-keys.ts';
import { LOCAL_SANDBOX_NAME } from '../profiles/read-profiles.ts';
import { startSandboxWorker, type RunningSandbox } from './sandbox-worker.ts';
import { getSessionStore } from '../session/session-store.ts';
import { formatList } from '../../platform/text/localization.ts';

/** Milliseconds after which a sandbox is not started again. */
const MAX_AGE = 24 * 3_600_000;

const storedStateSchema = z.object({ start: z.number(), firstLog: z.number(), executions: z.array(z.string()) });

let runningSandbox: Promise<RunningSandbox> | undefined;

/** Starts the sandbox as it was when its window was closed or reloaded, from what is stored. Never rejects. */
export async function restoreSandbox(services: Services): Promise<void> {
  try {
    if (readState(services) === undefined) await services.context.workspaceState.update(SANDBOX_STATE, undefined);
    else await addSandbox(services);
  } catch (error) {
    services.log.warn(`${LOCAL_SANDBOX_NAME} could not be restored: ${getErrorMessage(error)}`);
  }
}

function readState({ context }: Services): z.infer<typeof storedStateSchema> | undefined {
  const { data } = z.safeParse(storedStateSchema, context.workspaceState.get(SANDBOX_STATE));
  return data !== undefined && Date.now() - data.start < MAX_AGE ? data : undefined;
}

/** Starts the worker as it is stored, else a new one. */
async function startWorker(services: Services): Promise<RunningSandbox> {
  const { extensionPath } = services.context;
  const redact = (text: string): string => services.redact(text);
  const state = readState(services);
  if (state === undefined) return startSandboxWorker(extensionPath, redact);
  const { start, ...replay } = state;
  try {
    return await startSandboxWorker(extensionPath, redact, { start, replay });
  } catch (error) {
    services.log.warn(`${LOCAL_SANDBOX_NAME} starts with new data: ${getErrorMessage(error)}`);
    return startSandboxWorker(extensionPath, redact);
  }
}

/**
 * Starts the sandbox, or uses the running one, and makes `Local Sandbox` a signed-in, active connection. Rejects with
 * Error if it does not start.
 */
export async function startSandbox(services: Services): Promise<void> {
  await addSandbox(services);
  await getSessionStore(services).setActive(LOCAL_SANDBOX_NAME);
  await vscode.commands.executeCommand('smartObjects.explorer.focus', { preserveFocus: true });
}

async function addSandbox(services: Services): Promise<void> {
  const store = getSessionStore(services);
  if (runningSandbox === undefined) {
    const starting = startWorker(services);
    runningSandbox = starting;
    services.context.subscriptions.push({ dispose: () => void stopWorker(starting) });
    try {
      const sandbox = await starting;
      sandbox.listen((state) => {
        if (runningSandbox === starting) void services.context.workspaceState.update(SANDBOX_STATE, state);
      });
      void sandbox.ended.then(async () => {
        if (runningSandbox !== starting) return;
        runningSandbox = undefined;
        services.log.warn(`${LOCAL_SANDBOX_NAME} stopped unexpectedly.`);
        await store.removeFromMemory(...store.inMemoryNames);
      });
    } catch (error) {
      runningSandbox = undefined;
      throw error;
    }
  }
  const { profile, credential } = await runningSandbox;
  if (!store.isInMemory(LOCAL_SANDBOX_NAME)) {
    await store.addInMemory(profile, credential);
    services.log.info(`${LOCAL_SANDBOX_NAME} is running at ${profile.baseUrl}.`);
  }
}

/** Resolves with the credential of another wallet of the sandbox; `undefined` for other connections. Never rejects. */
export async function getSandboxBuyer(connection: string): Promise<Credential | undefined> {
  const sandbox = connection === LOCAL_SANDBOX_NAME ? await runningSandbox?.catch(() => undefined) : undefined;
  return sandbox?.buyer;
}

/** Stops the sandbox after a confirmation. Rejects if the secret store fails. */
export async function stopSandbox(services: Services): Promise<void> {
  const stopping = runningSandbox;
  if (stopping === undefined) {
    void services.ui.info(l10n.t('The local sandbox is not running.'));
    return;
  }
  const store = getSessionStore(services);
  const heading = store.get(LOCAL_SANDBOX_NAME)?.heading ?? LOCAL_SANDBOX_NAME;
  const others = store.inMemoryNames.filter((name) => name !== LOCAL_SANDBOX_NAME);
  const stop = {
    message: l10n.t('{0}: stop the local sandbox?', heading),
    detail: [
      l10n.t('Its data will be lost.'),
      ...(others.length === 0
        ? []
        : [l10n.t('Other connections to it are removed too: {0}.', formatList(others, 'unit'))]),
    ].join(' '),
    confirmLabel: l10n.t('Stop'),
  };
  // The server may have ended meanwhile.
  if (!(await services.ui.confirm(stop)) || runningSandbox !== stopping) return;
  runningSandbox = undefined;
  await services.context.workspaceState.update(SANDBOX_STATE, undefined);
  await store.removeFromMemory(...store.inMemoryNames);
  await stopWorker(stopping);
  services.log.info(`${LOCAL_SANDBOX_NAME} is stopped.`);
  void services.ui.info(l10n.t('{0} stopped. Its connection and data were removed.', LOCAL_SANDBOX_NAME));
}

async function stopWorker(worker: Promise<RunningSandbox>): Promise<void> {
  await worker.then((sandbox) => sandbox.stop()).catch(() => undefined);
}
