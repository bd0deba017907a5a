/** Fields of action logs in the forms that deployments write. */
import assert from 'node:assert/strict';
import {
  getActionId,
  readAffectedObjects,
  formatFee,
  formatFieldText,
  getSigner,
  readBatchFailureReason,
} from '../../../../src/platform/resources/action-log-fields.ts';
import { registry } from '../../../../src/platform/registry.ts';

suite('fields of action logs', () => {
  test('a fee: a total, else the single value, else its parts by name; never a computed sum', () => {
    const fees: readonly (readonly [object, string])[] = [
      [{ fee: '0.003 UNIT' }, '0.003 UNIT'],
      [{ fee: 0.5 }, '0.5'],
      [{ fee: JSON.rawJSON('0.1234567890123456789') }, '0.1234567890123456789'],
      [{ fee: { network: '0.1', platform: '0.2', total: '0.3' } }, '0.3'],
      [{ fee: { network: '0.1', platform: '0.2', totalFee: '0.3', currency: 'UNIT' } }, '0.3 UNIT'],
      [{ fee: { amount: '0.1', unit: 'UNIT' } }, '0.1 UNIT'],
      [{ fee: { value: '0.1', currency: 'UNIT', paid_by: 'wallet', at: null } }, '0.1 UNIT'],
      [{ fee: { network: '0.1', platform: '0.2', unit: 'UNIT' } }, 'network 0.1 UNIT, platform 0.2 UNIT'],
      [{ gas_fee: '1', base_fee: '2' }, 'gas_fee 1, base_fee 2'],
      [{ gas_fee: '1', base_fee: '2', total_fee: '3' }, '3'],
      [{ fee: '', service_fee: '1' }, 'service_fee 1'],
      [{ fee: {} }, ''],
      [{ fee: null, feedback: '7', coffee: '8' }, ''],
    ];
    for (const [raw, text] of fees) assert.equal(formatFee({ ...raw }), text, JSON.stringify(raw));
  });

  test('a field that is a fee is rounded for reading', () => {
    const value = '0.002100002190855426';
    for (const name of ['fee', 'fees', 'gasFee']) assert.equal(formatFieldText(name, value), '0.0021', name);
    for (const name of ['coffee', 'amount']) assert.equal(formatFieldText(name, value), value, name);
  });

  test('an account or wallet is the signer only if there is none', () => {
    assert.equal(getSigner({ signer: '0x1', account: 'alice' }), '0x1');
    assert.equal(getSigner({ signer: null, account: 'alice' }), 'alice');
    assert.equal(getSigner({ account_name: 'alice.example' }), 'alice.example');
    assert.equal(getSigner({ wallet: { id: 'w', nickname: 'Alice' } }), 'Alice');
    assert.equal(getSigner({ wallet_id: 'w' }), '');
  });

  test('affected objects: other names of the roots, and creations only if the log shows them', () => {
    const one = (object: object, raw: object = {}): object | undefined =>
      readAffectedObjects({ ...raw, affected_objects: [{ id: 'o', template_id: 't', ...object }] })[0];
    const read = { id: 'o', templateId: 't', previousRoot: '', nextRoot: '', created: false };
    assert.deepEqual(one({}), read);
    for (const name of ['state_root', 'state_hash', 'content_hash'])
      assert.deepEqual(
        one({ [`prev_${name}`]: 'a', [`next_${name}`]: 'b' }, { action_name: 'mint' }),
        { ...read, previousRoot: 'a', nextRoot: 'b' },
        name,
      );
    assert.deepEqual(one({ next_state_root: 'b' }, { action_name: 'update' }), { ...read, nextRoot: 'b' });
    assert.deepEqual(one({ next_state_root: 'b' }, { name: 'mint' }), { ...read, nextRoot: 'b', created: true });
    assert.deepEqual(one({ prev_state_root: '0x00', next_state_root: 'b' }), {
      ...read,
      previousRoot: '0x00',
      nextRoot: 'b',
      created: true,
    });
    assert.deepEqual(one({ prev_state_root: '0x00', next_state_root: '0x00' }), {
      ...read,
      previousRoot: '0x00',
      nextRoot: '0x00',
    });
    assert.deepEqual(readAffectedObjects({ affected_objects: null }), []);
    assert.deepEqual(readAffectedObjects({ affected_objects: ['x', null] }), []);
  });

  test('the id of an execution has two spellings', () => {
    assert.equal(getActionId({ actionId: 'a' }), 'a');
    assert.equal(getActionId({ action_id: 'b', actionId: 'a' }), 'b');
  });

  test('the reason of a failed batch is the same to runs and in the tree, in whatever field and form', () => {
    for (const fields of [
      { error: 'out of gas' },
      { error: { code: 'gas', message: 'out of gas' } },
      { error_message: 'out of gas' },
      { message: 'out of gas' },
    ]) {
      const batch = { id: 'b', status: 'failed', ...fields };
      assert.equal(readBatchFailureReason(batch), 'out of gas');
      assert.ok(registry.batches.summary(batch).details.includes('out of gas'));
      assert.deepEqual(
        registry.batches.facts(batch).map((fact) => fact.value),
        ['out of gas'],
      );
    }
    assert.equal(readBatchFailureReason({ id: 'b', status: 'completed', message: 'settled' }), undefined);
  });
});
