import { systemClock, type Clock } from '../logs/stream/clock.ts';
import type { PlatformClient, ReadResult } from '../platform/client.ts';
import { PlatformError, type ErrorCode } from '../platform/errors.ts';
import { splitResourceId } from '../model/resources/resource-uri.ts';
import { isObject } from '../platform/json/json.ts';
import { registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { isFinalBatchStatus, isFinalLogStatus, readStatus } from '../platform/resources/action-log-fields.ts';

/** Errors that do not pass by themselves. */
export const PERMANENT_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'forbidden',
  'notFound',
  'notJson',
  'badRequest',
]);

interface WatchOptions {
  readonly kind: Kind;
  readonly id: string;
  /** milliseconds between two requests */
  readonly interval: number;
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, 'sleep'>;
}

/**
 * Yields a resource, and again each time it has changed, until it is final: an action log or batch that is completed or
 * failed. Rejects with PlatformError for an error that does not pass by itself, and when the signal fires.
 */
export async function* watchResource(
  client: Pick<PlatformClient, 'readFor'>,
  { kind, id, interval, signal, clock = systemClock }: WatchOptions,
): AsyncGenerator<ReadResult> {
  const definition: ResourceDefinition = registry[kind];
  let last: string | undefined;
  for (;;) {
    try {
      const read = await client.readFor(definition, splitResourceId(kind, id), { signal });
      if (read.text !== last) yield read;
      last = read.text;
      if (isFinal(kind, read.item.raw)) return;
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError) || PERMANENT_ERRORS.has(error.code)) throw error;
    }
    await clock.sleep(interval, signal);
    signal.throwIfAborted();
  }
}

function isFinal(kind: Kind, raw: unknown): boolean {
  const status = isObject(raw) ? readStatus(raw) : undefined;
  return (kind === 'action-logs' && isFinalLogStatus(status)) || (kind === 'batches' && isFinalBatchStatus(status));
}
