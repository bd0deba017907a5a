/** Preflight checks against the sandbox's live data, and expectations of runs. */
import assert from 'node:assert/strict';
import { findMismatches, parseExpectation, parseSuite } from '../../../../src/actions/testing/expectation.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { LiveData } from '../../../../src/actions/language/live-data.ts';
import { readTestCases } from '../../../../src/actions/testing/test-cases.ts';
import { preflight } from '../../../../src/actions/file/preflight.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { parseRunRecord } from '../../../../src/model/runs/run-record-schema.ts';
import { formatRunSummary } from '../../../../src/actions/history/run-documents.ts';
import { readIds, makeRig, createRecord, type Rig } from '../support.ts';

suite('preflight', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await makeRig()));
  suiteTeardown(() => rig.close());

  const createLive = (can?: boolean, subject?: string): LiveData =>
    new LiveData({
      profile: { name: 'Here' },
      client: rig.client,
      ended: new AbortController().signal,
      identity: subject === undefined ? undefined : { subject },
      issuedResources: new Map(),
      hasPermission: () => can,
    });
  const getCodes = async (action: object, live = createLive()): Promise<string[]> => {
    const file = parseActionFile(JSON.stringify({ action }));
    const findings = await preflight(file, live.preflight, new AbortController().signal);
    return findings.map(({ code, message }) => `${code}: ${message}`);
  };

  test('an action that the platform accepts has no findings', async () => {
    const { template, object } = await readIds(rig);
    assert.deepEqual(await getCodes({ mint: { template_id: template('Concert'), num: 1 } }), []);
    assert.deepEqual(await getCodes({ transfer: { id: object('Jacket'), to: '0xab' } }), []);
  });

  test('ids of the wrong kind and unknown ones', async () => {
    const { template, object } = await readIds(rig);
    const [wrong] = await getCodes({ mint: { template_id: object('Jacket'), num: 1 } });
    assert.match(wrong ?? '', /^unknownId: This is the ID of an object. The ID of a template is required$/);
    const [other] = await getCodes({ burn: { id: template('Jacket') } });
    assert.match(other ?? '', /ID of a template/);
    const [nobody] = await getCodes({ burn: { id: 'obj_nobody' } });
    assert.match(nobody ?? '', /^unknownId: No object with this ID is visible to you on Here$/);
  });

  test('an id is unknown only if no kind has it; a failed read is reported as such', async () => {
    const { object } = await readIds(rig);
    assert.equal(await createLive().identify('nobody'), undefined);
    const live = createLive();
    for (const [fault, code] of [
      ['unauthorized', 'unauthenticated'],
      ['forbidden', 'forbidden'],
    ] as const) {
      rig.sandbox.faults.add({ route: 'GET /templates/{templateId}', fault, count: 2 });
      await assert.rejects(live.identify('nobody'), { code });
      assert.equal((await live.identify(object('Jacket')))?.kind, 'objects');
    }
    assert.equal(await live.identify('nobody', { isCancellationRequested: true }), undefined);
  });

  test('actions not listed, supply, time, whitelist, tokens, permission', async () => {
    const { template, object } = await readIds(rig);
    const expected: readonly (readonly [object, RegExp])[] = [
      [
        { burn: { id: object('Early Bird') } },
        /^notListed: Template “Early Bird Voucher” has no action burn. Its actions: mint/,
      ],
      [{ mint: { template_id: template('Limited'), num: 1 } }, /^supply: .*sold out/],
      [{ mint: { template_id: template('Backstage'), num: 50 } }, /^supply: Remaining supply of “Backstage[^”]*”: 3 /],
      [{ mint: { template_id: template('Early Bird'), num: 1 } }, /^window: Minting “Early Bird Voucher” ended at/],
      [{ mint: { template_id: template('Expedition'), num: 1 } }, /^window: Minting “Expedition Pass” starts at/],
      [
        { mint: { template_id: template('Expedition'), num: 1 } },
        /^access: mint requires tokens: 250 TRAIL, 9007199254740993 ALP/,
      ],
      [
        { mint: { template_id: template('Backstage'), num: 1, to: '0xnobody' } },
        /^whitelist: The receiver does not appear to be on/,
      ],
      [{ mint: { template_id: template('Summit'), num: 1 } }, /^access: mint is private to the issuer/],
    ];
    for (const [action, finding] of expected) {
      const codes = await getCodes(action);
      assert.ok(
        codes.some((code) => finding.test(code)),
        `${JSON.stringify(action)}: ${codes.join(' | ')}`,
      );
    }
    const denied = await getCodes({ burn: { id: object('Trail') } }, createLive(false));
    assert.deepEqual(denied, ['permission: Your role lacks the permission ebus.actions: create']);
  });

  test('an unreachable platform is a note, never an error', async () => {
    const { object } = await readIds(rig);
    const id = object('Jacket');
    rig.sandbox.faults.add({ route: 'GET /objects/{objectId}', fault: 'serverError', count: null });
    const codes = await getCodes({ burn: { id } });
    assert.equal(codes.length, 1);
    assert.match(codes[0] ?? '', /^notChecked: Could not be checked/);
  });

  test('names of resources that were read are known afterwards', async () => {
    const live = createLive();
    const [known] = await live.list('templates');
    assert.ok(known);
    assert.equal(live.getName(known.id), known.name);
    assert.equal((await live.identify(known.id))?.kind, 'templates');
    await live.list('objects');
    assert.ok((await live.list('wallets')).length > 0, 'owners of objects stand in for wallets');
  });
});

suite('expectations', () => {
  const run: RunRecord = {
    ...createRecord('{"action": {}}'),
    phase: 'ended',
    outcome: 'completed',
    status: 200,
    steps: [{ action: 'mint', output: '{"ids": ["obj_1"], "n": 12345678901234567890}' }],
    log: '{"status": "completed", "fee": "0.1"}',
    affected: [{ id: 'obj_1', after: '{"custom": {"colour": "red"}}' }],
  };
  const wrong = async (text: string): Promise<string[]> =>
    (await findMismatches(run, parseExpectation(text))).map(({ path }) => path);

  test('only named fields are compared', async () => {
    assert.deepEqual(await wrong('{}'), []);
    assert.deepEqual(await wrong('{"status": 200, /* c */ "log": {"fee": "0.1"}}'), []);
    assert.deepEqual(await wrong('{"status": "failed", "log": {"status": "failed", "none": 1}}'), [
      'status',
      'log.status',
      'log.none',
    ]);
    assert.deepEqual(
      await wrong('{"steps": [{"output": {"ids": [{"$match": "^obj_"}], "n": 12345678901234567890}}]}'),
      [],
    );
    assert.deepEqual(await wrong('{"steps": [{"output": {"n": 12345678901234567891}}]}'), ['steps[0].output.n']);
    assert.deepEqual(await wrong('{"objects": {"*": {"custom": {"colour": "blue"}}, "obj_2": {}}}'), [
      'objects.obj_1.custom.colour',
      'objects.obj_2',
    ]);
    assert.deepEqual(await wrong('{"log": {"gone": {"$exists": false}, "fee": {"$any": true}}}'), []);
    assert.deepEqual(await wrong('{"log": {"constructor": {"$any": true}, "toString": "x"}}'), [
      'log.constructor',
      'log.toString',
    ]);
    assert.throws(() => parseExpectation('{"satus": 1}'), /`satus` is not allowed/);
  });

  test('a run that did not complete is a failure unless that was expected', async () => {
    assert.equal((await findMismatches({ ...run, outcome: 'unknown' }, {})).length, 1);
    assert.equal((await findMismatches({ ...run, outcome: 'refused' }, { status: 'refused' })).length, 0);
  });

  test('suites: inline and file steps, in order, with unique names', async () => {
    const text =
      '{"steps": [{"name": "a", "request": {"action": {"burn": {"id": 12345678901234567890}}}}, {"file": "b.action.json"}]}';
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
    for (const bad of [
      '{}',
      '{"steps": [1]}',
      '{"steps": [{"name": "a"}]}',
      '{"steps": [{"file": "a"}, {"file": "a"}]}',
      '{"steps": [{"request": {}}]}',
    ])
      assert.throws(() => parseSuite(bad), Error, bad);
  });
});

suite('stored runs', () => {
  test('are restored unchanged, and other JSON is ignored', () => {
    const run: RunRecord = {
      ...createRecord('{"action": {"burn": {"id": "${secret:X}"}}}'),
      phase: 'ended',
      outcome: 'failed',
    };
    assert.deepEqual(parseRunRecord(JSON.parse(JSON.stringify(run))), run);
    for (const bad of [null, 1, {}, { ...run, id: '../x' }, { ...run, outcome: 'great' }])
      assert.equal(parseRunRecord(bad), undefined);
    assert.match(formatRunSummary(run), /\$\{secret:X\}/);
  });
});
