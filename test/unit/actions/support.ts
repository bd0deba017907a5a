/** A sandbox with short delays, a client of it, and runs of action texts. */
import assert from 'node:assert/strict';
import { systemClock } from '../../../src/model/clock.ts';
import type { ClientOptions, PlatformClient } from '../../../src/platform/client.ts';
import type { Transport } from '../../../src/platform/http/transport.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { createRunPlatform } from '../../../src/actions/run/run-platform.ts';
import { formatEffect, getTargetIds } from '../../../src/actions/file/action-kinds.ts';
import { getRequestBody, parseActionFile } from '../../../src/actions/file/action-file.ts';
import type { VariableSource } from '../../../src/actions/variables/variable-source.ts';
import { performRun, type RunOptions } from '../../../src/actions/run/pipeline.ts';
import { createRunRecord, type RunRecord } from '../../../src/model/runs/run-record.ts';
import { createTestClient } from '../../support/platform-client.ts';

/** Only for hanging requests: responses take milliseconds. */
export const shortLimits = {
  indexing: 10_000,
  log: 10_000,
  batch: 10_000,
  noBatch: 1000,
  initialInterval: 5,
  maxInterval: 40,
};

export interface Rig {
  readonly sandbox: Sandbox;
  readonly client: PlatformClient;
  readonly transport: Transport;
  /** A client of the sandbox that repeats at once. */
  createClient(options?: Partial<ClientOptions>): PlatformClient;
  close(): Promise<void>;
}

export async function makeRig(): Promise<Rig> {
  const sandbox = await startSandbox({
    seed: 1,
    objects: 200,
    logs: 50,
    indexDelay: 20,
    settleDelay: 40,
    batchDelay: 15,
    logErrors: true,
  });
  const transport = createTransport({});
  const createClient = (options?: Partial<ClientOptions>): PlatformClient =>
    createTestClient(sandbox.baseUrl, transport, {
      credential: () => Promise.resolve({ apiKey: sandbox.apiKey }),
      secrets: () => [sandbox.apiKey],
      sleep: () => Promise.resolve(),
      ...options,
    });
  return {
    sandbox,
    client: createClient(),
    transport,
    createClient,
    async close() {
      await transport.close();
      await sandbox.close();
    },
  };
}

export function createRecord(text: string, name = 'test'): RunRecord {
  return createRunRecord({
    id: name,
    name,
    connection: 'Test',
    origin: 'http://127.0.0.1',
    effect: formatEffect(parseActionFile(text)),
    source: text,
  });
}

/** Variables of the environment and of the secret store; there are no others. */
export function createVariables(values: Readonly<Record<string, string>>): VariableSource {
  const get = async (name: string): Promise<string> => {
    await Promise.resolve();
    return values[name] ?? assert.fail(`${name} has no value`);
  };
  const none = (name: string): never => assert.fail(name);
  return { row: none, input: none, env: get, secret: get, file: none, run: none };
}

/** Runs an action. Resolves with the ended record and every report. */
export async function runText(
  rig: Rig,
  text: string,
  { secrets = [], ...options }: Partial<RunOptions> & { readonly secrets?: readonly string[] } = {},
): Promise<{ readonly run: RunRecord; readonly reports: readonly RunRecord[] }> {
  const file = parseActionFile(text);
  const { executes } = rig.sandbox.recorder;
  const reports: RunRecord[] = [];
  const run = await performRun(
    { record: createRecord(text), file, body: getRequestBody(file), targets: getTargetIds(file), secrets },
    {
      platform: createRunPlatform(rig.client),
      time: systemClock,
      signal: new AbortController().signal,
      report: (record) => reports.push(record),
      limits: shortLimits,
      ...options,
      // Longer for executed requests, whose logs may appear late on a busy machine.
      get searchDuration() {
        return options.searchDuration ?? (rig.sandbox.recorder.executes > executes ? 10_000 : 300);
      },
    },
  );
  return { run, reports };
}

/** Ids of the sandbox's templates and of an object for each kind of action. */
export async function readIds(rig: Rig): Promise<{
  readonly template: (name: string) => string;
  readonly object: (template: string, dropped?: boolean) => string;
}> {
  const templates = (await rig.client.listPage('templates', { limit: 100 })).items.map((item) => item.view);
  const objects = (await rig.client.listPage('objects', { limit: 100 })).items.map((item) => item.view);
  const used = new Set<string>();
  return {
    template: (name) => {
      const found = templates.find((template) => template?.name?.includes(name))?.id;
      if (found === undefined) throw new Error(`no template ${name}`);
      return found;
    },
    object: (name, dropped = false) => {
      const id = templates.find((template) => template?.name?.includes(name))?.id;
      const found = objects.find(
        (object) =>
          object?.template_id === id &&
          object?.id !== undefined &&
          !used.has(object.id) &&
          (object.location !== undefined) === dropped,
      )?.id;
      if (found === undefined) throw new Error(`no object of ${name}`);
      used.add(found);
      return found;
    },
  };
}
