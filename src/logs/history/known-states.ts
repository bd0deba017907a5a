import type { Services } from '../../commands/context.ts';
import { tryParseMaskedJson } from '../../platform/json/parse-json.ts';
import type { GetState } from './read-history.ts';
import { readRunRecords } from './runs.ts';

/**
 * Reads the known states of an object, from snapshots and from recorded runs. Resolves to a lookup by state root. Never
 * rejects.
 */
export async function readKnownStates(services: Services, connection: string, object: string): Promise<GetState> {
  const { snapshots, context } = services;
  const [getSnapshot, runs] = await Promise.all([
    snapshots.getObjectStates(connection, object),
    readRunRecords(context),
  ]);
  const recorded = new Map<string, string>();
  for (const run of runs) {
    if (run.connection !== connection) continue;
    for (const { id, previousRoot, nextRoot, before, after } of run.affected) {
      if (id !== object) continue;
      if (previousRoot !== undefined && before !== undefined) recorded.set(previousRoot, before);
      if (nextRoot !== undefined && after !== undefined) recorded.set(nextRoot, after);
    }
  }
  return (root) => {
    const text = recorded.get(root);
    // Masks secrets that became known after the run was recorded.
    return getSnapshot(root) ?? (text === undefined ? undefined : tryParseMaskedJson(services.redact(text)));
  };
}
