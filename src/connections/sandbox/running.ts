/** The sandboxes of this window, by the name of their connection, for the views that show them. */
import type { SandboxStatus } from '../../sandbox/control-endpoints.ts';
import { Listeners } from '../../model/listeners.ts';
import type { RunningSandbox } from './sandbox-worker.ts';

/** Name of the identity of a sandbox's other wallet. */
export const SANDBOX_BUYER = 'buyer';

const sandboxes = new Map<string, RunningSandbox>();
const changed = new Listeners<string>();

/** Names and servers, in the order of their start. */
export function listSandboxes(): readonly (readonly [name: string, sandbox: RunningSandbox])[] {
  return [...sandboxes];
}

/** The sandbox of a connection. */
export function getSandbox(name: string): RunningSandbox | undefined {
  return sandboxes.get(name);
}

/** What the sandbox of a connection last reported; `undefined` for other connections. */
export function getSandboxStatus(name: string): SandboxStatus | undefined {
  return sandboxes.get(name)?.status;
}

/** Replaces the sandbox of a connection; `undefined` removes it. */
export function setSandbox(name: string, sandbox: RunningSandbox | undefined): void {
  if (sandbox === undefined) sandboxes.delete(name);
  else sandboxes.set(name, sandbox);
  announceSandbox(name);
}

/** Tells the listeners that a sandbox has another status. */
export function announceSandbox(name: string): void {
  changed.fire(name);
}

/** Calls back with the name of each sandbox that starts, ends or has another status. */
export const onDidChangeSandbox = changed.add;
