import { createHash, randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { formatIdentity } from '../../model/heading.ts';
import { getErrorMessage } from '../../model/error-message.ts';
import { createForAppend, openForAppend, syncFolder } from '../../model/write-file.ts';
import { formatLine } from '../../model/run-record.ts';
import { BatchRun } from './batch-run.ts';
import type { Batch, BatchHeader, BatchOptions, RunAgainOptions } from './batch.ts';
import { SignatureIndex } from './follow/signature-index.ts';
import { formatHeader, HEADER_START, type Successor } from './journal/journal-format.ts';
import { lockJournal } from './journal/journal-lock.ts';
import { JournalWriter } from './journal/journal-writer.ts';
import { createTable, MAX_LINE_BYTES, readJournal, type Journal } from './journal/read-journal.ts';
import { formatRowNumbers, parseRowNumbers } from './row-numbers.ts';
import type { RowTable } from './row-table.ts';

/**
 * Opens a new batch with a new journal; sends nothing before `start`. Rejects with Error, for users, if the journal
 * exists, cannot be written or is open elsewhere.
 */
export function createBatch(options: BatchOptions): Promise<Batch> {
  return create(options, createHeader(options));
}

/**
 * Opens a batch from its journal. Rows that were `sending` become `unknown`: they are looked up, never sent again.
 * Rejects with Error, for users, if the journal is open elsewhere or not one, or is of another action, data or connection.
 */
export async function resumeBatch(options: BatchOptions): Promise<Batch> {
  const file = options.journal;
  const lock = await lockJournal(file);
  try {
    const journal = await readJournal(file);
    requireSame(journal.header, createHeader(options), path.basename(file));
    const { former } = journal.header;
    if (former !== undefined)
      for (const action of await claimFormer(former.journal, journal.header, file)) journal.knownActions.add(action);
    const handle = await openForAppend(file);
    try {
      // What follows the last whole line was never flushed: nothing was sent for it.
      await handle.truncate(journal.size);
      const writer = new JournalWriter(handle, journal.size);
      return new BatchRun(options, { journal: await markUnknown(journal, writer), writer, lock });
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Rows that were being sent may have been executed. Rejects if the journal cannot be written. */
async function markUnknown(journal: Journal, writer: JournalWriter): Promise<Journal> {
  const openRows = new Map(journal.openRows);
  for (const row of journal.openRows.values()) {
    if (row.state !== 'sending') continue;
    const unknown = {
      ...row,
      state: 'unknown',
      reason: l10n.t('The program ended before the response arrived'),
    } as const;
    openRows.set(row.row, unknown);
    journal.table.setState(row.row, 'unknown');
    journal.table.setPlace(row.row, await writer.append(`${JSON.stringify(unknown)}\n`));
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
 * Opens a new batch over the refused and failed rows of another one. Rejects as `createBatch` and `resumeBatch` do, and
 * if there is no such row, the other batch is open elsewhere, or its rows were run again already.
 */
export async function runAgain({ formerJournal, ...options }: RunAgainOptions): Promise<Batch> {
  const { former, rows, knownActions } = await readFailedRows({ formerJournal, ...options });
  const header: BatchHeader = {
    ...createHeader(options),
    former: { id: former.id, journal: path.relative(path.dirname(options.journal), formerJournal) },
    rows: formatRowNumbers(rows),
  };
  const batch = await create(options, header, knownActions);
  try {
    // From here on, no other batch sends these rows.
    await claimFormer(path.relative(path.dirname(options.journal), formerJournal), header, options.journal);
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
  journal: string,
): Promise<ReadonlySet<string>> {
  const file = path.resolve(path.dirname(journal), former);
  // Without it, nobody else can run its rows again.
  if ((await fs.stat(file).catch(() => undefined)) === undefined) return new Set();
  const lock = await lockJournal(file);
  try {
    const { successors, table, size, knownActions } = await readJournal(file);
    if (successors.some((successor) => successor.id === id)) return knownActions;
    const claimed = getClaimedRows(successors, table);
    if ([...parseRowNumbers(rows, table.maxRow)].some((row) => claimed.has(row)))
      throw createSuccessorError(formatLine(path.basename(file)), successors.at(-1));
    const handle = await openForAppend(file);
    await handle.truncate(size);
    const writer = new JournalWriter(handle, size);
    try {
      const successor = { id, journal: path.relative(path.dirname(file), journal), rows };
      await writer.append(`${JSON.stringify({ successor })}\n`, { isFlushed: true });
    } finally {
      await writer.close();
    }
    return knownActions;
  } finally {
    await lock.release();
  }
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
    const writer = new JournalWriter(handle, 0);
    await writer.append(text, { isFlushed: true });
    await syncFolder(path.dirname(file));
    const journal = { header, table, openRows: new Map(), knownActions, signatures: new SignatureIndex() };
    return new BatchRun(options, { journal, writer, lock });
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
    data: { name: data.name, digest: data.digest, rowCount: data.rowCount },
    connection,
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
