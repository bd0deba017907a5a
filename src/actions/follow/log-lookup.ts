import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../platform/json/json.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { formatId, getLogIds, type Clock } from './follow.ts';
import { matchActionLog, type RequestFacts } from './match-action-log.ts';
import type { JournalRow } from '../bulk/journal/journal-format.ts';
import type { SignatureIndex } from './signature-index.ts';

/** Possible logs of a row that are stored. */
const MAX_POSSIBLE = 3;
/** Of a request that is no longer known. */
const NO_FACTS = { kind: '', values: [] };

interface LookupOptions {
  readonly time: Clock;
  /** milliseconds to search */
  readonly duration: number;
  /** true for the id of a log or an action of another row or run */
  readonly isKnown: (id: string) => boolean;
  readonly signatures: SignatureIndex;
  /** milliseconds by which the clock of the platform is ahead */
  readonly getClockAhead: () => number;
}

interface UnknownRow {
  readonly result: JournalRow;
  readonly request: RequestFacts | undefined;
  /** milliseconds since the epoch */
  readonly until: number;
  /** the first pass that it is searched for in as a whole */
  readonly firstPass: number;
  possible: Set<string>;
}

/**
 * Finds the logs of rows whose answer was lost, in passes over the list of logs. Only a signature that no other row has
 * proves that a log is of a row: the same action may be of another user, and a log from before the request of another batch.
 */
export class LogLookup {
  readonly #options: LookupOptions;
  readonly #rows = new Map<number, UnknownRow>();
  /** milliseconds since the epoch */
  #passStart = 0;
  #pass = 0;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  get size(): number {
    return this.#rows.size;
  }

  get results(): readonly JournalRow[] {
    return [...this.#rows.values()].map(({ result }) => result);
  }

  add(result: JournalRow, request: RequestFacts | undefined): void {
    const { time, duration } = this.#options;
    const until = (result.sentAt ?? time.now()) + duration;
    this.#rows.set(result.row, { result, request, until, firstPass: this.#pass + 1, possible: new Set() });
  }

  /** Starts a pass. */
  begin(): void {
    this.#passStart = this.#options.time.now();
    this.#pass++;
    for (const row of this.#rows.values()) row.possible = new Set();
  }

  /** Returns the row that the log belongs to, which is no longer searched for; `undefined` if none is proven. */
  match(log: JsonObject): JournalRow | undefined {
    if (this.isEmpty || getLogIds(log).some(this.#options.isKnown)) return undefined;
    const { signatures, getClockAhead } = this.#options;
    const signature = typeof log['signature'] === 'string' ? log['signature'] : undefined;
    const digest = getSignatureDigest(signature);
    const id = formatId(log['id']);
    for (const { result, request, possible } of this.#rows.values()) {
      const isSameSignature = digest !== undefined && digest === result.signature;
      const facts = { ...(request ?? NO_FACTS), signature: isSameSignature ? signature : undefined };
      const quality = matchActionLog(log, facts, (result.sentAt ?? 0) + getClockAhead());
      if (quality === 'signed' && digest !== undefined && signatures.isOfOneRow(digest)) {
        this.#rows.delete(result.row);
        return result;
      }
      if (quality === undefined || quality === 'kind') continue;
      if (id !== undefined && possible.size < MAX_POSSIBLE) possible.add(formatLine(id));
    }
    return undefined;
  }

  /**
   * Ends a pass. Returns the rows that are no longer searched for. `isComplete`: all logs were read; `note`: why not.
   */
  end(isComplete: boolean, note?: string): readonly JournalRow[] {
    return [...this.#rows.values()]
      .filter(({ until, firstPass }) => this.#pass >= firstPass && this.#passStart >= until)
      .map(({ result, request, possible }) => {
        this.#rows.delete(result.row);
        const uncompared = request === undefined ? l10n.t('It could not be compared with the action logs') : undefined;
        const unread = isComplete ? undefined : (note ?? l10n.t('There are too many action logs'));
        return describeRow(result, [...possible], unread ?? uncompared);
      });
  }
}

/** `note`: why its log may be there nevertheless. */
function describeRow(result: JournalRow, possibleLogs: readonly string[], note: string | undefined): JournalRow {
  const { reason, cause: known, isLookedUp: _old, possibleLogs: _logs, ...rest } = result;
  if (result.state === 'accepted')
    return {
      ...rest,
      reason: l10n.t(
        'The response contained no action ID, and no action log could be matched to this row with certainty',
      ),
    };
  // The reason of a resumed row has the result of the last search already.
  const cause = known ?? reason ?? l10n.t('The response was lost');
  if (possibleLogs.length > 0)
    return {
      ...rest,
      cause,
      reason: `${cause}. ${l10n.t('An action log may belong to this row. Check it')}`,
      possibleLogs,
      isLookedUp: true,
    };
  if (note !== undefined)
    return { ...rest, cause, reason: `${cause}. ${l10n.t('{0}. It is unknown whether it was executed', note)}` };
  return { ...rest, cause, reason: `${cause}. ${l10n.t('No action log was found')}`, isLookedUp: true };
}

/** SHA-256 of a signature; `undefined` for one that is too short to prove anything. */
export function getSignatureDigest(signature: unknown): string | undefined {
  if (typeof signature !== 'string' || signature.length < 32) return undefined;
  return createHash('sha256').update(signature).digest('hex');
}
