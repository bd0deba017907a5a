/** The templates of the sandbox, from `static/world/templates.json`: they use every action and every access type. */
import * as z from 'zod/mini';
import { accessTypes, actionNames } from '../../platform/resources/shared-schemas.ts';
import { freeForm } from '../../platform/schema.ts';
import { readWorld } from '../static-files.ts';

export const actionPlan = z.object({
  name: z.enum(actionNames),
  alias: z.optional(z.string()),
  access: z.optional(z.object({ type: z.enum(accessTypes), tokens: z.optional(freeForm) })),
  config: z.optional(freeForm),
  url: z.optional(z.string()),
});

const templatePlan = z.object({
  name: z.string(),
  /** part of domain name and file names, key of `createCustom` */
  slug: z.string(),
  category: z.string(),
  description: z.string(),
  /** index of the organization */
  organization: z.int(),
  /** share of the objects, of 64 */
  weight: z.int(),
  /** of the inline pictures of objects */
  colour: z.string(),
  /** index of the face */
  face: z.optional(z.int()),
  factory: z.optional(
    z.object({
      /** `tight`: three more may be minted; `open`: a maximum of 0 */
      supply: z.enum(['open', 'ample', 'tight', 'soldOut']),
      /** days from the epoch */
      startDays: z.optional(z.int()),
      endDays: z.optional(z.int()),
      /** wallets by index */
      whitelist: z.optional(z.array(z.int())),
    }),
  ),
  actions: z.array(actionPlan),
  publicFields: z.optional(z.array(z.string())),
  /** custom fields of new objects that differ from `createCustom` */
  defaults: z.optional(freeForm),
});

export type ActionPlan = z.output<typeof actionPlan>;
export type TemplatePlan = z.output<typeof templatePlan>;

export const catalogue = readWorld('templates', z.tuple([templatePlan], templatePlan));
