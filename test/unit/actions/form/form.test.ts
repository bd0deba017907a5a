/** The form of an action file: its fields, and what editing one of them does to the text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findNodeAtLocation, getNodeValue, parse, parseTree } from 'jsonc-parser';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { checkActionFile } from '../../../../src/actions/file/check-action-file.ts';
import { applyEdits, type Edit } from '../../../../src/actions/file/json-edits.ts';
import { removeField, setField, setFieldText, setKind } from '../../../../src/actions/form/form-edits.ts';
import {
  createForm,
  findValue,
  getFirstError,
  listOutdatedDrafts,
  retainMessages,
  type Draft,
  type Form,
  type FormContext,
} from '../../../../src/actions/form/form-model.ts';
import type { FieldType, FormField } from '../../../../src/webviews/protocol/form.ts';

const MASK = '••••';

function open(text: string, context: Partial<FormContext> = {}): Form {
  const file = parseActionFile(text);
  const form = createForm(file, {
    findings: checkActionFile(file),
    drafts: new Map(),
    getName: () => undefined,
    hasSecret: () => false,
    ...context,
  });
  assert.ok(form);
  return form;
}

const list = (form: Form): readonly FormField[] => form.groups.flatMap(({ fields }) => fields);

function find(form: Form, ...path: readonly string[]): FormField {
  const field = list(form).find((one) => one.path.join('/') === path.join('/'));
  assert.ok(field, `no field ${path.join('/')}`);
  return field;
}

/** The text after an edit. */
const edited = (text: string, edit: (file: ReturnType<typeof parseActionFile>) => readonly Edit[]): string =>
  applyEdits(text, edit(parseActionFile(text)));
const enter = (text: string, path: readonly string[], type: FieldType, value: string): string =>
  edited(text, (file) => setFieldText(file, path, type, value));

suite('form of an action file', () => {
  test('fields of each kind: required ones, pickers, types and the fields of the file', () => {
    const form = open('{"action":{"mint":{"template_id":"tpl_1","num":2,"extra":true}}}');
    assert.equal(form.kind, 'mint');
    assert.deepEqual(
      list(form).map(({ path, type, required, canPick, value }) => [path.join('/'), type, required, canPick, value]),
      [
        ['template_id', 'text', true, true, 'tpl_1'],
        ['num', 'number', true, false, '2'],
        ['to', 'text', false, true, ''],
        ['extra', 'boolean', false, false, 'true'],
        ['data/metadata/name', 'text', false, false, ''],
        ['data/metadata/description', 'text', false, false, ''],
        ['data/metadata/category', 'text', false, false, ''],
      ],
    );
    const drop = open('{"action":{"drop":{"id":"obj_1"}}}');
    assert.deepEqual(
      list(drop).map(({ path: [name], type, isSet }) => [name, type, isSet]),
      [
        ['id', 'text', true],
        ['latitude', 'number', false],
        ['longitude', 'number', false],
      ],
    );
    assert.equal(list(open('{"action":{"unheard":{"a":{"b":1}}}}'))[0]?.type, 'json');
  });

  test('the present data of the object gives types and hints, to the digit', () => {
    const object = {
      owner: '0xada',
      custom: {
        seats: JSON.rawJSON('12345678901234567890'),
        vip: true,
        day: '2026-05-01',
        opens: '2026-05-01T18:00:00Z',
        zone: { row: 'A' },
      },
      metadata: { name: 'Ticket' },
    };
    const form = open('{"action":{"update":{"id":"o","data":{"custom":{"vip":false}}}}}', { object });
    const types = list(form).map(({ path, type, hint }) => [path.at(-1), type, hint]);
    assert.deepEqual(types, [
      ['id', 'text', ''],
      ['name', 'text', 'Currently: Ticket'],
      ['description', 'text', ''],
      ['category', 'text', ''],
      ['seats', 'number', 'Currently: 12345678901234567890'],
      ['vip', 'boolean', 'Currently: true'],
      ['day', 'date', 'Currently: 2026-05-01'],
      ['opens', 'datetime', 'Currently: 2026-05-01T18:00:00Z'],
      ['zone', 'json', 'Currently: {"row":"A"}'],
    ]);
    // Written in lines: the same value, shown and changed as if it began its line.
    const inLines =
      '{\n  "action": { "update": { "id": "o", "data": { "custom": {\n      "zone": {\n        "row": "A"\n      }\n    } } } }\n}';
    const zone = find(open(inLines, { object }), 'data', 'custom', 'zone');
    assert.deepEqual([zone.value, zone.hint], ['{\n  "row": "A"\n}', '']);
    assert.equal(enter(inLines, zone.path, 'json', zone.value.replace('A', 'B')), inLines.replace('A', 'B'));
    const transfer = open('{"action":{"transfer":{"id":"o","to":""}}}', {
      object,
      getName: (id) => (id === '0xada' ? 'Ada' : undefined),
    });
    assert.equal(find(transfer, 'to').hint, 'Currently: Ada');
    const template = { object: { metadata: { name: 'Ticket' } } };
    assert.equal(
      find(open('{"action":{"mint":{"template_id":"t","num":1}}}', { template }), 'data', 'metadata', 'name').hint,
      'In the template: Ticket',
    );
  });

  test('a field stays at its place when it gets a value', () => {
    const object = { metadata: { name: 'Ticket', edition: 1 }, custom: { seat: 'A', note: '' } };
    const text = '{"action":{"update":{"id":"o","data":{"custom":{"own":1}}}}}';
    const order = (of: string): readonly string[] => list(open(of, { object })).map(({ path }) => path.join('/'));
    const entered = enter(
      enter(text, ['data', 'metadata', 'edition'], 'number', '2'),
      ['data', 'custom', 'note'],
      'text',
      'x',
    );
    assert.deepEqual(order(entered), order(text));
    assert.deepEqual(order(text).slice(-3), ['data/custom/seat', 'data/custom/note', 'data/custom/own']);
  });

  test('a variable is shown as it is, whatever its field holds otherwise', () => {
    const form = open(
      '{"action":{"mint":{"template_id":"${row:t}","num":"${input:count}","data":"${file:data.json}"}}}',
    );
    assert.deepEqual(
      list(form).map(({ path: [name], type, value }) => [name, type, value]),
      [
        ['template_id', 'text', '${row:t}'],
        ['num', 'text', '${input:count}'],
        ['to', 'text', ''],
        ['data', 'text', '${file:data.json}'],
      ],
    );
    const text = '{"action":{"mint":{"num":1}}}';
    assert.equal(enter(text, ['num'], 'number', '${input:n}'), '{"action":{"mint":{"num":"${input:n}"}}}');
  });

  test('findings are at their field; missing values are errors with the next step', () => {
    const form = open('{"action":{"transfer":{"id":""}}}');
    assert.deepEqual(find(form, 'id').messages, [
      { severity: 'error', text: '`id` is empty. Enter the object to transfer.', isMissing: true },
    ]);
    assert.deepEqual(
      find(form, 'to').messages.map(({ severity, isMissing }) => [severity, isMissing]),
      [['error', true]],
    );
    assert.deepEqual(form.messages, []);
    const mail = open('{"action":{"transfer":{"id":"o","to":"ada@example.org"},"burn":{}}}');
    assert.equal(find(mail, 'to').messages[0]?.severity, 'information');
    assert.match(mail.messages[0]?.text ?? '', /more than one kind/);
  });

  test('messages of unchanged values stay until the next check', () => {
    const before = open('{"action":{"transfer":{"id":"o","to":""}}}');
    const after = retainMessages(open('{"action":{"transfer":{"id":"p","to":""}}}', { findings: [] }), before);
    assert.deepEqual(find(after, 'id').messages, []);
    assert.equal(find(after, 'to').messages.length, 1);
  });

  test('an entered text that is no value is shown with what to enter', () => {
    const text = '{"action":{"mint":{"template_id":"t","num":1}}}';
    const form = open(text, { drafts: new Map([['["num"]', { text: 'two', problem: 'Enter a number' }]]) });
    assert.equal(find(form, 'num').value, 'two');
    assert.equal(getFirstError(form), 'Number: Enter a number.');
    assert.equal(getFirstError(open(text)), '');
  });

  test('an entered text that is no value goes with the value that it was to replace', () => {
    const text = '{"action":{"update":{"id":"o","data":{"custom":{"a":1}}}}}';
    const draft = (name: string, written: string): Draft => {
      return { path: ['data', 'custom', name], text: 'x', written, problem: '' };
    };
    const drafts = [draft('a', '1'), draft('b', '')];
    const list = (now: string): readonly unknown[] =>
      listOutdatedDrafts(parseActionFile(now), drafts).map(({ path }) => path.at(-1));
    assert.deepEqual(list(text), []);
    assert.deepEqual(list(text.replace('"o"', '"another"')), []);
    assert.deepEqual(list(text.replace('"a":1', '"a":2,"b":3')), ['a', 'b']);
    assert.deepEqual(list(text.replace('"a":1', '"a":')), [], 'not while the file cannot be parsed');
  });

  test('a name that each JavaScript object has is a field as any other', () => {
    const custom = '{"constructor":"a","__proto__":"b","toString":"c"}';
    const form = open(`{"action":{"update":{"id":"o","data":{"custom":${custom}}}}}`, { object: { custom: {} } });
    const fields = list(form).filter(({ path }) => path[1] === 'custom');
    assert.deepEqual(
      fields.map(({ value, hint }) => [value, hint]),
      ['a', 'b', 'c'].map((value) => [value, '']),
    );
  });

  test('a day that does not exist is a text: a control for dates would be empty', () => {
    const types = ['2024-02-29', '2024-02-30', '0000-01-01', '2024-02-29T23:59Z', '2024-02-29T24:00:00Z'].map(
      (date) => find(open(`{"action":{"burn":{"id":"o","day":"${date}"}}}`), 'day').type,
    );
    assert.deepEqual(types, ['date', 'text', 'text', 'datetime', 'text']);
  });

  test('a text with line breaks has a control that shows them, and those of Windows stay', () => {
    const object = { metadata: { description: 'one\ntwo' }, custom: { note: 'a\r\nb' } };
    const text = '{"action":{"update":{"id":"o","data":{"custom":{"note":"a\\r\\nb"}}}}}';
    const form = open(text, { object });
    const [description, note] = [find(form, 'data', 'metadata', 'description'), find(form, 'data', 'custom', 'note')];
    assert.deepEqual([description.type, note.type, note.value], ['lines', 'lines', 'a\r\nb']);
    assert.equal(enter(text, note.path, 'lines', 'a\nbc'), text.replace('nb', 'nbc'));
    assert.match(enter(text, description.path, 'lines', 'one\ntwo!'), /"description": "one\\ntwo!"/);
  });

  test('no credential is in the form', () => {
    const token = 'sk-live-0123456789abcdef0123456789abcdef';
    const text = JSON.stringify({
      action: { update: { id: 'o', data: { custom: { password: token, list: [token] } } } },
    });
    const form = open(text, { hasSecret: (value) => value.includes(token) });
    for (const name of ['password', 'list']) {
      const field = find(form, 'data', 'custom', name);
      assert.deepEqual([field.value, field.isLocked], [MASK, true]);
    }
    assert.ok(!JSON.stringify(form).includes(token));
    // What only looks like one, too.
    assert.equal(find(open(text), 'data', 'custom', 'password').value, MASK);
  });

  test('another shape has no form', () => {
    const longKind = `{"action":{"${'k'.repeat(301)}":{}}}`;
    for (const text of ['{"action":[1]}', '{"action":"mint"}', '{"action":{"mint":"all"}}', longKind]) {
      const file = parseActionFile(text);
      const context = { findings: [], drafts: new Map(), getName: () => undefined, hasSecret: () => false };
      assert.equal(createForm(file, context), undefined, text);
    }
  });

  test('an edit keeps comments, unknown keys, indentation and line ends', () => {
    const text = [
      '{',
      '  // who asked for it',
      '  "$schema": "x", "ticket": 7, // kept',
      '  "action": {',
      '    "transfer": {',
      '      "id": "o", /* the ticket */',
      '      "memo": "m", // unknown',
      '    },',
      '  },',
      '}',
      '',
    ].join('\r\n');
    const added = enter(text, ['to'], 'text', '0xada');
    assert.equal(added, text.replace('// unknown', '// unknown\n      "to": "0xada"'));
    assert.equal(enter(added, ['to'], 'text', '0xbob'), added.replace('0xada', '0xbob'));
    assert.equal(enter(text, ['id'], 'text', 'p'), text.replace('"o"', '"p"'));
  });

  test('values of each type; what is no value says what to enter', () => {
    const text = '{"action":{"update":{"id":"o","data":{"custom":{"a":1}}}}}';
    const path = ['data', 'custom', 'a'];
    const value = (type: FieldType, entered: string): unknown => {
      const root = parseTree(enter(text, path, type, entered));
      const node = root && findNodeAtLocation(root, ['action', 'update', 'data', 'custom', 'a']);
      return node && JSON.stringify(getNodeValue(node));
    };
    assert.equal(value('text', '"quoted"\n'), '"\\"quoted\\"\\n"');
    assert.equal(value('boolean', 'false'), 'false');
    assert.equal(value('json', '[1, {"b": null}]'), '[1,{"b":null}]');
    assert.equal(value('datetime', '2026-05-01T18:00:00Z'), '"2026-05-01T18:00:00Z"');
    assert.match(enter(text, path, 'number', '12345678901234567890.10'), /"a":12345678901234567890\.10\}/);
    for (const type of ['number', 'boolean', 'json'] as const) {
      assert.throws(() => value(type, 'seven'), /^Error: (?:Enter|Select) /);
      assert.equal(value(type, ''), undefined);
    }
    assert.equal(value('text', ''), '""');
    // An empty optional field of the action is left out.
    const mint = '{"action":{"mint":{"template_id":"t","num":1,"to":"x"}}}';
    assert.equal(enter(mint, ['to'], 'text', ''), '{"action":{"mint":{"template_id":"t","num":1}}}');
    assert.equal(enter(mint, ['template_id'], 'text', ''), mint.replace('"t"', '""'));
    // A pasted id may have spaces around it.
    assert.equal(enter(mint, ['to'], 'text', ' y\t'), mint.replace('"x"', '"y"'));
  });

  test('another kind has the fields of both, and keeps unknown ones', () => {
    const text = '{"action":{"transfer":{"id":"o","to":"x","memo":1}},"note":2}';
    assert.deepEqual(parse(edited(text, (file) => setKind(file, 'burn'))), {
      action: { burn: { id: 'o', memo: 1 } },
      note: 2,
    });
    assert.deepEqual(parse(edited(text, (file) => setKind(file, 'drop'))), {
      action: { drop: { id: 'o', memo: 1, latitude: 0, longitude: 0 } },
      note: 2,
    });
    assert.deepEqual(parse(edited('{"action":{}}', (file) => setKind(file, 'burn'))), { action: { burn: { id: '' } } });
  });

  test('for any action, an edit of one field changes that field only', () => {
    const name = fc.oneof(
      fc.constantFrom('id', 'to', 'data', 'metadata', 'custom', 'seat'),
      fc.string({ maxLength: 6 }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.jsonValue({ maxDepth: 1 }), tie('object')),
      object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    }));
    const action = fc.dictionary(name, value, { maxKeys: 5 });
    const shape = fc.record({ kind: fc.constantFrom('transfer', 'update', 'other'), action, rest: action });
    const path = fc.array(name, { minLength: 1, maxLength: 3 });
    const indent = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(shape, path, fc.jsonValue({ maxDepth: 1 }), indent, fc.boolean(), (body, at, put, space, removes) => {
        const { kind, rest } = body;
        fc.pre(!('action' in rest) && !at.includes('__proto__') && !JSON.stringify(body).includes('__proto__'));
        const plain = JSON.stringify({ ...rest, action: { [kind]: body.action } }, null, space);
        // A comment before each line, and after the commas at the ends of lines.
        const text = plain.replaceAll('\n', '\n// note\n').replaceAll(',\n', ', /* after */\n');
        const file = parseActionFile(text);
        assert.deepEqual(file.problems, []);
        const edits = removes ? removeField(file, at) : setField(file, at, JSON.stringify(put));
        const after = applyEdits(text, edits);
        if (edits.length === 0) assert.equal(after, text);
        else {
          const expected: unknown = parse(text);
          change(expected, ['action', kind, ...at], removes ? undefined : parse(JSON.stringify(put)));
          assert.deepEqual(parse(after), expected);
        }
        const member = findValue(file.entries[0]?.value, at)?.parent;
        const own = member === undefined ? '' : text.slice(member.offset, member.offset + member.length);
        const count = (one: string): number => [...one.matchAll(/\/\/ note\n|\/\* after \*\//g)].length;
        assert.ok(count(after) >= count(text) - count(own));
        assert.deepEqual(parseActionFile(after).problems, []);
      }),
      { numRuns: 400 },
    );
  });
});

/** Changes a value in place, as the form should: objects on the way are created in the place of nothing and of `null`. */
function change(root: unknown, path: readonly string[], value: unknown): void {
  let target = root as Record<string, unknown>;
  for (const key of path.slice(0, -1)) {
    if (value !== undefined) target[key] ??= {};
    target = (target[key] ?? {}) as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(target, last);
  else target[last] = value;
}
