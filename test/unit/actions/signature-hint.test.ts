/** A signature that stands in the file and is rejected: the reason names what to do. */
import assert from 'node:assert/strict';
import type { RunPlatform } from '../../../src/actions/platform.ts';
import { performRun } from '../../../src/actions/run.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { realTime } from '../../../src/actions/platform.ts';
import { recordOf } from './support.ts';

const AGAIN = /: prepare it again for the action as it is now$/;
const unasked = (): Promise<never> => Promise.reject(new Error('not asked'));

async function reasonOf(source: string, execute: RunPlatform['execute']): Promise<string> {
  const platform: RunPlatform = { execute, logs: unasked, batch: unasked, object: unasked };
  const run = await performRun(
    { record: recordOf(source), body: source, targets: [], secrets: [] },
    { platform, time: realTime, signal: new AbortController().signal, report: () => undefined },
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

suite('a signature that was prepared elsewhere', () => {
  const signed = '{"action": {"burn": {"id": "x"}}, "signature": "0x1"}';
  const unsigned = '{"action": {"burn": {"id": "x"}}}';

  test('is to be prepared again where the platform rejects it', async () => {
    for (const words of ['invalid signature', 'Signature does not match', 'nonce too low'])
      assert.match(await reasonOf(signed, refusal(words)), AGAIN, words);
    assert.match(await reasonOf(signed, refusal('bad signature', 401)), AGAIN);
    const failed = await reasonOf(signed, (_body, { onSent }) => {
      onSent();
      return Promise.resolve({ raw: { steps: [{ action: 'burn', error: 'signature mismatch' }] }, status: 200 });
    });
    assert.match(failed, AGAIN);
  });

  test('is not named where the file has none, or where something else is refused', async () => {
    assert.doesNotMatch(await reasonOf(unsigned, refusal('invalid signature')), AGAIN);
    assert.doesNotMatch(await reasonOf('{"action": {}, "signature": ""}', refusal('invalid signature')), AGAIN);
    assert.doesNotMatch(await reasonOf(signed, refusal('no such object')), AGAIN);
  });
});
