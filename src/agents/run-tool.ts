/** The tool that sends one action, as far as the editor and the MCP server share it. */
import * as z from 'zod/mini';
import { getDistinctVariables } from '../actions/file/variables.ts';
import type { PreparedRun } from '../actions/run/prepare.ts';
import type { RunRecord } from '../model/runs/run-record.ts';
import { markProduction } from '../model/session/production.ts';
import type { Profile } from '../model/session/session.ts';
import { isLoopback } from '../platform/http/proxy.ts';
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

/** Production is never run on, nor another machine whose environment is not known. */
export function isRefusedTarget({ environment, baseUrl }: Pick<Profile, 'environment' | 'baseUrl'>): boolean {
  return environment === 'production' || (environment === undefined && !isLoopback(new URL(baseUrl).hostname));
}

/** Checks the input of a call. Throws ToolInputError for what is not sent. */
export function readRunCall(value: unknown, context: ToolContext): RunCall {
  const parsed = z.safeParse(input, value);
  if (!parsed.success)
    throw new ToolInputError(`Nothing was sent. The input is not valid: ${formatIssues(parsed.error, input)}.`);
  const session = getSession(context, parsed.data.connection);
  const known = context.sessions().map(({ profile }) => profile);
  const target = markProduction(session.profile, known);
  if (isRefusedTarget(target))
    throw new ToolInputError(
      target.environment === 'production'
        ? 'Nothing was sent. Agents never run actions on production.'
        : 'Nothing was sent. The environment of this connection is not set, so it may be production.',
    );
  const prepared = prepareCall(parsed.data.text, context);
  const [variable] = getDistinctVariables(prepared.file);
  if (variable !== undefined)
    throw new ToolInputError(
      `Nothing was sent. Variables are not filled in here: write the value of ${variable.name}.`,
    );
  return { prepared, session };
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
