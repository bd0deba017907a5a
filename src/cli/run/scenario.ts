/** Scenarios, `NAME.scenario.json`: a suite with a sandbox of its own, and faults. */
import path from 'node:path';
import * as z from 'zod/mini';
import { isScenarioPath } from '../../actions/file/file-names.ts';
import { parseScenario } from '../../actions/testing/expectation.ts';
import { TestFileError } from '../../actions/testing/test-file-error.ts';
import { readTextFile } from '../../model/files/read-workspace-file.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { faultSchema } from '../../sandbox/faults/faults.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { createOptions, parseState } from '../../sandbox/state.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { ConnectionInput } from '../connection/open-connection.ts';
import { UsageError } from '../usage-error.ts';

const MAX_SCENARIO_BYTES = 8 * 1024 * 1024;
const MAX_STATE_BYTES = 64 * 1024 * 1024;
/** Milliseconds until logs and ledger batches settle, so that scenarios are quick. */
const DELAYS = { indexDelay: 50, settleDelay: 150, batchDelay: 150 };

const scenarioSchema = z.object({
  sandbox: z._default(
    z.strictObject({
      seed: z.optional(z.int().check(z.gte(0))),
      objects: z.optional(z.int().check(z.gte(0))),
      /** file of a saved state, relative to the scenario */
      state: z.optional(z.string()),
    }),
    {},
  ),
  faults: z._default(z.array(faultSchema), []),
});

/** A running sandbox of a scenario, and how a command connects to it. */
interface RunningScenario<Values> {
  readonly values: Values;
  readonly environment: ConnectionInput['environment'];
  close(): Promise<void>;
}

/**
 * Starts the sandbox of the scenario among the files, with its faults; `undefined` if there is none. The credentials of the
 * environment are replaced by those of the sandbox. Rejects with UsageError.
 */
export async function openScenario<Values extends ConnectionValues>(
  files: readonly string[],
  values: Values,
  { cwd, environment }: Pick<ConnectionInput, 'cwd' | 'environment'>,
): Promise<RunningScenario<Values> | undefined> {
  const name = files.find(isScenarioPath);
  if (name === undefined) return undefined;
  if (files.length > 1) throw new UsageError('A scenario has a sandbox of its own: run it without other files');
  if (values.baseUrl !== undefined || values.connection !== undefined || values.context !== undefined)
    throw new UsageError('A scenario has a sandbox of its own: leave out --base-url, --connection and --context');
  const file = path.resolve(cwd, name);
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  try {
    const { options, faults } = await readScenario(file);
    sandbox = await startSandbox({ ...DELAYS, walletCredential: true, ...options });
    for (const fault of faults) sandbox.faults.add(fault);
  } catch (error) {
    if (!(error instanceof TestFileError)) throw new UsageError(`${name}: ${getErrorMessage(error)}`);
    throw new UsageError(
      error.problems.map(({ message, line, column }) => ({
        ...{ message, path: name, location: `${name}:${String(line)}:${String(column)}` },
      })),
    );
  }
  const others = Object.entries(environment).filter(([key]) => !/^SMART_OBJECTS_(?:API_KEY|ACCESS_TOKEN)/.test(key));
  const { baseUrl, apiKey, accessToken, buyer } = sandbox;
  return {
    values: { ...values, baseUrl, name: values.name ?? 'Sandbox', environment: 'sandbox' },
    environment: {
      ...Object.fromEntries(others),
      SMART_OBJECTS_BASE_URL: baseUrl,
      SMART_OBJECTS_API_KEY: apiKey,
      SMART_OBJECTS_ACCESS_TOKEN: accessToken,
      SMART_OBJECTS_ACCESS_TOKEN_BUYER: buyer.accessToken,
    },
    close: () => sandbox.close(),
  };
}

async function readScenario(file: string) {
  const scenario = parseScenario(await readTextFile(file, MAX_SCENARIO_BYTES, path.basename(file)));
  const { data, error } = z.safeParse(scenarioSchema, scenario);
  if (error !== undefined)
    throw new Error(error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  const { state, ...options } = data.sandbox;
  return { faults: data.faults, options: state === undefined ? definedOnly(options) : await readState(file, state) };
}

async function readState(scenario: string, relative: string): Promise<SandboxOptions> {
  const text = await readTextFile(path.resolve(path.dirname(scenario), relative), MAX_STATE_BYTES, relative);
  const state = parseState(text);
  if (state === undefined) throw new Error(`${relative} is not the state of a sandbox`);
  return createOptions(state);
}

function definedOnly({ seed, objects }: { seed?: number | undefined; objects?: number | undefined }): SandboxOptions {
  return { ...(seed !== undefined && { seed }), ...(objects !== undefined && { objects }) };
}
