/** What changed an object: whole chains, breaks, forks, missing logs, ties; and the report of a failure. */
import assert from 'node:assert/strict';
import { actionText } from '../../../src/logs/action-text.ts';
import type { Session } from '../../../src/connections/types.ts';
import { entryOf, LONGEST } from '../../../src/logs/entry.ts';
import {
  chainOf,
  changesBetween,
  failureReport,
  linkOf,
  rawOf,
  type Link,
  type Mark,
} from '../../../src/logs/history.ts';
import { writerOf } from '../../../src/platform/export/format.ts';
import { actionLogs } from '../../../src/platform/resources/action-logs.ts';
import { readHistory } from '../../../src/logs/object-history.ts';

function log(id: string, seconds: number, prev: string | undefined, next: string, more: object = {}): Link {
  const raw = {
    id,
    status: 'completed',
    action_name: 'update',
    when_created: new Date(seconds * 1000).toISOString(),
    affected_objects: [
      { id: 'other', next_state_root: 'elsewhere' },
      { id: 'o', ...(prev !== undefined && { prev_state_root: prev }), next_state_root: next },
    ],
    ...more,
  };
  const entry = entryOf('Test', raw, 0);
  const link = entry && linkOf('o', entry, raw);
  assert.ok(link !== undefined);
  return link;
}

function marks(
  entries: readonly Link[],
  current?: string,
): { readonly ids: string; readonly marks: readonly (Mark | undefined)[]; readonly tone: string } {
  const { steps, tone } = chainOf(entries, current);
  return { ids: steps.map(({ entry }) => entry.id).join(''), marks: steps.map(({ mark }) => mark), tone };
}

suite('logs: history of an object', () => {
  test('a whole chain, in whatever order it came', () => {
    const chain = [log('c', 3, 'B', 'C'), log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B')];
    assert.deepEqual(marks(chain, 'C'), { ids: 'abc', marks: [undefined, undefined, undefined], tone: 'ok' });
    assert.match(chainOf(chain, 'C').verdict, /Whether older logs are missing cannot be told/);
    const [, update = assert.fail(), next = assert.fail()] = [...chain].sort((a, b) => a.entry.time - b.entry.time);
    const whole = chainOf([log('a', 1, undefined, 'A', { action_name: 'mint' }), update, next], 'C');
    assert.match(whole.verdict, /whole/);
    assert.equal(whole.steps[0]?.created, true);
  });

  test('logs of the same moment stand as their roots lead on', () => {
    const tied = [log('x', 1, 'B', 'C'), log('y', 1, undefined, 'A'), log('w', 1, 'A', 'B'), log('v', 1, 'C', 'D')];
    assert.deepEqual(marks(tied, 'D'), { ids: 'ywxv', marks: Array(4).fill(undefined), tone: 'ok' });
  });

  test('a state that comes back is no fork', () => {
    const back = [log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B'), log('c', 3, 'B', 'A'), log('d', 4, 'A', 'B')];
    assert.deepEqual(marks(back, 'B').marks, Array(4).fill(undefined));
  });

  test('a fork, a missing log, a break, and a missing beginning are marked where they are', () => {
    assert.deepEqual(marks([log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B'), log('c', 3, 'A', 'C')], 'C'), {
      ids: 'abc',
      marks: [undefined, undefined, 'fork'],
      tone: 'bad',
    });
    assert.deepEqual(marks([log('a', 1, undefined, 'A'), log('c', 3, 'B', 'C')], 'C').marks, [undefined, 'missing']);
    assert.deepEqual(marks([log('a', 1, undefined, 'A'), log('b', 2, undefined, 'B')], 'B').marks, [
      undefined,
      'break',
    ]);
    assert.deepEqual(marks([log('c', 3, 'B', 'C')], 'C').marks, ['missing']);
  });

  test('the root of now must be the last one; a log that has not settled may be the reason', () => {
    const chain = [log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B')];
    assert.equal(marks(chain, 'Z').tone, 'bad');
    assert.equal(marks(chain).tone, 'unknown');
    const open = [...chain, log('p', 3, 'B', 'C', { status: 'pending' })];
    assert.deepEqual(marks(open, 'B'), { ids: 'abp', marks: [undefined, undefined, 'unsettled'], tone: 'busy' });
    assert.equal(marks(open, 'C').tone, 'busy');
    assert.equal(marks([...chain, log('q', 3, 'B', 'C', { status: 'quantum' })], 'B').marks[2], 'unsettled');
  });

  test('what failed changed nothing, and says why', () => {
    const chain = [
      log('a', 1, undefined, 'A'),
      log('f', 2, 'A', 'F', { status: 'failed', error: 'no balance' }),
      log('b', 3, 'A', 'B'),
    ];
    assert.deepEqual(marks(chain, 'B'), { ids: 'afb', marks: [undefined, 'failed', undefined], tone: 'ok' });
    assert.match(chainOf(chain, 'B').steps[1]?.note ?? '', /no balance/);
  });

  test('a log that is too long to be held has its place in the history', async () => {
    const affected = (prev: string | undefined, next: string): object => ({
      affected_objects: [{ id: 'o', ...(prev !== undefined && { prev_state_root: prev }), next_state_root: next }],
    });
    const item = (id: string, seconds: number, more: object): { readonly raw: object } => ({
      raw: { id, status: 'completed', when_created: new Date(seconds * 1000).toISOString(), ...more },
    });
    const items = [
      item('c', 3, affected('B', 'C')),
      item('b', 2, { params: ['x'.repeat(LONGEST)], ...affected('A', 'B') }),
      item('a', 1, affected(undefined, 'A')),
    ];
    const session = {
      profile: { name: 'Test' },
      client: {
        async *pagesOf() {
          yield await Promise.resolve({ items });
        },
        read: () => Promise.resolve({ item: { raw: {}, view: { state_root: 'C' } } }),
      },
    } as unknown as Session;
    const { history, entries } = await readHistory(session, 'o', () => undefined, new AbortController().signal);
    assert.deepEqual(
      history.steps.map(({ id, mark }) => [id, mark]),
      [
        ['a', undefined],
        ['b', undefined],
        ['c', undefined],
      ],
    );
    assert.equal(history.tone, 'ok', history.verdict);
    assert.equal(entries.find(({ id }) => id === 'b')?.text, undefined);
  });

  test('changes between two states name the path and both values', () => {
    assert.deepEqual(changesBetween({ a: 1, m: { n: 'x', same: [1] } }, { m: { n: 'y', same: [1] }, b: true }), [
      'a: 1 → absent',
      'm.n: "x" → "y"',
      'b: absent → true',
    ]);
    const odd = JSON.parse('{"constructor":1,"__proto__":2}') as unknown;
    assert.deepEqual(changesBetween({}, odd), ['constructor: absent → 1', '__proto__: absent → 2']);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, index]));
    assert.equal(changesBetween({}, many, 5).length, 6);
  });

  test('a report cannot be broken out of: nothing of the server’s is markup', () => {
    const { entry } = log('a', 1, undefined, 'A', {
      status: 'failed',
      error: '| <img src=x> [click](http://evil) ```',
    });
    const report = failureReport({
      row: entry.row,
      raw: rawOf(entry),
      connection: 'C|D',
      environment: 'production',
      batch: '{"x": "````"}',
      object: '',
      run: '',
    });
    const [table = ''] = report.split('## Action log');
    assert.doesNotMatch(table, /[^\\]<img|[^\\]\[click/);
    assert.match(table, /\\\(from the log\\\)/);
    assert.match(report, /`````json\n\{"x": "````"\}\n`````/);
  });

  test('numbers of any length are told to the digit, in the JSON that is held and in the report', () => {
    const big = JSON.rawJSON('12345678901234567890');
    const { entry } = log('a', 1, undefined, 'A', { status: 'failed', params: [{ amount: big }], fee: big });
    const raw = rawOf(entry);
    assert.equal(JSON.stringify(raw), entry.text);
    const parts = { row: entry.row, connection: 'C', environment: '', batch: '', object: '', run: '' };
    const report = failureReport({ ...parts, raw });
    assert.match(report, /"amount": 12345678901234567890\n/);
    assert.match(report, /\| Why \| The platform gives no reason/);
    assert.match(report, /\| Fee \| 12345678901234567890 \|/);
    assert.match(actionText(raw) ?? '', /"amount": 12345678901234567890\n/);
    assert.match(writerOf('ndjson', actionLogs).rows([raw], 0), /"amount":12345678901234567890\}/);
    assert.match(writerOf('csv', actionLogs).rows([raw], 0), /12345678901234567890/);
    // One that could not be read again says why.
    assert.match(
      failureReport({ ...parts, raw: 'Read action log: gone' }),
      /## Action log\n\n```json\nRead action log: gone\n/,
    );
  });
});
