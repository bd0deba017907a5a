import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import { inferTypes } from '../../model/resources/infer-types.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';

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
  // Server text must not end the comment.
  const safe = (text: string): string => toPlainText(text, 120).replaceAll('*/', '* /');
  const header = `/**\n * The custom data of ${safe(title)} (template ${safe(id)} on ${safe(connection)}),\n * inferred from ${source}. Properties that all of them have are required, others are optional.\n */\n\n`;
  return header + inferTypes(`${title} custom`, samples);
}
