import assert from 'node:assert/strict';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { follow, startSandboxFixture, type SandboxFixture } from './tail-fixture.ts';

const MINUTE = 60_000;

suite('late log entries', function () {
  this.timeout(60_000);
  let rig: SandboxFixture;
  teardown(() => rig.close());

  /** Polls in steps of milliseconds. Resolves to the most pages of one poll. */
  async function pollRepeatedly(followed: ReturnType<typeof follow>, polls: number, step: number): Promise<number> {
    let maxPages = 0;
    for (let poll = 0; poll < polls; poll++) {
      rig.sandbox.advance(step);
      followed.pages.length = 0;
      await followed.poll();
      maxPages = Math.max(maxPages, followed.pages.length);
    }
    return maxPages;
  }

  // Slow: 46 minutes of the sandbox's clock, with a poll every ten seconds.
  test('up to 45 minutes late, while new entries come', async () => {
    rig = await startSandboxFixture({ logs: 400 });
    const { settlement } = rig.sandbox;
    const followed = follow(rig);
    await followed.poll();
    const late = settlement.injectLogs({ count: 150, spread: 0, tie: 1, status: 'completed', late: 45 * MINUTE });
    const ids = [...late];
    let maxPages = 0;
    for (let part = 0; part < 46; part++) {
      ids.push(...settlement.injectLogs({ count: 20, spread: 20_000, tie: 10, status: 'completed', late: 0 }));
      maxPages = Math.max(maxPages, await pollRepeatedly(followed, 6, 10_000));
    }
    maxPages = Math.max(maxPages, await pollRepeatedly(followed, 10, 10_000));
    const missing = ids.filter((id) => followed.additions.get(id) !== 1);
    assert.deepEqual(missing, []);
    assert.ok(maxPages <= 25, `${String(maxPages)} pages in one poll`);
  });

  test('hours late, in a range that has been read', async () => {
    rig = await startSandboxFixture({ logs: 400 });
    const { sandbox } = rig;
    const followed = follow(rig);
    followed.tail.readOlder(5000);
    await followed.poll();
    await followed.poll();
    const late = sandbox.settlement.injectLogs({
      count: 30,
      spread: 0,
      tie: 1,
      status: 'completed',
      late: 300 * MINUTE,
    });
    sandbox.advance(301 * MINUTE);
    sandbox.settlement.injectLogs({ count: 5, spread: 0, tie: 1, status: 'completed', late: 0 });
    await pollRepeatedly(followed, 45, 10_000);
    assert.deepEqual(
      late.filter((id) => followed.additions.get(id) !== 1),
      [],
    );
  });

  test('in a range with an end', async () => {
    rig = await startSandboxFixture({ logs: 40 });
    const { sandbox } = rig;
    const now = sandbox.world.clock.now();
    const late = sandbox.settlement.injectLogs({
      count: 30,
      spread: 0,
      tie: 1,
      status: 'completed',
      late: 10 * MINUTE,
    });
    const followed = follow(rig, { from: now - MINUTE, to: now + MINUTE });
    await followed.poll();
    await pollRepeatedly(followed, 40, MINUTE);
    assert.deepEqual(
      late.filter((id) => followed.additions.get(id) !== 1),
      [],
    );
  });

  test('dropped entries are not read again', async () => {
    rig = await startSandboxFixture({ logs: 40 });
    const { sandbox } = rig;
    const followed = follow(rig, {}, new LogBuffer(1000));
    for (let step = 0; step < 20; step++) {
      sandbox.settlement.injectLogs({ count: 300, spread: 10_000, tie: 1, status: 'completed', late: 0 });
      await pollRepeatedly(followed, 1, 10_000);
    }
    assert.equal(followed.buffer.size, 1000);
    // The loaded entries and the overlap, but not the 5,000 dropped ones.
    const maxPages = await pollRepeatedly(followed, 25, 10_000);
    assert.ok(maxPages <= 22, `${String(maxPages)} pages in one poll`);
  });
});
