import * as l10n from '@vscode/l10n';
import { pluralize } from '../../platform/text/localization.ts';
import { readAffectedObjects } from '../../platform/resources/action-log-fields.ts';
import { isObject } from '../../platform/json/json.ts';
import type { LogEntry } from '../entry.ts';
import { formatStatus } from '../../model/text/status.ts';
import { getDateTimeFormat } from '../../model/text/time-format.ts';

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

/** Where the first log starts, as far as known: at the creation, at an earlier state root, or it names neither. */
type ChainStart = 'creation' | 'later' | 'unmarked';

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
  let start: ChainStart = 'creation';
  for (const link of sortChain(links)) {
    const { status } = link.entry.row;
    if (status === 'failed') {
      const why = link.entry.row.message;
      steps.push({
        ...link,
        mark: 'failed',
        note: why === '' ? l10n.t('No changes were made') : l10n.t('No changes were made: {0}', why),
      });
      continue;
    }
    if (!link.entry.final) {
      unsettled++;
      const note =
        status === ''
          ? l10n.t('Status unknown. The action can still fail')
          : l10n.t('Status: {0}. The action can still fail', formatStatus(status));
      steps.push({ ...link, mark: 'unsettled', note });
      continue;
    }
    const last = roots.at(-1);
    const problem = findProblem(link, last, roots);
    if (problem !== undefined) faults++;
    if (last === undefined && problem === undefined && !link.created) {
      start = link.prev === '' ? 'unmarked' : 'later';
      const note =
        start === 'later'
          ? l10n.t('Older logs do not exist or are not visible to you')
          : l10n.t('The log has no previous state root and is not marked as the creation of the object');
      steps.push({ ...link, note });
    } else steps.push({ ...link, ...problem });
    roots.push(link.next);
  }
  return { steps, ...formatVerdict(roots, current, { faults, unsettled, steps, start }) };
}

function findProblem(
  { prev, next }: ChainLink,
  last: string | undefined,
  roots: readonly string[],
): { readonly mark: Mark; readonly note: string } | undefined {
  if (next === '')
    return {
      mark: 'break',
      note: l10n.t('The log has no resulting state root. The chain can’t be verified beyond this log'),
    };
  if (last === undefined || prev === last) return undefined;
  if (prev === '') return { mark: 'break', note: l10n.t('The log has no previous state root, but the object had one') };
  return roots.includes(prev)
    ? {
        mark: 'fork',
        note: l10n.t('Two logs start from the same state root'),
      }
    : {
        mark: 'missing',
        note: l10n.t('No log ends at the state root where this log starts. At least one log is missing'),
      };
}

function formatVerdict(
  roots: readonly string[],
  current: string | undefined,
  {
    faults,
    unsettled,
    steps,
    start,
  }: {
    readonly faults: number;
    readonly unsettled: number;
    readonly steps: readonly Step[];
    readonly start: ChainStart;
  },
): { readonly verdict: string; readonly tone: Chain['tone'] } {
  if (steps.length === 0) return { verdict: l10n.t('No action logs found for this object.'), tone: 'unknown' };
  const unsettledText =
    unsettled === 0 ? '' : pluralize(unsettled, l10n.t('{0} log is not settled yet.|{0} logs are not settled yet.'));
  const faultsText =
    faults === 0 ? '' : pluralize(faults, l10n.t('The chain has {0} problem.|The chain has {0} problems.'));
  const join = (...sentences: readonly string[]): string => sentences.filter((text) => text !== '').join(' ');
  const last = roots.at(-1);
  if (current === undefined)
    return {
      verdict: join(l10n.t('The current state root is unknown.'), faultsText, unsettledText),
      tone: faults > 0 ? 'bad' : 'unknown',
    };
  if (last !== current) {
    const why =
      unsettled > 0
        ? l10n.t('A log that is not settled yet may be the reason.')
        : l10n.t('A log is missing or not visible to you.');
    const isPending = steps.some(({ mark, next }) => mark === 'unsettled' && next === current);
    return {
      verdict: isPending
        ? join(l10n.t('A log that is not settled yet leads to the current state root.'), faultsText)
        : join(l10n.t('The last log does not lead to the current state root.'), why, faultsText),
      tone: unsettled > 0 ? 'busy' : 'bad',
    };
  }
  if (faults > 0)
    return {
      verdict: join(l10n.t('The last log leads to the current state root.'), faultsText, unsettledText),
      tone: 'bad',
    };
  const since = steps.find(({ mark, entry }) => mark === undefined && entry.row.withoutTime !== true)?.entry.time;
  const verdict =
    start === 'creation'
      ? l10n.t('Verified from the creation up to the current state root.')
      : start === 'unmarked' || since === undefined
        ? l10n.t('Verified up to the current state root. Older logs may be missing.')
        : l10n.t(
            'Complete since {0}; older logs are not available.',
            getDateTimeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(since),
          );
  return { verdict: join(verdict, unsettledText), tone: unsettled > 0 ? 'busy' : start === 'later' ? 'unknown' : 'ok' };
}

/** Makes a chain link from a raw log; `undefined` if it does not name the object. */
export function getChainLink(object: string, entry: LogEntry, raw: unknown): ChainLink | undefined {
  const affected = isObject(raw) ? readAffectedObjects(raw).find(({ id }) => id === object) : undefined;
  if (affected === undefined) return undefined;
  const { previousRoot, nextRoot, created } = affected;
  return { entry, prev: created ? '' : previousRoot, next: nextRoot, created };
}

/** Sorts by time; logs of the same time, and those without one, follow their roots. */
function sortChain(links: readonly ChainLink[]): readonly ChainLink[] {
  const getTime = ({ entry: { row, time } }: ChainLink): number => (row.withoutTime === true ? Infinity : time);
  const left = [...links].sort((a, b) => getTime(a) - getTime(b) || (a.entry.id < b.entry.id ? -1 : 1));
  const ordered: ChainLink[] = [];
  let root: string | undefined;
  while (left.length > 0) {
    const [first] = left.map(getTime);
    const tied = left.filter((link) => [first, Infinity].includes(getTime(link)));
    const isStart = (link: ChainLink): boolean =>
      !(getTime(link) === Infinity ? left : tied).some((other) => other !== link && other.next === link.prev);
    const chosen =
      tied.find(({ prev, created }) => (root === undefined ? created : prev === root)) ?? tied.find(isStart) ?? tied[0];
    if (chosen === undefined) break;
    left.splice(left.indexOf(chosen), 1);
    ordered.push(chosen);
    if (chosen.entry.row.status === 'completed') root = chosen.next;
  }
  return ordered;
}

/** A known state of an object, and the place of the step after which it was: -1 before the first. */
export interface KnownState {
  readonly root: string;
  readonly raw: unknown;
  readonly step: number;
}

/** Lists the known states along a history, oldest first. A state to which the object returned is listed again. */
export function listKnownStates(
  steps: readonly Pick<Step, 'prev' | 'next' | 'mark'>[],
  getState: (root: string) => unknown,
): readonly KnownState[] {
  const states: KnownState[] = [];
  for (const [index, { prev, next, mark }] of steps.entries()) {
    if (mark === 'failed' || mark === 'unsettled') continue;
    for (const [root, step] of [
      [prev, index - 1],
      [next, index],
    ] as const) {
      const raw = root === '' || root === states.at(-1)?.root ? undefined : getState(root);
      if (raw !== undefined) states.push({ root, raw, step });
    }
  }
  return states;
}
