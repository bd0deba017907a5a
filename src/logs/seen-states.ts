/** The states of an object that the extension saw, by state root: read by itself, or kept with a run that changed it. */
import type { Services } from '../commands/entry.ts';
import { parseJson } from '../platform/json.ts';
import type { StateOf } from './object-history.ts';
import { keptRuns } from './runs.ts';

export async function seenStates(services: Services, connection: string, object: string): Promise<StateOf> {
  const { snapshots, context } = services;
  const [seen, runs] = await Promise.all([snapshots.states(connection, object), keptRuns(context)]);
  const kept = new Map<string, string>();
  for (const run of runs) {
    if (run.connection !== connection) continue;
    for (const { id, previousRoot, nextRoot, before, after } of run.affected ?? []) {
      if (id !== object) continue;
      if (previousRoot !== undefined && before !== undefined) kept.set(previousRoot, before);
      if (nextRoot !== undefined && after !== undefined) kept.set(nextRoot, after);
    }
  }
  return (root) => {
    const text = kept.get(root);
    // Masked when it was kept; what became a secret since is masked now.
    return seen(root) ?? (text === undefined ? undefined : parsed(services.redact(text)));
  };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
