/** Validates stored runs: a file of another version or a broken disk must not break the view. */
import * as z from 'zod/mini';
import type { RunRecord } from './run-record.ts';

const optionalText = z.optional(z.string());
const optionalNumber = z.optional(z.number());

const runRecordSchema = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,80}$/)),
  name: z.string(),
  file: optionalText,
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
  reason: optionalText,
  reasonFrom: z.optional(z.enum(['step', 'batch', 'log'])),
  effect: z.string(),
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
  note: optionalText,
  affected: z.array(
    z.object({
      id: z.string(),
      templateId: optionalText,
      previousRoot: optionalText,
      nextRoot: optionalText,
      created: z.optional(z.boolean()),
      before: optionalText,
      after: optionalText,
      note: optionalText,
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
  return success ? withoutUndefined(data) : undefined;
}

/** JSON has no `undefined`, but the inferred types do. */
function withoutUndefined(data: z.output<typeof runRecordSchema>): RunRecord {
  return data as RunRecord;
}
