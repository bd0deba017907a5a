import type { LiveLookup } from '../file/preflight.ts';
import type { BatchOptions, RowFinding } from './batch.ts';

interface ValidationOptions extends Pick<BatchOptions, 'action' | 'data'> {
  /** variables besides `row`; absent: they are left as they stand */
  readonly variables?: BatchOptions['variables'];
  /** checks ids and templates too: each id is read once, at most 500 */
  readonly live?: LiveLookup;
  readonly signal: AbortSignal;
  readonly onProgress?: (checkedRows: number) => void;
}

export interface Validation {
  /** errors first, at most 1000 */
  readonly findings: readonly RowFinding[];
  /** all of them, also those that `findings` leaves out */
  readonly errorCount: number;
  readonly warningCount: number;
  /** what the rows do, with their number: `Mints 1 object from tpl_1`, 300 */
  readonly effects: readonly { readonly effect: string; readonly rowCount: number }[];
}

/**
 * Checks the rows before anything is sent: missing columns, empty values, rows that compose the same action, and what the
 * check of an action file finds in each. Rejects with Error if the data cannot be read or `signal` is aborted.
 */
export function validateBatch({ action }: ValidationOptions): Promise<Validation> {
  return Promise.reject(new Error(`${action.name}: not implemented`));
}
