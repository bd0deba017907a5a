import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatDetails } from '../../../../src/logs/view/details.ts';
import { logsProtocol, type LogDetails } from '../../../../src/webviews/protocol/logs.ts';

const listUrls = ({ sections }: LogDetails): readonly string[] =>
  sections.flatMap(({ fields }) => fields.flatMap(({ url }) => url ?? []));

suite('log details', () => {
  test('formats every known shape of a log; a hash of zeros is not a link', () => {
    const zero = `0x${'0'.repeat(64)}`;
    const details = formatDetails({
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
    assert.equal(value('Status'), 'Not provided');
    assert.equal(value('amount'), '12345678901234567890');
    assert.equal(value('Fee'), 'gas_fee 1, base_fee 2');
    assert.equal(value('New root'), '0x1');
    assert.equal(value('Transaction'), 'Not on chain yet');
    assert.equal(fields.find(({ name }) => name === 'Settlement')?.tone, 'unknown');
    assert.deepEqual(listUrls(details), ['https://scan.example/a/0xabc']);
    assert.deepEqual(fields.find(({ name }) => name === 'Object')?.link, { kind: 'objects', id: 'o' });
  });

  test('a labelled address or id is shown with its label, and is still linked by itself', () => {
    const details = formatDetails({
      key: 'k',
      connection: 'A',
      busy: false,
      links: { account: 'https://scan.example/a/{id}' },
      raw: { id: 'a', status: 'failed', signer: '0xabc', params: { to: '0xabc' }, action_name: '0xabc' },
      getLabel: (value) => (value === '0xabc' ? 'Box office' : undefined),
    });
    const fields = details.sections.flatMap((section) => section.fields);
    const value = (name: string): string | undefined => fields.find((field) => field.name === name)?.value;
    assert.deepEqual(['Signer', 'to', 'Action'].map(value), ['Box office (0xabc)', 'Box office (0xabc)', '0xabc']);
    assert.deepEqual(
      fields.flatMap(({ name, account }) => (account === undefined ? [] : [name, account])),
      ['Signer', '0xabc', 'to', '0xabc'],
    );
    assert.deepEqual(listUrls(details), ['https://scan.example/a/0xabc']);
  });

  test('shows an object as created only if the log created it', () => {
    const from = (raw: object): string | undefined =>
      formatDetails({ key: 'k', connection: 'A', busy: false, links: {}, raw: { id: 'a', ...raw } })
        .sections.flatMap(({ fields }) => fields)
        .find(({ name }) => name === 'Previous root')?.value;
    const object = { id: 'o', next_state_root: '0x2' };
    assert.equal(from({ action_name: 'transfer', affected_objects: [object] }), undefined);
    assert.match(from({ action_name: 'mint', affected_objects: [object] }) ?? '', /created by this action/);
    for (const name of ['prev_state_root', 'prev_state_hash', 'prev_content_hash'])
      assert.equal(from({ action_name: 'mint', affected_objects: [{ ...object, [name]: '0x1' }] }), '0x1');
  });

  test('a status named like a property of Object.prototype is unknown', () => {
    const raw = { id: 'a', status: 'constructor', batch_id: 'b' };
    const batch = { id: 'b', status: 'valueOf' };
    const details = formatDetails({ key: 'k', connection: 'A', busy: false, links: {}, raw, batch });
    const fields = details.sections.flatMap((section) => section.fields);
    const tones = ['Status', 'Settlement'].map((name) => fields.find((field) => field.name === name)?.tone);
    assert.deepEqual(tones, ['unknown', 'unknown']);
  });

  test('an address that is too long for a message is no link', () => {
    const links = { account: 'https://scan.example/a/{id}' };
    const details = formatDetails({ key: 'k', connection: 'A', busy: false, links, raw: { signer: '1'.repeat(5000) } });
    assert.deepEqual(listUrls(details), []);
    assert.equal(logsProtocol.toView.details.safeParse(details).success, true);
  });

  test('formats any JSON without control characters', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('id', 'params', 'affected_objects', 'status', 'fee', 'error', 'hash'),
          fc.jsonValue(),
        ),
        (raw) => {
          const details = formatDetails({ key: 'k', connection: 'A', busy: false, links: {}, raw });
          for (const { value } of details.sections.flatMap(({ fields }) => fields))
            assert.doesNotMatch(value, /[\u0000-\u0009\u000b-\u001f\u202e]/);
        },
      ),
    );
  });
});
