/** The log lens: where it is shown, what it reads, how often, and what it says. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { findMarks, type Mark } from '../../../src/lens/find-marks.ts';
import { formatLens } from '../../../src/lens/format-lens.ts';
import { LensData } from '../../../src/lens/lens-data.ts';
import type { Session } from '../../../src/model/session/session.ts';
import { setDisplayLanguage } from '../../../src/platform/text/localization.ts';
import { useServers } from '../../support/platform-client.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;
const TEMPLATE = 'tpl_0123456789abcdef01234567';

test('marks are action names beside “action”, and ids of templates', () => {
  const code = `
    const body = { action: { mint: { template_id: "${TEMPLATE}", num: 1 } } };
    const KNOWN = 'ticket.gold';
    stats("?action_name=burn"); socket.on('connect', update);
    const request = map[string]any{"action": map[string]any{"redeem": id}}
    log.action_name === 'transfer' && log.templateId === 'other'
    type Row = { template_id: string; action: 'submit'; placeholder_template_id: '<TEMPLATE_ID>' };
action:
  drop:
    template_id: ${TEMPLATE}
  `;
  const marks = findMarks(code, (id) => id === 'ticket.gold');
  assert.deepEqual(
    marks.map(({ kind, name, offset }) => `${String(code.slice(0, offset).split('\n').length)} ${kind} ${name}`),
    [
      '2 action mint',
      `2 template ${TEMPLATE}`,
      '3 template ticket.gold',
      '4 action burn',
      '5 action redeem',
      '6 action transfer',
      '6 template other',
      '9 action drop',
      `10 template ${TEMPLATE}`,
    ],
  );
  for (const { name, offset } of marks) assert.equal(code.slice(offset, offset + name.length), name);
});

suite('log lens', () => {
  const { servers, createClient } = useServers();
  let now: number;
  let isActive: boolean;
  let isOffline: boolean;
  let data: LensData;

  setup(() => {
    now = NOW;
    isActive = true;
    isOffline = false;
    data = new LensData({ now: () => now, maxAge: MINUTE, isActive: () => isActive, onDidRead: () => undefined });
  });
  teardown(() => {
    data.dispose();
    setDisplayLanguage({ language: 'en' });
  });

  interface Platform {
    readonly session: Session;
    readonly requests: string[];
  }

  /** A platform by hand: 40 of its 100 newest logs are mints, of which one failed; it has one template, or none. */
  async function startPlatform(
    name: string,
    { environment = 'staging', templates = [TEMPLATE], sorted = true, signedOutReason = '', drifts = false } = {},
  ): Promise<Platform> {
    const requests: string[] = [];
    const logs = Array.from({ length: 100 }, (_, index) => ({
      id: `log_${String(index)}`,
      action_name: index % 5 < 2 ? 'mint' : 'burn',
      status: index === 6 ? 'failed' : index === 1 ? 'pending' : 'completed',
      // The fees of the mints are 0.0001, 0.0002 and so on: their median is 0.00205.
      fee: index % 5 < 2 ? (0.0001 * (Math.floor(index / 5) * 2 + (index % 5) + 1)).toFixed(4) : '1 GAS',
      ...(index === 1 && { affected_objects: [{ id: 'o', template_id: TEMPLATE, next_state_root: '1' }] }),
      when_created: new Date(NOW - (index + 4) * MINUTE).toISOString(),
      ...(drifts && index % 5 === 1 && { action_name: '', name: 'mint' }),
      ...(drifts && index === 7 && { when_created: null }),
    }));
    const server = await servers.http(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      requests.push(`${pathname} ${searchParams.get('action_name') ?? searchParams.get('template_id') ?? ''}`.trim());
      const id = pathname.slice('/templates/'.length);
      if (isOffline) {
        response.statusCode = 403;
        response.end('{"message": "not now"}');
      } else if (pathname === '/ebus/action-logs') {
        assert.equal(searchParams.get('limit'), '100');
        response.end(JSON.stringify({ action_logs: sorted ? logs : [...logs].reverse(), next: 'more' }));
      } else if (pathname === '/stats/actions/execution')
        response.end('{"data": [{"when": "2026-02-02T00:00:00Z", "count": 1200}, {"count": 4}]}');
      else if (pathname === '/stats/objects/creation')
        response.end('{"data": [{"when": "2026-02-02T00:00:00Z", "count": 1}]}');
      else if (templates.includes(id)) response.end(JSON.stringify({ id, name: 'Ticket' }));
      else {
        response.statusCode = 404;
        response.end('{"message": "not found"}');
      }
    });
    const session: Partial<Session> = {
      profile: { name, baseUrl: server.origin, environment } as Session['profile'],
      client: createClient(server),
      ended: new AbortController().signal,
      signedOutReason: signedOutReason === '' ? undefined : signedOutReason,
    };
    return { session: session as Session, requests };
  }

  /** Asks until everything was read; `all`: the first is the active connection. */
  async function read(mark: Mark, ...all: readonly Platform[]): Promise<string> {
    const sessions = all.map(({ session }) => session);
    const [active] = sessions;
    assert.ok(active !== undefined);
    let facts = data.get(active, mark, sessions);
    while (facts.busy && isActive) {
      await setImmediate();
      facts = data.get(active, mark, sessions);
    }
    return formatLens(facts, now, false).title;
  }

  test('a file of spaces is read in linear time', () => {
    // With a pattern that tries each pair of positions, it would take minutes.
    for (const start of ['action=', 'action: {', 'template_id=', 'template_ids: ['])
      assert.deepEqual(
        findMarks(`${start}${' '.repeat(250_000)}x`, () => false),
        [],
      );
  });

  test('an action has its runs, failures, median fee and last run, with one request a series', async () => {
    const platform = await startPlatform('Shop');
    const mint = { kind: 'action', name: 'mint' } as const;
    const expected = '1,204 runs in 30 days · 2.5% failed · median fee 0.00205 (of 40 logs) · last 4 minutes ago';
    assert.equal(await read(mint, platform), expected);
    assert.equal(await read(mint, platform), expected);
    const requests = ['/ebus/action-logs', '/stats/actions/execution mint'];
    assert.deepEqual(platform.requests.toSorted(), requests);
    // Fees with a unit; the logs were read already.
    assert.equal(
      await read({ kind: 'action', name: 'burn' }, platform),
      '1,204 runs in 30 days · 0% failed · median fee 1 GAS (of 60 logs) · last 6 minutes ago',
    );
    assert.deepEqual(platform.requests.toSorted(), [
      ...requests.slice(0, 1),
      '/stats/actions/execution burn',
      requests[1],
    ]);
  });

  test('it reads again after a minute, and never while the window is in the background', async () => {
    const platform = await startPlatform('Shop');
    const mint = { kind: 'action', name: 'mint' } as const;
    isActive = false;
    assert.equal(await read(mint, platform), 'Loading…');
    assert.equal(platform.requests.length, 0);
    isActive = true;
    await read(mint, platform);
    now += MINUTE - 1;
    await read(mint, platform);
    assert.equal(platform.requests.length, 2);
    isActive = false;
    now += 1;
    assert.match(await read(mint, platform), /last 5 minutes ago/);
    assert.equal(platform.requests.length, 2);
    isActive = true;
    await read(mint, platform);
    while (platform.requests.length < 4) await setImmediate();
  });

  test('it reads again a minute after the clock was set back', async () => {
    const platform = await startPlatform('Shop');
    const mint = { kind: 'action', name: 'mint' } as const;
    await read(mint, platform);
    now -= 60 * MINUTE;
    await read(mint, platform);
    while (platform.requests.length < 4) await setImmediate();
  });

  test('numbers stay when reading them again fails, and its reason is in the tooltip', async () => {
    const platform = await startPlatform('Shop');
    const mint = { kind: 'action', name: 'mint' } as const;
    const expected = await read(mint, platform);
    isOffline = true;
    now += MINUTE;
    await read(mint, platform);
    const { session } = platform;
    let facts = data.get(session, mint, [session]);
    while (facts.error === undefined) {
      await setImmediate();
      facts = data.get(session, mint, [session]);
    }
    const { title, tooltip } = formatLens(facts, now - MINUTE, false);
    assert.equal(title, expected);
    assert.match(tooltip, /^Read statistics: /m);
  });

  test('a template says where it exists: on no connection, or only on a sandbox', async () => {
    const here = await startPlatform('Shop');
    const there = await startPlatform('Live', { environment: 'production', templates: [] });
    const local = await startPlatform('Local', { environment: 'sandbox' });
    const closed = await startPlatform('Closed', { signedOutReason: 'Not signed in' });
    const mark = { kind: 'template', name: TEMPLATE } as const;
    assert.equal(
      await read(mark, here, there),
      '1 object created in 30 days · median fee 0.0002 (of 1 log) · last 5 minutes ago',
    );
    assert.match(await read(mark, local, there), /^\$\(info\) Exists only on a sandbox: Local · 1 object created/);
    assert.equal(await read(mark, there, local), '$(info) Exists only on a sandbox: Local');
    assert.equal(await read(mark, there, here, local), '$(info) Exists only on Shop and Local');
    const unknown = { kind: 'template', name: 'tpl_unknown' } as const;
    assert.equal(await read(unknown, here, there), '$(info) Unknown template on every connection');
    assert.equal(await read(unknown, here, closed), '$(info) Unknown template on Shop');
    // Nothing is counted for it, and nothing is requested without a credential.
    assert.ok(
      there.requests.every((request) => request.startsWith('/templates/')),
      there.requests.join(),
    );
    assert.deepEqual(closed.requests, []);
  });

  test('logs are read as deployments write them: another field for the name, or no time', async () => {
    const platform = await startPlatform('Shop', { drifts: true });
    assert.equal(
      await read({ kind: 'action', name: 'mint' }, platform),
      await read({ kind: 'action', name: 'mint' }, await startPlatform('Other')),
    );
  });

  test('what the logs cannot tell is left out', async () => {
    const unsorted = await startPlatform('Shop', { sorted: false });
    const mint = { kind: 'action', name: 'mint' } as const;
    assert.equal(await read(mint, unsorted), '1,204 runs in 30 days');
    setDisplayLanguage({ language: 'de', messages: {} });
    assert.match(await read(mint, await startPlatform('Laden')), /^1\.204 .*2,5\s%.*0,00205/);
  });
});
