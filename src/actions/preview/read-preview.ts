import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import type { ActionSource } from '../file/action-source.ts';
import type { RunStore } from '../history/run-store.ts';
import type { LiveDataBySession } from '../language/live-data.ts';
import { getSignerCommand } from '../run/confirm/confirm-runs.ts';
import { prepare } from '../run/prepare.ts';
import type { VariableSource } from '../variables/variable-source.ts';
import { createStoredVariables } from '../variables/workspace-variables.ts';
import { createPreview, type Preview } from './preview.ts';

interface ReadPreviewOptions {
  readonly services: Services;
  readonly store: RunStore;
  readonly liveData: LiveDataBySession;
  /** adds the variables of a row */
  readonly addVariables?: ((stored: VariableSource) => VariableSource) | undefined;
}

/**
 * Composes the preview of a source with the stored values of its variables; without a session nothing is read. Rejects as
 * `prepare` and `createPreview` do.
 */
export async function readPreview(
  { services, store, liveData, addVariables = (stored) => stored }: ReadPreviewOptions,
  source: ActionSource,
  session: Session | undefined,
  signal: AbortSignal,
): Promise<Preview> {
  if (session?.signedOutReason === undefined) await session?.loadPermissions(signal);
  return createPreview(
    prepare(source),
    {
      variables: addVariables(createStoredVariables(services, store, source, session)),
      getSigner: getSignerCommand,
      secrets: services.knownSecrets(),
      ...(session !== undefined && { target: { session, live: liveData.get(session) } }),
    },
    signal,
  );
}
