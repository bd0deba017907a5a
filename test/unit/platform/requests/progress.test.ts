/** A wait that the platform asks for, as a step of a progress. */
import assert from 'node:assert/strict';
import { reportWaits } from '../../../../src/platform/requests/progress.ts';
import { useServers } from '../../../support/platform-client.ts';

suite('progress of work that waits', () => {
  const { servers, createClient } = useServers();

  test('says how long the platform asked to wait, and the next step once it goes on', async () => {
    let count = 0;
    const server = await servers.http((_request, response) => {
      if (++count === 1) response.writeHead(429, { 'retry-after': '7' }).end('{}');
      else response.end('{"id":"a"}');
    });
    const waited: number[] = [];
    const client = createClient(server, {
      sleep: (milliseconds) => {
        waited.push(milliseconds);
        return Promise.resolve();
      },
    });
    const steps: string[] = [];
    await reportWaits(
      (step) => steps.push(step),
      async (report) => {
        report('Reading');
        await client.read('objects', ['a']);
        report('Done');
      },
    );
    assert.deepEqual(steps, ['Reading', 'Waiting 7 s, asked by the platform', 'Done']);
    assert.ok((waited[0] ?? 0) >= 7000);
  });

  test('a wait ends with the step before it', async () => {
    const server = await servers.http((_request, response) => {
      response.writeHead(429, { 'retry-after': '1' }).end('{}');
    });
    const steps: string[] = [];
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const client = createClient(server, { sleep: () => isOver });
    await reportWaits(
      (step) => {
        if (steps.push(step) === 3) end();
      },
      async (report) => {
        report('Reading');
        await client.read('objects', ['a']).catch(() => undefined);
      },
    );
    assert.deepEqual(steps.slice(0, 3), ['Reading', 'Waiting 1 s, asked by the platform', 'Reading']);
  });

  test('work that does not wait reports its own steps only', async () => {
    const server = await servers.http((_request, response) => {
      response.writeHead(503).end('{}');
    });
    const client = createClient(server, { sleep: () => Promise.resolve() });
    const steps: string[] = [];
    const work = reportWaits(
      (step) => steps.push(step),
      async () => client.read('objects', ['a']),
    );
    await assert.rejects(work, { code: 'server' });
    assert.deepEqual(steps, []);
  });
});
