/** When rows may be sent, by a clock that moves only while something sleeps. */
import assert from 'node:assert/strict';
import { SendGate } from '../../../../../src/actions/bulk/send/send-gate.ts';
import { SendRate } from '../../../../../src/actions/bulk/send/send-rate.ts';

suite('send gate', () => {
  test('rows pass at the set rate, also after an idle time, and a changed rate is that of the next row', async () => {
    let now = 0;
    const sleep = (milliseconds: number): Promise<void> => {
      now += milliseconds;
      return Promise.resolve();
    };
    const gate = new SendGate({ concurrency: 20, rate: 5 }, { now: () => now, sleep });
    const enter = async (): Promise<number> => {
      assert.ok(await gate.enter());
      return now;
    };
    assert.deepEqual([await enter(), await enter(), await enter()], [0, 200, 400]);
    gate.setPacing({ concurrency: 20, rate: 10 });
    assert.deepEqual([await enter(), await enter()], [500, 600]);
    now = 9000;
    assert.deepEqual([await enter(), await enter()], [9000, 9100]);
    gate.setPacing({ concurrency: 20 });
    assert.equal(await enter(), 9100);
    gate.hold(700);
    gate.hold(100);
    assert.deepEqual([gate.waitingUntil, gate.isOpen], [9800, false]);
    gate.setPacing({ concurrency: 20, rate: 10 });
    assert.deepEqual([await enter(), await enter()], [9800, 9900]);
  });

  test('rows wait for a place, and while paused; none passes after a stop', async () => {
    const gate = new SendGate({ concurrency: 1 }, { now: () => 0, sleep: () => assert.fail('nothing to wait for') });
    const events: string[] = [];
    const enter = (row: string): void =>
      void gate.enter().then((mayBeSent) => events.push(mayBeSent ? row : `not ${row}`));
    /** All that can happen now has happened. */
    const happen = async (...expected: readonly string[]): Promise<void> => {
      await new Promise(setImmediate);
      assert.deepEqual(events.splice(0), expected);
    };
    for (const row of ['a', 'b', 'c', 'd']) enter(row);
    await happen('a');
    gate.leave();
    await happen('b');
    gate.setPacing({ concurrency: 2 });
    await happen('c');
    gate.pause();
    gate.leave();
    void gate.drain().then(() => events.push('drained'));
    await happen();
    gate.leave();
    await happen('drained');
    assert.equal(gate.isOpen, false);
    gate.resume();
    await happen('d');
    assert.equal(gate.isOpen, true);
    gate.pause();
    enter('e');
    gate.stop();
    enter('f');
    await happen('not f', 'not e');
  });

  test('the rate that is shown is that of the last ten seconds, or of the time since the first row', () => {
    let now = 500;
    const rate = new SendRate({ now: () => now });
    const add = (count: number): number => {
      for (let row = 0; row < count; row++) rate.add();
      return rate.perSecond;
    };
    assert.deepEqual([rate.perSecond, add(2)], [0, 2]);
    now = 5500;
    assert.equal(add(8), 2);
    now = 10_500;
    assert.equal(rate.perSecond, 0.8);
    now = 20_500;
    assert.deepEqual([rate.perSecond, add(10)], [0, 1]);
  });

  test('a clock that is set back an hour lets no row wait longer', async () => {
    let [now, slept] = [10 * 3_600_000, 0];
    const sleep = (milliseconds: number): Promise<void> => {
      now += milliseconds;
      slept += milliseconds;
      return Promise.resolve();
    };
    const gate = new SendGate({ concurrency: 9, rate: 5 }, { now: () => now, sleep });
    await gate.enter();
    now -= 3_600_000;
    await gate.enter();
    assert.equal(slept, 200);
    gate.hold(1000);
    now -= 3_600_000;
    await gate.enter();
    assert.equal(slept, 1200);
  });

  test('a platform that names no time is given a second, then twice as long each time, up to a minute', () => {
    let now = 0;
    const gate = new SendGate({ concurrency: 1 }, { now: () => now, sleep: () => Promise.resolve() });
    const hold = (): number => {
      gate.hold();
      const wait = (gate.waitingUntil ?? NaN) - now;
      now += wait;
      return wait / 1000;
    };
    gate.hold(500);
    now += 500;
    assert.deepEqual(Array.from({ length: 8 }, hold), [1, 2, 4, 8, 16, 32, 60, 60]);
    gate.resetBackoff();
    assert.equal(hold(), 1);
  });
});
