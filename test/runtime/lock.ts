/** A lock between processes of one machine: a folder that only one of them can make. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` while no other process holds `dir`. A lock whose owner is gone is taken over. */
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
    if (abandoned(dir, owner)) fs.rmSync(dir, { recursive: true, force: true });
    else await sleep(200);
  }
  fs.writeFileSync(owner, String(process.pid));
  try {
    return await work();
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

function abandoned(dir: string, owner: string): boolean {
  let pid: number;
  try {
    pid = Number(fs.readFileSync(owner, 'utf8'));
  } catch {
    // Made a moment ago and its pid not written yet, or its owner died in between.
    const made = fs.statSync(dir, { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && Date.now() - made > 5000;
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
