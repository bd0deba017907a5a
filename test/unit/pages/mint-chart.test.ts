import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import type { Session } from '../../../src/model/session/session.ts';
import { MintChart } from '../../../src/pages/mint-chart.ts';
import { pageProtocol } from '../../../src/webviews/protocol/page.ts';
import { json, useClients } from '../../support/platform-client.ts';

suite('chart of a template', () => {
  const { start } = useClients();

  test('counts that are no numbers are left out: the page would reject its state', async () => {
    const when = new Date().toISOString();
    const counts = [2, '3', 'many', {}, null, '1e999'];
    const data = counts.map((count, index) => ({ id: String(index), key: 'tpl_1', when, count }));
    const { client } = await start(json({ data }));
    const chart = new MintChart('tpl_1', new AbortController().signal, () => undefined);
    const session: Pick<Session, 'client' | 'ended'> = { client, ended: new AbortController().signal };
    await chart.load(session as Session, false);
    assert.equal(chart.state?.summary, '5 objects');
    assert.equal(chart.state.values.at(-1), 5);
    z.parse(pageProtocol.toView.state.shape.chart, chart.state);
  });
});
