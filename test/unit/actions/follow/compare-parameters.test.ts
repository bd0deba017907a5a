/** Which log is certainly of another request. */
import assert from 'node:assert/strict';
import { isOfAnotherRequest, readRequestFacts } from '../../../../src/actions/follow/match-action-log.ts';

const SENT = Date.parse('2026-05-01T12:00:00Z');
const request = {
  action: {
    mint: {
      template_id: 'tpl_1',
      num: 2,
      to: '0xAbCd000000000000000000000000000000000001',
      owner: 'alice',
      due: '2026-05-01',
      data: {
        metadata: { name: 'Seat 1', image: { url: 'https://example.com/a.png' } },
        custom: { depth: 52.5200081 },
      },
    },
  },
};
const params = {
  template_id: 'tpl_1',
  num: 2,
  to: '0xAbCd000000000000000000000000000000000001',
  owner: 'alice',
  due: '2026-05-01',
  data: { metadata: { name: 'Seat 1' }, custom: { depth: 52.5200081 } },
};
const log = { id: 'act_1', action_name: 'mint', params: [params], when_created: new Date(SENT).toISOString() };

function isForeign(change: object, body: object = request): boolean {
  const facts = readRequestFacts(JSON.stringify(body)) ?? assert.fail();
  return isOfAnotherRequest({ ...log, ...change }, facts, SENT);
}

const withParams = (change: object): object => ({ params: [{ ...params, ...change }] });
const named = (name: string): object => withParams({ data: { metadata: { name }, custom: { depth: 52.5200081 } } });

suite('a log of another request', () => {
  // A time without a zone must not be read in the zone of this computer.
  const zone = process.env['TZ'];
  suiteSetup(() => {
    process.env['TZ'] = 'Asia/Kolkata';
  });
  suiteTeardown(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  const foreign: Readonly<Record<string, object>> = {
    'another kind': { action_name: 'burn' },
    'another template': withParams({ template_id: 'tpl_2' }),
    'another number': withParams({ num: 3 }),
    'another receiver': withParams({ to: '0xabcd000000000000000000000000000000000002' }),
    'another name': named('Seat 2'),
    'a longer name': named('Seat 12'),
    'another day': withParams({ due: '2026-05-02T00:00:00Z' }),
    'other numbers in a name': named('Seat 1-1'),
    'a name cut before it differs': named('Seat 2…'),
    'another day and time': withParams({ due: '2026-05-02' }),
    'values without names': { params: ['tpl_2', 2, '0xabcd000000000000000000000000000000000001'] },
    'an object instead of a list': { params: { ...params, num: 3 } },
    'an hour before': { when_created: new Date(SENT - 3_600_000).toISOString() },
  };
  for (const [name, change] of Object.entries(foreign))
    test(name, () => {
      assert.equal(isForeign(change), true);
    });

  const own: Readonly<Record<string, object>> = {
    'the same': {},
    'no parameters': { params: null },
    'a hash of the parameters': { params: ['0x9d1c3e5f'] },
    'values without names': { params: ['tpl_1', 2, '0xabcd000000000000000000000000000000000001', 'nonce_7'] },
    'more parameters': withParams({ edition: 7, fee: '0.003 UNIT', signer: '0x12' }),
    'fewer parameters': { params: [{ template_id: 'tpl_1' }] },
    'a number as text': withParams({ num: '2' }),
    'a number with zeros': withParams({ num: '2.00' }),
    'a rounded number': withParams({ data: { metadata: { name: 'Seat 1' }, custom: { depth: 52.520008 } } }),
    'another case': withParams({ to: '0xABCD000000000000000000000000000000000001' }),
    'an address for a name': withParams({ owner: '0xabcd000000000000000000000000000000000009' }),
    'a name with its domain': withParams({ owner: 'alice.example' }),
    'a day as a time': withParams({ due: '2026-05-01T00:00:00.000Z' }),
    'a file that moved': withParams({ image: { url: 'ipfs://bafy' } }),
    spaces: named('Seat  1 '),
    'a hidden value': named('••••'),
    'a kind with its namespace': { action_name: 'Actions.Mint' },
    'a kind under an alias': { action_name: 'remote', action_alias: 'mint' },
    'ten minutes before': { when_created: new Date(SENT - 600_000).toISOString() },
    'no time': { when_created: undefined },
    'a time without a zone': { when_created: '2026-05-01T12:00:00' },
    'a time that may be that of another zone': { when_created: '2026-05-01 02:00:00' },
    'a day': { when_created: '2026-05-01' },
    'a time that was never set': { when_created: '0001-01-01T00:00:00Z' },
    'an amount in its smallest unit': withParams({ num: '2000000000000000000' }),
    'JSON as text': withParams({ owner: '{"name":"Alice"}' }),
  };
  for (const [name, change] of Object.entries(own))
    test(`not: ${name}`, () => {
      assert.equal(isForeign(change), false);
    });

  const forms: readonly (readonly [sent: string | number, ...forms: (string | number)[]])[] = [
    ['2026-06-01T10:00:00.123Z', '2026-06-01T10:00:00Z', '2026-06-01 10:00:00.123', '2026-06-01'],
    ['2026-06-01T10:00:00', '2026-06-01T10:00:00Z', '2026-06-01T12:00:00+02:00', '2026-06-01 10:00:00+00'],
    ['2026-06-01 10:00', '2026-06-01T10:00:00.000Z', '2026-06-01 12:30+02:30', '2026-06-01 12:30:00+0230'],
    ['-7.50', '-07.5', '-7.500'],
    ['+100', '100', '0100', '1e2', '100.00'],
    ['a'.repeat(80), 'A'.repeat(64)],
    ['12345678901234567890', '12345678901234567000'],
    ['1000000000000000000000', '1e+21'],
    [12.5, 1250, '12500000'],
    ['Tom & "Jerry"', 'Tom &amp; &quot;Jerry&quot;'],
    ['A long name of a ticket', 'A long name of…', 'A long name...'],
  ];
  for (const [sent, ...others] of forms)
    test(`other forms of ${String(sent)}`, () => {
      for (const form of others)
        assert.equal(
          isForeign({ params: { value: form } }, { action: { mint: { value: sent } } }),
          false,
          String(form),
        );
    });

  test('other values in similar forms', () => {
    for (const [sent, other] of [
      ['2026-06-01T10:00:00Z', '2026-06-01T10:00:01Z'],
      ['12345678901234567890', '12345678901234567891'],
      [1, 1000],
      [12.5, 125],
      [10.5, 15],
      ['-7.5', '7.5'],
      ['a'.repeat(80), 'a'.repeat(63)],
      ['a'.repeat(80), `${'a'.repeat(63)}b`],
      ['2026-06-01 10:00', '2026-06-01T10:01:00Z'],
      ['2026-06-01T10:00:00Z', '2026-06-01T10:00:00+02:00'],
      [2, 3_000_000],
      ['1-12', '11-2'],
      ['Tom & Jerry', 'Tom &amp; Gerry'],
    ])
      assert.equal(isForeign({ params: { value: other } }, { action: { mint: { value: sent } } }), true, String(other));
  });

  test('another recovery id is the same signature', () => {
    const signed = { ...request, signature: `0x${'a'.repeat(128)}1b` };
    assert.equal(isForeign({ signature: `0x${'a'.repeat(128)}00` }, signed), false);
    assert.equal(isForeign({ signature: `0x${'b'.repeat(128)}1b` }, signed), true);
  });

  test('another signature or signer', () => {
    const signature = `0x${'a'.repeat(64)}`;
    const signer = `0x${'1'.repeat(40)}`;
    const signed = { ...request, signature, signer };
    assert.equal(isForeign({ signature, signer: signer.toUpperCase().replace('X', 'x') }, signed), false);
    assert.equal(isForeign({ signature: `0x${'b'.repeat(64)}` }, signed), true);
    assert.equal(isForeign({ signature: 'in another form' }, signed), false);
    assert.equal(isForeign({ signer: `0x${'2'.repeat(40)}` }, signed), true);
    assert.equal(isForeign({ signer: 'alice.example' }, signed), false);
  });

  test('variables that are no longer known contradict nothing', () => {
    const body = { action: { update: { id: '${input:ID}' } } };
    assert.equal(isForeign({ action_name: 'update', params: [{ id: 'obj_9' }] }, body), false);
  });
});
