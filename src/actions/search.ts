/** Looks for the action log of a request whose answer does not name it. Pure: time and reads are injected. */
import { isObject, type JsonObject } from '../platform/json.ts';
import { idText, recentLogs, type FollowReads, type FollowTime } from './follow.ts';
import { looksLike, type Fit, type RequestFacts } from './possible.ts';
import { prettyOf, type PossibleLog } from './record.ts';

export interface SearchOptions {
  readonly request: RequestFacts | undefined;
  /** when the request was sent, milliseconds by the platform's clock */
  readonly sentAt: number;
  /** logs from after this moment are another's; absent: up to now */
  readonly until?: number;
  readonly reads: Pick<FollowReads, 'logs'>;
  readonly time: FollowTime;
  readonly signal: AbortSignal;
  /** milliseconds to look; 0 looks once */
  readonly forMilliseconds: number;
  /** milliseconds between the first two looks */
  readonly first: number;
  readonly knownLogs?: (() => ReadonlySet<string>) | undefined;
  readonly hopeless: (error: unknown) => boolean;
  readonly report: (found: readonly PossibleLog[]) => void;
  readonly failed: (error: unknown) => void;
}

export interface Found {
  /** the best first, at most 10 */
  readonly possible: readonly PossibleLog[];
  /** carries the request's own signature */
  readonly signed?: JsonObject;
  /** the only log that equals the request in kind and parameters */
  readonly equal?: JsonObject;
  /** the last look was answered, so that finding nothing means something */
  readonly looked: boolean;
}

/** Resolves when a log fits, or with what the last look showed when the time is over. Never rejects. */
export async function search(options: SearchOptions): Promise<Found> {
  const { time, signal, reads, sentAt } = options;
  const until = time.now() + options.forMilliseconds;
  let found: Found = { possible: [], looked: false };
  let wait = options.first;
  for (;;) {
    const last = time.now() >= until;
    try {
      found = judge(await reads.logs(recentLogs(sentAt, options.until), signal), options);
      options.report(found.possible);
      if (found.possible.some(({ sameParams }) => sameParams)) return found;
    } catch (error) {
      found = { ...found, looked: false };
      if (signal.aborted) return found;
      options.failed(error);
      if (options.hopeless(error)) return found;
    }
    if (last) return found;
    try {
      await time.sleep(Math.min(wait, Math.max(0, until - time.now())), signal);
    } catch {
      return { ...found, looked: false };
    }
    wait *= 2;
  }
}

const ORDER: readonly Fit[] = ['signed', 'equal', 'params', 'kind'];

function judge(logs: readonly unknown[], { request, sentAt, knownLogs }: SearchOptions): Found {
  if (request === undefined) return { possible: [], looked: true };
  const known = knownLogs?.();
  const fitting = logs.filter(isObject).flatMap((log) => {
    const id = idText(log['id']);
    const fit = looksLike(log, request, sentAt);
    return fit === undefined || id === undefined || known?.has(id) === true ? [] : [{ log, id, fit }];
  });
  fitting.sort((a, b) => ORDER.indexOf(a.fit) - ORDER.indexOf(b.fit));
  const only = (fit: Fit): JsonObject | undefined => {
    const of = fitting.filter((one) => one.fit === fit);
    return of.length === 1 ? of[0]?.log : undefined;
  };
  const [signed, equal] = [only('signed'), only('equal')];
  return {
    possible: fitting.slice(0, 10).map(({ log, id, fit }) => possibleLog(log, id, fit)),
    ...(signed !== undefined && { signed }),
    ...(equal !== undefined && { equal }),
    looked: true,
  };
}

function possibleLog(log: JsonObject, id: string, fit: Fit): PossibleLog {
  const [status, signer, when] = ['status', 'signer', 'when_created'].map((name) => log[name]);
  return {
    id,
    sameParams: fit !== 'kind',
    text: prettyOf(log),
    ...(typeof status === 'string' && { status }),
    ...(typeof signer === 'string' && { signer }),
    ...(typeof when === 'string' && { when }),
  };
}
