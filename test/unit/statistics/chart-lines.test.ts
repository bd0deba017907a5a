/** From points to lines: sums, groups, gaps, totals; the state of a series and its CSV. */
import assert from 'node:assert/strict';
import { setDisplayLanguage } from '../../../src/platform/text/localization.ts';
import { formatCsv } from '../../../src/statistics/csv.ts';
import type { Point } from '../../../src/statistics/read-points.ts';
import { buildSeriesState } from '../../../src/statistics/series-state.ts';
import {
  statisticsProtocol,
  viewOptionsSchema,
  type SeriesLine,
  type SeriesState,
} from '../../../src/webviews/protocol/statistics.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 4, 1);
const point = (day: number, key: string | undefined, value: unknown): Point => ({
  when: START + day * DAY,
  key,
  value,
});
const NAME = { id: 'executions', label: 'Executions' } as const;
const assemble = (points: readonly Point[]): SeriesState =>
  buildSeriesState(NAME, { now: { points }, window: undefined, interval: 'day', step: DAY, readAt: 1 }, new Map());
const getName = ({ name }: SeriesLine): string => name;
/** `12.5 UNIT + 3` */
const formatTotal = ({ sums }: SeriesState): string =>
  sums.map(({ total, unit }) => `${total} ${unit}`.trim()).join(' + ');

suite('statistics: lines', () => {
  test('keys are summed, and are lines of their own, the largest first', () => {
    const state = assemble([point(0, 'mint', 2), point(0, 'burn', 5), point(1, 'mint', 1)]);
    const { times, sums, groups } = state;
    assert.deepEqual(times, [START / 1000, (START + DAY) / 1000]);
    assert.deepEqual(sums, [{ id: 'all  ', name: 'All', unit: '', values: ['7', '1'], total: '8' }]);
    assert.deepEqual(groups, [
      { id: 'key  burn', name: 'burn', key: 'burn', unit: '', values: ['5', null], total: '5' },
      { id: 'key  mint', name: 'mint', key: 'mint', unit: '', values: ['2', '1'], total: '3' },
    ]);
    assert.equal(formatTotal(state), '8');
  });

  test('a gap is no zero, and is there once however long it is', () => {
    const { times, sums } = assemble([point(0, 'a', 1), point(1, 'a', 0), point(30, 'a', 2)]);
    assert.equal(times.length, 4);
    assert.deepEqual(sums[0]?.values, ['1', '0', null, '2']);
  });

  test('without a known interval there are no gaps', () => {
    const read = { now: { points: [0, 1, 2, 3, 6].map((day) => point(day, 'a', 1)) }, window: undefined, interval: '' };
    assert.equal(buildSeriesState(NAME, { ...read, step: undefined, readAt: 1 }, new Map()).times.length, 5);
  });

  test('points may lack any field', () => {
    const points: readonly Point[] = [
      {},
      { value: 3 },
      { when: START },
      { when: START, key: '', value: 4 },
      point(1, undefined, 'x'),
    ];
    const { times, sums, groups, notes } = assemble(points);
    assert.equal(times.length, 2);
    assert.deepEqual(sums, [{ id: 'all  ', name: 'All', unit: '', values: ['4', null], total: '7' }]);
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['(no key)'],
    );
    assert.equal(notes.length, 2);
    assert.match(notes[0] ?? '', /^2 points without a time are included in the total/);
    assert.match(notes[1] ?? '', /^3 points without a valid value are shown as gaps\.$/);
  });

  test('many keys: the smallest are one line, and nothing is lost', () => {
    const points = Array.from({ length: 30 }, (_, index) => point(index % 2, `key ${index}`, BigInt(index)));
    const state = assemble(points);
    const { groups } = state;
    assert.equal(groups.length, 8);
    assert.equal(groups.at(-1)?.name, '(others)');
    const sum = groups.reduce((all, { total }) => all + BigInt(total), 0n);
    assert.equal(sum.toString(), formatTotal(state));
  });

  test('fees in two units are two lines', () => {
    const state = assemble([point(0, 'a', '0.1 A'), point(0, 'a', '0.2 A'), point(1, 'a', '5 B')]);
    assert.deepEqual(state.sums, [
      { id: 'all A ', name: 'All, A', unit: 'A', values: ['0.3', null], total: '0.3' },
      { id: 'all B ', name: 'All, B', unit: 'B', values: [null, '5'], total: '5' },
    ]);
    assert.equal(formatTotal(state), '0.3 A + 5 B');
  });

  test('lines have the same ids in every language, which fit the view', () => {
    const points = [
      ...Array.from({ length: 12 }, (_, index) => point(0, `key${index}`, '1 U')),
      point(0, undefined, 100),
      point(0, 'x'.repeat(400), '90 U'),
      point(0, `${'x'.repeat(400)}y`, '80 U'),
      point(0, 'all', 70),
    ];
    const getLines = (): readonly SeriesLine[] => {
      const { sums, groups } = assemble(points);
      return [...sums, ...groups];
    };
    const english = getLines();
    setDisplayLanguage({
      language: 'de',
      messages: { '(no key)': '(ohne)', '(others)': '(andere)', '{0}, no unit': '{0}, ohne Einheit' },
    });
    const german = getLines();
    setDisplayLanguage({ language: 'en' });
    assert.notDeepEqual(german.map(getName), english.map(getName));
    const ids = english.map(({ id }) => id);
    assert.deepEqual(
      german.map(({ id }) => id),
      ids,
    );
    assert.equal(new Set(ids).size, ids.length);
    const { hidden } = viewOptionsSchema.shape;
    assert.equal(hidden.safeParse(ids.map((id) => `executions ${id}`)).success, true);
  });

  test('nothing makes nothing', () => {
    const { times, sums, groups, notes } = assemble([]);
    assert.deepEqual([times, sums, groups, notes], [[], [], [], []]);
  });

  test('a server that names a thousand units, or numbers of a thousand digits, fits the view', () => {
    const points = Array.from({ length: 1000 }, (_, index) =>
      point(index % 3, `k${index}`, `1e99 \u202eU${String.fromCodePoint(0x4e00 + index)}`),
    );
    const state = buildSeriesState(
      NAME,
      {
        now: {
          points: [
            ...points,
            point(0, 'a', 10n ** 1000n),
            point(0, 'b', `${'9'.repeat(200)}.${'9'.repeat(200)}e9 U\u4e00`),
          ],
        },
        window: undefined,
        interval: 'day',
        step: DAY,
        readAt: 1,
      },
      new Map(),
    );
    assert.equal(state.sums.length, 6);
    assert.match(
      state.notes.join(' '),
      /Only the first 6 units are shown\. 994 points in other units are not included\./,
    );
    assert.match(state.notes.join(' '), /1 point without a valid value is shown as a gap\./);
    assert.ok(!JSON.stringify(state).includes('\u202e'));
    const { series } = statisticsProtocol.toView.state.shape;
    assert.equal(series.safeParse([state]).success, true);
  });

  test('two keys of one name stay two lines', () => {
    const state = buildSeriesState(
      NAME,
      {
        now: { points: [point(0, 'a', 2), point(0, 'b', 1)] },
        window: undefined,
        interval: 'day',
        step: DAY,
        readAt: 1,
      },
      new Map([
        ['a', 'Ticket'],
        ['b', 'Ticket'],
      ]),
    );
    assert.deepEqual(
      state.groups.map(({ name, total }) => [name, total]),
      [
        ['Ticket', '2'],
        ['Ticket′', '1'],
      ],
    );
  });
});

suite('statistics: series', () => {
  const window = { from: START + DAY / 2, until: START + 2.5 * DAY };
  const now = { points: [point(0, 't1', 1), point(1, 't1', 2), point(2, 't1', 3)] };
  const read = { now, window, interval: 'day', step: DAY, readAt: window.until };

  test('the period before is moved to this one, and compared', () => {
    const state = buildSeriesState(
      NAME,
      { ...read, before: { points: [point(-2, 't1', 2), point(-1, 't1', 1)] } },
      new Map(),
    );
    const at = (day: number): number => (START + day * DAY) / 1000;
    assert.deepEqual(state.times, [at(0), at(1), at(2)]);
    assert.deepEqual(state.previous, { from: at(-1.5), until: at(0.5), times: [at(-2), at(-1), null] });
    assert.deepEqual(state.sums, [
      {
        id: 'all  ',
        name: 'All',
        unit: '',
        values: ['1', '2', '3'],
        total: '6',
        before: { values: ['2', '1', null], total: '3' },
        change: '+100%',
      },
    ]);
  });

  test('compares each key with itself, including keys that only the period before has', () => {
    const state = buildSeriesState(
      NAME,
      {
        ...read,
        now: { points: [point(0, 'mint', '0.3 U'), point(1, 'mint', '0.3 U'), point(1, 'burn', '1 U')] },
        before: { points: [point(-2, 'mint', '0.4 U'), point(-1, 'drop', '2 U')] },
      },
      new Map(),
    );
    assert.deepEqual(
      state.groups.map(({ name, total, before, change }) => [name, total, before?.total, change]),
      [
        ['burn', '1', '', undefined],
        ['mint', '0.6', '0.4', '+50%'],
        ['drop', '', '2', '-100%'],
      ],
    );
    assert.deepEqual(state.groups[2]?.values, [null, null]);
    assert.deepEqual(state.groups[2].before?.values, [null, '2']);
    assert.equal(state.sums[0]?.change, '-33.3%');
  });

  test('units do not compare', () => {
    const state = buildSeriesState(
      NAME,
      { ...read, now: { points: [point(0, 'a', '5 A')] }, before: { points: [point(-2, 'a', '4 B')] } },
      new Map(),
    );
    assert.deepEqual(
      state.sums.map(({ name, total, before, change }) => [name, total, before?.total, change]),
      [
        ['All, A', '5', '', undefined],
        ['All, B', '', '4', '-100%'],
      ],
    );
  });

  test('CSV: the period before at its own times, units in a column of their own', () => {
    const series = {
      id: 'fees',
      now: [point(0, 'mint', '0.003 UNIT'), point(0, 'mint', '2')],
      before: [point(-2, 'mint', '1')],
    };
    const at = (day: number): string => new Date(START + day * DAY).toISOString();
    assert.deepEqual(formatCsv([series], new Map()).split('\r\n').slice(1, 4), [
      `fees,this,${at(0)},mint,mint,2,`,
      `fees,this,${at(0)},mint,mint,0.003,UNIT`,
      `fees,before,${at(-2)},mint,mint,1,`,
    ]);
  });

  test('CSV: every key by its id, however many and whatever they are called, and points without a time', () => {
    const keys = Array.from({ length: 20 }, (_x, index) => `t${String(index + 10)}`);
    const long = 'Ticket '.repeat(20).trim();
    const now = [...keys.map((key) => point(0, key, 1)), { key: 't10', value: 5 }, { value: '3' }];
    const rows = formatCsv([{ id: 'creations', now, before: [] }], new Map(keys.map((key) => [key, long]))).split(
      '\r\n',
    );
    const at = new Date(START).toISOString();
    assert.deepEqual(rows.slice(1, -1), [
      ...keys.map((key) => `creations,this,${at},${key},${long},1,`),
      'creations,this,,,,3,',
      `creations,this,,t10,${long},5,`,
    ]);
  });

  test('shows this period with a note if the period before could not be read', () => {
    const state = buildSeriesState(
      NAME,
      { ...read, beforeError: 'Read previous period: The platform reported an error.' },
      new Map(),
    );
    assert.equal(formatTotal(state), '6');
    assert.equal(state.previous, undefined);
    assert.match(state.notes.join(), /Read previous period: The platform reported an error/);
  });

  test('does not compare truncated periods, with a note', () => {
    const state = buildSeriesState(
      NAME,
      { ...read, before: { points: now.points, truncated: 'the answer was cut' } },
      new Map(),
    );
    assert.equal(state.truncated, true);
    assert.equal(state.sums[0]?.change, undefined);
    assert.match(state.notes.join(' '), /Previous period: /);
  });

  test('intervals that the window cuts through are named', () => {
    assert.deepEqual(buildSeriesState(NAME, read, new Map()).partial, [START / 1000, (START + 2 * DAY) / 1000]);
    assert.deepEqual(buildSeriesState(NAME, { ...read, step: undefined }, new Map()).partial, []);
  });

  test('the interval that contains now is running', () => {
    const state = buildSeriesState(NAME, read, new Map());
    assert.equal(state.running, (START + 2 * DAY) / 1000);
    assert.deepEqual(state.window, { from: window.from / 1000, until: window.until / 1000 });
    assert.equal(state.interval, 'day');
    assert.equal(buildSeriesState(NAME, { ...read, readAt: START + 3 * DAY }, new Map()).running, undefined);
    assert.equal(buildSeriesState(NAME, { ...read, step: undefined }, new Map()).running, undefined);
    // The last point is older where nothing has happened yet in the running interval.
    assert.equal(buildSeriesState(NAME, { ...read, readAt: START + 9 * DAY }, new Map()).running, undefined);
    const month = { ...read, now: { points: [point(0, 'a', 1)] }, step: 30 * DAY };
    assert.equal(
      buildSeriesState(NAME, { ...month, readAt: START + 30.5 * DAY }, new Map()).running,
      START / 1000,
      'May',
    );
    assert.equal(buildSeriesState(NAME, { ...month, readAt: START + 31 * DAY }, new Map()).running, undefined);
  });

  test('lines that stand for one key name it, so that its logs can be found', () => {
    const points = Array.from({ length: 12 }, (_, index) => point(0, index === 0 ? undefined : `key${index}`, index));
    const { groups } = buildSeriesState(NAME, { ...read, now: { points } }, new Map([['key11', 'Ticket']]));
    assert.deepEqual(
      groups.map(({ name, key }) => [name, key]).filter(([name, key]) => name !== key),
      [
        ['Ticket', 'key11'],
        ['(others)', undefined],
      ],
    );
  });

  test('keys become names, and hostile ones harmless', () => {
    const names = new Map([['t1', 'Harbour\u202e Ticket\n']]);
    assert.deepEqual(
      buildSeriesState(NAME, read, names).groups.map(({ name }) => name),
      ['Harbour Ticket'],
    );
  });

  test('CSV: a row for each value, gaps left out, formulas made text', () => {
    const now = [point(0, '=1+1', 1), point(0, 'a "b", c', '2'), point(5, '-x', '-0.50')];
    const at = new Date(START).toISOString();
    assert.equal(
      formatCsv([{ id: 'executions', now, before: [] }], new Map()),
      [
        'series,period,when,key,name,value,unit',
        `executions,this,${at},'=1+1,'=1+1,1,`,
        `executions,this,${at},"a ""b"", c","a ""b"", c",2,`,
        `executions,this,${new Date(START + 5 * DAY).toISOString()},'-x,'-x,-0.5,`,
        '',
      ].join('\r\n'),
    );
    // In full width, and behind a line break.
    const csv = (key: string): string =>
      formatCsv([{ id: 'executions', now: [point(0, key, 1)], before: [] }], new Map());
    for (const key of ['\uff1d1+1', '\uff0bx', '\uff0dx', '\uff20x']) assert.ok(csv(key).includes(`'${key}`), key);
    assert.ok(csv('\n=1').includes("'\n'=1"));
  });
});
