import fs from 'node:fs/promises';
import path from 'node:path';

/** Suffix of the file of an open run; that of an ended one has only `.json`. */
export const OPEN_RUN_SUFFIX = '.open.json';

/** The folder of the runs of a workspace; `storage`: path of its storage. */
export function getRunsFolder(storage: string): string {
  return path.join(storage, 'runs');
}

/** True if a run has not ended: it is active in another window, or its window was closed. Never rejects. */
export async function hasOpenRuns(storage: string): Promise<boolean> {
  const names = await fs.readdir(getRunsFolder(storage)).catch(() => []);
  return names.some((name) => name.endsWith(OPEN_RUN_SUFFIX));
}
