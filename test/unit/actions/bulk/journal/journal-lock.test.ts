/** Which locks of a journal count. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isLocked, lockJournal, waitUntilUnlocked } from '../../../../../src/actions/bulk/journal/journal-lock.ts';

suite('lock of a journal', () => {
  test('the lock of a process of another user counts, that of a process that ended does not', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'lock-'));
    const journal = path.join(folder, 'batch.jsonl');
    const kill = process.kill.bind(process);
    try {
      const own = await lockJournal(journal);
      const [name = ''] = await fs.readdir(folder);
      await own.release();
      const foreign = name.replace(`.${String(process.pid)}.`, '.4000000.');
      assert.notEqual(foreign, name);
      for (const [code, isRunning] of [
        ['EPERM', true],
        ['ESRCH', false],
      ] as const) {
        process.kill = () => {
          throw Object.assign(new Error(code), { code });
        };
        await fs.writeFile(path.join(folder, foreign), '');
        assert.equal(await isLocked(journal), isRunning, code);
        if (isRunning) await assert.rejects(lockJournal(journal), /is open in process 4000000/);
        else await (await lockJournal(journal)).release();
      }
    } finally {
      process.kill = kill;
      await fs.rm(folder, { recursive: true });
    }
  });

  test('the lock of another computer counts, beside those of processes that ended', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'lock-'));
    const journal = path.join(folder, 'batch.jsonl');
    try {
      const own = await lockJournal(journal);
      const [name = ''] = await fs.readdir(folder);
      await own.release();
      const [, host = ''] = /\.([\da-f]{16})\./.exec(name) ?? [];
      await fs.writeFile(path.join(folder, name), '');
      assert.equal(await isLocked(journal), false);
      await fs.writeFile(path.join(folder, name.replace(host, '0'.repeat(16))), '');
      assert.equal(await isLocked(journal), true);
      await assert.rejects(lockJournal(journal), /batch\.jsonl is open on another computer/);
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });

  test('a journal is waited for until its batch has closed it, or the wait is cancelled', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'lock-'));
    const journal = path.join(folder, 'batch.jsonl');
    const never = new AbortController().signal;
    try {
      await waitUntilUnlocked(journal, never);
      const own = await lockJournal(journal);
      await assert.rejects(waitUntilUnlocked(journal, AbortSignal.abort()), { name: 'AbortError' });
      const waiting = waitUntilUnlocked(journal, never).then(() => isLocked(journal));
      await own.release();
      assert.equal(await waiting, false);
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });
});
