/** What a run makes of an error of the platform. Pure. */
import { PlatformError } from '../platform/errors.ts';
import { lineOf } from './record.ts';

/** No later look will be answered otherwise. */
export function isHopeless(error: unknown): boolean {
  return error instanceof PlatformError && (error.code === 'unauthenticated' || error.code === 'forbidden');
}

/** An error and the platform's own words for it, for a person. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown error';
  const said = error instanceof PlatformError ? error.detail.serverMessage : undefined;
  // Without the full stop: more may follow.
  return (said === undefined ? message : `${message.replace(/\.$/, '')}: ${lineOf(said, 300)}`).replace(/\.$/, '');
}
