/** `open ID`: the address of a resource in the web console of the connection. */
import { fillLinkTemplate } from '../../model/resources/link-template.ts';
import { registry, type Kind } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { readConnectionProfile } from '../connection/read-connection.ts';
import { sanitizeTerminalLine } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';

export interface OpenValues extends ConnectionValues {
  readonly kind: Kind;
}

/** Prints the address; sends nothing. Rejects with UsageError if the connection has no link for the kind. */
export async function open(context: CommandContext, id: string, values: OpenValues): Promise<void> {
  const { links, name } = await readConnectionProfile(values, context.environment, context.cwd);
  const { idLink, singular }: ResourceDefinition = registry[values.kind];
  const url = idLink === undefined ? undefined : fillLinkTemplate(links[idLink], id);
  if (url === undefined)
    throw new UsageError(
      idLink === undefined
        ? `There are no links to this kind: ${singular}`
        : `${name} has no link for this ID: add links.${idLink} to the file of --connection`,
    );
  await context.output.write(`${sanitizeTerminalLine(url)}\n`);
}
