/** `list KIND`: a page, or all, of a list. */
import { ConditionError, createFilter, parseCondition } from '../../explorer/filter/condition.ts';
import { resolveFilter, type Filter } from '../../explorer/filter/filter.ts';
import { formatRelativeTime } from '../../explorer/format.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Item } from '../../platform/page.ts';
import { registry, type Kind } from '../../platform/registry.ts';
import { formatPlural, type ItemSummary, type ResourceDefinition, type Tone } from '../../platform/resource.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { Style } from '../output/output.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import type { Column } from '../output/table.ts';
import { parseCount } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

export interface ListValues extends ConnectionValues, RecordValues {
  readonly filter?: readonly string[];
  readonly limit: string;
  readonly all?: true;
}

/** The contract's largest page. */
const MAX_PAGE = 100;
const MAX_LIMIT = 1_000_000;

interface Row {
  readonly raw: unknown;
  readonly id: string | undefined;
  readonly summary: ItemSummary;
}

export const toneStyles: Readonly<Partial<Record<Tone, Style>>> = { ok: 'green', busy: 'yellow', bad: 'red' };

/** The columns of resources of any kind. */
export const columns: readonly Column<Row>[] = [
  { label: 'ID', getValue: ({ id }) => id },
  { label: 'Name', getValue: ({ id, summary }) => (summary.title === id ? undefined : summary.title), shrinks: true },
  {
    label: 'State',
    getValue: ({ summary }) => summary.state?.label,
    getStyle: ({ summary }) => toneStyles[summary.state?.tone ?? 'unknown'],
  },
  {
    label: 'Details',
    getValue: ({ id, summary }) => summary.details.filter((detail) => detail !== id).join(' · '),
    getStyle: () => 'dim',
    shrinks: true,
  },
  {
    label: 'Time',
    getValue: ({ summary }) => summary.when,
    getText: ({ summary: { when } }) => (when === undefined ? undefined : formatRelativeTime(when, Date.now())),
  },
];

/** Parses conditions to a query. Throws UsageError. */
export function parseFilters(definition: ResourceDefinition, conditions: readonly string[]): AnyQuery {
  return resolveFilter(parseFilter(definition, conditions), Date.now());
}

/** Parses conditions to a filter. Throws UsageError. */
export function parseFilter(definition: ResourceDefinition, conditions: readonly string[]): Filter {
  try {
    return createFilter(definition, conditions.map(parseCondition));
  } catch (error) {
    if (error instanceof ConditionError) throw new UsageError(`--filter: ${error.message}`);
    throw error;
  }
}

/** Prints the resources of a kind. Rejects as `withConnection` does. */
export async function list(context: CommandContext, kind: Kind, values: ListValues): Promise<void> {
  const definition: ResourceDefinition = registry[kind];
  const filter = parseFilters(definition, values.filter ?? []);
  const limit = values.all === true ? Infinity : parseCount('--limit', values.limit, 1, MAX_LIMIT);
  const { output, signal } = context;
  await withConnection(context, values, `List ${formatPlural(definition)}`, async ({ client, profile, labels }) => {
    const writer = new RecordWriter({
      output,
      values,
      columns,
      labels,
      toJson: ({ raw }) => raw,
      definition,
    });
    const isWhole = limit === Infinity;
    const query = isWhole ? filter : { ...filter, limit: Math.min(profile.pageSize ?? MAX_PAGE, limit) };
    let hasMore = false;
    for await (const { items, next } of client.listPagesFor(definition, query, {
      signal,
      bulk: true,
      largest: isWhole,
      distinct: true,
    })) {
      const rest = limit - writer.count;
      await writer.write(items.slice(0, rest).map((item) => createRow(definition, item)));
      hasMore = items.length > rest || (items.length === rest && next !== undefined);
      signal.throwIfAborted();
      if (writer.count >= limit) break;
    }
    await writer.end();
    if (writer.count === 0 && output.isTerminal) output.note(`There are no ${formatPlural(definition)}`);
    if (hasMore) output.note('There are more. Use --limit to print more of them, or --all to print everything');
  });
}

/** The record of a resource. */
export function createRow(definition: ResourceDefinition, { raw, id }: Item): Row {
  return { raw, id, summary: definition.summary(raw) };
}
