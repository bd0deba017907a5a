import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import type { Session } from '../../../src/model/session/session.ts';
import { MintChart } from '../../../src/pages/mint-chart.ts';
import { pageProtocol } from '../../../src/webviews/protocol/page.ts';
import type { Handler } from '../../support/http/servers.ts';
import { json, useClients } from '../../support/platform-client.ts';

suite('chart of a template', () => {
  const { start } = useClients();

  async function createChart(handler: Handler): Promise<{ chart: MintChart; session: Session }> {
    const { client } = await start(handler);
    const session: Pick<Session, 'client' | 'ended'> = { client, ended: new AbortController().signal };
    const chart = new MintChart('tpl_1', new AbortController().signal, () => undefined);
    return { chart, session: session as Session };
  }

  test('counts that are no numbers are left out, and points without a time of the chart: both are said', async () => {
    const when = new Date().toISOString();
    const counts = [2, '3', 'many', {}, null, '1e999'];
    const data = counts.map((count, index) => ({ id: String(index), key: 'tpl_1', when, count }));
    const { chart, session } = await createChart(json({ data: [...data, { id: '6', key: 'tpl_1', count: 4 }] }));
    await chart.load(session, false);
    const notes = [
      '1 point without a time is included in the total but not in the chart.',
      '4 points without a valid value are shown as gaps.',
    ];
    assert.equal(chart.state?.summary, ['9 objects', ...notes].join(' · '));
    assert.equal(chart.state.values.at(-1), 5);
    z.parse(pageProtocol.toView.state.shape.chart, chart.state);
  });

  test('a failed refresh keeps what was read, and says so until the next one', async () => {
    const data = [{ id: '1', key: 'tpl_1', when: new Date().toISOString(), count: 2 }];
    let status = 200;
    const { chart, session } = await createChart((...exchange) => json({ data }, status)(...exchange));
    await chart.load(session, false);
    const { state: before } = chart;
    status = 403;
    for (let time = 0; time < 2; time++) {
      await chart.load(session, true);
      assert.match(chart.state?.summary ?? '', /^2 objects · Read statistics: Permission denied/);
      assert.deepEqual(chart.state?.values, before?.values);
    }
    status = 200;
    await chart.load(session, true);
    assert.deepEqual(chart.state, before);
  });

  test('a total without all points says so', async () => {
    // The platform has points of each hour, and sends 25 of them.
    const { chart, session } = await createChart((request, response) => {
      const query = new URL(request.url, 'http://127.0.0.1').searchParams;
      const [from, until] = ['$gte', '$lt'].map((bound) => Date.parse(query.get(`when_created[${bound}]`) ?? ''));
      const end = Number.isNaN(until) ? Date.now() : (until ?? 0);
      const data = Array.from({ length: 25 }, (_, index) => end - (index + 1) * 3_600_000)
        .filter((when) => when >= (from ?? 0))
        .map((when) => ({ id: String(when), key: 'tpl_1', when: new Date(when).toISOString(), count: 1 }));
      json({ data })(request, response);
    });
    await chart.load(session, false);
    assert.match(chart.state?.summary ?? '', /^\d+ objects · Loading stopped after 4 requests\./);
  });
});
