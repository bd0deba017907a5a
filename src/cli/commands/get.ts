/** `get KIND ID`: one resource as the server's JSON. */
import { registry, type Kind } from '../../platform/registry.ts';
import { isOwnedByOrganization, type ResourceDefinition } from '../../platform/resource.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { sanitizeJson } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

/** Prints a resource. Rejects as `withConnection` does. */
export async function get(context: CommandContext, kind: Kind, id: string, values: ConnectionValues): Promise<void> {
  const definition: ResourceDefinition = registry[kind];
  const path = isOwnedByOrganization(definition) ? id.split('/') : [id];
  if (isOwnedByOrganization(definition) && (path.length !== 2 || path.includes('')))
    throw new UsageError(`The ID of a ${definition.singular} includes its organization: specify ORGANIZATION/ID`);
  if (id === '') throw new UsageError('The ID is empty');
  await withConnection(context, values, `Read ${definition.singular}`, async ({ client }) => {
    const { text } = await client.readFor(definition, path, { signal: context.signal });
    await context.output.write(sanitizeJson(text));
  });
}
