/** The pure parts of the logs: order, bounds, links, search, bars, groups, details. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pathOf, SCHEME } from '../../../src/documents/uri.ts';
import { actionText } from '../../../src/logs/action-text.ts';
import { filtersOf, givenOf } from '../../../src/logs/argument.ts';
import { LogBuffer } from '../../../src/logs/buffer.ts';
import { detailsOf } from '../../../src/logs/details.ts';
import { entryOf, LONGEST, rowText, type LogEntry } from '../../../src/logs/entry.ts';
import { linkOf, LONGEST_LINK, stateOfLink, stateWords } from '../../../src/logs/link.ts';
import { Reasons } from '../../../src/logs/reasons.ts';
import { boundsOf, grainOf, momentOf, sameFilters, streamsOf } from '../../../src/logs/query.ts';
import { localTime } from '../../../src/ui/times.ts';
import { groupFailures, groupOf, groupText } from '../../../src/webviews/client/logs/failures.ts';
import { bucketOf, histogramOf } from '../../../src/webviews/client/logs/histogram.ts';
import { Model } from '../../../src/webviews/client/logs/model.ts';
import { comparePlaces, Ordered, type Placed } from '../../../src/webviews/client/logs/ordered.ts';
import { needleOf, partsOf } from '../../../src/webviews/client/logs/search.ts';
import { ranges, viewState, type Filters, type LogRow, type ViewState } from '../../../src/webviews/protocol-logs.ts';

const at = (time: number): string => new Date(time).toISOString();

function entry(id: string, time: number, more: object = {}): LogEntry {
  const made = entryOf('Test', { id, status: 'completed', when_created: at(time), ...more }, 0);
  assert.ok(made !== undefined);
  return made;
}
const row = (id: string, time: number, more: object = {}): LogRow => entry(id, time, more).row;

suite('logs: order and bounds', () => {
  test('whatever comes in whatever order, twice or moved: each once, by time then id', () => {
    const item = fc.record({
      id: fc.constantFrom(...'a,b,c,d,e,f,g,h,i,j,k'.split(',')),
      time: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 8 }), { maxLength: 12 }), (batches) => {
        const ordered = new Ordered<Placed>();
        const last = new Map<string, Placed>();
        for (const batch of batches) {
          const places = batch.map(({ id, time }) => ({ id, key: id, time }));
          const before = last.size;
          for (const place of places) last.set(place.key, place);
          assert.equal(ordered.put(places), last.size - before);
        }
        assert.deepEqual(ordered.list, [...last.values()].sort(comparePlaces));
        for (const place of last.values()) assert.equal(ordered.list[ordered.indexOf(place)], place);
      }),
    );
  });

  test('the oldest go first, are counted, and are not taken back', () => {
    const buffer = new LogBuffer(100);
    buffer.take(Array.from({ length: 130 }, (_, index) => entry(`id${String(index).padStart(3, '0')}`, 1000)));
    assert.equal(buffer.size, 100);
    assert.equal(buffer.dropped, 30);
    assert.equal(buffer.list[0]?.id, 'id030');
    const again = buffer.take([entry('id005', 1000), entry('id999', 1000)]);
    assert.equal(again.added, 1);
    assert.deepEqual(again.removed, ['Test\nid030']);
    assert.equal(new LogBuffer(5_000_000).limit, 100_000);
    assert.equal(new LogBuffer(Number.NaN).limit, 10_000);
  });

  test('JSON beyond the bound goes from the oldest; their rows stay', () => {
    const buffer = new LogBuffer(1000, 20_000);
    for (let index = 0; index < 300; index++) buffer.take([entry(`id${index}`, index, { note: 'x'.repeat(200) })]);
    assert.equal(buffer.size, 300);
    assert.ok(buffer.textLength <= 20_000);
    assert.equal(
      buffer.textLength,
      buffer.list.reduce((sum, { text }) => sum + (text?.length ?? 0), 0),
    );
    assert.equal(buffer.list[0]?.text, undefined);
    assert.notEqual(buffer.list.at(-1)?.text, undefined);
    assert.equal(entry('big', 1, { params: ['x'.repeat(LONGEST)] }).text, undefined);
  });

  test('an answer without its time does not move an entry; a later status replaces the earlier', () => {
    const buffer = new LogBuffer();
    buffer.take([entry('a', 5000, { status: 'pending' })]);
    buffer.take([entry('a', 0, { when_created: null, status: 'failed' })]);
    assert.equal(buffer.list[0]?.time, 5000);
    assert.equal(buffer.list[0].row.status, 'failed');
    assert.equal(buffer.take([entry('a', 0, { when_created: null, status: 'failed' })]).added, 0);
  });
});

suite('logs: links', () => {
  const id = fc.string({ minLength: 1, maxLength: 30 }).map((text) => text.toWellFormed());
  const states: fc.Arbitrary<ViewState> = fc.record(
    {
      mode: fc.constantFrom('logs' as const, 'failures' as const),
      filters: fc.record(
        {
          connections: fc.array(id, { minLength: 1, maxLength: 3 }),
          organizations: fc.array(id, { maxLength: 3 }),
          status: id,
          signer: id,
          object: id,
          range: fc.constantFrom(...ranges),
          from: fc.integer({ min: 0, max: 2e12 }),
        },
        { requiredKeys: ['connections', 'organizations', 'range'], noNullPrototype: true },
      ),
      text: fc.string({ maxLength: 20 }).map((text) => text.toWellFormed()),
      selected: id,
      failure: id,
      brush: fc.record(
        { from: fc.integer({ min: 0, max: 2e12 }), to: fc.integer({ min: 0, max: 2e12 }) },
        { noNullPrototype: true },
      ),
    },
    { requiredKeys: ['mode', 'filters', 'text'], noNullPrototype: true },
  );

  const moment = { now: 1_700_000_000_000, started: 1_600_000_000_000 };

  test('a state and its link say the same; what is told from now stands with its moments', () => {
    fc.assert(
      fc.property(states, (state) => {
        const link = linkOf(state, 'vscode', moment);
        if (link === undefined) return;
        assert.ok(link.length <= LONGEST_LINK);
        const { filters } = state;
        const { now, started } = moment;
        const moves = filters.range !== 'latest' && filters.range !== 'between';
        assert.deepEqual(stateOfLink(link.slice(link.indexOf('?') + 1)), {
          ...state,
          filters: moves ? { ...filters, range: 'between', ...boundsOf(filters, now, started), to: now } : filters,
        });
      }),
    );
  });

  test('among several connections a link says whose the chosen entry is; one that does not say is understood', () => {
    const two = stateOfLink('connection=A&connection=B&selected=x&selectedConnection=B');
    assert.equal(two.selectedConnection, 'B');
    const link = linkOf(two, 'vscode', moment) ?? '';
    assert.deepEqual(stateOfLink(link.slice(link.indexOf('?') + 1)), two);
    assert.deepEqual(stateWords(two, moment).slice(2), ['selected: x', 'selected of: B']);
    assert.equal(stateOfLink('connection=A&connection=B&selected=x').selectedConnection, undefined);
  });

  test('before it is opened a link says all that it will read and show, in local times', () => {
    const words = (query: string): readonly string[] => stateWords(stateOfLink(query), moment);
    assert.deepEqual(
      words(
        'connection=A&connection=B&status=failed&range=between&from=1000&to=2000&mode=failures&text=a+b&selected=x',
      ),
      [
        'connection: A',
        'connection: B',
        'status: failed',
        `from: ${localTime(1000)}`,
        `to: ${localTime(2000)}`,
        'mode: failures',
        'text: a b',
        'selected: x',
      ],
    );
    assert.deepEqual(words('connection=A&object=o&mode=history'), [
      'connection: A',
      'object: o',
      'mode: history, which reads up to 5,000 logs of the object',
    ]);
    assert.deepEqual(words('connection=A&range=session&brush=1000-2000'), [
      'connection: A',
      `from: ${localTime(moment.started)}`,
      `brush: ${localTime(1000)} – ${localTime(2000)}`,
    ]);
    assert.deepEqual(words('connection=A&text=x%0Astatus:%20failed'), ['connection: A', 'text: x status: failed']);
  });

  test('what is no state of a view is refused', () => {
    for (const query of [
      '',
      'status=failed',
      'connection=A&baseUrl=https://example.com',
      'connection=A&token=abc',
      'connection=A&range=ever',
      'connection=A&from=soon',
      'connection=A&status=a&status=b',
      'connection=A&mode=execute',
      'connection=A&brush=5',
      'connection=A&brush=1-x',
      'connection=A&following=true',
      `connection=${'A'.repeat(301)}`,
      `connection=A&text=${'x'.repeat(201)}`,
      `connection=A&selected=${'x'.repeat(2100)}`,
      'connection=A&__proto__=1',
    ])
      assert.throws(() => stateOfLink(query), query);
    const long = { ...viewState.parse(stateOfLink('connection=A')) };
    const actions = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(200, 'x'));
    assert.equal(linkOf({ ...long, filters: { ...long.filters, actions } }, 'vscode', moment), undefined);
  });
});

suite('logs: filters', () => {
  const base: Filters = { connections: ['A'], organizations: [], range: 'latest' };

  test('each connection, organization and action is a stream of its own', () => {
    const streams = streamsOf({
      ...base,
      connections: ['A', 'B'],
      organizations: ['o1', 'o2'],
      status: 'failed',
      wallet: 'w',
      actions: ['x', 'y'],
    });
    assert.equal(streams.length, 8);
    assert.deepEqual(streams[7], {
      connection: 'B',
      query: { org_id: 'o2', status: 'failed', wallet_id: 'w', action_id: 'y' },
    });
  });

  test('a date and time that is typed is one of this machine’s zone, and so is a date alone', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      assert.equal(at(momentOf('2026-03-02 10:00:00')), '2026-03-02T15:00:00.000Z');
      assert.equal(at(momentOf(' 2026-03-02 ')), '2026-03-02T05:00:00.000Z');
      assert.equal(at(momentOf('2026-03')), '2026-03-01T05:00:00.000Z');
      assert.equal(at(momentOf('2026-03-02T10:00:00Z')), '2026-03-02T10:00:00.000Z');
      for (const odd of ['', 'soon', '2026-13-40', '1900-01-01']) assert.ok(Number.isNaN(momentOf(odd)), odd);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('presets have their bounds, and dates their grain', () => {
    const now = new Date(2026, 2, 2, 10, 30).getTime();
    assert.deepEqual(boundsOf(base, now, 5), {});
    assert.deepEqual(boundsOf({ ...base, range: 'hour' }, now, 5), { from: now - 3_600_000 });
    assert.deepEqual(boundsOf({ ...base, range: 'today' }, now, 5), { from: new Date(2026, 2, 2).getTime() });
    assert.deepEqual(boundsOf({ ...base, range: 'session' }, now, 5), { from: 5 });
    assert.deepEqual(boundsOf({ ...base, range: 'between', from: 1, to: 2 }, now, 5), { from: 1, to: 2 });
    assert.deepEqual(
      ['iso8601', 'unixMilliseconds', 'unixSeconds', 'date'].map((format) => grainOf(format as 'date')),
      [1, 1, 1000, 86_400_000],
    );
    assert.ok(sameFilters({ ...base, status: 'failed' }, { status: 'failed', ...base }));
    assert.ok(!sameFilters(base, { ...base, status: 'failed' }));
  });

  test('arguments are read defensively', () => {
    assert.deepEqual(
      filtersOf(givenOf({ resource: { connection: 'A', kind: 'objects', id: 'o' }, organization: 'g' })),
      { ...base, organizations: ['g'], object: 'o' },
    );
    assert.deepEqual(filtersOf(givenOf('A')), base);
    // A document's address, whose name and id are escaped where they would break it; another file names nothing.
    const path = pathOf({ connection: 'A/B %', kind: 'objects', id: 'o/1.json' });
    assert.deepEqual(givenOf({ scheme: SCHEME, path }), { connection: 'A/B %', kind: 'objects', id: 'o/1.json' });
    assert.deepEqual(givenOf({ scheme: 'file', path }), {});
    for (const odd of [undefined, null, 5, [], { connection: 7 }, { resource: { id: 'x' } }, { scheme: SCHEME }])
      assert.equal(filtersOf(givenOf(odd)), undefined);
  });
});

suite('logs: what a person looks for', () => {
  test('every word counts, quotes hold words together, parts add up to the text', () => {
    assert.ok(needleOf('MINT fail').matches('failed mint'));
    assert.ok(!needleOf('"mint fail"').matches('failed mint'));
    assert.ok(needleOf('  ').empty);
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, words) => {
        const parts = partsOf(text, needleOf(words));
        assert.equal(parts.map((part) => part.text).join(''), text);
      }),
    );
    assert.deepEqual(partsOf('A mint of mints', needleOf('mint')).filter(({ hit }) => hit).length, 2);
  });

  test('the table shows what is found and brushed, newest first; updates replace, removed ones go', () => {
    const model = new Model();
    model.take({
      reset: true,
      rows: [row('a', 1000), row('b', 2000, { action_name: 'mint' }), row('c', 3000, { action_name: 'mint' })],
      removed: [],
    });
    assert.deepEqual(
      model.shown.map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    model.find('mint');
    model.setBrush({ from: 0, to: 2500 });
    assert.deepEqual(
      model.shown.map(({ id }) => id),
      ['b'],
    );
    assert.equal(model.found.length, 2);
    model.take({ reset: false, rows: [row('b', 2000, { action_name: 'burn' })], removed: ['Test\nc'] });
    assert.deepEqual(model.shown, []);
    assert.equal(model.loaded, 2);
  });

  test('a row that is copied runs nothing in a spreadsheet, and has no time that the server did not send', () => {
    const more = {
      status: 'failed',
      action_alias: '=HYPERLINK("x")',
      error: '+1',
      fee: '0.5',
      affected_objects: [{ id: '@o' }],
    };
    assert.equal(rowText(row('a', 1000, more)), `${at(1000)}\tfailed\t'=HYPERLINK("x")\t\t'@o\t0.5\t\t'+1`);
    assert.equal(rowText(row('a', 1000, { when_created: undefined })), '\tcompleted\t\t\t\t\t\t');
  });

  test('what is shown leaves for a file: of the failures the failed ones alone', () => {
    const model = new Model();
    const rows = [row('a', 1000), row('b', 2000, { status: 'failed' }), row('c', 3000, { status: 'failed' })];
    model.take({ reset: true, rows, removed: [] });
    assert.equal(model.keysOf('logs'), undefined, 'all that is loaded');
    assert.deepEqual(model.keysOf('failures'), ['Test\nc', 'Test\nb']);
    model.setBrush({ from: 0, to: 2500 });
    assert.deepEqual(model.keysOf('logs'), ['Test\nb', 'Test\na']);
    assert.deepEqual(model.keysOf('failures'), ['Test\nb']);
  });

  test('every entry stands in exactly one bar', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e10 }), { minLength: 1 }),
        fc.integer({ min: 2, max: 200 }),
        (times, most) => {
          const entries = times
            .sort((a, b) => a - b)
            .map((time, index) => ({ time, row: { status: ['completed', 'failed', 'odd'][index % 3] ?? '' } }));
          const { buckets, width } = histogramOf(entries, most);
          assert.equal(
            buckets.reduce((sum, { total }) => sum + total, 0),
            entries.length,
          );
          assert.ok(buckets.length <= most + 1);
          for (const { from, total } of buckets)
            assert.equal(total, times.filter((time) => time >= from && time < from + width).length);
        },
      ),
    );
  });

  test('a moment that is marked in the bars stays where it is when entries come and go', () => {
    const barsOf = (times: readonly number[]): ReturnType<typeof histogramOf> =>
      histogramOf(
        times.map((time) => ({ time, row: { status: 'failed' } })),
        20,
      );
    const before = barsOf([1000, 5000, 9000]);
    const marked = before.buckets[bucketOf(before, 5000)]?.from ?? 0;
    for (const times of [
      [4000, 5000, 9000],
      [1000, 5000, 900_000],
      [5000, 9000],
    ]) {
      const now = barsOf(times);
      const { from = 0, total } = now.buckets[bucketOf(now, marked)] ?? {};
      assert.ok(from <= marked && marked < from + now.width && total !== 0);
    }
    const later = barsOf([8000, 9000]);
    assert.equal(bucketOf(later, marked), 0);
    assert.equal(bucketOf(later, 99_000), later.buckets.length - 1);
  });

  test('failures of the same action and reason are one group, whatever ids they name', () => {
    const failed = (id: string, time: number, error: string, action_name = 'mint'): LogRow =>
      row(id, time, { status: 'failed', error, action_name });
    const groups = groupFailures([
      failed('a', 1, 'object obj_0123456789ab is gone'),
      failed('b', 9, 'object obj_ffff56789abc is gone'),
      failed('c', 5, 'object obj_0123456789ab is gone', 'burn'),
      row('d', 3),
    ]);
    assert.deepEqual(
      groups.map(({ action, count, first, last, latest }) => [action, count, first, last, latest.id]),
      [
        ['mint', 2, 1, 9, 'b'],
        ['burn', 1, 5, 5, 'c'],
      ],
    );
  });
});

suite('logs: failures', () => {
  const failed = (id: string, time: number, more: object): LogRow => row(id, time, { status: 'failed', ...more });

  test('without a reason they are grouped by who signed them, with one by the reason alone', () => {
    const rows = [
      failed('a', 1, { action_name: 'mint', signer: '0x1' }),
      failed('b', 2, { action_name: 'mint', signer: '0x2' }),
      failed('c', 3, { action_name: 'mint', signer: '0x1' }),
      failed('d', 4, { action_name: 'mint', signer: '0x1', error: 'sold out' }),
      failed('e', 5, { action_name: 'mint', signer: '0x2', error: 'sold out' }),
    ];
    const groups = groupFailures(rows);
    assert.deepEqual(
      groups.map(({ key, count, signer, reasonFrom }) => [groupText(key), count, signer, reasonFrom]),
      [
        ['mint: sold out', 2, '0x2', 'log'],
        ['mint: signed by 0x1', 2, '0x1', undefined],
        ['mint: signed by 0x2', 1, '0x2', undefined],
      ],
    );
  });

  test('a reason is that of the step of the run, then of the batch, then of a field of the log', async () => {
    const rows = [
      failed('step', 1, { batch_id: 'b1', error: 'of the log' }),
      failed('batch', 2, { batch_id: 'b1', error: 'of the log' }),
      failed('log', 3, { batch_id: 'b2', error: 'of the log' }),
      failed('none', 4, { batch_id: 'b3' }),
      row('well', 5, { batch_id: 'b1' }),
    ];
    const read: string[] = [];
    const changed: string[] = [];
    let now = 0;
    const reasons = new Reasons({
      runs: () =>
        Promise.resolve([
          {
            id: 'r',
            name: 'r',
            connection: 'Test',
            started: 0,
            actionId: 'step',
            steps: [{}, { error: 'of the step' }],
          },
          {
            id: 's',
            name: 's',
            connection: 'Other',
            started: 0,
            actionId: 'none',
            steps: [{ error: 'another platform' }],
          },
        ]),
      readBatch: (_connection, id) => {
        read.push(id);
        if (id === 'b3') return Promise.resolve('The batch could not be read');
        return Promise.resolve(id === 'b1' ? { status: 'failed', error: 'of the batch' } : { status: 'completed' });
      },
      now: () => now,
      changed: (keys) => changed.push(...keys),
    });
    await reasons.look(rows);
    assert.deepEqual(
      rows.map((one) => reasons.withReason(one)).map(({ message, reasonFrom }) => [message, reasonFrom]),
      [
        ['of the step', 'step'],
        ['of the batch', 'batch'],
        ['of the log', 'log'],
        ['', undefined],
        ['', undefined],
      ],
    );
    assert.deepEqual(changed, ['Test\nstep', 'Test\nbatch']);
    assert.deepEqual(read.sort(), ['b1', 'b2', 'b3']);
    // What has settled is not read again; what could not be read is, later.
    await reasons.look(rows);
    now = 60_000;
    await reasons.look(rows);
    assert.deepEqual(read.sort(), ['b1', 'b2', 'b3', 'b3']);
  });

  test('all of a group are shown, and nothing else, whatever the server says about them', () => {
    const message = fc
      .array(fc.constantFrom('object ', 'obj_0123456789ab', '0xabcdef01', ' 12', '"gone"', ' was “…” ', 'x'.repeat(90)))
      .map((parts) => parts.join(''));
    const failure = fc.record({
      error: message,
      action_name: fc.constantFrom('mint', 'burn'),
      action_alias: fc.constantFrom('', 'Make "one"'),
      status: fc.constantFrom('failed', 'failed', 'completed'),
    });
    fc.assert(
      fc.property(fc.array(failure), (failures) => {
        const model = new Model();
        model.take({ reset: true, rows: failures.map((more, index) => row(`a${index}`, index, more)), removed: [] });
        for (const { key, count, latest } of groupFailures(model.shown.map((one) => one.row))) {
          assert.ok(viewState.shape.failure.safeParse(key).success);
          model.setFailure(key);
          assert.equal(model.shown.length, count);
          assert.ok(model.shown.every((one) => one.row.status === 'failed' && groupOf(one.row) === groupOf(latest)));
          assert.equal(model.shown[0]?.key, latest.key);
          assert.equal(model.keysOf('logs')?.length, count);
        }
        model.setFailure(undefined);
        assert.equal(model.shown.length, failures.length);
      }),
    );
  });
});

suite('logs: details', () => {
  test('an action file asks for what the log records', () => {
    const big = JSON.rawJSON('12345678901234567890');
    const text = actionText({ action_name: 'transfer', params: [{ id: 'o', amount: big }], signature: '0x1' });
    assert.equal(
      text,
      '{\n  "action": {\n    "transfer": {\n      "id": "o",\n      "amount": 12345678901234567890\n    }\n  }\n}\n',
    );
    assert.deepEqual(JSON.parse(actionText({ name: 'drop', params: ['a', 'b'] }) ?? ''), {
      action: { drop: { params: ['a', 'b'] } },
    });
    assert.equal(actionText({ params: [] }), undefined);
  });

  test('every shape that deployments are known for is shown, and zeros are no link', () => {
    const zero = `0x${'0'.repeat(64)}`;
    const { details, outside } = detailsOf({
      key: 'k',
      connection: 'A',
      busy: false,
      links: { transaction: 'https://scan.example/tx/{hash}', account: 'https://scan.example/a/{id}' },
      raw: {
        id: 'a',
        alias: 'Top up',
        params: { amount: JSON.rawJSON('12345678901234567890'), template_id: 't' },
        gas_fee: '1',
        base_fee: '2',
        signer: '0xabc',
        affected_objects: [{ id: 'o', next_state_hash: '0x1' }],
        batch_id: 'b',
      },
      batch: { id: 'b', status: 'anchoring', l1_tx_hash: zero },
    });
    const fields = details.sections.flatMap((section) => section.fields);
    const value = (name: string): string | undefined => fields.find((field) => field.name === name)?.value;
    assert.equal(details.title, 'Top up');
    assert.equal(value('Status'), 'not said');
    assert.equal(value('amount'), '12345678901234567890');
    assert.equal(value('Fee'), 'gas_fee 1, base_fee 2');
    assert.equal(value('To root'), '0x1');
    assert.equal(value('Transaction'), 'not on the chain yet');
    assert.equal(fields.find(({ name }) => name === 'Settlement')?.tone, 'unknown');
    assert.deepEqual(outside, ['https://scan.example/a/0xabc']);
    assert.deepEqual(fields.find(({ name }) => name === 'Object')?.link, { kind: 'objects', id: 'o' });
  });

  test('a log that makes no object is not shown as one that does', () => {
    const from = (raw: object): string | undefined =>
      detailsOf({ key: 'k', connection: 'A', busy: false, links: {}, raw: { id: 'a', ...raw } })
        .details.sections.flatMap(({ fields }) => fields)
        .find(({ name }) => name === 'From root')?.value;
    const object = { id: 'o', next_state_root: '0x2' };
    assert.equal(from({ action_name: 'transfer', affected_objects: [object] }), undefined);
    assert.match(from({ action_name: 'mint', affected_objects: [object] }) ?? '', /made here/);
    assert.match(from({ affected_objects: [{ ...object, change_type: 'created' }] }) ?? '', /made here/);
    assert.equal(from({ action_name: 'mint', affected_objects: [{ ...object, change: 'updated' }] }), undefined);
    for (const name of ['prev_state_hash', 'previous_state_root', 'previous_root'])
      assert.equal(from({ action_name: 'mint', affected_objects: [{ ...object, [name]: '0x1' }] }), '0x1');
  });

  test('a status that is called like something every object has is an unknown one', () => {
    const raw = { id: 'a', status: 'constructor', batch_id: 'b' };
    const batch = { id: 'b', status: 'valueOf' };
    const { details } = detailsOf({ key: 'k', connection: 'A', busy: false, links: {}, raw, batch });
    const fields = details.sections.flatMap((section) => section.fields);
    const tones = ['Status', 'Settlement'].map((name) => fields.find((field) => field.name === name)?.tone);
    assert.deepEqual(tones, ['unknown', 'unknown']);
  });

  test('nothing that a server sends breaks it, and control characters go', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('id', 'params', 'affected_objects', 'status', 'fee', 'error', 'hash'),
          fc.jsonValue(),
        ),
        (raw) => {
          const { details } = detailsOf({ key: 'k', connection: 'A', busy: false, links: {}, raw });
          for (const { value } of details.sections.flatMap(({ fields }) => fields))
            assert.doesNotMatch(value, /[\u0000-\u0009\u000b-\u001f\u202e]/);
        },
      ),
    );
  });
});
