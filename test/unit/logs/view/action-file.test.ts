import assert from 'node:assert/strict';
import { formatActionFile } from '../../../../src/logs/view/action-file.ts';

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
  });
});
