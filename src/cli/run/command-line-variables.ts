import path from 'node:path';
import { getRunValue, type RunResults } from '../../actions/file/variables.ts';
import { readWorkspaceFile, resolveWorkspaceFile } from '../../model/files/read-workspace-file.ts';
import type { VariableSource } from '../../actions/variables/variable-source.ts';
import type { RunContext } from './context.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';

/** Bytes of a file that a variable sends. */
const MAX_CONTENT = 1024 * 1024;

/**
 * Variables from the options, the environment and the working folder. `file`: path of the action file. Adds values of the
 * environment to `secrets`, which are redacted in the output.
 */
export function createCommandLineVariables(
  file: string,
  { options, environment, cwd, print }: Pick<RunContext, 'options' | 'environment' | 'cwd' | 'print'>,
  results: RunResults,
  secrets: string[],
): VariableSource {
  const readEnvironment = (name: string, missing: string): Promise<string> => {
    const value = environment[name];
    if (value === undefined) return Promise.reject(new Error(missing));
    if (value !== '') secrets.push(value);
    return Promise.resolve(value);
  };
  return {
    row: (column) => {
      throw new Error(`\${row:${column}} is a column of a data file: use --data FILE`);
    },
    input: (name) => {
      const value = options.inputs.get(name);
      return value === undefined
        ? Promise.reject(new Error(`\${input:${name}}: use --input ${name}=…`))
        : Promise.resolve(value);
    },
    env: (name) =>
      options.allowedEnvironment.has(name)
        ? readEnvironment(name, `\${env:${name}} is not set`)
        : Promise.reject(new Error(`\${env:${name}}: use --allow-env ${name} to send it`)),
    secret: (name) =>
      readEnvironment(`SMART_OBJECTS_SECRET_${name}`, `\${secret:${name}}: set SMART_OBJECTS_SECRET_${name}`),
    file: async (name) => {
      // The real path: a link can have any name.
      print(`      sends the content of ${path.relative(cwd, await resolveWorkspaceFile(cwd, file, name))}`);
      return readWorkspaceFile(cwd, file, name, MAX_CONTENT);
    },
    run: (name) => getRunValue(name, results),
  };
}

/** Program and arguments of the signer in `SMART_OBJECTS_SIGNER`, if it is set. Throws for anything but a JSON array. */
export function getSignerCommand({ environment }: Pick<RunContext, 'environment'>): readonly string[] | undefined {
  const text = environment['SMART_OBJECTS_SIGNER'];
  return text === undefined || text === '' ? undefined : parseSignerCommand(text);
}

function parseSignerCommand(text: string): readonly string[] {
  const value = tryParseJson(text);
  if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) return value;
  throw new Error('SMART_OBJECTS_SIGNER must be a JSON array: program and arguments');
}
