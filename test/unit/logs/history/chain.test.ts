import assert from 'node:assert/strict';
import type { Session } from '../../../../src/model/session/session.ts';
import { parseEntry } from '../../../../src/logs/entry.ts';
import {
  buildChain,
  getChainLink,
  listKnownStates,
  type ChainLink,
  type Mark,
} from '../../../../src/logs/history/chain.ts';
import { diffValues } from '../../../../src/logs/history/diff-values.ts';
import { readHistory, stepRecord } from '../../../../src/logs/history/read-history.ts';

const MAX_ENTRY_LENGTH = 32_768;
function log(id: string, seconds: number, prev: string | undefined, next: string, more: object = {}): ChainLink {
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
  const entry = parseEntry('Test', raw, 0);
  const link = entry && getChainLink('o', entry, raw);
  assert.ok(link !== undefined);
  return link;
}

function getMarks(
  entries: readonly ChainLink[],
  current?: string,
): { readonly ids: string; readonly marks: readonly (Mark | undefined)[]; readonly tone: string } {
  const { steps, tone } = buildChain(entries, current);
  return { ids: steps.map(({ entry }) => entry.id).join(''), marks: steps.map(({ mark }) => mark), tone };
}

suite('logs: history of an object', () => {
  test('sorts a complete chain', () => {
    const chain = [log('c', 3, 'B', 'C'), log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B')];
    assert.deepEqual(getMarks(chain, 'C'), { ids: 'abc', marks: [undefined, undefined, undefined], tone: 'ok' });
    assert.match(buildChain(chain, 'C').verdict, /^Verified .* Older logs may be missing\.$/);
    const [, update = assert.fail(), next = assert.fail()] = [...chain].sort((a, b) => a.entry.time - b.entry.time);
    const complete = buildChain([log('a', 1, undefined, 'A', { action_name: 'mint' }), update, next], 'C');
    assert.equal(complete.verdict, 'Verified from the creation up to the current state root.');
    assert.equal(complete.steps[0]?.created, true);
  });

  test('lists the known states along the chain, each with the step that led to it', () => {
    const chain = [
      log('a', 1, 'Z', 'A'),
      log('b', 2, 'A', 'B'),
      log('f', 3, 'B', 'never', { status: 'failed' }),
      log('c', 4, 'B', 'C'),
      log('d', 5, 'C', 'A'),
    ];
    const known = new Set(['Z', 'A', 'C', 'never']);
    const { steps } = buildChain(chain, 'A');
    const states = listKnownStates(steps, (root) => (known.has(root) ? { root } : undefined));
    assert.deepEqual(
      states.map(({ root, step }) => [root, steps[step]?.entry.id]),
      [
        ['Z', undefined],
        ['A', 'a'],
        ['C', 'c'],
        ['A', 'd'],
      ],
    );
    assert.deepEqual(states[0]?.raw, { root: 'Z' });
  });

  test('sorts logs without a time by their roots, whatever their IDs', () => {
    const untimed = { when_created: null };
    const first = log('a', 1, undefined, 'A', { action_name: 'mint' });
    for (const [second, last] of [
      ['0', '1'],
      ['y', 'z'],
    ] as const) {
      const chain = [log(last, 4, 'C', 'D', untimed), first, log('c', 3, 'B', 'C'), log(second, 2, 'A', 'B', untimed)];
      assert.deepEqual(getMarks(chain, 'D'), {
        ids: `a${second}c${last}`,
        marks: [undefined, undefined, undefined, undefined],
        tone: 'ok',
      });
    }
    const gap = [log('d', 4, 'C', 'D', untimed), first, log('b', 2, 'A', 'B')];
    assert.deepEqual(getMarks(gap, 'D'), { ids: 'abd', marks: [undefined, undefined, 'missing'], tone: 'bad' });
  });

  test('sorts logs of the same time by their roots', () => {
    const tied = [log('x', 1, 'B', 'C'), log('y', 1, undefined, 'A'), log('w', 1, 'A', 'B'), log('v', 1, 'C', 'D')];
    assert.deepEqual(getMarks(tied, 'D'), { ids: 'ywxv', marks: Array(4).fill(undefined), tone: 'ok' });
  });

  test('returning to an earlier state is not a fork', () => {
    const chain = [log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B'), log('c', 3, 'B', 'A'), log('d', 4, 'A', 'B')];
    assert.deepEqual(getMarks(chain, 'B').marks, Array(4).fill(undefined));
  });

  test('marks forks, missing logs, breaks and a missing start', () => {
    assert.deepEqual(getMarks([log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B'), log('c', 3, 'A', 'C')], 'C'), {
      ids: 'abc',
      marks: [undefined, undefined, 'fork'],
      tone: 'bad',
    });
    assert.deepEqual(getMarks([log('a', 1, undefined, 'A'), log('c', 3, 'B', 'C')], 'C').marks, [undefined, 'missing']);
    assert.deepEqual(getMarks([log('a', 1, undefined, 'A'), log('b', 2, undefined, 'B')], 'B').marks, [
      undefined,
      'break',
    ]);
  });

  test('missing oldest logs are no problem: the verdict says since when the chain is complete', () => {
    const chain = [log('p', 86_400, 'A', 'B', { status: 'failed' }), log('c', 172_800, 'B', 'C')];
    assert.deepEqual(getMarks(chain, 'C'), { ids: 'pc', marks: ['failed', undefined], tone: 'unknown' });
    assert.match(buildChain(chain, 'C').verdict, /^Complete since .*1970.*; older logs are not available\.$/);
  });

  test('the last root must be the present one, unless a log has not settled', () => {
    const chain = [log('a', 1, undefined, 'A'), log('b', 2, 'A', 'B')];
    assert.equal(getMarks(chain, 'Z').tone, 'bad');
    assert.equal(getMarks(chain).tone, 'unknown');
    const pending = [...chain, log('p', 3, 'B', 'C', { status: 'pending' })];
    assert.deepEqual(getMarks(pending, 'B'), { ids: 'abp', marks: [undefined, undefined, 'unsettled'], tone: 'busy' });
    const ahead = buildChain(pending, 'C');
    assert.deepEqual(
      [ahead.tone, ahead.verdict],
      ['busy', 'A log that is not settled yet leads to the current state root.'],
    );
    assert.match(buildChain(pending, 'D').verdict, /^The last log does not lead .* may be the reason\.$/);
    assert.equal(getMarks([...chain, log('q', 3, 'B', 'C', { status: 'quantum' })], 'B').marks[2], 'unsettled');
  });

  test('failed logs change nothing and show the reason', () => {
    const chain = [
      log('a', 1, undefined, 'A'),
      log('f', 2, 'A', 'F', { status: 'failed', error: 'no balance' }),
      log('b', 3, 'A', 'B'),
    ];
    assert.deepEqual(getMarks(chain, 'B'), { ids: 'afb', marks: [undefined, 'failed', undefined], tone: 'ok' });
    assert.match(buildChain(chain, 'B').steps[1]?.note ?? '', /no balance/);
  });

  test('includes logs whose JSON is too long to store', async () => {
    const affected = (prev: string | undefined, next: string): object => ({
      affected_objects: [{ id: 'o', ...(prev !== undefined && { prev_state_root: prev }), next_state_root: next }],
    });
    const item = (id: string, seconds: number, more: object): { readonly raw: object } => ({
      raw: { id, status: 'completed', when_created: new Date(seconds * 1000).toISOString(), ...more },
    });
    const items = [
      item('c', 3, affected('B', 'C')),
      item('b', 2, { params: ['x'.repeat(MAX_ENTRY_LENGTH)], ...affected('A', 'B') }),
      item('a', 1, affected(undefined, 'A')),
    ];
    const session = {
      profile: { name: 'Test' },
      client: {
        async *listPagesFor() {
          yield await Promise.resolve({ items });
        },
        read: () =>
          Promise.resolve({
            item: { raw: { id: 'o', state_root: 'C' } },
          }),
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

  test('a log without a time has none, in the verdict, too', async () => {
    const { entry: untimed } = log('b', 0, 'A', 'B', { when_created: null });
    const { entry: timed } = log('c', Date.UTC(2026, 2, 2) / 1000, 'B', 'C');
    const items = [untimed, timed].map(({ text = '' }) => ({ raw: JSON.parse(text) as unknown }));
    const session = {
      profile: { name: 'Test' },
      client: {
        async *listPagesFor() {
          yield await Promise.resolve({ items });
        },
        read: () => Promise.resolve({ item: { raw: { id: 'o', state_root: 'C' } } }),
      },
    } as unknown as Session;
    const { history } = await readHistory(session, 'o', () => undefined, new AbortController().signal);
    assert.deepEqual(
      history.steps.map((step) => [step.id, step.time, stepRecord.toJson(step)['time']]),
      [
        ['b', undefined, undefined],
        ['c', Date.UTC(2026, 2, 2), '2026-03-02T00:00:00.000Z'],
      ],
    );
    assert.match(history.verdict, /^Complete since .*2026/);
  });

  test('lists changed paths with both values', () => {
    assert.deepEqual(diffValues({ a: 1, m: { n: 'x', same: [1] } }, { m: { n: 'y', same: [1] }, b: true }), [
      'a: 1 → absent',
      'm.n: "x" → "y"',
      'b: absent → true',
    ]);
    const odd = JSON.parse('{"constructor":1,"__proto__":2}') as unknown;
    assert.deepEqual(diffValues({}, odd), ['constructor: absent → 1', '__proto__: absent → 2']);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, index]));
    assert.equal(diffValues({}, many, 5).length, 6);
  });
});
