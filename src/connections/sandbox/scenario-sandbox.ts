/** The sandbox of a scenario: a worker and an in-memory connection, which end with its run. */
import path from 'node:path';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import type { FaultSpec } from '../../sandbox/faults/faults.ts';
import type { SandboxState } from '../../sandbox/state.ts';
import { getSessionStore } from '../session/session-store.ts';
import { SANDBOX_BUYER } from './running.ts';
import { startSandboxWorker, type SandboxChoice } from './sandbox-worker.ts';

/**
 * Starts a sandbox with its faults, connects to it as its owner and as its buyer, and calls `run`; afterwards connection and
 * sandbox are gone. `name`: of the connection, unless another has it. Rejects with Error if it does not start, and as `run`.
 */
export async function withScenarioSandbox(
  services: Services,
  name: string,
  { from, faults }: { readonly from: SandboxChoice | SandboxState; readonly faults: readonly FaultSpec[] },
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const store = getSessionStore(services);
  const script = path.join(services.context.extensionPath, 'dist', 'sandbox.mjs');
  const sandbox = await startSandboxWorker(name, from, { script, redact: (text) => services.redact(text) });
  let connection = name;
  for (let number = 2; store.inMemoryNames.includes(connection) || store.get(connection) !== undefined; number++)
    connection = `${name} ${String(number)}`;
  try {
    for (const fault of faults) await sandbox.control('POST', 'faults', fault);
    await store.addInMemory({ ...sandbox.profile, name: connection }, sandbox.credential);
    const added = store.get(connection);
    if (added !== undefined) await store.signIn(added, sandbox.buyer, SANDBOX_BUYER);
    const session = store.get(connection);
    if (session !== undefined) await run(session);
  } finally {
    await store.removeFromMemory(connection);
    await sandbox.stop();
  }
}
