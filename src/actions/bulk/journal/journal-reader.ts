import type { RowCounts } from '../batch.ts';
import type { BatchHeader } from './journal-format.ts';
import { isLocked } from './journal-lock.ts';
import { readJournal } from './read-journal.ts';

/** What a journal says, without opening its batch. */
export interface JournalSummary {
  readonly header: BatchHeader;
  readonly counts: RowCounts;
  /** rows are left to be sent, followed or looked up */
  readonly isUnfinished: boolean;
  /** a running process has it open */
  readonly isOpen: boolean;
}

/** Reads a journal, also one that is open elsewhere. Rejects with Error, for users, if it is no journal. */
export async function readJournalSummary(journal: string): Promise<JournalSummary> {
  const { header, table, openRows } = await readJournal(journal);
  const { counts } = table;
  const isLookupDue = [...openRows.values()].some(
    ({ state, isLookedUp }) => state === 'unknown' && isLookedUp !== true,
  );
  return {
    header,
    counts,
    isUnfinished: counts.notSent + counts.sending + counts.accepted > 0 || isLookupDue,
    isOpen: await isLocked(journal),
  };
}
