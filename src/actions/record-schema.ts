/** Reads a kept run back, field by field: a file from another version or a broken disk must not break the view. Pure. */
import * as z from 'zod/mini';
import type { RunRecord } from './record.ts';

const optionalText = z.optional(z.string());
const optionalNumber = z.optional(z.number());

const schema = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,80}$/)),
  name: z.string(),
  file: optionalText,
  connection: z.string(),
  environment: optionalText,
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

/** `undefined` for anything that is no run. */
export function recordFrom(value: unknown): RunRecord | undefined {
  const { success, data } = z.safeParse(schema, value);
  return success ? withoutUndefined(data) : undefined;
}

/** JSON holds no `undefined`, and what was parsed from it neither; the types do not know. */
function withoutUndefined(data: z.output<typeof schema>): RunRecord {
  return data as RunRecord;
}
