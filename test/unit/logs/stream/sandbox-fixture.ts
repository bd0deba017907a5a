import type { PlatformClient } from '../../../../src/platform/client.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { startSandbox, type Sandbox } from '../../../../src/sandbox/server.ts';
import type { SandboxOptions } from '../../../../src/sandbox/options.ts';
import { createTestClient, PATIENT } from '../../../support/platform-client.ts';

export interface SandboxFixture {
  readonly sandbox: Sandbox;
  readonly client: PlatformClient;
  close(): Promise<void>;
}

/** Starts a sandbox with a manual clock, and a client of it that gives a response up soon only while they are slow. */
export async function startSandboxFixture(options: SandboxOptions = {}): Promise<SandboxFixture> {
  const sandbox = await startSandbox({ seed: 1, objects: 50, logs: 40, clock: 'manual', ...options });
  const transport = createTransport({});
  const client = createTestClient(sandbox.baseUrl, transport, {
    timeouts: {
      ...PATIENT,
      get headers() {
        return sandbox.faults.list().some(({ fault }) => fault === 'slowHeaders') ? 200 : PATIENT.headers;
      },
    },
    maxBytes: 8 * 1024 * 1024,
    credential: () => Promise.resolve({ apiKey: sandbox.apiKey }),
    secrets: () => [sandbox.apiKey],
    sleep: () => Promise.resolve(),
  });
  return {
    sandbox,
    client,
    async close() {
      await transport.close();
      await sandbox.close();
    },
  };
}

/** A timer that never fires. */
export const neverRun = (): (() => void) => () => undefined;
