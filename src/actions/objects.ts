/** The objects that a run is about: read before sending and after the decision, merged with what its log lists. Pure. */
import { affectedObjectsOf } from '../platform/action-log-fields.ts';
import { PlatformError } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json.ts';
import { idText, isDecided, type FollowTime, type Sight } from './follow.ts';
import { cutText, GONE, type AffectedObject } from './record.ts';
import { errorText } from './errors.ts';
import type { RunPlatform } from './platform.ts';

/** Nothing waits longer for the state of objects before it is sent: milliseconds. */
const READ_BEFORE = 5_000;
const MAX_OBJECTS = 200;
const MAX_READ_AFTER = 20;

/** The objects as they are before sending. Never rejects; what cannot be read in time is left out with a note. */
export async function readBefore(
  ids: readonly string[],
  platform: RunPlatform,
  time: FollowTime,
  signal: AbortSignal,
): Promise<AffectedObject[]> {
  if (ids.length === 0) return [];
  const done = new AbortController();
  const late = new AbortController();
  time.sleep(READ_BEFORE, done.signal).then(
    () => {
      late.abort();
    },
    () => undefined,
  );
  const either = AbortSignal.any([signal, late.signal]);
  const read = await Promise.all(
    ids.map(async (id): Promise<AffectedObject> => {
      try {
        return { id, before: cutText(await platform.object(id, either)) };
      } catch (error) {
        const why = late.signal.aborted ? 'it took too long' : errorText(error);
        return { id, note: `not read before sending: ${why}` };
      }
    }),
  );
  done.abort();
  return read;
}

/** With the objects that an answer says were made. */
export function withMade(before: readonly AffectedObject[], made: readonly string[]): readonly AffectedObject[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...made.filter((id) => !known.has(id)).map((id) => ({ id }))];
}

/** The log's own list, with what was read before; without one, the objects that the action names. */
export function affectedOf(log: JsonObject | undefined, before: readonly AffectedObject[]): readonly AffectedObject[] {
  const seen = new Map(before.map((object) => [object.id, object]));
  for (const { id: text, templateId, previousRoot, nextRoot, created } of affectedObjectsOf(log ?? {}, MAX_OBJECTS)) {
    const id = idText(text);
    if (id === undefined) continue;
    seen.set(id, {
      ...(seen.get(id) ?? { id }),
      ...(templateId !== '' && { templateId }),
      ...(previousRoot !== '' && { previousRoot }),
      ...(nextRoot !== '' && { nextRoot }),
      ...(created && { created }),
    });
  }
  return [...seen.values()];
}

/** The objects as they are after the decision. Never rejects; unchanged where nothing is decided. */
export async function readAfter(
  affected: readonly AffectedObject[],
  platform: RunPlatform,
  signal: AbortSignal,
  sight: Sight,
): Promise<readonly AffectedObject[]> {
  // Before a decision, what is read now proves nothing.
  if (!isDecided(sight.logStatus) || signal.aborted) return affected;
  return Promise.all(
    affected.map(async (object, index): Promise<AffectedObject> => {
      if (index >= MAX_READ_AFTER) return { ...object, note: 'not read afterwards: too many objects' };
      try {
        return { ...object, after: cutText(await platform.object(object.id, signal)) };
      } catch (error) {
        const gone = error instanceof PlatformError && error.code === 'notFound';
        return { ...object, note: gone ? GONE : `not read afterwards: ${errorText(error)}` };
      }
    }),
  );
}
