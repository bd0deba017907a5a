/** The documents of a run: which there are, what they hold, and their addresses. Pure: texts from a record. */
import { GONE, parsedText, type AffectedObject, type RunRecord } from './record.ts';

export const RUN_SCHEME = 'smartobject-run';

export type Part = 'request' | 'response' | 'log' | 'batch' | 'summary';

/** `/<run>/<part>/<name>.json`; objects and possible logs carry their place in the record. */
export function partPath(run: RunRecord, part: string, index?: number): string {
  const place = index === undefined ? part : `${part}-${String(index)}`;
  const name = run.name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 60);
  return `/${run.id}/${place}/${name} ${part}.${part === 'request' ? 'jsonc' : 'json'}`;
}

/** What a path names; `undefined` where it is none of ours. */
export function partOfPath(
  path: string,
): { readonly run: string; readonly part: string; readonly index?: number } | undefined {
  const match = /^\/([\w-]{1,80})\/(request|response|log|batch|summary|before|after|possible)(?:-(\d{1,4}))?\//.exec(
    path,
  );
  const [, run, part, index] = match ?? [];
  if (run === undefined || part === undefined) return undefined;
  return { run, part, ...(index !== undefined && { index: Number(index) }) };
}

/** The one side that is known of an object; `undefined` where both are, an object that is gone or new among them. */
export function sideOf({ before, after, note, created }: AffectedObject): 'before' | 'after' | undefined {
  if (after === undefined) return note === GONE ? undefined : 'before';
  // An object that was not read before is new only where the log says that it was made.
  const isNew = note === undefined && created === true;
  return before !== undefined || isNew ? undefined : 'after';
}

/** Why a side is missing. */
export function objectWords(run: RunRecord, object: AffectedObject): string {
  if (object.note !== undefined) return object.note;
  if (object.before === undefined && object.after === undefined) return 'not read';
  const side = sideOf(object);
  if (side === undefined) return '';
  if (side === 'after') return 'not read before';
  return run.phase === 'ended' ? 'not read afterwards' : 'not read again yet';
}

/** The text of a part; `undefined` where the run has none. */
export function partText(run: RunRecord, part: string, index = 0): string | undefined {
  switch (part) {
    case 'request':
      return run.source;
    case 'response':
      return run.response;
    case 'log':
      return run.log;
    case 'batch':
      return run.batch;
    case 'before':
      return run.affected[index]?.before ?? '';
    case 'after':
      return run.affected[index]?.after ?? '';
    case 'possible':
      return run.possible[index]?.text;
    case 'summary':
      return summaryText(run);
    default:
      return undefined;
  }
}

/** A run in comparable form: without ids and times of its own, so that two runs differ where they really do. */
export function summaryText(run: RunRecord): string {
  const parsed = (text: string | undefined): unknown => parsedText(text, text);
  const whole = {
    file: run.name,
    connection: run.connection,
    started: new Date(run.started).toISOString(),
    outcome: run.outcome ?? run.phase,
    reason: run.reason,
    request: run.source.split('\n'),
    response: parsed(run.response),
    log: parsed(run.log),
    batch: { id: run.batchId, status: run.batchStatus, transaction: run.transaction },
    objects: run.affected.map(({ id, templateId, previousRoot, nextRoot, after }) => ({
      id,
      template_id: templateId,
      previous_root: previousRoot,
      next_root: nextRoot,
      after: parsed(after),
    })),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
