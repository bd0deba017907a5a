/** The tool of `mcp --allow-execute`: sends one action. */
import { systemClock } from '../../model/clock.ts';
import { noVariables } from '../../agents/preview-tool.ts';
import { defineBatchTool } from '../../agents/batch-tools.ts';
import { defineRunTool, RepeatGuard } from '../../agents/run-tool.ts';
import { MAX_DURATION, type Tool } from '../../agents/tool.ts';
import { defaultFollowLimits } from '../../actions/follow/snapshot.ts';
import { getRequestBody } from '../../actions/file/action-file.ts';
import { executeRun, startRun } from '../../actions/run/pipeline.ts';
import { createRunPlatform } from '../../actions/run/run-platform.ts';
import {
  collectLogIds,
  formatOutcome,
  formatRunState,
  type LogIds,
  type RunRecord,
} from '../../model/runs/run-record.ts';
import { reportProgress } from '../../platform/requests/progress.ts';
import type { PlatformClient } from '../../platform/client.ts';

const noop = (): void => undefined;

interface RunToolOptions {
  /** stops waiting for what was sent */
  readonly stopped: AbortSignal;
  /** tells the user the outcome of a call that its client no longer waits for */
  readonly note: (sentence: string) => void;
  /** milliseconds of a clock that is not set back, for the guard against repeats */
  readonly now?: () => number;
  /** milliseconds until a call returns what is known */
  readonly maxDuration?: number;
}

interface RunTools {
  /** for one action, and for an action over rows of data */
  readonly tools: readonly Tool[];
  /** Sends nothing more, and resolves when the calls under way have ended. */
  close(): Promise<void>;
}

/**
 * Creates the tools. One call sends one request, and never repeats it. The signal of a call cancels what
 * is not sent yet.
 */
export function createRunTools({ stopped, note, now, maxDuration = MAX_DURATION }: RunToolOptions): RunTools {
  const closing = new AbortController();
  /** of the calls so far, by the id of the run */
  const logIds = new Map<string, LogIds>();
  const pending = new Set<Promise<unknown>>();
  const repeats = new RepeatGuard(now);
  const tool = defineRunTool(({ prepared, session: { client, profile } }, { secrets }, signal) => {
    const target = { connection: profile.name, origin: new URL(profile.baseUrl).origin };
    const send = async (): Promise<RunRecord> => {
      const abandoned = AbortSignal.any([signal, closing.signal]);
      const call = execute(startRun({ ...prepared, target }), client, secrets(), abandoned);
      pending.add(call);
      const run = await call;
      pending.delete(call);
      return run;
    };
    const isExecuted = ({ outcome }: RunRecord): boolean => outcome !== 'notSent' && outcome !== 'refused';
    return repeats.run(`${profile.name}\n${getRequestBody(prepared.file)}`, send, isExecuted);
  });
  const batchTool = defineBatchTool({ closing: AbortSignal.any([closing.signal, stopped]), note });
  const batch: Tool = {
    ...batchTool,
    run: (...call) => {
      const running = batchTool.run(...call);
      const settled = running.then(noop, noop).finally(() => pending.delete(settled));
      pending.add(settled);
      return running;
    },
  };
  return {
    tools: [tool, batch],
    async close() {
      closing.abort();
      await Promise.all(pending);
    },
  };

  /** `abandoned`: nobody waits for the result. Never rejects. */
  async function execute(
    started: ReturnType<typeof startRun>,
    client: PlatformClient,
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
    const timer = setTimeout(() => deadline.abort(), maxDuration);
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
