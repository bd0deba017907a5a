/** Imports resources of another platform, which keep their ids and so their references. */
import type { World } from '../world.ts';
import type { Imported } from './imported.ts';

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
