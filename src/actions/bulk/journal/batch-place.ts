/**
 * Where the journal of each batch is: one file a batch, in the data of the user, which the editor and the command line
 * share. A copy of a journal would send rows again that the original has sent.
 */
import fs, { type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { getErrorMessage } from '../../../model/text/error-message.ts';
import { formatLine } from '../../../model/runs/run-record.ts';
import { getRealPath } from '../../../model/files/real-path.ts';
import { openToOverwrite, writePrivateFile } from '../../../model/files/write-file.ts';
import { tryParseJson } from '../../../platform/json/parse-json.ts';
import type { JournalEnd } from './journal-format.ts';
import { lockFile, MAX_PATH_LENGTH } from './journal-lock.ts';
import { readChain } from './read-journal.ts';

/** Batches whose place is stored; the oldest go first. */
const MAX_BATCHES = 2000;
/** Bytes of a journal that contain the id of its batch. */
const START_LENGTH = 300;

const recordSchema = z.object({
  journal: z.string(),
  /** device and inode */
  file: z.string(),
  /** how far it was when it was closed, or last flushed; absent before */
  end: z.optional(z.object({ lines: z.number(), chain: z.optional(z.string()) })),
});
type PlaceRecord = z.infer<typeof recordSchema>;

/** The one journal of a batch, while it is open. */
interface BatchPlace {
  /** Stores how far the journal is, so that an earlier state of it is recognised, also after a kill. Never rejects. */
  readonly update: (end: JournalEnd) => Promise<void>;
  /** Stores how far the journal is, and that it is closed. Never rejects. */
  release(end: JournalEnd): Promise<void>;
}

/**
 * Stores that a journal, which ends at `end`, is the one of its batch. Rejects with Error, for users, if another journal
 * of the batch exists or is open, if it is an earlier state, and if the data of the user cannot be written.
 */
export async function claimPlace(id: string, name: string, end: JournalEnd): Promise<BatchPlace> {
  const folder = getBatchesFolder();
  const journal = await getRealPath(name);
  const file = path.join(folder, `${id}.json`);
  const current: PlaceRecord = { journal, file: await getIdentity(journal) };
  await prepareFolder(folder);
  const lock = await lockFile(path.join(folder, id), path.basename(journal)).catch(async (error: unknown) => {
    await requireOnly(file, id, current, end);
    throw error;
  });
  let handle: FileHandle;
  try {
    await requireOnly(file, id, current, end);
    await writePrivateFile(file, JSON.stringify(current), { flush: true });
    handle = await openToOverwrite(file);
  } catch (error) {
    await lock.release();
    throw error;
  }
  // In place: rows wait for it, and replacing the file would take several times as long. The text never gets shorter.
  const update = async ({ lines, chain }: JournalEnd): Promise<void> => {
    await handle.write(JSON.stringify({ ...current, end: { lines, chain } }), 0).catch(() => undefined);
  };
  return {
    update,
    async release(closed) {
      await update(closed);
      await handle.close().catch(() => undefined);
      await lock.release();
    },
  };
}

/** Rejects with Error if the journal is a copy, or an earlier state, of the one that is stored. */
async function requireOnly(file: string, id: string, current: PlaceRecord, end: JournalEnd): Promise<void> {
  const stored = await readRecord(file);
  if (stored === undefined) return;
  const name = formatLine(path.basename(current.journal));
  const other = formatLine(stored.journal, MAX_PATH_LENGTH);
  if (stored.journal !== current.journal && (await containsBatch(stored.journal, id)))
    throw new Error(l10n.t('{0} is a copy of {1}. Resume that journal', name, other));
  if (await isSameOrLater(stored, current, end)) return;
  throw new Error(
    l10n.t(
      '{0} is an older copy of {1}: resuming it could send rows twice. If there is no newer one, delete {2}',
      name,
      other,
      formatLine(file, MAX_PATH_LENGTH),
    ),
  );
}

/** A journal that was not closed may have more lines than any copy of it. */
async function isSameOrLater(stored: PlaceRecord, current: PlaceRecord, end: JournalEnd): Promise<boolean> {
  if (stored.end === undefined) return stored.file === current.file;
  const { lines, chain } = stored.end;
  return (end.lines === lines ? end.chain : await readChain(current.journal, lines)) === chain;
}

async function containsBatch(file: string, id: string): Promise<boolean> {
  const handle = await fs.open(file, 'r').catch(() => undefined);
  try {
    const start = await handle?.read(Buffer.alloc(START_LENGTH), 0, START_LENGTH, 0);
    return start?.buffer.toString().includes(`"id":${JSON.stringify(id)}`) === true;
  } catch {
    return false;
  } finally {
    await handle?.close();
  }
}

async function readRecord(file: string): Promise<PlaceRecord | undefined> {
  const text = await fs.readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : recordSchema.safeParse(tryParseJson(text)).data;
}

async function getIdentity(file: string): Promise<string> {
  const { dev, ino } = await fs.stat(file, { bigint: true });
  return `${dev}:${ino}`;
}

/** The folder in the data of the user that `claimPlace` stores in. */
export function getBatchesFolder(): string {
  const { XDG_DATA_HOME: named = '', LOCALAPPDATA: local = '' } = process.env;
  if (path.isAbsolute(named)) return path.join(named, 'smart-objects', 'batches');
  if (process.platform === 'win32' && local !== '') return path.join(local, 'smart-objects', 'batches');
  return path.join(os.homedir(), '.local/share/smart-objects/batches');
}

/** Creates the folder, and removes what is stored of the oldest batches. Rejects with Error, for users. */
async function prepareFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await fs.readdir(folder);
    // The ids of batches begin with their time.
    const ids = [...new Set(names.map((name) => name.split('.')[0] ?? ''))].sort();
    const old = new Set(ids.slice(0, Math.max(0, ids.length - MAX_BATCHES)));
    for (const name of names)
      if (old.has(name.split('.')[0] ?? '')) await fs.rm(path.join(folder, name), { force: true });
    await fs.access(folder, fs.constants.W_OK);
  } catch (error) {
    const where = formatLine(folder, MAX_PATH_LENGTH);
    throw new Error(l10n.t('Batches are recorded in {0}, which can’t be written: {1}', where, getErrorMessage(error)), {
      cause: error,
    });
  }
}
