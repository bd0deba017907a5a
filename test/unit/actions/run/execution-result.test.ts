/** Responses of an execution: ids, steps and created objects in each form that deployments use. */
import assert from 'node:assert/strict';
import { describeFailedStep, readExecutionResult } from '../../../../src/actions/run/execution-result.ts';
import { MASK } from '../../../../src/platform/json/secrets.ts';
import { formatText } from '../../../../src/platform/text/message.ts';

suite('responses of an execution', () => {
  test('the id of the action, also as actionId, a number, or inside data', () => {
    const ids = [
      { action_id: 'act_1' },
      { actionId: 'act_1' },
      { action_id: 7 },
      { data: { action_id: 'act_1' } },
      { action_id: 'act_1', data: { action_id: 'act_2' } },
      { action_id: '' },
      { data: 'act_1' },
      {},
      null,
      'act_1',
    ].map((raw) => readExecutionResult(raw).actionId);
    assert.deepEqual(ids, ['act_1', 'act_1', '7', 'act_1', 'act_1', ...Array<undefined>(5).fill(undefined)]);
  });

  test('steps of any form; one fails if it has an error', () => {
    const steps = [
      { action: 'mint', output: { ids: ['a'] } },
      { action: 'update', error: 'no supply' },
      { action: '', error: { code: 7 } },
      { action: 'burn', error: { code: 'E_OWNER', message: 'not the owner' } },
      { action: 5, error: null, output: null },
      { error: '' },
      { error: false },
      { error: 0 },
      'done',
      null,
    ];
    assert.deepEqual(readExecutionResult({ data: { steps } }).steps, [
      { action: 'mint', output: '{\n  "ids": [\n    "a"\n  ]\n}' },
      { action: 'update', error: 'no supply' },
      { action: 'step', error: '{"code":7}' },
      { action: 'burn', error: 'not the owner' },
      { action: 'step' },
      { action: 'step' },
      { action: 'step' },
      { action: 'step', error: '0' },
      { action: 'step' },
      { action: 'step' },
    ]);
    for (const raw of [{ steps: {} }, { steps: 'mint' }, {}]) assert.deepEqual(readExecutionResult(raw).steps, []);
    assert.equal(readExecutionResult({ steps: Array(1001).fill({}) }).steps.length, 1000);
  });

  test('created objects: each once, none of a failed step, none that is redacted', () => {
    const created = (...steps: readonly unknown[]): readonly string[] => readExecutionResult({ steps }).createdIds;
    assert.deepEqual(created({ output: { ids: ['a', 'b', 'a', '', 5, MASK] } }, { output: { ids: ['b', 'c'] } }), [
      'a',
      'b',
      'c',
    ]);
    assert.deepEqual(
      created({ output: { ids: ['a'] }, error: 'no' }, { output: { ids: 'a' } }, { output: 'a' }, {}),
      [],
    );
    const many = Array.from({ length: 201 }, (_, index) => String(index));
    assert.deepEqual(created({ output: { ids: many } }), many.slice(0, 200));
  });

  test('the first failed step is described, with those that succeeded', () => {
    const describe = (...errors: readonly (string | undefined)[]): string | undefined => {
      const text = describeFailedStep(
        errors.map((error, index) => ({
          action: index === 0 ? 'mint' : 'step',
          ...(error !== undefined && { error }),
        })),
      );
      return text === undefined ? undefined : formatText(text);
    };
    assert.equal(describe(), undefined);
    assert.equal(describe(undefined, undefined), undefined);
    assert.equal(describe('sold out'), 'sold out (step mint)');
    assert.equal(describeFailedStep([{ action: 'step', error: 'sold out' }]), 'sold out');
    assert.equal(describe('sold out', 'no'), 'sold out (step 1 of 2, mint). No step succeeded');
    assert.equal(
      describe(undefined, 'sold out', undefined),
      'sold out (step 2 of 3, step). Succeeded: 1 (mint), 3 (step)',
    );
    const eleven = Array<undefined>(11).fill(undefined);
    assert.match(describe('no', ...eleven) ?? '', /Succeeded: 2 \(step\), .* 11 \(step\)$/);
  });
});
