import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { formatComment, inferTypes } from '../../model/resources/infer-types.ts';

/**
 * Formats the types of a template's custom data, with a comment in English. `count`: objects that `samples` are from; 0
 * for the template itself.
 */
export function formatTypes(
  title: string,
  { id, connection }: ResourceArgument,
  samples: readonly unknown[],
  count: number,
): string {
  const source = count === 0 ? 'the default of the template' : count === 1 ? '1 object' : `${String(count)} objects`;
  const header = `/**\n * The custom data of ${formatComment(title)} (template ${formatComment(id)} on ${formatComment(connection)}),\n * inferred from ${source}. Properties that all of them have are required, others are optional.\n */\n\n`;
  return header + inferTypes(`${title} custom`, samples);
}
