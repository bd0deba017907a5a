/** What an expectation accepts, and what it says about a run that is different. */
import assert from 'node:assert/strict';
import {
  findMismatches,
  formatDiffSides,
  parseExpectation,
  parseSuite,
} from '../../../../src/actions/testing/expectation.ts';
import { TestFileError } from '../../../../src/actions/testing/test-file-error.ts';
import { readTestCases } from '../../../../src/actions/testing/test-cases.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { createRecord } from '../support.ts';

const run: RunRecord = {
  ...createRecord('{"action": {"mint": {}}}'),
  phase: 'ended',
  outcome: 'completed',
  status: 200,
  steps: [
    { action: 'mint', output: '{"ids": ["obj_1"], "n": 12345678901234567890}' },
    { action: 'drop', error: 'no place' },
  ],
  log: JSON.stringify({ status: 'completed', fee: '0.1', list: [1, 2, 3], nothing: null, empty: '' }),
  batch: '{"status": "final"}',
  affected: [
    { id: 'obj_1', after: '{"custom": {"colour": "red"}}' },
    { id: 'obj_2', after: '{"custom": {"colour": "blue"}}' },
    { id: 'gone' },
  ],
};

const find = async (text: string, of = run): Promise<readonly string[]> =>
  (await findMismatches(of, parseExpectation(text))).map(({ path }) => path);
/** The paths of what is not as expected in the log. */
const findInLog = (log: unknown): Promise<readonly string[]> => find(JSON.stringify({ log }));

suite('expectations', () => {
  test('an array has exactly the expected elements, in their order', async () => {
    assert.deepEqual(await findInLog({ list: [1, 2, 3] }), []);
    for (const list of [[], [1, 2], [1, 2, 3, 4], [1, 2, 3, null], [2, 1, 3]])
      assert.notDeepEqual(await findInLog({ list }), [], JSON.stringify(list));
    assert.deepEqual(await findInLog({ list: [1, 5, 6] }), ['log.list[1]', 'log.list[2]']);
    assert.deepEqual(await findInLog({ fee: ['0', '.'] }), ['log.fee']);
  });

  test('null does not exist; an empty text does', async () => {
    assert.deepEqual(await findInLog({ nothing: { $exists: true } }), ['log.nothing']);
    assert.deepEqual(await findInLog({ missing: { $exists: true } }), ['log.missing']);
    assert.deepEqual(await findInLog({ empty: { $exists: true } }), []);
    assert.deepEqual(
      await findInLog({ nothing: { $exists: false }, missing: { $exists: false }, empty: { $exists: false } }),
      ['log.empty'],
    );
  });

  test('any value: also null, but one that exists', async () => {
    assert.deepEqual(await findInLog({ fee: { $any: true }, nothing: { $any: true }, missing: { $any: true } }), [
      'log.missing',
    ]);
  });

  test('patterns match text, anywhere in it', async () => {
    const match = ($match: unknown): Promise<readonly string[]> =>
      findInLog({ fee: { $match }, list: { $match: '1' }, missing: { $match: '' } });
    assert.deepEqual(await match('^0'), ['log.list', 'log.missing']);
    assert.deepEqual(await match('^1'), ['log.fee', 'log.list', 'log.missing']);
  });

  test('objects are compared by the named fields', async () => {
    assert.deepEqual(await find('{}'), []);
    assert.deepEqual(await find('{"log": {}, "batch": {"status": "final"}}'), []);
    assert.deepEqual(await find('{"batch": {"status": "other"}}'), ['batch.status']);
    assert.deepEqual(await find('{"log": {"fee": {"value": 1}, "status": {}}}'), ['log.fee', 'log.status']);
    assert.deepEqual(await find('{"log": {"gone": {"$exists": false}, "fee": {"$any": true}}}'), []);
    assert.deepEqual(await find('{"log": {"constructor": {"$any": true}, "toString": "x"}}'), [
      'log.constructor',
      'log.toString',
    ]);
    assert.deepEqual(await find('{"log": {"fee": "0.1"}, "batch": {"status": "final"}}', createRecord('{}')), [
      'status',
      'log',
      'batch',
    ]);
    assert.throws(() => parseExpectation('{"satus": 1}'), /`satus` is not allowed/);
    assert.throws(() => parseExpectation('{"log": {"fee": {"$any": true, "a": 1}}}'), /must be the only property/);
    for (const status of [100, 599]) assert.deepEqual(parseExpectation(JSON.stringify({ status })), { status });
    for (const bad of [{ status: 99 }, { status: 600 }, { log: { a: { $any: false } } }, { objects: 7 }, { as: '' }])
      assert.throws(() => parseExpectation(JSON.stringify(bad)), TestFileError, JSON.stringify(bad));
    assert.throws(() => parseExpectation('[]'), /An expectation must be a JSON object/);
  });

  test('an outcome or an HTTP status; without one, the run must have completed', async () => {
    assert.deepEqual(await find('{"status": 200, /* c */ "log": {"fee": "0.1"}}'), []);
    assert.deepEqual(await find('{"status": "failed", "log": {"status": "failed", "none": 1}}'), [
      'status',
      'log.status',
      'log.none',
    ]);
    const refused: RunRecord = { ...run, outcome: 'refused', status: 400, reason: 'No supply' };
    assert.deepEqual(await find('{"status": "refused"}', refused), []);
    assert.deepEqual(await find('{"status": 400}', refused), []);
    assert.deepEqual(await findMismatches(refused, {}), [
      { path: 'status', expected: 'completed', actual: 'refused: No supply' },
    ]);
    assert.deepEqual(await findMismatches(refused, { status: 200 }), [
      { path: 'status', expected: '200', actual: '400' },
    ]);
    const { status: _status, outcome: _outcome, ...unsent } = run;
    assert.deepEqual(await findMismatches(unsent, { status: 200 }), [
      { path: 'status', expected: '200', actual: 'no response' },
    ]);
  });

  test('steps, in order, with numbers to the digit', async () => {
    assert.deepEqual(
      await find(
        '{"steps": [{"action": "mint", "error": {"$exists": false}, "output": {"ids": [{"$match": "^obj_"}], "n": 12345678901234567890}}, {"error": "no place", "output": {"$exists": false}}]}',
      ),
      [],
    );
    assert.deepEqual(await find('{"steps": [{"output": {"n": 12345678901234567891}}, {"error": "other"}]}'), [
      'steps[0].output.n',
      'steps[1].error',
    ]);
    assert.deepEqual(await find('{"steps": [{}]}'), ['steps']);
  });

  test('objects after the action, by id or all of them', async () => {
    assert.deepEqual(await find('{"objects": {"obj_1": {"custom": {"colour": "red"}}, "gone": null}}'), []);
    assert.deepEqual(await find('{"objects": {"*": {"custom": {"colour": "blue"}}}}'), [
      'objects.obj_1.custom.colour',
      'objects.gone',
    ]);
    assert.deepEqual(await find('{"objects": {"obj_1": null}}'), ['objects.obj_1']);
    const mismatches = await findMismatches(run, { objects: { obj_3: {} } });
    assert.deepEqual(mismatches, [
      { path: 'objects.obj_3', expected: 'an affected object', actual: 'obj_1, obj_2, gone' },
    ]);
    const none = await findMismatches({ ...run, affected: [] }, { objects: { '*': {} } });
    assert.deepEqual(none, [{ path: 'objects.*', expected: 'an affected object', actual: 'none' }]);
  });

  test('at most 100 differences are reported', async () => {
    const list = Array.from({ length: 150 }, (_, index) => index);
    const long = { ...run, log: JSON.stringify({ list: list.map((value) => value + 1) }) };
    assert.equal((await findMismatches(long, { log: { list } })).length, 100);
  });

  test('both sides of a diff name the path of each of several differences', async () => {
    const one = await findMismatches(run, { log: { fee: '0.2' } });
    assert.deepEqual(formatDiffSides(one), { expected: '"0.2"\n', actual: '"0.1"\n' });
    const two = await findMismatches(run, { log: { fee: '0.2', missing: 1 } });
    assert.deepEqual(formatDiffSides(two), {
      expected: 'log.fee: "0.2"\nlog.missing: 1\n',
      actual: 'log.fee: "0.1"\nlog.missing: nothing\n',
    });
  });
});

suite('suites', () => {
  const text =
    '{"steps": [{"name": "a", "as": "buyer", "request": {"action": {"burn": {"id": 12345678901234567890}}}}, {"file": "b.action.json"}]}';

  test('inline and file steps, in order', async () => {
    const files: Readonly<Record<string, string>> = {
      '/w/x.actions.json': text,
      '/w/b.action.json': '{"action": {}}',
      '/w/b.expect.json': '{"status": "failed"}',
    };
    const cases = await readTestCases(
      '/w/x.actions.json',
      (path) => Promise.resolve(files[path]),
      (_from, relative) => `/w/${relative}`,
    );
    assert.deepEqual(
      cases.map(({ name, text: body }) => [name, body]),
      [
        ['a', '{"action": {"burn": {"id": 12345678901234567890}}}'],
        ['b.action.json', '{"action": {}}'],
      ],
    );
    assert.deepEqual(cases[1]?.expect, { status: 'failed' });
  });

  test('each step has its place in the file', () => {
    const request = '{"action": {"burn": {"id": 12345678901234567890}}}';
    assert.deepEqual(parseSuite(text), [
      {
        name: 'a',
        as: 'buyer',
        request: { text: request, offset: text.indexOf(request) },
        expect: {},
        offset: text.indexOf('{"name"'),
        expectOffset: text.indexOf('{"name"'),
      },
      {
        name: 'b.action.json',
        file: 'b.action.json',
        expect: {},
        offset: text.indexOf('{"file"'),
        expectOffset: text.indexOf('{"file"'),
      },
    ]);
  });

  test('steps have unique names; only a scenario has a sandbox and faults', () => {
    for (const bad of [
      '{}',
      '[]',
      '{"steps": [1]}',
      '{"steps": [{"name": "a"}]}',
      '{"steps": [{"file": "a"}, {"file": "a"}]}',
      '{"steps": [{"request": {}}]}',
      '{"name": 7, "steps": [{"file": "a"}]}',
      '{"sandbox": {}, "steps": [{"file": "a"}]}',
    ])
      assert.throws(() => parseSuite(bad), Error, bad);
    assert.equal(parseSuite('{"sandbox": {}, "faults": [], "steps": [{"file": "a"}]}', true).length, 1);
  });
});
