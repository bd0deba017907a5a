/** What the tests of actions share: a sandbox with short delays, and a client of it. */
import { PlatformClient } from '../../../src/platform/client.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { realTime, runPlatform } from '../../../src/actions/platform.ts';
import { effectOf, targetsOf } from '../../../src/actions/kinds.ts';
import { bodyOf, parseActionFile } from '../../../src/actions/file.ts';
import { performRun, type RunOptions } from '../../../src/actions/run.ts';
import type { RunRecord } from '../../../src/actions/record.ts';

/** They end a true hang; what is waited for comes in milliseconds. */
export const shortLimits = { indexing: 10_000, log: 10_000, batch: 10_000, noBatch: 1000, first: 5, longest: 40 };

export interface Rig {
  readonly sandbox: Sandbox;
  readonly client: PlatformClient;
  readonly transport: Transport;
  close(): Promise<void>;
}

export async function makeRig(timeout = 5000): Promise<Rig> {
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
  const timeouts = { connect: timeout, headers: timeout, body: timeout };
  const client = new PlatformClient({
    target: {
      name: 'Test',
      baseUrl: sandbox.baseUrl,
      presentation: defaultPresentation,
      words: defaultQueryWords,
    },
    transport,
    timeouts,
    credential: () => Promise.resolve({ apiKey: sandbox.apiKey }),
    secrets: () => [sandbox.apiKey],
    sleep: () => Promise.resolve(),
  });
  return {
    sandbox,
    client,
    transport,
    async close() {
      await transport.close();
      await sandbox.close();
    },
  };
}

export function recordOf(text: string, name = 'test'): RunRecord {
  return {
    id: name,
    name,
    connection: 'Test',
    origin: 'http://127.0.0.1',
    started: Date.now(),
    phase: 'preparing',
    effect: effectOf(parseActionFile(text)),
    source: text,
    steps: [],
    affected: [],
    possible: [],
  };
}

/** Runs an action's text on the rig and returns the ended record with every report on the way. */
export async function runText(
  rig: Rig,
  text: string,
  { secrets = [], ...options }: Partial<RunOptions> & { readonly secrets?: readonly string[] } = {},
): Promise<{ readonly run: RunRecord; readonly reports: readonly RunRecord[] }> {
  const file = parseActionFile(text);
  const { executes } = rig.sandbox.recorder;
  const reports: RunRecord[] = [];
  const run = await performRun(
    { record: recordOf(text), body: bodyOf(file), targets: targetsOf(file), secrets },
    {
      platform: runPlatform(rig.client),
      time: realTime,
      signal: new AbortController().signal,
      report: (record) => reports.push(record),
      limits: shortLimits,
      ...options,
      // What was executed is looked for until it is found, however busy the machine; what was not, not for long.
      get searchFor() {
        return options.searchFor ?? (rig.sandbox.recorder.executes > executes ? 10_000 : 300);
      },
    },
  );
  return { run, reports };
}

/** Ids of the sandbox's templates and of an object for each kind of action. */
export async function idsOf(rig: Rig): Promise<{
  readonly template: (name: string) => string;
  readonly object: (template: string, dropped?: boolean) => string;
}> {
  const templates = (await rig.client.page('templates', { limit: 100 })).items.map((item) => item.view);
  const objects = (await rig.client.page('objects', { limit: 100 })).items.map((item) => item.view);
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
