/** Runs a stored batch of the panel until its end or until killed: `node killed-batch.ts <base URL> <storage> <id>`. */
import module from 'node:module';
import { openDataFile } from '../../src/actions/bulk/data/open-data.ts';
import { createBatchPlatform } from '../../src/actions/bulk/batch-platform.ts';
import { PanelBatch } from '../../src/actions/bulk/panel/panel-batch.ts';
import { BatchStorage } from '../../src/actions/bulk/panel/panel-storage.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { createTestClient } from './platform-client.ts';

// A process that is killed does not write its cache of compiled modules.
module.flushCompileCache();
const [baseUrl = '', folder = '', id = ''] = process.argv.slice(2);
const transport = createTransport({ environment: {} });
const client = createTestClient(baseUrl, transport);
const storage = new BatchStorage(folder);
const stored = await storage.read(id);
const batch = new PanelBatch({
  storage,
  stored,
  openData: (signal) => openDataFile({ path: storage.getData(id), name: stored.data.name, signal }),
  onDidChange: () => undefined,
});
const reject = (): Promise<string> => Promise.reject(new Error('no such variable'));
const context = {
  connection: { name: stored.connection, baseUrl },
  platform: createBatchPlatform(client),
  variables: { input: reject, env: reject, secret: reject, file: reject, run: reject },
  getSigner: () => undefined,
};
await batch.load(context);
if (batch.problem !== undefined) throw new Error(batch.problem);
const run = await batch.run(context);
const totals = await run.ended;
const rows = await batch.readRows(batch.select('all'));
console.log(JSON.stringify({ reason: totals.reason, states: rows.map(({ state }) => state) }));
await batch.close();
await transport.close();
