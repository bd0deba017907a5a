/** What is stored and shown of a run, without the values of its variables. */
import { formatLine, type AffectedObject } from '../../model/runs/run-record.ts';
import { isFinalBatchStatus } from '../../platform/resources/action-log-fields.ts';
import { mapText, type StoredText } from '../../platform/text/message.ts';
import type { FollowSnapshot } from '../follow/snapshot.ts';
import type { Redactor } from './redact-variables.ts';

/** Redacts and cuts a text about a run: a value that is cut first could no longer be found. */
export function redactStored(redactor: Redactor, text: StoredText): StoredText {
  return mapText(text, (part) => formatLine(redactor.redactText(part), 1000));
}

/** Redacts an object but for its two states, which were redacted when they were read. */
export function redactObject(redactor: Redactor, { before, after, note, ...fields }: AffectedObject): AffectedObject {
  return {
    ...redactor.redact(fields),
    ...(note !== undefined && { note: redactStored(redactor, note) }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

/** What is shown of a snapshot. `shown`: what was shown of `last`, the one before, of which what did not change is not redacted again. */
export function redactSnapshot(
  redactor: Redactor,
  next: FollowSnapshot,
  { last, shown }: { readonly last: FollowSnapshot; readonly shown: FollowSnapshot },
): FollowSnapshot {
  const { log, batch, possible, logStatus, batchStatus } = next;
  // A status that decides is no value of a variable, whatever they are.
  const redactStatus = (status: string): string => (isFinalBatchStatus(status) ? status : redactor.redactText(status));
  return {
    ...next,
    ...(log !== undefined && { log: log === last.log ? (shown.log ?? log) : redactor.redact(log) }),
    ...(batch !== undefined && { batch: batch === last.batch ? (shown.batch ?? batch) : redactor.redact(batch) }),
    ...(logStatus !== undefined && { logStatus: redactStatus(logStatus) }),
    ...(batchStatus !== undefined && { batchStatus: redactStatus(batchStatus) }),
    possible:
      possible === last.possible
        ? shown.possible
        : possible.map(({ id, log: match, quality }) => ({
            id: redactor.redactText(id),
            log: redactor.redact(match),
            quality,
          })),
  };
}
