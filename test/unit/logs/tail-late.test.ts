/** Entries that appear long after their own date: found by themselves, each once, with few requests. */
import assert from 'node:assert/strict';
import { LogBuffer } from '../../../src/logs/buffer.ts';
import { follow, makeRig, type Rig } from './support.ts';

const MINUTE = 60_000;

suite('logs: entries that come late', function () {
  this.timeout(60_000);
  let rig: Rig;
  teardown(() => rig.close());

  /** Looks every few seconds until the last one has been there for a while; tells the most pages of a look. */
  async function lookOn(seen: ReturnType<typeof follow>, looks: number, step: number): Promise<number> {
    let most = 0;
    for (let look = 0; look < looks; look++) {
      rig.sandbox.advance(step);
      seen.pages.length = 0;
      await seen.look();
      most = Math.max(most, seen.pages.length);
    }
    return most;
  }

  test('up to three quarters of an hour behind the newest, while new ones come', async () => {
    rig = await makeRig({ logs: 400 });
    const { settlement } = rig.sandbox;
    const seen = follow(rig);
    await seen.look();
    const late = settlement.inject({ count: 150, spread: 0, tie: 1, status: 'completed', late: 45 * MINUTE });
    const ids = [...late];
    let most = 0;
    for (let part = 0; part < 46; part++) {
      ids.push(...settlement.inject({ count: 20, spread: 20_000, tie: 10, status: 'completed', late: 0 }));
      most = Math.max(most, await lookOn(seen, 6, 10_000));
    }
    most = Math.max(most, await lookOn(seen, 10, 10_000));
    const missing = ids.filter((id) => seen.firsts.get(id) !== 1);
    assert.deepEqual(missing, []);
    assert.ok(most <= 25, `${String(most)} pages in one look`);
  });

  test('hours behind the newest, where that stretch has been read', async () => {
    rig = await makeRig({ logs: 400 });
    const { sandbox } = rig;
    const seen = follow(rig);
    seen.tail.older(5000);
    await seen.look();
    await seen.look();
    const late = sandbox.settlement.inject({ count: 30, spread: 0, tie: 1, status: 'completed', late: 300 * MINUTE });
    sandbox.advance(301 * MINUTE);
    sandbox.settlement.inject({ count: 5, spread: 0, tie: 1, status: 'completed', late: 0 });
    await lookOn(seen, 45, 10_000);
    assert.deepEqual(
      late.filter((id) => seen.firsts.get(id) !== 1),
      [],
    );
  });

  test('in a range that has an end', async () => {
    rig = await makeRig({ logs: 40 });
    const { sandbox } = rig;
    const now = sandbox.world.clock.now();
    const late = sandbox.settlement.inject({ count: 30, spread: 0, tie: 1, status: 'completed', late: 10 * MINUTE });
    const seen = follow(rig, { from: now - MINUTE, to: now + MINUTE });
    await seen.look();
    await lookOn(seen, 40, MINUTE);
    assert.deepEqual(
      late.filter((id) => seen.firsts.get(id) !== 1),
      [],
    );
  });

  test('what went because of the limit is not read again and again', async () => {
    rig = await makeRig({ logs: 40 });
    const { sandbox } = rig;
    const seen = follow(rig, {}, new LogBuffer(1000));
    for (let step = 0; step < 20; step++) {
      sandbox.settlement.inject({ count: 300, spread: 10_000, tie: 1, status: 'completed', late: 0 });
      await lookOn(seen, 1, 10_000);
    }
    assert.equal(seen.buffer.size, 1000);
    // All that is held, and the overlap: no look reads the 5,000 that went.
    const most = await lookOn(seen, 25, 10_000);
    assert.ok(most <= 22, `${String(most)} pages in one look`);
  });
});
