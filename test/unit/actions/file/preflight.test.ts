/** Preflight checks against the sandbox's live data. */
import assert from 'node:assert/strict';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { LiveData } from '../../../../src/actions/language/live-data.ts';
import { preflight } from '../../../../src/actions/file/preflight.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { parseRunRecord } from '../../../../src/model/runs/parse-run-record.ts';
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
