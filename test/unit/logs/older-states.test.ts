/** A platform with several copies of its data: an older state of a log comes after a newer one, also in one page. */
import assert from 'node:assert/strict';
import type { PlatformClient } from '../../../src/platform/client.ts';
import { actionLogs } from '../../../src/platform/resources/action-logs.ts';
import { PagedList } from '../../../src/explorer/tree/paged-list.ts';
import { LogBuffer } from '../../../src/logs/stream/buffer.ts';
import { Tail } from '../../../src/logs/stream/tail.ts';
import { readHistory } from '../../../src/logs/history/read-history.ts';
import { createTestProfile, useServers } from '../../support/platform-client.ts';
import { neverRun } from './stream/sandbox-fixture.ts';

const log = (status: string, second: number, root = 'new'): object => ({
  id: 'log_1',
  action_name: 'update',
  status,
  affected_objects: [{ id: 'obj_1', next_state_root: root }],
  when_created: '2026-05-01T12:00:00.000Z',
  when_modified: `2026-05-01T12:00:0${String(second)}.000Z`,
});
/** pages of the platform → the status to show */
const cases: readonly (readonly [string, readonly (readonly object[])[], string])[] = [
  ['a final state, then a pending one', [[log('completed', 2)], [log('pending', 1, 'old')]], 'completed'],
  ['both in one page', [[log('completed', 2), log('pending', 1, 'old')]], 'completed'],
  ['both in one page, the older first', [[log('pending', 1, 'old'), log('completed', 2)]], 'completed'],
  ['final against a later date', [[log('failed', 1)], [log('pending', 5, 'old')]], 'failed'],
  ['two that are not final', [[log('settling', 3)], [log('pending', 1, 'old')]], 'settling'],
  ['two final ones', [[log('failed', 3)], [log('completed', 1, 'old')]], 'failed'],
  ['another spelling', [[log('COMPLETED', 2)], [log('pending', 1, 'old')]], 'completed'],
];

suite('older states of action logs', () => {
  const { servers, createClient } = useServers();
  const signal = new AbortController().signal;

  /** Each list is answered with the next page; the last one repeats. */
  const open = async (pages: readonly (readonly object[])[], paged = false): Promise<PlatformClient> => {
    let lists = 0;
    const server = await servers.http(({ url }, response) => {
      const at = Math.min(lists++, pages.length - 1);
      const isLast = at === pages.length - 1;
      const isLogs = url.startsWith('/ebus/action-logs');
      const body = isLogs ? { action_logs: pages[at], ...(paged && !isLast && { next: String(at) }) } : { id: 'obj_1' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
    return createClient(server);
  };

  for (const [name, pages, status] of cases) {
    test(`the stream: ${name}`, async () => {
      const client = await open(pages);
      const buffer = new LogBuffer();
      let now = Date.parse('2026-05-01T12:00:10Z');
      const tail = new Tail({
        connection: 'Test',
        read: (query, options) => client.listPage('action-logs', query, options),
        query: {},
        pageSize: 100,
        dateResolution: 1,
        clock: { now: () => now, sleep: () => Promise.resolve(), after: neverRun },
        interval: 3000,
        buffer,
        serverNow: () => now,
        changed: () => undefined,
      });
      for (let poll = 0; poll < 4; poll++, now += 3000) await tail.poll(signal);
      assert.deepEqual(
        buffer.list.map(({ row }) => row.status),
        [status],
      );
    });

    test(`the history of an object: ${name}`, async () => {
      const client = await open(pages, true);
      const session = { client, profile: createTestProfile(client.target.baseUrl) };
      const { history } = await readHistory(session, 'obj_1', () => undefined, signal);
      assert.deepEqual(
        history.steps.map((step) => [step.status, step.next]),
        [[status, 'new']],
      );
    });

    for (const paged of [true, false])
      test(`the tree${paged ? '' : ', refreshed'}: ${name}`, async () => {
        const client = await open(pages, paged);
        const list = new PagedList({
          signal,
          isOlder: actionLogs.isOlder,
          createPageReader: () => (next) => client.listPageFor(actionLogs, next === undefined ? {} : { next }),
        });
        await list.open();
        if (paged) await list.loadAll(() => undefined, signal);
        else await list.refresh();
        assert.deepEqual(
          list.items.map(({ raw }) => actionLogs.summary(raw).state?.label),
          [status],
        );
      });
  }
});
