/** Preflight against the sandbox's live data, and what a run was expected to do. */
import assert from 'node:assert/strict';
import { mismatchesOf, parseExpectation, parseSuite } from '../../../src/actions/expect.ts';
import { parseActionFile } from '../../../src/actions/file.ts';
import { LiveData } from '../../../src/actions/live.ts';
import { casesOf } from '../../../src/actions/plan.ts';
import { preflight } from '../../../src/actions/preflight.ts';
import type { RunRecord } from '../../../src/actions/record.ts';
import { recordFrom } from '../../../src/actions/record-schema.ts';
import { summaryText } from '../../../src/actions/parts.ts';
import { idsOf, makeRig, recordOf, type Rig } from './support.ts';

suite('preflight', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await makeRig()));
  suiteTeardown(() => rig.close());

  const liveOf = (can?: boolean, subject?: string): LiveData =>
    new LiveData({
      profile: { name: 'Here' },
      client: rig.client,
      ended: new AbortController().signal,
      identity: subject === undefined ? undefined : { subject },
      held: new Map(),
      can: () => can,
    });
  const codesOf = async (action: object, live = liveOf()): Promise<string[]> => {
    const file = parseActionFile(JSON.stringify({ action }));
    const findings = await preflight(file, live.preflight, new AbortController().signal);
    return findings.map(({ code, message }) => `${code}: ${message}`);
  };

  test('what the platform would accept has no finding', async () => {
    const { template, object } = await idsOf(rig);
    assert.deepEqual(await codesOf({ mint: { template_id: template('Concert'), num: 1 } }), []);
    assert.deepEqual(await codesOf({ transfer: { id: object('Jacket'), to: '0xab' } }), []);
  });

  test('ids of the wrong kind and unknown ones', async () => {
    const { template, object } = await idsOf(rig);
    const [wrong] = await codesOf({ mint: { template_id: object('Jacket'), num: 1 } });
    assert.match(wrong ?? '', /^unknownId: This is the id of an object; the id of a template is due here$/);
    const [other] = await codesOf({ burn: { id: template('Jacket') } });
    assert.match(other ?? '', /id of a template/);
    const [nobody] = await codesOf({ burn: { id: 'obj_nobody' } });
    assert.match(nobody ?? '', /^unknownId: No object with this id is visible to you on Here$/);
  });

  test('an id is unknown only where every kind says so; whoever could not ask says that', async () => {
    const { object } = await idsOf(rig);
    assert.equal(await liveOf().whatIs('nobody'), undefined);
    const live = liveOf();
    for (const [fault, code] of [
      ['unauthorized', 'unauthenticated'],
      ['forbidden', 'forbidden'],
    ] as const) {
      rig.sandbox.faults.add({ route: 'GET /templates/{templateId}', fault, count: 2 });
      await assert.rejects(live.whatIs('nobody'), { code });
      assert.equal((await live.whatIs(object('Jacket')))?.kind, 'objects');
    }
    assert.equal(await live.whatIs('nobody', { isCancellationRequested: true }), undefined);
  });

  test('actions not listed, supply, time, whitelist, tokens, permission', async () => {
    const { template, object } = await idsOf(rig);
    const expected: readonly (readonly [object, RegExp])[] = [
      [{ burn: { id: object('Early Bird') } }, /^notListed: “Early Bird Voucher” does not list burn; it lists mint/],
      [{ mint: { template_id: template('Limited'), num: 1 } }, /^supply: .*sold out/],
      [{ mint: { template_id: template('Backstage'), num: 50 } }, /^supply: Only 3 /],
      [{ mint: { template_id: template('Early Bird'), num: 1 } }, /^window: Minting “Early Bird Voucher” ended at/],
      [{ mint: { template_id: template('Expedition'), num: 1 } }, /^window: “Expedition Pass” is minted from/],
      [
        { mint: { template_id: template('Expedition'), num: 1 } },
        /^access: mint needs tokens: 250 TRAIL, 9007199254740993 ALP/,
      ],
      [{ mint: { template_id: template('Backstage'), num: 1, to: '0xnobody' } }, /^whitelist: The receiver is not on/],
      [{ mint: { template_id: template('Summit'), num: 1 } }, /^access: mint is private to the issuer/],
    ];
    for (const [action, finding] of expected) {
      const codes = await codesOf(action);
      assert.ok(
        codes.some((code) => finding.test(code)),
        `${JSON.stringify(action)}: ${codes.join(' | ')}`,
      );
    }
    const denied = await codesOf({ burn: { id: object('Trail') } }, liveOf(false));
    assert.deepEqual(denied, ['permission: Your role lacks the permission ebus.actions: create']);
  });

  test('a platform that cannot be asked makes a remark, never an error', async () => {
    const { object } = await idsOf(rig);
    const id = object('Jacket');
    rig.sandbox.faults.add({ route: 'GET /objects/{objectId}', fault: 'serverError', count: null });
    const codes = await codesOf({ burn: { id } });
    assert.equal(codes.length, 1);
    assert.match(codes[0] ?? '', /^notChecked: Could not be checked/);
  });

  test('names of what was read are known afterwards', async () => {
    const live = liveOf();
    const [known] = await live.list('templates');
    assert.ok(known);
    assert.equal(live.nameOf(known.id), known.name);
    assert.equal((await live.whatIs(known.id))?.kind, 'templates');
    await live.list('objects');
    assert.ok((await live.list('wallets')).length > 0, 'owners of objects stand in for wallets');
  });
});

suite('expectations', () => {
  const run: RunRecord = {
    ...recordOf('{"action": {}}'),
    phase: 'ended',
    outcome: 'completed',
    status: 200,
    steps: [{ action: 'mint', output: '{"ids": ["obj_1"], "n": 12345678901234567890}' }],
    log: '{"status": "completed", "fee": "0.1"}',
    affected: [{ id: 'obj_1', after: '{"custom": {"colour": "red"}}' }],
  };
  const wrong = async (text: string): Promise<string[]> =>
    (await mismatchesOf(run, parseExpectation(text))).map(({ path }) => path);

  test('only what is named is looked at', async () => {
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
    assert.throws(() => parseExpectation('{"satus": 1}'), /no `satus`/);
  });

  test('a run that did not complete is a failure unless that was expected', async () => {
    assert.equal((await mismatchesOf({ ...run, outcome: 'unknown' }, {})).length, 1);
    assert.equal((await mismatchesOf({ ...run, outcome: 'refused' }, { status: 'refused' })).length, 0);
  });

  test('suites: steps in order, of their own or from files, told apart by name', async () => {
    const text =
      '{"steps": [{"name": "a", "request": {"action": {"burn": {"id": 12345678901234567890}}}}, {"file": "b.action.json"}]}';
    const files: Readonly<Record<string, string>> = {
      '/w/x.actions.json': text,
      '/w/b.action.json': '{"action": {}}',
      '/w/b.expect.json': '{"status": "failed"}',
    };
    const cases = await casesOf(
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

suite('what is kept of a run', () => {
  test('comes back as it was, and anything else is no run', () => {
    const run: RunRecord = {
      ...recordOf('{"action": {"burn": {"id": "${secret:X}"}}}'),
      phase: 'ended',
      outcome: 'failed',
    };
    assert.deepEqual(recordFrom(JSON.parse(JSON.stringify(run))), run);
    for (const bad of [null, 1, {}, { ...run, id: '../x' }, { ...run, outcome: 'great' }])
      assert.equal(recordFrom(bad), undefined);
    assert.match(summaryText(run), /\$\{secret:X\}/);
  });
});
