import assert from 'node:assert/strict';
import {
  formatLabelled,
  getLabelProblem,
  getValueProblem,
  mergeLabels,
  normalizeValue,
  readLabels,
} from '../../../../src/model/text/labels.ts';

const ADDRESS = '0x50985d6b7ece173f9d92bb4b95e34ee1ee9d3359';
const OTHER = '0x1111111111111111111111111111111111111111';

suite('labels', () => {
  test('a value is shown in full after its label', () => {
    assert.equal(formatLabelled(ADDRESS, 'Box office'), `Box office (${ADDRESS})`);
    assert.equal(formatLabelled(ADDRESS, undefined), ADDRESS);
  });

  test('what is no label is ignored and counted', () => {
    const read = readLabels({
      [ADDRESS]: '  Box office ',
      'gate.example': 'Gate',
      'with space': 'a',
      empty: '',
      number: 7,
      long: 'x'.repeat(61),
      $schema: 'labels.schema.json',
    });
    assert.deepEqual(read.entries, [
      [ADDRESS, 'Box office'],
      ['gate.example', 'Gate'],
    ]);
    assert.equal(read.ignored, 4);
    for (const json of [[], 'text', null, 7]) assert.deepEqual(readLabels(json), { entries: [], ignored: 1 });
    assert.deepEqual(readLabels(undefined), { entries: [], ignored: 0 });
  });

  test('a name of Object.prototype is a value like any other', () => {
    const { entries } = readLabels(JSON.parse('{"__proto__": "Own", "constructor": "Built"}'));
    const labels = mergeLabels({ user: entries, workspace: [], file: [] });
    assert.equal(labels.get('__proto__')?.text, 'Own');
    assert.equal(labels.get('toString'), undefined);
  });

  test('only the first 10,000 labels are read', () => {
    const many = Object.fromEntries(Array.from({ length: 10_050 }, (_, index) => [`account${index}`, 'Many']));
    const { entries, ignored } = readLabels(many);
    assert.deepEqual([entries.length, ignored], [10_000, 50]);
  });

  test('a label cannot pass for an address, break the line or hide text', () => {
    for (const text of [
      ADDRESS,
      `Alice (${ADDRESS})`,
      'is 0x5098',
      '０ｘ50985d6b',
      '0х50985d6b7ece173f9d92bb4b',
      'a\nb',
      'a\u202eb',
      ' ',
      'obj_117de336dd9a',
      'B\u043ex office',
      'B\u03bfx office',
    ])
      assert.notEqual(getLabelProblem(text), undefined, JSON.stringify(text));
    for (const text of [
      'Box office',
      'Treasury-2024-multisig',
      'Müller & Söhne',
      '票务',
      'Team (EU)',
      'Касса 2',
      'Tシャツ',
      'team_2024',
    ])
      assert.equal(getLabelProblem(text), undefined, text);
  });

  test('a label of the workspace cannot add to the sentence that quotes it', () => {
    for (const text of ['Box office) as “Alice” (ok', 'Box office”', 'Box "office"', 'Box（1）'])
      for (const source of ['workspace', 'file'] as const) {
        assert.notEqual(getLabelProblem(text, source), undefined, text);
        assert.deepEqual(readLabels({ [ADDRESS]: text }, source), { entries: [], ignored: 1 });
      }
    assert.equal(getLabelProblem('Alice’s wallet', 'file'), undefined);
    assert.equal(getLabelProblem('Team (EU)', 'userFile'), undefined);
  });

  test('a value is one word', () => {
    for (const value of ['', 'a b', 'a\tb', 'a\u200bb', '$schema', 'x'.repeat(257)])
      assert.notEqual(getValueProblem(value), undefined, JSON.stringify(value));
    for (const value of [ADDRESS, 'did:key:z6Mk', 'gate.example', 'obj_061b1bcaab9a142114a87691'])
      assert.equal(getValueProblem(value), undefined, value);
  });

  test('addresses are found in any case, ids only as they are', () => {
    assert.equal(normalizeValue('0xAbC'), '0xabc');
    assert.equal(normalizeValue('Obj_1'), 'Obj_1');
  });

  test('the user’s labels win over those of the workspace and of files', () => {
    const labels = mergeLabels({
      user: [[ADDRESS.toUpperCase().replace('0X', '0x'), 'Mine']],
      workspace: [
        [ADDRESS, 'Theirs'],
        [OTHER, 'Gate'],
      ],
      file: [[OTHER, 'Door']],
    });
    assert.deepEqual(
      [...labels].map(([key, { text, source }]) => [key, text, source]),
      [
        [ADDRESS, 'Mine', 'user'],
        [OTHER, 'Gate', 'workspace'],
      ],
    );
  });

  test('a workspace cannot relabel an address of the user’s own file', () => {
    const labels = mergeLabels({
      user: [[OTHER, 'Gate']],
      userFile: [[ADDRESS, 'Mine']],
      workspace: [[ADDRESS, 'Theirs']],
      file: [['gate.example', 'Mine']],
    });
    assert.deepEqual([labels.get(ADDRESS)?.text, labels.get(ADDRESS)?.source], ['Mine', 'userFile']);
    assert.equal(labels.get('gate.example'), undefined);
  });

  test('a workspace cannot give a label of the user to another address', () => {
    const alike = [
      'ＢＯＸ OFFICE',
      'Box office.',
      'Box\u2010office',
      'Boxoffice',
      'B0x 0ffice',
      '\u0412\u043e\u0445 office',
    ];
    for (const text of alike) {
      const labels = mergeLabels({ user: [[ADDRESS, 'Box office']], workspace: [[OTHER, text]] });
      assert.equal(labels.get(OTHER), undefined, text);
    }
    const emojis = mergeLabels({ user: [[ADDRESS, '🎫']], workspace: [[OTHER, '🚪']] });
    assert.equal(emojis.get(OTHER)?.text, '🚪');
    const own = mergeLabels({
      user: [
        [ADDRESS, 'Box office'],
        [OTHER, 'Box office'],
      ],
      workspace: [],
      file: [],
    });
    assert.equal(own.get(OTHER)?.text, 'Box office');
  });
});
