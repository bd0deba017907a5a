/** Generated types: they compile, every sample fits them, and what is not always there is optional. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import ts from 'typescript';
import { inferTypes } from '../../../../src/model/resources/infer-types.ts';
import { parseJson } from '../../../../src/platform/json/parse-json.ts';
import { NO_SECRETS } from '../../../../src/platform/json/secrets.ts';

/** Compiles a file with the smallest library. */
function getProblems(source: string): readonly string[] {
  const host = ts.createCompilerHost({});
  const library = `interface Array<T> { length: number; [n: number]: T }
    interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {} interface BigInt {}
    interface NewableFunction {} interface Number {} interface Object {} interface RegExp {} interface String {}
    type Record<K extends keyof any, T> = { [P in K]: T };`;
  const files = new Map([
    ['types.ts', source],
    ['lib.d.ts', library],
  ]);
  const program = ts.createProgram(
    ['types.ts', 'lib.d.ts'],
    { strict: true, noLib: true, noEmit: true, target: ts.ScriptTarget.ES2022 },
    {
      ...host,
      fileExists: (name) => files.has(name),
      readFile: (name) => files.get(name),
      getSourceFile: (name, version) => {
        const text = files.get(name);
        return text === undefined ? undefined : ts.createSourceFile(name, text, version);
      },
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

suite('generated types', () => {
  test('has the form of hand-written types', () => {
    const text = inferTypes('Concert ticket custom', [
      { seat: 'A1', 'row-no': 3, perks: [{ name: 'bar', price: 2.5 }], vip: true },
      { seat: 'A2', 'row-no': null, perks: [{ name: 'lounge' }], any: {} },
    ]);
    assert.equal(
      text,
      [
        'export interface ConcertTicketCustom {',
        '  seat: string;',
        '  "row-no": number | null;',
        '  perks: ConcertTicketCustomPerksItem[];',
        '  vip?: boolean;',
        '  any?: Record<string, unknown>;',
        '}',
        '',
        'export interface ConcertTicketCustomPerksItem {',
        '  name: string;',
        '  price?: number;',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('integers that a double would round are typed as bigint', () => {
    const sample = parseJson('{"n": 12345678901234567890, "d": 0.12345678901234567890}', NO_SECRETS);
    assert.match(inferTypes('X', [sample]), /n: bigint \| number;\n {2}d: number;/);
  });

  test('whatever the samples, the types compile and every sample fits', () => {
    const sample = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__', 'constructor', '*/', '"')),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 4, noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.string(), fc.array(sample, { minLength: 1, maxLength: 3 }), (name, samples) => {
        // As they come from an answer.
        const read = samples.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        const types = inferTypes(name, read);
        const [, root = ''] = /export (?:interface|type) (\w+)/.exec(types) ?? [];
        const literal = (value: unknown): string => JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
        const uses = read.map((value, index) => `const s${String(index)}: ${root} = ${literal(value)};`);
        assert.deepEqual(getProblems(`${types}\n${uses.join('\n')}\nexport {};`), [], `${types}\n${uses.join('\n')}`);
      }),
      { numRuns: 60 },
    );
  });
});
