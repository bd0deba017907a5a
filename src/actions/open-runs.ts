/** The files of runs that have not ended: one look at a folder tells whether an earlier window left some. Pure. */
import fs from 'node:fs/promises';
import path from 'node:path';

/** How the file of a run that has not ended is named; that of an ended one ends in `.json` alone. */
export const OPEN = '.open.json';

/** The folder of a workspace's runs; `storage`: path of the workspace's storage. */
export function runsFolder(storage: string): string {
  return path.join(storage, 'runs');
}

/** True where a run has not ended: it is under way in another window, or its window is gone. Never rejects. */
export async function hasOpenRuns(storage: string): Promise<boolean> {
  const names = await fs.readdir(runsFolder(storage)).catch(() => []);
  return names.some((name) => name.endsWith(OPEN));
}
