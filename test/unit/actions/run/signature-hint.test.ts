import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/model/clock.ts';
import type { RunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { performRun } from '../../../../src/actions/run/pipeline.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createRecord } from '../support.ts';

const AGAIN = /\. Sign the action again in its current state$/;
const unasked = (): Promise<never> => Promise.reject(new Error('not asked'));

async function readReason(source: string, execute: RunPlatform['execute']): Promise<string> {
  const platform: RunPlatform = { execute, logs: unasked, batch: unasked, object: unasked };
  const run = await performRun(
    { record: createRecord(source), file: parseActionFile(source), body: source, targets: [], secrets: [] },
    { platform, time: systemClock, signal: new AbortController().signal, report: () => undefined },
  );
  assert.ok(run.outcome === 'refused' || run.outcome === 'failed', run.outcome);
  return run.reason ?? '';
}

const refusal =
  (serverMessage: string, status = 400): RunPlatform['execute'] =>
  (_body, { onSent }) => {
    onSent();
    return Promise.reject(
      new PlatformError('badRequest', 'The platform refused the request', { status, serverMessage }),
    );
  };

suite('a rejected signature of the file', () => {
  const signed = '{"action": {"burn": {"id": "x"}}, "signature": "0x1"}';
  const unsigned = '{"action": {"burn": {"id": "x"}}}';

  test('is reported with advice to prepare the file again', async () => {
    for (const message of ['invalid signature', 'Signature does not match', 'nonce too low'])
      assert.match(await readReason(signed, refusal(message)), AGAIN, message);
    assert.match(await readReason(signed, refusal('bad signature', 401)), AGAIN);
    const failed = await readReason(signed, (_body, { onSent }) => {
      onSent();
      return Promise.resolve({ raw: { steps: [{ action: 'burn', error: 'signature mismatch' }] }, status: 200 });
    });
    assert.match(failed, AGAIN);
  });

  test('is not mentioned if the file has none, or if the refusal has another reason', async () => {
    assert.doesNotMatch(await readReason(unsigned, refusal('invalid signature')), AGAIN);
    assert.doesNotMatch(await readReason('{"action": {}, "signature": ""}', refusal('invalid signature')), AGAIN);
    assert.doesNotMatch(await readReason(signed, refusal('no such object')), AGAIN);
  });
});
