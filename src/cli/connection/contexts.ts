/** The named connections of the user, for terminals: entries of the setting `smartObjects.connections`, and the current one. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { readProfile } from '../../connections/profiles/read-profiles.ts';
import { replaceFile } from '../../model/files/write-file.ts';
import type { Profile } from '../../model/session/session.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import { UsageError } from '../usage-error.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

const schema = z.strictObject({
  current: z.optional(z.string()),
  connections: z.array(
    z.looseObject({ name: z.string(), baseUrl: z.string().check(z.refine((url) => URL.canParse(url))) }),
  ),
});
type Contexts = z.output<typeof schema>;

/** The file of the user: `~/.config/smart-objects/contexts.json`, or below XDG_CONFIG_HOME or APPDATA. */
export function getContextsFile({ XDG_CONFIG_HOME: named = '', APPDATA: roaming = '' }: ProcessEnvironment): string {
  const folder = named !== '' ? named : roaming !== '' ? roaming : path.join(os.homedir(), '.config');
  return path.join(folder, 'smart-objects', 'contexts.json');
}

/** Reads the file; no connections if there is none. Throws UsageError for a file that is not valid. */
export function readContexts(environment: ProcessEnvironment): Contexts {
  const file = getContextsFile(environment);
  if (!fs.existsSync(file)) return { connections: [] };
  const { data } = z.safeParse(schema, tryParseJson(fs.readFileSync(file, 'utf8')));
  if (data === undefined) throw new UsageError(`${file} is not a file of contexts: correct or delete it`);
  return data;
}

/** The contexts that are valid. Throws UsageError for a file that is not valid. */
export function readContextProfiles(environment: ProcessEnvironment): readonly Profile[] {
  return readContexts(environment).connections.flatMap((entry) => {
    const result = readProfile(entry, 'user');
    return 'profile' in result ? [result.profile] : [];
  });
}

/** Writes the file. Rejects with Error. */
export async function writeContexts(environment: ProcessEnvironment, contexts: Contexts): Promise<void> {
  const file = getContextsFile(environment);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, `${JSON.stringify(contexts, undefined, 2)}\n`);
}

interface Named {
  readonly context?: string;
  readonly baseUrl?: string;
  readonly connection?: string;
}

/**
 * The context of a command: that of `--context`, else the current one if no option or variable names a platform.
 * `undefined` if there is none. Throws UsageError for an unknown name.
 */
export function findContext(
  { context, baseUrl, connection }: Named,
  environment: ProcessEnvironment,
): Contexts['connections'][number] | undefined {
  const isNamed = [baseUrl, connection, environment['SMART_OBJECTS_BASE_URL']].some((text) => (text ?? '') !== '');
  if (context === undefined && isNamed) return undefined;
  const { current, connections } = readContexts(environment);
  const name = context ?? current;
  if (name === undefined) return undefined;
  const found = connections.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = connections.map((one) => one.name).join(', ');
  throw new UsageError(`There is no context ${name}. Contexts: ${known === '' ? 'none' : known}`);
}
