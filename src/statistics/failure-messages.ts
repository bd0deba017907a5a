import * as l10n from '@vscode/l10n';
import { formatList } from '../platform/text/localization.ts';
import { PlatformError, hasErrorCode } from '../platform/errors.ts';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import type { SeriesName } from './series-state.ts';

interface FailureMessages {
  /** one message for each cause that several series share */
  readonly shared: readonly { readonly text: string; readonly signIn: boolean }[];
  /** messages of single series, by id */
  readonly own: ReadonlyMap<string, string>;
}

/** Formats failures, given by series id. A cause that several series share, or that signing in solves, gets one message. */
export function formatFailures(series: readonly SeriesName[], failures: ReadonlyMap<string, unknown>): FailureMessages {
  const causes = new Map<string, SeriesName[]>();
  for (const current of series) {
    if (!failures.has(current.id)) continue;
    const cause = getCause(failures.get(current.id));
    causes.set(cause, [...(causes.get(cause) ?? []), current]);
  }
  const shared: { text: string; signIn: boolean }[] = [];
  const own = new Map<string, string>();
  for (const failed of causes.values()) {
    const [first] = failed;
    if (first === undefined) continue;
    const error = failures.get(first.id);
    const signIn = hasErrorCode(error, 'unauthenticated');
    const names = formatList(
      failed.map(({ label }) => label),
      'unit',
    );
    const what = failed.length === series.length ? l10n.t('Read statistics') : l10n.t('Read statistics ({0})', names);
    const text = (isCancelled(error) ? l10n.t('{0}: canceled.', what) : formatError(what, error)).slice(0, 1000);
    if (signIn || failed.length > 1) shared.push({ text, signIn });
    else own.set(first.id, text);
  }
  return { shared, own };
}

/** Identifies a cause. Includes the server's message only if it names the cause: otherwise it may contain a request id. */
function getCause(error: unknown): string {
  if (!(error instanceof PlatformError)) return error instanceof Error ? error.message : '';
  const { code, message, detail } = error;
  if (code === 'network' || code === 'timeout' || code === 'unauthenticated') return code;
  return code === 'forbidden' || code === 'badRequest' ? `${message} ${detail.serverMessage ?? ''}` : message;
}
