import type { BatchHeader, RowCounts } from './batch.ts';

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
export function readJournalSummary(journal: string): Promise<JournalSummary> {
  return Promise.reject(new Error(`${journal}: not implemented`));
}
