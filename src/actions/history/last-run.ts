/** The text above an action: how the last run of its file went. */
import * as l10n from '@vscode/l10n';
import { formatConnectionName } from '../../model/text/heading.ts';
import type { RunOutcome } from '../../model/runs/run-outcome.ts';
import { formatLine, formatOutcome, formatRunState, type RunRecord } from '../../model/runs/run-record.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';

const icons: Readonly<Record<RunOutcome, string>> = {
  completed: 'check',
  failed: 'error',
  refused: 'error',
  notSent: 'circle-slash',
  unfinished: 'watch',
  unknown: 'question',
};

interface LastRunText {
  /** name of a codicon */
  readonly icon: string;
  readonly text: string;
  /** milliseconds until the text is out of date; absent: it does not depend on the time */
  readonly validFor?: number;
}

/** `completed 4 s ago on Local Sandbox`; `now` in milliseconds since the epoch. */
export function formatLastRun(run: RunRecord, now: number): LastRunText {
  const where = formatConnectionName(run.connection, run.environment, run.identity);
  if (run.phase !== 'ended')
    return { icon: 'loading~spin', text: l10n.t('running on {0}: {1}', where, formatRunState(run)) };
  const ended = run.ended ?? run.started;
  const age = Math.max(0, now - ended);
  const { text, validFor } = formatAge(age, ended, now);
  const title = l10n.t({
    message: '{0} {1} on {2}',
    args: [formatOutcome(run), text, where],
    comment: 'Outcome, time and connection: completed 4 s ago on Local Sandbox',
  });
  return {
    icon: icons[run.outcome ?? 'unknown'],
    text: formatLine(title),
    ...(validFor !== undefined && { validFor }),
  };
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

function formatAge(age: number, time: number, now: number): { readonly text: string; readonly validFor?: number } {
  const count = (unit: number): string => String(Math.floor(age / unit));
  // Seconds only say that it was just now: they are counted in steps.
  if (age < MINUTE) return { text: l10n.t('{0} s ago', count(SECOND)), validFor: 5 * SECOND - (age % (5 * SECOND)) };
  if (age < HOUR) return { text: l10n.t('{0} min ago', count(MINUTE)), validFor: MINUTE - (age % MINUTE) };
  if (age < DAY) return { text: l10n.t('{0} h ago', count(HOUR)), validFor: HOUR - (age % HOUR) };
  return { text: formatTimestamp(time, now) };
}
