/** A run whose response proves nothing, on a clock of its own. */
import assert from 'node:assert/strict';
import { getRequestBody, parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { performRun } from '../../../../src/actions/run/pipeline.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { systemClock, type RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { MASK } from '../../../../src/platform/json/secrets.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createRecord, shortLimits } from '../support.ts';

const SENT = Date.parse('2026-05-01T12:00:00Z');
const TEXT = '{"action": {"update": {"id": "obj_1"}}}';
const log = { id: 'act_1', action_name: 'update', params: [{ id: 'obj_1' }], status: 'completed' };

/** Runs `TEXT`. `delay`: milliseconds until its log is listed; `age`: by which the log is dated back. */
async function runRefused(status: number, delay: number, age = 0): Promise<RunRecord> {
  let now = SENT;
  const file = parseActionFile(TEXT);
  const listed = { ...log, when_created: new Date(SENT - age).toISOString() };
  return performRun(
    { record: { ...createRecord(TEXT), started: SENT }, file, body: getRequestBody(file), targets: [], secrets: [] },
    {
      platform: {
        execute: (_body, { onSent }) => {
          onSent();
          return Promise.reject(new PlatformError('badRequest', 'refused', { status }));
        },
        logs: ({ when_created: period }) =>
          Promise.resolve(now < SENT + delay || (period !== undefined && +period.gte > SENT - age) ? [] : [listed]),
        batch: () => Promise.reject(new Error('no batch')),
        object: () => Promise.reject(new Error('no object')),
      },
      time: {
        now: () => now,
        sleep: (milliseconds) => {
          now += milliseconds;
          return Promise.resolve();
        },
      },
      signal: new AbortController().signal,
      report: () => undefined,
    },
  );
}

suite('a run without a reliable response', () => {
  for (const status of [409, 425, 499])
    test(`HTTP ${String(status)}: a log that comes after 14 seconds counts`, async () => {
      const { outcome, probable, logId } = await runRefused(status, 14_000);
      assert.deepEqual([outcome, probable, logId], ['completed', true, 'act_1']);
    });

  test('a log that is dated ten minutes back may be its log', async () => {
    const { outcome, possible } = await runRefused(409, 0, 600_000);
    assert.deepEqual([outcome, possible.map(({ id, sameParams }) => [id, sameParams])], ['unknown', [['act_1', true]]]);
  });

  test('without a log the outcome stays unknown', async () => {
    const { outcome, reason } = await runRefused(409, 1e9);
    assert.equal(outcome, 'unknown');
    assert.match(reason ?? '', /It may have been executed, and .* No action log was found$/);
  });
});

suite('values of variables', () => {
  const secret = 'a-value-of-the-test-1';
  const own = { ...log, params: [{ id: 'obj_1', note: secret }], affected_objects: [{ id: `obj ${secret}` }] };
  const failed = { status: 'failed', error: `no ${secret}`, batch_id: `bat ${secret}` };

  async function getReports(platform: Partial<RunPlatform>): Promise<readonly RunRecord[]> {
    const reports: RunRecord[] = [];
    const file = parseActionFile(TEXT);
    const object = (): Promise<string> => Promise.resolve(JSON.stringify({ id: 'obj_1', [secret]: `is ${secret}` }));
    await performRun(
      { record: createRecord(TEXT), file, body: getRequestBody(file), targets: ['obj_1'], secrets: [secret] },
      {
        platform: {
          execute: (_body, { onSent }) => {
            onSent();
            const steps = [{ action: `update ${secret}`, output: { note: secret, ids: [`new ${secret}`] } }];
            return Promise.resolve({ raw: { action_id: 'act_1', steps }, status: 200, requestId: `id ${secret}` });
          },
          logs: () => Promise.resolve([{ ...own, ...failed }]),
          batch: () => Promise.resolve({ status: 'failed', error: `bad ${secret}`, l1_tx_hash: secret }),
          object,
          ...platform,
        },
        time: systemClock,
        signal: new AbortController().signal,
        limits: { ...shortLimits, log: 100, batch: 100 },
        searchDuration: 0,
        report: (record) => reports.push(record),
      },
    );
    return reports;
  }

  test('are in no record, wherever the platform repeats them', async () => {
    const fail = (): Promise<never> =>
      Promise.reject(new PlatformError('network', `closed after ${secret}`, { serverMessage: secret, body: secret }));
    const lost: Partial<RunPlatform> = {
      execute: (_body, { onSent }) => {
        onSent();
        return fail();
      },
    };
    const cases: Readonly<Record<string, Partial<RunPlatform>>> = {
      'a failed log and its batch': {},
      'an unknown status': { logs: () => Promise.resolve([{ ...own, status: `about ${secret}` }]) },
      'a lost response and a possible log': { ...lost, logs: () => Promise.resolve([own]) },
      'unreadable logs': { ...lost, logs: fail },
      'an unreadable batch': { batch: fail, object: fail },
    };
    for (const [name, platform] of Object.entries(cases)) {
      const reports = await getReports(platform);
      assert.equal(reports.at(-1)?.phase, 'ended', name);
      assert.equal(JSON.stringify(reports).includes(secret), false, name);
      assert.equal(JSON.stringify(reports).includes(MASK), true, name);
    }
  });
});
