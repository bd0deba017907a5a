/** Resources of another platform, which keep their ids and so their references. */
import * as z from 'zod/mini';
import type { World } from '../world.ts';

const items = z._default(z.array(z.looseObject({ id: z.string() })), []);

export const importedSchema = z.object({ templates: items, faces: items, assets: items, objects: items });

/** Lists of resources as the platform returns them. */
export type Imported = z.output<typeof importedSchema>;

/** Adds resources to a world, or replaces those with the same ids. */
export function importResources(world: World, imported: Imported): void {
  for (const kind of ['assets', 'faces', 'templates', 'objects'] as const)
    for (const item of imported[kind]) {
      const created = Date.parse(String(item['when_created']));
      const organization = typeof item['org_id'] === 'string' ? item['org_id'] : undefined;
      world.collection(kind).put(item.id, item, Number.isNaN(created) ? world.clock.now() : created, organization);
      if (kind === 'templates') world.templates.addImported(item.id, item);
    }
}
