import type { Clock } from '../../model/clock.ts';
import { stored } from '../../platform/text/message.ts';
import { readAffectedObjects } from '../../platform/resources/action-log-fields.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import { truncateText, OBJECT_DELETED, type AffectedObject } from '../../model/runs/run-record.ts';
import { describeRunError } from './run-errors.ts';
import type { RunPlatform } from './run-platform.ts';

/** Milliseconds to wait for objects before sending. */
const READ_BEFORE_TIMEOUT = 5_000;
const MAX_OBJECTS = 200;
const MAX_READ_AFTER = 20;

/** Reads objects before sending. Never rejects; notes what cannot be read in time. */
export async function readObjectsBefore(
  ids: readonly string[],
  platform: RunPlatform,
  time: Clock,
  signal: AbortSignal,
): Promise<AffectedObject[]> {
  if (ids.length === 0) return [];
  const done = new AbortController();
  const timeout = new AbortController();
  time.sleep(READ_BEFORE_TIMEOUT, done.signal).then(
    () => timeout.abort(),
    () => undefined,
  );
  const either = AbortSignal.any([signal, timeout.signal]);
  const read = await Promise.all(
    ids.map(async (id): Promise<AffectedObject> => {
      try {
        return { id, before: truncateText(await platform.object(id, either)) };
      } catch (error) {
        return {
          id,
          note: timeout.signal.aborted
            ? stored('not read before sending: timed out')
            : stored('not read before sending: {0}', describeRunError(error)),
        };
      }
    }),
  );
  done.abort();
  return read;
}

/** Adds the objects that a response reports as created. */
export function addCreatedObjects(
  before: readonly AffectedObject[],
  createdIds: readonly string[],
): readonly AffectedObject[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...createdIds.filter((id) => !known.has(id)).map((id) => ({ id }))];
}

/** The objects that the log lists, with what was read before; without a log, the objects that the action names. */
export function mergeAffectedObjects(
  log: JsonObject | undefined,
  before: readonly AffectedObject[],
): readonly AffectedObject[] {
  const merged = new Map(before.map((object) => [object.id, object]));
  for (const { id, templateId, previousRoot, nextRoot, created } of readAffectedObjects(log ?? {}, MAX_OBJECTS)) {
    if (id === '') continue;
    merged.set(id, {
      ...(merged.get(id) ?? { id }),
      ...(templateId !== '' && { templateId }),
      ...(previousRoot !== '' && { previousRoot }),
      ...(nextRoot !== '' && { nextRoot }),
      ...(created && { created }),
    });
  }
  return [...merged.values()];
}

/** Reads objects after the decision. Never rejects. */
export async function readObjectsAfter(
  affected: readonly AffectedObject[],
  platform: RunPlatform,
  signal: AbortSignal,
): Promise<readonly AffectedObject[]> {
  return Promise.all(
    affected.map(async (object, index): Promise<AffectedObject> => {
      if (index >= MAX_READ_AFTER) return { ...object, note: stored('not read afterwards: too many objects') };
      try {
        return { ...object, after: truncateText(await platform.object(object.id, signal)) };
      } catch (error) {
        const isDeleted = hasErrorCode(error, 'notFound');
        return {
          ...object,
          note: isDeleted ? OBJECT_DELETED : stored('not read afterwards: {0}', describeRunError(error)),
        };
      }
    }),
  );
}
