/** Suites and expectations: each wrong shape is an error with its position; no pattern or file size blocks the editor. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { checkActionFile } from '../../../../src/actions/file/check-action-file.ts';
import {
  validatePatterns,
  findMismatches,
  parseExpectation,
  parseSuite,
} from '../../../../src/actions/testing/expectation.ts';
import { isTooLarge, getLineAndColumn, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { formatEffect } from '../../../../src/actions/file/action-kinds.ts';
import { matchesPattern, getPatternError } from '../../../../src/actions/testing/pattern.ts';
import { readTestCases, getSourceLocation } from '../../../../src/actions/testing/test-cases.ts';
import { runOutcomes } from '../../../../src/model/runs/run-outcome.ts';
import { checkTestFile } from '../../../../src/actions/testing/check-test-file.ts';
import { TestFileError } from '../../../../src/actions/testing/test-file-error.ts';
import { isObject } from '../../../../src/platform/json/json.ts';
import { setDisplayLanguage } from '../../../../src/platform/text/localization.ts';
import { describeFailedStep, readExecutionResult } from '../../../../src/actions/run/execution-result.ts';
import { createRecord } from '../support.ts';
import { MAX_FINDINGS } from '../../../../src/actions/file/findings.ts';
import { formatText } from '../../../../src/platform/text/message.ts';

/** The problems as `line:column message`. */
function formatProblems(parse: () => unknown): readonly string[] {
  try {
    parse();
    return [];
  } catch (error) {
    assert.ok(error instanceof TestFileError, String(error));
    return error.problems.map(({ line, column, message }) => `${String(line)}:${String(column)} ${message}`);
  }
}
const inExpectation = (text: string): readonly string[] => formatProblems(() => parseExpectation(text));
const inSuite = (text: string): readonly string[] => formatProblems(() => parseSuite(text));

suite('shapes of suites and expectations', () => {
  test('an unknown key, a repeated one and a wrong type in an expectation are errors at their place', () => {
    const wrong: Readonly<Record<string, RegExp>> = {
      '[]': /^1:1 An expectation must be a JSON object$/,
      '{"satus": 200}': /^1:2 Property `satus` is not allowed\. Did you mean `status`\?$/,
      '{"other": 200}':
        /^1:2 Property `other` is not allowed\. Allowed properties: status, steps, log, batch, objects, as$/,
      '{\n  "log": {},\n  "log": {"status": "x"}\n}': /^3:3 Duplicate property `log`$/,
      '{"status": "complete"}':
        /^1:12 `status` must be an HTTP status or one of completed, .*Did you mean completed\?$/,
      '{"status": 20}': /^1:12 `status` must be an HTTP status from 100 to 599/,
      '{"status": {"$any": true}}': /^1:12 `status` must be an HTTP status/,
      '{"steps": {"action": "mint"}}': /^1:11 `steps` of an expectation must be a list/,
      '{"steps": [{"outputs": {}}]}': /^1:13 Property `outputs` is not allowed\. Did you mean `output`\?$/,
      '{"steps": ["mint"]}': /^1:12 A step of an expectation must be a JSON object$/,
      '{"log": "completed"}': /^1:9 `log` of an expectation must be an object/,
      '{"batch": null}': /^1:11 `batch` of an expectation must be an object/,
      '{"objects": [{"id": "obj_1", "nonce": 1}]}': /^1:13 `objects` of an expectation must be an object whose/,
      '{"objects": {"*": ["a"]}}': /^1:19 The value of an object ID must be an object with its fields/,
      '{"log": {"fee": {"$mtach": "x"}}}': /^1:18 Unknown matcher `\$mtach`\. Did you mean `\$match`\?$/,
      '{"log": {"fee": {"$match": 1}}}': /^1:28 `\$match` must be a regular expression$/,
      '{"log": {"fee": {"$exists": "no"}}}': /^1:29 `\$exists` must be true or false$/,
      '{"log": {"fee": {"$any": true, "x": 1}}}': /^1:18 `\$any` must be the only property of its object$/,
      '{"as": 1}': /^1:8 `as` of an expectation must be a non-empty string$/,
      '{"$schema": 1}': /^1:13 `\$schema` must be a string$/,
      '{"status": }': /^1:12 Invalid JSON/,
    };
    for (const [text, expected] of Object.entries(wrong)) {
      const [first, ...more] = inExpectation(text);
      assert.match(first ?? 'no problem', expected, text);
      assert.deepEqual(more, [], text);
    }
    for (const text of [
      '{}',
      ...runOutcomes.map((status) => JSON.stringify({ status })),
      '{"$schema": "x", "status": 404, /* c */ "steps": [{"action": "mint", "output": {"ids": [{"$any": true}]}}],}',
      '{"steps": {"$any": true}, "batch": {"$exists": false}, "objects": {"*": null, "obj_1": {"custom": {"$ref": 1}}}}',
      '{"steps": [{"$any": true}]}',
    ])
      assert.deepEqual(inExpectation(text), [], text);
  });

  test('errors in a suite, its requests and its expectations are reported at their place', () => {
    const request = '"request": {"action": {}}';
    const wrong: Readonly<Record<string, RegExp>> = {
      '[]': /^1:1 A suite must be a JSON object$/,
      '{}': /^1:1 A suite must have a list of `steps`$/,
      '{"steps": {}}': /^1:11 `steps` of a suite must be a list$/,
      '{"steps": []}': /^1:11 The suite has no steps$/,
      '{"step": [], "steps": [{"file": "a"}]}': /^1:2 Property `step` is not allowed\. Did you mean `steps`\?$/,
      '{"steps": [1]}': /^1:12 A step of a suite must be a JSON object$/,
      '{"steps": [{"name": "a"}]}': /^1:12 A step must have either `file` or `request`$/,
      [`{"steps": [{"file": "a", ${request}}]}`]: /^1:37 A step must have either `file` or `request`$/,
      [`{"steps": [\n  {${request}, "expects": {"status": "failed"}}]}`]:
        /^2:31 Property `expects` is not allowed\. Did you mean `expect`\?$/,
      [`{"steps": [{${request}, "expect": {"objects": []}}]}`]: /^1:62 `objects` of an expectation must be an object/,
      [`{"steps": [{"name": 1, ${request}}]}`]: /^1:21 `name` of a step must be a non-empty string$/,
      [`{"steps": [{"as": "", ${request}}]}`]: /^1:19 `as` of a step must be a non-empty string$/,
      [`{"steps": [{${request}, "expect": {"as": "buyer"}}]}`]:
        /^1:51 Property `as` is not allowed\. Allowed properties: /,
      '{"steps": [{"file": ""}]}': /^1:21 `file` of a step must be a non-empty string$/,
      '{"steps": [{"file": "a"}, {"file": "a"}]}': /^1:36 a is the name of two steps\. /,
      '{"steps": [{"request": {}}]}': /^1:24 `action` is missing/,
      '{"steps": [{"request": "x"}]}': /^1:24 An action file must be a JSON object$/,
    };
    for (const [text, expected] of Object.entries(wrong)) {
      const [first, ...more] = inSuite(text);
      assert.match(first ?? 'no problem', expected, text);
      assert.deepEqual(more, [], text);
    }
    assert.deepEqual(inSuite(`{"$schema": "x", "name": "n", "steps": [{"name": "a", ${request}, "expect": {}}]}`), []);
  });

  test('every problem of a file is reported, up to a hundred', () => {
    assert.equal(inExpectation('{"a": 1, "b": 2}').length, 2);
    const steps = Array.from({ length: 5000 }, () => ({ expects: {} }));
    assert.equal(inSuite(JSON.stringify({ steps })).length, 100);
  });

  test('the JSON schemas know the same keys, and no others', () => {
    const schema = (name: string): unknown => JSON.parse(fs.readFileSync(`media/${name}.schema.json`, 'utf8'));
    const at = (value: unknown, ...path: readonly string[]): unknown =>
      path.reduce<unknown>(
        (part, key) => (isObject(part) || Array.isArray(part) ? Reflect.get(part, key) : undefined),
        value,
      );
    const createObject = (value: unknown): object => (isObject(value) ? value : {});
    const keys = (value: unknown): readonly string[] => {
      assert.equal(at(value, 'additionalProperties'), false);
      return Object.keys(createObject(at(value, 'properties'))).filter((key) => key !== '$schema');
    };
    const step = at(schema('suite'), 'properties', 'steps', 'items');
    assert.deepEqual(keys(schema('suite')), ['name', 'steps']);
    assert.deepEqual(keys(step), ['name', 'as', 'file', 'request', 'expect']);
    assert.deepEqual(
      [keys(schema('expect')).includes('as'), keys(at(step, 'properties', 'expect')).includes('as')],
      [true, false],
    );
    for (const expectation of [schema('expect'), at(step, 'properties', 'expect')]) {
      assert.deepEqual(
        keys(expectation).filter((key) => key !== 'as'),
        ['status', 'steps', 'log', 'batch', 'objects'],
      );
      assert.deepEqual(keys(at(expectation, 'properties', 'steps', 'else', 'items', 'else')), [
        'action',
        'error',
        'output',
      ]);
      const statusSchema = at(expectation, 'properties', 'status', 'anyOf', '0');
      assert.deepEqual(at(statusSchema, 'enum'), runOutcomes);
      assert.equal(at(expectation, 'properties', 'objects', 'type'), 'object');
    }
    assert.deepEqual(at(schema('suite'), 'definitions'), at(schema('expect'), 'definitions'));
  });

  test('a broken file of a suite is reported with its position; a request with its position in the suite', async () => {
    const suiteText =
      '{\n  "steps": [\n    {"name": "a", "request": {"action": {"burn": {"object_id": "x"}}}},\n    {"file": "b.action.json"}\n  ]\n}';
    const files: Readonly<Record<string, string>> = {
      '/w/x.actions.json': suiteText,
      '/w/b.action.json': '{"action": {}}',
      '/w/b.expect.json': '{\n  "satus": 1\n}',
      '/w/good.actions.json': suiteText.replace('b.action', 'c.action'),
      '/w/c.action.json': '{"action": {}}',
      '/w/pattern.action.json': '{"action": {}}',
      '/w/pattern.expect.json': '{"log": {"hash": {"$match": "("}}}',
    };
    const cases = (path: string) =>
      readTestCases(
        path,
        (file) => Promise.resolve(files[file]),
        (_from, relative) => `/w/${relative}`,
      );
    await assert.rejects(
      cases('/w/x.actions.json'),
      /^TestFileError: \/w\/b\.expect\.json:2:3: Property `satus` is not allowed/,
    );
    await assert.rejects(
      cases('/w/pattern.action.json'),
      /pattern\.expect\.json:1:29: This is not a valid regular expression/,
    );
    const [first] = await cases('/w/good.actions.json');
    assert.ok(first);
    const [finding] = checkActionFile(parseActionFile(first.text));
    assert.deepEqual(getSourceLocation(first, finding?.offset ?? 0), {
      path: '/w/good.actions.json',
      line: 3,
      column: 51,
    });
  });
});

suite('steps without an action', () => {
  teardown(() => {
    setDisplayLanguage({ language: 'en' });
  });

  test('are compared in English and shown in the display language', async () => {
    setDisplayLanguage({ language: 'de', messages: { step: 'Schritt' } });
    const { steps } = readExecutionResult({ steps: [{ error: 'sold out' }, { error: 'no' }] });
    const run = { ...createRecord('{"action": {}}'), phase: 'ended' as const, outcome: 'completed' as const, steps };
    assert.deepEqual(await findMismatches(run, { steps: [{ action: 'step' }, { action: 'step' }] }), []);
    assert.equal(formatText(describeFailedStep(steps) ?? ''), 'sold out (step 1 of 2, Schritt). No step succeeded');
  });
});

suite('patterns', () => {
  const run = { ...createRecord('{"action": {}}'), phase: 'ended' as const, outcome: 'completed' as const };

  test('a pattern that takes a backtracking engine for ever ends', async () => {
    const log = JSON.stringify({ text: `${'a'.repeat(9_000)}!` });
    assert.deepEqual(await findMismatches({ ...run, log }, { log: { text: { $match: '^(a|a)+!$' } } }), []);
    assert.equal((await findMismatches({ ...run, log }, { log: { text: { $match: '^(a+)+$' } } })).length, 1);
    assert.equal(matchesPattern('^(a+)+$', 'a'.repeat(10_000)), true);
  });

  test('patterns are those of JavaScript, without lookaround and references to groups', () => {
    for (const [pattern, text] of [
      ['^obj_\\w+$', 'obj_1a'],
      ['\\u00e9|x', 'caf\u00e9'],
      ['\\d{4}-\\d\\d', 'on 2026-11'],
      ['^(?<name>a|b)$', 'b'],
      ['\\p{Lu}', 'aB'],
      ['a/b\\/c', 'a/b/c'],
      ['\\\\1', 'a\\1'],
    ] as const)
      assert.equal(matchesPattern(pattern, text), true, pattern);
    for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'])
      assert.match(getPatternError(pattern) ?? '', /^Lookahead, lookbehind and backreferences/, pattern);
    for (const pattern of ['(', 'a{2,1}', '[z-a]'])
      assert.match(getPatternError(pattern) ?? '', /^This is not a valid regular/, pattern);
    assert.match(getPatternError('a'.repeat(2000)) ?? '', /up to 1,000/);
    assert.match(getPatternError('((a{1000}){1000}){1000}') ?? '', /^This is not a valid regular/);
  });

  test('an unsupported pattern is an error at its place', async () => {
    await assert.rejects(
      validatePatterns('{"log": {"a": {"$match": "(?=a)"}}}'),
      /^TestFileError: Line 1, column 26: Lookahead/,
    );
    await validatePatterns('{"log": {"a": {"$match": "a"}}}');
  });
});

suite('large files', () => {
  test('a file with hundreds of kinds has bounded findings and effect, and no fix is computed in advance', () => {
    const entries = Array.from({ length: 900 }, (_, index) => `"k${String(index)}":1`).join(',');
    const text = `{"action":{${entries}}}`;
    const file = parseActionFile(text);
    const findings = checkActionFile(file);
    assert.equal(findings.length, MAX_FINDINGS);
    const fixes = findings.flatMap((finding) => finding.fixes);
    assert.ok(fixes.length > 500);
    assert.ok(fixes.every(({ edits }) => typeof edits === 'function'));
    assert.ok((fixes[0]?.edits().length ?? 0) >= 899);
    assert.ok(formatEffect(file).length < 500);
  });

  test('a file of a megabyte is read, or refused before it is parsed', async () => {
    const mega = 1024 * 1024;
    const one = (value: string): string => `{"action":{"mint":{"x":${value}}}}`;
    const tooMany = [
      one(`[${'1,'.repeat(mega / 2 - 50)}1]`),
      one(`[${'{},'.repeat(mega / 3 - 50)}1]`),
      one(`${'['.repeat(400)}${'],['.repeat(mega / 4)}`),
      one('} '.repeat(mega / 2 - 50)),
      one('"a" '.repeat(mega / 4 - 50)),
    ];
    for (const text of tooMany) {
      const file = parseActionFile(text);
      assert.equal(file.root, undefined, text.slice(0, 40));
      assert.match(
        file.problems[0]?.message ?? '',
        /^The file contains more than 20,000 names and values\. Split the file/,
      );
      assert.equal(isTooLarge(text), true);
      assert.equal(checkActionFile(file).length, 1);
    }
    const long = parseActionFile(one(`"${'x'.repeat(mega)}"`));
    assert.match(
      long.problems[0]?.message ?? '',
      /^The file is larger than 1 MB\. Put large content into a separate file/,
    );
    const read = parseActionFile(one(`"${'x'.repeat(mega - 50)}"`));
    assert.deepEqual([read.problems, checkActionFile(read).length], [[], 2]);
    assert.deepEqual(parseActionFile(one(`"${'x'.repeat(mega)}"`), 'request').problems, []);
    for (const path of ['/w/a.actions.json', '/w/a.expect.json']) {
      const found = await checkTestFile(path, tooMany[0] ?? '', () =>
        Promise.reject(new Error('nothing is looked for')),
      );
      assert.deepEqual(
        found.map(({ code, severity }) => [code, severity]),
        [['tooLarge', 'error']],
      );
    }
    assert.match(inExpectation(tooMany[0] ?? '')[0] ?? '', /more than 20,000/);
  });

  test('a few hundred files of a suite with thousands of steps are checked', async () => {
    const steps = Array.from({ length: 4000 }, (_, index) => ({ file: `${String(index)}.action.json` }));
    let lookups = 0;
    await checkTestFile('/w/a.actions.json', JSON.stringify({ steps }), () => {
      lookups++;
      return Promise.resolve(true);
    });
    assert.equal(lookups, 500);
  });

  test('lines and columns', () => {
    assert.deepEqual(getLineAndColumn('ab\ncd', 0), { line: 1, column: 1 });
    assert.deepEqual(getLineAndColumn('ab\ncd', 2), { line: 1, column: 3 });
    assert.deepEqual(getLineAndColumn('ab\ncd', 3), { line: 2, column: 1 });
    assert.deepEqual(getLineAndColumn('ab\r\n\r\ncd', 7), { line: 3, column: 2 });
  });
});
