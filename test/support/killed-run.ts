/** Runs one action with the product's pipeline until killed: `node killed-run.ts <base URL> <storage> <text>`. */
import { systemClock } from '../../src/model/clock.ts';
import { getRequestBody, parseActionFile } from '../../src/actions/file/action-file.ts';
import { createRunPlatform } from '../../src/actions/run/run-platform.ts';
import { performRun } from '../../src/actions/run/pipeline.ts';
import { createRunRecord } from '../../src/model/runs/run-record.ts';
import { RunStore } from '../../src/actions/history/run-store.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { createTestClient } from './platform-client.ts';

const [baseUrl = '', storage = '', text = ''] = process.argv.slice(2);
const client = createTestClient(baseUrl, createTransport({ environment: {} }), {
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
const file = parseActionFile(text);
await performRun(
  {
    record: createRunRecord({
      id: 'run-of-the-child',
      name: 'child',
      connection: 'Ledger',
      origin: new URL(baseUrl).origin,
      effect: 'Updates an object',
      source: text,
    }),
    file,
    body: getRequestBody(file),
    targets: [],
    secrets: [],
  },
  {
    platform: createRunPlatform(client),
    time: systemClock,
    signal: new AbortController().signal,
    report: (run) => {
      store.put(run);
    },
    save: (run) => store.save(run),
  },
);
