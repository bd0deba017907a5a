import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { getRealPath } from '../../../model/files/real-path.ts';
import { createFile } from '../../../model/files/write-file.ts';
import { formatLine } from '../../../model/runs/run-record.ts';

/** Milliseconds that an owner is waited for, and between two looks. */
const OWNER_TIMEOUT = 3000;
const OWNER_INTERVAL = 200;
/** Characters of a path in a message. */
export const MAX_PATH_LENGTH = 1000;
/** Tokens of the locks of this process: another one with its process id is of a process that ended. */
const ownTokens = new Set<string>();

/** A lock of a journal is a file beside it, whose name says which process owns it. */
interface LockOwner {
  readonly file: string;
  readonly host: string;
  readonly pid: number;
  readonly token: string;
}

export interface JournalLock {
  /** Never rejects. */
  release(): Promise<void>;
}

/**
 * Locks a journal, which need not exist yet. Removes locks of processes that ended. Rejects with Error, for users, if
 * a running process has locked it: of two that try at the same time, at most one succeeds.
 */
export async function lockJournal(name: string): Promise<JournalLock> {
  const journal = await getRealPath(name);
  return lockFile(journal, path.basename(journal));
}

/** Locks a path, which `label` names in messages. Rejects as `lockJournal` does. */
export async function lockFile(journal: string, label: string): Promise<JournalLock> {
  const token = randomUUID();
  const file = `${journal}.${getHost()}.${String(process.pid)}.${token}.lock`;
  ownTokens.add(token);
  const release = async (): Promise<void> => {
    await fs.rm(file, { force: true }).catch(() => undefined);
    ownTokens.delete(token);
  };
  try {
    await createFile(file);
    // Created first, then compared: each process sees the lock of one that came before it.
    for (const owner of await listOwners(journal)) {
      if (owner.token === token) continue;
      if (isRunning(owner)) throw createLockError(label, owner);
      await fs.rm(owner.file, { force: true });
    }
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** True if a running process has locked the journal. Never rejects. */
export async function isLocked(name: string): Promise<boolean> {
  const journal = await getRealPath(name);
  return (await listOwners(journal).catch(() => [])).some(isRunning);
}

/** Resolves once no process has locked the journal, or after three seconds. Rejects if `signal` is aborted. */
export async function waitUntilUnlocked(name: string, signal: AbortSignal): Promise<void> {
  const end = Date.now() + OWNER_TIMEOUT;
  while (Date.now() < end && (await isLocked(name))) await setTimeout(OWNER_INTERVAL, undefined, { signal });
}

async function listOwners(journal: string): Promise<readonly LockOwner[]> {
  const folder = path.dirname(journal);
  const prefix = `${path.basename(journal)}.`;
  const names = await fs.readdir(folder);
  return names.flatMap((name) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    const [, host, pid, token] = /^([\da-f]{16})\.(\d{1,10})\.([\da-f-]{36})\.lock$/.exec(rest) ?? [];
    if (host === undefined || pid === undefined || token === undefined) return [];
    return [{ file: path.join(folder, name), host, pid: Number(pid), token }];
  });
}

function getHost(): string {
  return createHash('sha256').update(os.hostname()).digest('hex').slice(0, 16);
}

/** A process of another machine counts as running. */
function isRunning({ host, pid, token }: LockOwner): boolean {
  if (host !== getHost()) return true;
  if (pid === process.pid) return ownTokens.has(token);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function createLockError(label: string, { file, host, pid }: LockOwner): Error {
  const name = formatLine(label);
  if (pid === process.pid && host === getHost()) return new Error(l10n.t('{0} is already open', name));
  const lock = formatLine(file, MAX_PATH_LENGTH);
  return new Error(
    host === getHost()
      ? l10n.t('{0} is open in process {1}. If no batch runs there, delete {2}', name, String(pid), lock)
      : l10n.t('{0} is open on another computer. If no batch runs there, delete {1}', name, lock),
  );
}
