import { readAffectedObjects } from '../../platform/resources/action-log-fields.ts';
import { isObject } from '../../platform/json/json.ts';
import type { LogEntry } from '../entry.ts';

/** A log in the chain, with what is wrong there. */
export interface Step extends ChainLink {
  readonly mark?: Mark;
  readonly note?: string;
}

export type Mark = 'break' | 'fork' | 'missing' | 'unsettled' | 'failed';

interface Chain {
  /** oldest first */
  readonly steps: readonly Step[];
  readonly verdict: string;
  readonly tone: 'ok' | 'bad' | 'busy' | 'unknown';
}

/** A log that changed the object, with the state roots before and after. */
export interface ChainLink {
  readonly entry: LogEntry;
  /** empty if the log names none */
  readonly prev: string;
  readonly next: string;
  /** the log created the object */
  readonly created: boolean;
}

/**
 * Builds the chain of state roots from an object's logs and marks breaks, forks and missing logs. `current`: the object's
 * present root; `undefined` if it could not be read. Failed and unsettled logs change no root.
 */
export function buildChain(links: readonly ChainLink[], current: string | undefined): Chain {
  const steps: Step[] = [];
  /** roots so far, in order; a root may occur twice */
  const roots: string[] = [];
  let faults = 0;
  let unsettled = 0;
  let startsAtCreation = true;
  for (const link of sortChain(links)) {
    const { status } = link.entry.row;
    if (status === 'failed') {
      const why = link.entry.row.message;
      steps.push({
        ...link,
        mark: 'failed',
        note: why === '' ? 'It failed: it changed nothing' : `It failed and changed nothing: ${why}`,
      });
      continue;
    }
    if (!link.entry.final) {
      unsettled++;
      const statusText = status === '' ? 'no status' : status;
      steps.push({ ...link, mark: 'unsettled', note: `Not settled (${statusText}): it may still change nothing` });
      continue;
    }
    const last = roots.at(-1);
    const problem = findProblem(link, last, roots);
    if (problem !== undefined) faults++;
    if (last === undefined && problem === undefined && !link.created) {
      startsAtCreation = false;
      steps.push({ ...link, note: 'The log names no root before it, and does not say that it made the object' });
    } else steps.push({ ...link, ...problem });
    roots.push(link.next);
  }
  return { steps, ...formatVerdict(roots, current, { faults, unsettled, count: steps.length, startsAtCreation }) };
}

function findProblem(
  { prev, next, created }: ChainLink,
  last: string | undefined,
  roots: readonly string[],
): { readonly mark: Mark; readonly note: string } | undefined {
  if (next === '') return { mark: 'break', note: 'The log names no root after it: the chain cannot be followed here' };
  if (last === undefined)
    return created || prev === ''
      ? undefined
      : {
          mark: 'missing',
          note: 'The log that made the root before it is missing: older logs are not visible, or were never there',
        };
  if (prev === last) return undefined;
  if (prev === '') return { mark: 'break', note: 'The log names no root before it, although the object had one' };
  return roots.includes(prev)
    ? {
        mark: 'fork',
        note: 'It starts from an earlier state than the log before it left: two logs follow the same root',
      }
    : { mark: 'missing', note: 'No log here leads to the root it starts from: at least one log is missing' };
}

function formatVerdict(
  roots: readonly string[],
  current: string | undefined,
  {
    faults,
    unsettled,
    count,
    startsAtCreation,
  }: {
    readonly faults: number;
    readonly unsettled: number;
    readonly count: number;
    /** the first log created the object, as far as known */
    readonly startsAtCreation: boolean;
  },
): { readonly verdict: string; readonly tone: Chain['tone'] } {
  if (count === 0) return { verdict: 'No action log names this object.', tone: 'unknown' };
  const unsettledText =
    unsettled === 0 ? '' : ` ${unsettled === 1 ? 'One log has' : `${unsettled} logs have`} not settled.`;
  const faultsText =
    faults === 0 ? '' : ` The chain is not whole: ${faults === 1 ? 'one place is' : `${faults} places are`} marked.`;
  const last = roots.at(-1);
  if (current === undefined)
    return {
      verdict: `The object’s root of now is not known.${faultsText}${unsettledText}`,
      tone: faults > 0 ? 'bad' : 'unknown',
    };
  if (last !== current) {
    const why =
      unsettled > 0
        ? ' A log that has not settled may be the reason.'
        : ' A log is missing, or not visible to this identity.';
    return {
      verdict: `The last log does not lead to the object’s root of now.${why}${faultsText}`,
      tone: unsettled > 0 ? 'busy' : 'bad',
    };
  }
  if (faults > 0)
    return { verdict: `The last log leads to the object’s root of now.${faultsText}${unsettledText}`, tone: 'bad' };
  return {
    verdict: startsAtCreation
      ? `The chain is whole, and leads to the object’s root of now.${unsettledText}`
      : `The chain leads to the object’s root of now. Whether older logs are missing cannot be told.${unsettledText}`,
    tone: unsettled > 0 ? 'busy' : 'ok',
  };
}

/** Makes a chain link from a raw log; `undefined` if it does not name the object. */
export function getChainLink(object: string, entry: LogEntry, raw: unknown): ChainLink | undefined {
  const affected = isObject(raw) ? readAffectedObjects(raw).find(({ id }) => id === object) : undefined;
  if (affected === undefined) return undefined;
  const { previousRoot, nextRoot, created } = affected;
  return { entry, prev: created ? '' : previousRoot, next: nextRoot, created };
}

/** Sorts by time; logs of the same time follow their roots. */
function sortChain(links: readonly ChainLink[]): readonly ChainLink[] {
  const left = [...links].sort((a, b) => a.entry.time - b.entry.time || (a.entry.id < b.entry.id ? -1 : 1));
  const ordered: ChainLink[] = [];
  let root: string | undefined;
  while (left.length > 0) {
    const time = left[0]?.entry.time;
    const tied = left.filter(({ entry }) => entry.time === time);
    const isStart = (link: ChainLink): boolean => !tied.some((other) => other !== link && other.next === link.prev);
    const chosen =
      tied.find(({ prev, created }) => (root === undefined ? created : prev === root)) ?? tied.find(isStart) ?? tied[0];
    if (chosen === undefined) break;
    left.splice(left.indexOf(chosen), 1);
    ordered.push(chosen);
    if (chosen.entry.row.status === 'completed') root = chosen.next;
  }
  return ordered;
}
