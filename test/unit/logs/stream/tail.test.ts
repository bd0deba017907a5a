import assert from 'node:assert/strict';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { neverRun, follow, startSandboxFixture, type SandboxFixture } from './tail-fixture.ts';

suite('tail', () => {
  let rig: SandboxFixture;
  teardown(() => rig.close());

  test('12,000 logs in a minute with equal times, late and settling out of order: each added once, with its final status', async function () {
    this.timeout(120_000);
    rig = await startSandboxFixture();
    const { sandbox } = rig;
    // Less than all JSON: the oldest entries lose theirs, but keep their rows.
    const maxText = 4 * 1024 * 1024;
    const followed = follow(rig, {}, new LogBuffer(20_000, maxText));
    await followed.poll();
    const before = followed.buffer.size;
    const ids: string[] = [];
    const slices: number[] = [];
    for (let second = 0; second < 60; second++) {
      sandbox.advance(1000);
      ids.push(
        ...sandbox.settlement.injectLogs({
          count: 200,
          spread: 1000,
          tie: second % 3 === 0 ? 1000 : 50,
          status: 'mixed',
          late: 4000,
          settle: 20_000,
        }),
      );
      if (second % 3 === 2) {
        followed.pages.length = 0;
        await followed.poll();
        slices.push(followed.pages.reduce((sum, items) => sum + items, 0));
        assert.ok(Math.max(...followed.pages) <= 100);
        assert.ok(followed.buffer.textLength <= maxText);
      }
    }
    for (let round = 0; round < 20; round++) {
      sandbox.advance(3000);
      await followed.poll();
    }
    assert.equal(new Set(ids).size, 12_000);
    assert.equal(followed.buffer.size - before, 12_000);
    const logs = sandbox.world.collection('action-logs');
    for (const id of ids) {
      assert.equal(followed.additions.get(id), 1, id);
      const status = logs.get(id)?.['status'];
      assert.ok(status === 'completed' || status === 'failed');
      assert.equal(followed.buffer.get(`Test\n${id}`)?.row.status, status, id);
    }
    assert.equal(followed.tail.pendingCount - countPending(followed), 0);
    assert.ok(Math.max(...slices) < 4500, `items of one poll: ${Math.max(...slices)}`);
    assert.ok(followed.buffer.textLength > maxText / 2 && followed.buffer.textLength <= maxText);
  });

  test('a server clock far behind or ahead', async () => {
    rig = await startSandboxFixture();
    for (const skew of [-7_200_000, 0, 7_200_000]) {
      const clock = {
        now: () => rig.sandbox.world.clock.now() + skew,
        sleep: () => Promise.resolve(),
        after: neverRun,
      };
      const followed = follow(rig, { clock });
      await followed.poll();
      const size = followed.buffer.size;
      assert.ok(size >= 40, String(size));
      rig.sandbox.advance(5000);
      const ids = rig.sandbox.settlement.injectLogs({ count: 3, spread: 0, tie: 1, status: 'completed', late: 0 });
      await followed.poll();
      for (const id of ids) assert.equal(followed.additions.get(id), 1);
    }
  });

  test('an empty platform: reads the first entries', async () => {
    rig = await startSandboxFixture();
    const ahead = {
      now: () => rig.sandbox.world.clock.now() + 900_000,
      sleep: () => Promise.resolve(),
      after: neverRun,
    };
    const followed = follow(rig, { clock: ahead, from: rig.sandbox.world.clock.now() + 1 });
    await followed.poll();
    rig.sandbox.advance(5000);
    assert.equal(followed.buffer.size, 0);
    assert.equal(followed.tail.state.complete, true);
    const ids = rig.sandbox.settlement.injectLogs({ count: 3, spread: 0, tie: 1, status: 'completed', late: 0 });
    await followed.poll();
    assert.deepEqual(new Set(followed.additions.keys()), new Set(ids));
  });
});

/** Entries of the sandbox's history that never settle. */
function countPending(followed: ReturnType<typeof follow>): number {
  return followed.buffer.list.filter(({ final }) => !final).length;
}
