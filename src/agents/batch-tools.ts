/** The tools for an action over rows of data: a preview and, if execution is allowed, the batch. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { getRequestBody } from '../actions/file/action-file.ts';
import { createBatchPlatform } from '../actions/bulk/batch-platform.ts';
import type { Batch, BatchData, BatchOptions, BatchTotals, RowState } from '../actions/bulk/batch.ts';
import { formatRows, openDataFile, readDataText } from '../actions/bulk/data/open-data.ts';
import { getBatchesFolder } from '../actions/bulk/journal/batch-place.ts';
import { createBatch, resumeBatch } from '../actions/bulk/open-batch.ts';
import { readChosenRows } from '../actions/bulk/rows/row-variables.ts';
import { validateBatch, type Validation } from '../actions/bulk/validate-batch.ts';
import { defaultFollowLimits } from '../actions/follow/snapshot.ts';
import { LiveData } from '../actions/language/live-data.ts';
import { createPreview, toJsonPreview } from '../actions/preview/preview.ts';
import type { PreparedRun } from '../actions/run/prepare.ts';
import { writePrivateFile } from '../model/files/write-file.ts';
import { getErrorMessage } from '../model/text/error-message.ts';
import { reportProgress } from '../platform/requests/progress.ts';
import { noVariables, prepareCall } from './preview-tool.ts';
import { getRunSession, parseRunInput, prepareRun, RepeatGuard } from './run-tool.ts';
import {
  actionText,
  connection,
  defineTool,
  describe,
  endWith,
  getSession,
  MAX_DURATION,
  offset,
  text,
  ToolInputError,
  type Tool,
  type ToolContext,
  type ToolSession,
} from './tool.ts';

export const BATCH_TOOL = 'smartObjects_runBatch';

const MAX_ROWS = 1000;
/** Rows whose requests a preview returns. */
const MAX_REQUESTS = 20;
/** Milliseconds before the end of a call in which responses are waited for, and nothing is sent. */
const GRACE_PERIOD = 5000;

const dataText = describe(
  z.string().check(z.minLength(1), z.maxLength(200_000)),
  'Text of the rows: CSV with a header, NDJSON, or a JSON array of objects. ${row:COLUMN} in the action stands for a cell.',
  'id,to\nobj_117de336dd9acbf8c65f61d1,0x6ff2e74aa9e6a3c9dcdf32fd542c435fcbd67775',
);

export interface BatchCall {
  readonly prepared: PreparedRun;
  readonly data: BatchData;
  readonly session: ToolSession;
  readonly folder: string;
  /** the folder has its journal */
  readonly isResumed: boolean;
}

export const previewBatch = defineTool({
  name: 'smartObjects_previewBatch',
  input: z.strictObject({
    connection,
    text: actionText,
    data: dataText,
    rows: z.optional(
      describe(text, `Rows whose requests are returned, at most ${String(MAX_REQUESTS)}. Default: 1.`, '1,5-7'),
    ),
    offset,
  }),
  output: z.looseObject({
    rowCount: z.int(),
    errors: z.int(),
    warnings: z.int(),
    effects: z.array(z.looseObject({ effect: z.string(), rowCount: z.int() })),
    findings: z.array(z.looseObject({ severity: z.string(), message: z.string() })),
    requests: z.array(z.looseObject({ row: z.int() })),
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const prepared = prepareCall(input.text, context);
    const data = await readRows(input.data);
    const { errorCount, warningCount, effects, findings } = await checkRows({ prepared, data, session }, signal);
    const requests: object[] = [];
    let note: string | undefined;
    try {
      for (const { number, row } of readChosenRows(prepared.file, data, input.rows ?? '1')) {
        if (requests.length === MAX_REQUESTS) {
          note = `Not all of the rows that were chosen are among the requests: call again with "rows" from ${String(number)} on.`;
          break;
        }
        const options = {
          variables: { ...noVariables, row },
          getSigner: context.getSigner,
          secrets: context.secrets(),
        };
        const { effect, request, notes } = await describeRequest(prepared, options, signal);
        requests.push({ row: number, effect, request, ...(notes.length > 0 && { notes }) });
      }
    } catch (error) {
      throw new ToolInputError(`rows: ${getErrorMessage(error)}; the data has ${String(data.rows.length)} rows.`);
    }
    const counts = { rowCount: data.rows.length, errors: errorCount, warnings: warningCount };
    const shown = { ...counts, effects, findings, requests };
    return { source: session.profile.name, data: shown, ...(note !== undefined && { note }) };
  },
});

/** What a row sends; nothing is read for it. */
async function describeRequest(
  prepared: PreparedRun,
  options: Parameters<typeof createPreview>[1],
  signal: AbortSignal,
): Promise<{ readonly effect: string; readonly request: unknown; readonly notes: readonly string[] }> {
  const preview = await createPreview(prepared, options, signal);
  const { request } = { request: undefined, ...toJsonPreview(preview) };
  return { effect: preview.effect, request, notes: preview.notes.slice(0, -1) };
}

/** Throws ToolInputError for text without rows, or with too many. */
async function readRows(content: string): Promise<BatchData> {
  const start = content.trimStart()[0];
  const extension = start === '[' ? 'json' : start === '{' ? 'ndjson' : 'csv';
  const data = await readDataText(`data.${extension}`, content).catch((error: unknown) => {
    throw new ToolInputError(`Nothing was sent. ${getErrorMessage(error)}.`);
  });
  if (data.rows.length === 0 || data.rows.length > MAX_ROWS)
    throw new ToolInputError(
      `Nothing was sent. The data has ${String(data.rows.length)} rows; 1 to ${String(MAX_ROWS)} are allowed.`,
    );
  return data;
}

async function checkRows(
  { prepared, data, session }: Pick<BatchCall, 'prepared' | 'data' | 'session'>,
  signal: AbortSignal,
): Promise<Validation> {
  const isSignedIn = session.signedOutReason === undefined;
  if (isSignedIn) await session.loadPermissions(signal);
  return validateBatch({
    action: { name: prepared.source.name, file: prepared.file },
    data,
    signal,
    ...(isSignedIn && { live: new LiveData(session).preflight }),
  });
}

const input = z.strictObject({
  connection,
  text: z.optional(actionText),
  data: z.optional(dataText),
  resume: z.optional(
    describe(
      z.string().check(z.regex(/^[\da-f-]{36}$/)),
      'Instead of text and data: `batch` of an earlier result, to send the rest.',
      '7d0c5b1e-3f52-4a86-9a3c-0f6a52b1c9de',
    ),
  ),
});

/** Checks the input of a call. Rejects with ToolInputError for what is not sent. */
export async function readBatchCall(value: unknown, context: ToolContext): Promise<BatchCall> {
  const { connection, text: action, data: rows, resume } = parseRunInput(input, value);
  const session = getRunSession(context, connection);
  const root = path.join(path.dirname(getBatchesFolder()), 'agent-batches');
  if (resume !== undefined && action === undefined && rows === undefined) {
    const folder = path.join(root, resume);
    const file = { path: path.join(folder, 'data.ndjson'), name: 'data' };
    const [stored, data] = await Promise.all([
      fs.readFile(path.join(folder, 'batch.action.json'), 'utf8'),
      openDataFile(file),
    ]).catch(() => {
      throw new ToolInputError('Nothing was sent. There is no such batch, or all of its rows are decided.');
    });
    return { prepared: prepareRun(stored, context, true), data, session, folder, isResumed: true };
  }
  if (resume !== undefined || action === undefined || rows === undefined)
    throw new ToolInputError('Nothing was sent. Give text and data, or resume alone.');
  const prepared = prepareRun(action, context, true);
  const data = await readRows(rows);
  // An agent whose call was canceled knows no name to resume, and calls again with the same rows.
  const content = [session.profile.baseUrl, session.identityName, getRequestBody(prepared.file), data.digest];
  const name = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 36);
  const folder = path.join(root, name);
  if (existsSync(getJournal(folder)))
    throw new ToolInputError(
      `Nothing was sent. These rows are those of a batch that is not decided: call again with \`resume\` alone, "${name}".`,
    );
  return { prepared, data, session, folder, isResumed: false };
}

const getJournal = (folder: string): string => path.join(folder, 'journal.jsonl');

/** What a confirmation shows of a batch. Rejects with ToolInputError for rows with errors. */
export async function checkBatchCall(call: BatchCall, signal: AbortSignal): Promise<Validation> {
  const checked = await checkRows(call, signal);
  if (checked.errorCount === 0) return checked;
  const known = checked.findings.filter(({ severity }) => severity === 'error');
  throw new ToolInputError(`Nothing was sent. The rows have ${String(checked.errorCount)} errors.`, known);
}

/** As `checkBatchCall`; rejects with ToolInputError once `stopped` is aborted, too. */
async function checkInTime(call: BatchCall, stopped: AbortSignal): Promise<Validation> {
  return endWith(stopped, checkBatchCall(call, stopped)).catch((error: unknown) => {
    if (!stopped.aborted) throw error;
    throw new ToolInputError('Nothing was sent. The platform did not respond in time for a check of the rows.');
  });
}

interface BatchToolOptions {
  /** Rejects with ToolInputError for a call that must not be sent. */
  readonly confirm?: (call: BatchCall, checked: Validation | undefined) => Promise<void>;
  /** aborted: sends nothing more */
  readonly closing?: AbortSignal;
  /** tells the user about a batch that its client no longer waits for */
  readonly note?: (sentence: string) => void;
  /** ends the sending of a call; by default in time for its result */
  readonly createDeadline?: () => AbortSignal;
  /** shared by the tools of one user */
  readonly repeats?: RepeatGuard;
}

/** Defines the tool: a call sends each row at most once, and one that resumes it sends only the others. */
export function defineBatchTool({
  confirm,
  closing,
  note,
  createDeadline = () => AbortSignal.timeout(MAX_DURATION - GRACE_PERIOD),
  repeats = new RepeatGuard(),
}: BatchToolOptions = {}): Tool {
  return defineTool({
    name: BATCH_TOOL,
    input,
    endsInTime: true,
    output: z.looseObject({ batch: z.optional(z.string()), rowCount: z.int(), counts: z.record(z.string(), z.int()) }),
    async run(value, context, signal) {
      const call = await readBatchCall(value, context);
      const { isResumed, session, folder } = call;
      const stopped = AbortSignal.any([signal, createDeadline(), ...(closing === undefined ? [] : [closing])]);
      const send = async (): Promise<BatchResult> => {
        // Rows that were sent would be found wrong now.
        const checked = isResumed ? undefined : await checkInTime(call, stopped);
        await confirm?.(call, checked);
        return sendRows(call, context, stopped);
      };
      const { isOpen, ...data } = await repeats.run(JSON.stringify([isResumed, folder]), send, () => true);
      const { batch, rowCount, counts } = data;
      if (signal.aborted || closing?.aborted === true)
        note?.(
          `${String(rowCount - counts.notSent)} of ${String(rowCount)} rows of a batch were sent, ${String(counts.completed)} completed${batch === undefined ? '' : `. An agent can resume it: ${batch}`}`,
        );
      return {
        source: session.profile.name,
        data,
        ...(isOpen && {
          note:
            data.counts.notSent > 0
              ? 'Not all rows were sent: call again with `resume` alone, the value of `batch`. No row is sent twice.'
              : 'All rows were sent, and none is sent again: look at the action logs of those that are not decided. `resume` only searches for these logs again.',
        }),
      };
    },
  });
}

interface BatchResult {
  readonly batch?: string;
  readonly isOpen: boolean;
  readonly rowCount: number;
  readonly counts: BatchTotals['counts'];
  readonly reason?: string;
  /** rows without success */
  readonly rows: readonly object[];
}

const openStates: readonly RowState[] = ['notSent', 'sending', 'accepted', 'unknown'];

/** Sends rows until all are decided or `stopped`. Rejects with ToolInputError for a journal that cannot be opened. */
async function sendRows(
  { prepared, data, session, folder, isResumed }: BatchCall,
  { secrets, getSigner }: ToolContext,
  stopped: AbortSignal,
): Promise<BatchResult> {
  const { name, baseUrl, environment } = session.profile;
  const options: BatchOptions = {
    journal: getJournal(folder),
    action: { name: 'batch.action.json', file: prepared.file },
    data,
    connection: {
      name,
      baseUrl,
      ...(environment !== undefined && { environment }),
      ...(session.identityName !== undefined && { identity: session.identityName }),
    },
    platform: createBatchPlatform(session.client),
    variables: noVariables,
    getSigner,
    secrets: secrets(),
    pacing: { concurrency: 2 },
    followsLedgerBatches: false,
    limits: { ...defaultFollowLimits, batch: 0 },
  };
  if (!isResumed) await storeBatch(folder, prepared, data);
  const opened = isResumed ? resumeBatch(options) : createBatch(options);
  const batch = await opened.catch((error: unknown) => {
    throw new ToolInputError(`Nothing was sent. ${getErrorMessage(error)}.`);
  });
  const totals = await follow(batch, stopped);
  const failed = [...batch.rowNumbers].filter(
    (row) => batch.getState(row) !== 'completed' && batch.getState(row) !== 'notSent',
  );
  const results = await batch.readResults(failed);
  const rows = results.map(({ row, state, status, reason, actionId, possibleLogs }) => ({
    row,
    state,
    status,
    reason,
    actionId,
    possibleLogs,
  }));
  await batch.close();
  const isOpen = openStates.some((state) => totals.counts[state] > 0);
  if (!isOpen) await fs.rm(folder, { recursive: true, force: true });
  const { rowCount, counts, reason } = totals;
  return {
    ...(isOpen && { batch: path.basename(folder) }),
    isOpen,
    rowCount,
    counts,
    rows,
    ...(reason !== undefined && { reason }),
  };
}

/** What resuming needs. */
async function storeBatch(folder: string, { source }: PreparedRun, data: BatchData): Promise<void> {
  const rows = data.rows.map(({ cells }) => cells);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivateFile(path.join(folder, 'batch.action.json'), source.text);
  await writePrivateFile(path.join(folder, 'data.ndjson'), formatRows(data.columns, rows));
}

/** Never rejects. */
async function follow(batch: Batch, stopped: AbortSignal): Promise<BatchTotals> {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    void batch.stop();
    timer = setTimeout(() => void batch.close(), GRACE_PERIOD);
  };
  batch.listen((event) => {
    if (event.type !== 'totals') return;
    const { rowCount, counts, status, waitingUntil } = event.totals;
    // Nobody is there to let a batch that paused itself go on.
    if (status === 'paused') void batch.stop();
    reportProgress(`${String(rowCount - counts.notSent)} of ${String(rowCount)} rows were sent`);
    if (waitingUntil !== undefined)
      reportProgress(
        `The platform asks to wait until ${new Date(waitingUntil).toISOString()}`,
        waitingUntil - Date.now(),
      );
  });
  if (stopped.aborted) stop();
  else {
    stopped.addEventListener('abort', stop, { once: true });
    batch.start();
  }
  const totals = await batch.ended;
  clearTimeout(timer);
  stopped.removeEventListener('abort', stop);
  return totals;
}
