import type { Session } from '../../model/session/session.ts';
import type { ActionsContext } from '../context.ts';
import type { ActionSource } from '../file/action-source.ts';
import { getSignerCommand } from '../run/confirm/confirm-runs.ts';
import { prepare } from '../run/prepare.ts';
import type { VariableSource } from '../variables/variable-source.ts';
import { createStoredVariables } from '../variables/workspace-variables.ts';
import { createPreview, type Preview } from './preview.ts';

/**
 * Composes the preview of a source with the stored values of its variables; without a session nothing is read.
 * `addVariables` adds those of a row. Rejects as `prepare` and `createPreview` do.
 */
export async function readPreview(
  { services, store, liveData }: ActionsContext,
  source: ActionSource,
  session: Session | undefined,
  signal: AbortSignal,
  addVariables: (stored: VariableSource) => VariableSource = (stored) => stored,
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
