import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatLink, parseLink, describeViewState } from '../../../../src/logs/view/link.ts';
import { getActiveFilters } from '../../../../src/logs/view/failures-mode.ts';
import { getBounds } from '../../../../src/logs/stream/query.ts';
import { formatLocalTime } from '../../../../src/model/text/time-format.ts';
import { setDisplayLanguage } from '../../../../src/platform/text/localization.ts';
import { TIME_RANGES, viewStateSchema, type ViewState } from '../../../../src/webviews/protocol/logs.ts';

const MAX_LINK_BYTES = 2048;
suite('links to log views', () => {
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
          range: fc.constantFrom(...TIME_RANGES),
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

  const time = { now: 1_700_000_000_000, started: 1_600_000_000_000 };

  test('round-trips a state; a relative range becomes absolute', () => {
    fc.assert(
      fc.property(states, (state) => {
        const link = formatLink(state, 'vscode', time);
        if (link === undefined) return;
        assert.ok(link.length <= MAX_LINK_BYTES);
        const filters = getActiveFilters(state);
        const { now, started } = time;
        const isRelative = filters.range !== 'latest' && filters.range !== 'between';
        assert.deepEqual(parseLink(link.slice(link.indexOf('?') + 1)), {
          ...state,
          filters: isRelative
            ? { ...filters, range: 'between', ...getBounds(filters, now, started), to: now }
            : filters,
        });
      }),
    );
  });

  test('leaves out the status while failures are shown', () => {
    const state: ViewState = {
      mode: 'logs',
      filters: { connections: ['A'], organizations: [], status: 'pending', range: 'latest' },
      text: '',
    };
    const isStatusLinked = (change: Partial<ViewState>): boolean | undefined =>
      formatLink({ ...state, ...change }, 'vscode', time)?.includes('status=');
    assert.equal(isStatusLinked({}), true);
    assert.equal(isStatusLinked({ mode: 'failures' }), false);
    assert.equal(isStatusLinked({ failure: 'mint\nno funds' }), false);
  });

  test('names the connection of the selected entry if there are several; parses links without it', () => {
    const two = parseLink('connection=A&connection=B&selected=x&selectedConnection=B');
    assert.equal(two.selectedConnection, 'B');
    const link = formatLink(two, 'vscode', time) ?? '';
    assert.deepEqual(parseLink(link.slice(link.indexOf('?') + 1)), two);
    assert.deepEqual(describeViewState(two, time).slice(2), [
      'Selected action log: x',
      'Connection of the selected action log: B',
    ]);
    assert.equal(parseLink('connection=A&connection=B&selected=x').selectedConnection, undefined);
  });

  test('describes a status in the display language', () => {
    setDisplayLanguage({
      language: 'de',
      messages: { 'failed/Status of an action log or a ledger batch': 'fehlgeschlagen' },
    });
    try {
      const describe = (status: string): string | undefined =>
        describeViewState(parseLink(`connection=A&status=${status}`), time)[1];
      assert.deepEqual([describe('failed'), describe('other')], ['Status: fehlgeschlagen', 'Status: other']);
    } finally {
      setDisplayLanguage({ language: 'en' });
    }
  });

  test('describes everything that a link will read and show, in local time', () => {
    const describe = (query: string): readonly string[] => describeViewState(parseLink(query), time);
    assert.deepEqual(
      describe(
        'connection=A&connection=B&status=failed&range=between&from=1000&to=2000&mode=failures&text=a+b&selected=x',
      ),
      [
        'Connection: A',
        'Connection: B',
        'Status: failed',
        `Created after: ${formatLocalTime(1000)}`,
        `Created before: ${formatLocalTime(2000)}`,
        'View: Failures',
        'Search: a b',
        'Selected action log: x',
      ],
    );
    assert.deepEqual(describe('connection=A&object=o&mode=history'), ['Connection: A', 'Object: o']);
    assert.deepEqual(describe('connection=A&range=session&brush=1000-2000'), [
      'Connection: A',
      `Created after: ${formatLocalTime(time.started)}`,
      `Selected range: ${formatLocalTime(1000)} – ${formatLocalTime(2000)}`,
    ]);
    assert.deepEqual(describe('connection=A&text=x%0Astatus:%20failed'), ['Connection: A', 'Search: x status: failed']);
  });

  test('rejects links that are not a view state', () => {
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
      `connection=A&text=${'x'.repeat(1001)}`,
      `connection=A&selected=${'x'.repeat(2100)}`,
      'connection=A&__proto__=1',
    ])
      assert.throws(() => parseLink(query), query);
    const long = { ...viewStateSchema.parse(parseLink('connection=A')) };
    const actions = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(200, 'x'));
    assert.equal(formatLink({ ...long, filters: { ...long.filters, actions } }, 'vscode', time), undefined);
  });
});
