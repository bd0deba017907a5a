/** Starts, restarts and stops the local sandboxes of this window, each with an in-memory connection. */
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Services } from '../../commands/context.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatList } from '../../platform/text/localization.ts';
import { stateSchema, type SandboxState } from '../../sandbox/state.ts';
import { SANDBOX_STATE } from '../profiles/state-keys.ts';
import { LOCAL_SANDBOX_NAME } from '../profiles/read-profiles.ts';
import { readConnectionName } from '../session/pick-session.ts';
import { getSessionStore } from '../session/session-store.ts';
import { announceSandbox, getSandbox, listSandboxes, setSandbox } from './running.ts';
import { startSandboxWorker, type RunningSandbox, type SandboxChoice } from './sandbox-worker.ts';

/** What a sandbox has if the user chooses nothing. */
export const DEFAULT_CHOICE: SandboxChoice = { seed: 1, objects: 500 };

/** Milliseconds after its last change, after which a sandbox is not started again. */
const MAX_AGE = 24 * 3_600_000;

/** `when`: of its last change */
const storedSchema = z.array(z.extend(stateSchema, { name: z.string(), when: z.number() }));

/** Sandboxes that run or start, by name. */
const starts = new Map<string, Promise<void>>();

/** Starts the sandboxes as they were when their window was closed or reloaded, from what is stored. Never rejects. */
export async function restoreSandboxes(services: Services): Promise<void> {
  const stored = readStored(services);
  if (stored.length === 0) await services.context.workspaceState.update(SANDBOX_STATE, undefined);
  await Promise.all(
    stored.map(({ name, ...state }) =>
      openSandbox(services, name, state).catch((error: unknown) => {
        services.log.warn(`${name} could not be restored: ${getErrorMessage(error)}`);
      }),
    ),
  );
}

function readStored({ context }: Services): z.infer<typeof storedSchema> {
  const { data = [] } = z.safeParse(storedSchema, context.workspaceState.get(SANDBOX_STATE));
  return data.filter(({ when }) => Date.now() - when < MAX_AGE);
}

function storeAll({ context }: Services): Thenable<void> {
  const when = Date.now();
  const stored = listSandboxes().map(([name, { state }]) => ({ name, when, ...state }));
  return context.workspaceState.update(SANDBOX_STATE, stored.length === 0 ? undefined : stored);
}

/**
 * Starts `Local Sandbox`, or uses the running one, and makes it a signed-in, active connection. With a choice, starts a
 * further one. Rejects with Error if it does not start.
 */
export async function startSandbox(services: Services, choice?: SandboxChoice): Promise<void> {
  const store = getSessionStore(services);
  let name = LOCAL_SANDBOX_NAME;
  if (choice !== undefined)
    for (let number = 2; starts.has(name) || store.get(name) !== undefined; number++)
      name = `${LOCAL_SANDBOX_NAME} ${String(number)}`;
  const stored = choice === undefined ? readStored(services).find((each) => each.name === name) : undefined;
  await openSandbox(services, name, choice ?? stored ?? DEFAULT_CHOICE);
  await store.setActive(name);
  await vscode.commands.executeCommand('smartObjects.explorer.focus', { preserveFocus: true });
}

async function openSandbox(services: Services, name: string, from: SandboxChoice | SandboxState): Promise<void> {
  let start = starts.get(name);
  if (start === undefined) {
    start = runSandbox(services, name, from);
    starts.set(name, start);
  }
  try {
    await start;
  } catch (error) {
    starts.delete(name);
    throw error;
  }
  const sandbox = getSandbox(name);
  if (sandbox !== undefined && !getSessionStore(services).isInMemory(name)) await addConnection(services, sandbox);
}

async function addConnection(services: Services, { profile, credential }: RunningSandbox): Promise<void> {
  await getSessionStore(services).addInMemory(profile, credential);
  services.log.info(`${profile.name} is running at ${profile.baseUrl}.`);
}

/** Starts the worker, with new data if a state cannot be repeated, and follows it until it ends. */
async function runSandbox(services: Services, name: string, from: SandboxChoice | SandboxState): Promise<void> {
  const { extensionPath, subscriptions } = services.context;
  const script = path.join(extensionPath, 'dist', 'sandbox.mjs');
  const parts = { script, redact: (text: string): string => services.redact(text) };
  const start = startSandboxWorker(name, from, parts).catch((error: unknown) => {
    if (!('start' in from)) throw error;
    services.log.warn(`${name} starts with new data: ${getErrorMessage(error)}`);
    const { seed, objects, port } = from;
    return startSandboxWorker(name, { seed, objects, port }, parts);
  });
  subscriptions.push({ dispose: () => void start.then((sandbox) => sandbox.stop()).catch(() => undefined) });
  const sandbox = await start;
  setSandbox(name, sandbox);
  await storeAll(services);
  sandbox.listen((changed) => {
    if (getSandbox(name) !== sandbox) return;
    if (changed === 'state') void storeAll(services);
    else announceSandbox(name);
  });
  void sandbox.ended.then(async () => {
    if (getSandbox(name) !== sandbox) return;
    services.log.warn(`${name} stopped unexpectedly.`);
    forgetSandbox(name);
    await getSessionStore(services).removeFromMemory(...listConnections(services, sandbox));
  });
}

function forgetSandbox(name: string): void {
  starts.delete(name);
  setSandbox(name, undefined);
}

/** Names of the in-memory connections to a sandbox. */
function listConnections(services: Services, { profile }: RunningSandbox): readonly string[] {
  const store = getSessionStore(services);
  return store.inMemoryNames.filter((name) => store.get(name)?.profile.baseUrl === profile.baseUrl);
}

/** Replaces the server of a sandbox by one with other data. Rejects with Error, without the connection, if it does not start. */
export async function restartSandbox(
  services: Services,
  name: string,
  from: SandboxChoice | SandboxState,
): Promise<void> {
  const previous = getSandbox(name);
  if (previous === undefined) return;
  const store = getSessionStore(services);
  const others = listConnections(services, previous).filter((other) => other !== name);
  forgetSandbox(name);
  await store.removeFromMemory(...others);
  await previous.stop();
  try {
    const start = runSandbox(services, name, from);
    starts.set(name, start);
    await start;
  } catch (error) {
    starts.delete(name);
    await store.removeFromMemory(name);
    await storeAll(services);
    throw error;
  }
  const sandbox = getSandbox(name);
  if (sandbox !== undefined) await addConnection(services, sandbox);
}

/** The sandbox of the connection that the argument names, the only one, or the user's choice. Never rejects. */
export async function pickSandbox(
  services: Services,
  argument: unknown,
  title: string,
): Promise<RunningSandbox | undefined> {
  const running = listSandboxes().map(([, sandbox]) => sandbox);
  const baseUrl = services.sessions.get(readConnectionName(argument) ?? '')?.profile.baseUrl;
  const named = running.find(({ profile }) => profile.baseUrl === baseUrl);
  if (running.length === 0) void services.ui.info(l10n.t('The local sandbox is not running.'));
  if (named !== undefined || running.length < 2) return named ?? running[0];
  const choices = running.map((sandbox) => ({
    label: sandbox.profile.name,
    description: sandbox.profile.baseUrl,
    sandbox,
  }));
  return (await services.ui.pick(choices, { title, placeHolder: l10n.t('Select a sandbox') }))?.sandbox;
}

/** Stops a sandbox after a confirmation. Rejects if the secret store fails. */
export async function stopSandbox(services: Services, argument?: unknown): Promise<void> {
  const stopping = await pickSandbox(services, argument, l10n.t('Stop Local Sandbox'));
  if (stopping === undefined) return;
  const { name } = stopping.profile;
  const store = getSessionStore(services);
  const connections = listConnections(services, stopping);
  const others = connections.filter((other) => other !== name);
  const stop = {
    message: l10n.t('{0}: stop the local sandbox?', store.get(name)?.heading ?? name),
    detail: [
      l10n.t('Its data will be lost.'),
      ...(others.length === 0
        ? []
        : [l10n.t('Other connections to it are removed too: {0}.', formatList(others, 'unit'))]),
    ].join(' '),
    confirmLabel: l10n.t('Stop'),
  };
  // The server may have ended meanwhile.
  if (!(await services.ui.confirm(stop)) || getSandbox(name) !== stopping) return;
  forgetSandbox(name);
  await storeAll(services);
  await store.removeFromMemory(...connections);
  await stopping.stop();
  services.log.info(`${name} is stopped.`);
  void services.ui.info(l10n.t('{0} stopped. Its connection and data were removed.', name));
}
