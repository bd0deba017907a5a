/** Errors in responses of status 200, in the forms of live deployments: never an empty list, never an unknown outcome. */
import assert from 'node:assert/strict';
import { probe } from '../../../../src/connections/check/probe.ts';
import { summarizeProbe } from '../../../../src/connections/check/format-probe.ts';
import { formatReason } from '../../../../src/model/text/error-message.ts';
import { describeRunError } from '../../../../src/actions/run/run-errors.ts';
import { send } from '../../../../src/actions/run/send.ts';
import type { PlatformClient } from '../../../../src/platform/client.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Page } from '../../../../src/platform/page.ts';
import { createTestProfile, useServers } from '../../../support/platform-client.ts';
import { formatText } from '../../../../src/platform/text/message.ts';

const refusals: readonly (readonly [body: object, words: string])[] = [
  [{ success: false, error: { code: 'E7', message: 'scope is missing' } }, 'scope is missing'],
  [{ success: false, error: 'scope is missing' }, 'scope is missing'],
  [{ success: false, message: 'scope is missing' }, 'scope is missing'],
  [{ data: null, errors: [{ message: 'scope is missing' }] }, 'scope is missing'],
  [{ data: { objects: null }, errors: [{ message: 'scope is missing' }] }, 'scope is missing'],
  [{ errors: [{ code: 'E7', detail: 'scope is missing' }, { code: 'E8' }] }, 'scope is missing; E8'],
  [{ error: { code: 'E7', message: 'scope is missing', details: { role: 'r' } } }, 'scope is missing: {"role":"r"}'],
  [{ error: true, message: 'scope is missing' }, 'scope is missing'],
  [{ objects: null, error: 'scope is missing' }, 'scope is missing'],
  [{ data: { success: false, error: 'scope is missing' } }, 'scope is missing'],
  [{ data: { errors: [{ detail: 'scope is missing' }] } }, 'scope is missing'],
  [{ error: 403, message: 'scope is missing' }, 'scope is missing'],
];

suite('errors in responses of status 200', () => {
  const { servers, transport, createClient } = useServers();
  const open = async (body: unknown): Promise<PlatformClient> =>
    createClient(
      await servers.http((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
        response.end(JSON.stringify(body));
      }),
    );
  const fail = async (result: Promise<unknown>): Promise<PlatformError> =>
    result.then(
      () => assert.fail('resolved'),
      (error: unknown) => (error instanceof PlatformError ? error : assert.fail(String(error))),
    );

  for (const [body, words] of refusals) {
    const expectedReason = `The platform refused the request (HTTP 200) — “${words}” (request req_1)`;
    test(`lists and reads: ${JSON.stringify(body)}`, async () => {
      const client = await open(body);
      const results = [
        client.listPage('objects'),
        client.listPage('faces'),
        client.read('objects', ['obj_1']),
        client.read('faces', ['face_1']),
      ];
      for (const result of results) {
        const error = await fail(result);
        assert.deepEqual([error.code, formatReason(error)], ['badRequest', expectedReason]);
      }
    });

    test(`Check Connection: ${JSON.stringify(body)}`, async () => {
      const { target } = await open(body);
      const credential = { apiKey: 'key' };
      const found = await probe({
        profile: createTestProfile(target.baseUrl),
        credential,
        transport,
        secrets: () => ['key'],
      });
      assert.notEqual(found.credential, 'accepted');
      assert.deepEqual(summarizeProbe(found, {}, 0), { ok: false, text: `${expectedReason}.` });
    });

    test(`an execution: ${JSON.stringify(body)}`, async () => {
      const client = await open(body);
      const result = await send('{"action":{}}', client, {
        signal: AbortSignal.any([]),
        onSent: () => undefined,
      });
      assert.equal(result.kind, 'refused');
      assert.ok('error' in result && 'status' in result);
      assert.equal(formatText(describeRunError(result.error)), `The platform refused the request (HTTP 200): ${words}`);
      assert.equal(result.status, 200);
    });
  }

  test('an execution that names an action or a step is no refusal', async () => {
    for (const body of [
      { success: false, action_id: 'act_1', error: 'step 2 failed' },
      { success: false, data: { actionId: 'act_1' }, error: 'step 2 failed' },
      { steps: [{ action: 'mint', error: 'sold out' }], errors: [{ message: 'sold out' }] },
      { data: { execute: { action_id: 'act_1' } }, errors: [{ message: 'one field is not allowed' }] },
      { success: false, result: [{ actionId: 7 }], error: 'the notification was not sent' },
    ]) {
      const client = await open(body);
      const result = await send('{"action":{}}', client, {
        signal: AbortSignal.any([]),
        onSent: () => undefined,
      });
      assert.equal(result.kind, 'accepted', JSON.stringify(body));
    }
  });

  test('a list that is not where the contract has it is an error with the names in its place', async () => {
    for (const body of [
      { result: { page: { objects: [{ id: 'obj_1' }] } }, total: 1 },
      { data: { page: { objects: [{ id: 'obj_1' }] } } },
      { result: { items: [{ id: 'obj_1' }] }, total: 1 },
    ]) {
      const error = await fail((await open(body)).listPage('objects'));
      assert.equal(error.code, 'contract');
      const names = 'result' in body ? 'result, total' : 'page';
      assert.equal(error.message, `The response contains no list of objects, only: ${names}`);
    }
    // Not required by the contract: absent when empty, unless it is deeper in the response.
    const faces = await open({ result: { page: { faces: [{ id: 'face_1' }] } } });
    assert.match((await fail(faces.listPage('faces'))).message, /contains no list of faces, only: result$/);
    assert.deepEqual((await (await open({ page: { total: 0 } })).listPage('faces')).items, []);
  });

  test('a message in place of a list is no empty list', async () => {
    for (const body of [
      { message: 'invalid key' },
      { code: 401, message: 'invalid key' },
      { status: 'error', detail: 'invalid key' },
      { error_code: 'E7', error_message: 'invalid key' },
    ])
      for (const kind of ['objects', 'faces'] as const) {
        const error = await fail((await open(body)).listPage(kind));
        const names = Object.keys(body).join(', ');
        assert.equal(error.message, `The response contains no list of ${kind}, only: ${names}`);
      }
    for (const body of [
      { success: true, message: 'nothing found' },
      { status: 'OK', message: 'nothing found' },
      { message: '', error: 0 },
    ])
      assert.deepEqual((await (await open(body)).listPage('objects')).items, []);
  });

  test('an id that is a number opens, to the digit', async () => {
    const id = '900719925474099312345';
    const server = await servers.http(({ url }, response) => {
      const isList = !url.startsWith('/objects/');
      const key = url.startsWith('/objects') ? 'objects' : 'faces';
      response.end(isList ? `{"${key}":[{"id":7},{"id":${id}}]}` : `{"id":${url.slice('/objects/'.length)}}`);
    });
    const client = createClient(server);
    const { items } = await client.listPage('objects');
    assert.deepEqual(
      items.map((item) => item.id),
      ['7', id],
    );
    assert.equal((await client.read('objects', [id])).item.id, id);
    assert.equal((await client.read('faces', [id])).text.includes(id), true);
    assert.equal(server.received.at(-1)?.url, `/faces?id=${id}`);
  });

  test('tolerances hold: null, absent, another key, wrappers, and errors beside the list', async () => {
    const ids = ({ items }: Page): (string | undefined)[] => items.map(({ id }) => id);
    const item = { id: 'obj_1' };
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ objects: null }, []],
      [{}, []],
      [{ next: '', total: 0, success: true }, []],
      [{ objects: null, error: null, errors: [] }, []],
      [{ items: [item] }, ['obj_1']],
      [{ success: true, data: { objects: [item] } }, ['obj_1']],
      [{ success: true, data: [item], error: '' }, ['obj_1']],
      [{ objects: [item], errors: [{ message: 'one shard is slow' }] }, ['obj_1']],
    ];
    for (const [body, expected] of cases)
      assert.deepEqual(ids(await (await open(body)).listPage('objects')), expected, JSON.stringify(body));
    const read = await (
      await open({ id: 'obj_1', success: false, error: 'a field of the object' })
    ).read('objects', ['obj_1']);
    assert.equal(read.item.id, 'obj_1');
  });
});
