import * as z from 'zod/mini';
import { changeRun, type RunRecord } from './run-record.ts';
import { runRecordSchema } from './run-record-schema.ts';

/** Parses a stored run; `undefined` for anything else: a file of another version or a broken disk must not break the view. */
export function parseRunRecord(value: unknown): RunRecord | undefined {
  const { success, data } = z.safeParse(runRecordSchema, value);
  if (!success) return undefined;
  const { reason, effect, note, ...rest } = data;
  return changeRun(
    { ...rest, effect: '' },
    { effect, ...(reason !== undefined && { reason }), ...(note !== undefined && { note }) },
  );
}
