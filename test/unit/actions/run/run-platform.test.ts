/** The requests of a run: what they return, and that stopping ends them. */
import assert from 'node:assert/strict';
import { createRunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { useServers } from '../../../support/platform-client.ts';

suite('requests of a run', () => {
  const { servers, createClient } = useServers();

  test('an execution has its status and the id of its request, if the platform gives one', async () => {
    const ids = ['req-7', undefined];
    const server = await servers.http((_request, response) => {
      const id = ids.shift();
      response.writeHead(202, { 'content-type': 'application/json', ...(id !== undefined && { 'x-request-id': id }) });
      response.end('{"action_id": "act_1"}');
    });
    const platform = createRunPlatform(createClient(server));
    const executions: object[] = [];
    for (let count = 0; count < 2; count++) {
      const options = { signal: new AbortController().signal, onSent: () => undefined };
      const { raw, status, requestId } = await platform.execute('{"action": {}}', options);
      executions.push([raw, status, requestId]);
    }
    assert.deepEqual(executions, [
      [{ action_id: 'act_1' }, 202, 'req-7'],
      [{ action_id: 'act_1' }, 202, undefined],
    ]);
  });

  test('the time of the platform is that of its last response', async () => {
    const server = await servers.http((_request, response) => {
      response.writeHead(200, { date: new Date(Date.now() + 600_000).toUTCString() }).end('{"action_logs": []}');
    });
    const platform = createRunPlatform(createClient(server));
    await platform.logs({}, new AbortController().signal);
    const ahead = platform.clockAhead?.() ?? 0;
    assert.ok(Math.abs(ahead - 600_000) < 60_000, String(ahead));
  });

  test('a read that the platform does not respond to ends when it is stopped', async () => {
    let stop = new AbortController();
    const server = await servers.http(() => stop.abort());
    const platform = createRunPlatform(createClient(server));
    for (const read of [
      () => platform.logs({}, stop.signal),
      () => platform.batch('bat_1', stop.signal),
      () => platform.object('obj_1', stop.signal),
    ]) {
      stop = new AbortController();
      await assert.rejects(read(), { code: 'cancelled' });
    }
  });
});
