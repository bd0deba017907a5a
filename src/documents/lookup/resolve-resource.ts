import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { parseConnection } from '../../model/resources/parse-argument.ts';
import { getTargetResource, type DocumentsContext } from '../context.ts';
import { findById, pickResource } from './pick-resource.ts';

/**
 * Returns the resource of an argument, looks up an id, or shows a quick pick. Resolves to `undefined` if the user
 * cancels. Rejects with Error if the look-up fails.
 */
export async function resolveResource(
  context: DocumentsContext,
  argument: unknown,
  title: string,
): Promise<ResourceArgument | undefined> {
  // Without an argument, the active document is ignored: the user wants to open another one.
  const target = argument === undefined ? undefined : getTargetResource(context, argument);
  if (target !== undefined) return target;
  if (typeof argument === 'string') return findById(context, argument);
  return pickResource(context, title, context.services.sessions.get(parseConnection(argument) ?? ''));
}
