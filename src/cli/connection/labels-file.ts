import fs from 'node:fs/promises';
import path from 'node:path';
import { mergeLabels, NO_LABELS, normalizeValue, readLabels, type Labels } from '../../model/text/labels.ts';
import { readTextFile } from '../../model/files/read-workspace-file.ts';
import { isObject } from '../../platform/json/json.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import { UsageError } from '../usage-error.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/** The labels of the file that `--labels` names; none without one. Rejects with UsageError. */
export async function readLabelsFile(name: string | undefined, cwd: string): Promise<Pick<Labels, 'get' | 'all'>> {
  if (name === undefined) return NO_LABELS;
  const real = await fs.realpath(path.resolve(cwd, name)).catch(() => undefined);
  if (real === undefined) throw new UsageError(`--labels: file ${name} was not found`);
  const text = await readTextFile(real, MAX_FILE_BYTES, name).catch((error: unknown) => {
    throw new UsageError(`--labels: ${error instanceof Error ? error.message : name}`);
  });
  const json = tryParseJson(text);
  if (!isObject(json)) throw new UsageError(`--labels: ${name} is not a JSON object`);
  const labels = mergeLabels({ user: readLabels(json).entries, workspace: [], file: [] });
  return { all: [...labels.values()], get: (value) => labels.get(normalizeValue(value)) };
}
