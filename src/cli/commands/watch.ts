/** `watch KIND ID`: a resource each time it changes. */
import { registry, type Kind } from '../../platform/registry.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { isObject } from '../../platform/json/json.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { parseSeconds } from '../options.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import { watchResource } from '../watch-resource.ts';
import { withConnection } from '../with-connection.ts';
import { columns, createRow } from './list.ts';

export interface WatchValues extends ConnectionValues, RecordValues {
  readonly interval: string;
}

/**
 * Prints a resource, and again when it changed, until it is final. Resolves with false if an action or batch failed.
 * Rejects as `withConnection` does.
 */
export async function watch(context: CommandContext, kind: Kind, id: string, values: WatchValues): Promise<boolean> {
  const definition: ResourceDefinition = registry[kind];
  const { output, signal } = context;
  const interval = parseSeconds('--interval', values.interval);
  return withConnection(context, values, `Watch ${definition.singular}`, async ({ client, labels }) => {
    const format = values.format === 'json' ? 'ndjson' : values.format;
    const writer = new RecordWriter({
      ...{ output, columns, labels, definition },
      values: { ...values, format },
      toJson: ({ raw }) => raw,
    });
    let status: string | undefined;
    for await (const { item } of watchResource(client, { kind, id, interval, signal })) {
      await writer.write([createRow(definition, item)]);
      status = isObject(item.raw) ? readStatus(item.raw) : undefined;
    }
    await writer.end();
    return status !== 'failed';
  });
}
