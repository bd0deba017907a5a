/** The tool of `mcp --allow-execute`: sends one action. */
import * as z from 'zod/mini';
import { defineTool, ToolInputError, type ToolContext } from '../../agents/tools.ts';
import { formatUntrustedData } from '../../agents/untrusted-data.ts';
import { checkActionFile } from '../../actions/file/check-action-file.ts';
import { defaultFollowLimits } from '../../actions/run/follow/follow.ts';
import { executeRun, startRun } from '../../actions/run/pipeline.ts';
import { parseSource } from '../../actions/run/prepare.ts';
import { createRunPlatform, systemClock } from '../../actions/run/run-platform.ts';
import type { VariableSource } from '../../actions/variables/variable-source.ts';
import type { Connection } from '../connection/open-connection.ts';

/** Milliseconds to wait for an action log. */
const MAX_WAIT = 60_000;

/** A model must not choose what is read from this machine. */
const noVariables: VariableSource = {
  input: refuseVariable,
  env: refuseVariable,
  secret: refuseVariable,
  file: refuseVariable,
  run: refuseVariable,
};

function refuseVariable(name: string): Promise<never> {
  return Promise.reject(new Error(`Variables are not filled in here: write the value of ${name}`));
}

/** Creates the tool for a connection. One call sends one request, and never repeats it. */
export function createRunTool({ client, profile }: Connection) {
  return defineTool({
    name: 'smartObjects_run',
    input: z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(200_000)) }),
    async run({ text }: { readonly text: string }, { secrets }: ToolContext, signal: AbortSignal) {
      const prepared = parseSource({ name: 'action', text });
      if (!('file' in prepared)) throw new ToolInputError(`Nothing was sent. ${prepared.message}.`);
      const problem = checkActionFile(prepared.file, secrets()).find(({ severity }) => severity === 'error');
      if (problem !== undefined) throw new ToolInputError(`Nothing was sent. ${problem.message}.`);
      const target = { connection: profile.name, origin: new URL(profile.baseUrl).origin };
      const run = await executeRun(
        startRun({ ...prepared, target }),
        { variables: noVariables, getSigner: () => undefined, secrets: secrets() },
        {
          platform: createRunPlatform(client),
          time: systemClock,
          signal,
          stopWaiting: signal,
          limits: { ...defaultFollowLimits, indexing: MAX_WAIT, log: MAX_WAIT, batch: 0 },
          report: () => undefined,
        },
      );
      const { effect, outcome, reason, status, actionId, logId, logStatus, affected } = run;
      return formatUntrustedData(profile.name, {
        effect,
        outcome,
        reason,
        status,
        actionId,
        logId,
        logStatus,
        affected,
      });
    },
  });
}
