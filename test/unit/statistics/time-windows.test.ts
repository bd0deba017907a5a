import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSeries, type Point } from '../../../src/statistics/read-points.ts';
import {
  getPeriodBefore,
  parseDuration,
  shiftTime,
  splitWindow,
  getWindow,
  type Window,
} from '../../../src/statistics/time-windows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

suite('statistics: windows', () => {
  test('ranges in words', () => {
    const known: readonly (readonly [string, number | undefined])[] = [
      ['24h', DAY],
      ['30d', 30 * DAY],
      ['7 days', 7 * DAY],
      ['week', 7 * DAY],
      ['last_90_days', 90 * DAY],
      ['daily', DAY],
      ['5m', 300_000],
      ['1M', 30 * DAY],
      ['1m', 60_000],
      ['2 Months', 60 * DAY],
      ['1y', 365 * DAY],
      ['', undefined],
      ['all', undefined],
      ['30 parsecs', undefined],
      ['constructor', undefined],
    ];
    for (const [text, length] of known) assert.equal(parseDuration(text), length, text);
  });

  test('a date range goes before the words', () => {
    const now = START + 100 * DAY;
    const at = (day: number): string => new Date(START + day * DAY).toISOString();
    assert.deepEqual(getWindow({ from: at(1), until: at(3), timeRange: '30d' }, now), {
      from: START + DAY,
      until: START + 3 * DAY,
    });
    assert.deepEqual(getWindow({ from: '', until: '', timeRange: '30d' }, now), { from: now - 30 * DAY, until: now });
    assert.deepEqual(getWindow({ from: '', until: at(50), timeRange: '1d' }, now), {
      from: START + 49 * DAY,
      until: START + 50 * DAY,
    });
    assert.equal(getWindow({ from: at(3), until: at(1), timeRange: '' }, now), undefined);
    assert.equal(getWindow({ from: '', until: '', timeRange: 'moon' }, now), undefined);
  });

  test('the period before ends where this one begins', () => {
    for (const step of [undefined, HOUR, 7 * DAY])
      assert.deepEqual(getPeriodBefore({ from: 100, until: 130 }, step), { from: 70, until: 100 });
    const day = (text: string): number => Date.parse(text);
    for (const [from, until, step, start] of [
      ['2026-03-01', '2026-04-01', 30 * DAY, '2026-02-01'],
      ['2026-02-01', '2026-03-01', 30 * DAY, '2026-01-01'],
      ['2026-01-01', '2026-04-01', 30 * DAY, '2025-10-01'],
      ['2024-01-01', '2025-01-01', 365 * DAY, '2023-01-01'],
      ['2024-01-01', '2025-01-01', 30 * DAY, '2023-01-01'],
      // a month that begins at midnight elsewhere
      ['2026-09-30T22:00Z', '2026-10-31T23:00Z', 30 * DAY, '2026-08-31T22:00Z'],
      // a day that the month before does not have
      ['2026-03-31', '2026-04-30', 30 * DAY, '2026-02-28'],
      // shorter than an interval: as long as itself
      ['2026-03-10', '2026-03-15', 30 * DAY, '2026-03-05'],
    ] as const)
      assert.deepEqual(
        getPeriodBefore({ from: day(from), until: day(until) }, step),
        { from: day(start), until: day(from) },
        `${from} – ${until}`,
      );
  });

  test('aligns intervals of the period before with this one', () => {
    const at = (text: string): number => Date.parse(text);
    const cases = [
      // a window of five days and three hours, in days
      [at('2026-05-01'), 5 * DAY + 3 * HOUR, DAY, at('2026-05-06'), at('2026-05-06')],
      // a year of weeks, which begin on Mondays
      [at('2025-11-24'), 365 * DAY, 7 * DAY, at('2026-11-16'), at('2026-11-23')],
      [at('2026-06-01'), 90 * DAY, 30 * DAY, at('2026-09-01'), at('2026-09-01')],
      [at('2017-03-01'), 9 * 365 * DAY, 30 * DAY, at('2026-01-01'), at('2026-03-01')],
      // a month that begins at midnight elsewhere
      [at('2026-09-30T22:00Z'), 30 * DAY, 30 * DAY, at('2026-10-31T22:00Z'), at('2026-10-31T22:00Z')],
      [at('2026-05-01T07:30Z'), DAY, undefined, 0, at('2026-05-02T07:30Z')],
      [at('2024-01-01'), 2 * 365 * DAY, 365 * DAY, at('2026-01-01'), at('2026-01-01')],
    ] as const;
    for (const [moment, length, step, origin, expected] of cases)
      assert.equal(new Date(shiftTime(moment, length, step, origin)).toISOString(), new Date(expected).toISOString());
  });

  test('no two intervals fall on one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 800 }),
        fc.constantFrom(HOUR, DAY, 7 * DAY, 30 * DAY),
        (first, length, step) => {
          const months = Array.from({ length: 24 }, (_, index) => Date.UTC(2020, first + index));
          const regular = Array.from({ length: 24 }, (_, index) => START + first * HOUR + index * step);
          const times = step === 30 * DAY ? months : regular;
          const places = times.map((time) => shiftTime(time, length * 7 * HOUR, step, START));
          assert.equal(new Set(places).size, times.length);
        },
      ),
    );
  });

  test('pieces cover a window exactly, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 41 }),
        fc.integer({ min: 1, max: 400 * DAY }),
        fc.integer({ min: 2, max: 100 }),
        fc.constantFrom(undefined, HOUR, DAY, 7 * DAY, 30 * DAY),
        (from, length, pieces, step) => {
          const window = { from, until: from + length };
          const parts = splitWindow(window, pieces, step);
          assert.equal(parts[0]?.from, window.from);
          assert.equal(parts.at(-1)?.until, window.until);
          for (const [index, part] of parts.entries()) {
            assert.ok(part.from < part.until);
            if (index > 0) assert.equal(part.from, parts[index - 1]?.until);
          }
          if (length >= 120_000 && pieces === 2) assert.ok(parts.length === 2, 'it can always be halved');
        },
      ),
    );
  });

  test('days are not cut through', () => {
    for (const { from } of splitWindow({ from: START + 5 * HOUR, until: START + 30 * DAY }, 7, DAY).slice(1))
      assert.equal(from % DAY, 0);
  });
});

/** A platform that has one action at each of these moments, grouped by interval and key, and cuts at `cap`. */
function platform(moments: readonly number[], step: number, cap: number) {
  let requests = 0;
  const read = (window: Window | undefined): Promise<readonly Point[]> => {
    requests++;
    const points = new Map<string, { when: number; key: string; value: number }>();
    for (const [index, moment] of moments.entries()) {
      if (window !== undefined && (moment < window.from || moment >= window.until)) continue;
      const when = Math.floor(moment / step) * step;
      const key = index % 3 === 0 ? 'mint' : 'burn';
      const point = points.get(`${when} ${key}`) ?? { when, key, value: 0 };
      point.value++;
      points.set(`${when} ${key}`, point);
    }
    return Promise.resolve([...points.values()].sort((a, b) => a.when - b.when).slice(-cap));
  };
  return { read, requests: () => requests };
}

const total = (points: readonly Point[]): number => points.reduce((sum, { value }) => sum + Number(value), 0);

suite('statistics: reading without a next page', () => {
  const window = { from: START, until: START + 90 * DAY };
  const moments = Array.from({ length: 5000 }, (_, index) => START + Math.floor((index * 90 * DAY) / 5000));

  test('an answer that is not cut is one request', async () => {
    const { read, requests } = platform(moments.slice(0, 20), DAY, 100);
    const { points, truncated } = await readSeries({ read, window, step: DAY, maxRequests: 60 });
    assert.equal(total(points), 20);
    assert.equal(truncated, undefined);
    assert.equal(requests(), 1);
  });

  for (const cap of [10, 25, 100]) {
    test(`cut at ${cap}: every action is found, none twice`, async () => {
      const { read, requests } = platform(moments, DAY, cap);
      const { points, truncated } = await readSeries({ read, window, step: DAY, maxRequests: 200 });
      // An answer truncated at 10 cannot be distinguished from a complete one.
      if (cap === 10) {
        assert.equal(requests(), 1);
        return;
      }
      assert.equal(truncated, undefined);
      assert.equal(total(points), moments.length);
    });
  }

  test('a single interval that holds too many points is read in parts that are summed', async () => {
    const times = Array.from({ length: 100 }, (_, index) => START + index * 60_000 * 14);
    const read = (part: Window | undefined): Promise<readonly Point[]> =>
      Promise.resolve(
        times
          .filter((moment) => part === undefined || (moment >= part.from && moment < part.until))
          .map((moment) => ({ id: String(moment), when: START, key: `k${moment % 7}`, value: 1 }))
          .slice(0, 25),
      );
    const options = { read, window: { from: START, until: START + DAY }, step: DAY, maxRequests: 100 };
    const { points, truncated } = await readSeries(options);
    assert.equal(truncated, undefined);
    assert.equal(total(points), 100);
  });

  test('what never fits an answer, however short the time, is not read in ever smaller parts', async () => {
    let requests = 0;
    const keys = Array.from({ length: 25 }, (_, index) => `key ${index}`);
    const read = (part: Window | undefined): Promise<readonly Point[]> => {
      requests++;
      const day = Math.floor(((part?.until ?? START + DAY) - 1) / DAY) * DAY;
      return Promise.resolve(keys.map((key) => ({ when: day, key, value: 1 })));
    };
    const days = { from: START, until: START + 2 * DAY };
    const { truncated } = await readSeries({ read, window: days, step: DAY, maxRequests: 1000 });
    assert.match(
      truncated ?? '',
      /^2 intervals have more points than a response can contain, the latest from 2026-01-02 00:00 UTC$/,
    );
    assert.ok(requests < 40, String(requests));
  });

  test('500 keys in a day of each week: all, in parts shorter than the interval', async () => {
    const week = 7 * DAY;
    const weeks = { from: START, until: START + 2 * week };
    let requests = 0;
    const read = (part: Window = weeks): Promise<readonly Point[]> => {
      requests++;
      const points = Array.from({ length: 1000 }, (_, index) => {
        const from = START + (index % 2) * week;
        return { from, moment: from + (index >> 1) * 170_000, key: `key ${String(index >> 1)}` };
      }).filter(({ moment }) => moment >= part.from && moment < part.until);
      return Promise.resolve(points.map(({ from, key }) => ({ when: from, key, value: 1 })).slice(0, 100));
    };
    const { points, truncated } = await readSeries({ read, window: weeks, step: week, maxRequests: 60 });
    assert.equal(truncated, undefined);
    assert.equal(points.length, 1000);
    assert.ok(requests <= 60);
  });

  test('500 keys in each minute: the reason, and how many intervals are missing', async () => {
    const week = 7 * DAY;
    const weeks = { from: START, until: START + 4 * week };
    const read = (part: Window = weeks, step = week): Promise<readonly Point[]> => {
      const when = START + Math.floor((part.until - 1 - START) / step) * step;
      // The amounts depend on the length of the window.
      const value = (part.until - part.from) / 60_000;
      return Promise.resolve(Array.from({ length: 100 }, (_, index) => ({ when, key: `key ${String(index)}`, value })));
    };
    const byWeek = (part: Window | undefined): Promise<readonly Point[]> => read(part);
    const { truncated } = await readSeries({ read: byWeek, window: weeks, step: week, maxRequests: 60 });
    assert.match(
      truncated ?? '',
      /^Loading stopped after 60 requests\. Values before 2026-\d\d-\d\d \d\d:\d\d UTC are incomplete: 4 of 4 intervals$/,
    );
    const minutes = { from: START, until: START + 4 * 60_000 };
    const byMinute = (part = minutes): Promise<readonly Point[]> => read(part, 60_000);
    const short = await readSeries({ read: byMinute, window: minutes, step: 60_000, maxRequests: 60 });
    assert.match(short.truncated ?? '', /^4 intervals have more points than a response can contain, the latest from /);
  });

  test('keeps the first answer if its parts contain fewer points', async () => {
    const answer = Array.from({ length: 25 }, (_, index) => ({ when: START + index * DAY, value: 1 }));
    const read = (part: Window | undefined): Promise<readonly Point[]> => Promise.resolve(part ? [] : answer);
    const { points, truncated } = await readSeries({ read, window, step: DAY, maxRequests: 60 });
    assert.equal(total(points), 25);
    assert.match(truncated ?? '', /returned fewer points/);
  });

  test('limits requests, with a note on what is missing', async () => {
    const { read, requests } = platform(moments, HOUR, 25);
    const { points, truncated } = await readSeries({ read, window, step: HOUR, maxRequests: 20 });
    assert.equal(requests(), 20);
    const [, missing = ''] =
      /stopped after 20 requests\. Values before (.*) UTC are incomplete/.exec(truncated ?? '') ?? [];
    // The latest are there, every one of them.
    const since = Date.parse(`${missing}Z`);
    const later = moments.filter((moment) => moment >= since);
    assert.ok(later.length > 0 && later.length < moments.length);
    assert.equal(total(points), later.length);
  });

  test('a range that is not known is not read in parts', async () => {
    const { read, requests } = platform(moments, DAY, 25);
    const { points, truncated } = await readSeries({ read, window: undefined, step: DAY, maxRequests: 60 });
    assert.equal(points.length, 25);
    assert.match(truncated ?? '', /Select a custom range to load it in parts/);
    assert.equal(requests(), 1);
  });

  test('a platform that ignores the windows does not make numbers grow', async () => {
    const { read } = platform(moments, DAY, 25);
    const ignores = (): Promise<readonly Point[]> => read(undefined);
    const { points, truncated } = await readSeries({ read: ignores, window, step: DAY, maxRequests: 60 });
    assert.equal(points.length, 25);
    assert.match(truncated ?? '', /ignores the time range/);
  });

  test('reads the rest of a range with an overfull minute, with a note', async () => {
    const crowded = START + 30 * DAY;
    const read = (part: Window | undefined): Promise<readonly Point[]> => {
      const has = part === undefined || (part.from <= crowded && crowded < part.until);
      const others = [START, START + 60 * DAY].filter(
        (moment) => part === undefined || (moment >= part.from && moment < part.until),
      );
      return Promise.resolve(
        [
          ...others.map((when) => ({ when, value: 1 })),
          ...(has ? Array.from({ length: 25 }, () => ({ when: crowded, value: 1 })) : []),
        ].slice(0, 25),
      );
    };
    const { points, truncated } = await readSeries({ read, window, step: 60_000, maxRequests: 200 });
    assert.match(truncated ?? '', /^The minute (?:2026-01-30 23:\d\d|2026-01-31 00:00) UTC has more points/);
    assert.equal(total(points), 27);
  });

  test('the same point twice in an answer counts once and is counted; parts in different answers are summed', async () => {
    const point = { id: 'p', key: 'mint', when: START, value: 4 };
    const others = [
      { ...point, value: 5 },
      { ...point, key: 'burn' },
      { when: START, value: 4 },
      { when: START, value: 4 },
      { key: 'mint', value: 4 },
      { key: 'mint', value: 4 },
    ];
    const once = await readSeries({
      read: () => Promise.resolve([point, { ...point }, ...others, { ...point }]),
      window,

      step: DAY,
      maxRequests: 60,
    });
    assert.deepEqual([once.points.length, once.duplicates], [7, 2]);
    // A cut answer is read in parts, and a point of each of them is a part.
    const many = Array.from({ length: 24 }, (_, index) => ({ ...point, when: START + index * DAY }));
    const parts = await readSeries({
      read: (part) => Promise.resolve(part === undefined ? [...many, { ...point }] : [{ ...point, when: part.from }]),
      window: { from: START, until: START + 30 * DAY },

      step: DAY,
      maxRequests: 60,
    });
    // The answer of 25 was cut, though one of them came twice.
    assert.match(parts.truncated ?? '', /returned fewer points/);
    assert.deepEqual([parts.points.length, parts.duplicates], [24, 1]);
  });
});
