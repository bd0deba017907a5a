/** Pure: what changed an object: its logs as a chain of state roots, with each break, fork and missing log marked. */
import { affectedObjectsOf, feeOf } from '../platform/action-log-fields.ts';
import { isObject, own, parseJson } from '../platform/json.ts';
import { NO_REASON, reasonSources, type LogRow } from '../webviews/protocol-logs.ts';
import type { LogEntry } from './entry.ts';

export interface Step extends Link {
  readonly mark?: Mark;
  readonly note?: string;
}

export type Mark = 'break' | 'fork' | 'missing' | 'unsettled' | 'failed';

export interface Chain {
  /** oldest first */
  readonly steps: readonly Step[];
  readonly verdict: string;
  readonly tone: 'ok' | 'bad' | 'busy' | 'unknown';
}

/** A log that names the object: what it made of what. */
export interface Link {
  readonly entry: LogEntry;
  /** empty: the log names none */
  readonly prev: string;
  readonly next: string;
  /** the log made the object */
  readonly created: boolean;
}

/**
 * `current`: the object's own root of now; `undefined` where it could not be read. An entry that failed changed nothing;
 * one that has not settled has changed nothing yet.
 */
export function chainOf(named: readonly Link[], current: string | undefined): Chain {
  const steps: Step[] = [];
  /** the roots so far, in order; a state may come back, so the last one counts */
  const reached: string[] = [];
  let faults = 0;
  let open = 0;
  let beginning = true;
  for (const link of inChainOrder(named)) {
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
      open++;
      const word = status === '' ? 'no status' : status;
      steps.push({ ...link, mark: 'unsettled', note: `Not settled (${word}): it may still change nothing` });
      continue;
    }
    const last = reached.at(-1);
    const problem = problemOf(link, last, reached);
    if (problem !== undefined) faults++;
    if (last === undefined && problem === undefined && !link.created) {
      beginning = false;
      steps.push({ ...link, note: 'The log names no root before it, and does not say that it made the object' });
    } else steps.push({ ...link, ...problem });
    reached.push(link.next);
  }
  return { steps, ...verdictOf(reached, current, { faults, open, count: steps.length, beginning }) };
}

function problemOf(
  { prev, next, created }: Link,
  last: string | undefined,
  reached: readonly string[],
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
  return reached.includes(prev)
    ? {
        mark: 'fork',
        note: 'It starts from an earlier state than the log before it left: two logs follow the same root',
      }
    : { mark: 'missing', note: 'No log here leads to the root it starts from: at least one log is missing' };
}

function verdictOf(
  reached: readonly string[],
  current: string | undefined,
  {
    faults,
    open,
    count,
    beginning,
  }: {
    readonly faults: number;
    readonly open: number;
    readonly count: number;
    /** the first log made the object, as far as is said */
    readonly beginning: boolean;
  },
): { readonly verdict: string; readonly tone: Chain['tone'] } {
  if (count === 0) return { verdict: 'No action log names this object.', tone: 'unknown' };
  const waiting = open === 0 ? '' : ` ${open === 1 ? 'One log has' : `${open} logs have`} not settled.`;
  const broken =
    faults === 0 ? '' : ` The chain is not whole: ${faults === 1 ? 'one place is' : `${faults} places are`} marked.`;
  const last = reached.at(-1);
  if (current === undefined)
    return {
      verdict: `The object’s root of now is not known.${broken}${waiting}`,
      tone: faults > 0 ? 'bad' : 'unknown',
    };
  if (last !== current) {
    const why =
      open > 0
        ? ' A log that has not settled may be the reason.'
        : ' A log is missing, or not visible to this identity.';
    return {
      verdict: `The last log does not lead to the object’s root of now.${why}${broken}`,
      tone: open > 0 ? 'busy' : 'bad',
    };
  }
  if (faults > 0) return { verdict: `The last log leads to the object’s root of now.${broken}${waiting}`, tone: 'bad' };
  return {
    verdict: beginning
      ? `The chain is whole, and leads to the object’s root of now.${waiting}`
      : `The chain leads to the object’s root of now. Whether older logs are missing cannot be told.${waiting}`,
    tone: open > 0 ? 'busy' : 'ok',
  };
}

/** Of the raw log, since an entry does not hold a long one. `undefined` where it does not name the object. */
export function linkOf(object: string, entry: LogEntry, raw: unknown): Link | undefined {
  const affected = isObject(raw) ? affectedObjectsOf(raw).find(({ id }) => id === object) : undefined;
  if (affected === undefined) return undefined;
  const { previousRoot, nextRoot, created } = affected;
  return { entry, prev: created ? '' : previousRoot, next: nextRoot, created };
}

/** `undefined` where it is not held. */
export function rawOf(entry: LogEntry): unknown {
  return entry.text === undefined ? undefined : parseJson(entry.text);
}

/** By time; those of the same moment as their roots lead on, whatever order they came in. */
function inChainOrder(links: readonly Link[]): readonly Link[] {
  const left = [...links].sort((a, b) => a.entry.time - b.entry.time || (a.entry.id < b.entry.id ? -1 : 1));
  const ordered: Link[] = [];
  let root: string | undefined;
  while (left.length > 0) {
    const time = left[0]?.entry.time;
    const tied = left.filter(({ entry }) => entry.time === time);
    const starts = (link: Link): boolean => !tied.some((other) => other !== link && other.next === link.prev);
    const chosen =
      tied.find(({ prev, created }) => (root === undefined ? created : prev === root)) ?? tied.find(starts) ?? tied[0];
    if (chosen === undefined) break;
    left.splice(left.indexOf(chosen), 1);
    ordered.push(chosen);
    if (chosen.entry.row.status === 'completed') root = chosen.next;
  }
  return ordered;
}

/** Paths whose value is another, with both values: for two JSON values of one object. */
export function changesBetween(before: unknown, after: unknown, most = 20): readonly string[] {
  const found: string[] = [];
  const walk = (a: unknown, b: unknown, path: string): void => {
    if (found.length > most || same(a, b)) return;
    if (isObject(a) && isObject(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        walk(own(a, name), own(b, name), path === '' ? name : `${path}.${name}`);
    } else found.push(`${path}: ${short(a)} → ${short(b)}`);
  };
  walk(before, after, '');
  return found.length > most ? [...found.slice(0, most), 'and more'] : found;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function short(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** One failure as Markdown that can be pasted into an issue; the caller masks secrets. */
export interface ReportParts {
  /** with its reason */
  readonly row: LogRow;
  /** the raw log, or why it could not be read */
  readonly raw: unknown;
  readonly connection: string;
  readonly environment: string;
  readonly batch: string;
  readonly object: string;
  readonly run: string;
}

export function failureReport({ row, raw, connection, environment, batch, object, run }: ReportParts): string {
  const why = row.reasonFrom === undefined ? NO_REASON : `${row.message} (${reasonSources[row.reasonFrom]})`;
  const title = row.alias || row.action || 'action';
  const line = (name: string, value: string): string => (value === '' ? '' : `| ${name} | ${cell(value)} |\n`);
  const block = (name: string, text: string): string => {
    if (text === '') return '';
    // A fence longer than any run of backticks in the text, so that it cannot end early.
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `\n## ${name}\n\n${fence}json\n${text.trimEnd()}\n${fence}\n`;
  };
  return [
    `# Failed action: ${cell(title)}\n\n| | |\n| --- | --- |\n`,
    line('Why', why),
    line('Status', row.status),
    line('Connection', connection),
    line('Environment', environment),
    line('Created', new Date(row.time).toISOString()),
    line('Log', row.id),
    line('Signer', row.signer),
    line('Fee', isObject(raw) ? feeOf(raw) : row.fee),
    line('Objects', row.objects.join(', ')),
    line('Batch', row.batch),
    line('Run', run),
    block('Action log', typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2)),
    block('Batch', batch),
    block('Object as it is now', object),
  ].join('');
}

/** In a table's cell nothing is markup. */
function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&').replace(/\s+/g, ' ');
}
