/** The sandbox of a scenario that the terminal runs. */
import path from 'node:path';
import { isScenarioPath } from '../../actions/file/file-names.ts';
import { readScenario } from '../../actions/testing/scenario.ts';
import { TestFileError } from '../../actions/testing/test-file-error.ts';
import { readTextFile } from '../../model/files/read-workspace-file.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { createOptions } from '../../sandbox/state.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { ConnectionInput } from '../connection/open-connection.ts';
import { UsageError } from '../usage-error.ts';

const MAX_SCENARIO_BYTES = 8 * 1024 * 1024;
const MAX_STATE_BYTES = 64 * 1024 * 1024;

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
    const text = await readTextFile(file, MAX_SCENARIO_BYTES, path.basename(file));
    const { from, faults } = await readScenario(text, (relative) =>
      readTextFile(path.resolve(path.dirname(file), relative), MAX_STATE_BYTES, relative),
    );
    sandbox = await startSandbox({ walletCredential: true, ...createOptions(from) });
    for (const fault of faults) sandbox.faults.add(fault);
  } catch (error) {
    if (!(error instanceof TestFileError)) throw new UsageError(`${name}: ${getErrorMessage(error)}`);
    throw new UsageError(
      error.problems.map(({ message, line, column }) => ({
        message,
        path: name,
        location: `${name}:${String(line)}:${String(column)}`,
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
