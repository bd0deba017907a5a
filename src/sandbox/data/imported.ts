/** The form of resources that are imported from another platform. */
import * as z from 'zod/mini';

const items = z._default(z.array(z.looseObject({ id: z.string() })), []);

export const importedSchema = z.object({ templates: items, faces: items, assets: items, objects: items });

/** Lists of resources as the platform returns them. */
export type Imported = z.output<typeof importedSchema>;
