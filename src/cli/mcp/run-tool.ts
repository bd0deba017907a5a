/** The tool of `mcp --allow-execute`: sends one action. */
import { noVariables } from '../../agents/preview-tool.ts';
import { defineRunTool } from '../../agents/run-tool.ts';
import { MAX_DURATION, ToolInputError, type Tool } from '../../agents/tool.ts';
import { defaultFollowLimits } from '../../actions/follow/snapshot.ts';
import { getRequestBody } from '../../actions/file/action-file.ts';
import { executeRun, startRun } from '../../actions/run/pipeline.ts';
import { createRunPlatform, systemClock } from '../../actions/run/run-platform.ts';
import {
  collectLogIds,
  formatOutcome,
  formatRunState,
  type LogIds,
  type RunRecord,
} from '../../model/runs/run-record.ts';
import { reportProgress } from '../../platform/requests/progress.ts';
import type { Connection } from '../connection/open-connection.ts';

/** Milliseconds. An equal call that comes this soon after the start of another is a repetition, like a double click. */
const REPEAT_DURATION = 2000;

interface RunToolOptions {
  /** stops waiting for what was sent */
  readonly stopped: AbortSignal;
  /** tells the user the outcome of a call that its client no longer waits for */
  readonly note: (sentence: string) => void;
  /** milliseconds, for the guard against repeats */
  readonly now?: () => number;
  /** milliseconds until a call returns what is known */
  readonly maxDuration?: number;
}

interface RunTool {
  readonly tool: Tool;
  /** Sends nothing more, and resolves when the calls under way have ended. */
  close(): Promise<void>;
}

/**
 * Creates the tool for a connection. One call sends one request, and never repeats it. The signal of a call cancels what
 * is not sent yet.
 */
export function createRunTool(
  { client, profile }: Pick<Connection, 'client' | 'profile'>,
  { stopped, note, now = Date.now, maxDuration = MAX_DURATION }: RunToolOptions,
): RunTool {
  const closing = new AbortController();
  /** of the calls so far, by the id of the run */
  const logIds = new Map<string, LogIds>();
  const pending = new Set<Promise<RunRecord>>();
  /** until when an equal action is a repetition, by the body of its request */
  const repeats = new Map<string, number>();
  const tool = defineRunTool(async ({ prepared }, { secrets }, signal) => {
    const body = getRequestBody(prepared.file);
    const started = now();
    if ((repeats.get(body) ?? -Infinity) > started)
      throw new ToolInputError(
        'Nothing was sent. The same action is being sent, or was sent a moment ago. Call again later if it is meant to be sent once more.',
      );
    repeats.set(body, Infinity);
    const target = { connection: profile.name, origin: new URL(profile.baseUrl).origin };
    const call = execute(startRun({ ...prepared, target }), secrets(), AbortSignal.any([signal, closing.signal]));
    pending.add(call);
    const run = await call;
    pending.delete(call);
    // Nothing was executed, so it may be repeated at once.
    const isExecuted = run.outcome !== 'notSent' && run.outcome !== 'refused';
    if (isExecuted) repeats.set(body, started + REPEAT_DURATION);
    else repeats.delete(body);
    return run;
  });
  return {
    tool,
    async close() {
      closing.abort();
      await Promise.all(pending);
    },
  };

  /** `abandoned`: nobody waits for the result. Never rejects. */
  async function execute(
    started: ReturnType<typeof startRun>,
    secrets: readonly string[],
    abandoned: AbortSignal,
  ): Promise<RunRecord> {
    let isSent = false;
    let lastState = '';
    const unsent = new AbortController();
    const cancelUnsent = (): void => {
      if (!isSent) unsent.abort();
    };
    if (abandoned.aborted) cancelUnsent();
    abandoned.addEventListener('abort', cancelUnsent);
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort();
    }, maxDuration);
    const stopWaiting = AbortSignal.any([stopped, deadline.signal]);
    const run = await executeRun(
      started,
      { variables: noVariables, getSigner: () => undefined, secrets },
      {
        platform: createRunPlatform(client),
        time: systemClock,
        signal: AbortSignal.any([unsent.signal, stopWaiting]),
        stopWaiting,
        limits: { ...defaultFollowLimits, batch: 0 },
        knownLogs: () => collectLogIds(logIds.values()),
        report: (run) => {
          const { id, logId, actionId, sentAt } = run;
          isSent = sentAt !== undefined;
          logIds.set(id, { logId, actionId });
          const state = formatRunState(run);
          if (state !== lastState) reportProgress(state);
          lastState = state;
        },
      },
    );
    clearTimeout(timer);
    if (run.sentAt !== undefined && abandoned.aborted) {
      const { effect, reason, actionId } = run;
      const id = actionId === undefined ? '' : `. Action ID: ${actionId}`;
      note(`${effect}: ${formatOutcome(run)}. ${reason ?? ''}${id}`);
    }
    return run;
  }
}
