/** The failure inbox: what is new since the user looked, what is known, and which failures of a window it counts. */
import assert from 'node:assert/strict';
import { FailedLogs } from '../../../src/cache/failed-logs.ts';
import { FailureInbox } from '../../../src/logs/inbox.ts';
import { Item } from '../../../src/platform/page.ts';
import { actionLog } from '../../../src/platform/resources/action-logs.ts';
import { groupFailures } from '../../../src/webviews/protocol/failure-groups.ts';
import type { LogRow } from '../../../src/webviews/protocol/logs.ts';
import { at, row } from './entries.ts';

suite('failure inbox', () => {
  const now = performance.timeOrigin + 1000;
  const failed = (id: string, time: number, error: string): LogRow =>
    row(id, time, { status: 'failed', action_name: 'mint', error });

  function createMemento(): ConstructorParameters<typeof FailureInbox>[0] {
    const values = new Map<string, unknown>();
    return {
      get: (key) => values.get(key),
      update: (key, value) => {
        // Stored as JSON.
        values.set(key, JSON.parse(JSON.stringify(value)));
        return Promise.resolve();
      },
    };
  }

  const describeGroups = (inbox: FailureInbox, rows: readonly LogRow[]): readonly string[] =>
    groupFailures(rows.map((one) => inbox.mark(one))).map(
      ({ message, count, newCount, isKnown }) => `${message}: ${count}, ${newCount} new${isKnown ? ', known' : ''}`,
    );

  test('failures after the newest that the user saw are new; of a connection never looked at, those of this window', () => {
    const inbox = new FailureInbox(createMemento());
    const rows = [failed('a', 1000, 'sold out'), failed('b', now, 'sold out'), failed('c', now + 5, 'frozen')];
    assert.deepEqual(describeGroups(inbox, rows), ['sold out: 2, 1 new', 'frozen: 1, 1 new']);
    inbox.look([...rows.slice(0, 2), row('d', now + 9)]);
    assert.deepEqual(describeGroups(inbox, rows), ['frozen: 1, 1 new', 'sold out: 2, 0 new']);
    // Looking at older ones changes nothing.
    inbox.look(rows.slice(0, 1));
    inbox.look(rows);
    inbox.look(rows.slice(0, 2));
    assert.deepEqual(describeGroups(inbox, rows), ['sold out: 2, 0 new', 'frozen: 1, 0 new']);
    assert.deepEqual(inbox.mark(row('d', now + 9)), row('d', now + 9));
  });

  test('an action that was pending when the user looked, and fails later, is new', () => {
    const inbox = new FailureInbox(createMemento());
    const late = row('a', now, { status: 'failed', error: 'frozen', when_modified: at(now + 60) });
    const earlier = failed('b', now + 30, 'sold out');
    inbox.look([earlier, row('a', now, { status: 'pending' })]);
    assert.deepEqual(describeGroups(inbox, [late, earlier]), ['frozen: 1, 1 new', 'sold out: 1, 0 new']);
    inbox.look([late, earlier]);
    assert.deepEqual(describeGroups(inbox, [late, earlier]).toSorted(), ['frozen: 1, 0 new', 'sold out: 1, 0 new']);
  });

  test('a failure that the platform lists late is new, also if the user saw a later one; what was seen is not stored for ever', () => {
    const memento = createMemento();
    const inbox = new FailureInbox(memento);
    const isNew = (time: number, id = `late ${String(time)}`): unknown => inbox.mark(failed(id, time, 'frozen')).isNew;
    const minute = 60_000;
    const later = now + 60 * minute;
    inbox.look([failed('a', now, 'frozen'), failed('b', later, 'frozen')]);
    assert.deepEqual([isNew(now, 'a'), isNew(later, 'b'), isNew(later - 9 * minute)], [false, false, true]);
    assert.equal(isNew(later - 10 * minute), false, 'too late');
    const many = Array.from({ length: 300 }, (_, index) => failed(`m${String(index)}`, later + 1 + index, 'frozen'));
    inbox.look(many);
    assert.deepEqual(
      many.filter((row) => inbox.mark(row).isNew),
      [],
    );
    assert.deepEqual([isNew(later + 100), isNew(later + 101)], [false, true]);
    assert.ok(JSON.stringify(memento.get('logs.failures')).length < 10_000);
  });

  test('a known group, by reason and action without ids, has nothing new, is last, and can be unmarked', () => {
    const memento = createMemento();
    const inbox = new FailureInbox(memento);
    let changes = 0;
    inbox.onDidChange(() => changes++);
    const rows = [
      failed('a', now, 'object obj_0123456789ab is frozen'),
      failed('b', now + 1, 'object obj_ffff56789abc is frozen'),
      failed('c', now + 2, 'sold out'),
    ];
    const group = 'mint\nobject … is frozen';
    inbox.setKnown(['Test'], group, true);
    assert.deepEqual([changes, inbox.count('Test'), inbox.count('Other')], [1, 1, 0]);
    const expected = ['sold out: 1, 1 new', 'object obj_ffff56789abc is frozen: 2, 0 new, known'];
    assert.deepEqual(describeGroups(inbox, rows), expected);
    // Another window reads the same; another connection has its own marks.
    assert.deepEqual(describeGroups(new FailureInbox(memento), rows), expected);
    assert.equal(inbox.mark({ ...failed('d', now, 'object obj_1 is frozen'), connection: 'Other' }).isKnown, false);
    inbox.setKnown(['Test'], group, false);
    assert.deepEqual(describeGroups(inbox, rows)[0], 'object obj_ffff56789abc is frozen: 2, 2 new');
    inbox.setKnown(['Test', 'Other'], group, true);
    inbox.forget('Test');
    assert.deepEqual([inbox.count('Test'), inbox.count('Other')], [0, 1]);
  });

  test('anything stored by another version is ignored', () => {
    const memento = createMemento();
    void memento.update('logs.failures', { Test: 'x' });
    assert.equal(new FailureInbox(memento).mark(failed('a', now, 'sold out')).isNew, true);
  });

  test('failed logs of a window are each counted once, and forgotten with their connection', () => {
    const logs = new FailedLogs();
    let changes = 0;
    logs.onDidChange(() => changes++);
    const read = (kind: string, ...statuses: readonly string[]): void => {
      const items = statuses.map((status, index) => new Item({ id: `log_${String(index)}`, status }, actionLog));
      for (const connection of ['Test', 'Other']) logs.record(connection, { kind }, items);
    };
    read('action-logs', 'failed', 'completed', 'FAILED');
    read('action-logs', 'failed', 'completed', 'failed');
    read('batches', 'failed');
    assert.deepEqual([logs.all.length, changes], [4, 2]);
    logs.forget('Other');
    assert.deepEqual(
      logs.all.map(({ connection }) => connection),
      ['Test', 'Test'],
    );
    read('action-logs', ...Array.from({ length: 1500 }, () => 'failed'));
    assert.equal(logs.all.length, 1000);
  });
});
