/** A lock between processes: a folder that only one of them can create. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` while this process owns the lock `dir`; waits for another owner, unless its process has ended. Rejects as `work` does. */
export async function withLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const owner = path.join(dir, 'pid');
  fs.mkdirSync(path.dirname(dir), { recursive: true });
  for (;;) {
    try {
      fs.mkdirSync(dir);
      break;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    if (isAbandoned(dir, owner)) fs.rmSync(dir, { recursive: true, force: true });
    else await sleep(200);
  }
  fs.writeFileSync(owner, String(process.pid));
  try {
    return await work();
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

function isAbandoned(dir: string, owner: string): boolean {
  let pid: number;
  try {
    pid = Number(fs.readFileSync(owner, 'utf8'));
  } catch {
    // The owner has not written its pid yet, or ended before it could.
    const createdAt = fs.statSync(dir, { throwIfNoEntry: false })?.mtimeMs;
    return createdAt !== undefined && Date.now() - createdAt > 5000;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return isCode(error, 'ESRCH');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
