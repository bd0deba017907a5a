/** The test cases of files, and what is found in the files before they run. */
import assert from 'node:assert/strict';
import { getLineAndColumn } from '../../../../src/actions/file/action-file.ts';
import { applyEdits } from '../../../../src/actions/file/json-edits.ts';
import { checkTestFile } from '../../../../src/actions/testing/check-test-file.ts';
import { parseSuite } from '../../../../src/actions/testing/expectation.ts';
import {
  getSourceLocation,
  getTestLocation,
  readTestCases,
  type TestCase,
} from '../../../../src/actions/testing/test-cases.ts';

type Files = Readonly<Record<string, string>>;

const ACTION = '{"action": {"burn": {"id": "obj_1"}}}';

const readCases = (path: string, files: Files): Promise<readonly TestCase[]> =>
  readTestCases(
    path,
    (each) => Promise.resolve(files[each]),
    (_from, relative) => {
      if (relative.startsWith('../')) throw new Error(`${relative} is outside of the folder`);
      return `/w/${relative}`;
    },
  );

suite('test cases of files', () => {
  test('an action file is one case, with its expectation', async () => {
    const files = { '/w/burn.action.json': ACTION, '/w/burn.expect.json': '{"as": "buyer", "status": 400}' };
    const [found, ...more] = await readCases('/w/burn.action.json', files);
    assert.deepEqual(found, {
      name: 'burn',
      path: '/w/burn.action.json',
      text: ACTION,
      as: 'buyer',
      expect: { as: 'buyer', status: 400 },
      location: { path: '/w/burn.action.json', offset: 0, text: ACTION },
    });
    assert.deepEqual(more, []);
    const [alone] = await readCases('/w/burn.action.json', { '/w/burn.action.json': ACTION });
    assert.deepEqual([alone?.expect, alone !== undefined && 'as' in alone], [{}, false]);
  });

  test('what a step says counts before the expectation of its file', async () => {
    const suite = JSON.stringify({
      steps: [
        { file: 'burn.action.json' },
        { name: 'as another', file: 'burn.action.json', as: 'owner' },
        { name: 'another outcome', file: 'burn.action.json', expect: { status: 'failed' } },
        { name: 'inline', as: 'owner', request: { action: {} } },
      ],
    });
    const files = {
      '/w/x.actions.json': suite,
      '/w/burn.action.json': ACTION,
      '/w/burn.expect.json': '{"as": "buyer", "status": 400}',
    };
    const cases = await readCases('/w/x.actions.json', files);
    assert.deepEqual(
      cases.map(({ name, path, as, expect }) => [name, path, as, expect]),
      [
        ['burn.action.json', '/w/burn.action.json', 'buyer', { as: 'buyer', status: 400 }],
        ['as another', '/w/burn.action.json', 'owner', { as: 'buyer', status: 400 }],
        ['another outcome', '/w/burn.action.json', undefined, { status: 'failed' }],
        ['inline', '/w/x.actions.json', 'owner', {}],
      ],
    );
  });

  test('places of a failure: the step, or what it expects; in an action file its own lines', async () => {
    const suite =
      '{"steps": [\n {"file": "burn.action.json"},\n {"name": "b", "request": {"action": {}},\n  "expect": {"status": 200}}]}';
    const files = { '/w/x.actions.json': suite, '/w/burn.action.json': '{\n"action": {"burn": {}}}' };
    const cases = await readCases('/w/x.actions.json', files);
    assert.deepEqual(cases.map(getTestLocation), [
      { path: '/w/x.actions.json', line: 2, column: 2 },
      { path: '/w/x.actions.json', line: 4, column: 13 },
    ]);
    assert.deepEqual(
      cases.map((each) => getSourceLocation(each, each.text.indexOf('"action"'))),
      [
        { path: '/w/burn.action.json', line: 2, column: 1 },
        { path: '/w/x.actions.json', line: 3, column: 28 },
      ],
    );
  });

  test('what cannot be read is named, with its place', async () => {
    const read = async (files: Files, path = '/w/x.actions.json'): Promise<string> =>
      readCases(path, files).then(
        () => assert.fail('read'),
        (error: unknown) => String(error),
      );
    const suite = (step: object): string => `{"steps": [\n${JSON.stringify(step)}]}`;
    assert.equal(await read({}), 'Error: File /w/x.actions.json was not found');
    for (const [files, message] of [
      [
        { '/w/x.actions.json': suite({ file: 'a.action.json' }) },
        '/w/x.actions.json:2:1: File a.action.json was not found',
      ],
      [
        { '/w/x.actions.json': suite({ file: '../a.action.json' }) },
        '/w/x.actions.json:2:1: ../a.action.json is outside of the folder',
      ],
      [
        {
          '/w/x.actions.json': suite({ file: 'a.action.json' }),
          '/w/a.action.json': ACTION,
          '/w/a.expect.json': '{"a": 1,\n "b": 1}',
        },
        '/w/a.expect.json:1:2: Property `a` is not allowed',
      ],
      [{ '/w/x.actions.json': '{"steps": [1' }, '/w/x.actions.json:1:'],
    ] as const) {
      const found = await read(files);
      assert.ok(found.startsWith(`TestFileError: ${message}`), found);
    }
    assert.match(
      await read({ '/w/a.action.json': ACTION, '/w/a.expect.json': '{"a": 1, "b": 1, "c": 1}' }, '/w/a.action.json'),
      /\(and 2 more\)$/,
    );
  });
});

suite('findings in suites and expectations', () => {
  /** Each as `line:column code: message`; `missing`: relative paths that do not exist. */
  const check = async (
    path: string,
    text: string,
    options: Parameters<typeof checkTestFile>[3] = {},
    missing: readonly string[] = [],
  ): Promise<readonly string[]> =>
    (await checkTestFile(path, text, (file) => Promise.resolve(!missing.includes(file)), options)).map(
      ({ code, message, offset }) => {
        const { line, column } = getLineAndColumn(text, offset);
        return `${String(line)}:${String(column)} ${code}: ${message}`;
      },
    );
  const identities = { connection: 'Shop', names: ['owner', 'buyer'] };

  test('requests of a suite are checked at their place, with their fixes', async () => {
    const text = `{
  "steps": [
    { "name": "a", "request": { "action": { "burn": { "object_id": "x" } } } }, // first
    { "name": "b", "request": { "burn": { "id": "x" } } },
    { "name": "c", "request": { "action": { "burn": { "id": "x" } } } }
  ]
}`;
    const findings = await checkTestFile('/w/story.actions.json', text, () => Promise.resolve(true));
    assert.deepEqual(
      findings.map(({ code, severity, offset }) => [code, severity, getLineAndColumn(text, offset).line]),
      [
        ['wrongName', 'warning', 3],
        ['noAction', 'error', 4],
      ],
    );
    const edits = findings.flatMap(({ fixes }) => fixes[0]?.edits() ?? []);
    const after = applyEdits(text, edits);
    assert.deepEqual(await checkTestFile('/w/story.actions.json', after, () => Promise.resolve(true)), []);
    assert.equal(parseSuite(after).length, 3);
  });

  test('files of steps that do not exist', async () => {
    const text = '{"steps": [\n{"file": "a.action.json"},\n{"file": "b.action.json"},\n{"file": ""}, {"file": 7}, {}]}';
    assert.deepEqual(await check('/w/x.actions.json', text, {}, ['b.action.json', '']), [
      '3:10 noFile: File b.action.json was not found',
    ]);
    assert.deepEqual(await check('/w/x.actions.json', '{}'), []);
    assert.deepEqual(await check('/w/x.actions.json', '{"steps": [', {}, ['x']), []);
  });

  test('steps with the same name', async () => {
    const text = '{"steps": [{"file": "a"}, {"file": "a"}]}';
    assert.match((await check('/w/x.actions.json', text)).join(), /^1:\d+ sameName: [^,]+$/);
  });

  test('identities that the connection does not have, of the file and of its steps', async () => {
    const text =
      '{"as": "nobody", "steps": [\n{"file": "a", "as": "buyer"},\n{"file": "b", "as": "byuer"}, {"file": "c", "as": ""}]}';
    assert.deepEqual(await check('/w/x.actions.json', text, { identities }), [
      '1:8 noIdentity: Shop has no identity nobody. Use Sign In with Another Identity… to add it',
      '3:21 noIdentity: Shop has no identity byuer. Did you mean buyer?',
    ]);
    assert.deepEqual(await check('/w/x.actions.json', text), []);
    assert.deepEqual(await check('/w/x.expect.json', '{"as": "buyer"}', { identities }), []);
  });

  test('an expectation without an action file', async () => {
    const path = '/w/a.expect.json';
    assert.deepEqual(await check(path, '\n{}', {}, ['a.action.json', 'a.json']), [
      '2:1 noFile: File a.action.json was not found, so this expectation is not used',
    ]);
    assert.deepEqual(await check(path, '{}', {}, ['a.action.json']), []);
    assert.deepEqual(await check(path, '{}', {}, ['a.json']), []);
    assert.deepEqual(await check('/w/a.expect.json.expect.json', '{}', {}, ['a.expect.json.json']), []);
    // Steps are those of suites.
    assert.deepEqual(await check(path, '{"steps": [{"file": "b"}]}', {}, ['b']), []);
  });

  test('patterns that cannot be run', async () => {
    const text = '{"log": {\n"a": {"$match": "("}, "b": {"$match": "a"}}}';
    assert.match((await check('/w/a.expect.json', text)).join(), /^2:\d+ pattern: [^\n]+$/);
    assert.equal((await check('/w/a.expect.json', text)).length, 1);
  });
});
