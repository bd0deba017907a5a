/** Faces, in every form that the contract and deployments have. */
import * as z from 'zod/mini';
import { freeForm } from '../../platform/schema.ts';
import type { Item } from '../generation/collection.ts';
import {
  pickCyclic,
  formatIso,
  createGeneratedSource,
  DAY,
  type GenerationContext,
} from '../generation/generated-source.ts';
import { readStaticFile, readWorld } from '../static-files.ts';
import type { Organization } from './organizations.ts';

const facePlan = z.object({
  name: z.string(),
  /** index of the organization */
  organization: z.int(),
  /** file of the content, in `static/faces/` */
  file: z.optional(z.string()),
  /** path of a page of the sandbox */
  page: z.optional(z.string()),
  /** index of a template whose picture's URL is the content */
  picture: z.optional(z.int()),
  config: z.optional(freeForm),
  assets: z.optional(z.array(z.int())),
  /** file of a second view, the card */
  card: z.optional(z.string()),
});

/** Each template with the same index uses the face. */
const facePlans = readWorld('faces', z.array(facePlan));

interface FaceOptions {
  readonly context: GenerationContext;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly reference: (index: number) => Item;
  readonly assetPath: (index: number) => string;
}

/** The source of faces. */
export function createFaces({ context, organizations, reference, assetPath }: FaceOptions) {
  return createGeneratedSource(context, {
    prefix: 'fac',
    size: facePlans.length,
    days: 130,
    getOrganization: (index) => pickCyclic(organizations, pickCyclic(facePlans, index).organization).id,
    make: ({ index, id, created }) => {
      const plan = pickCyclic(facePlans, index);
      const text = plan.picture === undefined ? readContent(plan.file) : context.url(assetPath(plan.picture));
      return {
        id,
        name: plan.name,
        ...(plan.page !== undefined && { url: context.url(plan.page) }),
        ...(text !== undefined && { content: text }),
        ...(plan.config !== undefined && { config: plan.config }),
        ...(plan.assets !== undefined && { assets: plan.assets.map(reference) }),
        // Not in the contract; newer deployments have it.
        ...(plan.card !== undefined && {
          views: [
            { variant: 'default', media_type: 'text/html', content: text, aspect_ratio: '3/4', interactive: false },
            {
              variant: 'card',
              media_type: 'text/html',
              content: readContent(plan.card),
              aspect_ratio: '16/10',
              interactive: false,
            },
          ],
        }),
        when_created: formatIso(created),
        when_modified: formatIso(Math.min(context.epoch, created + (index % 9) * DAY)),
      };
    },
  });
}

function readContent(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readStaticFile(`faces/${file}`).toString();
}
