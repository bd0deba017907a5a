import * as l10n from '@vscode/l10n';
import { formatText } from '../../platform/text/message.ts';
import { OBJECT_DELETED, parseStoredJson, type AffectedObject, type RunRecord } from '../../model/runs/run-record.ts';

/**
 * The path of a run document: `/<run>/<part>/<name>.json`. Objects and possible logs have their index in the record.
 * `title`: of what the document shows, since a list of differences shows only the names; default: that of the run.
 */
export function getRunDocumentPath(run: RunRecord, part: string, index?: number, title = run.name): string {
  const segment = index === undefined ? part : `${part}-${String(index)}`;
  const name = title.replace(/[^\p{L}\p{N} .·#_-]+/gu, '_').slice(0, 60);
  return `/${run.id}/${segment}/${name} ${part}.${part === 'request' ? 'jsonc' : 'json'}`;
}

/** Parses the path of a run document; `undefined` for any other. */
export function parseRunDocumentPath(
  path: string,
): { readonly run: string; readonly part: string; readonly index?: number } | undefined {
  const match = /^\/([\w-]{1,80})\/(request|response|log|batch|summary|before|after|possible)(?:-(\d{1,4}))?\//.exec(
    path,
  );
  const [, run, part, index] = match ?? [];
  if (run === undefined || part === undefined) return undefined;
  return { run, part, ...(index !== undefined && { index: Number(index) }) };
}

/** The only known side of an object; `undefined` if both are, which a created or deleted object counts as. */
export function getOnlyKnownSide({ before, after, note, created }: AffectedObject): 'before' | 'after' | undefined {
  if (after === undefined) return note === OBJECT_DELETED ? undefined : 'before';
  // An object that was not read before is new only if the log reports its creation.
  const isNew = note === undefined && created === true;
  return before !== undefined || isNew ? undefined : 'after';
}

/** The indexes of the objects that an ended run has changed, as far as both of their sides are known. */
export function getChangedObjects({ phase, affected }: RunRecord): readonly number[] {
  if (phase !== 'ended') return [];
  return affected.flatMap((object, index) =>
    getOnlyKnownSide(object) === undefined && object.before !== object.after ? [index] : [],
  );
}

/** Explains why a side is missing. */
export function formatMissingSide(run: RunRecord, object: AffectedObject): string {
  if (object.note !== undefined)
    return object.note === OBJECT_DELETED ? l10n.t('no longer exists') : formatText(object.note);
  if (object.before === undefined && object.after === undefined) return l10n.t('not read');
  const side = getOnlyKnownSide(object);
  if (side === undefined) return '';
  if (side === 'after') return l10n.t('not read before');
  return run.phase === 'ended' ? l10n.t('not read afterwards') : l10n.t('not read again yet');
}

/** The text of a part of a run; `undefined` if the run has none. */
export function getRunDocumentText(run: RunRecord, part: string, index = 0): string | undefined {
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
      return formatRunSummary(run);
    default:
      return undefined;
  }
}

/** The run without its own ids and times, so that only real differences of two runs show. */
export function formatRunSummary(run: RunRecord): string {
  const parsed = (text: string | undefined): unknown => parseStoredJson(text, text);
  const summary = {
    file: run.name,
    connection: run.connection,
    identity: run.identity,
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
  return `${JSON.stringify(summary, null, 2)}\n`;
}
