/** Action files: parsing, the sent text, findings and their fixes, variables, and 10,000 broken files. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkActionFile } from '../../../../src/actions/file/check-action-file.ts';
import { applyEdits } from '../../../../src/actions/file/json-edits.ts';
import { getRequestBody, isSigned, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import {
  actionKinds,
  formatEffect,
  formatEffectLines,
  formatEffectSummary,
  formatListedEffect,
  getTargetIds,
} from '../../../../src/actions/file/action-kinds.ts';
import { formatRunSummary } from '../../../../src/actions/history/run-documents.ts';
import { getRunResult, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import {
  getDistinctVariables,
  splitVariables,
  substitute,
  getRunValue,
} from '../../../../src/actions/file/variables.ts';
import { parseJson } from '../../../../src/platform/json/parse-json.ts';
import { createRecord } from '../support.ts';
import { getActionName } from '../../../../src/actions/file/file-names.ts';
import { escapeVariables } from '../../../../src/model/text/variables.ts';

const codes = (text: string): string[] => checkActionFile(parseActionFile(text)).map(({ code }) => code);

/** The text after the first fix of the first finding with that code. */
function fixed(text: string, code: string, at = 0): string {
  const finding = checkActionFile(parseActionFile(text)).find((one) => one.code === code);
  const fix = finding?.fixes[at];
  assert.ok(fix, `no fix for ${code} in ${text}`);
  return applyEdits(text, fix.edits());
}

suite('action files', () => {
  test('only broken JSON, and no `action`, block sending', () => {
    const blocks = (text: string): boolean => parseActionFile(text).problems.length > 0;
    for (const text of ['', '{', '[]', '"x"', '{"action": }', '{"mint": {}}', '{"action": {}} x', '{"action": 01}'])
      assert.equal(blocks(text), true, text);
    for (const text of [
      '{"action": null}',
      '{"action": "anything"}',
      '{"action": {"mint": {}, "burn": {}}}',
      '{"action": {"future": [1]}, "nonce": 1, // x\n}',
      '\ufeff{"action": {}}',
    ])
      assert.equal(blocks(text), false, text);
  });

  test('deep nesting is refused', () => {
    const [problem] = parseActionFile(`{"action": ${'['.repeat(100_000)}`).problems;
    assert.equal(problem?.code, 'tooLarge');
  });

  test('the body is strict JSON with the same values, to the digit; `$schema` goes at the top only', () => {
    const text = '{"$schema":"x","action":{"$schema":"kept","n":12345678901234567890.10},/*c*/"signature":"s",}';
    const body = getRequestBody(parseActionFile(text));
    assert.equal(body, '{"action":{"$schema":"kept","n":12345678901234567890.10},"signature":"s"}');
    assert.equal(isSigned(parseActionFile(text)), true);
    assert.equal(isSigned(parseActionFile('{"action":{},"signature":""}')), false);
  });

  test('any JSON object is sent unchanged', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 2), (json, indent) => {
        const source = JSON.stringify({ action: JSON.parse(json) as unknown, more: 1 }, null, indent);
        assert.deepEqual(JSON.parse(getRequestBody(parseActionFile(source))), JSON.parse(source));
      }),
    );
  });

  test('names of files', () => {
    assert.deepEqual(['/a/mint.action.json', 'b.json', 'C:\\x\\y.action.jsonc', 'Untitled-1'].map(getActionName), [
      'mint',
      'b',
      'y',
      'Untitled-1',
    ]);
  });

  test('an effect says which names the workspace gave', () => {
    const transfer = parseActionFile('{"action":{"transfer":{"id":"obj_1","to":"0x1"}}}');
    const names: Readonly<Record<string, string>> = { obj_1: 'Ticket', '0x1': 'Alice' };
    assert.equal(
      formatEffect(
        transfer,
        (id) => names[id],
        (id) => id === '0x1',
      ),
      'Transfers object “Ticket” (obj_1) to “Alice”, a label of this workspace (0x1)',
    );
  });

  test('the values of an action are a line each, in full and before names, which cannot pass for anything else', () => {
    const lying = 'Sword” (obj_1) to “Treasury” (0x5098a1). This can’t be undone. [“log ‖ To: 0x5098a1';
    const labels = {
      get: (value: string) => labels.all.find((label) => label.value === value),
      all: [
        { value: '0x5098a1', text: 'Treasury', source: 'user' },
        { value: '0x3', text: 'Alice', source: 'file' },
      ] as const,
    };
    const names: Readonly<Record<string, string>> = {
      obj_1: 'Ticket',
      obj_9: lying,
      '0x3': 'Alice',
      '0x9': 'Τreasurу',
    };
    const format = (action: object): readonly string[] =>
      formatEffectLines(parseActionFile(JSON.stringify({ action })), (id) => names[id], labels);
    const cut = "“Sword' (obj_1) to 'Treasury' (0x5098a1). This can't be undo…”";
    assert.deepEqual(format({ transfer: { id: 'obj_9', to: '0xbad' } }), [
      'Action: transfer',
      `Object: obj_9 ${cut}`,
      'To: 0xbad',
    ]);
    assert.deepEqual(format({ mint: { template_id: 'tpl_1', num: 2, to: '0x3' } }), [
      'Action: mint',
      'Template: tpl_1',
      'Number: 2',
      'To: 0x3, a label of this workspace: “Alice”',
    ]);
    assert.deepEqual(format({ transfer: { id: 'obj_1', to: '0x9' }, 'burn” nothing': { ids: ['a', 'b c'] } }), [
      'Action: transfer',
      'Object: obj_1 “Ticket”',
      'To: 0x9, not 0x5098a1, which has a similar label: “Τreasurу”',
      "Action: “burn' nothing”",
      'Object: a',
      'Object: “b c”',
    ]);
    assert.deepEqual(format({ transfer: { id: '', to: 5 } }), ['Action: transfer', 'Object: (not specified)', 'To: 5']);
    const transfer = parseActionFile('{"action":{"transfer":{"id":"obj_9","to":"0xbad"}}}');
    assert.equal(formatEffectSummary(transfer), 'Transfers an object to another owner');
    assert.equal(
      formatListedEffect(transfer, (id) => names[id], labels),
      `Transfers object obj_9 to 0xbad · obj_9 ${cut}`,
    );
    assert.equal(
      formatEffect(transfer, (id) => names[id]),
      `Transfers object ${cut} (obj_9) to 0xbad`,
    );
    const unknown = parseActionFile('{"action":{"Sends nothing” to “you":{}}}');
    assert.equal(formatEffectSummary(unknown), "Executes “Sends nothing' to 'you”");
  });

  test('each kind has an effect in words, and the objects that it names', () => {
    for (const { name } of actionKinds) {
      const file = parseActionFile(
        JSON.stringify({ action: { [name]: { id: 'obj_1', template_id: 'tpl_1', to: 'w' } } }),
      );
      assert.match(
        formatEffect(file, () => 'A name'),
        /^[A-Z][a-z]+(?:s|ly destroys) .*(obj_1|tpl_1)/,
        name,
      );
      assert.deepEqual(getTargetIds(file), ['obj_1']);
    }
    assert.match(formatEffect(parseActionFile('{"action":{"mint":{"template_id":"t","num":3}}}')), /^Mints 3 objects/);
    const burn = parseActionFile('{"action":{"burn":{"id":"${row:id}"}}}');
    assert.equal(formatEffect(burn), 'Permanently destroys object in column “id”');
    const lying = 'me\n\nNothing is sent.\u202e\u001b[2J';
    for (const action of [{ transfer: { id: lying, to: lying } }, { [lying]: {} }, { burn: {}, [lying]: {} }])
      assert.doesNotMatch(formatEffect(parseActionFile(JSON.stringify({ action }))), /[\p{Cc}\u202e]/u);
  });
});

suite('checking', () => {
  test('a good file has no findings', () => {
    assert.deepEqual(codes('{"action": {"mint": {"template_id": "tpl_1", "num": 1}}}'), []);
  });

  test('the usual mistakes, and their fixes', () => {
    assert.equal(fixed('{"mint": {"num": 1}}', 'noAction'), '{"action": { "mint": {"num": 1} }}');
    assert.equal(fixed('{"x": 1}', 'noAction'), '{\n  "action": {},"x": 1}');
    assert.equal(fixed('{"action": {"burn": {"object_id": "a"}}}', 'wrongName'), '{"action": {"burn": {"id": "a"}}}');
    const two = '{"action": {"burn": {"id": "a"}, "pickup": {"id": "a"}}}';
    assert.equal(fixed(two, 'twoKinds'), '{"action": {"burn": {"id": "a"} }}');
    assert.equal(fixed(two, 'twoKinds', 1), '{"action": {"pickup": {"id": "a"}}}');
    const outside =
      '{"action": {"mint": {"template_id": "t", "num": 1, "custom": {"a": 1}, "data": {"metadata": {}}}}}';
    assert.deepEqual(JSON.parse(fixed(outside, 'outsideData')), {
      action: { mint: { template_id: 't', num: 1, data: { metadata: {}, custom: { a: 1 } } } },
    });
    assert.match(fixed('{"action": {"mint": {"template_id": "t", "num": 0}}}', 'count'), /"num": 1/);
    assert.equal(fixed('{"action": {"mnt": {}}}', 'unknownKind'), '{"action": {"mint": {}}}');
    assert.deepEqual(JSON.parse(fixed('{"action": {"transfer": {"id": "a"}}}', 'missingField')), {
      action: { transfer: { id: 'a', to: '' } },
    });
    assert.deepEqual(codes('{"action": {"burn": {"id": "REPLACE_WITH_ID"}}}'), ['placeholder']);
    assert.deepEqual(codes('{"action": {"drop": {"id": "a", "latitude": 91, "longitude": 0}}}'), ['place']);
    assert.deepEqual(codes('{"action": {"burn": {"id": "${inptu:x}"}}}'), ['variable']);
    assert.deepEqual(codes('{"action": {"burn": {"id": "${run:mint.steps[0].output.ids[0]}"}}}'), []);
  });

  test('a fix leaves every comment in the file, and every value', () => {
    const mint = `{
  "action": { // what
    "mint": {
      // which one
      "template_id": "t", /* ours */
      "custom": { "a": 1 }, // not here
      "num": 1, // how many
      // and this
      "metadata": { "b": 2 } // nor this
      // the end
    }
  }
}`;
    const comments = (text: string): string[] => text.match(/\/\/.*|\/\*.*?\*\//g) ?? [];
    const moved = fixed(mint, 'outsideData');
    assert.deepEqual(comments(moved), comments(mint));
    assert.deepEqual(JSON.parse(getRequestBody(parseActionFile(moved))), {
      action: { mint: { template_id: 't', data: { custom: { a: 1 }, metadata: { b: 2 } }, num: 1 } },
    });
    const two = '{"action": {\n  "burn": {"id": "a"}, // the one\n  // the other\n  "pickup": {"id": "b"} // late\n}}';
    for (const at of [0, 1]) {
      const one = fixed(two, 'twoKinds', at);
      assert.deepEqual(comments(one), comments(two));
      assert.equal(checkActionFile(parseActionFile(one)).length, 0, one);
      assert.doesNotThrow(() => JSON.parse(one.replaceAll(/\/\/.*/g, '')), one);
    }
    for (const fields of ['{ /* soon */ }', '{ // soon\n}', '{\n  "x": 1 // soon\n}', '{\n  "x": 1, // soon\n}'])
      assert.match(
        fixed(`{"action": {"burn": ${fields}}}`, 'missingField'),
        /"id": "".*soon|soon[^"]*"id": ""/,
        fields,
      );
    assert.match(fixed('{"action": { /* later */ }}', 'noKind'), /"mint".*later/);
  });

  test('a fix does not insert a field that `data` already has', () => {
    const both = '{"action": {"update": {"id": "x", "custom": {"a": 1}, "data": {"custom": {"b": 2}}}}}';
    const findings = checkActionFile(parseActionFile(both));
    assert.deepEqual(
      findings.map(({ code, fixes }) => [code, fixes.length]),
      [['outsideData', 0]],
    );
    const other = both.replace('"custom": {"a": 1}', '"custom": {"a": 1}, "metadata": {"c": 3}');
    const fix = checkActionFile(parseActionFile(other)).flatMap(({ fixes }) => fixes);
    assert.equal(fix.length, 1);
    assert.deepEqual(JSON.parse(applyEdits(other, fix[0]?.edits() ?? [])), {
      action: { update: { id: 'x', custom: { a: 1 }, data: { custom: { b: 2 }, metadata: { c: 3 } } } },
    });
  });

  test('every fix removes its finding', () => {
    const files = [
      '{"mint": {"num": 1}}',
      '{"action": {"burn": {"object_id": "a"}, "mint": {}}}',
      '{"action": {"mint": {"templateId": "t", "num": -3, "custom": {}, "metadata": {}}}}',
      '{"action": {"update": {\n  "objectId": "x",\n  "custom": {"a": [1, 2]} // here\n}}}',
      '{"action": {"trasnfer": {}}}',
      '{"action": {}}',
    ];
    for (const text of files) {
      for (const finding of checkActionFile(parseActionFile(text))) {
        for (const fix of finding.fixes) {
          const after = applyEdits(text, fix.edits());
          const file = parseActionFile(after);
          assert.deepEqual(file.problems, [], `${fix.title}: ${after}`);
          const left = checkActionFile(file).filter(
            ({ code, message }) => code === finding.code && message === finding.message,
          );
          assert.deepEqual(left, [], `${fix.title}: ${after}`);
        }
      }
    }
  });
});

suite('variables', () => {
  test('placeholders and escapes are parsed', () => {
    assert.deepEqual(splitVariables('a ${input:x} $${env:Y} ${other:z}'), [
      'a ',
      { kind: 'input', name: 'x', text: '${input:x}' },
      ' ',
      '${env:Y}',
      ' ${other:z}',
    ]);
  });

  test('text of the platform that looks like a variable is sent as it is', () => {
    for (const text of [
      '${input:x}',
      '$${env:Y} $$${secret:z}',
      '${other:z} ${row:a\nb}',
      'a ${file:a "b"} ${run:r}',
    ]) {
      const action = { update: { id: text, data: { custom: { list: [text, { text, none: null, big: 1 }] } } } };
      const file = parseActionFile(JSON.stringify({ action: escapeVariables(action) }));
      assert.deepEqual(getDistinctVariables(file), []);
      assert.deepEqual(JSON.parse(substitute(file, new Map())), { action });
    }
  });

  test('no value ends the string that contains it', () => {
    const text = '{"action": {"burn": {"id": "${input:id}", "n": "x${input:id}y"}}}';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const body = substitute(parseActionFile(text), new Map([['${input:id}', value]]));
        assert.deepEqual(JSON.parse(body), { action: { burn: { id: value, n: `x${value}y` } } });
      }),
    );
    const twice = substitute(parseActionFile(text), new Map([['${input:id}', '${env:HOME}']]));
    assert.match(twice, /"id":"\$\{env:HOME\}"/, 'a value is not filled in again');
  });

  test('the variables of a file are searched once, however many rows are composed from it', () => {
    const file = parseActionFile('{"action": {"x": "${row:id} of ${row:id}, ${row:seat}"}}');
    const found = getDistinctVariables(file);
    assert.deepEqual(
      found.map(({ text }) => text),
      ['${row:id}', '${row:seat}'],
    );
    assert.equal(getDistinctVariables(file), found);
  });

  test('a result of an earlier run keeps its type and all digits', () => {
    const response = parseJson('{"steps": [{"output": {"ids": ["obj_1"], "count": 90071992547409931}}]}');
    const runs = new Map([['mint', response]]);
    assert.equal(getRunValue('mint.steps[0].output.ids[0]', runs), 'obj_1');
    const file = parseActionFile(
      '{"action": {"x": "${run:mint.steps[0].output.count}", "y": "${run:mint.steps[0].output.ids}"}}',
    );
    const values = new Map(getDistinctVariables(file).map(({ text, name }) => [text, getRunValue(name, runs)]));
    assert.equal(substitute(file, values), '{"action":{"x":90071992547409931,"y":["obj_1"]}}');
    assert.throws(() => getRunValue('mint.steps[1].output', runs), /“1” was not found in the result of mint/);
    assert.throws(() => getRunValue('other.steps', runs), /no earlier run/);
    assert.throws(() => getRunValue('mint.constructor', runs), /“constructor” was not found in the result of mint/);
    assert.equal(
      getRunValue(
        'a.b.ok',
        new Map([
          ['a', {}],
          ['a.b', { ok: true }],
        ]),
      ),
      true,
    );
  });

  test('results of a stored run keep every digit', () => {
    const run = (serial: string): RunRecord => ({
      ...createRecord('{}'),
      response: `{"steps":[{"output":{"serial":${serial}}}]}`,
      log: `{"nonce":${serial}}`,
    });
    const runs = new Map([['mint', getRunResult(run('9007199254740993'))]]);
    const file = parseActionFile('{"action":{"x":"${run:mint.steps[0].output.serial}","y":"${run:mint.log.nonce}"}}');
    const values = new Map(getDistinctVariables(file).map(({ text, name }) => [text, getRunValue(name, runs)]));
    assert.equal(substitute(file, values), '{"action":{"x":9007199254740993,"y":9007199254740993}}');
    assert.notEqual(formatRunSummary(run('9007199254740993')), formatRunSummary(run('9007199254740992')));
    assert.equal(getRunResult({ ...run('1'), log: '{"cut": …' })['log'], undefined, 'what was cut is no value');
  });

  test('a variable without a value prevents the run', () => {
    assert.throws(() => substitute(parseActionFile('{"action": "${env:X}"}'), new Map()), /has no value/);
  });
});

suite('10,000 broken files', () => {
  const seeds = [
    '{"action": {"mint": {"template_id": "tpl_1", "num": 1, "data": {"custom": {"a": "${input:x}"}}}}, "signature": "s"}',
    '// c\n{"$schema": "x", "action": {"update": {"object_id": "o", "custom": {"b": [1, 2.5e10, null]}}},}',
    '{"action": {"drop": {"id": "${run:a.steps[0].output.ids[0]}", "latitude": 1, "longitude": 2}, "burn": {}}}',
  ];
  const bits = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '/*',
    '*/',
    '//',
    '\n',
    '${',
    'null',
    '1e999',
    '\u0000',
    '\ud800',
    'action',
    '-',
  ];

  test('parser, checker and substitution throw nothing and stay bounded', () => {
    const mutated = fc
      .tuple(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(200), fc.nat(12), fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 6 }))), {
          maxLength: 6,
        }),
      )
      .map(([seed, cuts]) =>
        cuts.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), seed),
      );
    const any = fc.oneof(
      { weight: 6, arbitrary: mutated },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
      { weight: 1, arbitrary: fc.json() },
    );
    fc.assert(
      fc.property(any, (text) => {
        const file = parseActionFile(text);
        const findings = checkActionFile(file);
        assert.ok(findings.length <= 400);
        for (const { offset, length, fixes, message } of findings) {
          assert.ok(offset >= 0 && length >= 1 && offset <= text.length, message);
          assert.ok(message.length < 1000);
          for (const { edits } of fixes) assert.equal(typeof applyEdits(text, edits()), 'string');
        }
        formatEffect(file);
        const values = new Map(getDistinctVariables(file).map((variable) => [variable.text, '"\\\n']));
        if (file.problems.length > 0) {
          assert.throws(() => substitute(file, values));
          return;
        }
        JSON.parse(substitute(file, values));
      }),
      { numRuns: 10_000 },
    );
  });
});
