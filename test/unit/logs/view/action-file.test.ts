import assert from 'node:assert/strict';
import { findMismatches, parseExpectation } from '../../../../src/actions/testing/expectation.ts';
import { formatActionFile, formatReproduction } from '../../../../src/logs/view/action-file.ts';

import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import type { LogRow } from '../../../../src/webviews/protocol/logs.ts';
import { createRecord } from '../../actions/support.ts';
import { row } from '../entries.ts';

suite('action files from logs', () => {
  test('repeats the action and parameters of a log', () => {
    const big = JSON.rawJSON('12345678901234567890');
    const text = formatActionFile({ action_name: 'transfer', params: [{ id: 'o', amount: big }], signature: '0x1' });
    assert.equal(
      text,
      '{\n  "action": {\n    "transfer": {\n      "id": "o",\n      "amount": 12345678901234567890\n    }\n  }\n}\n',
    );
    assert.deepEqual(JSON.parse(formatActionFile({ name: 'drop', params: ['a', 'b'] }) ?? ''), {
      action: { drop: { params: ['a', 'b'] } },
    });
    assert.equal(formatActionFile({ params: [] }), undefined);
    assert.deepEqual(JSON.parse(formatActionFile({ name: 'drop', params: ['${env:HOME}', 1] }) ?? ''), {
      action: { drop: { params: ['$${env:HOME}', 1] } },
    });
  });

  test('reproduces a failure: the same action, and an expectation that the same failure meets, with any ids', async () => {
    const raw = { action_name: 'burn', params: [{ id: 'obj_1' }], error: 'Object obj_0123456789ab (frozen) at 12:30' };
    const log = row('a', 1, { ...raw, status: 'failed' });
    const text = formatReproduction(raw, log) ?? assert.fail();
    const suite = JSON.parse(text) as { name: string; steps: { name: string; request: unknown; expect: unknown }[] };
    assert.equal(suite.name, 'burn: Object … (frozen) at …:…');
    const step = suite.steps[0] ?? assert.fail();
    assert.deepEqual(step.request, { action: { burn: { id: 'obj_1' } } });
    const expectation = parseExpectation(JSON.stringify(step.expect));
    const find = async (more: Partial<RunRecord>): Promise<readonly string[]> =>
      (await findMismatches({ ...createRecord(text), ...more }, expectation)).map(({ path }) => path);
    const failed = { outcome: 'failed' as const };
    const again = JSON.stringify({ error: 'Object obj_ffff56789abc (frozen) at 01:02' });
    assert.deepEqual(await find({ ...failed, log: again }), []);
    assert.deepEqual(await find({ ...failed, log: JSON.stringify({ error: 'Sold out' }) }), ['log.error']);
    assert.deepEqual(await find({ outcome: 'completed', log: again }), ['status']);
    // The reason is cut, here within an id.
    const long = (id: string): string => `${'not possible, '.repeat(8)}for ${id} at all`;
    const cut = { ...raw, error: long('6f1c2d3e-aaaa-bbbb-cccc-0123456789ab') };
    const again2 = JSON.stringify({ error: long('0b5e8f7a-dddd-eeee-ffff-0123456789ab') });
    const other = JSON.parse(formatReproduction(cut, row('a', 1, { ...cut, status: 'failed' })) ?? '') as typeof suite;
    const pattern = parseExpectation(JSON.stringify(other.steps[0]?.expect));
    assert.deepEqual(await findMismatches({ ...createRecord(text), ...failed, log: again2 }, pattern), []);
    // The reason of a batch or a step is compared there.
    const of = (more: Partial<LogRow>): unknown =>
      (JSON.parse(formatReproduction(raw, { ...log, message: 'Sold out', ...more }) ?? '') as typeof suite).steps[0]
        ?.expect;
    const reason = { error: { $match: 'Sold out' } };
    assert.deepEqual(of({ reasonSource: 'batch' }), { status: 'failed', batch: reason });
    assert.deepEqual(of({ reasonSource: 'step' }), { status: 'failed', steps: [reason] });
    // One long word is cut within it.
    assert.deepEqual(of({ reasonSource: 'batch', message: 'x'.repeat(200) }), {
      status: 'failed',
      batch: { error: { $match: 'x'.repeat(120) } },
    });
    const { reasonSource: _source, ...unknown } = log;
    assert.match(formatReproduction(raw, unknown) ?? '', /"expect": \{\n\s+"status": "failed"\n\s+\}/);
    assert.equal(formatReproduction({ params: [] }, log), undefined);
  });
});
