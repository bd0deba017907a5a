/** The rows of a selection in the tree or in a table: one row a resource. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { parseResource, parseSelection } from '../../../model/resources/parse-argument.ts';
import { isObject } from '../../../platform/json/json.ts';
import { pluralize } from '../../../platform/text/localization.ts';
import { getDefinition } from '../../../platform/registry.ts';

/** Columns that every selection has; those of custom fields follow as `custom.NAME`. */
const BASE_COLUMNS = ['id', 'name', 'template', 'owner'] as const;
const MAX_CUSTOM_COLUMNS = 50;

export const selectionSchema = z.object({
  connection: z.string(),
  kind: z.string(),
  /** `3 objects` */
  name: z.string(),
  columns: z.array(z.string()),
  /** cells in the order of the columns */
  rows: z.array(z.array(z.unknown())),
});
/** Selected resources of one kind and connection. */
export type Selection = z.output<typeof selectionSchema>;

/**
 * Reads what a command was called with: a row of the tree with the selected ones, or the items of a table. `undefined` if it
 * names no resource. Throws Error for resources of several kinds or connections.
 */
export function parseSelectedResources(argument: unknown, selected: unknown): Selection | undefined {
  const several = parseSelection(selected);
  const table = readTableSelection(argument);
  const resources = table ?? readTreeSelection(several.length > 0 ? several : [argument]);
  const [first] = resources;
  if (first === undefined) return undefined;
  const { connection, kind } = first;
  if (resources.some((other) => other.connection !== connection || other.kind !== kind))
    throw new Error(l10n.t('Select resources of one kind and of one connection'));
  const definition = getDefinition(kind);
  const custom = new Set<string>();
  for (const { raw } of resources)
    for (const name of Object.keys(getCustom(raw))) if (custom.size < MAX_CUSTOM_COLUMNS) custom.add(name);
  return {
    connection,
    kind,
    name: formatCount(kind, resources.length),
    columns: [...BASE_COLUMNS, ...[...custom].map((name) => `custom.${name}`)],
    rows: resources.map(({ id, raw }) => [
      id,
      getName(id, raw),
      getField(raw, definition?.templateField ?? 'template_id'),
      getField(raw, 'owner'),
      ...[...custom].map((name) => getField(getCustom(raw), name)),
    ]),
  };
}

function formatCount(kind: string, count: number): string {
  if (kind === 'objects') return pluralize(count, l10n.t('{0} object|{0} objects'));
  if (kind === 'templates') return pluralize(count, l10n.t('{0} template|{0} templates'));
  return pluralize(count, l10n.t('{0} row|{0} rows'));
}

interface SelectedResource {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
  /** as the platform sent it; absent if it was not read */
  readonly raw: unknown;
}

function readTreeSelection(nodes: readonly unknown[]): readonly SelectedResource[] {
  return nodes.flatMap((node): readonly SelectedResource[] => {
    const resource = parseResource(node);
    if (resource === undefined) return [];
    const item: unknown = isObject(node) ? node['item'] : undefined;
    const { connection, kind, id } = resource;
    return [{ connection, kind, id, raw: isObject(item) ? item['raw'] : undefined }];
  });
}

/** `{ connection, kind, items: [{ id, raw }] }` */
function readTableSelection(argument: unknown): readonly SelectedResource[] | undefined {
  if (!isObject(argument) || !Array.isArray(argument['items'])) return undefined;
  const { connection, kind } = argument;
  return argument['items'].filter(isObject).flatMap(({ id, raw }): readonly SelectedResource[] => {
    const resource = parseResource({ connection, kind, id });
    return resource === undefined ? [] : [{ ...resource, raw }];
  });
}

function getCustom(raw: unknown): Readonly<Record<string, unknown>> {
  const custom = getField(raw, 'custom');
  return isObject(custom) ? custom : {};
}

/** The name without the edition, which would be sent with it; the id of a resource that has none. */
function getName(id: string, raw: unknown): unknown {
  if (raw === undefined) return undefined;
  return getField(raw, 'name') ?? getField(getField(raw, 'metadata'), 'name') ?? id;
}

function getField(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
