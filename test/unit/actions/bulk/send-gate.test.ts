/** When rows may be sent, by a clock that moves only while something sleeps. */
import assert from 'node:assert/strict';
import { SendGate } from '../../../../src/actions/bulk/send-gate.ts';

suite('send gate', () => {
  test('pause ends waiting for the platform', async () => {
    const sleep = (_milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('stopped'));
        });
      });
    const gate = new SendGate({ concurrency: 1 }, { now: () => 0, sleep });
    assert.ok(await gate.enter());
    gate.hold(60_000);
    const waiting = gate.waitForPlatform();
    gate.pause();
    assert.equal(await waiting, false);
  });
});
