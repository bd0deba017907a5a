import { createHash, randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { isInside } from '../../model/files/read-workspace-file.ts';
import { getRealPath } from '../../model/files/real-path.ts';
import { formatIdentity } from '../../model/text/heading.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { createForAppend, openForAppend, syncFolder } from '../../model/files/write-file.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { stored } from '../../platform/text/message.ts';
import { BatchRun } from './send/batch-run.ts';
import type { Batch, BatchHeader, BatchOptions, RunAgainOptions } from './batch.ts';
import { setTypes } from './data/open-data.ts';
import { SignatureIndex } from './rows/signature-index.ts';
import { formatHeader, HEADER_START, JOURNAL_START, type Successor } from './journal/journal-format.ts';
import { claimPlace } from './journal/batch-place.ts';
import { lockJournal } from './journal/journal-lock.ts';
import { JournalWriter } from './journal/journal-writer.ts';
import { createTable, MAX_LINE_BYTES, readJournal, type Journal } from './journal/read-journal.ts';
import { formatRowNumbers, parseRowNumbers } from './rows/row-numbers.ts';
import type { RowTable } from './rows/row-table.ts';

/**
 * Opens a new batch with a new journal; sends nothing before `start`. Rejects with Error, for users, if the journal
 * exists, cannot be written or is open elsewhere.
 */
export function createBatch(options: BatchOptions): Promise<Batch> {
  const { rows } = options;
  return create(options, { ...createHeader(options), ...(rows !== undefined && { rows: formatRowNumbers(rows) }) });
}

/**
 * Opens a batch from its journal, with the types of columns that it names. Rows that were `sending` become `unknown`: they are looked up, never sent again.
 * Rejects with Error, for users, if the journal is open elsewhere or not one, or is of another action, data or connection.
 */
export async function resumeBatch(options: BatchOptions): Promise<Batch> {
  const file = options.journal;
  const lock = await lockJournal(file);
  try {
    const journal = await readJournal(file);
    requireSame(journal.header, createHeader(options), path.basename(file));
    const { former, types } = journal.header;
    if (former !== undefined)
      for (const action of await claimFormer(former.journal, journal.header, options)) journal.knownActions.add(action);
    const opened = await openJournal(file, journal);
    try {
      const data = setTypes(options.data, types);
      return new BatchRun(
        { ...options, data },
        {
          journal: await markUnknown(journal, opened.writer),
          writer: opened.writer,
          lock: { release: () => opened.close().then(() => lock.release()) },
        },
      );
    } catch (error) {
      await opened.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface OpenJournal {
  readonly writer: JournalWriter;
  /** Closes the journal and stores how far it is. Never rejects. */
  close(): Promise<void>;
}

/** Opens a journal, which is locked, to append to. Rejects with Error, for users, if it is a copy or cannot be written. */
async function openJournal(file: string, { header, end }: Pick<Journal, 'header' | 'end'>): Promise<OpenJournal> {
  const place = await claimPlace(header.id, file, end);
  let handle: FileHandle | undefined;
  try {
    handle = await openForAppend(await getRealPath(file));
    // What follows the last whole line was never flushed: nothing was sent for it.
    await handle.truncate(end.size);
  } catch (error) {
    await handle?.close();
    await place.release(end);
    throw error;
  }
  const writer = new JournalWriter(handle, end);
  writer.onFlushed = place.update;
  return {
    writer,
    close: async () => {
      await writer.close();
      await place.release(writer.end);
    },
  };
}

/** Rows that were being sent may have been executed. Rejects if the journal cannot be written. */
async function markUnknown(journal: Journal, writer: JournalWriter): Promise<Journal> {
  const openRows = new Map(journal.openRows);
  for (const row of journal.openRows.values()) {
    if (row.state !== 'sending') continue;
    const unknown = {
      ...row,
      state: 'unknown',
      reason: stored('The program ended before the response arrived'),
    } as const;
    openRows.set(row.row, unknown);
    journal.table.setState(row.row, 'unknown');
    journal.table.setPlace(row.row, await writer.append(JSON.stringify(unknown)));
  }
  return { ...journal, openRows };
}

interface FailedRows {
  readonly former: BatchHeader;
  readonly rows: readonly number[];
  /** ids of the actions of the former batch */
  readonly knownActions: Set<string>;
}

/**
 * Reads which refused and failed rows of another batch `runAgain` would send, and changes nothing. Rejects as it does,
 * but also reads a journal that is open elsewhere.
 */
export async function readFailedRows({ formerJournal, ...options }: RunAgainOptions): Promise<FailedRows> {
  const { header: former, table, successors, knownActions } = await readJournal(formerJournal);
  const name = formatLine(path.basename(formerJournal));
  if (former.data.digest !== options.data.digest)
    throw new Error(
      l10n.t('{0} has changed since {1} was started, so its rows may differ', formatLine(options.data.name), name),
    );
  requireSameConnection(former, createHeader(options), name);
  const claimed = getClaimedRows(successors, table);
  const rows = [...table].filter(
    (row) => ['refused', 'failed'].includes(table.getState(row) ?? '') && !claimed.has(row),
  );
  if (rows.length === 0)
    throw claimed.size > 0
      ? createSuccessorError(name, successors.at(-1))
      : new Error(l10n.t('No row of {0} was refused or failed', name));
  return { former, rows, knownActions };
}

/**
 * Opens a new batch over the refused and failed rows of another one; the types of columns are those of the data, if it has
 * any, else those of the other batch. Rejects as `createBatch` and `resumeBatch` do, and
 * if there is no such row, the other batch is open elsewhere, or its rows were run again already.
 */
export async function runAgain({ formerJournal, ...given }: RunAgainOptions): Promise<Batch> {
  const { former, rows, knownActions } = await readFailedRows({ formerJournal, ...given });
  const options = { ...given, data: setTypes(given.data, given.data.types ?? former.types) };
  const formerPath = path.relative(path.dirname(options.journal), formerJournal);
  await resolveFormer(formerPath, options);
  const header: BatchHeader = {
    ...createHeader(options),
    former: { id: former.id, journal: formerPath },
    rows: formatRowNumbers(rows),
  };
  const batch = await create(options, header, knownActions);
  try {
    // From here on, no other batch sends these rows.
    await claimFormer(formerPath, header, options);
    return batch;
  } catch (error) {
    await batch.close();
    await fs.rm(options.journal, { force: true });
    throw error;
  }
}

/**
 * Writes into the journal of the former batch which batch sends its rows again. Rejects with Error, for users, if another
 * one does, or the former batch is open. Resolves with the ids of the former's actions: their logs can have the signatures
 * of this batch.
 */
async function claimFormer(
  former: string,
  { id, rows = '' }: BatchHeader,
  options: Pick<BatchOptions, 'journal' | 'folder'>,
): Promise<ReadonlySet<string>> {
  const file = await resolveFormer(former, options);
  // Without it, nobody else can run its rows again.
  if ((await fs.stat(file).catch(() => undefined)) === undefined) return new Set();
  const lock = await lockJournal(file);
  try {
    const journal = await readJournal(file);
    const { successors, table, knownActions } = journal;
    if (successors.some((successor) => successor.id === id)) return knownActions;
    const claimed = getClaimedRows(successors, table);
    if ([...parseRowNumbers(rows, table.maxRow)].some((row) => claimed.has(row)))
      throw createSuccessorError(formatLine(path.basename(file)), successors.at(-1));
    const opened = await openJournal(file, journal);
    try {
      const successor = { id, journal: path.relative(path.dirname(file), options.journal), rows };
      await opened.writer.append(JSON.stringify({ successor }), { isFlushed: true });
    } finally {
      await opened.close();
    }
    return knownActions;
  } finally {
    await lock.release();
  }
}

/** The real path of the journal that another one names. Rejects with Error, for users, if it is outside its folder. */
async function resolveFormer(
  former: string,
  { journal, folder = path.dirname(journal) }: Pick<BatchOptions, 'journal' | 'folder'>,
): Promise<string> {
  const file = await getRealPath(path.resolve(path.dirname(journal), former));
  if (!isInside(await fs.realpath(folder), file))
    throw new Error(l10n.t('{0} is outside the folder of {1}', formatLine(former), formatLine(path.basename(journal))));
  return file;
}

/** The rows that other batches send again. Throws Error if a row is claimed twice. */
function getClaimedRows(successors: readonly Successor[], { maxRow }: RowTable): ReadonlySet<number> {
  const claimed = new Set<number>();
  for (const { rows } of successors)
    for (const row of parseRowNumbers(rows, maxRow)) {
      if (claimed.has(row)) throw new Error(l10n.t('Row {0} is run again by two batches', formatNumber(row)));
      claimed.add(row);
    }
  return claimed;
}

function createSuccessorError(name: string, successor: Successor | undefined): Error {
  const other = formatLine(successor?.journal ?? '');
  return new Error(l10n.t('The refused and failed rows of {0} were run again in {1}. Resume that batch', name, other));
}

/** `knownActions`: of the former batch. */
async function create(options: BatchOptions, header: BatchHeader, knownActions = new Set<string>()): Promise<Batch> {
  const file = options.journal;
  const name = formatLine(path.basename(file));
  const table = createTable(header, name);
  const text = formatHeader(header);
  const lock = await lockJournal(file).catch((error: unknown) => {
    throw describeOpenError(error, name);
  });
  let handle: FileHandle | undefined;
  try {
    if (await isHalfHeader(file)) await fs.rm(file);
    handle = await createForAppend(file);
    const writer = new JournalWriter(handle, JOURNAL_START);
    await writer.append(text, { isFlushed: true });
    await syncFolder(path.dirname(file));
    const place = await claimPlace(header.id, file, writer.end);
    writer.onFlushed = place.update;
    const journal = { header, table, openRows: new Map(), knownActions, signatures: new SignatureIndex() };
    const release = (): Promise<void> => place.release(writer.end).then(() => lock.release());
    return new BatchRun(options, { journal, writer, lock: { release } });
  } catch (error) {
    await handle?.close();
    // Nothing was sent with it.
    if (handle !== undefined) await fs.rm(file, { force: true }).catch(() => undefined);
    await lock.release();
    throw describeOpenError(error, name);
  }
}

/** True for a journal whose program ended before its first line was written: nothing was sent with it. */
async function isHalfHeader(file: string): Promise<boolean> {
  const stat = await fs.stat(file).catch(() => undefined);
  if (stat?.isFile() !== true || stat.size > MAX_LINE_BYTES) return false;
  const text = await fs.readFile(file, 'utf8');
  const start = text.slice(0, HEADER_START.length);
  return !text.includes('\n') && HEADER_START.startsWith(start);
}

function describeOpenError(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST') return new Error(l10n.t('{0} already exists. Resume it, or use another journal', name));
  if (code === 'ENOENT') return new Error(l10n.t('The folder of the journal {0} does not exist', name));
  return code === undefined
    ? error
    : new Error(l10n.t('The journal {0} could not be written: {1}', name, getErrorMessage(error)), { cause: error });
}

function createHeader({ action, data, connection }: BatchOptions): BatchHeader {
  const created = Date.now();
  return {
    id: `${new Date(created).toISOString().replace(/\D/g, '').slice(0, 17)}-${randomUUID().slice(0, 8)}`,
    created,
    action: { name: action.name, digest: createHash('sha256').update(action.file.text).digest('hex') },
    data: { name: data.name, digest: data.digest, rowCount: data.rows.length },
    connection,
    ...(data.types !== undefined && { types: data.types }),
  };
}

/** Throws Error, for users, if a journal is not of this action, data and connection. */
function requireSame(stored: BatchHeader, current: BatchHeader, journal: string): void {
  const name = formatLine(journal);
  const describe = (what: string): Error =>
    new Error(l10n.t('{0} has changed since {1} was started, so the batch can’t be resumed', formatLine(what), name));
  if (stored.action.digest !== current.action.digest) throw describe(current.action.name);
  if (stored.data.digest !== current.data.digest) throw describe(current.data.name);
  requireSameConnection(stored, current, name);
}

function requireSameConnection({ connection: stored }: BatchHeader, { connection }: BatchHeader, name: string): void {
  if (
    stored.name !== connection.name ||
    stored.baseUrl !== connection.baseUrl ||
    stored.environment !== connection.environment ||
    stored.identity !== connection.identity
  )
    throw new Error(
      l10n.t(
        '{0} belongs to the connection {1}, not to {2}',
        name,
        formatConnection(stored),
        formatConnection(connection),
      ),
    );
}

function formatConnection({ name, baseUrl, environment, identity }: BatchHeader['connection']): string {
  const label = formatIdentity(formatLine(name), identity);
  return `${label} (${formatLine(baseUrl)}, ${environment ?? l10n.t('no environment')})`;
}
