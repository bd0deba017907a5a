/** A process that runs one action over the product's own pipeline, until it is killed: `node killed-run.ts <base URL> <storage> <text>`. */
import { bodyOf, parseActionFile } from '../../src/actions/file.ts';
import { realTime, runPlatform } from '../../src/actions/platform.ts';
import { performRun } from '../../src/actions/run.ts';
import { RunStore } from '../../src/actions/store.ts';
import { PlatformClient } from '../../src/platform/client.ts';
import { defaultPresentation, defaultQueryWords } from '../../src/platform/target.ts';
import { createTransport } from '../../src/platform/undici.ts';

const [baseUrl = '', storage = '', text = ''] = process.argv.slice(2);
const timeouts = { connect: 60_000, headers: 60_000, body: 60_000 };
const client = new PlatformClient({
  target: { name: 'Ledger', baseUrl, presentation: defaultPresentation, words: defaultQueryWords },
  transport: createTransport({ environment: {} }),
  timeouts,
  credential: () => Promise.resolve(undefined),
});
const store = new RunStore({
  storage,
  log: {
    warn: (message) => {
      console.error(message);
    },
  },
});
await performRun(
  {
    record: {
      id: 'run-of-the-child',
      name: 'child',
      connection: 'Ledger',
      origin: new URL(baseUrl).origin,
      started: Date.now(),
      phase: 'preparing',
      effect: 'Updates an object',
      source: text,
      steps: [],
      affected: [],
      possible: [],
    },
    body: bodyOf(parseActionFile(text)),
    targets: [],
    secrets: [],
  },
  {
    platform: runPlatform(client),
    time: realTime,
    signal: new AbortController().signal,
    report: (run) => {
      store.put(run);
    },
    save: (run) => store.save(run),
  },
);
