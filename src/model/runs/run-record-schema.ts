/** The record of a run as it is stored: its request, response, log, batch and changed objects, without secrets. */
import * as z from 'zod/mini';
import type { StoredText } from '../../platform/text/message.ts';
import { runOutcomes } from './run-outcome.ts';

const optionalText = z.exactOptional(z.string());
const optionalNumber = z.exactOptional(z.number());

/** A text as it is stored; a string of an earlier program is in its display language. */
export const storedText: z.ZodMiniType<StoredText> = z.union([
  z.string(),
  z.object({
    message: z.string(),
    args: z.array(z.union([z.number(), z.lazy(() => storedText)])),
    comment: z.optional(z.string()),
  }),
]);
const optionalStoredText = z.exactOptional(storedText);

const runStepSchema = z.readonly(
  z.object({
    action: z.string(),
    error: optionalText,
    /** JSON text */
    output: optionalText,
  }),
);
export type RunStep = z.infer<typeof runStepSchema>;

const affectedObjectSchema = z.readonly(
  z.object({
    id: z.string(),
    templateId: optionalText,
    previousRoot: optionalText,
    nextRoot: optionalText,
    /** created by the action */
    created: z.exactOptional(z.boolean()),
    /** the object as read before sending and after completion, pretty JSON, masked */
    before: optionalText,
    after: optionalText,
    /** why one of the two is missing */
    note: optionalStoredText,
  }),
);
export type AffectedObject = z.infer<typeof affectedObjectSchema>;

const possibleLogSchema = z.readonly(
  z.object({
    id: z.string(),
    status: optionalText,
    signer: optionalText,
    when: optionalText,
    /** its parameters equal the request's */
    sameParams: z.boolean(),
    /** pretty JSON */
    text: z.string(),
  }),
);
/** A log that may belong to a run with unknown outcome; never shown as its outcome. */
export type PossibleLog = z.infer<typeof possibleLogSchema>;

export const runRecordSchema = z.readonly(
  z.object({
    id: z.string().check(z.regex(/^[\w-]{1,80}$/)),
    /** name in `${run:NAME…}` */
    name: z.string(),
    /** URI of the file, if any */
    file: optionalText,
    /** commit of the file's repository that was checked out when it was run */
    commit: optionalText,
    connection: z.string(),
    environment: optionalText,
    /** name of the identity that ran it; absent if the connection had only one */
    identity: optionalText,
    origin: z.string(),
    /** milliseconds since the epoch */
    started: z.number(),
    sentAt: optionalNumber,
    answeredAt: optionalNumber,
    ended: optionalNumber,
    /** `queued`: passed to the transport, first byte not yet written */
    phase: z.enum(['preparing', 'queued', 'sending', 'following', 'ended']),
    outcome: z.exactOptional(z.enum(runOutcomes)),
    /** the outcome is that of a log that was matched by kind and parameters, without an id that proves it */
    probable: z.exactOptional(z.boolean()),
    /** a sentence about the outcome, plain text */
    reason: optionalStoredText,
    /** where the reason of a failure was found; absent if the platform gives none */
    reasonFrom: z.exactOptional(z.enum(['step', 'batch', 'log'])),
    effect: storedText,
    /** the action file's text with placeholders, not their values */
    source: z.string(),
    kind: optionalText,
    /** HTTP status of the response */
    status: optionalNumber,
    /** milliseconds of the Retry-After of a 429 or 503 */
    retryAfter: optionalNumber,
    requestId: optionalText,
    actionId: optionalText,
    /** the response, also of a refusal: pretty JSON if it was JSON, masked */
    response: optionalText,
    steps: z.readonly(z.array(runStepSchema)),
    logStatus: optionalText,
    logId: optionalText,
    log: optionalText,
    batchId: optionalText,
    batchStatus: optionalText,
    batch: optionalText,
    transaction: optionalText,
    /** state or end of following */
    note: optionalStoredText,
    affected: z.readonly(z.array(affectedObjectSchema)),
    possible: z.readonly(z.array(possibleLogSchema)),
    /** its window closed before the run ended */
    interrupted: z.exactOptional(z.boolean()),
  }),
);
