import assert from 'node:assert/strict';
import { RequestRecorder } from '../../../../src/model/requests/request-recorder.ts';
import type { TraceableRecord } from '../../../../src/platform/requests/request-trace.ts';
import { useServers } from '../../../support/platform-client.ts';

suite('recorder of requests', () => {
  const { servers, createClient } = useServers();
  /** how many traces were made */
  let traced = 0;
  const count = (record: TraceableRecord): TraceableRecord => ({
    ...record,
    getTrace: () => {
      traced++;
      return record.getTrace();
    },
  });

  test('keeps nothing and masks nothing before it is started', async () => {
    traced = 0;
    const server = await servers.http((_request, response) => response.end('{"id":"a"}'));
    const recorder = new RequestRecorder();
    const changed: string[] = [];
    recorder.onDidChange((connection) => changed.push(connection));
    const client = createClient(server, {
      record: (record) => {
        recorder.record('Test', count(record), () => false);
      },
    });
    await client.read('objects', ['a']);
    assert.deepEqual([traced, recorder.get('Test'), recorder.connections, changed], [0, [], [], []]);
    recorder.start();
    await client.read('objects', ['b']);
    assert.equal(traced, 1);
    assert.equal(recorder.get('Test').length, 1);
    assert.deepEqual([recorder.connections, changed], [['Test'], ['Test']]);
  });

  test('a cleared connection is empty, and its numbers are not used again', async () => {
    const server = await servers.http((_request, response) => response.end('{"id":"a"}'));
    const recorder = new RequestRecorder();
    recorder.start();
    const client = createClient(server, {
      record: (record) => {
        recorder.record('Test', record, (text) => text.includes('short'));
      },
    });
    await client.read('objects', ['a']);
    const [first] = recorder.get('Test');
    recorder.clear('Test');
    assert.deepEqual([recorder.get('Test'), recorder.connections], [[], []]);
    await client.read('objects', ['a']);
    assert.notEqual(recorder.get('Test')[0]?.id, first?.id);
  });

  test('bodies with a secret that is too short to be masked are not kept', async () => {
    const server = await servers.http((_request, response) => response.end('{"id":"a","echo":"my pw1"}'));
    const recorder = new RequestRecorder();
    recorder.start();
    const client = createClient(server, {
      record: (record) => {
        recorder.record('Test', record, (text) => text.includes('pw1'));
      },
    });
    await client.read('objects', ['a']);
    const [request] = recorder.get('Test');
    assert.equal(request?.trace.status, 200);
    assert.doesNotMatch(JSON.stringify(request), /pw1/);
  });
});
