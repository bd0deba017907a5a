/** `watch KIND [ID]`: a resource each time it changes, or what changes in a list. */
import type { Filter } from '../../explorer/filter/filter.ts';
import { defineRecord } from '../../model/export/define-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import type { PlatformError } from '../../platform/errors.ts';
import { registry, type Kind } from '../../platform/registry.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { isObject } from '../../platform/json/json.ts';
import { Item } from '../../platform/page.ts';
import { formatPlural, type ResourceDefinition } from '../../platform/resource.ts';
import { followSource } from '../../watches/engine/follow.ts';
import type { Change } from '../../watches/engine/watcher.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { parseSeconds } from '../options.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';
import { columns, createRow, parseFilter } from './list.ts';

export interface WatchValues extends ConnectionValues, RecordValues {
  readonly interval: string;
  readonly filter?: readonly string[];
  readonly action?: string;
}

/**
 * Prints a resource, and again when it changed, until it is final; without an id, each change of the newest items of a list.
 * Resolves with false if an action or batch failed. Rejects as `withConnection` does.
 */
export async function watch(
  context: CommandContext,
  kind: Kind,
  id: string | undefined,
  values: WatchValues,
): Promise<boolean> {
  const definition: ResourceDefinition = registry[kind];
  const { output, signal } = context;
  const interval = parseSeconds('--interval', values.interval);
  const filter = readFilter(definition, id, values);
  const what = id === undefined ? formatPlural(definition) : definition.singular;
  return withConnection(context, values, `Watch ${what}`, async ({ client, labels }) => {
    const format = values.format === 'json' ? 'ndjson' : values.format;
    const writer = new RecordWriter({
      output,
      labels,
      columns:
        id === undefined ? [{ label: 'Change', getValue: ({ change }: ChangeRow) => change }, ...columns] : columns,
      ...(id === undefined ? changeRecord : { definition, toJson: ({ raw }: ChangeRow) => raw }),
      values: { ...values, format },
    });
    if (id === undefined) output.note(`Watching the newest ${what}`);
    let status: string | undefined;
    const source = { kind, id, filter, action: values.action };
    const onProblem = (problem: PlatformError | undefined): void =>
      output.note(
        problem === undefined
          ? 'The platform responds again'
          : `Watch ${what}: ${getErrorMessage(problem)}; trying again`,
      );
    for await (const change of followSource(client, source, { interval, signal, onProblem })) {
      if (id !== undefined && change.type === 'removed') continue;
      const row = createChangeRow(definition, change);
      await writer.write([row]);
      status = isObject(row.raw) ? readStatus(row.raw) : undefined;
    }
    await writer.end();
    return status !== 'failed';
  });
}

type ChangeRow = ReturnType<typeof createChangeRow>;

const changeRecord = defineRecord<ChangeRow>({
  change: ({ change }) => change,
  id: ({ id }) => id,
  resource: ({ isKnown, raw }) => (isKnown ? raw : undefined),
});

function createChangeRow(definition: ResourceDefinition, { type, id, item }: Change) {
  const row = createRow(definition, item ?? new Item({ id }, definition.schema));
  return { ...row, change: type, isKnown: item !== undefined };
}

/** Throws UsageError. */
function readFilter(definition: ResourceDefinition, id: string | undefined, values: WatchValues): Filter {
  if (id !== undefined && (values.filter !== undefined || values.action !== undefined))
    throw new UsageError('--filter and --action are for lists: leave out the ID');
  if (id === undefined && definition.list === undefined)
    throw new UsageError(`There is no list of ${formatPlural(definition)}: add an ID`);
  if (values.action !== undefined && definition.kind !== 'action-logs')
    throw new UsageError('--action is for action-logs');
  return id === undefined ? parseFilter(definition, values.filter ?? []) : {};
}
