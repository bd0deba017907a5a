/** How the row of a run reads: what stands beside its name, what is read aloud, and its tooltip. Pure. */
import { headingOf } from '../connections/heading.ts';
import { momentText } from '../ui/times.ts';
import { environments } from '../connections/types.ts';
import { isFinalBatch } from './follow.ts';
import { durationText, lineOf, stateText, type RunRecord } from './record.ts';

export interface RunWords {
  readonly description: string;
  readonly label: string;
  readonly tooltip: readonly string[];
}

export function isProduction({ environment }: Pick<RunRecord, 'environment'>): boolean {
  return environment === 'production';
}

/** Nothing is left to say of it: an interrupted run, or one whose batch was left undecided, may have gone on unseen. */
export function isDone(run: RunRecord): boolean {
  const { phase, outcome, interrupted, probable } = run;
  if (outcome !== 'completed' || interrupted === true || probable === true) return false;
  return phase !== 'ended' || isSettled(run);
}

/** The log of the run named no batch, or the batch had not come to its end. */
function isSettled({ log, batchId, batchStatus }: RunRecord): boolean {
  return batchId === undefined ? log === undefined : isFinalBatch(batchStatus);
}

/** Another look at the platform may tell more of an ended run. */
export function mayLearnMore(run: RunRecord): boolean {
  if (run.phase !== 'ended') return false;
  return run.outcome === 'unknown' || run.outcome === 'unfinished' || (run.outcome === 'completed' && !isSettled(run));
}

/** `PRODUCTION · Name`, as it was when the run began. */
export function whereOf(run: Pick<RunRecord, 'connection' | 'environment' | 'origin'>): string {
  const environment = environments.find((one) => one === run.environment);
  // A kept record may hold anything.
  const baseUrl = URL.canParse(run.origin) ? run.origin : 'https://unknown.invalid';
  return lineOf(headingOf({ name: run.connection, baseUrl, ...(environment && { environment }) }, undefined));
}

export function runWords(run: RunRecord, now = Date.now()): RunWords {
  const date = momentText(run.started, now);
  const where = whereOf(run);
  const state = stateText(run);
  const first = isProduction(run) ? [where, state] : [state, where];
  const took = run.ended === undefined ? [] : [durationText(run.ended - run.started)];
  const said = isProduction(run) ? `${where}: ${run.name}, ${state}` : `${run.name}, ${state}, on ${where}`;
  return {
    description: [...first, date, ...took].join(' · '),
    label: run.reason === undefined ? said : `${said}. ${run.reason}`,
    tooltip: [`${where}, ${run.origin}`, `${run.effect}.`, run.reason ?? run.note ?? ''].filter((line) => line !== ''),
  };
}
