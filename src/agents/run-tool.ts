/** The tool that sends one action, as far as the editor and the MCP server share it. */
import * as z from 'zod/mini';
import { getDistinctVariables } from '../actions/file/variables.ts';
import type { PreparedRun } from '../actions/run/prepare.ts';
import type { RunRecord } from '../model/runs/run-record.ts';
import { markProduction, mayBeProduction } from '../model/session/production.ts';
import { prepareCall } from './preview-tool.ts';
import {
  actionText,
  connection,
  defineTool,
  formatIssues,
  getSession,
  ToolInputError,
  type Tool,
  type ToolContext,
  type ToolSession,
} from './tool.ts';

export const RUN_TOOL = 'smartObjects_run';

const input = z.strictObject({ connection, text: actionText });

/** A call that may be sent: the connection is not production, and the action has no variables. */
interface RunCall {
  readonly prepared: PreparedRun;
  readonly session: ToolSession;
}

/** The session that actions may be sent to. Throws ToolInputError. */
export function getRunSession(context: ToolContext, name: string | undefined): ToolSession {
  const session = getSession(context, name);
  const known = context.sessions().map(({ profile }) => profile);
  const target = markProduction(session.profile, known);
  if (!mayBeProduction(target)) return session;
  throw new ToolInputError(
    target.environment === 'production'
      ? 'Nothing was sent. Agents never run actions on production.'
      : 'Nothing was sent. The environment of this connection is not set, so it may be production.',
  );
}

/** Parses the action of a call, without variables besides `row`. Throws ToolInputError. */
export function prepareRun(text: string, context: ToolContext, isBatch = false): PreparedRun {
  const prepared = prepareCall(text, context);
  const variable = getDistinctVariables(prepared.file).find(({ kind }) => !isBatch || kind !== 'row');
  if (variable === undefined) return prepared;
  throw new ToolInputError(`Nothing was sent. Variables are not filled in here: write the value of ${variable.name}.`);
}

/** Checks the input of a call. Throws ToolInputError for what is not sent. */
export function readRunCall(value: unknown, context: ToolContext): RunCall {
  const { connection: name, text } = parseRunInput(input, value);
  const session = getRunSession(context, name);
  return { prepared: prepareRun(text, context), session };
}

/** Throws ToolInputError. */
export function parseRunInput<Input extends z.core.$ZodType>(schema: Input, value: unknown): z.output<Input> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ToolInputError(`Nothing was sent. The input is not valid: ${formatIssues(parsed.error, schema)}.`);
}

/** Milliseconds. An equal call that comes this soon after the start of another is a repetition, like a double click. */
const REPEAT_DURATION = 2000;

/** Refuses calls that repeat another one. */
export class RepeatGuard {
  /** until when an equal call is a repetition, by what it sends */
  readonly #repeats = new Map<string, number>();
  readonly #now: () => number;

  /** `now`: milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Runs a call; `isExecuted`: false for what may be repeated at once. Throws ToolInputError for a repetition. */
  async run<T>(key: string, call: () => Promise<T>, isExecuted: (result: T) => boolean): Promise<T> {
    const started = this.#now();
    if ((this.#repeats.get(key) ?? -Infinity) > started)
      throw new ToolInputError(
        'Nothing was sent. The same action is being sent, or was sent a moment ago. Call again later if it is meant to be sent once more.',
      );
    this.#repeats.set(key, Infinity);
    let until = 0;
    try {
      const result = await call();
      if (isExecuted(result)) until = started + REPEAT_DURATION;
      return result;
    } finally {
      this.#repeats.set(key, until);
    }
  }
}

/**
 * Defines the tool. `execute`: sends the request of a call at most once, and resolves with what is known then; rejects
 * with ToolInputError if nothing was sent.
 */
export function defineRunTool(
  execute: (call: RunCall, context: ToolContext, signal: AbortSignal) => Promise<RunRecord>,
): Tool {
  return defineTool({
    name: RUN_TOOL,
    input,
    endsInTime: true,
    output: z.looseObject({ effect: z.string(), outcome: z.string(), affected: z.array(z.looseObject({})) }),
    async run(value, context, signal) {
      const call = readRunCall(value, context);
      const run = await execute(call, context, signal);
      const isDecided = run.outcome !== undefined && run.outcome !== 'unknown' && run.outcome !== 'unfinished';
      return {
        source: call.session.profile.name,
        data: formatRun(run),
        ...(!isDecided && {
          note: 'Do not send it again: it may have been executed. Look at the action logs first.',
        }),
      };
    },
  });
}

function formatRun(run: RunRecord): object {
  const { effect, outcome, probable, reason, status, actionId, logId, logStatus, possible, affected } = run;
  return {
    effect,
    outcome: outcome ?? 'unfinished',
    probable,
    reason,
    status,
    actionId,
    logId,
    logStatus,
    possible: possible.map(({ text: _text, ...log }) => log),
    affected,
  };
}
