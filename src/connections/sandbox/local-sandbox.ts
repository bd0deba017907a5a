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
import { announceSandbox, getSandbox, listSandboxes, SANDBOX_BUYER, setSandbox } from './running.ts';
import { startSandboxWorker, type RunningSandbox, type SandboxChoice } from './sandbox-worker.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

/** What a sandbox has if the user never chose anything. */
const DEFAULT_CHOICE: SandboxChoice = { seed: 1, objects: 500 };

const choiceSchema = z.object({ objects: z.optional(z.int()), seed: z.optional(z.int()), port: z.optional(z.int()) });
const CHOICE = 'sandbox.choice';

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
      openSandbox(services, name, ...listStarts(state)).catch((error: unknown) =>
        services.log.warn(`${name} could not be restored: ${getErrorMessage(error)}`),
      ),
    ),
  );
}

function readStored({ context }: Services): z.infer<typeof storedSchema> {
  const { data = [] } = z.safeParse(storedSchema, context.workspaceState.get(SANDBOX_STATE));
  return data.filter(({ when }) => Date.now() - when < MAX_AGE);
}

/** Stores those that run, and keeps what is stored of others, which start or could not be started, but for `stopped`. */
function storeAll(services: Services, stopped?: string): Thenable<void> {
  const when = Date.now();
  const running = listSandboxes().map(([name, { state }]) => ({ name, when, ...state }));
  const others = readStored(services).filter(({ name }) => name !== stopped && getSandbox(name) === undefined);
  const stored = [...running, ...others];
  return services.context.workspaceState.update(SANDBOX_STATE, stored.length === 0 ? undefined : stored);
}

/** The valid parts of a choice, by default of the one that was stored last, and the defaults of the others. */
export function readChoice({ context }: Services, value: unknown = context.globalState.get(CHOICE)): SandboxChoice {
  const { data = {} } = z.safeParse(choiceSchema, value);
  const { objects = DEFAULT_CHOICE.objects, seed = DEFAULT_CHOICE.seed, port } = data;
  return { objects, seed, ...(port !== undefined && port > 0 && { port }) };
}

/** Keeps a choice for later sandboxes, in all windows. Rejects if the memento cannot be written. */
export async function storeChoice({ context }: Services, choice: SandboxChoice): Promise<void> {
  await context.globalState.update(CHOICE, choice);
}

/**
 * Starts `Local Sandbox` as the user last chose, or uses the running one, and makes it a signed-in, active connection. With a
 * choice, starts a further one. Rejects with Error if it does not start.
 */
export async function startSandbox(services: Services, choice?: SandboxChoice): Promise<void> {
  const store = getSessionStore(services);
  let name = LOCAL_SANDBOX_NAME;
  if (choice !== undefined)
    for (let number = 2; starts.has(name) || store.get(name) !== undefined; number++)
      name = `${LOCAL_SANDBOX_NAME} ${String(number)}`;
  const stored = choice === undefined ? readStored(services).find((each) => each.name === name) : undefined;
  if (choice !== undefined) await openSandbox(services, name, choice);
  else await openSandbox(services, name, ...listStarts(stored ?? readChoice(services)));
  await store.setActive(name);
  await vscode.commands.executeCommand('smartObjects.explorer.focus', { preserveFocus: true });
}

type Start = SandboxChoice | SandboxState;

/** The same on any port, if another program or window has the port; new data if a state cannot be repeated. */
function listStarts(from: Start): readonly Start[] {
  const { seed, objects } = from;
  return [from, { ...from, port: undefined }, ...('start' in from ? [{ seed, objects }] : [])];
}

async function openSandbox(services: Services, name: string, ...from: readonly Start[]): Promise<void> {
  const start = getOrAdd(starts, name, () => runSandbox(services, name, from));
  try {
    await start;
  } catch (error) {
    starts.delete(name);
    throw error;
  }
  const sandbox = getSandbox(name);
  if (sandbox !== undefined && !getSessionStore(services).isInMemory(name)) await addConnection(services, sandbox);
}

/** Adds the connection; its buyer is signed in again after a reload of the window, and if the data was replaced. */
async function addConnection(services: Services, { profile, credential, buyer }: RunningSandbox): Promise<void> {
  const store = getSessionStore(services);
  const isKnown = (): boolean => store.getIdentity(profile.name, SANDBOX_BUYER) !== undefined;
  const wasSignedIn = isKnown();
  await store.addInMemory(profile, credential);
  const session = store.getIdentity(profile.name, undefined);
  if (session !== undefined && (wasSignedIn || isKnown())) await store.signIn(session, buyer, SANDBOX_BUYER);
  services.log.info(`${profile.name} is running at ${profile.baseUrl}.`);
}

/** Starts the worker from the first of what is given that works, and follows it until it ends. Rejects with the last Error. */
async function runSandbox(services: Services, name: string, [from, ...others]: readonly Start[]): Promise<void> {
  if (from === undefined) return;
  const { extensionPath, subscriptions } = services.context;
  const script = path.join(extensionPath, 'dist', 'sandbox.mjs');
  const start = startSandboxWorker(name, from, { script, redact: (text) => services.redact(text) });
  subscriptions.push({ dispose: () => void start.then((sandbox) => sandbox.stop()).catch(() => undefined) });
  let sandbox: RunningSandbox;
  try {
    sandbox = await start;
  } catch (error) {
    if (others.length === 0) throw error;
    services.log.warn(`${name} starts in another way: ${getErrorMessage(error)}`);
    return runSandbox(services, name, others);
  }
  setSandbox(name, sandbox);
  await storeAll(services);
  sandbox.listen((changed) => {
    if (getSandbox(name) !== sandbox) return;
    if (changed === 'state') void storeAll(services);
    announceSandbox(name);
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

/** Replaces the server of a sandbox by one with other data. Rejects with Error, with the sandbox as it was, if it does not start. */
export async function restartSandbox(services: Services, name: string, from: Start): Promise<void> {
  const previous = getSandbox(name);
  if (previous === undefined) return;
  const { state } = previous;
  const store = getSessionStore(services);
  const others = listConnections(services, previous).filter((other) => other !== name);
  forgetSandbox(name);
  await store.removeFromMemory(...others);
  await previous.stop();
  const restart = async (...starting: readonly Start[]): Promise<void> => {
    const start = runSandbox(services, name, starting);
    starts.set(name, start);
    await start;
  };
  try {
    await restart(from, { ...from, port: undefined });
  } catch (error) {
    await restart(...listStarts(state)).catch(() => undefined);
    throw error;
  } finally {
    const sandbox = getSandbox(name);
    if (sandbox !== undefined) await addConnection(services, sandbox);
    else {
      starts.delete(name);
      await store.removeFromMemory(name);
      await storeAll(services);
    }
  }
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
  await storeAll(services, name);
  await store.removeFromMemory(...connections);
  await stopping.stop();
  services.log.info(`${name} is stopped.`);
  void services.ui.info(l10n.t('{0} stopped. Its connection and data were removed.', name));
}
