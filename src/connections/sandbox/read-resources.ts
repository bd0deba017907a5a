/** Reads templates, faces, assets and objects of a connection, for a sandbox. */
import type { PlatformClient } from '../../platform/client.ts';
import { hasErrorCode, type PlatformError } from '../../platform/errors.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import { isObject } from '../../platform/json/json.ts';
import type { Item } from '../../platform/page.ts';
import { registry } from '../../platform/registry.ts';
import type { Imported } from '../../sandbox/data/imported.ts';

const MAX_TEMPLATES = 50;
const MAX_OBJECTS = 500;
/** Objects of few enough templates, and assets that are referenced, are searched in at most that many. */
const MAX_LISTED = 2000;

const NEWEST = { sortBy: 'when_created', order: 'descending' } as const;

type Resource = Imported['objects'][number];

/**
 * Reads the newest objects with what they refer to: their templates, then other templates, the faces of these, and assets.
 * Objects whose template is not read are left out, and what does not exist or the user may not read. The client masks
 * secrets. Rejects with PlatformError, also if the user may read neither templates nor objects, and if `signal` is aborted.
 */
export async function readResources(
  client: PlatformClient,
  signal: AbortSignal,
  report: (counts: { readonly templates: number; readonly objects: number }) => void,
): Promise<Imported> {
  const options = { signal, bulk: true, largest: true };
  const objects: Resource[] = [];
  const templateIds = new Set<string>();
  let listed = 0;
  const refusals: PlatformError[] = [];
  // A list that the user may not read is empty.
  const readAllowed = async <T>(pages: AsyncIterable<T>, use: (page: T) => boolean): Promise<void> => {
    try {
      for await (const page of pages) if (use(page)) break;
    } catch (error) {
      if (!hasErrorCode(error, 'forbidden')) throw error;
      refusals.push(error);
    }
  };
  await readAllowed(client.listPages('objects', NEWEST, { ...options, distinct: true }), ({ items }) => {
    listed += items.length;
    for (const resource of items.flatMap(toResource)) {
      const id = resource['template_id'];
      if (typeof id !== 'string' || (!templateIds.has(id) && templateIds.size === MAX_TEMPLATES)) continue;
      templateIds.add(id);
      if (objects.length < MAX_OBJECTS) objects.push(resource);
    }
    report({ templates: 0, objects: objects.length });
    return objects.length === MAX_OBJECTS || listed >= MAX_LISTED;
  });
  if (templateIds.size < MAX_TEMPLATES)
    await readAllowed(client.listPages('templates', {}, options), ({ items }) => {
      for (const { id } of items) if (id !== undefined && templateIds.size < MAX_TEMPLATES) templateIds.add(id);
      return true;
    });
  const read = async (kind: 'templates' | 'faces', id: string): Promise<readonly Resource[]> => {
    try {
      return toResource((await client.read(kind, [id], { signal, bulk: true })).item);
    } catch (error) {
      if (hasErrorCode(error, 'notFound', 'forbidden')) return [];
      throw error;
    }
  };
  const templates: Resource[] = [];
  for (const id of templateIds) {
    templates.push(...(await read('templates', id)));
    report({ templates: templates.length, objects: objects.length });
  }
  const [refusal] = refusals;
  if (templates.length === 0 && refusal !== undefined) throw refusal;
  const faces: Resource[] = [];
  for (const id of listReferences(templates, 'templates', 'faces')) faces.push(...(await read('faces', id)));
  const readIds = new Set<unknown>(templates.map(({ id }) => id));
  const complete = objects.filter((object) => readIds.has(object['template_id']));
  const assetIds = new Set([
    ...listReferences(complete, 'objects', 'assets'),
    ...listReferences(templates, 'templates', 'assets'),
    ...listReferences(faces, 'faces', 'assets'),
  ]);
  const assets: Resource[] = [];
  listed = 0;
  if (assetIds.size > 0)
    await readAllowed(client.listPages('assets', {}, options), ({ items }) => {
      assets.push(...items.flatMap(toResource).filter(({ id }) => assetIds.has(id)));
      listed += items.length;
      return assets.length === assetIds.size || listed >= MAX_LISTED;
    });
  return { templates, faces, assets, objects: complete };
}

function toResource({ id, raw }: Item): readonly Resource[] {
  return id === undefined || !isObject(raw) ? [] : [{ ...raw, id }];
}

/** The ids of one kind that resources of another refer to. */
function listReferences(
  resources: readonly Resource[],
  from: 'objects' | 'templates' | 'faces',
  to: 'faces' | 'assets',
): ReadonlySet<string> {
  const fields = Object.entries(registry[from].references).flatMap(([field, kind]) => (kind === to ? [field] : []));
  return new Set(resources.flatMap((resource) => fields.flatMap((field) => getValuesAt(resource, field))));
}
