/** Start Local Sandbox and Stop Local Sandbox. */
import * as vscode from 'vscode';
import type { Services } from '../../commands/entry.ts';
import { LOCAL_SANDBOX } from '../profiles.ts';
import { startSandboxWorker, type RunningSandbox } from '../sandbox-host.ts';
import { storeOf } from '../services.ts';

let running: Promise<RunningSandbox> | undefined;

/** Starts it, or takes the one that runs; `Local Sandbox` is then a connection, signed in, and the active one. */
export async function startSandbox(services: Services): Promise<void> {
  const store = storeOf(services);
  if (running === undefined) {
    const starting = startSandboxWorker(services.context.extensionPath);
    running = starting;
    services.context.subscriptions.push({ dispose: () => void stopWorker(starting) });
    try {
      const { ended } = await starting;
      void ended.then(async () => {
        if (running !== starting) return;
        running = undefined;
        services.log.warn(`${LOCAL_SANDBOX} has ended by itself.`);
        await store.removeFromMemory(...store.inMemory);
      });
    } catch (error) {
      running = undefined;
      throw error;
    }
  }
  const { profile, credential } = await running;
  if (!store.isInMemory(LOCAL_SANDBOX)) {
    await store.addInMemory(profile, credential);
    services.log.info(`${LOCAL_SANDBOX} runs at ${profile.baseUrl}.`);
  }
  await store.activate(LOCAL_SANDBOX);
  await vscode.commands.executeCommand('smartObjects.explorer.focus', { preserveFocus: true });
}

/** Asks first, from each of its doors. */
export async function stopSandbox(services: Services): Promise<void> {
  const stopping = running;
  if (stopping === undefined) {
    void services.ui.info('The local sandbox is not running.');
    return;
  }
  const store = storeOf(services);
  const heading = store.get(LOCAL_SANDBOX)?.heading ?? LOCAL_SANDBOX;
  const others = store.inMemory.filter((name) => name !== LOCAL_SANDBOX);
  const stop = {
    message: `${heading}: stop the local sandbox?`,
    detail: `Its data is lost.${others.length === 0 ? '' : ` These connections to it end too: ${others.join(', ')}.`}`,
    action: 'Stop',
  };
  // It may have ended by itself meanwhile.
  if (!(await services.ui.confirm(stop)) || running !== stopping) return;
  running = undefined;
  await store.removeFromMemory(...store.inMemory);
  await stopWorker(stopping);
  services.log.info(`${LOCAL_SANDBOX} is stopped.`);
  void services.ui.info(`${LOCAL_SANDBOX} is stopped. Its connection and its data are gone.`);
}

async function stopWorker(worker: Promise<RunningSandbox>): Promise<void> {
  await worker.then((sandbox) => sandbox.stop()).catch(() => undefined);
}
