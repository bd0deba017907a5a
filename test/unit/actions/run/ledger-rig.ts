/** Runs over a ledger server, on a clock that is a hundred times faster. */
import type { Clock } from '../../../../src/model/clock.ts';
import { getRequestBody, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { defaultFollowLimits } from '../../../../src/actions/follow/snapshot.ts';
import { createRunPlatform, type RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { performRun, type RunOptions } from '../../../../src/actions/run/pipeline.ts';
import type { PlatformClient } from '../../../../src/platform/client.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { LedgerServer, type LedgerOptions } from '../../../support/ledger-server.ts';
import { createRecord } from '../support.ts';
import { createTestClient, PATIENT } from '../../../support/platform-client.ts';

const SPEED = 100;
const startedAt = Date.now();
/** A clock of client and server that runs a hundred times as fast. */
export const now = (): number => startedAt + (Date.now() - startedAt) * SPEED;
export const time: Clock = {
  now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stopped = (): void => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stopped);
        resolve();
      }, milliseconds / SPEED);
      if (signal.aborted) stopped();
      else signal.addEventListener('abort', stopped, { once: true });
    }),
};
/** Long, as tests wait for events; tests of timeouts set their own. */
export const limits = { ...defaultFollowLimits, indexing: 3_600_000, log: 3_600_000, batch: 3_600_000 };

export class Rig {
  readonly #ledger: LedgerServer;
  readonly #transport = createTransport({ environment: {} });

  private constructor(ledger: LedgerServer) {
    this.#ledger = ledger;
  }

  static async start(options: LedgerOptions = {}): Promise<Rig> {
    return new Rig(await LedgerServer.start({ now, ...options }));
  }

  get ledger(): LedgerServer {
    return this.#ledger;
  }

  client(timeout = 60_000, baseUrl = this.#ledger.baseUrl, maxConcurrent = 6): PlatformClient {
    return createTestClient(baseUrl, this.#transport, {
      executeTimeouts: { ...PATIENT, headers: timeout, body: timeout },
      maxConcurrent,
    });
  }

  platform(client = this.client()): RunPlatform {
    // Client and server share the fast clock.
    return { ...createRunPlatform(client), clockAhead: () => 0 };
  }

  async run(text: string, options: Partial<RunOptions> = {}, targets: readonly string[] = []): Promise<RunRecord> {
    const file = parseActionFile(text);
    return performRun(
      { record: { ...createRecord(text), started: now() }, file, body: getRequestBody(file), targets, secrets: [] },
      {
        platform: this.platform(),
        time,
        limits,
        signal: new AbortController().signal,
        report: () => undefined,
        ...options,
      },
    );
  }

  async close(): Promise<void> {
    await this.#transport.close();
    await this.#ledger.close();
  }
}

export function update(marker: string, more: object = {}): string {
  return JSON.stringify({
    action: { update: { id: `obj_${marker}`, data: { custom: { marker } } } },
    nonce: `nonce ${marker}`,
    ...more,
  });
}
