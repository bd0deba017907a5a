/** Validates stored runs: a file of another version or a broken disk must not break the view. */
import * as z from 'zod/mini';
import type { StoredText } from '../../platform/text/message.ts';
import { changeRun, type RunRecord } from './run-record.ts';

const optionalText = z.optional(z.string());
const optionalNumber = z.optional(z.number());

/** A text as it is stored; a string of an earlier program is in its display language. */
export const storedText: z.ZodMiniType<StoredText> = z.union([
  z.string(),
  z.object({
    message: z.string(),
    args: z.array(z.union([z.number(), z.lazy(() => storedText)])),
    comment: z.optional(z.string()),
  }),
]);
const optionalStoredText = z.optional(storedText);

const runRecordSchema = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,80}$/)),
  name: z.string(),
  file: optionalText,
  commit: optionalText,
  connection: z.string(),
  environment: optionalText,
  identity: optionalText,
  origin: z.string(),
  started: z.number(),
  sentAt: optionalNumber,
  answeredAt: optionalNumber,
  ended: optionalNumber,
  phase: z.enum(['preparing', 'queued', 'sending', 'following', 'ended']),
  outcome: z.optional(z.enum(['notSent', 'refused', 'failed', 'completed', 'unfinished', 'unknown'])),
  probable: z.optional(z.boolean()),
  reason: optionalStoredText,
  reasonFrom: z.optional(z.enum(['step', 'batch', 'log'])),
  effect: storedText,
  source: z.string(),
  kind: optionalText,
  status: optionalNumber,
  retryAfter: optionalNumber,
  requestId: optionalText,
  actionId: optionalText,
  response: optionalText,
  steps: z.array(z.object({ action: z.string(), error: optionalText, output: optionalText })),
  logStatus: optionalText,
  logId: optionalText,
  log: optionalText,
  batchId: optionalText,
  batchStatus: optionalText,
  batch: optionalText,
  transaction: optionalText,
  note: optionalStoredText,
  affected: z.array(
    z.object({
      id: z.string(),
      templateId: optionalText,
      previousRoot: optionalText,
      nextRoot: optionalText,
      created: z.optional(z.boolean()),
      before: optionalText,
      after: optionalText,
      note: optionalStoredText,
    }),
  ),
  possible: z.array(
    z.object({
      id: z.string(),
      status: optionalText,
      signer: optionalText,
      when: optionalText,
      sameParams: z.boolean(),
      text: z.string(),
    }),
  ),
  interrupted: z.optional(z.boolean()),
});

/** Parses a stored run; `undefined` for anything else. */
export function parseRunRecord(value: unknown): RunRecord | undefined {
  const { success, data } = z.safeParse(runRecordSchema, value);
  if (!success) return undefined;
  const { reason, effect, note, ...rest } = data;
  // JSON has no `undefined`, but the inferred types do.
  return changeRun({ ...rest, effect: '' } as RunRecord, {
    effect,
    ...(reason !== undefined && { reason }),
    ...(note !== undefined && { note }),
  });
}
