/** The tail against a real server: nothing twice, nothing skipped, everything settled, whatever comes late, tied or broken. */
import assert from 'node:assert/strict';
import { LogBuffer } from '../../../src/logs/buffer.ts';
import { after, follow, makeRig, type Rig } from './support.ts';

suite('logs: tail', () => {
  let rig: Rig;
  teardown(() => rig.close());

  test('12,000 logs at 200 a second, tied, late and settling out of order: each seen once, each final status right', async function () {
    this.timeout(120_000);
    rig = await makeRig();
    const { sandbox } = rig;
    // Less than what comes: bytes go from the oldest, rows and their statuses stay.
    const mostText = 4 * 1024 * 1024;
    const seen = follow(rig, {}, new LogBuffer(20_000, mostText));
    await seen.look();
    const before = seen.buffer.size;
    const ids: string[] = [];
    const slices: number[] = [];
    for (let second = 0; second < 60; second++) {
      sandbox.advance(1000);
      ids.push(
        ...sandbox.settlement.inject({
          count: 200,
          spread: 1000,
          tie: second % 3 === 0 ? 1000 : 50,
          status: 'mixed',
          late: 4000,
          settle: 20_000,
        }),
      );
      if (second % 3 === 2) {
        seen.pages.length = 0;
        await seen.look();
        slices.push(seen.pages.reduce((sum, items) => sum + items, 0));
        assert.ok(Math.max(...seen.pages) <= 100);
        assert.ok(seen.buffer.textLength <= mostText);
      }
    }
    for (let round = 0; round < 20; round++) {
      sandbox.advance(3000);
      await seen.look();
    }
    assert.equal(new Set(ids).size, 12_000);
    assert.equal(seen.buffer.size - before, 12_000);
    const logs = sandbox.world.collection('action-logs');
    for (const id of ids) {
      assert.equal(seen.firsts.get(id), 1, id);
      const status = logs.get(id)?.['status'];
      assert.ok(status === 'completed' || status === 'failed');
      assert.equal(seen.buffer.get(`Test\n${id}`)?.row.status, status, id);
    }
    assert.equal(seen.tail.openCount - openIn(seen), 0);
    assert.ok(Math.max(...slices) < 4500, `items of one look: ${Math.max(...slices)}`);
    assert.ok(seen.buffer.textLength > mostText / 2 && seen.buffer.textLength <= mostText);
  });

  test('a platform whose clock is far behind or ahead of ours', async () => {
    rig = await makeRig();
    for (const skew of [-7_200_000, 0, 7_200_000]) {
      const clock = { now: () => rig.sandbox.world.clock.now() + skew, sleep: () => Promise.resolve(), after };
      const seen = follow(rig, { clock });
      await seen.look();
      const held = seen.buffer.size;
      assert.ok(held >= 40, String(held));
      rig.sandbox.advance(5000);
      const ids = rig.sandbox.settlement.inject({ count: 3, spread: 0, tie: 1, status: 'completed', late: 0 });
      await seen.look();
      for (const id of ids) assert.equal(seen.firsts.get(id), 1);
    }
  });

  test('nothing on the platform yet: what comes is seen', async () => {
    rig = await makeRig();
    const ahead = { now: () => rig.sandbox.world.clock.now() + 900_000, sleep: () => Promise.resolve(), after };
    const seen = follow(rig, { clock: ahead, from: rig.sandbox.world.clock.now() + 1 });
    await seen.look();
    rig.sandbox.advance(5000);
    assert.equal(seen.buffer.size, 0);
    assert.equal(seen.tail.state.complete, true);
    const ids = rig.sandbox.settlement.inject({ count: 3, spread: 0, tie: 1, status: 'completed', late: 0 });
    await seen.look();
    assert.deepEqual(new Set(seen.firsts.keys()), new Set(ids));
  });
});

/** Open entries that were there before: the generated ones of the past never settle. */
function openIn(seen: ReturnType<typeof follow>): number {
  return seen.buffer.list.filter(({ final }) => !final).length;
}
