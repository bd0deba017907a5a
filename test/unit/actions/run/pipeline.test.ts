/** Runs against the sandbox: each kind to its completed batch, and every fault with exactly one execute. */
import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/model/clock.ts';
import { createRedactingPlatform, Redactor } from '../../../../src/actions/run/redact-variables.ts';
import { formatMissingSide, getOnlyKnownSide } from '../../../../src/actions/history/run-documents.ts';
import { createRunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { parseRunRecord } from '../../../../src/model/runs/parse-run-record.ts';
import { OBJECT_DELETED, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { MASK } from '../../../../src/platform/json/secrets.ts';
import { redactBody } from '../../../../src/platform/requests/server-message.ts';
import { readIds, makeRig, runText, type Rig } from '../support.ts';
import { formatText } from '../../../../src/platform/text/message.ts';

const EXECUTE = 'POST /ebus/execute';
const options = { signal: new AbortController().signal, onSent: () => undefined };

suite('runs against the sandbox', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await makeRig()));
  suiteTeardown(() => rig.close());
  setup(() => {
    rig.sandbox.faults.clear();
    rig.sandbox.recorder.reset();
  });

  test('each kind is followed to a completed batch, and its object shows the difference', async () => {
    const { template, object } = await readIds(rig);
    const to = `0x${'ab'.repeat(20)}`;
    const cases: Readonly<Record<string, object>> = {
      mint: { template_id: template('Concert'), num: 2 },
      update: { id: object('Concert'), data: { custom: { note: 'hello' } } },
      transfer: { id: object('Concert'), to },
      redeem: { id: object('Concert') },
      drop: { id: object('Trail'), latitude: 46.5, longitude: 7.9 },
      pickup: { id: object('Trail', true) },
      burn: { id: object('Trail') },
      connect: { id: object('Wristband') },
      bridgeNFT: { id: object('Jacket') },
      remote: { id: object('Hut Key') },
    };
    let pending = 0;
    for (const [kind, fields] of Object.entries(cases)) {
      rig.sandbox.recorder.reset();
      const { run, reports } = await runText(rig, JSON.stringify({ action: { [kind]: fields } }));
      assert.equal(run.outcome, 'completed', `${kind}: ${run.reason ?? ''}`);
      assert.equal(run.batchStatus, 'completed', kind);
      assert.match(run.transaction ?? '', /^0x[0-9a-f]{64}$/, kind);
      assert.equal(rig.sandbox.recorder.counts[EXECUTE], 1, kind);
      assert.deepEqual(
        [...new Set(reports.map(({ phase }) => phase))],
        ['queued', 'sending', 'following', 'ended'],
        kind,
      );
      const states = [...new Set(reports.map(({ logStatus }) => logStatus))];
      // A log can settle between two reads.
      pending += states.filter((state) => state === 'pending').length;
      assert.deepEqual(
        states.filter((state) => state !== 'pending'),
        [undefined, 'completed'],
        kind,
      );
      if (states.includes('pending')) assert.equal(states[1], 'pending', kind);
      assert.ok(run.affected.length > 0, kind);
      for (const changed of run.affected) {
        assert.equal(getOnlyKnownSide(changed), undefined, `${kind}: both sides are known`);
        if (kind === 'mint') {
          assert.equal(changed.before, undefined);
          assert.equal(changed.previousRoot, undefined);
        } else {
          const before: unknown = JSON.parse(changed.before ?? '');
          assert.equal(Reflect.get(Object(before), 'state_root'), changed.previousRoot, kind);
          assert.notEqual(changed.previousRoot, changed.nextRoot, kind);
        }
        if (kind === 'burn') {
          assert.equal(changed.after, undefined);
          assert.match(formatText(changed.note ?? ''), /does not exist any more/);
        } else {
          const { text } = await rig.client.read('objects', [changed.id]);
          assert.equal(changed.after, text, kind);
          assert.equal(Reflect.get(Object(JSON.parse(text)), 'state_root'), changed.nextRoot, kind);
        }
      }
    }
    assert.ok(pending > 0, 'no log was ever seen pending');
  });

  test('the sent text is the file with exact numbers, without comments and `$schema`', async () => {
    const { template } = await readIds(rig);
    const text = `// a comment
    { "$schema": "./x.json", "nonce": 90071992547409931234567, "auth": { "x": [1.10, 2e5,], },
      "action": { /* mint */ "mint": { "template_id": "${template('Jacket')}", "data": { "custom": { "serial": 900719925474099345678 } } } }, }`;
    const sent: string[] = [];
    const platform = createRunPlatform(rig.client);
    const { run } = await runText(rig, text, {
      platform: {
        ...platform,
        execute: (body, options) => {
          sent.push(body);
          return platform.execute(body, options);
        },
      },
    });
    assert.deepEqual(sent, [
      `{"nonce":90071992547409931234567,"auth":{"x":[1.10,2e5]},"action":{"mint":{"template_id":"${template('Jacket')}","data":{"custom":{"serial":900719925474099345678}}}}}`,
    ]);
    assert.equal(run.outcome, 'completed', run.reason);
    assert.match(run.affected[0]?.after ?? '', /"serial": 900719925474099345678/);
  });

  test('a failed step is a failure though the status was 200; so are a failed log and a failed batch', async () => {
    const { template } = await readIds(rig);
    const soldOut = await runText(rig, JSON.stringify({ action: { mint: { template_id: template('Limited') } } }));
    assert.equal(soldOut.run.status, 200);
    assert.equal(soldOut.run.outcome, 'failed');
    assert.match(soldOut.run.steps[0]?.error ?? '', /./);
    const mint = JSON.stringify({ action: { mint: { template_id: template('Concert') } } });
    rig.sandbox.settlement.setNextOutcome({ log: 'failed' });
    const doomed = await runText(rig, mint);
    assert.equal(doomed.run.outcome, 'failed');
    assert.equal(doomed.run.logStatus, 'failed');
    assert.match(doomed.run.reason ?? '', /reverted/);
    rig.sandbox.settlement.setNextOutcome({ batch: 'failed' });
    const unsettled = await runText(rig, mint);
    assert.equal(unsettled.run.outcome, 'failed');
    assert.match(unsettled.run.reason ?? '', /^commitment rejected .* \(the batch failed\)$/);
  });

  test('the response of a refusal is stored in full, numbers to the digit, without values of variables', async () => {
    const { object } = await readIds(rig);
    const text = JSON.stringify({ action: { update: { id: object('Jacket'), data: {} } } });
    rig.sandbox.faults.add({ route: EXECUTE, fault: 'unprocessable' });
    const { run } = await runText(rig, text);
    assert.equal(run.outcome, 'refused');
    assert.equal(run.status, 422);
    assert.match(run.response ?? '', /^\{\n {2}"code": ".+",\n {2}"message": ".+",\n {2}"details": \{\}\n\}$/);
    assert.equal(parseRunRecord(run)?.response, run.response);
    assert.doesNotMatch(run.note ?? '', /Looking/);
    rig.sandbox.faults.add({ route: EXECUTE, fault: 'echoCredential' });
    const failed = (await runText(rig, text)).run;
    assert.equal(failed.outcome, 'unknown');
    assert.match(failed.response ?? '', /could not verify ••••/);
    rig.sandbox.faults.add({ route: EXECUTE, fault: 'htmlOk' });
    const page = (await runText(rig, text)).run;
    assert.deepEqual([page.outcome, page.status], ['unknown', 200]);
    assert.match(page.response ?? '', /<h1>Welcome<\/h1>/);
    const body = redactBody('{"serial": 9007199254740993, "said": "canary-value", "password": "p"}', []);
    assert.deepEqual(body.split('\n').slice(1, 4), [
      '  "serial": 9007199254740993,',
      '  "said": "canary-value",',
      '  "password": "••••"',
    ]);
    assert.equal(redactBody('<p>key-from-outside</p>', ['key-from-outside']), '<p>••••</p>');
    const redacting = createRedactingPlatform(
      {
        ...createRunPlatform(rig.client),
        execute: () => Promise.reject(new PlatformError('badRequest', 'No', { status: 400, body })),
      },
      new Redactor(['canary-value']),
    );
    await assert.rejects(redacting.execute('{}', options), (error: unknown) => {
      assert.ok(error instanceof PlatformError);
      assert.match(error.detail.body ?? '', /"said": "••••"/);
      return true;
    });
  });

  test('values of variables are hidden however they are written, put on one line or cut', async () => {
    const secrets = ['p&ssword-123', 'line one\nline two'];
    const { object } = await readIds(rig);
    const redacting = createRedactingPlatform(
      {
        ...createRunPlatform(rig.client),
        object: () => Promise.resolve('{\n  "a": "p\\u0026ssword-123",\n  "n": 9007199254740993\n}\n'),
        execute: () =>
          Promise.reject(
            new PlatformError('badRequest', 'No', {
              status: 400,
              body: '{"said":"p\\u0026ssword-123"}',
              serverMessage: 'line one line two, and p&ssw…',
            }),
          ),
      },
      new Redactor(secrets),
    );
    const text = await redacting.object(object('Jacket'), new AbortController().signal);
    assert.equal(text, '{\n  "a": "••••",\n  "n": 9007199254740993\n}\n');
    await assert.rejects(redacting.execute('{}', options), ({ detail }: PlatformError) => {
      assert.equal(detail.serverMessage, '••••, and ••••…');
      assert.equal(detail.body, '{\n  "said": "••••"\n}');
      return true;
    });
  });

  test('an id from a variable is followed, and is stored nowhere', async () => {
    const { object } = await readIds(rig);
    const id = object('Jacket');
    const requested: string[] = [];
    const platform = createRunPlatform(rig.client);
    const { run, reports } = await runText(
      rig,
      JSON.stringify({ action: { update: { id, data: { custom: { a: 1 } } } } }),
      {
        secrets: [id],
        platform: {
          ...platform,
          object: (one, signal) => {
            requested.push(one);
            return platform.object(one, signal);
          },
        },
      },
    );
    assert.equal(run.outcome, 'completed', run.reason);
    assert.deepEqual(requested, [id, id]);
    assert.equal(run.affected.length, 1);
    const one = run.affected[0] ?? assert.fail();
    assert.equal(one.id, MASK);
    assert.match(one.nextRoot ?? '', /^0x/);
    assert.match(one.after ?? '', /"a": 1/);
    // Only the source text contains the value.
    const shown = reports.map((report) => ({ ...report, source: '', effect: '' }));
    assert.equal(JSON.stringify(shown).includes(id), false);
  });

  test('a clock that is ahead of the platform’s hides no log of a request whose answer was lost', async () => {
    const { object } = await readIds(rig);
    const ahead = 120_000;
    const time = { ...systemClock, now: () => Date.now() + ahead };
    for (const fault of ['serverError', 'conflict'] as const) {
      rig.sandbox.faults.clear();
      rig.sandbox.faults.add({ route: EXECUTE, fault, phase: 'after' });
      const text = JSON.stringify({ action: { update: { id: object('Jacket'), data: { custom: { fault } } } } });
      const platform = { ...createRunPlatform(rig.client), clockAhead: () => -ahead };
      const { run } = await runText(rig, text, { time, platform });
      assert.equal(run.outcome, fault === 'conflict' ? 'completed' : 'unknown', fault);
      assert.equal(run.probable, fault === 'conflict' ? true : undefined, fault);
      const likely = run.possible.filter(({ sameParams }) => sameParams).length;
      assert.equal(likely, fault === 'conflict' ? 0 : 1, fault);
      assert.equal(run.note, '', 'nothing is looked for any more');
    }
  });

  test('a difference is shown only where both sides are known', async () => {
    const { object } = await readIds(rig);
    const text = JSON.stringify({ action: { update: { id: object('Jacket'), data: {} } } });
    const sides = ({ affected: [one] }: RunRecord): string | undefined => one && (getOnlyKnownSide(one) ?? 'both');
    const { run, reports } = await runText(rig, text);
    assert.equal(sides(run), 'both');
    const pending = reports.find(({ phase }) => phase === 'following') ?? assert.fail();
    assert.equal(sides(pending), 'before');
    assert.equal(formatMissingSide(pending, pending.affected[0] ?? assert.fail()), 'not read again yet');
    rig.sandbox.faults.add({ route: EXECUTE, fault: 'unprocessable' });
    const refused = (await runText(rig, text)).run;
    assert.equal(sides(refused), 'before');
    assert.equal(formatMissingSide(refused, refused.affected[0] ?? assert.fail()), 'not read afterwards');
    const deleted = { id: 'a', before: '{}', note: OBJECT_DELETED };
    const known = { id: 'a', after: '{}', previousRoot: '0x01', nextRoot: '0x02' };
    assert.deepEqual(
      [deleted, known, { ...known, created: true }, { id: 'a', after: '{}', nextRoot: '0x02' }].map((one) => [
        getOnlyKnownSide(one),
        formatMissingSide(run, one),
      ]),
      [
        [undefined, 'no longer exists'],
        ['after', 'not read before'],
        [undefined, ''],
        ['after', 'not read before'],
      ],
    );
  });

  test('cancelling before sending prevents the request; cancelling later only stops following', async () => {
    const { template } = await readIds(rig);
    const mint = JSON.stringify({ action: { mint: { template_id: template('Concert') } } });
    rig.sandbox.recorder.reset();
    const early = await runText(rig, mint, { signal: AbortSignal.abort() });
    assert.equal(early.run.outcome, 'notSent');
    assert.equal(rig.sandbox.recorder.counts[EXECUTE], undefined);
    const late = new AbortController();
    const { run } = await runText(rig, mint, {
      signal: late.signal,
      report: (record) => {
        if (record.phase === 'following') late.abort();
      },
    });
    assert.equal(run.outcome, 'unfinished');
    assert.equal(rig.sandbox.recorder.counts[EXECUTE], 1);
    assert.equal(rig.sandbox.recorder.executes, 1);
  });
});
