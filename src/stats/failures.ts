/** Says what failed: a cause that several series share is told once (pure). */
import { PlatformError } from '../platform/errors.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import type { SeriesName } from './series.ts';

export interface Told {
  /** once each, for all series that it keeps from being read */
  readonly shared: readonly { readonly text: string; readonly signIn: boolean }[];
  /** by series: what went wrong with that one alone */
  readonly own: ReadonlyMap<string, string>;
}

/** `failures`: by the id of a series. Signing in helps all of them, so that is always shared. */
export function tell(series: readonly SeriesName[], failures: ReadonlyMap<string, unknown>): Told {
  const causes = new Map<string, SeriesName[]>();
  for (const one of series) {
    if (!failures.has(one.id)) continue;
    const cause = causeOf(failures.get(one.id));
    causes.set(cause, [...(causes.get(cause) ?? []), one]);
  }
  const shared: { text: string; signIn: boolean }[] = [];
  const own = new Map<string, string>();
  for (const failed of causes.values()) {
    const [first] = failed;
    if (first === undefined) continue;
    const error = failures.get(first.id);
    const signIn = isRefused(error);
    const names = failed.map(({ label }) => label.toLowerCase()).join(' and ');
    const what = `Read ${failed.length === series.length ? 'statistics' : names}`;
    const text = (isCancelled(error) ? `${what}: stopped.` : errorText(what, error)).slice(0, 1000);
    if (signIn || failed.length > 1) shared.push({ text, signIn });
    else own.set(first.id, text);
  }
  return { shared, own };
}

export function isRefused(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'unauthenticated';
}

export function isForbidden(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'forbidden';
}

/** The server's words only where they name what differs: elsewhere they may hold the id of a request. */
function causeOf(error: unknown): string {
  if (!(error instanceof PlatformError)) return error instanceof Error ? error.message : '';
  const { code, message, detail } = error;
  if (code === 'network' || code === 'timeout' || code === 'unauthenticated') return code;
  return code === 'forbidden' || code === 'badRequest' ? `${message} ${detail.serverMessage ?? ''}` : message;
}
