import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { formatId, createRecentLogsQuery, getLogIds, type FollowReader, type Clock } from './follow.ts';
import { matchActionLog, type MatchQuality, type RequestFacts } from './match-action-log.ts';
import { formatJson, type PossibleLog } from '../../model/runs/run-record.ts';

export interface SearchOptions {
  readonly request: RequestFacts | undefined;
  /** when the request was sent, milliseconds by the platform's clock */
  readonly sentAt: number;
  /** logs from after this moment do not match; absent: now */
  readonly until?: number;
  readonly reads: Pick<FollowReader, 'logs'>;
  readonly time: Clock;
  readonly signal: AbortSignal;
  /** milliseconds to search; 0 reads once */
  readonly duration: number;
  /** milliseconds between the first two reads */
  readonly initialInterval: number;
  readonly knownLogs?: (() => ReadonlySet<string>) | undefined;
  readonly isPermanentError: (error: unknown) => boolean;
  readonly report: (found: readonly PossibleLog[]) => void;
  readonly onError: (error: unknown) => void;
}

export interface SearchResult {
  /** best match first, at most 10 */
  readonly possible: readonly PossibleLog[];
  /** has the signature of the request */
  readonly signed?: JsonObject;
  /** the only log that equals the request in kind and parameters */
  readonly equal?: JsonObject;
  /** the last read succeeded, so that an empty result proves something */
  readonly isConclusive: boolean;
}

/**
 * Searches for the log of a request whose response does not name it. Resolves when a log matches, or with the last
 * result on timeout. Never rejects.
 */
export async function searchActionLogs(options: SearchOptions): Promise<SearchResult> {
  const { time, signal, reads, sentAt } = options;
  const until = time.now() + options.duration;
  let found: SearchResult = { possible: [], isConclusive: false };
  let wait = options.initialInterval;
  for (;;) {
    const last = time.now() >= until;
    try {
      found = rankLogs(await reads.logs(createRecentLogsQuery(sentAt, options.until), signal), options);
      options.report(found.possible);
      if (found.possible.some(({ sameParams }) => sameParams)) return found;
    } catch (error) {
      found = { ...found, isConclusive: false };
      if (signal.aborted) return found;
      options.onError(error);
      if (options.isPermanentError(error)) return found;
    }
    if (last) return found;
    try {
      await time.sleep(Math.min(wait, Math.max(0, until - time.now())), signal);
    } catch {
      return { ...found, isConclusive: false };
    }
    wait *= 2;
  }
}

const ORDER: readonly MatchQuality[] = ['signed', 'equal', 'params', 'kind'];

function rankLogs(logs: readonly unknown[], { request, sentAt, knownLogs }: SearchOptions): SearchResult {
  if (request === undefined) return { possible: [], isConclusive: true };
  const known = knownLogs?.();
  const fitting = logs.filter(isObject).flatMap((log) => {
    const id = formatId(log['id']);
    const fit = matchActionLog(log, request, sentAt);
    const isKnown = getLogIds(log).some((one) => known?.has(one) === true);
    return fit === undefined || id === undefined || isKnown ? [] : [{ log, id, fit }];
  });
  fitting.sort((a, b) => ORDER.indexOf(a.fit) - ORDER.indexOf(b.fit));
  const only = (fit: MatchQuality): JsonObject | undefined => {
    const matches = fitting.filter((one) => one.fit === fit);
    return matches.length === 1 ? matches[0]?.log : undefined;
  };
  const [signed, equal] = [only('signed'), only('equal')];
  return {
    possible: fitting.slice(0, 10).map(({ log, id, fit }) => createPossibleLog(log, id, fit)),
    ...(signed !== undefined && { signed }),
    ...(equal !== undefined && { equal }),
    isConclusive: true,
  };
}

function createPossibleLog(log: JsonObject, id: string, fit: MatchQuality): PossibleLog {
  const [status, signer, when] = ['status', 'signer', 'when_created'].map((name) => log[name]);
  return {
    id,
    sameParams: fit !== 'kind',
    text: formatJson(log),
    ...(typeof status === 'string' && { status }),
    ...(typeof signer === 'string' && { signer }),
    ...(typeof when === 'string' && { when }),
  };
}
